"""Holds the files of tests/launch/cases against the stacks' own readers, and notes those that pass.

    python accept.py MEGATRON_LM BRIDGE TORCHTITAN > accepted.txt      (and writes parsed.jsonl)

parsed.jsonl has what each reader made of its file, in the reader's own names: what it parsed, and what it
derived of that (replicas, virtual stages, micro-batches, layers of each stage). TORCHTITAN is a folder with
the package torchtitan 0.3.0 (`pip install --no-deps --target`, and spmd_types beside 0.2.2). MEGATRON_LM and BRIDGE are checkouts of NVIDIA/Megatron-LM (core 0.20) and NVIDIA-NeMo/Megatron-Bridge
(0.7). Needs Python 3.12 and the packages torch, torchtitan 0.2.2 and deepspeed; no GPU. One line a
file: digest of its bytes (FNV-1a, 64 bits), name, reader. A file that is refused fails the run.
"""

import ast
import io
import contextlib
import json
import math
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

CASES = pathlib.Path(__file__).parent / "cases"


def digest(data):
    value = 0xCBF29CE484222325
    for byte in data:
        value = (value ^ byte) * 0x100000001B3 % 2**64
    return f"{value:016x}"


def megatron(path, root):
    """Megatron-LM's parse_args and validate_args, with as many ranks as the script starts."""
    words = shlex.split(path.read_text(), comments=True)
    ranks = int(words[words.index("--nnodes") + 1]) * int(words[words.index("--nproc-per-node") + 1])
    flags = [word for word in words[words.index("pretrain_gpt.py") + 1 :] if word not in ("$@", "\n")]
    sys.path.insert(0, str(root))
    from megatron.training import arguments

    import torch

    # No GPU is asked: the answers are those of a Blackwell one.
    arguments.get_device_arch_version = lambda: 10
    torch.cuda.get_device_capability = lambda *_: (10, 0)
    torch.cuda.get_device_properties = lambda *_: type("Device", (), {"major": 10, "minor": 0})()
    torch.cuda.is_available = lambda: True
    os.environ.update(WORLD_SIZE=str(ranks), RANK="0")
    fsdp = "--use-megatron-fsdp" in flags
    os.environ["CUDA_DEVICE_MAX_CONNECTIONS"] = "8" if fsdp else "1"
    own = ["--lr", "1e-4", "--tokenizer-type", "NullTokenizer"]
    if "--train-iters" not in flags:
        own += ["--train-iters", "10"]
    sys.argv = ["pretrain_gpt.py", *flags, *own]
    args = arguments.parse_args()
    arguments.validate_args(args, {})
    return megatron_values(args), f"Megatron-LM {version(root / 'megatron/core/package_info.py')} validate_args, {ranks} ranks"


# Of Megatron-LM's namespace, after it was validated.
MEGATRON = """
    world_size tensor_model_parallel_size pipeline_model_parallel_size context_parallel_size
    expert_model_parallel_size expert_tensor_parallel_size data_parallel_size
    virtual_pipeline_model_parallel_size sequence_parallel use_distributed_optimizer num_distributed_optimizer_instances use_megatron_fsdp
    data_parallel_sharding_strategy use_tp_pp_dp_mapping micro_batch_size global_batch_size seq_length
    num_layers hidden_size ffn_hidden_size num_attention_heads num_query_groups kv_channels swiglu
    untie_embeddings_and_output_weights num_experts moe_router_topk moe_ffn_hidden_size
    moe_shared_expert_intermediate_size moe_layer_freq q_lora_rank kv_lora_rank window_size mtp_num_layers
    recompute_granularity bf16 fp16 fp8 fp8_recipe fp4 overlap_grad_reduce overlap_param_gather
    overlap_p2p_comm tp_comm_overlap cp_comm_type train_iters
""".split()


def megatron_values(args):
    """What Megatron-LM runs: its namespace, its count of micro-batches, its layers of each stage."""
    from megatron.core.num_microbatches_calculator import ConstantNumMicroBatchesCalculator

    found = {name: getattr(args, name) for name in MEGATRON}
    count = ConstantNumMicroBatchesCalculator(
        args.global_batch_size, args.micro_batch_size, args.data_parallel_size, False, 0
    )
    found["num_microbatches"] = count.get()
    layout = args.pipeline_model_parallel_layout
    if layout is not None:
        # One row a pipeline rank, one entry a virtual stage of it.
        from megatron.core.transformer.pipeline_parallel_layer_layout import PipelineParallelLayerLayout

        rows = PipelineParallelLayerLayout(layout, args.pipeline_model_parallel_size).layout
        found["layers_of_each_stage"] = [[sum(part.name == "decoder" for part in chunk) for chunk in rank] for rank in rows]
    return {name: value if isinstance(value, (bool, int, float, list, type(None))) else str(value) for name, value in found.items()}


def version(path):
    numbers = dict(line.split(" = ") for line in path.read_text().splitlines() if line[:5] in ("MAJOR", "MINOR"))
    return f"core {numbers['MAJOR'].strip()}.{numbers['MINOR'].strip()}"


def fields(*sources):
    """Names of the annotated fields of every class in some files."""
    found = set()
    for source in sources:
        for node in ast.walk(ast.parse(source.read_text())):
            if isinstance(node, ast.ClassDef):
                found |= {of.target.id for of in node.body if isinstance(of, ast.AnnAssign) and isinstance(of.target, ast.Name)}
    return found


def bridge(path, megatron_root, root):
    """Every key is a field of the configuration classes, every precision is registered."""
    core = megatron_root / "megatron/core"
    own = root / "src/megatron/bridge"
    training = own / "training"
    config = (
        training / "config.py",
        core / "distributed/distributed_data_parallel_config.py",
        *(megatron_root / "megatron/training/config").glob("*.py"),
    )
    providers = [*(own / "models").rglob("*provider*.py"), core / "transformer/transformer_config.py", core / "model_parallel_config.py"]
    shapes = fields(*providers)
    for line in path.read_text().splitlines():
        if line.startswith("#") or not line.strip():
            continue
        (word,) = shlex.split(line)
        key, value = word.split("=", 1)
        section, _, name = key.rpartition(".")
        if key == "mixed_precision":
            registered = (training / "mixed_precision.py").read_text()
            assert f"def {value}(" in registered, f"no precision {value}"
        elif section == "model":
            assert name in shapes, f"no field {key}"
        else:
            assert name in fields(*config, training / "comm_overlap.py"), f"no field {key}"
    return translated(path, root), "Megatron-Bridge 0.7 fields"


def translated(path, root):
    """What Bridge's own translator makes of the flags of the same job, and what the file has instead."""
    flags = path.with_suffix(".sh")
    words = shlex.split(flags.read_text(), comments=True)
    words = [word for word in words[words.index("pretrain_gpt.py") + 1 :] if word not in ("$@", "\n")]
    script = root / "scripts/translate_mlm_to_bridge.py"
    told = subprocess.run([sys.executable, script, "--args", shlex.join(words)], capture_output=True, text=True, check=True)
    lines = (line.strip().rstrip("\\").strip().strip("'") for line in told.stdout.splitlines())
    keys = dict(line.split("=", 1) for line in lines if re.match(r"[a-z_]+\.[a-z_.]+=", line))
    # Megatron-LM evaluates such a text; Bridge's overrides take the list.
    lists = {key: json.dumps(eval(value), separators=(",", ":")) for key, value in keys.items() if value.startswith("([")}
    return keys | lists


def torchtitan(path):
    """torchtitan's ConfigManager and its ParallelDims."""
    import torchtitan.config
    from torchtitan.config import ConfigManager
    from torchtitan.distributed.parallel_dims import ParallelDims

    config = ConfigManager().parse_args(["--job.config_file", str(path)])
    of = config.parallelism
    comment = next(line for line in path.read_text().splitlines() if line.startswith("# For "))
    ranks = int(comment.split()[2])
    layers = int(re.search(r"\((\d+) layers", comment)[1])
    dims = ParallelDims(
        dp_replicate=of.data_parallel_replicate_degree,
        dp_shard=of.data_parallel_shard_degree,
        cp=of.context_parallel_degree,
        tp=of.tensor_parallel_degree,
        pp=of.pipeline_parallel_degree,
        ep=of.expert_parallel_degree,
        etp=of.expert_tensor_parallel_degree,
        world_size=ranks,
    )
    return torchtitan_values(config, dims, layers), f"torchtitan 0.2.2 ConfigManager, ParallelDims, {ranks} ranks"


def torchtitan_values(config, dims, layers):
    """What torchtitan runs: fields of its configuration, degrees of its mesh, its cut of the layers."""
    from torch.distributed.pipelining.schedules import get_schedule_class
    from torchtitan.distributed.pipeline_parallel import generate_llm_fqn_per_model_part

    of = config.parallelism
    found = {name: getattr(dims, name) for name in "dp_replicate dp_shard cp tp pp ep etp world_size".split()}
    found |= {name: getattr(config.training, name) for name in "local_batch_size global_batch_size seq_len steps mixed_precision_param".split()}
    names = "fsdp_reshard_after_forward pipeline_parallel_schedule pipeline_parallel_microbatch_size"
    found |= {name: getattr(of, name) for name in (names + " context_parallel_rotate_method enable_async_tensor_parallel").split()}
    found["activation_checkpoint"] = config.activation_checkpoint.mode
    found["converters"] = config.model.converters
    # As its trainer and its pipeline count them.
    replicas = dims.dp_replicate * dims.dp_shard
    found["gradient_accumulation_steps"] = found["global_batch_size"] // (found["local_batch_size"] * replicas)
    if dims.pp > 1:
        ends = (of.pipeline_parallel_first_stage_less_layers, of.pipeline_parallel_last_stage_less_layers)
        stages = math.ceil((layers + sum(ends)) / of.pipeline_parallel_layers_per_stage)
        assert stages % dims.pp == 0, stages
        found["stages_per_rank"] = stages // dims.pp
        found["schedule_class"] = get_schedule_class(of.pipeline_parallel_schedule).__name__
        parts = generate_llm_fqn_per_model_part(stages, layers, *ends)
        found["layers_of_each_stage"] = [sum(name.startswith("layers.") for name in part) for part in parts]
        found["pipeline_microbatches"] = found["local_batch_size"] // of.pipeline_parallel_microbatch_size
    return found


# Runs in a process of its own, as two releases of one package do not load together.
PYTHON = """
import dataclasses, json, math, runpy, sys
from importlib.metadata import distributions
from torch.distributed.pipelining.schedules import get_schedule_class
from torchtitan.distributed.parallel_dims import ParallelDims
from torchtitan.distributed.pipeline_parallel import _generate_llm_fqn_per_model_part as cut
from torchtitan.trainer import Trainer

path, ranks, layers = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
config = runpy.run_path(path)["planned"](Trainer.Config())
config = dataclasses.replace(config)  # its checks run once more
of = config.parallelism
dims = ParallelDims.from_config(of, ranks)
found = {name: getattr(dims, name) for name in "dp_replicate dp_shard cp tp pp ep world_size".split()}
found |= {name: getattr(config.training, name) for name in "local_batch_size global_batch_size seq_len steps mixed_precision_param".split()}
names = "fsdp_reshard_after_forward pipeline_parallel_schedule pipeline_parallel_microbatch_size enable_sequence_parallel"
found |= {name: getattr(of, name) for name in names.split()}
found["enable_async_tensor_parallel"] = config.compile.enable_async_tensor_parallel
kept = config.activation_checkpoint
found["activation_checkpoint"] = "none" if kept is None else type(kept).__qualname__.split("AC")[0].lower()
replicas = dims.dp_replicate * dims.dp_shard
found["gradient_accumulation_steps"] = found["global_batch_size"] // (found["local_batch_size"] * replicas)
if dims.pp > 1:
    ends = (of.pipeline_parallel_first_stage_less_layers, of.pipeline_parallel_last_stage_less_layers)
    stages = math.ceil((layers + sum(ends)) / of.pipeline_parallel_layers_per_stage)
    assert stages % dims.pp == 0, stages
    found["stages_per_rank"] = stages // dims.pp
    found["schedule_class"] = get_schedule_class(of.pipeline_parallel_schedule).__name__
    parts = cut(stages, layers, *ends)
    found["layers_of_each_stage"] = [sum(name.startswith("layers.") for name in part) for part in parts]
    found["pipeline_microbatches"] = found["local_batch_size"] // of.pipeline_parallel_microbatch_size
print("FOUND", json.dumps(found))
"""


def torchtitan_python(path, root):
    """torchtitan's Trainer.Config with its checks, and its ParallelDims."""
    comment = next(line for line in path.read_text().splitlines() if line.startswith("# For "))
    ranks, layers = comment.split()[2], re.search(r"\((\d+) layers", comment)[1]
    told = subprocess.run(
        [sys.executable, "-c", PYTHON, path, ranks, layers],
        capture_output=True,
        text=True,
        env=os.environ | {"PYTHONPATH": str(root)},
    )
    assert told.returncode == 0, told.stderr[-500:]
    (line,) = (line for line in told.stdout.splitlines() if line.startswith("FOUND "))
    return json.loads(line[6:]), f"torchtitan 0.3.0 Trainer.Config, ParallelDims, {ranks} ranks"


def deepspeed(path):
    """DeepSpeed's DeepSpeedConfig, with as many ranks as the file is for."""
    import deepspeed
    from deepspeed.runtime.config import DeepSpeedConfig
    import hjson

    text = hjson.loads(path.read_text())
    ranks = next(int(line.split()[2]) for line in path.read_text().splitlines() if line.startswith("// For "))
    shards = text.get("tensor_parallel", {}).get("autotp_size", 1) * text["pipeline"]["stages"]

    class Grid:
        def get_data_parallel_world_size(self):
            return ranks // shards // text.get("sequence_parallel_size", 1)

        def get_global_rank(self):
            return 0

    import deepspeed.runtime.config as module

    module.dist.get_rank = lambda: 0
    module.dist.get_world_size = lambda: ranks
    config = DeepSpeedConfig(str(path), mpu=Grid())
    values = {
        "world_size": config.world_size,
        "train_batch_size": config.train_batch_size,
        "train_micro_batch_size_per_gpu": config.train_micro_batch_size_per_gpu,
        "gradient_accumulation_steps": config.gradient_accumulation_steps,
        "zero_stage": config.zero_optimization_stage,
        "overlap_comm": config.zero_config.overlap_comm,
        "use_multi_rank_bucket_allreduce": config.zero_config.use_multi_rank_bucket_allreduce,
        "bf16": config.bfloat16_config.enabled,
        "fp16": config.float16_config.enabled,
        "pipeline": config.pipeline,
        "autotp_size": config.tensor_parallel_config.autotp_size,
        "sequence_parallel_size": config._param_dict.get("sequence_parallel_size", 1),
        "communication_data_type": str(config.communication_data_type),
        "ranks": ranks,
    }
    return values, f"deepspeed {deepspeed.__version__} DeepSpeedConfig, {ranks} ranks"


def spoilt(path):
    """The file with one mistake in it, which its reader has to find."""
    text = path.read_text()
    wrong = {
        ".sh": (r"(--tensor-model-parallel-size) \d+", r"\1 7"),
        ".txt": (r"(?m)^train\.global_batch_size=", "train.global_batch_sizes="),
        ".toml": (r"tensor_parallel_degree", "tensor_paralel_degree"),
        ".py": (r"tensor_parallel_degree", "tensor_paralel_degree"),
        ".json": (r'("train_batch_size": )(\d+)', r"\g<1>7\g<2>"),
    }
    made = pathlib.Path(tempfile.mkdtemp()) / path.name
    made.write_text(re.sub(*wrong[path.suffix], text, count=1))
    return made


def main():
    roots = [pathlib.Path(root) for root in sys.argv[1:]]
    readers = {
        ".sh": lambda path: megatron(path, roots[0]),
        ".txt": lambda path: bridge(path, *roots[:2]),
        ".py": lambda path: torchtitan_python(path, roots[2]),
        ".toml": torchtitan,
        ".json": deepspeed,
    }
    refused, parsed = [], []
    for path in sorted(CASES.iterdir()):
        said = io.StringIO()
        try:
            with contextlib.redirect_stdout(said):
                values, reader = readers[path.suffix](path)
                try:
                    readers[path.suffix](spoilt(path))
                except BaseException:
                    pass
                else:
                    raise AssertionError("its reader takes a file with a mistake too")
        except BaseException as error:
            refused.append(path.name)
            sys.stderr.write(f"{path.name}: {type(error).__name__} {error}\n")
            continue
        parsed.append({"digest": digest(path.read_bytes()), "file": path.name, "reader": reader, "values": values})
        print(digest(path.read_bytes()), path.name, reader, flush=True)
    lines = (json.dumps(line, sort_keys=True) + "\n" for line in parsed)
    CASES.with_name("parsed.jsonl").write_text("".join(lines))
    sys.exit(1 if refused else 0)


if __name__ == "__main__":
    main()

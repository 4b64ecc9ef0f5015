"""Holds the files of tests/launch/cases against the stacks' own readers, and notes those that pass.

    python accept.py MEGATRON_LM BRIDGE > accepted.txt

MEGATRON_LM and BRIDGE are checkouts of NVIDIA/Megatron-LM (core 0.20) and NVIDIA-NeMo/Megatron-Bridge
(0.7). Needs Python 3.12 and the packages torch, torchtitan 0.2.2 and deepspeed; no GPU. One line a
file: digest of its bytes (FNV-1a, 64 bits), name, reader. A file that is refused fails the run.
"""

import ast
import io
import contextlib
import json
import os
import pathlib
import re
import shlex
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
    return f"Megatron-LM {version(root / 'megatron/core/package_info.py')} validate_args, {ranks} ranks"


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
    return "Megatron-Bridge 0.7 fields"


def torchtitan(path):
    """torchtitan's ConfigManager and its ParallelDims."""
    import torchtitan.config
    from torchtitan.config import ConfigManager
    from torchtitan.distributed.parallel_dims import ParallelDims

    config = ConfigManager().parse_args(["--job.config_file", str(path)])
    of = config.parallelism
    ranks = next(int(line.split()[2]) for line in path.read_text().splitlines() if line.startswith("# For "))
    ParallelDims(
        dp_replicate=of.data_parallel_replicate_degree,
        dp_shard=of.data_parallel_shard_degree,
        cp=of.context_parallel_degree,
        tp=of.tensor_parallel_degree,
        pp=of.pipeline_parallel_degree,
        ep=of.expert_parallel_degree,
        etp=of.expert_tensor_parallel_degree,
        world_size=ranks,
    )
    return f"torchtitan 0.2.2 ConfigManager, ParallelDims, {ranks} ranks"


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
    DeepSpeedConfig(str(path), mpu=Grid())
    return f"deepspeed {deepspeed.__version__} DeepSpeedConfig, {ranks} ranks"


def spoilt(path):
    """The file with one mistake in it, which its reader has to find."""
    text = path.read_text()
    wrong = {
        ".sh": (r"(--tensor-model-parallel-size) \d+", r"\1 7"),
        ".txt": (r"(?m)^train\.global_batch_size=", "train.global_batch_sizes="),
        ".toml": (r"tensor_parallel_degree", "tensor_paralel_degree"),
        ".json": (r'("train_batch_size": )(\d+)', r"\g<1>7\g<2>"),
    }
    made = pathlib.Path(tempfile.mkdtemp()) / path.name
    made.write_text(re.sub(*wrong[path.suffix], text, count=1))
    return made


def main():
    roots = [pathlib.Path(root) for root in sys.argv[1:]]
    readers = {
        ".sh": lambda path: megatron(path, roots[0]),
        ".txt": lambda path: bridge(path, *roots),
        ".toml": torchtitan,
        ".json": deepspeed,
    }
    refused = []
    for path in sorted(CASES.iterdir()):
        said = io.StringIO()
        try:
            with contextlib.redirect_stdout(said):
                reader = readers[path.suffix](path)
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
        print(digest(path.read_bytes()), path.name, reader, flush=True)
    sys.exit(1 if refused else 0)


if __name__ == "__main__":
    main()

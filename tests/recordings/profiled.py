"""Writes tests/data/recordings/profiler: traces of PyTorch's profiler and of its execution trace observer,
of one job of FSDP2 on four CPU ranks over gloo, and the calls of that job as the recorder writes them.

    pip install torch numpy ninja
    python3 tests/recordings/profiled.py tests/data/recordings/profiler

Gloo tells the profiler neither group nor sizes; NCCL does, by a macro of PyTorch (`RECORD_PARAM_COMMS_DATA`).
A few lines of C++ call this macro before each call, with what NCCL's back end hands it, so that PyTorch itself
writes what it writes of a job on GPUs. Of the events only those of collectives are kept, and of
their nodes no `attrs`.
"""

import json
import os
import sys
import warnings
from multiprocessing import get_context
from pathlib import Path

warnings.filterwarnings("ignore")
os.environ.setdefault("OMP_NUM_THREADS", "1")

import recorder as recording  # noqa: E402  before anything that imports torch.distributed

RECORDER = recording.install()
RANKS = 4
KEPT = ("record_param_comms", "ProfilerStep#")
# What NCCL's back end calls them, and which arguments are its input and its output.
NAMES = {
    "all_reduce": ("allreduce", 0, 0),
    "all_gather_into_tensor": ("_allgather_base", 1, 0),
    "reduce_scatter_tensor": ("_reduce_scatter_base", 1, 0),
}
FLAGS = ["-O0", "-DUSE_DISTRIBUTED"]
SOURCE = """
#include <torch/csrc/distributed/c10d/ParamCommsUtils.hpp>
void note(int64_t call, const std::string& group, at::Tensor in, at::Tensor out, int64_t rank,
          const std::string& name, int64_t first, int64_t stride, int64_t size) {
  std::vector<at::Tensor> ins{in}, outs{out};
  std::vector<int64_t> none;
  RECORD_PARAM_COMMS_DATA(std::make_tuple(call, false), std::make_tuple(group, std::string("data")), ins, outs,
                          rank, std::string(name), in.numel(), out.numel(), in.scalar_type(), none, none, first,
                          stride, size);
}
"""


def noted(library):
    """Has each call of the job told to the profiler first."""
    import torch.distributed as dist

    count = [0]
    described = recording.described

    def describing(op, args, group):
        if RECORDER.on:
            name, source, target = NAMES[op]
            group = group or dist.group.WORLD
            ranks = dist.get_process_group_ranks(group)
            stride = ranks[1] - ranks[0] if len(ranks) > 1 else 1
            count[0] += 1
            place, size = dist.get_rank(group), len(ranks)
            tensors = args[source], args[target]
            library.note(
                count[0], group.group_name, *tensors, place, name, ranks[0], stride, size
            )
        return described(op, args, group)

    recording.described = describing


def rank_of(rank, folder, cfg):
    import torch
    import torch.distributed as dist
    from torch.profiler import ExecutionTraceObserver, ProfilerActivity, profile
    from torch.utils.cpp_extension import load_inline

    import torch_jobs

    os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT="29541")
    os.environ.update(RANK=str(rank), WORLD_SIZE=str(RANKS))
    noted(load_inline("noted", SOURCE, functions="note", extra_cflags=FLAGS))
    dist.init_process_group("gloo", rank=rank, world_size=RANKS)
    observer = ExecutionTraceObserver()
    observer.register_callback(f"{folder}/execution.{rank}.json")
    with profile(activities=[ProfilerActivity.CPU], execution_trace_observer=observer) as profiler:
        torch_jobs.run(cfg, RECORDER)
        profiler.step()
    profiler.export_chrome_trace(f"{folder}/trace.{rank}.json")
    calls = {"rank": rank, "calls": RECORDER.listed()}
    (folder / f"calls.{rank}.json").write_text(json.dumps(calls))
    dist.barrier()
    os._exit(0)


def trimmed(folder, rank):
    """Keeps of both traces what tells of collectives."""
    trace = json.loads((folder / f"trace.{rank}.json").read_text())
    events = trace["traceEvents"]
    trace["traceEvents"] = [of for of in events if of.get("name", "").startswith(KEPT)]
    for key in ("deviceProperties", "host_name", "traceName", "trace_id", "baseTimeNanoseconds"):
        trace.pop(key, None)
    (folder / f"trace.{rank}.json").write_text(json.dumps(trace) + "\n")
    execution = json.loads((folder / f"execution.{rank}.json").read_text())
    names = ("record_param_comms", "## process_group")
    execution["nodes"] = [of for of in execution["nodes"] if of["name"].startswith(names)]
    for node in execution["nodes"]:
        node.pop("attrs")
    (folder / f"execution.{rank}.json").write_text(json.dumps(execution) + "\n")


def main():
    from torch.utils.cpp_extension import load_inline

    from jobs import TORCH, whole

    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    load_inline("noted", SOURCE, functions="note", extra_cflags=FLAGS)
    cfg = whole({"by": "fsdp", **TORCH, "dp": RANKS, "gbs": 8, "zero": 3})
    context = get_context("fork")
    all_ranks = [
        context.Process(target=rank_of, args=(rank, folder, cfg)) for rank in range(RANKS)
    ]
    for process in all_ranks:
        process.start()
    for process in all_ranks:
        process.join()
    if any(process.exitcode for process in all_ranks):
        sys.exit("a rank failed")
    for rank in range(RANKS):
        trimmed(folder, rank)
    parts = [folder / f"calls.{rank}.json" for rank in range(RANKS)]
    document = {
        "made_by": recording.versions(),
        "cfg": cfg,
        "ranks": [json.loads(of.read_text()) for of in parts],
    }
    (folder / "calls.json").write_text(json.dumps(document) + "\n")
    for of in parts:
        of.unlink()


main()

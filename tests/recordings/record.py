"""Writes tests/data/recordings: every collective call of a step of small jobs, on CPU ranks over gloo.

    pip install megatron-core==0.16.1 deepspeed==0.19.8 torch numpy
    python3 tests/recordings/record.py tests/data/recordings [NAME…]

A job runs its ranks as processes of this machine. All but the last step are left out, so that what is
done once a run is not taken for part of a step. Data are drawn from fixed seeds; only how experts route
differs where another version of PyTorch draws other numbers.
"""

import json
import os
import socket
import subprocess
import sys
import traceback
import warnings
from multiprocessing import get_context
from pathlib import Path

warnings.filterwarnings("ignore")
os.environ.setdefault("OMP_NUM_THREADS", "1")

import recorder as recording  # noqa: E402  before anything that imports torch.distributed

RECORDER = recording.install()

import cpu  # noqa: E402
from jobs import JOBS, whole  # noqa: E402

PACKAGES = {"megatron": ["megatron-core"], "deepspeed": ["deepspeed"]}


def rank_of(name, cfg, rank, ranks, port, folder):
    """One process."""
    try:
        import torch.distributed as dist

        os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT=str(port))
        os.environ.update(RANK=str(rank), WORLD_SIZE=str(ranks), LOCAL_RANK=str(rank))
        dist.init_process_group("gloo", rank=rank, world_size=ranks)
        if cfg["by"] == "megatron":
            import megatron_job as job
        elif cfg["by"] == "deepspeed":
            import deepspeed_job as job
        else:
            import torch_jobs as job
        job.run(cfg, RECORDER)
        out = Path(folder) / f"{name}.{rank}.json"
        out.write_text(json.dumps({"rank": rank, "calls": RECORDER.listed()}))
        dist.barrier()
        os._exit(0)
    except Exception:
        traceback.print_exc()
        os._exit(1)


def free_port():
    with socket.socket() as of:
        of.bind(("127.0.0.1", 0))
        return of.getsockname()[1]


def record(name, folder):
    cfg = whole(JOBS[name])
    ranks = cfg["tp"] * cfg["pp"] * cfg["cp"] * cfg["dp"]
    context, port = get_context("fork"), free_port()
    all_ranks = [
        context.Process(target=rank_of, args=(name, cfg, rank, ranks, port, folder))
        for rank in range(ranks)
    ]
    for process in all_ranks:
        process.start()
    for process in all_ranks:
        process.join()
    if any(process.exitcode for process in all_ranks):
        sys.exit(f"{name} failed")
    parts = [Path(folder) / f"{name}.{rank}.json" for rank in range(ranks)]
    document = {
        "made_by": recording.versions(*PACKAGES.get(cfg["by"], [])),
        "cfg": cfg,
        "ranks": [json.loads(of.read_text()) for of in parts],
    }
    (Path(folder) / f"{name}.json").write_text(json.dumps(document) + "\n")
    for of in parts:
        of.unlink()
    print(name, ranks, "ranks")


def main():
    folder, *names = sys.argv[1:]
    names = names or sorted(JOBS)
    on_megatron = [whole(JOBS[of])["by"] == "megatron" for of in names]
    if any(on_megatron) and not all(on_megatron):
        # What stands in for CUDA is none of PyTorch's own jobs' business.
        for kind in (True, False):
            some = [name for name, of in zip(names, on_megatron) if of == kind]
            subprocess.run([sys.executable, __file__, folder, *some], check=True)
        return
    if all(on_megatron):
        cpu.install()
        import megatron.core.models.gpt  # noqa: F401  once for all ranks

        cpu.after_import()
    for name in names:
        record(name, folder)


main()

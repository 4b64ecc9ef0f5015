"""One rank of a tiny GPT under DeepSpeed's engine, by the defaults of its file."""

import os
import sys

os.environ["DS_ACCELERATOR"] = "cpu"

import deepspeed  # noqa: E402  after the accelerator is named
import torch  # noqa: E402
import torch.distributed as dist  # noqa: E402

from torch_jobs import Part, batch, loss  # noqa: E402

# A kernel for all-reduces inside a host, which takes a compiler: gloo makes them.
sys.modules["deepspeed.comm.torch"].build_shm_op = lambda: None


def run(cfg, recorder):
    generator = torch.Generator().manual_seed(dist.get_rank())
    torch.manual_seed(0)
    micro_batches = cfg["gbs"] // (cfg["dp"] * cfg["mb"])
    engine, *_ = deepspeed.initialize(
        model=Part(cfg, cfg["layers"]),
        config={
            "train_batch_size": cfg["gbs"],
            "train_micro_batch_size_per_gpu": cfg["mb"],
            "gradient_accumulation_steps": micro_batches,
            "bf16": {"enabled": True},
            "zero_optimization": {"stage": cfg["zero"], **cfg["file"]},
            "optimizer": {"type": "Adam", "params": {"torch_adam": True}},
        },
    )
    for step in range(cfg["steps"]):
        dist.barrier()
        recorder.on = step == cfg["steps"] - 1
        for _ in range(micro_batches):
            tokens, target = batch(cfg, cfg["mb"], generator)
            engine.backward(loss(engine(tokens), target))
            engine.step()
        recorder.on = False

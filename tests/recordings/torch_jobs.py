"""One rank of a tiny GPT trained by PyTorch's FSDP2 or by its pipeline schedules."""

import torch
import torch.distributed as dist
from torch import nn


class Layer(nn.Module):
    """Attention and a plain MLP, no biases."""

    def __init__(self, cfg):
        super().__init__()
        h, self.heads = cfg["hidden"], cfg["heads"]
        self.before, self.between = nn.LayerNorm(h), nn.LayerNorm(h)
        self.qkv, self.out = nn.Linear(h, 3 * h, bias=False), nn.Linear(h, h, bias=False)
        self.up = nn.Linear(h, cfg["ffn"], bias=False)
        self.down = nn.Linear(cfg["ffn"], h, bias=False)

    def forward(self, x):
        b, s, h = x.shape
        parts = self.qkv(self.before(x)).reshape(b, s, 3, self.heads, h // self.heads)
        q, k, v = (of.transpose(1, 2) for of in parts.unbind(2))
        mixed = nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.out(mixed.transpose(1, 2).reshape(b, s, h))
        return x + self.down(nn.functional.gelu(self.up(self.between(x))))


class Part(nn.Module):
    """Consecutive layers, the first with the embedding and the last with the head."""

    def __init__(self, cfg, layers, first=True, last=True):
        super().__init__()
        self.embedding = nn.Embedding(cfg["vocab"], cfg["hidden"]) if first else None
        self.layers = nn.ModuleList(Layer(cfg) for _ in range(layers))
        self.norm = nn.LayerNorm(cfg["hidden"]) if last else None
        self.head = nn.Linear(cfg["hidden"], cfg["vocab"], bias=False) if last else None

    def forward(self, x):
        if self.embedding is not None:
            x = self.embedding(x)
        for layer in self.layers:
            x = layer(x)
        return self.head(self.norm(x)) if self.head is not None else x


def loss(output, target):
    return nn.functional.cross_entropy(output.flatten(0, 1).float(), target.flatten())


def batch(cfg, rows, generator):
    tokens = torch.randint(0, cfg["vocab"], (rows, cfg["seq"] + 1), generator=generator)
    return tokens[:, :-1], tokens[:, 1:]


def fsdp(cfg, recorder, generator):
    from torch.distributed.fsdp import fully_shard

    mesh = None
    if "shard" in cfg:
        # Parameters are sharded over the inner dimension and copied over the outer one.
        sizes = (cfg["dp"] // cfg["shard"], cfg["shard"])
        mesh = dist.init_device_mesh("cpu", sizes, mesh_dim_names=("replicate", "shard"))
    model = Part(cfg, cfg["layers"])
    for layer in model.layers:
        fully_shard(layer, mesh=mesh)
    fully_shard(model, mesh=mesh)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
    for step in range(cfg["steps"]):
        dist.barrier()
        recorder.on = step == cfg["steps"] - 1
        for _ in range(cfg["gbs"] // (cfg["dp"] * cfg["mb"])):
            tokens, target = batch(cfg, cfg["mb"], generator)
            loss(model(tokens), target).backward()
        optimizer.step()
        optimizer.zero_grad()
        recorder.on = False


def pipeline(cfg, recorder, generator):
    from torch.distributed import pipelining

    rank, stages = dist.get_rank(), cfg["pp"] * cfg["vpp"]
    each = cfg["layers"] // stages

    def stage(number):
        part = Part(cfg, each, number == 0, number == stages - 1)
        return pipelining.PipelineStage(part, number, stages, torch.device("cpu"))

    own = [stage(rank + cfg["pp"] * chunk) for chunk in range(cfg["vpp"])]
    micro_batches = cfg["gbs"] // cfg["mb"]
    if cfg["vpp"] > 1:
        schedule = pipelining.ScheduleInterleaved1F1B(own, micro_batches, loss_fn=loss)
    elif cfg["schedule"] == "gpipe":
        schedule = pipelining.ScheduleGPipe(own[0], micro_batches, loss_fn=loss)
    else:
        schedule = pipelining.Schedule1F1B(own[0], micro_batches, loss_fn=loss)
    for step in range(cfg["steps"]):
        dist.barrier()
        recorder.on = step == cfg["steps"] - 1
        tokens, target = batch(cfg, cfg["gbs"], generator)
        args = (tokens,) if rank == 0 else ()
        last = rank == cfg["pp"] - 1
        schedule.step(*args, **({"target": target} if last else {}))
        recorder.on = False


def run(cfg, recorder):
    generator = torch.Generator().manual_seed(dist.get_rank())
    torch.manual_seed(0)
    (fsdp if cfg["by"] == "fsdp" else pipeline)(cfg, recorder, generator)

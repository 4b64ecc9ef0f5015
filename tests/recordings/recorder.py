"""Writes down every collective and every message that a process asks torch.distributed for.

`install` has to run before anything else imports names from torch.distributed. Only calls that a job
makes itself are written: what one of them calls in turn is not. Nothing is changed on its way.
"""

import functools
import sys

import torch
import torch.distributed as dist
import torch.distributed.distributed_c10d as c10d

# New names of PyTorch 2.15 and what they were called before.
NAMES = {
    "all_reduce": "all_reduce",
    "all_gather_into_tensor": "all_gather_into_tensor",
    "all_gather_single": "all_gather_into_tensor",
    "reduce_scatter_tensor": "reduce_scatter_tensor",
    "reduce_scatter_single": "reduce_scatter_tensor",
    "_all_gather_base": "all_gather_into_tensor",
    "_reduce_scatter_base": "reduce_scatter_tensor",
    "all_gather": "all_gather",
    "reduce_scatter": "reduce_scatter",
    "all_to_all": "all_to_all",
    "all_to_all_single": "all_to_all_single",
    "broadcast": "broadcast",
    "isend": "isend",
    "irecv": "irecv",
    "send": "isend",
    "recv": "irecv",
}
DEPTH = 4


class Recorder:
    """The calls of one process."""

    def __init__(self):
        self.on = False
        self.nested = False
        self.calls = {}

    def write(self, op, ranks, size, extra):
        if self.on:
            key = (op, tuple(ranks), size, where(), tuple(extra) if extra else None)
            self.calls[key] = self.calls.get(key, 0) + 1

    def listed(self):
        return [
            {
                "op": op,
                "ranks": list(ranks),
                "bytes": size,
                "where": place,
                "extra": list(extra) if extra else None,
                "calls": calls,
            }
            for (op, ranks, size, place, extra), calls in self.calls.items()
        ]


def where():
    """The innermost functions of the job or its library, innermost first."""
    frame, found = sys._getframe(2), []
    while frame is not None and len(found) < DEPTH:
        path = frame.f_code.co_filename
        mine = "/recordings/" in path and not path.endswith(("recorder.py", "record.py"))
        libraries = ("/megatron/", "/pipelining/", "/_fully_shard/", "/deepspeed/")
        if mine or any(of in path for of in libraries):
            module = path.rsplit("/", 1)[1].removesuffix(".py")
            found.append(f"{module}.{frame.f_code.co_qualname}")
        frame = frame.f_back
    return " < ".join(found)


def size_of(tensor):
    if isinstance(tensor, (list, tuple)):
        return sum(size_of(of) for of in tensor)
    return tensor.numel() * tensor.element_size()


def described(op, args, group):
    """The payload in bytes, and the splits of an all-to-all."""
    if op in ("all_gather_into_tensor", "all_gather"):
        return size_of(args[0]), None  # the whole of what is gathered
    if op in ("reduce_scatter_tensor", "reduce_scatter"):
        return size_of(args[1]), None  # the whole of what is reduced
    if op == "all_to_all":
        return size_of(args[1]), [size_of(of) for of in args[1]]
    if op == "all_to_all_single":
        source, splits = args[1], args[3] if len(args) > 3 else None
        row = size_of(source) // max(source.shape[0], 1)
        if splits is None:
            n = dist.get_world_size(group)
            splits = [source.shape[0] // n] * n
        return size_of(source), [int(of) * row for of in splits]
    return size_of(args[0]), None


def peer_of(args, kwargs, group):
    """The other end of a message, as a rank of the job."""
    if kwargs.get("group_dst") is not None or kwargs.get("group_src") is not None:
        place = kwargs.get("group_dst", kwargs.get("group_src"))
        return dist.get_global_rank(group or dist.group.WORLD, place)
    return kwargs.get("dst", kwargs.get("src", args[1] if len(args) > 1 else None))


ORDER = {
    "all_gather_into_tensor": ["output_tensor", "input_tensor"],
    "reduce_scatter_tensor": ["output", "input"],
    "all_to_all_single": ["output", "input", "output_split_sizes", "input_split_sizes"],
    "all_to_all": ["output_tensor_list", "input_tensor_list"],
    "all_gather": ["tensor_list", "tensor"],
    "reduce_scatter": ["output", "input_list"],
}


def positional(op, args, kwargs):
    """Arguments in the order of the function, however they were given."""
    named = ORDER.get(op, ["tensor"])
    other = {"output_tensor": "output", "input_tensor": "input"}
    filled = list(args)
    for name in named[len(args):]:
        filled.append(kwargs.get(name, kwargs.get(other.get(name))))
    return filled


def is_uneven(op, args):
    return len({of.shape for of in args[0 if op == "all_gather" else 1]}) > 1


def uneven(op, args, group):
    """What gloo can't do: pieces of unlike size, one after the other."""
    ranks = dist.get_process_group_ranks(group or dist.group.WORLD)
    for place, rank in enumerate(ranks):
        if op == "all_gather":
            if rank == dist.get_rank():
                args[0][place].copy_(args[1])
            dist.broadcast(args[0][place], rank, group=group)
        else:
            whole = args[1][place].clone()
            dist.all_reduce(whole, group=group)
            if rank == dist.get_rank():
                args[0].copy_(whole)


def wrap(name, call, recorder):
    op = NAMES[name]

    @functools.wraps(call)
    def recorded(*args, **kwargs):
        if recorder.nested:
            return call(*args, **kwargs)
        group = kwargs.get("group")
        for of in args:
            if isinstance(of, dist.ProcessGroup):
                group = of
        filled = positional(op, args, kwargs)
        size, extra = described(op, filled, group)
        if op in ("isend", "irecv"):
            ranks = [dist.get_rank(), peer_of(args, kwargs, group)]
        else:
            ranks = dist.get_process_group_ranks(group or dist.group.WORLD)
        recorder.write(op, ranks, size, extra)
        recorder.nested = True
        try:
            if op in ("all_gather", "reduce_scatter") and is_uneven(op, filled):
                return uneven(op, filled, group)
            return call(*args, **kwargs)
        finally:
            recorder.nested = False

    return recorded


def install():
    """Replaces the calls of torch.distributed by ones that are written down."""
    recorder = Recorder()
    for name in NAMES:
        call = getattr(c10d, name, None)
        if call is None:
            continue
        recorded = wrap(name, call, recorder)
        for module in (c10d, dist):
            if hasattr(module, name):
                setattr(module, name, recorded)
    return recorder


def versions(*packages):
    import platform
    from importlib import metadata

    made_by = {"python": platform.python_version(), "torch": torch.__version__}
    for package in packages:
        made_by[package] = metadata.version(package)
    return made_by

"""Attention over ranks that hold parts of a sequence, three ways. Megatron-Core's own runs on GPUs
alone (Transformer Engine's kernels); what the ranks send each other is that of the papers."""

import torch
import torch.distributed as dist


def group_and_rank():
    from megatron.core import parallel_state

    group = parallel_state.get_context_parallel_group()
    return group, dist.get_rank(group), dist.get_world_size(group)


class Gather(torch.autograd.Function):
    """Keys or values of all ranks, along the sequence (Llama 3, arXiv 2407.21783, section 3.3.2)."""

    @staticmethod
    def forward(ctx, own):
        group, _, n = group_and_rank()
        whole = own.new_empty((own.shape[0] * n, *own.shape[1:]))
        dist.all_gather_into_tensor(whole, own.contiguous(), group=group)
        return whole

    @staticmethod
    def backward(ctx, gradient):
        group, _, n = group_and_rank()
        own = gradient.new_empty((gradient.shape[0] // n, *gradient.shape[1:]))
        dist.reduce_scatter_tensor(own, gradient.contiguous(), group=group)
        return own


class Exchange(torch.autograd.Function):
    """From parts of the sequence to parts of the heads or back (Ulysses, arXiv 2309.14509)."""

    @staticmethod
    def forward(ctx, own, to_heads):
        ctx.to_heads = to_heads
        return exchange(own, to_heads)

    @staticmethod
    def backward(ctx, gradient):
        return exchange(gradient.contiguous(), not ctx.to_heads), None


def exchange(own, to_heads):
    group, _, n = group_and_rank()
    s, b, h, d = own.shape
    if to_heads:
        parts = own.reshape(s, b, n, h // n, d).permute(2, 0, 1, 3, 4).contiguous()
        taken = torch.empty_like(parts)
        dist.all_to_all_single(taken, parts, group=group)
        return taken.reshape(n * s, b, h // n, d)
    parts = own.reshape(n, s // n, b, h, d).contiguous()
    taken = torch.empty_like(parts)
    dist.all_to_all_single(taken, parts, group=group)
    return taken.permute(1, 2, 0, 3, 4).reshape(s // n, b, n * h, d)


def passed_on(tensors):
    """Every tensor to the next rank of the ring, and those of the one before."""
    group, rank, n = group_and_rank()
    place = lambda other: dist.get_global_rank(group, other % n)
    taken = [torch.empty_like(of) for of in tensors]
    ops = [dist.P2POp(dist.isend, of.contiguous(), place(rank + 1), group) for of in tensors]
    ops += [dist.P2POp(dist.irecv, of, place(rank - 1), group) for of in taken]
    for work in dist.batch_isend_irecv(ops):
        work.wait()
    return taken


class Ring(torch.autograd.Function):
    """Keys and values go round, and backward again with their gradients (arXiv 2310.01889): after n − 1
    hops all have met all; gradients are summed in fp32 and take one hop more, to their owner."""

    @staticmethod
    def forward(ctx, query, key, value):
        _, _, n = group_and_rank()
        blocks = [(key, value)]
        for _ in range(n - 1):
            blocks.append(tuple(passed_on(blocks[-1])))
        keys, values = (torch.cat(of) for of in zip(*blocks))
        ctx.save_for_backward(query, key, value)
        return attend(query, keys, values)

    @staticmethod
    def backward(ctx, gradient):
        _, _, n = group_and_rank()
        query, key, value = ctx.saved_tensors
        blocks = [(key, value)]
        for _ in range(n - 1):
            blocks.append(tuple(passed_on(blocks[-1])))
        with torch.enable_grad():
            leaves = [query.detach().requires_grad_()]
            pairs = [tuple(of.detach().requires_grad_() for of in pair) for pair in blocks]
            keys, values = (torch.cat(of) for of in zip(*pairs))
            attend(leaves[0], keys, values).backward(gradient)
        sums = [torch.zeros_like(of, dtype=torch.float32) for of in (key, value)]
        for pair in pairs:
            sums = [total + of.grad for total, of in zip(sums, pair)]
            sums = passed_on(sums)
        return leaves[0].grad, *(of.to(key.dtype) for of in sums)


def attend(query, key, value):
    """Of every query to all keys, for the sizes and not for the values: [sequence, batch, heads, width]."""
    repeat = query.shape[2] // key.shape[2]
    key, value = (of.repeat_interleave(repeat, dim=2) for of in (key, value))
    scores = torch.einsum("sbhd,tbhd->bhst", query, key) / query.shape[-1] ** 0.5
    return torch.einsum("bhst,tbhd->sbhd", scores.softmax(-1), value)


class CoreAttention(torch.nn.Module):
    """In the place of Megatron-Core's."""

    manner = "gather"

    def __init__(self, *_, **__):
        super().__init__()

    def forward(self, query, key, value, *_, **__):
        if self.manner == "gather":
            output = attend(query, Gather.apply(key), Gather.apply(value))
        elif self.manner == "ring":
            output = Ring.apply(query, key, value)
        else:
            own = (Exchange.apply(of, True) for of in (query, key, value))
            output = Exchange.apply(attend(*own), False)
        return output.reshape(*output.shape[:2], -1)


def install(spec, manner):
    """Into every layer of a model's specification."""
    CoreAttention.manner = manner
    for layer in getattr(spec, "layer_specs", None) or [spec]:
        layer.submodules.self_attention.submodules.core_attention = CoreAttention

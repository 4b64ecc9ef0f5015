"""The matrices that compress queries, keys and values, whole on every tensor rank: Megatron-Core has
Transformer Engine's `TELinear` for them, in its mode `duplicated`, which takes a GPU."""

import torch


class Whole(torch.nn.Linear):
    """Each rank multiplies its own tokens; gradients are summed over ranks by Megatron-Core."""

    def __init__(self, inputs, outputs, *, config, parallel_mode, **_):
        assert parallel_mode == "duplicated"
        super().__init__(inputs, outputs, bias=False)
        self.weight.sequence_parallel = config.sequence_parallel

    def forward(self, x):
        return super().forward(x), None


class Scores(torch.nn.Module):
    """Attention with value heads of another width; its own takes none."""

    def __init__(self, softmax_scale, **_):
        super().__init__()
        self.scale = softmax_scale

    def forward(self, query, key, value, *_, **__):
        heads = [of.permute(1, 2, 0, 3) for of in (query, key, value)]
        attend = torch.nn.functional.scaled_dot_product_attention
        mixed = attend(*heads, is_causal=True, scale=self.scale)
        return mixed.permute(2, 0, 1, 3).flatten(2)


def install(spec):
    """In a specification of layers."""
    from megatron.core.transformer import multi_latent_attention

    multi_latent_attention.TELinear = Whole
    parts = spec.submodules.self_attention.submodules
    parts.linear_q_down_proj = parts.linear_kv_down_proj = Whole
    parts.core_attention = Scores

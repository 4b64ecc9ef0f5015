"""Stand-ins for what Megatron-Core asks of CUDA, so that its own code runs on CPU ranks with gloo.

They move nothing between ranks: devices, streams, memory figures and random states only.
"""

import contextlib

import torch


class Done:
    """Work is done when it is asked for."""

    def __init__(self, *_, **__):
        pass

    def synchronize(self):
        pass

    def query(self):
        return True


class Event(Done):
    """Nothing to wait for."""

    def record(self, *_):
        pass

    def wait(self, *_):
        pass

    def elapsed_time(self, *_):
        return 0.0


class Stream(Done):
    """Nothing stands in line."""

    def wait_stream(self, *_):
        pass

    def wait_event(self, *_):
        pass

    def record_event(self, *_):
        return Event()


def on_cpu(make):
    def made(*args, **kwargs):
        if "cuda" in str(kwargs.get("device")):
            kwargs["device"] = "cpu"
        return make(*args, **kwargs)

    return made


def install():
    """Before Megatron-Core is imported."""
    cuda = torch.cuda
    cuda.current_device = lambda: torch.device("cpu")
    cuda.set_device = lambda *_: None
    cuda.device_count = lambda: 1
    cuda.synchronize = lambda *_: None
    cuda.is_initialized = lambda: True
    cuda.empty_cache = lambda: None
    cuda.is_current_stream_capturing = lambda: False
    for name in ("memory_allocated", "memory_reserved", "max_memory_allocated"):
        setattr(cuda, name, lambda *_: 0)
    cuda.Stream, cuda.Event = Stream, Event
    cuda.current_stream = cuda.default_stream = lambda *_: Stream()
    cuda.stream = lambda *_: contextlib.nullcontext()
    cuda.nvtx.range_push = cuda.nvtx.range_pop = lambda *_: None
    cuda.get_rng_state = lambda *_, **__: torch.get_rng_state()
    cuda.set_rng_state = lambda state, *_, **__: torch.set_rng_state(state)
    cuda.manual_seed = torch.manual_seed
    cuda.get_device_properties = lambda *_: type("Device", (), {"major": 9, "minor": 0})()
    cuda.get_device_capability = lambda *_: (9, 0)
    for kind in ("Float", "BFloat16", "Half", "Int", "Long", "Double", "Byte", "Bool"):
        setattr(cuda, f"{kind}Tensor", getattr(torch, f"{kind}Tensor"))
    torch.Tensor.cuda = lambda self, *_, **__: self
    torch.nn.Module.cuda = lambda self, *_, **__: self
    torch.Tensor.record_stream = lambda *_: None
    for name in (
        "empty zeros ones full tensor rand randn randint arange empty_like zeros_like ones_like"
        " full_like empty_strided"
    ).split():
        setattr(torch, name, on_cpu(getattr(torch, name)))
    plain = torch.Tensor.to

    def to(self, *args, **kwargs):
        args = [("cpu" if "cuda" in str(of) and not isinstance(of, torch.Tensor) else of)
                for of in args]
        if "cuda" in str(kwargs.get("device")):
            kwargs["device"] = "cpu"
        return plain(self, *args, **kwargs)

    torch.Tensor.to = to
    named = torch.Tensor.type

    def type_of(self, *args, **kwargs):
        """Its name as if it were on a GPU, where that is asked for."""
        found = named(self, *args, **kwargs)
        return found.replace("torch.", "torch.cuda.") if isinstance(found, str) else found

    torch.Tensor.type = type_of


def after_import():
    """What Megatron-Core has of its own."""
    from megatron.core.tensor_parallel import random

    random._set_cuda_rng_state = lambda state, *_, **__: torch.set_rng_state(state)
    random._get_cuda_rng_state = lambda *_, **__: torch.get_rng_state()

    from megatron.core.transformer import torch_norm

    def norm(cls, config, hidden_size, eps=1e-5, **_):
        """PyTorch's, also with sequence parallelism: its gradients are summed by Megatron-Core."""
        make = torch.nn.LayerNorm if config.normalization == "LayerNorm" else torch.nn.RMSNorm
        made = make(hidden_size, eps=eps)
        for of in made.parameters():
            of.sequence_parallel = config.sequence_parallel
        return made

    torch_norm.WrappedTorchNorm.__new__ = norm

    from megatron.core.transformer.moe import moe_utils

    if not hasattr(moe_utils, "te_general_gemm"):
        moe_utils.te_general_gemm = None  # left undefined where Transformer Engine is not installed

    from megatron.core.transformer.moe import token_dispatcher

    def at_hand(tensor, as_numpy=False, **_):
        """Numbers of tokens as PyTorch wants the splits of an all-to-all: not as tensors."""
        return tensor.numpy() if as_numpy and torch.is_tensor(tensor) else tensor

    token_dispatcher.maybe_move_tensor_to_cpu = at_hand

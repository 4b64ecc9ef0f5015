"""Training steps of small models on one NVIDIA GPU, as a CSV: `python3 steps.py OUT.csv [SECONDS]`.

Needs PyTorch with CUDA and transformers, whose own Llama classes are trained: bf16 weights and gradients,
AdamW in fp32 over fp32 copies of the weights, attention by cuDNN. A row has the time of forward and
backward of one micro-batch, of the optimizer, and the most bytes that PyTorch's allocator held in a step.
Models that do not fit are left out and named on standard error.
"""

import csv
import statistics
import sys
import time

import torch
from torch.nn.attention import SDPBackend, sdpa_kernel
from transformers import LlamaConfig, LlamaForCausalLM

COLUMNS = ["gpu", "layers", "hidden", "ffn", "heads", "kv_heads", "vocab", "tied", "seq", "micro_batch",
           "recompute", "launch", "parameters", "forward_backward_ms", "optimizer_ms", "peak_bytes", "library"]
#          layers hidden ffn heads kv vocab tied
MODELS = [(16, 2048, 8192, 32, 8, 128256, True),
          (12, 3072, 8192, 24, 8, 128256, True),
          (8, 4096, 14336, 32, 8, 32000, False),
          (6, 5120, 13824, 40, 40, 32000, False),
          (3, 8192, 28672, 64, 8, 32000, False)]
RUNS = [(1, 2048), (2, 2048), (1, 4096), (2, 4096), (4, 2048), (1, 8192), (1, 16384)]


def milliseconds(call, runs=5):
    for _ in range(2):
        call()
    times = []
    for _ in range(runs):
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        begin.record()
        call()
        end.record()
        torch.cuda.synchronize()
        times.append(begin.elapsed_time(end))
    return statistics.median(times)


def measure(model_shape, micro_batch, seq, recompute):
    layers, hidden, ffn, heads, kv, vocab, tied = model_shape
    config = LlamaConfig(num_hidden_layers=layers, hidden_size=hidden, intermediate_size=ffn, head_dim=hidden // heads,
                         num_attention_heads=heads, num_key_value_heads=kv, vocab_size=vocab,
                         tie_word_embeddings=tied, max_position_embeddings=seq, use_cache=False)
    config._attn_implementation = "sdpa"
    with torch.device("cuda"):
        torch.set_default_dtype(torch.bfloat16)
        model = LlamaForCausalLM(config)
        torch.set_default_dtype(torch.float32)
    model.train()
    if recompute:
        model.gradient_checkpointing_enable({"use_reentrant": False})
    weights = list(model.parameters())
    masters = [weight.detach().float().requires_grad_() for weight in weights]
    adam = torch.optim.AdamW(masters, lr=1e-5, fused=True)
    tokens = torch.randint(0, vocab, (micro_batch, seq), device="cuda")

    def train():
        with sdpa_kernel([SDPBackend.CUDNN_ATTENTION]):
            model(input_ids=tokens, labels=tokens).loss.backward()

    def update():
        for master, weight in zip(masters, weights):
            master.grad = weight.grad.float()
        adam.step()
        with torch.no_grad():
            torch._foreach_copy_(weights, masters)
        for master in masters:
            master.grad = None

    train()
    update()
    for weight in weights:
        weight.grad = None
    torch.cuda.synchronize()
    torch.cuda.reset_peak_memory_stats()
    train()
    peak = torch.cuda.max_memory_allocated()
    return dict(layers=layers, hidden=hidden, ffn=ffn, heads=heads, kv_heads=kv, vocab=vocab, tied=int(tied), seq=seq,
                micro_batch=micro_batch, recompute="full" if recompute else "none", launch="eager",
                parameters=sum(weight.numel() for weight in weights), peak_bytes=peak,
                forward_backward_ms=f"{milliseconds(train):.2f}", optimizer_ms=f"{milliseconds(update, 3):.2f}")


def main():
    until = time.perf_counter() + float(sys.argv[2] if len(sys.argv) > 2 else "240")
    with open(sys.argv[1], "w", newline="") as file:
        rows = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        rows.writeheader()
        for shape in MODELS:
            for micro_batch, seq in RUNS:
                for recompute in (False, True):
                    if time.perf_counter() > until:
                        print("left out, no time:", shape, micro_batch, seq, recompute, file=sys.stderr)
                        continue
                    try:
                        row = measure(shape, micro_batch, seq, recompute)
                        rows.writerow({"gpu": torch.cuda.get_device_name(0), "library": "torch " + torch.__version__, **row})
                        file.flush()
                    except RuntimeError as error:
                        print("left out:", shape, micro_batch, seq, recompute, str(error).splitlines()[0][:90], file=sys.stderr)
                    torch.cuda.empty_cache()


if __name__ == "__main__":
    main()

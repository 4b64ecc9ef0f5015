"""Rates of single kernels on one NVIDIA GPU, as a CSV: `python3 kernels.py OUT.csv [SECONDS]`.

Needs PyTorch with CUDA. Multiplications and attention forward and backward, expert multiplications,
memory-bound kernels, the optimizer, the host link, launches, and whole transformer layers. Every time is
the median of repeated runs between device events on random operands; operands rotate so that they do not
stay in the cache. `sustained` rows repeat one kernel for a second and read the power beside it.
A group of rows that fails or runs out of time is left out and named on standard error.
"""

import csv
import statistics
import sys
import time

import torch
import torch.nn.functional as F
from torch.nn.attention import SDPBackend, sdpa_kernel

COLUMNS = ["gpu", "kind", "format", "pass", "m", "n", "k", "batch", "heads", "kv_heads", "head_dim", "seq",
           "causal", "experts", "us", "tflops", "gbps", "watts", "regime", "library"]
CACHE = 50 * 2**20
CUDA = torch.device("cuda")
BF16 = torch.bfloat16

torch.backends.cuda.matmul.allow_bf16_reduced_precision_reduction = True
torch.manual_seed(1)


def microseconds(calls, least=7, budget=0.03):
    """Median time of one call; `calls` are alike and are run in turn."""
    for call in calls[:2]:
        call()
    torch.cuda.synchronize()
    begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    begin.record()
    calls[0]()
    end.record()
    torch.cuda.synchronize()
    once = max(begin.elapsed_time(end) / 1e3, 1e-6)
    runs = max(least, min(200, int(budget / once)))
    marks = [torch.cuda.Event(enable_timing=True) for _ in range(runs + 1)]
    marks[0].record()
    for run in range(runs):
        calls[run % len(calls)]()
        marks[run + 1].record()
    torch.cuda.synchronize()
    return 1e3 * statistics.median(a.elapsed_time(b) for a, b in zip(marks, marks[1:]))


def captured(calls):
    """The calls as one graph, and how many it holds: no launch stands between kernels."""
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        for call in calls:
            call()
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        for call in calls:
            call()
    return graph.replay


def graphed(calls):
    """Time of one of the calls inside a graph of several, in microseconds."""
    many = calls * max(1, 8 // len(calls))
    replay = captured(many)
    return microseconds([replay], least=5) / len(many)


def sets_of(bytes_of_one):
    return max(2, min(8, int(2 * CACHE // max(bytes_of_one, 1)) + 1))


class Table:
    def __init__(self, path):
        self.file = open(path, "w", newline="")
        self.rows = csv.DictWriter(self.file, COLUMNS, lineterminator="\n")
        self.rows.writeheader()
        self.gpu = torch.cuda.get_device_name(0)
        self.version = "torch " + torch.__version__

    def add(self, **row):
        us, flops, moved = row["us"], row.pop("flops", None), row.pop("bytes", None)
        row["us"] = f"{us:.2f}"
        if flops:
            row["tflops"] = f"{flops / us / 1e6:.1f}"
        if moved:
            row["gbps"] = f"{moved / us / 1e3:.1f}"
        self.rows.writerow({"gpu": self.gpu, "library": self.version, "regime": "burst", **row})
        self.file.flush()


def multiplications(table):
    for m in (1024, 2048, 4096, 8192, 16384):
        for n in (512, 1024, 2048, 4096, 8192, 16384):
            for k in (512, 1024, 2048, 4096, 8192, 16384):
                if m * n * k > 2**40:
                    continue
                size = 2 * (m * k + n * k + m * n)
                sets = sets_of(size)
                xs = [torch.randn(m, k, device=CUDA, dtype=BF16) for _ in range(sets)]
                ws = [torch.randn(n, k, device=CUDA, dtype=BF16) * k**-0.5 for _ in range(sets)]
                ys = [torch.randn(m, n, device=CUDA, dtype=BF16) for _ in range(sets)]
                gs = [torch.zeros(n, k, device=CUDA) for _ in range(2)]
                row = dict(kind="gemm", format="bf16", m=m, n=n, k=k, flops=2 * m * n * k)
                us = graphed([lambda x=x, w=w: torch.mm(x, w.t()) for x, w in zip(xs, ws)])
                table.add(**row, us=us, **{"pass": "forward"})
                us = graphed([lambda y=y, w=w: torch.mm(y, w) for y, w in zip(ys, ws)])
                table.add(**row, us=us, **{"pass": "dgrad"})
                us = graphed([lambda y=y, x=x: torch.mm(y.t(), x) for y, x in zip(ys, xs)])
                table.add(**row, us=us, **{"pass": "wgrad"})
                if m in (4096, 16384):
                    us = graphed([
                        lambda y=y, x=x, g=g: torch.addmm(g, y.t(), x, out_dtype=torch.float32)
                        for (y, x), g in zip(zip(ys, xs), gs * sets)])
                    table.add(**row, us=us, **{"pass": "wgrad, sum in fp32"})


def multiplications_in_8_bits(table):
    one = torch.ones((), device=CUDA)
    for m in (1024, 4096, 16384):
        for n in (1024, 2048, 4096, 8192, 16384):
            for k in (1024, 2048, 4096, 8192, 16384):
                if m * n * k > 2**40:
                    continue
                sets = sets_of(m * k + n * k + 2 * m * n)
                kind = torch.float8_e4m3fn
                xs = [torch.randn(m, k, device=CUDA).to(kind) for _ in range(sets)]
                ws = [torch.randn(n, k, device=CUDA).to(kind) for _ in range(sets)]
                us = graphed([lambda x=x, w=w: torch._scaled_mm(
                    x, w.t(), scale_a=one, scale_b=one, out_dtype=BF16, use_fast_accum=True)
                    for x, w in zip(xs, ws)])
                table.add(kind="gemm", format="fp8", m=m, n=n, k=k, flops=2 * m * n * k, us=us,
                          **{"pass": "forward"})


def attention(table):
    backends = [("flash", SDPBackend.FLASH_ATTENTION), ("cudnn", SDPBackend.CUDNN_ATTENTION)]
    shapes = [(s, d, h, kv, causal)
              for s in (1024, 2048, 4096, 8192, 16384, 32768)
              for d, h, kv in ((64, 32, 32), (128, 16, 16), (128, 32, 8), (256, 8, 8))
              for causal in (True,)]
    shapes += [(s, d, 16, 16, True) for s in (2048, 8192) for d in (40, 80, 96, 112, 144, 152, 160, 192)]
    shapes += [(s, 128, 16, 16, False) for s in (512, 2048, 8192)]
    for seq, width, heads, kv, causal in shapes:
        batch = max(1, 16384 // seq)
        for name, backend in backends:
            try:
                def fresh(of):
                    return torch.randn(batch, of, seq, width, device=CUDA, dtype=BF16).requires_grad_()
                q, k, v = fresh(heads), fresh(kv), fresh(kv)
                pairs = seq * (seq + 1) / 2 if causal else seq * seq
                row = dict(kind="attention", format="bf16 " + name, batch=batch, heads=heads, kv_heads=kv,
                           head_dim=width, seq=seq, causal=int(causal))

                def run():
                    return F.scaled_dot_product_attention(q, k, v, is_causal=causal, enable_gqa=heads != kv)
                with sdpa_kernel([backend]):
                    us = microseconds([run])
                    table.add(**row, us=us, flops=4 * batch * heads * width * pairs, **{"pass": "forward"})
                    out = run()
                    grad = torch.randn_like(out)
                    us = microseconds([lambda: torch.autograd.grad(out, (q, k, v), grad, retain_graph=True)])
                    table.add(**row, us=us, flops=10 * batch * heads * width * pairs, **{"pass": "backward"})
            except RuntimeError as error:
                print("left out:", name, seq, width, str(error).splitlines()[0][:80], file=sys.stderr)


def experts(table):
    for hidden, ffn in ((2048, 1408), (4096, 1536), (7168, 2048), (4096, 14336)):
        for count in (1, 2, 4, 8, 16, 32):
            for tokens in (64, 128, 256, 512, 1024, 2048, 4096):
                rows = count * tokens
                if rows > 32768 or count * hidden * ffn > 2**30:
                    continue
                ends = torch.arange(tokens, rows + 1, tokens, device=CUDA, dtype=torch.int32)
                x = torch.randn(rows, hidden, device=CUDA, dtype=BF16)
                w = torch.randn(count, ffn, hidden, device=CUDA, dtype=BF16)
                y = torch.randn(rows, ffn, device=CUDA, dtype=BF16)
                row = dict(kind="grouped-gemm", format="bf16", m=tokens, n=ffn, k=hidden, experts=count,
                           flops=2 * rows * hidden * ffn)
                forward = lambda: torch._grouped_mm(x, w.transpose(1, 2), offs=ends)
                table.add(**row, us=microseconds([forward]), **{"pass": "forward"})
                back = lambda: torch._grouped_mm(y, w, offs=ends)
                table.add(**row, us=microseconds([back]), **{"pass": "dgrad"})
                weights = lambda: torch._grouped_mm(y.t(), x, offs=ends)
                table.add(**row, us=microseconds([weights]), **{"pass": "wgrad"})


def memory_bound(table):
    for count in (2**20, 2**23, 2**26, 2**28):
        many = sets_of(4 * count)
        sources = [torch.randn(count, device=CUDA, dtype=BF16) for _ in range(many)]
        row = dict(kind="memory", n=count)
        table.add(**row, format="copy bf16", us=graphed([lambda a=a: a.clone() for a in sources]), bytes=4 * count)
        table.add(**row, format="add bf16", bytes=6 * count,
                  us=graphed([lambda a=a, b=b: a + b for a, b in zip(sources, sources[1:] + sources[:1])]))
        table.add(**row, format="bf16 to fp32", us=graphed([lambda a=a: a.float() for a in sources]), bytes=6 * count)
        table.add(**row, format="largest", us=graphed([lambda a=a: a.abs().amax() for a in sources]), bytes=4 * count)
        fp8 = torch.float8_e4m3fn
        table.add(**row, format="bf16 to fp8", us=graphed([lambda a=a: a.to(fp8) for a in sources]), bytes=3 * count)
    for rows, hidden in ((4096, 2048), (8192, 4096), (8192, 8192), (8192, 16384)):
        xs = [torch.randn(rows, hidden, device=CUDA, dtype=BF16) for _ in range(3)]
        weight = torch.ones(hidden, device=CUDA, dtype=BF16)
        norm = lambda x: F.rms_norm(x, (hidden,), weight)
        table.add(kind="memory", format="rms norm", m=rows, n=hidden, bytes=4 * rows * hidden,
                  us=graphed([lambda x=x: norm(x) for x in xs]))
        gates = [torch.randn(rows, 2 * hidden, device=CUDA, dtype=BF16) for _ in range(3)]
        swiglu = lambda g: F.silu(g[:, :hidden]) * g[:, hidden:]
        table.add(kind="memory", format="swiglu in two kernels", m=rows, n=hidden, bytes=12 * rows * hidden,
                  us=graphed([lambda g=g: swiglu(g) for g in gates]))
    for count in (2**22, 2**25, 2**28, 2**30):
        held = [torch.zeros(count, device=CUDA).requires_grad_()]
        held[0].grad = torch.randn(count, device=CUDA)
        adam = torch.optim.AdamW(held, lr=1e-4, fused=True)
        adam.step()
        table.add(kind="optimizer", format="adamw fp32, fused", n=count, us=microseconds([adam.step]), bytes=28 * count)
        del held, adam
        torch.cuda.empty_cache()


def host_link(table):
    copies = torch.cuda.Stream(), torch.cuda.Stream()
    for size in (2**20, 2**22, 2**24, 2**26, 2**28, 2**30):
        host = [torch.empty(size, dtype=torch.uint8, pin_memory=True) for _ in range(2)]
        there = [torch.empty(size, dtype=torch.uint8, device=CUDA) for _ in range(2)]

        def both():
            now = torch.cuda.current_stream()
            for stream in copies:
                stream.wait_stream(now)
            with torch.cuda.stream(copies[0]):
                there[0].copy_(host[0], non_blocking=True)
            with torch.cuda.stream(copies[1]):
                host[1].copy_(there[1], non_blocking=True)
            for stream in copies:
                now.wait_stream(stream)
        row = dict(kind="host link", n=size)
        table.add(**row, format="to the GPU", us=microseconds([lambda: there[0].copy_(host[0], non_blocking=True)]), bytes=size)
        table.add(**row, format="to the host", us=microseconds([lambda: host[1].copy_(there[1], non_blocking=True)]), bytes=size)
        table.add(**row, format="both ways at once, each", us=microseconds([both]), bytes=size)


def launches(table):
    x = torch.zeros(64, device=CUDA)
    for what, call in (("empty kernel, eager", lambda: x.add_(1)),):
        torch.cuda.synchronize()
        begin = time.perf_counter()
        for _ in range(5000):
            call()
        torch.cuda.synchronize()
        table.add(kind="launch", format=what, us=1e6 * (time.perf_counter() - begin) / 5000)
        table.add(kind="launch", format="empty kernel, in a graph", us=graphed([call] * 64))


class Layer(torch.nn.Module):
    """A Llama layer: grouped queries, SwiGLU, RMS norm."""

    def __init__(self, hidden, heads, kv, ffn):
        super().__init__()
        self.heads, self.kv, self.width = heads, kv, hidden // heads
        linear = lambda a, b: torch.nn.Linear(a, b, bias=False, device=CUDA, dtype=BF16)
        self.qkv = linear(hidden, (heads + 2 * kv) * self.width)
        self.out = linear(hidden, hidden)
        self.up = linear(hidden, 2 * ffn)
        self.down = linear(ffn, hidden)
        self.norms = torch.nn.ParameterList(torch.ones(hidden, device=CUDA, dtype=BF16) for _ in range(2))
        self.ffn = ffn

    def forward(self, x):
        batch, seq, hidden = x.shape
        y = self.qkv(F.rms_norm(x, (hidden,), self.norms[0]))
        y = y.view(batch, seq, self.heads + 2 * self.kv, self.width).transpose(1, 2)
        q, k, v = y.split((self.heads, self.kv, self.kv), 1)
        a = F.scaled_dot_product_attention(q, k, v, is_causal=True, enable_gqa=True)
        x = x + self.out(a.transpose(1, 2).reshape(batch, seq, hidden))
        gate, up = self.up(F.rms_norm(x, (hidden,), self.norms[1])).split(self.ffn, -1)
        return x + self.down(F.silu(gate) * up)


def layers(table):
    for hidden, heads, kv, ffn in ((2048, 16, 8, 5632), (4096, 32, 8, 14336), (8192, 64, 8, 28672)):
        for batch, seq in ((1, 2048), (1, 4096), (2, 4096), (1, 8192), (1, 32768)):
            layer = Layer(hidden, heads, kv, ffn)
            x = torch.randn(batch, seq, hidden, device=CUDA, dtype=BF16).requires_grad_()
            grad = torch.randn_like(x)
            params = [x, *layer.parameters()]
            tokens = batch * seq
            width = hidden // heads
            flops = 2 * tokens * hidden * ((heads + 2 * kv) * width + hidden + 3 * ffn)
            flops += 4 * batch * heads * width * seq * (seq + 1) / 2
            row = dict(kind="layer", format="bf16 torch eager", m=tokens, n=ffn, k=hidden, batch=batch,
                       heads=heads, kv_heads=kv, head_dim=width, seq=seq, causal=1)
            with torch.no_grad():
                table.add(**row, us=microseconds([lambda: layer(x)]), flops=flops, **{"pass": "forward"})
            step = lambda: torch.autograd.grad(layer(x), params, grad)
            table.add(**row, us=microseconds([step]), flops=3 * flops, **{"pass": "forward and backward"})
            del layer, x, grad, params
            torch.cuda.empty_cache()


def sustained(table):
    import pynvml
    pynvml.nvmlInit()
    card = pynvml.nvmlDeviceGetHandleByIndex(0)
    for m, n, k in ((8192, 8192, 8192), (8192, 28672, 8192), (8192, 8192, 28672), (16384, 4096, 4096),
                    (4096, 4096, 14336), (8192, 16384, 2048), (4096, 12288, 12288), (2048, 7168, 4096)):
        x, w = torch.randn(m, k, device=CUDA, dtype=BF16), torch.randn(n, k, device=CUDA, dtype=BF16) * k**-0.5
        replay = captured([lambda: torch.mm(x, w.t())] * 8)
        replay()
        torch.cuda.synchronize()
        watts, runs, begin = [], 0, time.perf_counter()
        while time.perf_counter() - begin < 1.5:
            for _ in range(4):
                replay()
            runs += 32
            torch.cuda.synchronize()
            if time.perf_counter() - begin > 0.5:
                watts.append(pynvml.nvmlDeviceGetPowerUsage(card) / 1e3)
        us = 1e6 * (time.perf_counter() - begin) / runs
        table.add(kind="gemm", format="bf16", m=m, n=n, k=k, us=us, flops=2 * m * n * k, regime="sustained",
                  watts=f"{statistics.median(watts):.0f}", **{"pass": "forward"})


def main():
    table = Table(sys.argv[1])
    until = time.perf_counter() + float(sys.argv[2] if len(sys.argv) > 2 else "400")
    groups = (launches, host_link, memory_bound, layers, attention, experts, sustained,
              multiplications_in_8_bits, multiplications)
    for group in groups:
        if time.perf_counter() > until:
            print("left out, no time:", group.__name__, file=sys.stderr)
            continue
        begin = time.perf_counter()
        try:
            group(table)
        except Exception as error:  # the rest is still worth having
            print("left out:", group.__name__, type(error).__name__, str(error)[:200], file=sys.stderr)
        torch.cuda.empty_cache()
        print(group.__name__, f"{time.perf_counter() - begin:.1f} s", file=sys.stderr)


if __name__ == "__main__":
    main()

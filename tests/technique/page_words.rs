//! The words of docs/techniques.md between its tables. No number stands here that a table has.

pub(super) const OPENING: &str = "\
# Training techniques and the network

What techniques of the literature do to the cheapest network, as this program computes it: each is a
function from a step to a step, the fabric is sized again, and nobody's headline number is multiplied
in. This page is written by a test (`BLESS=1 cargo test --test engine technique::page`) and held by it.

Specs switch a technique on with a table (`[technique.demo]`, docs/spec.md); `planner compare --with
demo --with offload` shows any spec with and without. Every report of a technique says where it was shown
to work. None was shown at the scale of these tables: DeMo up to 1.2B parameters, AxoNN up to 100B, the
multi-level cycle up to 0.34B, swapping on models of some ten billion, synthetic labels on no
transformer. No source tests two together.
";

pub(super) const CHEAPEST: &str = "
## DeMo and offload: the cheapest network

H100 in machines of 8, full recomputation, 16-bit gradients that overlap the backward pass, interfaces of
100 to 800 Gb/s to choose from, prices of MixNet (SIGCOMM 2025, table 4). Cells: interface, fabric, dollars
a GPU for interfaces, switches and optics. No step may be more than 2 % longer than without techniques at
400 Gb/s on a network that never blocks; `none` says how much longer the fastest network's is.

    planner design MODEL.toml --set cluster.gpus=GPUS --set limits.step_time='LONGEST' NICS \
      --set objective.max_slowdown=1000

Columns with DeMo: `--set technique.demo.top_k=K` besides. Offload: `--set technique.offload={}
--set parallelism.pipeline=STAGES`. Dollars are the bill without machines and memory, over the GPUs. The cells
are of the least network; the command keeps the default rules on it besides, and so may print some dollars more.
";

pub(super) const WHY: &str = "
A ring all-reduce hides behind the backward pass; the gathers of the authors' code hide behind nothing.
So the network costs more before the bytes do, and what DeMo receives grows with every replica where
a ring's bytes stay. A step of 2 % more than 3 s has 65 ms for it, one of 30 s has 600: long steps, that
is few replicas, are where DeMo pays.

";

pub(super) const FLEX: &str = "
## FlexDeMo on racks

Llama 3 405B on 224 racks of 72: 126 replicas, 9 in a rack, 14 along each rail. Inside a rack gradients
are summed in full; across, each GPU exchanges components of its ninth. Flat shards keep k of 64
elements, not of 4,096, and then move more than plain gradients unless k is 1.

    planner traffic llama3-405b.toml --set cluster.gpus=16128 --set cluster.node=gb200-nvl72 \
      --set training.global_batch=2016 --set collectives.all=hierarchical

With DeMo `--set technique.demo.top_k=K`, for FlexDeMo also `--set technique.demo.scope=domains --set
technique.demo.flat=true`, or `false`. Row `data`, column `on a rail`, over 16,128 GPUs is the mean of all
stages; cells are those of the fullest, which has some more.

";

pub(super) const OFFLOAD: &str = "
## Why offload loses on a PCIe host

A quarter of the stages asks four times the parameters of each GPU: 24 bytes of each cross the host link
in every step, 12 down and 12 up, and the reduction of gradients is four times as long. Both take
turns, piece by piece; the longer one is the tail. It pays only where bubble and messages saved are more
than that tail, as on Summit, with NVLink to the host and steps of half a minute. The GPU reaches its
interfaces over the same link: where they are as fast as it, nothing of the update runs beside the reduction.

    planner step MODEL.toml --set cluster.gpus=GPUS --set parallelism.pipeline=STAGES \
      --set technique.offload={} --set hardware.nodes.dgx-h100.host_link='190 GB/s'

";

pub(super) const OTHERS: &str = "
## What leaves data parallelism alone

4,096 H100, as above; days are those of the whole run. Fused kernels, 8-bit messages and stages by
themselves shorten the step, and the time won may be spent on a slower network under the same limit:
that is why their networks are cheaper, hardly that rails carry less. The multi-level cycle shortens
the run on the same network, if a run so trained is as good.

    planner design MODEL.toml --set cluster.gpus=4096 --set limits.step_time='LONGEST' NICS \\
      --set objective.max_slowdown=1000 --set technique.message_driven={}

or `narrow_pipeline`, `fused_tensor`, `multilevel` in its place, or `--set technique.sil.accept_unverified=true`.

";

"""Writes tests/data/megatron_instances.txt: the groups that Megatron-Core creates where its distributed
optimizer shards over some of the replicas (`num_distributed_optimizer_instances`).

    pip install --no-deps megatron-core==0.16.1 && pip install numpy einops
    python3 tests/recordings/megatron_instances.py SITE_PACKAGES > tests/data/megatron_instances.txt

As megatron_groups.py, whose lines these are, with the number of instances behind the order. Groups of
context and data ranks that share an instance, and of replicas of experts that share one or hold the
same share.
"""

import random
import sys
from pathlib import Path
from unittest import mock

import einops
import numpy

import megatron_groups

KINDS = {
    "shard": "INTRA_PARTIAL_DATA_PARALLEL_GROUP_WITH_CP",
    "expert_shard": "HIERARCHICAL_EXPERT_DATA_PARALLEL_GROUP_L0",
    "expert_copies": "HIERARCHICAL_EXPERT_DATA_PARALLEL_GROUP_L1",
}
einops.rearrange(numpy.zeros(2), "a -> a")  # it remembers whose arrays these are

LAYOUTS = 300
ORDERS = ["tp-cp-ep-dp-pp", "tp-cp-ep-pp-dp"]


def groups(root, world, tp, cp, pp, ep, etp, order, instances):
    state = megatron_groups.parallel_state(root)
    sys.modules["numpy"] = numpy
    state.np, state.einops, state.HAVE_EINOPS = numpy, einops, True
    state.torch.distributed.get_world_size.return_value = world
    state.torch.distributed.get_rank.return_value = 0
    made = {}

    def create_group(ranks=None, *_, group_desc=None, **__):
        made.setdefault(group_desc, []).append([int(rank) for rank in ranks])
        return mock.MagicMock()

    state.create_group = create_group
    try:
        state.initialize_model_parallel(
            tensor_model_parallel_size=tp,
            pipeline_model_parallel_size=pp,
            context_parallel_size=cp,
            expert_model_parallel_size=ep,
            expert_tensor_parallel_size=etp,
            order=order,
            num_distributed_optimizer_instances=instances,
            create_gloo_process_groups=False,
        )
    except (AssertionError, RuntimeError):
        return None
    return {kind: made[name] for kind, name in KINDS.items()}


def main(root):
    info = (Path(root) / "megatron/core/package_info.py").read_text()
    version = ".".join(
        next(line.split("=")[1].strip() for line in info.splitlines() if line.startswith(part))
        for part in ["MAJOR", "MINOR", "PATCH"]
    )
    print(f"# megatron-core {version}, tests/recordings/megatron_instances.py")
    dice = random.Random(18)
    degrees = [1, 1, 2, 2, 3, 4, 8]
    seen = set()
    while len(seen) < LAYOUTS:
        tp, cp, dp, pp, ep, etp = (dice.choice(degrees) for _ in range(6))
        dp *= dice.choice([2, 4])
        instances, order = dice.choice([2, 2, 3, 4]), dice.choice(ORDERS)
        case = (tp, cp, dp, pp, ep, etp, order, instances)
        world = tp * cp * dp * pp
        # Replicas are cut, not the ranks that share a sequence.
        if case in seen or dp % instances or (tp * cp * dp) % (ep * etp) or world > 1024:
            continue
        seen.add(case)
        made = groups(root, world, tp, cp, pp, ep, etp, order, instances)
        line = " ".join(map(str, case))
        if made is None:
            print(line, "refused")
            continue
        kinds = [
            f"{kind}:{len(of[0])}:{megatron_groups.nested(sum(of, []))}" for kind, of in made.items()
        ]
        print(line, *kinds)


if __name__ == "__main__":
    main(sys.argv[1])

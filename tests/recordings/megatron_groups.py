"""Writes tests/data/megatron_groups.txt: the process groups that Megatron-Core creates.

    pip download megatron-core==0.16.1 --no-deps && unzip megatron_core-*.whl
    python3 tests/recordings/megatron_groups.py . > tests/data/megatron_groups.txt
    python3 tests/recordings/megatron_groups.py . 60    # the first layouts alone, to compare

The layouts are drawn at random from a fixed seed. For each, Megatron-Core's own
`parallel_state.initialize_model_parallel` runs on rank 0 with its `create_group` replaced by one
that writes down ranks and name; nothing of it is written again here. PyTorch and numpy are not
needed: what the module imports of them is never called.

One line a layout: tp cp dp pp ep etp order, then `refused`, or for each kind of group its name and
its members, all groups in a row, as nested steps: `2*1,4*2` are 2 ranks at distance 1, that 4
times at distance 2. The form is found from the ranks and checked to give them back.
"""

import importlib.util
import random
import sys
import types
from itertools import permutations
from pathlib import Path
from unittest import mock

KINDS = {
    "tp": "TENSOR_MODEL_PARALLEL_GROUP",
    "cp": "CONTEXT_PARALLEL_GROUP",
    "dp_cp": "DATA_PARALLEL_GROUP_WITH_CP",
    "pp": "PIPELINE_MODEL_PARALLEL_GROUP",
    "ep": "EXPERT_MODEL_PARALLEL_GROUP",
    "expt_tp": "EXPERT_TENSOR_PARALLEL_GROUP",
    "expt_dp": "EXPERT_DATA_PARALLEL_GROUP",
}
LAYOUTS = 1200
MOST_RANKS = 4096


def parallel_state(root):
    """The module itself, from an unpacked wheel."""
    for name in ["torch", "numpy"]:
        sys.modules[name] = mock.MagicMock()
    for name in ["megatron", "megatron.core"]:
        sys.modules[name] = types.ModuleType(name)
    sys.modules["megatron.core.utils"] = mock.MagicMock()
    path = Path(root) / "megatron/core/parallel_state.py"
    spec = importlib.util.spec_from_file_location("megatron.core.parallel_state", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def groups(root, world, tp, cp, pp, ep, etp, order):
    """Lists of ranks by kind, or None where Megatron-Core refuses the layout."""
    state = parallel_state(root)  # anew: it keeps what it made
    state.torch.distributed.get_world_size.return_value = world
    state.torch.distributed.get_rank.return_value = 0
    made = {}

    def create_group(ranks=None, *_, group_desc=None, **__):
        made.setdefault(group_desc, []).append(list(ranks))
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
            create_gloo_process_groups=False,
        )
    except (AssertionError, RuntimeError):
        return None
    return {kind: made[name] for kind, name in KINDS.items()}


def nested(ranks):
    """The ranks in a row as nested steps, the innermost first."""
    steps = []
    block = 1
    while block < len(ranks):
        step = ranks[block] - ranks[0]
        count = 1
        while (count + 1) * block <= len(ranks) and all(
            ranks[count * block + i] == ranks[i] + count * step for i in range(block)
        ):
            count += 1
        assert count > 1, "no nested steps"
        steps.append((count, step))
        block *= count
    again = [0]
    for count, step in steps:
        again = [rank + k * step for k in range(count) for rank in again]
    assert again == ranks, "the steps give the ranks back"
    return ",".join(f"{count}*{step}" for count, step in steps) or "1*1"


def main(root, layouts=LAYOUTS):
    info = (Path(root) / "megatron/core/package_info.py").read_text()
    version = ".".join(
        next(line.split("=")[1].strip() for line in info.splitlines() if line.startswith(part))
        for part in ["MAJOR", "MINOR", "PATCH"]
    )
    print(f"# megatron-core {version}, tests/recordings/megatron_groups.py")
    dice = random.Random(17)
    orders = ["-".join(order) for order in permutations(["tp", "cp", "ep", "dp", "pp"])]
    degrees = [1, 1, 2, 2, 2, 3, 4, 4, 6, 8, 8, 12, 16, 32, 64]
    seen = set()
    while len(seen) < layouts:
        tp, cp, dp, pp, ep, etp = (dice.choice(degrees) for _ in range(6))
        # Half in the default order, most others with the pipeline last: the rest is mostly refused.
        order = dice.choice(orders)
        if dice.random() < 0.4:
            order = "tp-cp-ep-dp-pp"
        elif dice.random() < 0.7:
            order = "-".join([axis for axis in order.split("-") if axis != "pp"] + ["pp"])
        if dice.random() < 0.5:
            etp = tp
        if dice.random() < 0.3:
            ep = tp * cp * dp // etp or 1
        case = (tp, cp, dp, pp, ep, etp, order)
        world = tp * cp * dp * pp
        if case in seen or not 2 <= world <= MOST_RANKS:
            continue
        if (tp * cp * dp) % (ep * etp) and dice.random() < 0.9:
            continue  # few that can't be divided at all
        seen.add(case)
        made = groups(root, world, tp, cp, pp, ep, etp, order)
        line = " ".join(map(str, case))
        if made is None:
            print(line, "refused")
            continue
        kinds = [f"{kind}:{len(of[0])}:{nested(sum(of, []))}" for kind, of in made.items()]
        print(line, *kinds)


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))

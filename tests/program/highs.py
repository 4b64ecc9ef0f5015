"""Solves the programs of `planner design --program` with HiGHS, which others wrote, as LP and as MPS, and
holds its optima against the costs that the JSON of the designs states.

    pip install highspy
    python tests/program/highs.py target/release/planner [recording]

Without a second argument the recording that ships is compared with what is found; with one it is written there.
Reads cases.txt beside this file: a name, a ready spec and changes of keys.
"""

import json
import math
import pathlib
import subprocess
import sys
import tempfile

import highspy

HERE = pathlib.Path(__file__).parent
# Relative distance of two optima that count as one. HiGHS stops at this gap.
SAME = 1e-9


def cases():
    for line in (HERE / "cases.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            name, spec, changes = (part.strip() for part in line.split("|"))
            yield name, spec, changes.split()


def optimum(path):
    """What HiGHS finds, in dollars."""
    solver = highspy.Highs()
    solver.setOptionValue("output_flag", False)
    solver.setOptionValue("mip_rel_gap", 0.0)
    solver.setOptionValue("mip_abs_gap", 1e-7)
    solver.setOptionValue("threads", 1)
    if solver.readModel(str(path)) != highspy.HighsStatus.kOk:
        raise SystemExit(f"HiGHS can't read {path}")
    solver.run()
    status = solver.getModelStatus()
    if status != highspy.HighsModelStatus.kOptimal:
        raise SystemExit(f"{path}: HiGHS says {status}")
    return 1e3 * solver.getInfo().objective_function_value


def main():
    planner = str(pathlib.Path(sys.argv[1]).resolve())
    lines = [f"# HiGHS {highspy.Highs().version()}: optima of tests/program/cases.txt, in dollars"]
    with tempfile.TemporaryDirectory() as folder:
        for name, spec, changes in cases():
            sets = [part for change in changes for part in ("--set", change)]
            found = []
            for kind in ("lp", "mps"):
                path = pathlib.Path(folder) / f"{name}.{kind}"
                command = [planner, "design", spec, *sets, "--format", "json", "--program", str(path)]
                done = subprocess.run(command, capture_output=True, text=True)
                if done.returncode != 0:
                    raise SystemExit(f"{name}: {done.stderr}")
                found.append(optimum(path))
            solver = json.loads(done.stdout)["solver"]
            stated = solver["program_optimum"]
            for other in found:
                if not math.isclose(stated, other, rel_tol=SAME, abs_tol=1e-3):
                    raise SystemExit(f"{name}: the planner states {stated}, HiGHS finds {other}")
            print(f"{name}: {stated:,.2f} ({solver['name']}, {solver['columns']} columns): HiGHS agrees")
            lines.append(f"{name} {found[0]:.2f}")
    text = "\n".join(lines) + "\n"
    recording = HERE / "highs.txt"
    if len(sys.argv) > 2:
        pathlib.Path(sys.argv[2]).write_text(text)
    elif recording.read_text().splitlines()[1:] != lines[1:]:
        raise SystemExit(f"{recording} says otherwise: write it again with a second argument")


if __name__ == "__main__":
    main()

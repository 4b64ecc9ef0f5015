"""Holds recordings made anew against those that ship: who called what, on how many bytes, how often.

    python3 tests/recordings/compare.py tests/data/recordings FOLDER

Only files of FOLDER are looked at. Receives are left out, as they say what sends say. How experts route is
drawn at random: with another version of PyTorch their calls differ.
"""

import json
import sys
from collections import Counter
from pathlib import Path


def calls(path):
    """Bytes by rank, operation and members."""
    found = Counter()
    for rank in json.loads(path.read_text())["ranks"]:
        for call in rank["calls"]:
            if call["op"] != "irecv":
                key = (rank["rank"], call["op"], tuple(call["ranks"]))
                found[key] += call["bytes"] * call["calls"]
    return found


def main(shipped, anew):
    wrong = 0
    for path in sorted(Path(anew).glob("*.json")):
        before, now = calls(Path(shipped) / path.name), calls(path)
        differ = [key for key in before | now if before[key] != now[key]]
        for key in differ[:8]:
            print(f"{path.name}: {key}: {before[key]} bytes ship, {now[key]} were recorded")
        print(f"{path.name}: {len(differ)} of {len(before)} differ")
        wrong += len(differ)
    sys.exit(1 if wrong else 0)


main(*sys.argv[1:])

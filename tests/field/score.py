"""Scores `planner import` on folders of real launch scripts.

    python3 tests/field/score.py PROGRAM FOLDER...

Each FOLDER is a checkout of a public repository. Every script in it that has a flag of a Megatron
job is imported. What is accepted is held to bash: the script runs under it with programs that do
nothing but note their words, and the last command with such flags is the truth. Run it where
scripts of strangers may run: programs are stubs, but redirections are bash's own.

A file is counted as
  right    accepted, and all flags of shape, layout and batch are those of bash
  other    accepted, and one of them is not
  alone    accepted, where bash has no command to compare with: flags as they stand in the text
  asked    refused with questions that name what answers them
  reason   refused with a reason: another program, a model that a spec can't describe
  none     refused as no configuration, and bash has no job either
  bare     refused as no configuration, though bash has a job
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

# Keys of a spec, with the flags that may state each.
KEYS = {
    "model.layers": ["num-layers", "encoder-num-layers"],
    "model.hidden": ["hidden-size"],
    "model.heads": ["num-attention-heads"],
    "model.ffn": ["ffn-hidden-size"],
    "model.sequence": ["seq-length"],
    "model.moe.experts": ["num-experts"],
    "parallelism.tensor": ["tensor-model-parallel-size"],
    "parallelism.pipeline": ["pipeline-model-parallel-size"],
    "parallelism.context": ["context-parallel-size", "ds-sequence-parallel-size"],
    "parallelism.expert": ["expert-model-parallel-size", "moe-expert-parallel-size"],
    "training.global_batch": ["global-batch-size"],
    "training.micro_batch": ["micro-batch-size"],
}
TELLING = re.compile(r"--(num-layers|tensor-model-parallel-size|micro-batch-size|hidden-size)\b")
STUBS = """torchrun python python3 deepspeed srun ray mpirun nohup numactl accelerate sudo bash_stub
rm mkdir mv cp ln chmod touch curl wget pip pip3 git ssh scp pkill kill sleep docker apt-get apt conda
module sbatch squeue scontrol nvidia-smi hostname ip ifconfig tee find xargs make cmake unzip tar date
pdsh rsync pgrep ps wandb huggingface-cli modelscope tensorboard nsys lscpu nproc id env""".split()
SAFE = "basename dirname seq cat expr tr cut head tail wc bc sed awk grep sort uniq printf realpath readlink".split()


def stub_folder():
    folder = pathlib.Path(tempfile.mkdtemp())
    for name in STUBS:
        file = folder / name
        # Words end with a unit separator, commands with a record separator.
        file.write_text("#!/bin/sh\nprintf '%s\\037' \"$0\" \"$@\" >> \"$WORDS\"; printf '\\036' >> \"$WORDS\"\n"
                        "case \"$0 $1\" in *srun*|*nohup*|*numactl*|*mpirun*|*sudo*) for w; do :; done\n"
                        "prev=; for w; do case \"$prev\" in -c|-lc) exec bash -c \"$w\";; esac; prev=$w; done;; esac\n")
        file.chmod(0o755)
    for name in SAFE:
        for path in ("/usr/bin", "/bin"):
            if os.path.exists(f"{path}/{name}"):
                os.symlink(f"{path}/{name}", folder / name)
                break
    os.symlink("/bin/bash", folder / "bash")
    os.symlink("/bin/sh", folder / "sh")
    return folder


def flags_of(words):
    found, last = {}, None
    for word in words:
        match = re.match(r"--([A-Za-z][\w-]*)(?:=(.*))?$", word, re.S)
        if match:
            last = match[1].replace("_", "-")
            found[last] = [match[2]] if match[2] is not None else []
        elif last:
            found[last].append(word)
    return found


def bash_jobs(script, stubs):
    """Flags of all commands that bash would run, in order."""
    with tempfile.TemporaryDirectory() as scratch:
        log = pathlib.Path(scratch) / "words"
        environment = {"PATH": str(stubs), "WORDS": str(log), "HOME": scratch, "LC_ALL": "C.UTF-8"}
        for line in script.read_text(errors="replace").splitlines():
            match = re.match(r"#SBATCH\s+(?:--nodes|-N)[= ]?(\d+)", line)
            if match:
                environment.update(SLURM_NNODES=match[1], SLURM_JOB_NUM_NODES=match[1])
        # A guard that ends the script is passed, as is an error; lists of flags are shown at the end.
        text = script.read_text(errors="replace")
        text = re.sub(r"(?m)^\s*set -[a-z]*[ex].*$", "", text)
        text = re.sub(r"\b(exit|return) +\$?\w+", ":", text)
        lists = re.findall(r"(?m)^\s*(\w+)=\(", text)
        text += "".join(f'\n${{{name}:+python list "${{{name}[@]}}"}}' for name in dict.fromkeys(lists))
        copy = script.parent / f".{script.name}"
        copy.write_text(text)
        try:
            subprocess.run(["/bin/bash", f"./{copy.name}"], cwd=script.parent, env=environment,
                           stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                           stderr=subprocess.DEVNULL, timeout=10, check=False)
        except subprocess.TimeoutExpired:
            pass
        copy.unlink()
        text = log.read_text(errors="replace") if log.exists() else ""
    commands = [record.split("\x1f") for record in text.split("\x1e")]
    telling = [words for words in commands if any(TELLING.match(word) for word in words)]
    jobs = [words for words in telling if words[1:2] != ["list"]]
    return [flags_of(words) for words in jobs or telling]


def spec_keys(text):
    keys, table = {}, ""
    for line in text.splitlines():
        line = line.split("#")[0].strip()
        if line.startswith("["):
            table = line.strip("[]")
        elif "=" in line:
            name, value = (part.strip() for part in line.split("=", 1))
            keys[f"{table}.{name}" if table else name] = value.strip('"')
    return keys


def differing(keys, flags):
    wrong = []
    for key, names in KEYS.items():
        stated = [flags[name][0] for name in names if flags.get(name)]
        if not stated or not stated[-1].strip().isdigit():
            continue
        own = keys.get(key, "1")
        if "experts" in key and stated[-1] == "1" and key not in keys:
            continue
        if int(stated[-1]) != int(float(own)):
            wrong.append(f"{key} = {own}, bash {stated[-1]}")
    return wrong


def score(program, script, stubs):
    done = subprocess.run([program, "import", script.name], cwd=script.parent, capture_output=True,
                          text=True, errors="replace", timeout=60, check=False)
    jobs = bash_jobs(script, stubs)
    shaped = [job for job in jobs if "num-layers" in job]
    if done.returncode == 0:
        keys = spec_keys(done.stdout)
        flags = (shaped or jobs or [None])[-1]
        kind = "right" if flags else "alone"
        if flags is None:
            text = re.sub(r"(?m)(^|\s)#.*$", "", script.read_text(errors="replace"))
            flags = flags_of(re.sub(r"[\\\"'()]", " ", text).split())
        wrong = differing(keys, flags)
        return ("other", "; ".join(wrong)) if wrong else (kind, "")
    if done.returncode != 2:
        return "crash", done.stderr[-200:]
    if re.search(r"leaves \d+ things? open", done.stderr):
        return "asked", re.sub(r"\s+", " ", done.stderr)[:300]
    if "no configuration that is known" in done.stderr:
        return ("bare" if shaped else "none"), ""
    return "reason", re.sub(r"\s+", " ", done.stderr)[:200]


def main():
    program = os.path.abspath(sys.argv[1])
    stubs = stub_folder()
    kinds = ["right", "alone", "other", "asked", "reason", "none", "bare", "crash"]
    totals = dict.fromkeys(kinds, 0)
    print("repository", "files", *kinds, sep="\t")
    for folder in map(pathlib.Path, sys.argv[2:]):
        counts = dict.fromkeys(kinds, 0)
        for script in sorted(folder.rglob("*")):
            if script.suffix not in (".sh", ".slurm", ".sbatch") or not script.is_file():
                continue
            if not TELLING.search(script.read_text(errors="replace")):
                continue
            kind, why = score(program, script, stubs)
            counts[kind] += 1
            print(f"  {kind}\t{script}\t{why}", file=sys.stderr)
        print(folder.name, sum(counts.values()), *counts.values(), sep="\t", flush=True)
        for kind in kinds:
            totals[kind] += counts[kind]
    print("all", sum(totals.values()), *totals.values(), sep="\t")
    sys.exit(1 if totals["other"] or totals["crash"] else 0)


if __name__ == "__main__":
    main()

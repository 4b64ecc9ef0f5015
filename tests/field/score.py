"""Scores `planner import` on folders of real launch scripts.

    python3 tests/field/score.py PROGRAM FOLDER...

Each FOLDER is a checkout of a public repository. Every script in it that has a flag of a Megatron
job is imported. What is accepted is held to bash: the script runs under it with programs that do
nothing but note their words, in an empty environment but for the names of its #SBATCH lines. Run it
where scripts of strangers may run: programs are stubs, but redirections are bash's own.

A file is counted as
  right    accepted, and all flags of shape, layout and batch are those of bash
  text     accepted, where bash starts no command with such flags: they are those that stand in the text
  other    accepted, and one of them is not
  asked    refused with questions that name what answers them
  program  refused as another program: one that trains no causal language model, by its name
  reason   refused with another reason: a model or a layout that a spec can't describe
  none     refused as no configuration, and bash has no job either
  bare     refused as no configuration, though bash has a job

Its job *stands* in it, and is counted a second time in the first columns, where bash starts a
command that has
  - --num-layers (or --encoder-num-layers), --hidden-size, --num-attention-heads, and a flag of LENGTHS,
  - of all flags of KEYS and MACHINES that are present, a whole number above zero behind each,
  - where nodes and GPUs of each are present, a product that tensor x pipeline x context divides, and
    that pipeline x expert x expert tensor divides,
where all such commands of the file have the same numbers, and where every file that bash sources on
the way stands below the script's folder.

Of those, s-vocab are asked for the size of the vocabulary and for nothing else.

A file that was asked is answered, up to five times, with what its questions name: the first of the
words that the script is said to know, or else a small number that suits the flag. The same names and
arguments are given to bash. It then is
  a-right  accepted, and bash with the same answers has the same job
  a-text   accepted, and bash starts no such command
  a-other  accepted, and bash has another job
  a-reason refused with a reason
  a-again  asked what was answered
  a-open   asked what no flag answers, or still asked
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

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
LENGTHS = ["seq-length", "encoder-seq-length", "rollout-max-response-len", "rollout-max-context-len"]
MACHINES = [["nnodes", "num-nodes", "actor-num-nodes"],
            ["nproc-per-node", "num-gpus", "actor-num-gpus-per-node"], ["world-size"]]
TELLING = re.compile(r"--(num[-_]layers|tensor[-_]model[-_]parallel[-_]size|micro[-_]batch[-_]size|hidden[-_]size)\b")
# Numbers for what a question asks, by a part of it.
PLAUSIBLE = {"num-layers": 24, "hidden-size": 1024, "num-attention-heads": 16, "ffn": 4096,
             "position": 2048, "seq-length": 2048, "global-batch": 64, "nodes": 2, "gpus of a node": 8,
             "gpus-per-node": 8, "model-parallel": 2, "train": 10**10, "query": 8, "command": "bash_stub"}
STUBS = """torchrun python python3 deepspeed srun ray mpirun nohup numactl accelerate sudo bash_stub
rm mkdir mv cp ln chmod touch curl wget pip pip3 git ssh scp pkill kill sleep docker apt-get apt conda
module sbatch squeue scontrol nvidia-smi hostname ip ifconfig tee find xargs make cmake unzip tar date
pdsh rsync pgrep ps wandb huggingface-cli modelscope tensorboard nsys lscpu nproc id env""".split()
SAFE = "basename dirname seq cat expr tr cut head tail wc bc sed awk grep sort uniq printf realpath readlink".split()


def stub_folder():
    folder = pathlib.Path(tempfile.mkdtemp())
    for name in STUBS:
        file = folder / name
        # The line and words end with a unit separator, commands with a record separator.
        file.write_text("#!/bin/sh\nprintf '%s\\037' \"$SCRIPT_LINE\" \"$0\" \"$@\" >> \"$WORDS\"; printf '\\036' >> \"$WORDS\"\n"
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


def bash_jobs(script, stubs, environment=(), arguments=()):
    """Flags of all commands that bash would run, in order, and whether they stand in the file and in
    files below its folder: not in lists alone, and not elsewhere."""
    with tempfile.TemporaryDirectory() as scratch:
        log = pathlib.Path(scratch) / "words"
        names = {"PATH": str(stubs), "WORDS": str(log), "HOME": scratch, "LC_ALL": "C.UTF-8"}
        text = script.read_text(errors="replace")
        for line in text.splitlines():
            match = re.match(r"#SBATCH\s+(?:--nodes|-N)[= ]?(\d+)", line)
            if match:
                names.update(SLURM_NNODES=match[1], SLURM_JOB_NUM_NODES=match[1])
        # A guard that ends the script is passed, as is an error; lists of flags are shown at the end.
        text = re.sub(r"(?m)^\s*set -[a-z]*[ex].*$", "", text)
        text = re.sub(r"\b(exit|return) +\$?\w+", ":", text)
        lists = re.findall(r"(?m)^\s*(\w+)=\(", text)
        text += "".join(f'\n${{{name}:+python list "${{{name}[@]}}"}}' for name in dict.fromkeys(lists))
        # Each command knows its line.
        text = ("set -T; trap 'export SCRIPT_LINE=$LINENO; [[ $BASH_SOURCE = $SCRIPT_FILE ]] || "
                "{ SCRIPT_FILE=$BASH_SOURCE; realpath \"$SCRIPT_FILE\" >> $WORDS.files; }' DEBUG; " + text)
        copy = script.parent / f".{script.name}"
        copy.write_text(text)
        try:
            subprocess.run(["/bin/bash", f"./{copy.name}", *arguments], cwd=script.parent,
                           env={**names, **dict(environment)}, stdin=subprocess.DEVNULL,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=10, check=False)
        except subprocess.TimeoutExpired:
            pass
        copy.unlink()
        text = log.read_text(errors="replace") if log.exists() else ""
        noted = pathlib.Path(f"{log}.files")
        files = noted.read_text().split("\n")[:-1] if noted.exists() else []
        beside = all(pathlib.Path(file).is_relative_to(script.parent.resolve()) for file in files)
    commands = [record.split("\x1f")[:-1] for record in text.split("\x1e")[:-1]]
    telling = [words for words in commands if any(TELLING.match(word) for word in words)]
    jobs = [words for words in telling if words[2:3] != ["list"]]
    return [{**flags_of(words[2:]), "line": words[0]} for words in jobs or telling], bool(jobs) and beside


def stated(flags, names):
    """What stands behind the last of some flags; `None` where none is there."""
    present = [name for name in names if name in flags]
    return (flags[present[-1]] or [""])[0].strip() if present else None


def is_count(word):
    return word.isdigit() and int(word) > 0


def standing(jobs):
    """Whether the commands that bash starts are one job with all its numbers."""
    shaped = [job for job in jobs if stated(job, KEYS["model.layers"]) is not None]
    numbers = [[stated(job, names) for names in [*KEYS.values(), *MACHINES]] for job in shaped]
    whole = all(all(word is None or is_count(word) for word in job) and None not in job[:3] for job in numbers)
    whole = whole and all(stated(job, LENGTHS) is not None for job in shaped)
    if not numbers or not whole or any(job != numbers[0] for job in numbers):
        return False
    nodes, each, _ = (stated(shaped[0], names) for names in MACHINES)
    if nodes is None or each is None:
        return True
    keys = ("tensor", "pipeline", "context", "expert")
    tensor, pipeline, context, expert = (int(stated(shaped[0], KEYS[f"parallelism.{key}"]) or 1) for key in keys)
    inside = stated(shaped[0], ["expert-tensor-parallel-size"]) or ("1" if "moe-expert-parallel-size" in shaped[0] else tensor)
    gpus = int(nodes) * int(each)
    return gpus % (tensor * pipeline * context) == 0 and gpus % (pipeline * expert * int(inside)) == 0


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
        word = stated(flags, names)
        if word is None or not word.isdigit():
            continue
        own = keys.get(key, "1")
        if "experts" in key and word == "1" and key not in keys:
            continue
        if int(word) != int(float(own)):
            wrong.append(f"{key} = {own}, bash {word}")
    machines = [stated(flags, names) or "" for names in MACHINES[:2]]
    if all(map(is_count, machines)) and int(keys.get("cluster.gpus", 0)) != int(machines[0]) * int(machines[1]):
        wrong.append(f"cluster.gpus = {keys.get('cluster.gpus')}, bash {' x '.join(machines)}")
    return wrong


class Answers:
    """What the questions of a file are answered with."""

    def __init__(self):
        self.environment, self.arguments, self.options, self.files, self.known = {}, {}, {}, [], set()
        self.turn = False

    def words(self):
        arguments = [self.arguments.get(at, "1") for at in range(1, max(self.arguments, default=0) + 1)]
        words = [f"--env={name}={value}" for name, value in self.environment.items()]
        words += [f"--arg={value}" for value in arguments]
        words += [f"{name}={value}" for name, value in self.options.items()]
        return words, arguments

    def take_question(self, question, script, root):
        """Notes what answers a question: `again` where it was answered, `open` where nothing does."""
        missing, answer = question.rsplit(": `", 1)
        if question in self.known:
            return "again"
        self.known.add(question)
        known = re.search(r"\(the script knows (.*?)[,)]", missing)
        suits = [number for part, number in PLAUSIBLE.items() if part in missing.lower()]
        value = known[1].strip("*") if known else str(suits[0] if suits else 1)
        number = re.search(r"argument (\d+)", missing)
        files = re.search(r"sources: (.*)", missing)
        found = []
        if files:
            names = {name.rsplit("/", 1)[-1] for name in files[1].split(", ")}
            found = [path for path in root.rglob("*.sh") if path.name in names]
        if found:
            self.files = list({path.name: path for path in [*self.files, *found]}.values())
        elif "--preset" in answer:
            sparse = "expert" in script.read_text(errors="replace")
            self.options["--preset"] = "mixtral-8x7b" if sparse else "llama3-8b"
        elif "--arg" in answer:
            self.arguments[int(number[1]) if number else 1] = value
        elif "--env" in answer:
            for name in re.findall(r"--env (\w+)=", answer):
                self.environment[name] = value
            self.turn = "different jobs" in missing
        elif "--gpus" in answer:
            multiple = re.search(r"multiples of (\d+)", missing)
            self.options["--gpus"] = multiple[1] if multiple else "64"
        elif answer.startswith("--line"):
            self.options["--line"] = answer.strip("`").split()[1]
        elif answer.startswith(("--vocab", "--sequence")):
            self.options[answer.split()[0]] = "32000" if "vocab" in answer else "4096"
        else:
            return "open"
        return ""


def run_import(program, script, answers):
    files = [os.path.relpath(path, script.parent) for path in answers.files]
    return subprocess.run([program, "import", script.name, *files, *answers.words()[0]], cwd=script.parent,
                          capture_output=True, text=True, errors="replace", timeout=60, check=False)


def judge(done, script, jobs, options=()):
    """The kind of what an import came to, and why."""
    shaped = [job for job in jobs if "num-layers" in job]
    if done.returncode == 0:
        options = dict(options)
        shaped = [job for job in shaped if job["line"] == options.get("--line")] or shaped
        flags = (shaped or jobs or [None])[-1]
        # One of several jobs that bash runs.
        chosen = [job for job in shaped if not differing(spec_keys(done.stdout), job)]
        flags = chosen[0] if chosen and options.get("turn") else flags
        kind = "text" if flags is None else "right"
        if flags is None:
            text = re.sub(r"(?m)(^|\s)#.*$", "", script.read_text(errors="replace"))
            flags = flags_of(re.sub(r"[\\\"'()]", " ", text).split())
        # Machines that the user states are not the script's.
        flags = {name: words for name, words in flags.items() if "--gpus" not in options or name not in sum(MACHINES, [])}
        wrong = differing(spec_keys(done.stdout), flags)
        return ("other", "; ".join(wrong)) if wrong else (kind, "")
    if done.returncode != 2:
        return "crash", done.stderr[-200:]
    if re.search(r"leaves \d+ things? open", done.stderr):
        return "asked", re.sub(r"\s+", " ", done.stderr)[:400]
    if "list of flags of the training job" in done.stderr:
        return "program", re.sub(r"\s+", " ", done.stderr)[:300]
    if "no configuration that is known\n" in done.stderr:
        return ("bare" if standing(jobs) else "none"), ""
    return "reason", re.sub(r"\s+", " ", done.stderr)[:300]


def answer(program, script, root, stubs, done):
    """The kind of a file whose questions are answered."""
    answers = Answers()
    for _ in range(5):
        questions = re.findall(r"(?m)^\s*(?:help: )?(.*: `.*`)$", done.stderr)
        states = [answers.take_question(question, script, root) for question in questions]
        for state in ("again", "open"):
            if state in states or not states:
                return state if states else "open", questions[states.index(state)] if states else done.stderr[:300]
        done = run_import(program, script, answers)
        words, arguments = answers.words()
        jobs, _ = bash_jobs(script, stubs, answers.environment, arguments)
        kind, why = judge(done, script, jobs, {**answers.options, "turn": answers.turn})
        if kind != "asked":
            return ("reason" if kind in ("none", "bare", "program") else kind), f"{' '.join(words)}: {why or kind}"
    return "open", why


def score(program, script, root, stubs):
    """Whether the job stands in the file, the kind of it, the kind of its answer, and why."""
    done = run_import(program, script, Answers())
    jobs, beside = bash_jobs(script, stubs)
    kind, why = judge(done, script, jobs)
    stands = beside and standing(jobs)
    if kind != "asked":
        return stands, kind, "", why
    answered, more = answer(program, script, root, stubs, done)
    return stands, kind, f"a-{answered}", f"{why}\t{more}"


def main():
    program = os.path.abspath(sys.argv[1])
    stubs = stub_folder()
    kinds = ["right", "text", "other", "asked", "program", "reason", "none", "bare", "crash"]
    answered = [f"a-{kind}" for kind in ("right", "text", "other", "reason", "again", "open", "crash")]
    columns = ["files", "stands", *(f"s-{kind}" for kind in kinds), "s-vocab", *kinds, *answered]
    totals = dict.fromkeys(columns, 0)
    print("repository", *columns, sep="\t")
    for folder in map(pathlib.Path, sys.argv[2:]):
        counts = dict.fromkeys(columns, 0)
        scripts = [path for path in sorted(folder.rglob("*"))
                   if path.suffix in (".sh", ".slurm", ".sbatch") and path.is_file()
                   and not path.name.startswith(".") and TELLING.search(path.read_text(errors="replace"))]
        with ThreadPoolExecutor(2) as pool:
            results = pool.map(lambda script: score(program, script, folder, stubs), scripts)
            for script, (stands, kind, reply, why) in zip(scripts, results):
                counted = ["files", kind, reply, *(["stands", f"s-{kind}"] if stands else [])]
                if stands and "1 thing open" in why and "--vocab SIZE" in why.split("\t")[0]:
                    counted.append("s-vocab")
                for name in filter(None, counted):
                    counts[name] += 1
                print("stands" if stands else "", kind, reply, script, why, sep="\t", file=sys.stderr)
        print(folder.name, *counts.values(), sep="\t", flush=True)
        for name in columns:
            totals[name] += counts[name]
    print("all", *totals.values(), sep="\t")
    sys.exit(any(totals[name] for name in ("other", "crash", "a-other", "a-crash")))


if __name__ == "__main__":
    main()

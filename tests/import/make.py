"""Makes what tests/import/mod.rs and `planner import` know of Hugging Face transformers.

    python make.py classes   -> src/import/hugging_face/classes.json: defaults of the keys that are read
    python make.py defaults  -> tests/import/defaults.jsonl: the default configuration of each family,
                                with the elements that its model has on the meta device
    python make.py models    -> tests/import/models.jsonl: named models, likewise

Needs the packages transformers and torch; no weights are loaded and nothing is fetched.
"""

import json
import pathlib
import re
import sys

import torch
import transformers
from transformers import AutoModelForCausalLM, AutoModelForImageTextToText
from transformers.models.auto.configuration_auto import CONFIG_MAPPING
from transformers.models.auto.modeling_auto import MODEL_FOR_CAUSAL_LM_MAPPING_NAMES

HERE = pathlib.Path(__file__).parent
ROOT = HERE.parent.parent

# Keys that src/import/hugging_face reads.
KEYS = sorted(
    set(
        key
        for path in (ROOT / "src/import/hugging_face").glob("*.rs")
        for key in re.findall(r'"([a-z_]+(?:\.[a-z_]+)?)"', path.read_text())
    )
)


def plain(value):
    """A configuration as its file has it."""
    return json.loads(json.dumps(value.to_dict(), default=str))


# What stands beside a language model.
BESIDE = re.compile("vision|visual|audio|projector|resampler|adapter")


def elements(config):
    """Elements of the language model, on the meta device."""
    for kind in (AutoModelForCausalLM, AutoModelForImageTextToText):
        try:
            with torch.device("meta"):
                model = kind.from_config(config)
            break
        except ValueError as error:
            if kind is AutoModelForImageTextToText:
                raise error
    model.tie_weights()
    seen = {id(tensor): tensor.numel() for name, tensor in model.named_parameters() if not BESIDE.search(name)}
    return sum(seen.values())


def families_known(refused=False):
    """Names in src/import/hugging_face/families.rs: those that are read, or those refused too."""
    text = (ROOT / "src/import/hugging_face/families.rs").read_text()
    return set(re.findall(r'"([a-z0-9_]+)"', text if refused else text.split("const REFUSED")[0]))


def families():
    for name in sorted(MODEL_FOR_CAUSAL_LM_MAPPING_NAMES):
        try:
            config = CONFIG_MAPPING[name]()
            yield name, config, plain(config)
        except Exception as error:
            print(f"{name}: no default configuration: {error}", file=sys.stderr)


def classes():
    """Defaults that a class states. What it derives from other keys is left to the rules."""
    known = families_known()
    found = {"transformers": transformers.__version__}
    for name in sorted(known & set(CONFIG_MAPPING)):
        try:
            config = CONFIG_MAPPING[name]()
        except Exception as error:
            print(f"{name}: no default configuration: {error}", file=sys.stderr)
            continue
        if getattr(config, "text_config", None) is not None:
            continue
        kept = {}
        for key, field in type(config).__dataclass_fields__.items():
            value = field.default
            if key in KEYS and key != "model_type" and isinstance(value, (bool, int, float, str)):
                kept[key] = value
        found[name] = kept
    (ROOT / "src/import/hugging_face/classes.json").write_text(
        "{\n" + ",\n".join(f" {json.dumps(k)}: {json.dumps(v, sort_keys=True)}" for k, v in found.items()) + "\n}\n"
    )


# Keys of a configuration that say nothing of the shape; a fixture leaves them out.
def small(text):
    keep = {}
    for key, value in text.items():
        if key in ("text_config",) and isinstance(value, dict):
            keep[key] = small(value)
        elif key.split(".")[0] in {k.split(".")[0] for k in KEYS} | {"model_type", "rope_theta", "hidden_act"}:
            keep[key] = value
    return keep


def write(name, lines):
    (HERE / name).write_text("".join(json.dumps(line, sort_keys=True) + "\n" for line in lines))


def defaults():
    lines = []
    for name, config, text in families():
        if name not in families_known(refused=True):
            continue
        try:
            count = elements(config)
        except Exception as error:
            print(f"{name}: {type(error).__name__} {error}", file=sys.stderr)
            count = None
        lines.append({"family": name, "elements": count, "transformers": transformers.__version__, "config": small(text)})
        print(name, count, flush=True)
    write("defaults.jsonl", lines)


def models():
    lines = []
    for line in (HERE / "named.jsonl").read_text().splitlines():
        named = json.loads(line)
        config = CONFIG_MAPPING[named["config"]["model_type"]](
            **{k: v for k, v in named["config"].items() if k != "model_type"}
        )
        named["elements"] = elements(config)
        named["transformers"] = transformers.__version__
        # Of some only a rounded total is published, in their names.
        published = named["published"] or named["elements"]
        off = named["elements"] / published - 1
        print(f"{named['model']:24} {named['elements']:>18,} {published:>18,} {off:+.5%}", flush=True)
        lines.append(named)
    write("models.jsonl", lines)


if __name__ == "__main__":
    {"classes": classes, "defaults": defaults, "models": models}[sys.argv[1]]()

"""Writes tests/data/windows.txt: which layers of some models have a sliding window, and how many pairs of
query and key a window leaves, both by the code of `transformers`.

    pip install transformers torch
    python3 tests/import/windows.py > tests/data/windows.txt

`layers NAME WINDOW` is followed by a letter for each layer of the class's default configuration, `s` with a
window and `f` without. `pairs SEQUENCE WINDOW COUNT` counts where the mask of the library lets a query see a
key, pair by pair.
"""

import torch
import transformers
from transformers import masking_utils

CONFIGS = {
    "gemma2": transformers.Gemma2Config,
    "gemma3_text": transformers.Gemma3TextConfig,
    "gpt_oss": transformers.GptOssConfig,
    "cohere2": transformers.Cohere2Config,
    "olmo3": transformers.Olmo3Config,
}
# Gemma 3 of 27 billion has 62 layers, which its period of six does not divide.
CHANGED = {"gemma3-27b": (transformers.Gemma3TextConfig, {"num_hidden_layers": 62, "sliding_window": 1024})}
PAIRS = [(64, 1), (64, 16), (96, 100), (128, 128), (256, 96), (512, 128), (1024, 300), (2048, 1024)]


def line(name, config):
    letters = {"sliding_attention": "s", "full_attention": "f"}
    return f"layers {name} {config.sliding_window} " + "".join(letters[of] for of in config.layer_types)


def pairs(sequence, window):
    mask = masking_utils.sliding_window_causal_mask_function(window)
    place = torch.arange(sequence)
    return int(mask(0, 0, place[:, None], place[None, :]).sum())


print(f"# transformers {transformers.__version__}, tests/import/windows.py")
for name, make in CONFIGS.items():
    print(line(name, make()))
for name, (make, changes) in CHANGED.items():
    print(line(name, make(**changes)))
for sequence, window in PAIRS:
    print("pairs", sequence, window, pairs(sequence, window))

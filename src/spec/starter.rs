//! The spec that `planner init` writes: short, commented, and sound.

use std::fmt::Write;

use super::presets::{PresetKind, list_presets};

/// The policy that `planner check --init` prints: rules, and what a change may ask otherwise.
pub const STARTER_POLICY: &str = r#"# Policy for `planner check model.toml --against base.json --policy gate.toml`.
# Keep it where a change can't touch it, as docs/ci.md describes.

[gate]
# A change fails where it does one of these.
fail_on = [
    "capex>+2%",
    "network_capex>+2%",
    "total_capex>+2%",            # with the other networks and the installation
    "usd_per_million_tokens>+2%",
    "step.time_s>+1%",
    "power>+2%",
    "goodput_share<-1%",
]

# A change that asks something else fails too: another model, other GPUs, prices of its own. Keys
# that a change may state otherwise:
# allow = ["cluster.gpus", "training.*", "parallelism.*"]
"#;

/// The starter's text for a model that ships; `None` where no such model does.
#[must_use]
pub fn starter_spec(preset: &str) -> Option<String> {
    let known = list_presets().into_iter().any(|e| e.kind == PresetKind::Model && e.name == preset);
    known.then(|| starter_text(preset))
}

fn starter_text(preset: &str) -> String {
    let mut text = String::new();
    // Writing to a String can't fail.
    let _ = write!(text, "{HEAD}preset = \"{preset}\"\n{TAIL}");
    text
}

const HEAD: &str = "\
# A spec for planner: what is trained, on how many GPUs, and what counts.
# `planner design` reads this file. Every key that is left out has a default that the report shows.
# `planner presets list` names the models, machines, parts and price books that ship.

[model]
";

const TAIL: &str = "\
# sequence = 8192          # keys beside the preset override it

[training]
global_batch = 1024        # sequences in one step
# micro_batch = 1          # sequences that a pipeline works on at a time; left out, it is searched
tokens = \"1T\"              # length of the run: days and cost follow from it
# precision = \"bf16\"       # fp32 | fp16 | bf16 | fp8 | mxfp8 | nvfp4
# recompute = \"selective\"  # none | selective | full; left out, it is searched

[parallelism]              # what is left out is searched; where tensor and pipeline are both
tensor = \"auto\"            # stated, what is left out is not used
pipeline = \"auto\"
# data is what the GPUs leave; context, expert, interleave, zero, order, schedule may be set too

[cluster]
gpus = 1024
node = \"dgx-h100\"          # the machine: one name, a list, or \"auto\"
# fabric = \"auto\"          # auto | rail-only | rail-optimized | clos | any
# prices = \"street-2026\"   # [prices] overrides single entries: \"qm9700\" = \"$30k\"

[objective]
minimize = \"usd-per-token\" # capex | tco | usd-per-token | power
# max_slowdown = 1.02      # step time over that on a full-bisection Clos; any for usd-per-token

# [limits]                 # what no design may exceed
# budget = \"$60M\"
# power = \"3 MW\"
# days = 120

# [inventory]              # parts already owned
# \"qm9700\" = 40

# [pricing]                # terms on the prices of books; `--prices FILE` lays your own book over them
# as_of = \"2026-11\"        # prices that were old then are warned of; no clock is read
# discounts = { switch = 0.15, all = 0.05 }
# prices in other currencies need [pricing.rates]: docs/prices.md

# [gate]                   # what `planner check --against base.json` fails on
# fail_on = [\"capex>+2%\", \"step.time_s>+1%\"]

# There is more: [framework] how the training stack overlaps and fuses, [technique.demo] and others
# that change the step, [[workload]] several jobs on one cluster, [hardware] parts of your own.
# `planner generate schema` has every key with its unit and default, for an editor that completes
# and checks.
";

#[cfg(test)]
mod tests {
    use super::starter_spec;
    use crate::spec::presets::{PresetKind, list_presets};
    use crate::spec::{SpecText, read_scenario};

    #[test]
    fn the_starter_of_every_model_is_sound() {
        for model in list_presets().into_iter().filter(|entry| entry.kind == PresetKind::Model) {
            let text = starter_spec(&model.name).expect("the model ships");
            let scenario = read_scenario(&SpecText::new("model.toml", text), &[]);
            let scenario = scenario.unwrap_or_else(|problems| panic!("{problems}"));
            assert_eq!(scenario.lead_workload().model.name, model.name);
        }
        assert_eq!(starter_spec("gpt-5"), None);
    }

    #[test]
    fn what_stands_in_comments_can_be_taken_in_as_it_is() {
        let text = starter_spec("llama3-70b").expect("the model ships");
        let taken: Vec<&str> = text
            .lines()
            .map(|line| match line.strip_prefix("# ") {
                Some(rest) if rest.starts_with('[') || rest.contains(" = ") => rest,
                _ => line,
            })
            .collect();
        let keys = taken.iter().filter(|line| !line.starts_with('#') && line.contains(" = "));
        assert!(keys.count() > 20, "{taken:?}");
        let spec = SpecText::new("model.toml", taken.join("\n"));
        read_scenario(&spec, &[]).unwrap_or_else(|problems| panic!("{problems}"));
    }
}

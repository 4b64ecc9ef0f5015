//! Reads the inputs that rows of figures name. The rows of inputs are in `stated_inputs` and
//! `found_inputs`; names that stand for several are here and in `input_lists`.

use super::explanation::ExplainedInput;
use super::found_inputs::FOUND;
use super::input_lists::LISTS;
use super::inputs::Facts;
use super::stated_inputs::STATED;
use crate::quantity::quantity_for_key;

/// The inputs of those names: rows, lists and figures, each as `KEY` or as `KEY as NAME`.
pub(super) fn named_inputs(facts: &Facts<'_>, names: &[&'static str]) -> Vec<ExplainedInput> {
    names.iter().flat_map(|name| read_named_input(facts, name)).collect()
}

fn read_named_input(facts: &Facts<'_>, named: &'static str) -> Vec<ExplainedInput> {
    let (key, other_name) = split_input_name(named);
    if let Some((_, keys)) = GROUPS.iter().find(|(group, _)| *group == key) {
        return named_inputs(facts, keys);
    }
    if let Some((_, list)) = LISTS.iter().find(|(list, _)| *list == key) {
        return list(facts);
    }
    let input = match STATED.iter().chain(FOUND).find(|input| input.key == key) {
        Some(input) => input.explain_input(facts),
        None => facts.figure_input(key, figure_name(key)),
    };
    let renamed = |input: ExplainedInput| match other_name {
        Some(name) => ExplainedInput { name: name.to_owned(), ..input },
        None => input,
    };
    input.map(renamed).into_iter().collect()
}

/// `KEY as NAME` in two.
fn split_input_name(named: &'static str) -> (&'static str, Option<&'static str>) {
    named.split_once(" as ").map_or((named, None), |(key, name)| (key, Some(name)))
}

/// What formulas call a figure: by its symbol, or as tables call it.
fn figure_name(key: &'static str) -> &'static str {
    let symbol = FIGURE_NAMES.iter().find(|(figure, _)| *figure == key);
    let label = || quantity_for_key(key).map_or(key, |row| row.label);
    symbol.map_or_else(label, |(_, name)| name)
}

/// Figures that formulas have a symbol or a shorter name for.
const FIGURE_NAMES: &[(&str, &str)] = &[
    ("fabric.planes", "planes P"),
    ("fabric.endpoints", "endpoints n"),
    ("fabric.bisection_share", "bandwidth within a rail ρ"),
    ("fabric.across_rails_share", "bandwidth across rails σ"),
    ("failures.standby_domains", "spare machines S"),
    ("failures.stops_per_year", "stops a year Λ"),
    ("step.time_s", "step time"),
];

/// Inputs that are named together.
const GROUPS: &[(&str, &[&str])] = &[
    (
        "degrees",
        &[
            "parallelism.tensor",
            "parallelism.pipeline",
            "parallelism.data",
            "parallelism.context",
            "parallelism.expert",
        ],
    ),
    (
        "parameters of a rank",
        &[
            "model.layers",
            "model.hidden",
            "model.vocab",
            "parallelism.tensor",
            "parallelism.pipeline",
            "parallelism.expert",
            "parallelism.data",
            "parallelism.context",
            "parallelism.zero",
            "training.precision",
        ],
    ),
    (
        "size of a message",
        &[
            "bytes of an activation w",
            "training.micro_batch",
            "micro-batches m",
            "model.sequence",
            "senders",
        ],
    ),
    ("senders", &["model.layers", "parallelism.tensor", "cluster.gpus"]),
    (
        "time of a call",
        &[
            "micro-batches m",
            "node.hb_bandwidth",
            "nic.bandwidth",
            "node.gpus",
            "gpu.nccl",
            "calibration.hb_share",
            "calibration.nic_share",
            "calibration.collective_start",
            "fabric.bisection_share",
            "fabric.across_rails_share",
        ],
    ),
    ("size of a layer", &["fabric.endpoints", "fabric.rails", "fabric.planes"]),
    (
        "exchange of all with all",
        &[
            "nic.bandwidth",
            "node.nics",
            "node.hb_bandwidth",
            "node.gpus",
            "HB domains M",
            "of what leaves a domain, for other rails φ",
            "fabric.across_rails_share",
            "fabric.bisection_share",
            "HB domains under a leaf m",
            "slowdown by the uplinks of leaf switches q",
        ],
    ),
    (
        "room of machines",
        &["HB domains M", "failures.standby_domains", "room of a machine", "node.power"],
    ),
];

#[cfg(test)]
mod tests {
    use super::{GROUPS, split_input_name};
    use crate::explain::found_inputs::FOUND;
    use crate::explain::input_lists::LISTS;
    use crate::explain::stated_inputs::STATED;
    use crate::quantity::{all_quantities, quantity_for_key};

    #[test]
    fn every_input_that_a_row_names_is_known() {
        let groups = GROUPS.iter().flat_map(|(_, names)| names.iter());
        for named in all_quantities().flat_map(|row| row.inputs).chain(groups) {
            let (key, _) = split_input_name(named);
            let known = STATED.iter().chain(FOUND).any(|input| input.key == key)
                || LISTS.iter().any(|(list, _)| *list == key)
                || GROUPS.iter().any(|(group, _)| *group == key)
                || quantity_for_key(key).is_some();
            assert!(known, "no input is called `{key}`");
        }
    }
}

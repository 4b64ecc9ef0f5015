//! Numbers that are explained, and where they come from.

use super::Preset;
use crate::explain::{Explanation, InputOrigin};

/// What `planner explain` shows.
#[derive(Clone, Copy, Debug)]
pub struct ExplainSheet<'a> {
    /// Name of the scenario.
    pub name: &'a str,
    /// What is explained.
    pub explanations: &'a [Explanation],
    /// Presets that inputs may come from, for their sources and dates.
    pub presets: &'a [Preset],
}

/// Where a value comes from, as a sentence.
pub(in super::super) fn input_origin_text(origin: &InputOrigin, presets: &[Preset]) -> String {
    match origin {
        InputOrigin::Spec(key) => format!("spec: `{key}`"),
        InputOrigin::Chosen(key) => format!("chosen by the planner: `{key}` is open"),
        InputOrigin::Preset { kind, name, entry } => {
            match presets.iter().find(|preset| preset.kind == *kind && preset.name == *name) {
                Some(preset) => {
                    let dated: Vec<&str> = [preset.source.as_str(), preset.date.as_str()]
                        .into_iter()
                        .filter(|text| !text.is_empty())
                        .collect();
                    let dated = dated.join(", ");
                    let open = if dated.is_empty() { String::new() } else { format!(" ({dated})") };
                    format!("{kind} preset `{name}`, `{entry}`, unless the spec says else{open}")
                }
                None => format!("spec: `{entry}` of the {kind} `{name}`"),
            }
        }
        InputOrigin::Priced(price) => {
            format!("{} price of {}: {}", price.basis.name(), price.date, price.source)
        }
        InputOrigin::Quantity(key) => format!("see `planner explain {key}`"),
        InputOrigin::Assumed(why) => format!("assumed: {why}"),
        InputOrigin::Found(words)
        | InputOrigin::Constant(words)
        | InputOrigin::Published(words) => (*words).to_owned(),
    }
}

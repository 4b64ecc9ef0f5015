//! Other designs worth knowing: those that differ from the chosen one in a single choice.

use super::choose::{Sized, Tools, size};
use super::plan::Alternative;
use super::run::Entry;
use super::terms::Terms;
use crate::scenario::{FabricChoice, Minimize};

/// Every candidate that differs in one choice, then the other objectives and families.
pub(super) fn alternatives(
    entries: &[Entry<'_>],
    best: usize,
    terms: &Terms<'_>,
    tools: &mut Tools<'_>,
) -> Vec<Alternative> {
    let chosen = &entries[best];
    let mut all: Vec<Alternative> = entries
        .iter()
        .enumerate()
        .filter(|(place, _)| *place != best)
        .filter_map(|(_, entry)| {
            let name = difference(entry, chosen)?;
            Some(alternative(name, &entry.sized, chosen, reason(terms.minimize)))
        })
        .collect();
    let mut again = |terms: &Terms<'_>| size(&chosen.job, chosen.sized.planes, terms, tools).ok();
    for (minimize, key) in [
        (Minimize::Capex, "capex"),
        (Minimize::Tco, "tco"),
        (Minimize::UsdPerToken, "usd-per-token"),
    ] {
        let other = Terms { minimize, trees_only: true, ..*terms };
        if minimize != terms.minimize
            && let Some(sized) = again(&other)
            && sized.counts != chosen.sized.counts
        {
            let name = format!("minimize = \"{key}\"");
            let reason = match minimize {
                Minimize::UsdPerToken => "another objective; only trees of one model tried",
                Minimize::Capex | Minimize::Tco => "another objective",
            };
            all.push(alternative(name, &sized, chosen, reason.to_owned()));
        }
    }
    let tight = Terms { max_slowdown: 1.0, ..*terms };
    if let Some(sized) = again(&tight)
        && sized.counts != chosen.sized.counts
    {
        let name = "no slower than a full-bisection Clos".to_owned();
        all.push(alternative(name, &sized, chosen, reason(terms.minimize)));
    }
    if terms.fabric == FabricChoice::Auto {
        for (fabric, name) in [
            (FabricChoice::RailOnly, "rail-only"),
            (FabricChoice::RailOptimized, "rail-optimized"),
            (FabricChoice::Clos, "full-bisection Clos"),
        ] {
            if let Some(sized) = again(&Terms { fabric, ..*terms })
                && sized.counts.kind != chosen.sized.counts.kind
            {
                let name = format!("{name}, {}", planes(sized.planes));
                all.push(alternative(name, &sized, chosen, reason(terms.minimize)));
            }
        }
    }
    all
}

fn alternative(name: String, sized: &Sized, chosen: &Entry<'_>, reason: String) -> Alternative {
    let known = &chosen.sized;
    Alternative {
        name,
        network_capex_change: sized.solution.capex - known.solution.capex,
        step_ratio: if known.time.get() > 0.0 { sized.time / known.time } else { 1.0 },
        reason,
    }
}

fn reason(minimize: Minimize) -> String {
    match minimize {
        Minimize::Capex => "no cheaper as a whole",
        Minimize::Tco => "no cheaper over the years",
        Minimize::UsdPerToken => "no cheaper per token",
    }
    .to_owned()
}

/// The one choice in which two candidates differ; `None` where they differ in several.
fn difference(entry: &Entry<'_>, chosen: &Entry<'_>) -> Option<String> {
    let (one, other) = (&entry.job, &chosen.job);
    let mut differences = Vec::new();
    if one.machine.node.name != other.machine.node.name {
        differences.push(format!("node {}", one.machine.node.name));
    } else {
        // Another product comes with its own interface and layout.
        if one.machine.nic.name != other.machine.nic.name {
            differences.push(format!("NIC {}", one.machine.nic.name));
        }
        if one.lead.layout().order != other.lead.layout().order {
            differences.push(format!("order {}", one.lead.layout().order));
        }
    }
    if entry.sized.protocol != chosen.sized.protocol {
        differences.push(format!("{} switches", entry.sized.protocol.title()));
    }
    if entry.sized.planes != chosen.sized.planes {
        differences.push(planes(entry.sized.planes));
    }
    if differences.len() == 1 { differences.pop() } else { None }
}

fn planes(count: u32) -> String {
    if count == 1 { "one plane".to_owned() } else { format!("{count} planes") }
}

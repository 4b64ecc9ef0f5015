//! What differs between two designs, and why one was not chosen, in words. Designs nothing.

use crate::design::candidate::candidates::Candidate;
use crate::design::candidate::layouts::has_open_layouts;
use crate::design::job::machine::Level;
use crate::design::plan::alternatives::{AlternativeKind, MOST};

/// What a row is called, and the choice in which it differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct NamedChoice {
    pub(super) differs: AlternativeKind,
    pub(super) name: String,
}

/// Choices that are those of the chosen design in rows which weigh no other candidate, where there
/// are others: `same machine, planes`.
pub(super) fn choices_kept_in_words(all: &[Candidate<'_>], chosen: &Candidate<'_>) -> String {
    let order = |candidate: &Candidate<'_>| candidate.job.lead_run().layout().order;
    let any = |differs: &dyn Fn(&Candidate<'_>) -> bool| all.iter().any(differs);
    let [node, nic] =
        [&chosen.job.machine.node.name, &chosen.job.machine.nic.name].map(String::as_str);
    let kept: Vec<&str> = [
        ("machine", any(&|candidate| candidate.job.machine.node.name != node)),
        (
            "NIC",
            any(&|candidate| {
                candidate.job.machine.node.name == node && candidate.job.machine.nic.name != nic
            }),
        ),
        ("planes", any(&|candidate| candidate.planes != chosen.planes)),
        ("order", any(&|candidate| order(candidate) != order(chosen))),
        ("layout", has_open_layouts(chosen.job.scenario)),
    ]
    .into_iter()
    .filter_map(|(name, open)| open.then_some(name))
    .collect();
    if kept.is_empty() { String::new() } else { format!("same {}", kept.join(", ")) }
}

/// How far the fabric is oversubscribed where that is beyond what the default allows an answer.
pub(super) fn oversubscription_note(level: Level) -> Option<String> {
    let narrow = level.member.is_none() && level.within > 0.0 && level.within * MOST < 1.0;
    narrow.then(|| format!("{:.0}:1 within a rail", 1.0 / level.within))
}

/// How much of the time trains where that is another share than of the chosen design by more than a
/// hundredth.
pub(super) fn goodput_note(trains: f64, chosen: f64) -> Option<String> {
    /// Goodputs that differ by no more are as good as equal.
    const ALIKE: f64 = 0.01;
    ((trains - chosen).abs() > ALIKE).then(|| format!("goodput {:.1} %", trains * 100.0))
}

/// The one choice in which two candidates differ; `None` where they differ in several.
pub(super) fn single_difference(
    candidate: &Candidate<'_>,
    chosen: &Candidate<'_>,
) -> Option<NamedChoice> {
    let (one, other) = (&candidate.job, &chosen.job);
    let mut all = Vec::new();
    let mut differ =
        |differs: AlternativeKind, name: String| all.push(NamedChoice { differs, name });
    if one.machine.node.name != other.machine.node.name {
        differ(AlternativeKind::Node, format!("node {}", one.machine.node.name));
    } else {
        // Another product comes with its own interface and layout.
        if one.machine.nic.name != other.machine.nic.name {
            differ(AlternativeKind::Nic, format!("NIC {}", one.machine.nic.name));
        }
        if one.lead_run().layout().order != other.lead_run().layout().order {
            differ(AlternativeKind::Order, format!("order {}", one.lead_run().layout().order));
        }
        let used = one.lead_run().placement().used_gpus_per_domain();
        if used != other.lead_run().placement().used_gpus_per_domain() {
            let name = format!("{used} of {} GPUs per domain", one.machine.node.gpus);
            differ(AlternativeKind::Placement, name);
        }
    }
    // Another interface comes with its own planes.
    let same = one.machine.nic.name == other.machine.nic.name
        || one.machine.node.name != other.machine.node.name;
    if candidate.planes != chosen.planes && same {
        differ(AlternativeKind::Planes, planes_in_words(candidate.planes));
    }
    // Every other choice may have switches of either protocol.
    if all.is_empty() && candidate.protocol != chosen.protocol {
        let name = format!("{} switches", candidate.protocol.title());
        all.push(NamedChoice { differs: AlternativeKind::Protocol, name });
    }
    if all.len() == 1 { all.pop() } else { None }
}

pub(super) fn planes_in_words(count: u32) -> String {
    if count == 1 { "1 plane".to_owned() } else { format!("{count} planes") }
}

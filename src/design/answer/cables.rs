//! What is assumed of the cables of a design, in words.

use crate::cost::{LinkParts, LinkWithCable};
use crate::design::candidate::job::Job;
use crate::design::candidate::linking::LinkPurchase;
use crate::design::candidate::money::links_of_fabric;
use crate::fabric::Counts;
use crate::scenario::Stretch;

/// What is assumed of cables.
pub(super) fn cable_assumptions(job: &Job<'_>, counts: &Counts) -> String {
    let LinkParts { host, uplink, width, .. } = match links_of_fabric(&job.fleet(), counts) {
        LinkPurchase::Parts(parts, _) => parts,
        LinkPurchase::ByEnd | LinkPurchase::Apart => {
            let text = match job.scenario.installation {
                Some(_) => {
                    "cables of links that are counted by their ends, and work, are the installation's"
                }
                None => "fibre, copper cables and labour have no dated price: not in the total",
            };
            let hall = match job.scenario.hall.stated {
                true => {
                    "; modules and cables that `planner cables` lists are on the bill with \
                         `links = \"parts\"` in [cluster]"
                }
                false => "",
            };
            return format!("{text}{hall}");
        }
    };
    let stretches = job.scenario.link_lengths();
    let between = match counts.link_count() > counts.host_links {
        true => {
            let wide = match width {
                1 => String::new(),
                _ => format!(", {width} ports a link"),
            };
            let metres = cable_lengths_in_words(&stretches.uplink);
            format!(", and {metres} between switches ({}{wide})", link_kind_names(&uplink))
        }
        false => String::new(),
    };
    let routed = if job.scenario.lengths.is_some() { ", routed through the hall" } else { "" };
    let labour = match job.scenario.installation {
        Some(_) => "work is the installation's",
        None => "labour has no price: not in the total",
    };
    format!(
        "{} to an interface ({}){between}{routed}; {labour}",
        cable_lengths_in_words(&stretches.host),
        link_kind_names(&host)
    )
}

/// How long cables are, in words.
fn cable_lengths_in_words(stretches: &[Stretch]) -> String {
    let all = || stretches.iter().map(|stretch| stretch.cable_m);
    let (least, most) = (all().min().unwrap_or(0), all().max().unwrap_or(0));
    if least == most { format!("{most} m") } else { format!("{least} m to {most} m") }
}

/// Names of kinds of link, each once.
fn link_kind_names(pairs: &[(LinkWithCable<'_>, u64)]) -> String {
    let mut names: Vec<&str> = pairs.iter().map(|(joint, _)| joint.kind.name.as_str()).collect();
    names.dedup();
    names.join(", ")
}

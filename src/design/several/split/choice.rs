//! One candidate for each part, and the order in which such choices are tried. Solves nothing.

use crate::design::several::choices::ChoiceBound;
use crate::design::several::ready::ReadyCandidate;
use crate::design::several::ways::Combinations;

/// One candidate for each part.
pub(super) struct PartChoice<'r, 'a> {
    pub(super) ready: Vec<&'r ReadyCandidate<'a>>,
    /// What it takes at least.
    least: f64,
}

impl ChoiceBound for PartChoice<'_, '_> {
    fn objective_value(&self) -> f64 {
        self.least
    }
}

impl<'r, 'a> PartChoice<'r, 'a> {
    /// The choice of these candidates, in the order of the parts.
    pub(super) fn from_candidates(ready: Vec<&'r ReadyCandidate<'a>>) -> Self {
        let least = ready.iter().map(|ready| ready.least).sum();
        Self { ready, least }
    }

    /// Names of the products, part by part.
    pub(super) fn product_names(&self) -> Vec<&str> {
        self.ready.iter().map(|ready| ready.product()).collect()
    }

    /// `dense on dgx-h100, experts on gb200-nvl72`.
    pub(super) fn describe_choice(&self) -> String {
        let each = self.ready.iter().map(|ready| {
            format!("{} on {}", ready.candidate.job.lead.workload.name, ready.product())
        });
        each.collect::<Vec<String>>().join(", ")
    }
}

/// The choices among candidates of each part, those that take least first: each with what it takes
/// at least, which is what its candidates take alone.
pub(super) fn part_choices<'r, 'a: 'r>(
    all: Vec<Vec<&'r ReadyCandidate<'a>>>,
) -> impl Iterator<Item = (f64, Option<PartChoice<'r, 'a>>)> {
    let least = |part: &Vec<&ReadyCandidate<'_>>| part.iter().map(|ready| ready.least).collect();
    let ways = Combinations::new(all.iter().map(least).collect::<Vec<Vec<f64>>>());
    ways.map(move |(least, places)| {
        let ready = all.iter().zip(places).map(|(part, place)| part[place]).collect();
        (least, Some(PartChoice { ready, least }))
    })
}

/// Products part by part, those that take least first.
pub(super) fn product_combinations<'r>(
    all: &'r [Vec<ReadyCandidate<'_>>],
) -> impl Iterator<Item = Vec<&'r str>> {
    let products = |part: &'r Vec<ReadyCandidate<'_>>| {
        let mut known: Vec<(&str, f64)> = Vec::new();
        for ready in part {
            match known.iter_mut().find(|(name, _)| *name == ready.product()) {
                Some((_, least)) => *least = least.min(ready.least),
                None => known.push((ready.product(), ready.least)),
            }
        }
        known
    };
    let each: Vec<Vec<(&str, f64)>> = all.iter().map(products).collect();
    let bounds = |pairs: &Vec<(&str, f64)>| pairs.iter().map(|(_, least)| *least).collect();
    let ways = Combinations::new(each.iter().map(bounds).collect::<Vec<Vec<f64>>>());
    ways.map(move |(_, places)| each.iter().zip(places).map(|(pairs, at)| pairs[at].0).collect())
}

//! What is chosen before a fabric is sized, and every such choice with its fabric. Writes nothing up.

use super::choose::{Sized, Tools, preferred, size};
use super::infeasible::Infeasible;
use super::job::{Job, jobs};
use super::machine;
use super::money::machines;
use super::offer::protocols;
use super::running::Overflow;
use super::terms::Terms;
use super::unpriced::without_unpriced;
use crate::hardware::Protocol;
use crate::scenario::{Minimize, Scenario};

/// Everything that is chosen before a fabric is sized.
#[derive(Clone, Debug)]
pub(super) struct Candidate<'a> {
    pub(super) job: Job<'a>,
    pub(super) planes: u32,
    pub(super) protocol: Protocol,
}

impl Candidate<'_> {
    /// What it takes of a quantity whatever its network: its machines, where the step can't be shorter
    /// than without a bottleneck in the network; in the units of a design's value.
    pub(super) fn least(&self, quantity: Minimize) -> f64 {
        let job = &self.job;
        let alone = machines(job).alone(quantity);
        match quantity {
            Minimize::UsdPerToken => alone * job.full().get(),
            Minimize::Capex | Minimize::Tco | Minimize::Power => alone,
        }
    }

    /// What it is, in a few words.
    pub(super) fn words(&self) -> String {
        let machine = self.job.machine;
        let planes = match self.planes {
            1 => "one plane".to_owned(),
            planes => format!("{planes} planes"),
        };
        let order = self.job.lead.layout().order;
        let (node, nic, switches) = (&machine.node.name, &machine.nic.name, self.protocol.title());
        format!("{node} with {nic}, {planes}, {switches}, order {order}")
    }

    /// Its best fabric.
    ///
    /// # Errors
    /// Why it has none.
    pub(super) fn sized(
        &self,
        terms: &Terms<'_>,
        tools: &mut Tools<'_>,
    ) -> Result<Sized, Infeasible> {
        let terms = Terms { protocol: self.protocol, ..*terms };
        size(&self.job, self.planes, &terms, tools)
    }
}

/// Every candidate of a scenario in a fixed order, and the furthest failure among those that no
/// job fits.
pub(super) fn candidates(scenario: &Scenario) -> (Vec<Candidate<'_>>, Option<Infeasible>) {
    let mut all = Vec::new();
    let mut failed: Option<Infeasible> = None;
    let mut next = 0;
    for machine in machine::machines(&scenario.cluster) {
        let jobs = match jobs(scenario, machine, Overflow::Refused) {
            Ok(jobs) => jobs,
            Err(reason) => {
                failed = Some(Infeasible::further(failed, reason));
                continue;
            }
        };
        for job in jobs {
            let job = Job { id: next, ..job };
            next += 1;
            for planes in machine.planes(&scenario.cluster) {
                let of = |protocol| Candidate { job: job.clone(), planes, protocol };
                all.extend(protocols(scenario).into_iter().map(of));
            }
        }
    }
    without_unpriced(scenario, &mut all);
    (all, failed)
}

/// Designs whose objective lies within this share of the best one's count as ties.
pub(super) const TIE: f64 = 0.005;

/// What came of sizing candidates.
pub(super) struct Tried<'a> {
    /// Those that can be built and that are best, tie with the best, or came before that was known,
    /// in the order of all.
    pub(super) entries: Vec<Entry<'a>>,
    /// Those of which neither a design nor a proof that there is none was found, by place, with what
    /// they take at least.
    pub(super) unproven: Vec<(usize, f64)>,
    /// The furthest failure of one that was tried.
    pub(super) failed: Option<Infeasible>,
}

/// Sizes candidates.
///
/// They are sized in the order of what their machines take alone, up to the first that can't tie with
/// the best whatever its network: of the others each is worse.
pub(super) fn entries<'a>(
    all: &[Candidate<'a>],
    mut failed: Option<Infeasible>,
    terms: &Terms<'_>,
    tools: &mut Tools<'_>,
) -> Tried<'a> {
    let order = by_least(all, 0..all.len(), terms.minimize);
    let mut entries: Vec<Entry<'a>> = Vec::new();
    let mut unproven = Vec::new();
    let mut best = f64::INFINITY;
    for (least, place) in order {
        if least > best * (1.0 + TIE) {
            break;
        }
        // Of the others only those count that may tie with the best.
        let asked = if best.is_finite() { terms.below(best * (1.0 + TIE)) } else { *terms };
        match all[place].sized(&asked, tools) {
            Ok(sized) => {
                best = best.min(sized.value);
                entries.push(Entry { place, job: all[place].job.clone(), sized });
            }
            Err(reason) => {
                if reason == Infeasible::Unknown {
                    unproven.push((place, least));
                }
                failed = Some(Infeasible::further(failed, reason));
            }
        }
    }
    entries.sort_by_key(|entry| entry.place);
    Tried { entries, unproven, failed }
}

/// Some candidates by place, what takes least first, each with [that](Candidate::least).
pub(super) fn by_least(
    all: &[Candidate<'_>],
    some: impl Iterator<Item = usize>,
    quantity: Minimize,
) -> Vec<(f64, usize)> {
    let mut order: Vec<(f64, usize)> =
        some.map(|place| (all[place].least(quantity), place)).collect();
    order.sort_by(|a, b| a.0.total_cmp(&b.0));
    order
}

/// A candidate with its answer.
pub(super) struct Entry<'a> {
    /// Its place among all.
    pub(super) place: usize,
    pub(super) job: Job<'a>,
    pub(super) sized: Sized,
}

/// Place of the best entry; of equal ones the first.
pub(super) fn best(entries: &[Entry<'_>]) -> Option<usize> {
    let mut best: Option<usize> = None;
    for (place, entry) in entries.iter().enumerate() {
        if best.is_none_or(|known| preferred(&entry.sized, &entries[known].sized)) {
            best = Some(place);
        }
    }
    best
}

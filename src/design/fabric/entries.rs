//! Candidates with their fabrics: which of them are sized, and the best. Writes nothing up.

use super::choose::size_network;
use super::instance::SizingTools;
use super::sized::{ROUNDING, SizedFabric, is_preferred};
use super::terms::Terms;
use crate::design::candidate::infeasible::Infeasible;
use crate::design::candidate::job::Job;
use crate::design::candidate::list::{Candidate, sort_ascending};
use crate::sizing::{DesignProgress, ProofMeans};

impl Candidate<'_> {
    /// Its best fabric.
    ///
    /// # Errors
    /// Why it has none.
    pub(crate) fn size_network(
        &self,
        terms: &Terms<'_>,
        tools: &mut SizingTools<'_>,
    ) -> Result<SizedFabric, Infeasible> {
        let terms = Terms { protocol: self.protocol, ..*terms };
        size_network(&self.job, self.planes, &terms, tools)
    }

    /// True where its machines alone take more of a quantity than those minimised before leave to it.
    fn breaks_caps(&self, terms: &Terms<'_>) -> bool {
        let floor = |quantity| self.lower_bound(&Terms { minimize: quantity, ..*terms });
        let mut caps = terms.caps.caps_independent_of_step_time();
        caps.any(|(quantity, most)| floor(quantity) > most * (1.0 + ROUNDING))
    }
}

/// Designs whose objective lies within this share of the best one's count as ties.
pub(crate) const TIE: f64 = 0.005;

/// What designs may take that are of use where that one is known. Terms are kept as if the most of the time
/// trained: where less does on it, what ties with it is below that already.
pub(crate) fn useful_value_limit(best: &SizedFabric) -> f64 {
    best.value * ((1.0 + TIE) * best.of_most).max(1.0)
}

/// What came of sizing candidates.
pub(crate) struct SizedCandidates<'a> {
    /// Those that can be built and that are best, tie with the best, or came before that was known,
    /// in the order of all.
    pub(crate) entries: Vec<SizedCandidate<'a>>,
    /// Those of which neither a design nor a proof that there is none was found, by place, with what
    /// they take at least; the first of those that were not sized any more among them.
    pub(crate) unproven: Vec<(usize, f64)>,
    /// Candidates that are settled: all, where nobody ended it before.
    pub(crate) settled: usize,
    /// The furthest failure of one that was tried.
    pub(crate) failed: Option<Infeasible>,
}

/// Sizes candidates.
///
/// They are sized in the order of what they take at least, up to the first that can't tie with the best
/// whatever its network: of the others each is worse. Where the best so far is enough, no more are sized
/// after the first.
pub(crate) fn size_candidates<'a>(
    all: &[Candidate<'a>],
    mut failed: Option<Infeasible>,
    terms: &Terms<'_>,
    tools: &mut SizingTools<'_>,
) -> SizedCandidates<'a> {
    let order = sort_by_lower_bound(all, 0..all.len(), terms);
    let mut entries: Vec<SizedCandidate<'a>> = Vec::new();
    let mut unproven = Vec::new();
    let mut best = f64::INFINITY;
    let mut useful = f64::INFINITY;
    let mut settled = all.len();
    for (number, (least, place)) in order.iter().copied().enumerate() {
        if least > useful {
            break;
        }
        if number > 0 && tools.is_stopped() {
            // No later one takes less.
            unproven.push((place, least));
            settled = number;
            break;
        }
        if all[place].breaks_caps(terms) {
            failed = Some(Infeasible::pick_further(failed, Infeasible::Dearer));
            continue;
        }
        // Of the others only those count that may tie with the best; with other machines on standby than one that is
        // known, only those that are better.
        let is_sibling =
            entries.iter().any(|candidate| all[candidate.place].is_same_but_standby(&all[place]));
        let most = if is_sibling { best } else { useful };
        if least > most {
            continue;
        }
        let asked = if best.is_finite() { terms.with_value_limit(most) } else { *terms };
        match all[place].size_network(&asked, tools) {
            Ok(sized) => {
                if sized.value < best {
                    best = sized.value;
                    useful = self::useful_value_limit(&sized);
                }
                entries.push(SizedCandidate { place, job: all[place].job.clone(), sized });
            }
            Err(reason) => {
                if reason == Infeasible::Unknown {
                    unproven.push((place, least));
                }
                failed = Some(Infeasible::pick_further(failed, reason));
            }
        }
        tools.report_design_progress(|| {
            let next = order.get(number + 1).map_or(f64::INFINITY, |(least, _)| *least);
            let of_sized = entries.iter().map(|entry| entry.sized.bound);
            let bound = of_sized.chain(unproven.iter().map(|pair| pair.1)).fold(next, f64::min);
            let best = self::best_entry(&entries).map(|best| &entries[best]);
            let best = best.map(|candidate| {
                all[candidate.place].best_so_far(terms.minimize, candidate.sized.value, bound)
            });
            let (done, all) = (number as u64 + 1, all.len() as u64);
            DesignProgress { through: ProofMeans::Candidates, done, all, best }
        });
    }
    entries.sort_by_key(|entry| entry.place);
    SizedCandidates { entries, unproven, settled, failed }
}

/// Some candidates by place, what takes least first, each with [that](Candidate::lower_bound).
pub(crate) fn sort_by_lower_bound(
    all: &[Candidate<'_>],
    some: impl Iterator<Item = usize>,
    terms: &Terms<'_>,
) -> Vec<(f64, usize)> {
    sort_ascending(some, |place| all[place].lower_bound(terms))
}

/// A candidate with its answer.
#[derive(Clone)]
pub(crate) struct SizedCandidate<'a> {
    /// Its place among all.
    pub(crate) place: usize,
    pub(crate) job: Job<'a>,
    pub(crate) sized: SizedFabric,
}

/// Candidates of which no two differ in machines on standby alone, with their entries and the number of the best one:
/// of several the best entry, else the best that is sized, else what takes least whatever its network.
pub(crate) fn drop_standby_siblings<'a>(
    all: &[Candidate<'a>],
    entries: &[SizedCandidate<'a>],
    best: usize,
    terms: &Terms<'_>,
) -> (Vec<Candidate<'a>>, Vec<SizedCandidate<'a>>, usize) {
    let rank = |place: usize| {
        let own = entries
            .iter()
            .filter(|candidate| candidate.place == place)
            .map(|candidate| candidate.sized.value);
        let sized = own.fold(f64::INFINITY, f64::min);
        (entries[best].place != place, sized, all[place].lower_bound(terms))
    };
    let before = |one: (bool, f64, f64), other: (bool, f64, f64)| {
        let values = || one.1.total_cmp(&other.1).then(one.2.total_cmp(&other.2));
        one.0.cmp(&other.0).then_with(values).is_lt()
    };
    let mut kept: Vec<usize> = Vec::new();
    for place in 0..all.len() {
        match kept.iter_mut().find(|known| all[**known].is_same_but_standby(&all[place])) {
            Some(known) if before(rank(place), rank(*known)) => *known = place,
            Some(_) => {}
            None => kept.push(place),
        }
    }
    kept.sort_unstable();
    let mut own_entries = Vec::new();
    let mut own_best = 0;
    for (number, entry) in entries.iter().enumerate() {
        if let Ok(place) = kept.binary_search(&entry.place) {
            own_best = if number == best { own_entries.len() } else { own_best };
            own_entries.push(SizedCandidate { place, ..entry.clone() });
        }
    }
    (kept.into_iter().map(|place| all[place].clone()).collect(), own_entries, own_best)
}

/// Place of the best entry; of equal ones the first.
pub(crate) fn best_entry(entries: &[SizedCandidate<'_>]) -> Option<usize> {
    let mut best: Option<usize> = None;
    for (place, entry) in entries.iter().enumerate() {
        if best.is_none_or(|known| is_preferred(&entry.sized, &entries[known].sized)) {
            best = Some(place);
        }
    }
    best
}

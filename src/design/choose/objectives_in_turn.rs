//! Quantities minimised one after another: each among the designs that are best by those before it,
//! within a tolerance. Sizes nothing itself.

use super::routed_fallbacks::{best_routed_by_oversubscription, best_routed_so_far};
use crate::design::assemble::routing_check::{RoutingRound, correct_clock_by_routing};
use crate::design::candidate::candidates::Candidate;
use crate::design::columns::terms::Terms;
use crate::design::job::infeasible::Infeasible;
use crate::design::network::candidate_sizing::{
    SizedCandidate, SizedCandidates, best_entry, size_candidates, useful_value_limit,
};
use crate::design::network::program::SizingTools;
use crate::design::network::sized_fabric::{is_preferred, value_of};
use crate::design::plan::alternatives::Priority;
use crate::design::plan::proof::Certificate;
use crate::scenario::Minimize;
use crate::sizing::Proof;
use crate::units::ROUNDING;

/// Candidates sized for one quantity, and the best of them.
pub(crate) struct Incumbent<'a, 't> {
    pub(crate) entries: Vec<SizedCandidate<'a>>,
    pub(crate) best: usize,
    pub(crate) terms: Terms<'t>,
    /// What is proven of the best; where several quantities were minimised, of the first that is
    /// not proven, else of the last.
    pub(crate) certificate: Certificate,
    /// Candidates that are settled: all, where nobody ended it before.
    pub(crate) settled: usize,
}

impl<'a, 't> Incumbent<'a, 't> {
    /// Of what came of sizing candidates.
    ///
    /// # Errors
    /// The furthest failure, where none can be built.
    fn from_sized_candidates(
        all: &[Candidate<'a>],
        tried: SizedCandidates<'a>,
        terms: Terms<'t>,
    ) -> Result<Self, Option<Infeasible>> {
        let SizedCandidates { entries, unproven, settled, failed } = tried;
        let Some(best) = best_entry(&entries) else { return Err(failed) };
        let certificate = Certificate::from_entries(all, &entries, best, &unproven);
        Ok(Self { entries, best, terms, certificate, settled })
    }

    /// The best design.
    pub(crate) fn best_entry(&self) -> &SizedCandidate<'a> {
        &self.entries[self.best]
    }

    /// The best design alone; `None` where there is none.
    fn into_best(mut self) -> Option<SizedCandidate<'a>> {
        (self.best < self.entries.len()).then(|| self.entries.swap_remove(self.best))
    }

    /// Takes another design in place of the best one. What is proven of all others stays.
    pub(super) fn replace_best(&mut self, other: SizedCandidate<'a>) {
        self.certificate = self.certificate.clone().for_other_value(other.sized.value);
        self.best = self.entries.len();
        self.entries.push(other);
    }
}

/// What is chosen in the end.
pub(crate) struct ObjectiveResult<'a, 't> {
    /// Where the last quantity left it.
    pub(crate) incumbent: Incumbent<'a, 't>,
    /// The least of each quantity in its turn, in the units of a design's value.
    pub(crate) least_values: Vec<(Minimize, f64)>,
    /// What became of each; empty where there is one.
    pub(crate) priorities: Vec<Priority>,
}

impl<'a> ObjectiveResult<'a, '_> {
    /// What is chosen takes so much.
    pub(crate) fn incumbent_value(&self) -> f64 {
        self.incumbent.best_entry().sized.value
    }

    /// What designs may take that are of use beside what is chosen: those that tie with it.
    pub(crate) fn useful_value_limit(&self) -> f64 {
        let best = &self.incumbent.best_entry().sized;
        useful_value_limit(best)
    }

    /// What is chosen, where a design of some candidates may take as little as `floor`.
    pub(super) fn with_lower_bound(mut self, floor: f64, all: &[Candidate<'_>]) -> Self {
        let rival = || all[self.incumbent.best_entry().place].describe();
        let certificate = self.incumbent.certificate.clone();
        self.incumbent.certificate = certificate.with_other_bound(floor, rival);
        self
    }

    /// What is chosen where there is more to choose from, of which nothing is better: `now` has all
    /// of `before`. Of the rest no design takes less than `floor`.
    pub(crate) fn choose_again_among(
        mut self,
        before: &[Candidate<'_>],
        now: &[Candidate<'_>],
        floor: Option<(f64, &str)>,
    ) -> Self {
        let alike = |one: &Candidate<'_>, other: &Candidate<'_>| {
            one.is_same_but_standby(other) && one.job.standby == other.job.standby
        };
        for entry in &mut self.incumbent.entries {
            let own = &before[entry.place];
            entry.place =
                now.iter().position(|candidate| alike(candidate, own)).unwrap_or(entry.place);
        }
        let certificate = self.incumbent.certificate.clone();
        self.incumbent.certificate = match floor {
            Some((floor, node)) => certificate.with_other_bound(floor, || node.to_owned()),
            None => certificate,
        };
        self
    }

    /// What no design takes less of, by quantity: where there is one, what is proven; of several,
    /// what each took in its turn.
    fn proven_lower_bounds(&self) -> Vec<f64> {
        match self.least_values.as_slice() {
            [_] => vec![self.incumbent.certificate.bound],
            all => all.iter().map(|(_, least)| *least).collect(),
        }
    }

    /// What is chosen once routing refutes nothing more, or was asked often enough: where a fabric
    /// that was found by its ratio is better, that one.
    fn settle_after_routing(
        mut self,
        all: &[Candidate<'a>],
        floors: &[f64],
        refuted: bool,
        by_ratio: Option<SizedCandidate<'a>>,
    ) -> Self {
        let proven = self.proven_lower_bounds();
        let chosen = self.incumbent.best_entry();
        let rival = all[chosen.place].describe();
        let other =
            by_ratio.filter(|candidate| refuted || is_preferred(&candidate.sized, &chosen.sized));
        let certificate = self.incumbent.certificate.clone();
        self.incumbent.certificate = if refuted && other.is_none() {
            certificate.mark_unverified(rival)
        } else {
            // Another fabric of a level that was found slower may be as fast as that level says.
            let shares = proven.iter().zip(floors).map(|(proven, floor)| floor / proven);
            let floor = certificate.bound * shares.fold(1.0, f64::min);
            certificate.with_other_bound(floor, || rival)
        };
        if let Some(other) = other {
            self.least_values = vec![(self.incumbent.terms.minimize, other.sized.value)];
            self.incumbent.replace_best(other);
        }
        self
    }
}

impl<'a> ObjectiveResult<'a, '_> {
    /// What is chosen where the best so far is enough: of those designs that are fast enough when
    /// routed the best, those found before among them; `None` where none is. What several
    /// quantities left is that or nothing.
    fn cut_short(
        mut self,
        all: &[Candidate<'a>],
        before: Vec<SizedCandidate<'a>>,
        floors: &[f64],
        refuted: bool,
        tools: &mut SizingTools<'_>,
    ) -> Option<Self> {
        if !self.priorities.is_empty() {
            return (!refuted).then(|| self.settle_after_routing(all, floors, false, None));
        }
        let terms = self.incumbent.terms;
        let sized = self.incumbent.entries.clone();
        let best =
            best_routed_so_far([sized, before].concat(), unused_job_number(all), &terms, tools)?;
        self.least_values = vec![(terms.minimize, best.sized.value)];
        self.incumbent.replace_best(best);
        Some(self.settle_after_routing(all, floors, false, None))
    }
}

impl<'a, 't> ObjectiveResult<'a, 't> {
    /// The one design that was found, where the rounds before proved no less than `floors`.
    fn from_entry(
        all: &[Candidate<'a>],
        only: SizedCandidate<'a>,
        terms: Terms<'t>,
        floors: &[f64],
    ) -> Self {
        let value = only.sized.value;
        let certificate = Certificate {
            bound: floors.first().map_or(value, |floor| floor.min(value)),
            value,
            proof: Proof::Check,
            rival: Some(all[only.place].describe()),
            only_goodput: false,
        };
        let settled = all.len();
        let incumbent = Incumbent { entries: vec![only], best: 0, terms, certificate, settled };
        Self { incumbent, least_values: vec![(terms.minimize, value)], priorities: Vec::new() }
    }
}

/// The best design of all candidates: what every quantity of the scenario leaves, one after
/// another. Its step is routed over its fabric; where that takes longer than it was timed, all are
/// weighed again (docs/formulation.md).
///
/// # Errors
/// The furthest failure, where there is no design.
pub(crate) fn choose_routed<'a, 't>(
    all: &[Candidate<'a>],
    failed: Option<Infeasible>,
    terms: Terms<'t>,
    tools: &mut SizingTools<'_>,
) -> Result<ObjectiveResult<'a, 't>, Option<Infeasible>> {
    let mut floors: Vec<f64> = Vec::new();
    let interfaces = all.iter().map(|candidate| candidate.job.endpoints()).max().unwrap_or(0);
    let mut round = RoutingRound::first_round(interfaces);
    let mut by_ratio = None;
    let mut before = Vec::new();
    loop {
        let last = match best_by_known_times(all, failed.clone(), terms, tools) {
            Ok(last) => last,
            Err(failed) if tools.is_stopped() => {
                before.extend(by_ratio);
                let best = best_routed_so_far(before, unused_job_number(all), &terms, tools);
                return best
                    .map(|candidate| ObjectiveResult::from_entry(all, candidate, terms, &floors))
                    .ok_or(failed);
            }
            Err(failed) => {
                // Levels whose routed fabrics are too slow may have others that are fast enough.
                if by_ratio.is_none() && !round.is_first() {
                    by_ratio = best_routed_by_oversubscription(all, &terms, tools);
                }
                return by_ratio
                    .map(|candidate| ObjectiveResult::from_entry(all, candidate, terms, &floors))
                    .ok_or(failed);
            }
        };
        let SizedCandidate { job, sized, .. } = last.incumbent.best_entry();
        let refuted = correct_clock_by_routing(job, sized.level, &sized.blueprint, round);
        tools.interfaces_routed += job.endpoints();
        if refuted {
            tools.cache.clear_step_times();
        }
        if tools.is_stopped() {
            before.extend(by_ratio);
            let found = last.cut_short(all, before, &floors, refuted, tools);
            return found.ok_or(Some(Infeasible::Interrupted));
        }
        let Some(next) = round.next_round().filter(|_| refuted) else {
            if refuted && last.priorities.is_empty() {
                // What was chosen last is slower than it was timed: the best that is fast enough
                // when routed.
                before.extend(by_ratio);
                let found = last.cut_short(all, before, &floors, refuted, tools);
                return found.ok_or(Some(Infeasible::Unknown));
            }
            return Ok(last.settle_after_routing(all, &floors, refuted, by_ratio));
        };
        lower_known_bounds(&mut floors, &last.proven_lower_bounds());
        // From here on levels are corrected by what other fabrics take.
        if next.applies_to_all_levels() && !round.applies_to_all_levels() {
            by_ratio = best_routed_by_oversubscription(all, &terms, tools);
        }
        before.extend(last.incumbent.into_best());
        round = next;
    }
}

/// A number that no job of some candidates has, nor one that [`best_routed_by_oversubscription`]
/// makes of them.
fn unused_job_number(all: &[Candidate<'_>]) -> usize {
    all.iter().map(|candidate| candidate.job.id).max().unwrap_or(0) + 2 * all.len() + 1
}

/// Lowers what is known of each quantity.
fn lower_known_bounds(floors: &mut Vec<f64>, proven: &[f64]) {
    floors.resize(proven.len(), f64::INFINITY);
    for (floor, proven) in floors.iter_mut().zip(proven) {
        *floor = floor.min(*proven);
    }
}

/// The best design by the times that are known.
fn best_by_known_times<'a, 't>(
    all: &[Candidate<'a>],
    failed: Option<Infeasible>,
    terms: Terms<'t>,
    tools: &mut SizingTools<'_>,
) -> Result<ObjectiveResult<'a, 't>, Option<Infeasible>> {
    let tried = size_candidates(all, failed, &terms, tools);
    Ok(choose_remaining_objectives(
        all,
        Incumbent::from_sized_candidates(all, tried, terms)?,
        tools,
    ))
}

/// What the further quantities of a scenario choose, from what the first one chose; that alone
/// where there is no other.
///
/// Each quantity is capped at its least value times 1 + tolerance before the next is minimised, so
/// that every program contains the design before it and none of the earlier values is lost
/// (docs/formulation.md).
fn choose_remaining_objectives<'a, 't>(
    all: &[Candidate<'a>],
    mut incumbent: Incumbent<'a, 't>,
    tools: &mut SizingTools<'_>,
) -> ObjectiveResult<'a, 't> {
    let value = |incumbent: &Incumbent<'_, '_>,
                 objective_quantity: Minimize,
                 tools: &mut SizingTools<'_>| {
        let entry = incumbent.best_entry();
        value_of(objective_quantity, &entry.job, &entry.sized, &mut tools.cache)
    };
    let first = (incumbent.terms.minimize, incumbent.best_entry().sized.value);
    let alone = Vec::new();
    let objective = match all.first() {
        Some(any) if !any.job.scenario.objective.then.is_empty() => &any.job.scenario.objective,
        _ => return ObjectiveResult { incumbent, least_values: vec![first], priorities: alone },
    };
    let share = 1.0 + objective.tolerance + ROUNDING;
    let mut least =
        vec![(incumbent.terms.minimize, value(&incumbent, incumbent.terms.minimize, tools), None)];
    for next in &objective.then {
        if tools.is_stopped() {
            break;
        }
        let before = value(&incumbent, *next, tools);
        let done = incumbent.terms.minimize;
        let now = incumbent.best_entry();
        let caps =
            incumbent.terms.caps.with_cap(done, now.sized.allowed_value(done, &now.job, share));
        let most: Vec<(Minimize, f64)> = least
            .iter()
            .map(|(objective_quantity, _, _)| {
                (*objective_quantity, value(&incumbent, *objective_quantity, tools) * share)
            })
            .collect();
        let terms = Terms { minimize: *next, caps, silent: true, ..incumbent.terms };
        let earlier = incumbent.certificate.clone();
        match Incumbent::from_sized_candidates(
            all,
            size_candidates(all, None, &terms, tools),
            terms,
        ) {
            Ok(next)
                if most.iter().all(|(objective_quantity, most)| {
                    value(&next, *objective_quantity, tools) <= *most
                }) =>
            {
                incumbent = next;
            }
            // The solver gave up on what is known to exist, or less of the time trains on what was
            // found, which caps do not know: the design before stays.
            Ok(_) | Err(_) => incumbent.terms = Terms { caps, ..incumbent.terms },
        }
        if !earlier.is_optimal() {
            incumbent.certificate = earlier;
        }
        least.push((*next, value(&incumbent, *next, tools), Some(before)));
    }
    let mut priority = |(objective_quantity, least, before): &(Minimize, f64, Option<f64>)| {
        let taken = value(&incumbent, *objective_quantity, tools);
        Priority {
            quantity: *objective_quantity,
            given_up: (taken / least - 1.0).max(0.0),
            gained: before.map_or(0.0, |before| 1.0 - taken / before),
        }
    };
    let priorities = least.iter().map(&mut priority).collect();
    let least = least
        .into_iter()
        .map(|(objective_quantity, least, _)| (objective_quantity, least))
        .collect();
    incumbent.terms.silent = false;
    ObjectiveResult { incumbent, least_values: least, priorities }
}

#[cfg(test)]
mod tests {
    use super::lower_known_bounds;

    #[test]
    fn floors_are_the_least_that_any_round_has_proven() {
        let mut floors = Vec::new();
        lower_known_bounds(&mut floors, &[2.0, 3.0]);
        lower_known_bounds(&mut floors, &[1.0, 4.0]);
        assert_eq!(floors, [1.0, 3.0]);
    }
}

//! Smallest set of limits that leaves no design; fewer GPUs; limits a baseline breaks.

use super::limit::{Limit, is_shared};
use super::limit_row::LimitState;
use crate::design::assemble::routing_check::{RoutingRound, correct_clock_by_routing};
use crate::design::candidate::candidates::{Candidate, list_candidates, sort_by_lower_bound};
use crate::design::columns::terms::Terms;
use crate::design::effort;
use crate::design::job::infeasible::Infeasible;
use crate::design::job::infeasible_details::LimitMove;
use crate::design::network::candidate_sizing::size_candidates;
use crate::design::network::program::SizingTools;
use crate::design::network::sized_fabric::SizedFabric;
use crate::design::plan::plan::{Plan, StatedLimit};
use crate::scenario::{Minimize, Scenario};
use crate::sizing::Options;

/// What no design meets, and the change of one limit, or of a few together, that would do; `failed`
/// where limits are not what is in the way.
///
/// Every limit is moved alone first, all others as the scenario states them. Where none of them is
/// enough, limits are taken back one after another as long as there is a design without the
/// others: what remains has to move together.
pub(super) fn infeasible_subset(
    scenario: &Scenario,
    terms: &Terms<'_>,
    tools: &SizingTools<'_>,
    failed: Infeasible,
) -> Infeasible {
    let state = LimitState::from_scenario(scenario, terms);
    let stated = state.movable_limits();
    let free = state.without_limits(&stated);
    // Rank orders that a limit on slowdown leaves out are there again without it.
    let mut open = scenario.clone();
    open.objective.max_slowdown = Some(free.max_slowdown);
    let (all, _) = list_candidates(&open, tools.options);
    // These are other jobs than those that were sized before: nothing is known of them.
    let mut tools = SizingTools::new(tools.options);
    let mut market = LimitSearch { candidates: &all, terms, tools: &mut tools };
    if market.first_feasible_design(&free).is_none() {
        return market.reason_for_failure(&free).unwrap_or(failed);
    }
    let alone: Vec<LimitMove> = stated
        .iter()
        .filter_map(|limit| {
            Some(limit.move_by_steps(&state, market.min_feasible_step(limit, &state)?))
        })
        .collect();
    if !alone.is_empty() {
        return Infeasible::Clash(alone);
    }
    Infeasible::Together(market.smallest_moving_set(&stated, &state))
}

/// All candidates, under any limits.
struct LimitSearch<'m, 'a, 't, 'o> {
    candidates: &'m [Candidate<'a>],
    terms: &'m Terms<'t>,
    tools: &'m mut SizingTools<'o>,
}

impl<'m, 'a, 't> LimitSearch<'m, 'a, 't, '_> {
    fn terms_under_limits<'s>(&self, state: &'s LimitState, minimize: Minimize) -> Terms<'s>
    where
        't: 's,
    {
        Terms { minimize, silent: true, ..state.terms_under(self.terms) }
    }

    /// The design of a candidate under some limits, with the step that routing gives.
    fn size_routed_candidate(
        &mut self,
        candidate: &Candidate<'_>,
        state: &LimitState,
        minimize: Minimize,
    ) -> Option<SizedFabric> {
        let mut round = RoutingRound::default();
        loop {
            let sized = candidate
                .size_network(&self.terms_under_limits(state, minimize), self.tools)
                .ok()?;
            if !correct_clock_by_routing(&candidate.job, sized.level, &sized.blueprint, round) {
                return Some(sized);
            }
            self.tools.cache.clear_step_times();
            round = round.next_round()?;
        }
    }

    /// A design of the first candidate that has one.
    fn first_feasible_design(
        &mut self,
        state: &LimitState,
    ) -> Option<(&'m Candidate<'a>, SizedFabric)> {
        let all = self.candidates;
        all.iter().find_map(|candidate| {
            Some((candidate, self.size_routed_candidate(candidate, state, Minimize::Capex)?))
        })
    }

    /// The design of all candidates that takes least of a quantity.
    fn design_with_min_quantity(
        &mut self,
        state: &LimitState,
        quantity: Minimize,
    ) -> Option<(&'m Candidate<'a>, SizedFabric)> {
        let all = self.candidates;
        let mut best: Option<(&'m Candidate<'a>, SizedFabric)> = None;
        for (least, place) in sort_by_lower_bound(all, 0..all.len(), quantity) {
            if best.as_ref().is_some_and(|(_, known)| least >= known.value) {
                break;
            }
            if let Some(found) = self.size_routed_candidate(&all[place], state, quantity)
                && best.as_ref().is_none_or(|(_, known)| found.value < known.value)
            {
                best = Some((&all[place], found));
            }
        }
        best
    }

    /// Why there is none under these limits, as far as the furthest candidate came.
    fn reason_for_failure(&mut self, state: &LimitState) -> Option<Infeasible> {
        let terms = Terms { silent: false, ..self.terms_under_limits(state, Minimize::Capex) };
        let mut failed = None;
        for candidate in self.candidates {
            if let Err(reason) = candidate.size_network(&terms, self.tools) {
                failed = Some(Infeasible::pick_further(failed, reason));
            }
        }
        failed
    }

    /// The least step of a limit's grid that makes a design possible while all others of `state`
    /// hold; `None` where no step of it does.
    fn min_feasible_step(&mut self, limit: &Limit, state: &LimitState) -> Option<i64> {
        let without = state.without_limit(limit);
        let (found, least) = match limit.least_of() {
            Some(quantity) => (self.design_with_min_quantity(&without, quantity), true),
            None => (self.first_feasible_design(&without), false),
        };
        let (candidate, sized) = found?;
        let mut low = limit.step_within_state(state);
        let taken = limit.steps_taken_by(candidate, &sized, &without).unwrap_or(low + 1);
        // What is printed is what is sized: a sum that rounds up by a hair needs a step more.
        let mut beyond =
            (0..effort::LIMIT_DOUBLINGS_BEYOND).map(|times| taken.saturating_add((1 << times) - 1));
        let mut high = beyond.find(|steps| {
            self.first_feasible_design(&state.with_limit_moved(limit, *steps)).is_some()
        })?;
        while !least && high - low > Limit::negligible_steps(high) {
            let middle = low.midpoint(high);
            let at = state.with_limit_moved(limit, middle);
            match self.first_feasible_design(&at) {
                None => low = middle,
                Some((candidate, found)) => {
                    high = middle;
                    // What the design takes may be less than what it was allowed.
                    let taken = limit.steps_taken_by(candidate, &found, &at).unwrap_or(middle);
                    if taken > low && taken < high {
                        match self.first_feasible_design(&state.with_limit_moved(limit, taken)) {
                            Some(_) => high = taken,
                            None => low = taken,
                        }
                    }
                }
            }
        }
        limit.can_be(high).then_some(high)
    }

    /// A smallest set of limits that make a design possible where all of them move, each by as
    /// little as the ones before it leave; empty where none was found.
    fn smallest_moving_set(&mut self, stated: &[Limit], state: &LimitState) -> Vec<LimitMove> {
        let mut loose: Vec<Limit> = stated.to_vec();
        for limit in stated {
            let fewer: Vec<Limit> =
                loose.iter().filter(|this_limit| *this_limit != limit).cloned().collect();
            if self.first_feasible_design(&state.without_limits(&fewer)).is_some() {
                loose = fewer;
            }
        }
        let mut moves = Vec::with_capacity(loose.len());
        let mut moved = state.clone();
        for (place, limit) in loose.iter().enumerate() {
            let later = moved.without_limits(&loose[place + 1..]);
            let Some(steps) = self.min_feasible_step(limit, &later) else { return Vec::new() };
            moves.push(limit.move_by_steps(state, steps));
            moved = moved.with_limit_moved(limit, steps);
        }
        moves
    }
}

/// Why no candidate has a design: the limits that are in the way, where there would be one without
/// them.
pub(crate) fn explain_no_design(
    all: &[Candidate<'_>],
    failed: Option<Infeasible>,
    terms: &Terms<'_>,
    tools: &SizingTools<'_>,
) -> Infeasible {
    let failed = failed.unwrap_or(Infeasible::Unknown);
    match all.first() {
        Some(any) if failed.is_of_limits() => {
            infeasible_subset(any.job.scenario, terms, tools, failed)
        }
        _ => failed,
    }
}

/// Why a scenario of one cluster has no design; `None` where it has one.
pub(crate) fn reason_for_no_design(scenario: &Scenario, options: &Options) -> Option<Infeasible> {
    let (all, failed) = list_candidates(scenario, options);
    let terms = Terms::from_scenario(scenario);
    let mut tools = SizingTools::new(options);
    let tried = size_candidates(&all, failed, &terms, &mut tools);
    tried.entries.is_empty().then(|| explain_no_design(&all, tried.failed, &terms, &tools))
}

/// Sizes are this part of the cluster and multiples of it.
const PARTS: u64 = 8;
/// Sizes that are told.
const TOLD: usize = 3;

/// Sizes of a cluster below its own, the largest first of which one has a design, then the next
/// ones, which may have none. Empty where no limit that grows with the cluster is in the way, where
/// no size that was looked at has a design, and of several clusters.
#[must_use]
pub fn fewer_gpus_that_work(
    scenario: &Scenario,
    failed: &Infeasible,
    options: &Options,
) -> Vec<u32> {
    if scenario.is_several() || !is_of_size(failed) {
        return Vec::new();
    }
    let all = scenario.cluster.gpus;
    let machine = scenario.cluster.nodes.iter().map(|node| node.gpus).max().unwrap_or(1).max(1);
    let whole = |parts: u64| {
        let gpus = u64::from(all) * parts / PARTS;
        u32::try_from(gpus).ok().map(|gpus| gpus / machine * machine)
    };
    let mut sizes: Vec<u32> = (1..PARTS).rev().filter_map(whole).filter(|gpus| *gpus > 0).collect();
    sizes.dedup();
    let has_design = |gpus: &u32| {
        let mut fewer = scenario.clone();
        fewer.cluster.gpus = *gpus;
        reason_for_no_design(&fewer, options).is_none()
    };
    match sizes.iter().position(has_design) {
        Some(first) => sizes.into_iter().skip(first).take(TOLD).collect(),
        None => Vec::new(),
    }
}

/// A limit is in the way of which a smaller cluster takes less.
fn is_of_size(failed: &Infeasible) -> bool {
    match failed {
        Infeasible::Clash(moves) | Infeasible::Together(moves) => {
            moves.iter().any(|limit_move| is_shared(&limit_move.limit))
        }
        Infeasible::Limits { budget, power, .. } => budget.is_some() || power.is_some(),
        Infeasible::Racks { .. } => true,
        _ => false,
    }
}

/// Every limit of a scenario that a plan of its machines breaks, with what the plan takes of it. Of
/// several clusters together those are looked at that they share: each has the others to itself.
#[must_use]
pub fn limits_broken_by_plan(scenario: &Scenario, plan: &Plan) -> Vec<LimitMove> {
    let (state, limits) = limits_of_whole(scenario);
    limits.into_iter().filter_map(|limit| limit.broken_by(&state, scenario, plan)).collect()
}

/// The limits that a spec states, with what its plan takes of each. Of several clusters together
/// those that they share.
pub(crate) fn stated_limits(scenario: &Scenario, plan: &Plan) -> Vec<StatedLimit> {
    let (state, limits) = limits_of_whole(scenario);
    limits.into_iter().filter_map(|limit| limit.stated_with_use(&state, scenario, plan)).collect()
}

/// The limits that a scenario states, of several clusters those that they share, and their state.
fn limits_of_whole(scenario: &Scenario) -> (LimitState, Vec<Limit>) {
    let state = LimitState::from_scenario(scenario, &Terms::from_scenario(scenario));
    let several = scenario.is_several();
    let limits = state.movable_limits().into_iter().filter(|limit| !several || limit.is_shared());
    let limits = limits.collect();
    (state, limits)
}

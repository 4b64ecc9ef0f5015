//! What clusters take of their limits. What limits are worth that all of several clusters have to
//! keep to, parts of one or its stages: all of them are designed again under others. How far a limit
//! has to move, `binding` finds.

use std::collections::BTreeMap;

use super::clusters::clusters_with_plans;
use crate::design::columns::terms::Terms;
use crate::design::plan::plan::{BindingLimit, Plan, StatedLimit};
use crate::design::study::binding_limits::{BetterDesign, LimitMarket, is_saving, limit_worths};
use crate::design::study::infeasible_limits::stated_limits;
use crate::design::study::limit::{ClusterUse, Limit};
use crate::design::study::limit_row::LimitState;
use crate::scenario::{Minimize, Scenario};
use crate::units::Unit;

/// The limits that a spec states, with what its plan takes of each, those with least room first. Of
/// one that each of several clusters has to itself, what the cluster with least room takes.
pub(in crate::design) fn limits_with_use(scenario: &Scenario, plan: &Plan) -> Vec<StatedLimit> {
    let mut all = stated_limits(scenario, plan);
    if scenario.is_several() {
        let is_shared = |key: &String| all.iter().any(|limit| limit.key == *key);
        let mut own: BTreeMap<String, StatedLimit> = BTreeMap::new();
        for (cluster, plan) in clusters_with_plans(scenario, plan) {
            let each = stated_limits(&cluster.scenario, plan).into_iter();
            for limit in each.filter(|limit| !is_shared(&limit.key)) {
                let known = own.entry(limit.key.clone()).or_insert_with(|| limit.clone());
                if limit.used_share() > known.used_share() {
                    *known = limit;
                }
            }
        }
        all.extend(own.into_values());
    }
    all.sort_by(|one, other| other.used_share().total_cmp(&one.used_share()));
    all
}

/// Several clusters designed anew under other limits.
pub(super) struct RedesignFn {
    /// What the objective makes of them.
    pub(super) value: f64,
    pub(super) bound: f64,
    /// What it takes of limits.
    pub(super) takes: ClusterUse,
    /// What was chosen, in a few words.
    pub(super) words: String,
}

/// Every shared limit that binds on clusters that take `known` of what is minimised. `design` is
/// how they are designed; it has nothing to say where there is no design.
pub(super) fn binding_shared_limits(
    scenario: &Scenario,
    known: f64,
    design: impl Fn(&Scenario) -> Option<RedesignFn>,
) -> Vec<BindingLimit> {
    let places = std::iter::once(None).chain((0..scenario.later.len()).map(Some));
    let each = places.flat_map(|place| {
        let mut market = SharedLimitMarket { scenario, known_value: known, place, design: &design };
        let state = market.limits_in_force();
        let limits = market.decisive_shared_limits(&state);
        let free = || market.redesign_under_limits(&state.without_limits(&limits));
        // What the best without all of them does not save, none of them saves.
        if limits.is_empty() || free().is_some_and(|free| !is_saving(known - free.bound, known)) {
            return Vec::new();
        }
        let bound = |limit| limit_worths(&mut market, &state, limit);
        let found: Vec<BindingLimit> = limits.iter().flat_map(bound).collect();
        found.into_iter().map(|binding_limit| market.add_stage_name(binding_limit)).collect()
    });
    each.collect()
}

/// The limits of a question.
fn limits_of_scenario(scenario: &Scenario) -> LimitState {
    LimitState::from_scenario(scenario, &Terms::from_scenario(scenario))
}

/// Several clusters under any limits.
struct SharedLimitMarket<'s, D> {
    scenario: &'s Scenario,
    known_value: f64,
    /// The later stage whose own limits change; `None` for those of the top level, which later
    /// stages have that state no others.
    place: Option<usize>,
    design: &'s D,
}

impl<D: Fn(&Scenario) -> Option<RedesignFn>> SharedLimitMarket<'_, D> {
    /// The limits in force there.
    fn limits_in_force(&self) -> LimitState {
        let scenario =
            self.place.map_or(self.scenario, |place| &self.scenario.later[place].scenario);
        limits_of_scenario(scenario)
    }

    /// Those of them that are shared or on the time of each workload, may decide, and are stated
    /// there.
    fn decisive_shared_limits(&self, state: &LimitState) -> Vec<Limit> {
        let top = limits_of_scenario(self.scenario);
        let decisive = state.decisive_limits(std::iter::once(self.scenario.objective.minimize));
        let own = |limit: &Limit| self.place.is_none() || !limit.is_alike(state, &top);
        let counts = |limit: &Limit| limit.is_shared() || limit.is_of_time();
        decisive.into_iter().filter(|limit| counts(limit) && own(limit)).collect()
    }

    fn redesign_under_limits(&self, state: &LimitState) -> Option<RedesignFn> {
        let was = limits_of_scenario(self.scenario);
        let scenario = self.scenario.map_stages(|stage, mut scenario| {
            let first = self.place.map_or(0, |place| place + 1);
            if stage == first {
                state.apply_to(&mut scenario);
            } else if first == 0 {
                let own = limits_of_scenario(&scenario);
                own.follow_shared_changes(&was, state).apply_to(&mut scenario);
            }
            scenario
        });
        (self.design)(&scenario)
    }

    /// The limit with the stage that states it.
    fn add_stage_name(&self, bound: BindingLimit) -> BindingLimit {
        let Some(place) = self.place else { return bound };
        let limit =
            format!("{} of the stage of year {}", bound.limit, self.scenario.later[place].year);
        BindingLimit { limit, ..bound }
    }
}

impl<D: Fn(&Scenario) -> Option<RedesignFn>> LimitMarket for SharedLimitMarket<'_, D> {
    fn find_better_design(&mut self, state: &LimitState, limit: &Limit) -> Option<BetterDesign> {
        let anew = self.redesign_under_limits(state)?;
        let saved = self.known_value - anew.value;
        let quantity = self.scenario.objective.minimize;
        let unit = if quantity == Minimize::Power { Unit::Power } else { Unit::Money };
        is_saving(saved, self.known_value).then(|| BetterDesign {
            saved: unit.to_amount(saved),
            quantity,
            // Of all stages, and not of the one that states it.
            needs: limit
                .taken_by(&anew.takes)
                .filter(|_| self.place.is_none() || !limit.is_of_time()),
            design: anew.words,
        })
    }

    // Each time all is designed from the scenario.
    fn forget_designs(&mut self) {}

    /// Parts and stages are designed together, one choice after another.
    fn is_quick(&self) -> bool {
        let scenario = self.scenario;
        scenario.later.is_empty()
            && scenario.inventory.is_empty()
            && scenario.limits.supply.is_empty()
    }
}

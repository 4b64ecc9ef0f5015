//! What the limits of one cluster are worth: its candidates are designed again under others. How
//! far a limit has to move, `binding` finds.

use super::alternatives::cluster_cost;
use super::binding_limits::{
    BetterDesign, LimitMarket, is_saving, limit_worth_within, limit_worths, limits_binding_together,
};
use super::limit::{Limit, STEP};
use super::limit_row::LimitState;
use super::price_ranges::design_name;
use crate::cost::Cost;
use crate::design::candidate::candidates::{Candidate, list_candidates};
use crate::design::candidate::product_listing::without_routing_factors;
use crate::design::choose::objectives_in_turn::{ObjectiveResult, choose_routed as chosen_of};
use crate::design::columns::terms::Terms;
use crate::design::effort;
use crate::design::network::candidate_sizing::{SizedCandidate, sort_by_lower_bound};
use crate::design::network::program::SizingTools;
use crate::design::plan::plan::{BindingLimit, LimitWorth};
use crate::scenario::{Minimize, Scenario};
use crate::sizing::Options;
use crate::units::{Amount, Usd};

/// Every limit that binds, with what it is worth, where reasons are asked for. `known` is the least of each quantity that the
/// scenario minimises, in its turn.
pub(crate) fn find_binding_limits(
    all: &[Candidate<'_>],
    chosen: &SizedCandidate<'_>,
    known: &[(Minimize, f64)],
    tools: &mut SizingTools<'_>,
) -> Vec<BindingLimit> {
    let scenario = chosen.job.scenario;
    let options = tools.options;
    if !options.reasons {
        return radix_limit(chosen).into_iter().collect();
    }
    let was = cluster_cost(&chosen.job, &chosen.sized, tools);
    let terms = silent_terms(scenario);
    let state = LimitState::from_scenario(scenario, &terms);
    let mut bound = Vec::new();
    // A rank order may be within the looser slowdown that is not within the stated one: these are
    // other jobs.
    if let Some(slowdown) = state.slowdown_limit() {
        let mut slower = scenario.clone();
        slower.objective.max_slowdown = Some(terms.max_slowdown * (1.0 + STEP));
        let (all, _) = list_candidates(&slower, options);
        let mut market = OneCluster::new(&all, &was, known, silent_terms(&slower), options);
        bound.extend(limit_worth_within(&mut market, &state, &slowdown, STEP));
    }
    let limits = state.decisive_limits(known.iter().map(|(quantity, _)| *quantity));
    let mut market = OneCluster::new(all, &was, known, terms, options);
    // A single limit tells by itself whether it is worth anything.
    if limits.len() < 2 || market.may_save(&limits) {
        let alone: Vec<BindingLimit> =
            limits.iter().flat_map(|limit| limit_worths(&mut market, &state, limit)).collect();
        if alone.is_empty() && limits.len() > 1 {
            bound.extend(limits_binding_together(&mut market, &state, &limits));
        }
        bound.extend(alone);
    }
    bound.extend(radix_limit(chosen));
    bound
}

/// What the scenario says; only whether there is a design counts.
fn silent_terms(scenario: &Scenario) -> Terms<'_> {
    Terms { silent: true, ..Terms::from_scenario(scenario) }
}

/// A rail that is larger than a switch needs a second tier.
fn radix_limit(chosen: &SizedCandidate<'_>) -> Option<BindingLimit> {
    let domains = chosen.job.domains;
    let radix = chosen.sized.counts.tiers.iter().map(|tier| tier.radix).max()?;
    let tiers = chosen.sized.counts.tier_count();
    (tiers > 1 && domains > radix).then(|| BindingLimit {
        limit: "switch radix".to_owned(),
        worth: LimitWorth::Tiers { endpoints: domains, radix, tiers },
    })
}

/// The candidates of one cluster under any limits.
struct OneCluster<'k, 'a> {
    known_candidates: &'k [Candidate<'a>],
    /// Those candidates as if nothing was ever routed.
    candidates: Vec<Candidate<'a>>,
    /// Cost of the chosen design.
    was: &'k Cost,
    /// The least of each quantity that is minimised, in its turn.
    least_values: &'k [(Minimize, f64)],
    terms: Terms<'k>,
    tools: SizingTools<'k>,
}

impl<'k, 'a> OneCluster<'k, 'a> {
    fn new(
        all: &'k [Candidate<'a>],
        was: &'k Cost,
        known: &'k [(Minimize, f64)],
        terms: Terms<'k>,
        options: &'k Options,
    ) -> Self {
        let tools = SizingTools::new(options);
        Self {
            known_candidates: all,
            candidates: without_routing_factors(all),
            was,
            least_values: known,
            terms,
            tools,
        }
    }

    /// False where no limit can be worth anything, as the best design without all of them is no
    /// better.
    fn may_save(&mut self, limits: &[Limit]) -> bool {
        let [(quantity, known)] = self.least_values else { return true };
        let Some(scenario) = self.candidates.first().map(|candidate| candidate.job.scenario) else {
            return false;
        };
        let free = LimitState::from_scenario(scenario, &self.terms).without_limits(limits);
        let terms = free.terms_under(&self.terms).with_value_limit(*known);
        let order = sort_by_lower_bound(
            &self.candidates,
            0..self.candidates.len(),
            &Terms { minimize: *quantity, ..terms },
        );
        let mut able = order.into_iter().take_while(|(least, _)| least < known);
        able.any(|(_, place)| match self.candidates[place].size_network(&terms, &mut self.tools) {
            Ok(found) => is_saving(known - found.bound, *known),
            Err(reason) => reason.leaves_open(),
        })
    }

    /// The best design under looser terms and the quantity that it is better by; `None` where it is
    /// no better.
    fn best_under_looser_terms<'t>(
        &mut self,
        terms: &Terms<'t>,
    ) -> Option<(Minimize, ObjectiveResult<'a, 't>)> {
        let alone = if let [(_, value)] = self.least_values { Some(*value) } else { None };
        if alone.is_some_and(|value| !self.is_cheaper(terms, value)) {
            return None;
        }
        // Routing may refute the cheapest one, so the bound is what is known, and not its value.
        let terms = alone.map_or(*terms, |value| terms.with_value_limit(value));
        let relaxed = chosen_of(&self.candidates, None, terms, &mut self.tools).ok()?;
        let better = self.least_values.iter().zip(&relaxed.least_values).find_map(
            |((quantity, value), (_, least))| is_saving(value - least, *value).then_some(*quantity),
        );
        Some((better?, relaxed))
    }

    /// True where a candidate has a design that takes less than is known, as it is timed by now.
    fn is_cheaper(&mut self, terms: &Terms<'_>, known: f64) -> bool {
        let order = sort_by_lower_bound(&self.candidates, 0..self.candidates.len(), terms);
        let mut able = order.into_iter().take_while(|(least, _)| *least < known);
        able.any(|(_, place)| {
            let found = self.candidates[place]
                .size_network(&terms.with_value_limit(known), &mut self.tools);
            found.is_ok_and(|found| found.value < known)
        })
    }
}

impl LimitMarket for OneCluster<'_, '_> {
    fn find_better_design(&mut self, state: &LimitState, limit: &Limit) -> Option<BetterDesign> {
        let (first, last) = self.best_under_looser_terms(&state.terms_under(&self.terms))?;
        let SizedCandidate { job, sized, place } = last.incumbent.best_entry();
        let is = cluster_cost(job, sized, &mut self.tools);
        // Of several quantities that are minimised, one may be smaller within the tolerance of an
        // earlier one.
        let objective = match self.least_values {
            [_] => first,
            all => all.iter().map(|(objective, _)| *objective).find(|objective| {
                let (saved, was) = (
                    amount_saved(*objective, self.was, &is).scalar(),
                    total_of_quantity(*objective, self.was),
                );
                is_saving(saved, was)
            })?,
        };
        Some(BetterDesign {
            saved: amount_saved(objective, self.was, &is),
            quantity: objective,
            needs: limit.steps_taken_by(&self.candidates[*place], sized, state),
            design: design_name(&job.machine.node.name, &sized.counts),
        })
    }

    fn forget_designs(&mut self) {
        self.candidates = without_routing_factors(self.known_candidates);
        let interfaces_routed = self.tools.interfaces_routed;
        self.tools = SizingTools::new(self.tools.options);
        self.tools.interfaces_routed = interfaces_routed;
    }

    /// Builds for parts in stock or scarce take many programs each: too many of large clusters
    /// where several quantities are minimised, or a step's time weighs. Millions of links take
    /// seconds to route each time.
    fn is_quick(&self) -> bool {
        let most =
            self.candidates.iter().map(|candidate| candidate.job.endpoints()).max().unwrap_or(0);
        if most > effort::INTERFACES_ROUTED
            || self.tools.interfaces_routed > effort::STUDY_INTERFACES
        {
            return false;
        }
        let scenario = self.candidates.first().map(|candidate| candidate.job.scenario);
        let bought = scenario.is_none_or(|given_scenario| {
            given_scenario.inventory.is_empty() && given_scenario.limits.supply.is_empty()
        });
        bought
            || most <= effort::FEW_TO_RELAX
            || matches!(self.least_values, [(quantity, _)] if *quantity != Minimize::UsdPerToken)
    }
}

/// What one cluster takes less than another of a quantity, as a report counts it.
fn amount_saved(quantity: Minimize, was: &Cost, is: &Cost) -> Amount {
    match quantity {
        Minimize::Capex | Minimize::Tco | Minimize::UsdPerToken => Amount::Money(Usd::from_f64(
            total_of_quantity(quantity, was) - total_of_quantity(quantity, is),
        )),
        Minimize::Power => Amount::Power(was.power - is.power),
    }
}

/// What a cluster takes of a quantity: dollars, for cost per token those of a million, or watts.
fn total_of_quantity(quantity: Minimize, cost: &Cost) -> f64 {
    match quantity {
        Minimize::Capex => cost.capex.get(),
        Minimize::Tco => cost.tco.get(),
        Minimize::UsdPerToken => cost.usd_per_million_tokens.unwrap_or(Usd::ZERO).get(),
        Minimize::Power => cost.power.get(),
    }
}

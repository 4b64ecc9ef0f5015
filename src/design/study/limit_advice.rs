//! What becomes of somebody who follows the advice on limits that leave no design: each is designed
//! for anew, as it is printed, and none is named whose tokens cost far more than they have to.
//! Sizes nothing itself.

use super::limit::Limit;
use super::limit_row::LimitState;
use crate::design::columns::terms::Terms;
use crate::design::effort;
use crate::design::job::infeasible::Infeasible;
use crate::design::job::infeasible_details::{LimitMove, Outcome};
use crate::design::plan::plan::Plan;
use crate::scenario::{ClusterShape, Minimize, Objective, Scenario};
use crate::units::Usd;

/// Most that a token of an advised design may cost, over what the best costs without the limits in
/// the way.
const DEAREST: f64 = 2.0;

/// The reason why there is no design, with what each change of limits leads to. A limit moves as
/// far as the tokens of its design cost at most [`DEAREST`] times those of the best; where no value
/// of one does that, limits move together. Where no limits lead there, as the objective itself asks
/// for such a design, the least changes are told with what they lead to. `again` designs a scenario
/// anew, and `token` says in less time what a million tokens cost then.
pub(crate) fn advise_on_limits(
    scenario: &Scenario,
    reason: Infeasible,
    again: impl Fn(&Scenario) -> Option<Plan>,
    token: impl Fn(&Scenario) -> Option<Usd>,
) -> Infeasible {
    if scenario.cluster_shape() != ClusterShape::One {
        return reason;
    }
    let (moves, together) = match reason {
        Infeasible::Clash(moves) => (moves, false),
        Infeasible::Together(moves) if !moves.is_empty() => (moves, true),
        other => return other,
    };
    let terms = Terms::from_scenario(scenario);
    let advice =
        Advice { scenario, state: LimitState::from_scenario(scenario, &terms), again, token };
    let starts = advice.limits_to_move(&moves);
    let shared = advice.state.movable_limits().into_iter().filter(Limit::is_shared);
    let all: Vec<Limit> = starts.iter().map(|(limit, _)| limit.clone()).chain(shared).collect();
    let best = (advice.token)(&advice.scenario_for_token_cost(&all)).filter(|usd| *usd > Usd::ZERO);
    let dearest = best.map(|usd| usd * DEAREST);
    if !together {
        let alone = starts
            .iter()
            .filter_map(|start| advice.move_limits_together(std::slice::from_ref(start), dearest));
        let alone: Vec<LimitMove> = alone.flatten().collect();
        if !alone.is_empty() {
            return Infeasible::Clash(alone);
        }
    }
    if let Some(way) = advice.move_limits_together(&advice.all_in_the_way(&starts, &all), dearest) {
        return if way.len() > 1 { Infeasible::Together(way) } else { Infeasible::Clash(way) };
    }
    if together {
        Infeasible::Together(advice.move_limits_together(&starts, None).unwrap_or(moves))
    } else {
        let each = starts
            .iter()
            .filter_map(|start| advice.move_limits_together(std::slice::from_ref(start), None));
        let each: Vec<LimitMove> = each.flatten().collect();
        Infeasible::Clash(if each.is_empty() { moves } else { each })
    }
}

/// A limit with the step of its grid that it moves to.
type Start = (Limit, i64);

/// A scenario without a design, and who designs it anew under other limits.
struct Advice<'s, F, T> {
    scenario: &'s Scenario,
    state: LimitState,
    again: F,
    token: T,
}

impl<F, T> Advice<'_, F, T>
where
    F: Fn(&Scenario) -> Option<Plan>,
    T: Fn(&Scenario) -> Option<Usd>,
{
    /// The limits of some moves.
    fn limits_to_move(&self, moves: &[LimitMove]) -> Vec<Start> {
        let stated = self.state.movable_limits();
        let found = |limit_move: &LimitMove| {
            let limit = stated.iter().find(|limit| limit.spec_key() == limit_move.limit)?;
            Some((limit.clone(), limit.steps_of(&limit_move.needs)))
        };
        moves.iter().filter_map(found).collect()
    }

    /// The design under other limits.
    fn design_under_limits(&self, state: &LimitState) -> Option<Plan> {
        (self.again)(&self.scenario_under_limits(state))
    }

    /// The scenario under other limits.
    fn scenario_under_limits(&self, state: &LimitState) -> Scenario {
        let mut scenario = self.scenario.clone();
        state.apply_to(&mut scenario);
        if state.max_slowdown != self.state.max_slowdown {
            scenario.objective.max_slowdown = Some(state.max_slowdown);
        }
        scenario
    }

    /// The question for the cheapest tokens where some limits are lifted.
    fn scenario_for_token_cost(&self, lifted: &[Limit]) -> Scenario {
        let mut scenario = self.scenario_under_limits(&self.state.without_limits(lifted));
        let objective = scenario.objective.clone();
        scenario.objective =
            Objective { minimize: Minimize::UsdPerToken, then: Vec::new(), ..objective };
        scenario
    }

    /// All limits that the design with the cheapest tokens exceeds, those that have to move from
    /// where they do.
    fn all_in_the_way(&self, starts: &[Start], all: &[Limit]) -> Vec<Start> {
        let mut moved = starts.to_vec();
        let Some(best) = (self.again)(&self.scenario_for_token_cost(all)) else { return moved };
        for limit in all {
            let known = moved.iter().any(|(this_limit, _)| this_limit == limit);
            let exceeded = limit.broken_by(&self.state, self.scenario, &best).is_some();
            if !known && exceeded {
                moved.push((limit.clone(), limit.step_within_state(&self.state)));
            }
        }
        moved
    }

    /// Some limits moved together, from where they start towards what the best token takes without
    /// them, as little as makes tokens no dearer than that; `None` where they don't become so. It
    /// takes for granted that they get no dearer on the way.
    fn move_limits_together(
        &self,
        starts: &[Start],
        dearest: Option<Usd>,
    ) -> Option<Vec<LimitMove>> {
        let is_cheap = |usd: Usd| dearest.is_none_or(|most| usd <= most);
        let is_sound = |plan: &Plan| plan.cost.usd_per_million_tokens.is_none_or(is_cheap);
        let told = |to: &[Start], plan: &Plan| {
            let outcome = plan_outcome(plan);
            let by = |(limit, steps): &Start| LimitMove {
                then: Some(outcome.clone()),
                ..limit.move_by_steps(&self.state, *steps)
            };
            to.iter().map(by).collect()
        };
        // What is told is designed as somebody would who follows it; that is not needed to see that
        // it is too dear.
        let may_do = |to: &[Start]| {
            (self.token)(&self.scenario_under_limits(&self.state_with_limits_moved(to)))
                .is_some_and(is_cheap)
        };
        if (dearest.is_none() || may_do(starts))
            && let Some(plan) =
                self.design_under_limits(&self.state_with_limits_moved(starts)).filter(is_sound)
        {
            return Some(told(starts, &plan));
        }
        dearest?;
        let limits: Vec<Limit> = starts.iter().map(|(limit, _)| limit.clone()).collect();
        let best = (self.again)(&self.scenario_for_token_cost(&limits))?;
        let end = |(limit, steps): &Start| {
            let taken = limit.steps_planned(self.scenario, &best).unwrap_or(*steps);
            (limit.clone(), taken.max(*steps))
        };
        let ends: Vec<Start> = starts.iter().map(end).collect();
        let apart =
            |((_, from), (_, to)): (&Start, &Start)| (to - from) / Limit::negligible_steps(*to);
        let parts = starts.iter().zip(&ends).map(apart).max()?.clamp(1, effort::ADVICE_STEPS);
        let at = |place: i64| -> Vec<Start> {
            let between = |((limit, from), (_, to)): (&Start, &Start)| {
                let far = i128::from(to - from) * i128::from(place) / i128::from(parts);
                (limit.clone(), from + far as i64)
            };
            starts.iter().zip(&ends).map(between).collect()
        };
        let first = first_between(0, parts, |place| may_do(&at(place)));
        let sound = |place: i64| {
            self.design_under_limits(&self.state_with_limits_moved(&at(place))).filter(is_sound)
        };
        // The defaults may ask for more than that.
        let first = match sound(first) {
            Some(plan) => return Some(told(&at(first), &plan)),
            None => first_between(first, parts, |place| sound(place).is_some()),
        };
        Some(told(&at(first), &sound(first)?))
    }

    /// The limits with some of them moved.
    fn state_with_limits_moved(&self, to: &[Start]) -> LimitState {
        to.iter()
            .fold(self.state.clone(), |state, (limit, steps)| state.with_limit_moved(limit, *steps))
    }
}

/// What a plan is, in a few figures.
fn plan_outcome(plan: &Plan) -> Outcome {
    Outcome {
        step: plan.step.time.total_time(),
        usd_per_million_tokens: plan.cost.usd_per_million_tokens,
        run_days: plan.cost.days_with_failures(),
        spares: plan.failures.year.standby.domains,
    }
}

/// The first place after `low` that does, up to `high`, where all do that follow one which does;
/// `high` where none before it does.
fn first_between(mut low: i64, mut high: i64, does: impl Fn(i64) -> bool) -> i64 {
    while high - low > 1 {
        let middle = low.midpoint(high);
        if does(middle) {
            high = middle;
        } else {
            low = middle;
        }
    }
    high
}

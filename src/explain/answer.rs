//! Explains how far the answer is proven, and what other designs would change. Sizes none.

use super::facts::{Facts, input, quantity};
use super::{Amount, Explanation, Origin};
use crate::design::{Alternative, Bound, Worth};
use crate::quantity::equation::{CAPITAL, FIRMNESS, NETWORK_CAPITAL, TOKEN_COST};

pub(super) fn explanations(facts: &Facts<'_>) -> Vec<Explanation> {
    let others = facts.plan.alternatives.iter().enumerate();
    let bounds = facts.plan.solver.binding.iter().enumerate();
    let bounds = bounds.filter_map(|(place, bound)| binding(place, bound));
    bounds.chain(others.flat_map(|(place, other)| beside(facts, place, other))).collect()
}

/// `solver.binding.0.saving_usd`; `None` where a limit that binds has no price in money.
fn binding(place: usize, bound: &Bound) -> Option<Explanation> {
    let Worth::Saves { by, saved, .. } = &bound.worth else { return None };
    let found = Origin::Found("the step by which limits are tried");
    let explanation = Explanation::new(
        format!("solver.binding.{place}.saving_usd"),
        format!("what is saved where {} is looser", bound.limit),
        Amount::Money(*saved),
        "value − value of the best fabric with that limit looser or, where it has no unit, left out",
        &[FIRMNESS],
    );
    Some(explanation.from(by.clone().map(|looser| input("looser by", looser, found))))
}

/// `alternatives.0.capex_change_usd` and its like.
fn beside(facts: &Facts<'_>, place: usize, other: &Alternative) -> Vec<Explanation> {
    const FORMULA: &str = "the same of the other design − this design's";
    const RATIO: &str = "the same of the other design / this design's";
    let cost = &facts.plan.cost;
    let key = |of: &str| format!("alternatives.{place}.{of}");
    let meaning = |of: &str| format!("{of}, against this design: {}", other.name);
    let theirs = |value| {
        let origin = Origin::Found("its own program, with that one choice changed");
        input("of the other design", value, origin)
    };
    let network = Amount::Money(cost.network_capex + other.network_capex_change);
    let capex = Amount::Money(cost.capex + other.capex_change);
    let time = facts.plan.step.time.total();
    let mut all = vec![
        Explanation::new(
            key("network_capex_change_usd"),
            meaning("network cost"),
            Amount::Money(other.network_capex_change),
            FORMULA,
            &[FIRMNESS, NETWORK_CAPITAL],
        )
        .from([
            theirs(network),
            quantity("of this", "cost.network_capex_usd", Amount::Money(cost.network_capex)),
        ]),
        Explanation::new(
            key("capex_change_usd"),
            meaning("cost of the cluster"),
            Amount::Money(other.capex_change),
            FORMULA,
            &[FIRMNESS, CAPITAL],
        )
        .from([theirs(capex), quantity("of this", "cost.capex_usd", Amount::Money(cost.capex))]),
        Explanation::new(
            key("step_ratio"),
            meaning("step time"),
            Amount::Number(other.step_ratio),
            RATIO,
            &[FIRMNESS],
        )
        .from([
            theirs(Amount::Time(time * other.step_ratio)),
            quantity("of this", "step.time_s", Amount::Time(time)),
        ]),
    ];
    if let (Some(ratio), Some(token)) = (other.usd_per_token_ratio, cost.usd_per_million_tokens) {
        let of_this = quantity("of this", "cost.usd_per_million_tokens", Amount::Money(token));
        let explanation = Explanation::new(
            key("usd_per_token_ratio"),
            meaning("cost of a token"),
            Amount::Number(ratio),
            RATIO,
            &[FIRMNESS, TOKEN_COST],
        );
        all.push(explanation.from([theirs(Amount::Money(token * ratio)), of_this]));
    }
    all
}

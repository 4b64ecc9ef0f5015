//! Explains how far the answer is proven, and what other designs would change. Sizes none.

use super::explanation::{Explanation, InputOrigin};
use super::inputs::{Facts, explained_input, found_input, quantity_input};
use crate::cost::Cost;
use crate::design::{Alternative, BindingLimit, LimitWorth};
use crate::quantity::row::{CAPITAL, FIRMNESS, NETWORK_CAPITAL, TOKEN_COST};
use crate::scenario::Minimize;
use crate::units::{Amount, Usd};

pub(super) fn answer_explanations(facts: &Facts<'_>) -> Vec<Explanation> {
    let others = facts.plan.alternatives.iter().enumerate();
    let bounds = facts.plan.solver.binding.iter().enumerate();
    let bounds = bounds.flat_map(|(place, bound)| explain_binding_limit(facts, place, bound));
    bounds
        .chain(others.flat_map(|(place, other)| explain_alternative(facts, place, other)))
        .collect()
}

/// `solver.binding.0.saving_usd` and its like; none where a limit that binds has no price in money.
fn explain_binding_limit(
    facts: &Facts<'_>,
    place: usize,
    bound: &BindingLimit,
) -> Vec<Explanation> {
    match &bound.worth {
        LimitWorth::Moved { needs, saved, quantity: objective, .. } => {
            explain_limit_move(facts, place, bound, needs.as_ref(), saved, *objective)
        }
        LimitWorth::Together { saved, quantity: objective, .. } => {
            explain_limit_move(facts, place, bound, None, saved, *objective)
        }
        LimitWorth::Tiers { .. } => Vec::new(),
    }
}

/// What another value of a limit saves, and that value.
fn explain_limit_move(
    facts: &Facts<'_>,
    place: usize,
    bound: &BindingLimit,
    needs: Option<&Amount>,
    saved: &Amount,
    quantity: Minimize,
) -> Vec<Explanation> {
    let key = |name: &str| format!("solver.binding.{place}.{name}");
    let cost = &facts.plan.cost;
    let (name, figure, value) = match (quantity, &facts.plan.growth) {
        // Of stages what the objective makes of all is minimised.
        (Minimize::Capex | Minimize::Tco, Some(report)) => {
            ("saving_usd", "growth.present_value_usd", Some(report.present_value))
        }
        (quantity, _) => saving_and_total(quantity, cost),
    };
    let saving = value.map(|value| {
        let theirs = Amount::Money(Usd::from_f64(value.get() - saved.scalar()));
        Explanation::new(
            key(name),
            format!("what the best design with another {} saves", bound.limit),
            saved.clone(),
            "the figure of this design − that of the other",
            &[FIRMNESS],
        )
        .with_inputs([
            quantity_input("of this", figure, Amount::Money(value)),
            found_input("of the other design", theirs, "its own program, under the other limit"),
        ])
    });
    let needs = needs.map(|needs| {
        Explanation::new(
            key("needs"),
            format!("{} with which that is the best design", bound.limit),
            needs.clone(),
            "the least of it with which designing again finds a better design, to a ten-thousandth; \
             or what the best design without it takes, rounded up to a step in which it is written",
            &[FIRMNESS],
        )
    });
    saving.into_iter().chain(needs).collect()
}

/// Where a saving stands, the figure that it is of, and that of this design; no money where power
/// is minimised.
fn saving_and_total(quantity: Minimize, cost: &Cost) -> (&'static str, &'static str, Option<Usd>) {
    match quantity {
        Minimize::Capex => ("saving_usd", "cost.capex_usd", Some(cost.capex)),
        Minimize::Tco => ("saving_usd", "cost.tco_usd", Some(cost.tco)),
        Minimize::UsdPerToken => (
            "saving_usd_per_million_tokens",
            "cost.usd_per_million_tokens",
            cost.usd_per_million_tokens,
        ),
        Minimize::Power => ("", "", None),
    }
}

/// `alternatives.0.capex_change_usd` and its like.
fn explain_alternative(facts: &Facts<'_>, place: usize, other: &Alternative) -> Vec<Explanation> {
    const FORMULA: &str = "the same of the other design − this design's";
    const RATIO: &str = "the same of the other design / this design's";
    let cost = &facts.plan.cost;
    let key = |text: &str| format!("alternatives.{place}.{text}");
    let meaning = |text: &str| format!("{text}, against this design: {}", other.name);
    let theirs = |value| {
        let origin = InputOrigin::Found("its own program, with that one choice changed");
        explained_input("of the other design", value, origin)
    };
    let network = Amount::Money(cost.network_capex + other.network_capex_change);
    let capex = Amount::Money(cost.capex + other.capex_change);
    let time = facts.plan.pace;
    let mut all = vec![
        Explanation::new(
            key("network_capex_change_usd"),
            meaning("network cost"),
            Amount::Money(other.network_capex_change),
            FORMULA,
            &[FIRMNESS, NETWORK_CAPITAL],
        )
        .with_inputs([
            theirs(network),
            quantity_input("of this", "cost.network_capex_usd", Amount::Money(cost.network_capex)),
        ]),
        Explanation::new(
            key("capex_change_usd"),
            meaning("cost of the cluster"),
            Amount::Money(other.capex_change),
            FORMULA,
            &[FIRMNESS, CAPITAL],
        )
        .with_inputs([
            theirs(capex),
            quantity_input("of this", "cost.capex_usd", Amount::Money(cost.capex)),
        ]),
        Explanation::new(
            key("step_ratio"),
            meaning("step time"),
            Amount::Number(other.step_ratio),
            RATIO,
            &[FIRMNESS],
        )
        .with_inputs([
            theirs(Amount::Time(time * other.step_ratio)),
            quantity_input("of this", "step.time_s", Amount::Time(time)),
        ]),
    ];
    if let (Some(ratio), Some(token)) = (other.usd_per_token_ratio, cost.usd_per_million_tokens) {
        let of_this =
            quantity_input("of this", "cost.usd_per_million_tokens", Amount::Money(token));
        let explanation = Explanation::new(
            key("usd_per_token_ratio"),
            meaning("cost per token"),
            Amount::Number(ratio),
            RATIO,
            &[FIRMNESS, TOKEN_COST],
        );
        all.push(explanation.with_inputs([theirs(Amount::Money(token * ratio)), of_this]));
    }
    all
}

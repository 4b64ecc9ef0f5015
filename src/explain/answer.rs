//! Explains how far the answer is proven, and what other designs would change. Sizes none.

use super::facts::{Facts, input, quantity};
use super::{Amount, Explanation, Origin};
use crate::design::{Alternative, Bound, Worth};
use crate::quantity::equation::{CAPITAL, FIRMNESS, NETWORK_CAPITAL, TOKEN_COST};
use crate::scenario::Minimize;
use crate::units::Usd;

pub(super) fn explanations(facts: &Facts<'_>) -> Vec<Explanation> {
    let others = facts.plan.alternatives.iter().enumerate();
    let bounds = facts.plan.solver.binding.iter().enumerate();
    let bounds = bounds.flat_map(|(place, bound)| binding(facts, place, bound));
    bounds.chain(others.flat_map(|(place, other)| beside(facts, place, other))).collect()
}

/// `solver.binding.0.saving_usd` and its like; none where a limit that binds has no price in money.
fn binding(facts: &Facts<'_>, place: usize, bound: &Bound) -> Vec<Explanation> {
    match &bound.worth {
        Worth::Saves { by, saved, .. } => vec![looser(place, bound, by.as_ref(), *saved)],
        Worth::Lifted { needs, saved, of, .. } => {
            lifted(facts, (place, bound), needs.as_ref(), saved, *of)
        }
        Worth::Spares { .. } | Worth::Tiers { .. } => Vec::new(),
    }
}

fn looser(place: usize, bound: &Bound, by: Option<&Amount>, saved: Usd) -> Explanation {
    let found = Origin::Found("the step by which limits are tried");
    let explanation = Explanation::new(
        format!("solver.binding.{place}.saving_usd"),
        format!("what is saved where {} is looser", bound.limit),
        Amount::Money(saved),
        "value − value of the best fabric with that limit looser or, where it has no unit, left out",
        &[FIRMNESS],
    );
    explanation.from(by.cloned().map(|looser| input("looser by", looser, found)))
}

/// What is saved without a limit, and what the design takes of it.
fn lifted(
    facts: &Facts<'_>,
    (place, bound): (usize, &Bound),
    needs: Option<&Amount>,
    saved: &Amount,
    of: Minimize,
) -> Vec<Explanation> {
    let key = |name: &str| format!("solver.binding.{place}.{name}");
    let cost = &facts.plan.cost;
    let per_token = "saving_usd_per_million_tokens";
    let (name, figure, value) = match of {
        Minimize::Capex => ("saving_usd", "cost.capex_usd", Some(cost.capex)),
        Minimize::Tco => ("saving_usd", "cost.tco_usd", Some(cost.tco)),
        Minimize::UsdPerToken => {
            (per_token, "cost.usd_per_million_tokens", cost.usd_per_million_tokens)
        }
        Minimize::Power => ("", "", None),
    };
    let saving = value.map(|value| {
        let theirs = Amount::Money(Usd::of(value.get() - saved.scalar()));
        Explanation::new(
            key(name),
            format!("what the best design without {} saves", bound.limit),
            saved.clone(),
            "the figure of this design − that of the other",
            &[FIRMNESS],
        )
        .from([
            quantity("of this", figure, Amount::Money(value)),
            input(
                "of the other design",
                theirs,
                Origin::Found("its own program, without the limit"),
            ),
        ])
    });
    let needs = needs.map(|needs| {
        Explanation::new(
            key("needs"),
            format!("what the best design without {} takes of it", bound.limit),
            needs.clone(),
            "read off that design, rounded up to a step in which the limit is written",
            &[FIRMNESS],
        )
    });
    saving.into_iter().chain(needs).collect()
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

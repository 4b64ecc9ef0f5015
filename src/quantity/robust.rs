//! Figures: what a fabric carries beside its workloads, and what that takes.

use super::equation::{CAPITAL, COLLECTIVE_TIME, RATIOS, STAGES};
use super::row::Better::Lower;
use super::row::{Quantity, ROW};
use super::value::{count_amount, money_amount, number_amount, share_amount, word_amount};
use crate::units::Unit;

pub(super) const ROBUST_ROWS: &[Quantity] = &[
    Quantity {
        key: "robust.max_slowdown",
        label: "allowed to scenarios",
        unit: Unit::Number,
        always: false,
        read: |source| number_amount(source.robust?.max_slowdown),
        meaning: "longest step of each scenario of `[robust]` over that of the same scenario on a \
                  full-bisection Clos",
        formula: "robust.max_slowdown",
        equations: &[STAGES],
        ..ROW
    },
    Quantity {
        key: "robust.slowdown",
        label: "slowest scenario",
        unit: Unit::Number,
        better: Lower,
        always: false,
        read: |source| number_amount(source.robust?.slowest_scenario()?.slowdown),
        meaning: "largest step of a scenario of `[robust]` over that of the same scenario on a \
                  full-bisection Clos, as routed where that is longer than by the clock",
        formula: "largest step time / step time with ρ = σ = 1, over scenarios",
        equations: &[STAGES, COLLECTIVE_TIME],
        ..ROW
    },
    Quantity {
        key: "robust.too_slow",
        label: "scenarios that are too slow",
        unit: Unit::Count,
        better: Lower,
        always: false,
        read: |source| {
            count_amount(
                source
                    .robust?
                    .scenarios
                    .iter()
                    .filter(|scenario| !scenario.is_step_short_enough())
                    .count() as u64,
            )
        },
        meaning: "scenarios of `[robust]` whose step on this fabric, as routed, is longer than it may be",
        formula: "counted",
        equations: &[STAGES],
        ..ROW
    },
    Quantity {
        key: "robust.most_uplinks",
        label: "needs most uplinks",
        unit: Unit::Word,
        always: false,
        read: |source| word_amount(source.robust?.most_uplinks()?.name.clone()),
        meaning: "scenario of `[robust]` that needs most uplinks of a leaf switch",
        ..ROW
    },
    Quantity {
        key: "robust.uplinks_share",
        label: "uplinks that it needs",
        unit: Unit::Share,
        better: Lower,
        always: false,
        read: |source| share_amount(source.robust?.most_uplinks()?.uplinks?),
        meaning: "least uplinks of a leaf switch over its endpoints with which that scenario is fast \
                  enough by the clock, all else as it is",
        formula: "least u / d with step time ≤ robust.max_slowdown · step time with ρ = σ = 1",
        equations: &[RATIOS, STAGES],
        ..ROW
    },
    Quantity {
        key: "robust.usd",
        label: "price of scenarios",
        unit: Unit::Money,
        better: Lower,
        always: false,
        read: |source| money_amount(source.robust?.price?.usd),
        meaning: "capital of the cluster less that of the best one without `[robust]`, under the same \
                  limits: taking the table out saves it",
        formula: "capital − capital without scenarios",
        equations: &[CAPITAL],
        ..ROW
    },
    Quantity {
        key: "robust.usd_share",
        label: "as a share of the cluster",
        unit: Unit::Share,
        better: Lower,
        always: false,
        read: |source| share_amount(source.robust?.price?.share),
        meaning: "that over the capital of the cluster without scenarios; where tokens are minimised by \
                  cost, no less than what each costs more, as a share",
        formula: "(capital − capital without scenarios) / capital without scenarios",
        equations: &[CAPITAL],
        ..ROW
    },
];

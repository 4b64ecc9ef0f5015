//! Figures: how far the answer is proven, and what stages come to.

use super::equation::{CAPITAL, FIRMNESS, NETWORK_CAPITAL, OWNERSHIP};
use super::row::Better::Lower;
use super::row::{Quantity, ROW};
use super::value::{count, money, share, word};
use crate::units::Unit;

pub(super) const ROWS: &[Quantity] = &[
    Quantity {
        key: "solver.name",
        label: "proof",
        unit: Unit::Word,
        read: |of| word(of.solver?.name.clone()),
        meaning: "what proved the answer",
        ..ROW
    },
    Quantity {
        key: "solver.status",
        label: "status",
        unit: Unit::Word,
        read: |of| word(of.solver?.status.name()),
        meaning: "how far the answer is proven: optimal, gap-limit or node-limit",
        ..ROW
    },
    Quantity {
        key: "solver.gap",
        label: "gap",
        unit: Unit::Share,
        better: Lower,
        read: |of| share(of.solver?.gap),
        meaning: "what a better design could save at most, of what is minimised",
        formula: "(value − bound) / value; 0 where the bound is met",
        equations: &[FIRMNESS],
        ..ROW
    },
    Quantity {
        key: "solver.rival",
        label: "rival",
        unit: Unit::Word,
        always: false,
        read: |of| word(of.solver?.rival.clone()?),
        meaning: "the candidate that may still be better",
        ..ROW
    },
    Quantity {
        key: "solver.fixed",
        label: "not searched",
        unit: Unit::Word,
        always: false,
        read: |of| {
            let all: Vec<&str> = of.solver?.fixed.iter().map(|of| of.key).collect();
            if all.is_empty() { None } else { word(all.join(", ")) }
        },
        meaning: "keys of the layout that are fixed while another value may give a better design: \
                  the proof is for these values alone; \"auto\" has them searched",
        ..ROW
    },
    Quantity {
        key: "solver.candidates",
        label: "candidates",
        unit: Unit::Count,
        read: |of| count(of.solver?.candidates),
        meaning: "choices among which the design is the best, each with its best fabric",
        formula: "products × interfaces × planes × protocols × rank orders, where a layout fits",
        equations: &[FIRMNESS],
        ..ROW
    },
    Quantity {
        key: "growth.present_value_usd",
        label: "in today's money",
        unit: Unit::Money,
        better: Lower,
        always: false,
        read: |of| money(of.growth?.present_value),
        meaning: "what the objective makes of all stages, in today's money",
        formula: "Σ over stages: what the stage costs · price of its day, less what \
                   objective.discount takes",
        equations: &[CAPITAL, OWNERSHIP],
        ..ROW
    },
    Quantity {
        key: "growth.one_by_one_usd",
        label: "stage by stage",
        unit: Unit::Money,
        always: false,
        read: |of| money(of.growth?.one_by_one?),
        meaning: "the present value where each stage is designed as if it were the last",
        formula: "the same sum over designs that know no later stage",
        equations: &[CAPITAL, OWNERSHIP],
        ..ROW
    },
    Quantity {
        key: "growth.at_once_usd",
        label: "at once",
        unit: Unit::Money,
        always: false,
        read: |of| money(of.growth?.at_once?),
        meaning: "the present value where the last stage is bought at once, at today's prices",
        formula: "capital of the last stage",
        equations: &[CAPITAL, OWNERSHIP],
        ..ROW
    },
    Quantity {
        key: "price_not_found",
        label: "parts without a price",
        unit: Unit::Count,
        better: Lower,
        read: |of| count(of.cost?.unpriced.len() as u64),
        meaning: "parts of the bill without a price, which no total has in it",
        formula: "counted on the bill; `planner check` and `planner sweep` know it, JSON lists \
                   their names as cost.unpriced",
        equations: &[NETWORK_CAPITAL],
        ..ROW
    },
];

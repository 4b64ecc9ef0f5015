//! What is in hand from stage to stage: owned before, or bought since. Buys nothing.

use std::collections::BTreeMap;

use crate::cost::{BillLine, at_later_prices};
use crate::design::plan::Idle;
use crate::scenario::{Scenario, Stage};

/// The question of a stage at the prices of its day.
pub(in super::super) fn as_asked(stage: &Stage) -> Scenario {
    let prices = at_later_prices(&stage.scenario.prices, stage.price);
    Scenario { prices, ..stage.scenario.clone() }
}

/// Pieces by part.
pub(super) struct Hand {
    pieces: BTreeMap<String, u64>,
    /// Parts that an earlier stage had in use.
    used: BTreeMap<String, u64>,
}

impl Hand {
    /// What is owned before the first stage.
    pub(super) fn of(scenario: &Scenario) -> Self {
        Self { pieces: scenario.inventory.clone(), used: BTreeMap::new() }
    }

    /// What a stage has [asked](as_asked) with all that as its stock.
    pub(super) fn deal(&self, asked: &Scenario) -> Scenario {
        Scenario { inventory: self.pieces.clone(), ..asked.clone() }
    }

    /// What a stage uses is there from then on.
    pub(super) fn keep(&mut self, lines: &[BillLine]) {
        for line in lines {
            for known in [&mut self.pieces, &mut self.used] {
                let known = known.entry(line.part.clone()).or_default();
                *known = line.count.max(*known);
            }
        }
    }

    /// What an earlier stage used and these lines do not.
    pub(super) fn idle(&self, lines: &[BillLine]) -> Vec<Idle> {
        let left = |(part, used): (&String, &u64)| {
            let now = lines.iter().find(|line| line.part == *part).map_or(0, |line| line.count);
            (*used > now).then(|| Idle { part: part.clone(), count: used - now })
        };
        self.used.iter().filter_map(left).collect()
    }
}

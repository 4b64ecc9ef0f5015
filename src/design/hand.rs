//! What is in stock from cluster to cluster of one scenario: parts use it up, and stages keep what
//! they buy. Buys nothing.

use std::collections::BTreeMap;

use super::plan::Idle;
use crate::cost::{BillLine, at_later_prices};
use crate::scenario::{Scenario, Stage};

/// The question of a stage at the prices of its day.
pub(super) fn as_asked(stage: &Stage) -> Scenario {
    let prices = at_later_prices(&stage.scenario.prices, stage.price);
    Scenario { prices, ..stage.scenario.clone() }
}

/// Pieces by part.
pub(super) struct Hand {
    pieces: BTreeMap<String, u64>,
    /// Parts that an earlier stage had in use.
    used: BTreeMap<String, u64>,
    grows: bool,
}

impl Hand {
    /// What is owned before the first cluster of a scenario.
    pub(super) fn of(scenario: &Scenario) -> Self {
        let pieces = scenario.inventory.clone();
        Self { pieces, used: BTreeMap::new(), grows: scenario.grows() }
    }

    /// A cluster's question with all that as its stock; a stage's as it is [asked](as_asked).
    pub(super) fn deal(&self, asked: &Scenario) -> Scenario {
        Scenario { inventory: self.pieces.clone(), ..asked.clone() }
    }

    /// What a stage uses is there from then on; what a part takes from stock is not.
    pub(super) fn take(&mut self, lines: &[BillLine]) {
        for line in lines {
            if self.grows {
                for known in [&mut self.pieces, &mut self.used] {
                    let known = known.entry(line.part.clone()).or_default();
                    *known = line.count.max(*known);
                }
            } else if let Some(stock) = self.pieces.get_mut(&line.part) {
                *stock -= line.owned.min(*stock);
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

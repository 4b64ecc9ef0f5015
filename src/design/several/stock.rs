//! What is in stock from cluster to cluster of one scenario: parts use it up, and stages keep what
//! they buy. Buys nothing.

use std::collections::BTreeMap;

use crate::cost::{BillLine, Stock, at_later_prices};
use crate::design::answer::plan::Idle;
use crate::scenario::{Scenario, Shape, Stage};

/// The question of a stage at the prices of its day.
pub(super) fn as_asked(stage: &Stage) -> Scenario {
    let prices = at_later_prices(&stage.scenario.prices, stage.price);
    Scenario { prices, ..stage.scenario.clone() }
}

/// What is there for the next cluster.
pub(super) struct Inventory {
    stock: Stock,
    /// Parts that an earlier stage had in use; none of parts.
    used: BTreeMap<String, u64>,
    grows: bool,
}

impl Inventory {
    /// What is owned before the first cluster of a scenario.
    pub(super) fn of(scenario: &Scenario) -> Self {
        let grows = scenario.shape() == Shape::Stages;
        let stock = Stock::new(scenario.inventory.clone(), grows);
        Self { stock, used: BTreeMap::new(), grows }
    }

    /// A cluster's question with all that as its stock; a stage's as it is [asked](as_asked).
    pub(super) fn deal(&self, asked: &Scenario) -> Scenario {
        Scenario { inventory: self.stock.pieces().clone(), ..asked.clone() }
    }

    /// What a stage uses is there from then on; what a part takes from stock is not.
    pub(super) fn take(&mut self, lines: &[BillLine]) {
        for line in lines {
            if self.grows || !line.is_covered() {
                self.stock.take(&line.part, line.count);
            }
            if self.grows {
                let used = self.used.entry(line.part.clone()).or_default();
                *used = line.count.max(*used);
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

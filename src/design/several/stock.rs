//! What is in stock from cluster to cluster of one scenario: parts use it up, and stages keep what
//! they buy. Buys nothing.

use std::collections::BTreeMap;

use crate::cost::{BillLine, SharedStock, scale_prices};
use crate::design::answer::plan::IdleParts;
use crate::scenario::{ClusterShape, Scenario, Stage};

/// The question of a stage at the prices of its day.
pub(super) fn scenario_of_stage(stage: &Stage) -> Scenario {
    let prices = scale_prices(&stage.scenario.prices, stage.price);
    Scenario { prices, ..stage.scenario.clone() }
}

/// What is there for the next cluster.
pub(super) struct StockInHand {
    stock: SharedStock,
    /// Parts that an earlier stage had in use; none of parts.
    used: BTreeMap<String, u64>,
    grows: bool,
}

impl StockInHand {
    /// What is owned before the first cluster of a scenario.
    pub(super) fn from_scenario(scenario: &Scenario) -> Self {
        let grows = scenario.cluster_shape() == ClusterShape::Stages;
        let stock = SharedStock::new(scenario.inventory.clone(), grows);
        Self { stock, used: BTreeMap::new(), grows }
    }

    /// A cluster's question with all that as its stock; a stage's as it is [asked](scenario_of_stage).
    pub(super) fn scenario_with_stock(&self, asked: &Scenario) -> Scenario {
        Scenario { inventory: self.stock.pieces_by_part().clone(), ..asked.clone() }
    }

    /// What a stage uses is there from then on; what a part takes from stock is not.
    pub(super) fn use_up(&mut self, lines: &[BillLine]) {
        for line in lines {
            if self.grows || !line.is_covered() {
                self.stock.take_pieces(&line.part, line.count);
            }
            if self.grows {
                let used = self.used.entry(line.part.clone()).or_default();
                *used = line.count.max(*used);
            }
        }
    }

    /// What an earlier stage used and these lines do not.
    pub(super) fn unused_parts(&self, lines: &[BillLine]) -> Vec<IdleParts> {
        let left = |(part, used): (&String, &u64)| {
            let now = lines.iter().find(|line| line.part == *part).map_or(0, |line| line.count);
            (*used > now).then(|| IdleParts { part: part.clone(), count: used - now })
        };
        self.used.iter().filter_map(left).collect()
    }
}

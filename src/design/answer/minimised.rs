//! What a plan takes of a quantity. Chooses nothing.

use super::plan::Plan;
use crate::scenario::Minimize;

impl Plan {
    /// What it takes of a quantity: dollars, dollars for a million tokens, or watts; of a cluster that grows
    /// dollars of today for all stages. Of tokens that have no price what it costs to own.
    pub(crate) fn objective_value(&self, minimize: Minimize) -> f64 {
        let cost = &self.cost;
        match (minimize, self.stages_report()) {
            (Minimize::Power, _) => cost.power.get(),
            (_, Some(growth)) => growth.present_value.get(),
            (Minimize::Capex, None) => cost.capex.get(),
            (Minimize::Tco, None) => cost.tco.get(),
            (Minimize::UsdPerToken, None) => cost.usd_per_million_tokens.unwrap_or(cost.tco).get(),
        }
    }
}

//! What tokens of one of several workloads cost. Adds up no bill.

use super::plan::{Plan, WorkloadPlan};
use crate::units::Usd;

impl Plan {
    /// What a million tokens of one of its workloads cost: its share of the time costs that share of the cluster
    /// (docs/equations.md §9.8). `None` where a token of all has no cost.
    #[must_use]
    pub fn usd_per_million_tokens_of(&self, workload: &WorkloadPlan) -> Option<Usd> {
        let rate = |plan: &WorkloadPlan| plan.step.tokens as f64 / plan.step.pace.get();
        let all: f64 = self.workloads.iter().map(|plan| plan.share * rate(plan)).sum();
        let each = self.cost.usd_per_million_tokens? * (all / rate(workload));
        Some(each).filter(|usd| usd.get().is_finite())
    }
}

//! Value of a quantity, token cost of a workload, cut-short plans, `PlanInputs` beside a fabric.

use super::alternatives::{Alternative, NotSized};
use super::plan::{Plan, SolverReport, WorkloadPlan};
use super::proof::SolverStatus;
use super::warning::Warning;
use crate::scenario::Minimize;
use crate::sizing::{PosedProgram, Proof, ProofStatus, Status};
use crate::units::Usd;

impl Plan {
    /// What it takes of a quantity: dollars, dollars for a million tokens, or watts; of a cluster
    /// that grows dollars of today for all stages. Of tokens that have no price what it costs to
    /// own.
    pub(crate) fn objective_value(&self, minimize: Minimize) -> f64 {
        let cost = &self.cost;
        match (minimize, self.growth) {
            (Minimize::Power, _) => cost.power.get(),
            (_, Some(growth)) => growth.present_value.get(),
            (Minimize::Capex, None) => cost.capex.get(),
            (Minimize::Tco, None) => cost.tco.get(),
            (Minimize::UsdPerToken, None) => cost.usd_per_million_tokens.unwrap_or(cost.tco).get(),
        }
    }
}

impl Plan {
    /// What a million tokens of one of its workloads cost: its share of the time costs that share
    /// of the cluster (docs/equations.md §9.8). `None` where a token of all has no cost.
    #[must_use]
    pub fn usd_per_million_tokens_of(&self, workload: &WorkloadPlan) -> Option<Usd> {
        let rate = |plan: &WorkloadPlan| plan.step.tokens as f64 / plan.step.pace.get();
        let all: f64 = self.workloads.iter().map(|plan| plan.share * rate(plan)).sum();
        let each = self.cost.usd_per_million_tokens? * (all / rate(workload));
        Some(each).filter(|usd| usd.get().is_finite())
    }
}

impl SolverReport {
    /// The report of a choice that ended with so many candidates settled: nothing is proven but the
    /// gap, in which layouts that were not sized count too.
    fn with_interruption(self, settled: u64) -> Self {
        let gap = self.layouts.map_or(self.gap, |layouts| self.gap.max(layouts.gap));
        let doubted = |posed: PosedProgram| {
            let firmness = ProofStatus { status: Status::Incumbent, proof: Proof::Check, gap };
            PosedProgram { firmness, ..posed }
        };
        let mut programs = self.programs;
        programs.answer = programs.answer.map(doubted);
        Self {
            name: NOTHING.to_owned(),
            status: SolverStatus::Interrupted,
            gap,
            settled: Some(settled),
            binding: Vec::new(),
            programs,
            ..self
        }
    }
}

/// What proves an answer that is not proven.
const NOTHING: &str = "none";

impl Plan {
    /// Whether somebody ended the choice before it was finished.
    #[must_use]
    pub fn is_interrupted(&self) -> bool {
        self.solver.status == SolverStatus::Interrupted
    }

    /// The plan where somebody ended the choice before all was found that a plan says: the design
    /// stays, studies of other designs go, and nothing is called proven. Without a number, all
    /// candidates were settled.
    #[must_use]
    pub fn mark_interrupted(self, settled: Option<u64>) -> Self {
        if self.is_interrupted() {
            return self;
        }
        let mut clusters = self.clusters;
        for cluster in &mut clusters {
            cluster.plan = cluster.plan.clone().mark_interrupted(settled);
        }
        let candidates = self.solver.candidates;
        Self {
            solver: self.solver.with_interruption(settled.unwrap_or(candidates)),
            price_bands: Vec::new(),
            alternatives: Vec::new(),
            not_sized: Vec::new(),
            clusters,
            ..self
        }
    }
}

/// What was found besides the fabric itself.
#[derive(Clone, Debug)]
pub(crate) struct PlanInputs {
    pub(crate) solver: SolverReport,
    pub(crate) alternatives: Vec<Alternative>,
    pub(crate) not_sized: Vec<NotSized>,
    pub(crate) warnings: Vec<Warning>,
}

impl PlanInputs {
    /// Of a design that no other was held against.
    pub(crate) fn new_without_study(solver: SolverReport) -> Self {
        Self { solver, alternatives: Vec::new(), not_sized: Vec::new(), warnings: Vec::new() }
    }
}

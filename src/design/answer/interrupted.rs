//! A plan whose choice somebody ended before it was finished: what it still says. Ends nothing itself.

use super::plan::{ClusterPlans, Plan, SolverReport};
use super::solver_status::SolverStatus;
use crate::sizing::{PosedProgram, Proof, ProofStatus, Status};

impl SolverReport {
    /// The report of a choice that ended with so many candidates settled: nothing is proven but the gap,
    /// in which layouts that were not sized count too.
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

    /// The plan where somebody ended the choice before all was found that a plan says: the design stays,
    /// studies of other designs go, and nothing is called proven. Without a number, all candidates were
    /// settled.
    #[must_use]
    pub fn mark_interrupted(self, settled: Option<u64>) -> Self {
        if self.is_interrupted() {
            return self;
        }
        let each = |plan: Self| plan.mark_interrupted(settled);
        let together = match self.together {
            ClusterPlans::One => ClusterPlans::One,
            ClusterPlans::Parts(mut parts) => {
                for part in &mut parts {
                    part.plan = each(part.plan.clone());
                }
                ClusterPlans::Parts(parts)
            }
            ClusterPlans::Stages(mut growth) => {
                for stage in &mut growth.stages {
                    stage.plan = each(stage.plan.clone());
                }
                ClusterPlans::Stages(growth)
            }
        };
        let candidates = self.solver.candidates;
        Self {
            solver: self.solver.with_interruption(settled.unwrap_or(candidates)),
            price_bands: Vec::new(),
            alternatives: Vec::new(),
            not_sized: Vec::new(),
            together,
            ..self
        }
    }
}

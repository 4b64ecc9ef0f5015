//! The program over stages as data, and its answer.

use crate::sizing::problem::SizingProblem;
use crate::sizing::solution::{Proof, ProofStatus, Status};
use crate::sizing::work::Work;
use crate::units::Usd;

/// Clusters that follow one another on the same parts.
#[derive(Clone, Debug, PartialEq)]
pub struct StagesProblem {
    /// The program of each stage, the earliest first; at least one. All name the same models in the
    /// same order, transceivers among them. Prices and energy are in the money of one day. Stock and
    /// supply are those of the first stage, and are there for all. None has a budget of its own.
    pub stages: Vec<SizingProblem>,
    /// Dollars that are paid on the day of a stage for one of the money that its prices are in. No
    /// price may rise from a stage to the next, neither in that money nor as it is paid: so nothing
    /// is bought before it is needed.
    pub paid: Vec<f64>,
    /// Money for all that is bought, as it is paid.
    pub budget: Option<Usd>,
}

/// What is built at each stage.
#[derive(Clone, Debug, PartialEq)]
pub struct StagesSolution {
    /// Copies of each column, by stage and class.
    pub copies: Vec<Vec<Vec<u64>>>,
    /// The objective over all stages, in the money of one day.
    pub cost: Usd,
    /// What is paid for all that is bought.
    pub paid: Usd,
    /// No answer can cost less than this.
    pub bound: Usd,
    /// How far the answer is proven.
    pub status: Status,
    /// What the claim rests on.
    pub proof: Proof,
    /// What the solver did for it.
    pub work: Work,
}

impl StagesSolution {
    /// How far it is proven.
    #[must_use]
    pub fn proof_status(&self) -> ProofStatus {
        ProofStatus::from_status(self.status, self.proof, self.cost, self.bound)
    }
}

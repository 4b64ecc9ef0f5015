//! The integer program: which builds, how many switches of which model, bought or from stock.
//!
//! It sees counts, prices and watts and knows no physics: what a level of oversubscription does
//! to a step was settled outside, where the columns were made (docs/formulation.md). The only
//! place that uses `good_lp`. Every answer is checked again by plain arithmetic.

mod back_end;
mod bound;
mod check;
mod constraints;
mod duals;
mod elastic;
mod growth;
mod labels;
mod problem;
mod program;
mod shadow;
mod soft;
pub(crate) mod solution;
mod solve;
mod start;
mod ties;
mod variables;
mod watch;
mod work;
mod written;

pub use back_end::{BackEnd, Options};
pub use check::{PartTally, tally_parts};
pub use growth::{StagesProblem, StagesSolution, solve_stages};
pub use problem::{
    Class, Column, LinkEndCounts, Offer, Ownership, ProgramLimits, Racks, SizingProblem,
};
pub use shadow::PricingOracle;
pub use solution::{LimitNeed, Proof, ProofStatus, SizingInfeasible, Solution, Status};
pub use solve::solve_sizing_problem;
pub use watch::{BestSoFar, DesignProgress, ProofMeans, Watch, WatchHandle};
pub use work::Work;
pub use written::{PosedProgram, Program, ProgramRow, ProgramTable, ProgramVariable};

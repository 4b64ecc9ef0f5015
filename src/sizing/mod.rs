//! The integer program: which builds, how many switches of which model, bought or from stock.
//!
//! It sees counts, prices and watts and knows no physics: what a level of oversubscription does
//! to a step was settled outside, where the columns were made (docs/formulation.md). The only
//! place that uses `good_lp`. Every answer is checked again by plain arithmetic.

mod check;
mod choices;
mod constraints;
mod enumeration;
mod infeasibility;
mod lower_bound;
mod problem;
mod program;
mod program_file;
mod shadow_prices;
pub(crate) mod solution;
mod solve;
mod solver_backend;
mod stages;
mod stages_problem;

pub use check::{PartTally, tally_parts};
pub use choices::{ChoicesAnswer, ChoicesProblem, NetworkChoice, solve_choices};
pub use problem::{
    Class, Column, LinkEndOffer, Offer, Ownership, ProgramLimits, Racks, SizingProblem,
};
pub use program_file::{PosedProgram, Program, ProgramRow, ProgramTable, ProgramVariable};
pub use shadow_prices::PricingOracle;
pub use solution::{LimitNeed, Proof, ProofStatus, SizingInfeasible, Solution, Status, Work};
pub use solve::solve_sizing_problem;
pub use solver_backend::{BackEnd, BestSoFar, DesignProgress, Options, Watch, WatchHandle};
pub use stages::solve_stages;
pub use stages_problem::{StagesProblem, StagesSolution};

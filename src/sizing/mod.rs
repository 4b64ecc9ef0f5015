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
mod solution;
mod solve;
mod start;
mod ties;
mod variables;
mod watch;
mod work;
mod written;

pub use back_end::{BackEnd, Options};
pub use check::{Tally, tally};
pub use growth::{Grown, Growth, grow};
pub use problem::{Class, Column, Ends, Limits, Offer, Ownership, Problem, Racks};
pub use shadow::Shadow;
pub use solution::{Firmness, Infeasible, Need, Proof, Solution, Status};
pub use solve::solve;
pub use watch::{Best, Reached, Through, Watch, Watched};
pub use work::Work;
pub use written::{Entry, Posed, Program, Row, Table};

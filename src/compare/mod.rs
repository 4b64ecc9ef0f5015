//! A design beside other fabrics of the same machines, and where the difference comes from.
//! Every fabric goes through the same clock and the same price book; none is a man of straw.

mod attribution;
mod baseline;
mod contender;
mod run;
mod technique;

pub use attribution::{Attribution, Cause, Contribution};
pub use baseline::{Baseline, BaselineProblem};
pub use contender::{Against, Contender};
pub use run::{Comparison, compare, compare_with};
pub use technique::{Case, Exchange, Refused, Study, study};

//! A design beside other fabrics of the same machines, and where the difference comes from.
//! Every fabric goes through the same clock and the same price book; none is a man of straw.

mod attribution;
mod baseline;
mod comparison;
mod contender;
mod field;
mod nearest;
mod run;
mod several;
mod shared_error;
mod technique;

pub use attribution::{Attribution, Contribution, SavingCause};
pub use baseline::{Baseline, BaselineProblem};
pub use comparison::Comparison;
pub use contender::{BaselineDifference, BaselineResult};
pub use nearest::Freed;
pub use run::{compare_baselines, compare_with};
pub use technique::{
    ClustersCase, DemoExchange, FewerNics, Refused, TechniqueCase, TechniqueStudies,
    TechniqueStudy, study_techniques,
};

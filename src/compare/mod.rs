//! A design beside other fabrics of the same machines, and where the difference comes from.
//! Every fabric goes through the same clock and the same price book; none is a man of straw.

mod baseline;
mod baseline_field;
mod comparison;
mod run;
mod techniques;

pub use baseline::{Baseline, BaselineProblem, Freed};
pub use comparison::{
    Attribution, BaselineDifference, BaselineResult, Comparison, Contribution, SavingCause,
};
pub use run::{compare_baselines, compare_with};
pub use techniques::{
    ClustersCase, DemoExchange, FewerNics, Refused, TechniqueCase, TechniqueStudies,
    TechniqueStudy, study_techniques,
};

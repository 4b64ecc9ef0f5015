//! A run that was measured, before anything is known of what its keys mean.

use crate::units::Seconds;

/// A measured run.
#[derive(Clone, Debug, PartialEq)]
pub struct MeasuredRun {
    /// Its name.
    pub name: String,
    /// Where it stands, for complaints: `line 3`.
    pub place: String,
    /// Time of a step: of a log the median of its steps.
    pub time: Seconds,
    /// Keys of a spec and their values, as far as the source has them.
    pub settings: Vec<(String, String)>,
}

//! A traffic matrix and what its report says of it.

use crate::design::StepPlan;
use crate::scenario::Assumption;
use crate::traffic::{Distribution, TrafficMatrix, Uncounted};
use crate::units::Bytes;

/// Shares of the busy pairs whose volume the others do not exceed, with their names.
pub(in super::super) const PERCENTILES: [(&str, f64); 4] =
    [("10 %", 0.1), ("50 %", 0.5), ("90 %", 0.9), ("99 %", 0.99)];

/// What `planner traffic` shows.
#[derive(Clone, Copy, Debug)]
pub struct TrafficSheet<'a> {
    /// Name of the scenario.
    pub name: &'a str,
    /// The step that sends it, with the sums over the matrix.
    pub step: &'a StepPlan,
    /// How many pairs carry how much.
    pub distribution: &'a Distribution,
    /// The matrix itself, for the heat map of a page; no other format shows it.
    pub matrix: Option<&'a TrafficMatrix>,
    /// What has to be known of the techniques that are on, and of the algorithms.
    pub notes: &'a [Assumption],
    /// What the matrix leaves out, and the bytes a step of each where they are known.
    pub uncounted: &'a [(Uncounted, Option<Bytes>)],
}

//! What the page of a design shows.

use super::super::super::sheet::Preset;
use crate::compare::Comparison;
use crate::design::{Frontiers, Plan};
use crate::traffic::TrafficMatrix;

/// What the page of a design shows.
#[derive(Clone, Copy, Debug)]
pub struct PageSheet<'a> {
    /// The design.
    pub plan: &'a Plan,
    /// The design beside baselines; without it the page lacks the comparison.
    pub comparison: Option<&'a Comparison>,
    /// The traffic of a step; without it the page lacks the heat map.
    pub matrix: Option<&'a TrafficMatrix>,
    /// What other step times would cost; without it the page lacks the frontier.
    pub frontier: Option<&'a Frontiers>,
    /// Presets that the parts may come from, for their sources and dates.
    pub presets: &'a [Preset],
}

impl<'a> PageSheet<'a> {
    /// The design alone.
    #[must_use]
    pub const fn from_plan(plan: &'a Plan) -> Self {
        Self { plan, comparison: None, matrix: None, frontier: None, presets: &[] }
    }
}

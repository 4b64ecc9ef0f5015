//! One step of a layout.

use crate::design::StepPlan;
use crate::workload::Framework;

/// What `planner step` shows: the layout as given, on the machines as given.
#[derive(Clone, Copy, Debug)]
pub struct StepSheet<'a> {
    /// Name of the scenario.
    pub name: &'a str,
    /// The step on its machines.
    pub step: &'a StepPlan,
    /// Settings of the training stack: what runs beside what.
    pub framework: &'a Framework,
}

//! One step of a layout.

use crate::design::{NodeChoice, PhaseReport, StepReport};
use crate::memory::Memory;
use crate::parallel::Layout;
use crate::scenario::Assumption;
use crate::units::Bytes;
use crate::workload::Framework;

/// What `planner step` shows: the layout as given, on the machines as given.
#[derive(Clone, Copy, Debug)]
pub struct StepSheet<'a> {
    /// Name of the scenario.
    pub name: &'a str,
    /// Machines.
    pub nodes: &'a NodeChoice,
    /// How the model is spread.
    pub layout: &'a Layout,
    /// One step.
    pub step: &'a StepReport,
    /// Settings of the training stack: what runs beside what.
    pub framework: &'a Framework,
    /// Parts of the run with other steps.
    pub phases: &'a [PhaseReport],
    /// Memory of the fullest GPU.
    pub memory: &'a Memory,
    /// Memory that a GPU has.
    pub memory_capacity: Bytes,
    /// What was taken for granted.
    pub assumptions: &'a [Assumption],
}

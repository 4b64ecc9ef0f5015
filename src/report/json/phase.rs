//! The phases of a run as programs read them.

use serde::Serialize;

use super::super::number::exact_number;
use crate::design::PhaseReport;

/// A part of a run with steps of its own.
#[derive(Serialize)]
pub(super) struct PhaseJson {
    name: String,
    share_of_steps: f64,
    step_time_s: f64,
    model_flop: f64,
}

impl PhaseJson {
    pub(super) fn new(report: &PhaseReport) -> Self {
        Self {
            name: report.name.clone(),
            share_of_steps: exact_number(report.share),
            step_time_s: exact_number(report.step.get()),
            model_flop: exact_number(report.model_flops.get()),
        }
    }
}

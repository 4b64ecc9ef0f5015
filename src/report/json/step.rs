//! `planner step` as programs read it, and the phases of a run.

use serde::Serialize;

use super::super::number::exact;
use super::super::sheet::StepSheet;
use super::design::Assumption;
use super::figures::Figures;
use crate::design::PhaseReport;
use crate::quantity::Answer;

#[derive(Serialize)]
struct Sheet {
    schema: &'static str,
    name: String,
    cluster: Figures,
    layout: Figures,
    step: Figures,
    phases: Vec<Phase>,
    memory: Figures,
    assumptions: Vec<Assumption>,
}

/// The step as pretty JSON.
pub(in super::super) fn step(sheet: &StepSheet<'_>) -> String {
    let answer = Answer {
        nodes: Some(sheet.nodes),
        layout: Some(sheet.layout),
        micro_batches: Some(sheet.step.micro_batches),
        time: Some(&sheet.step.time),
        step: Some(sheet.step),
        memory: Some(sheet.memory),
        memory_capacity: Some(sheet.memory_capacity),
        ..Answer::default()
    };
    let figures = |section| Figures::of(section, &answer);
    super::write(&Sheet {
        schema: "planner/step/1",
        name: sheet.name.to_owned(),
        cluster: figures("cluster"),
        layout: figures("layout"),
        step: figures("step"),
        phases: sheet.phases.iter().map(Phase::new).collect(),
        memory: figures("memory"),
        assumptions: sheet.assumptions.iter().map(Assumption::new).collect(),
    })
}

/// A part of a run with steps of its own.
#[derive(Serialize)]
pub(super) struct Phase {
    name: String,
    share_of_steps: f64,
    step_time_s: f64,
    model_flop: f64,
}

impl Phase {
    pub(super) fn new(of: &PhaseReport) -> Self {
        Self {
            name: of.name.clone(),
            share_of_steps: exact(of.share),
            step_time_s: exact(of.step.get()),
            model_flop: exact(of.model_flops.get()),
        }
    }
}

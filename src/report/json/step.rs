//! `planner step` as programs read it.

use serde::Serialize;

use super::super::sheet::StepSheet;
use super::assumption::Assumption;
use super::figures::Figures;
use super::phase::Phase;
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

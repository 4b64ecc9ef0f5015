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
    model: Figures,
    layout: Figures,
    step: Figures,
    phases: Vec<Phase>,
    memory: Figures,
    assumptions: Vec<Assumption>,
}

/// The step as pretty JSON.
pub(in super::super) fn step(sheet: &StepSheet<'_>) -> String {
    let step = sheet.step;
    let answer = Answer::of_step(step);
    let figures = |section| Figures::of(section, &answer);
    super::write(&Sheet {
        schema: "planner/step/1",
        name: sheet.name.to_owned(),
        cluster: figures("cluster"),
        model: figures("model"),
        layout: figures("layout"),
        step: figures("step"),
        phases: step.phases.iter().map(Phase::new).collect(),
        memory: figures("memory"),
        assumptions: step.assumptions.iter().map(Assumption::new).collect(),
    })
}

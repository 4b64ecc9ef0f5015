//! `planner step` as programs read it.

use serde::Serialize;

use super::super::sheet::StepSheet;
use super::assumption::AssumptionJson;
use super::figures::Figures;
use super::phase::PhaseJson;
use crate::quantity::FigureSource;

#[derive(Serialize)]
struct StepJson {
    schema: &'static str,
    name: String,
    cluster: Figures,
    model: Figures,
    layout: Figures,
    step: Figures,
    phases: Vec<PhaseJson>,
    memory: Figures,
    assumptions: Vec<AssumptionJson>,
}

/// The step as pretty JSON.
pub(in super::super) fn step_json(sheet: &StepSheet<'_>) -> String {
    let step = sheet.step;
    let answer = FigureSource::from_step_plan(step);
    let figures = |section| Figures::section_figures(section, &answer);
    super::write(&StepJson {
        schema: "planner/step/1",
        name: sheet.name.to_owned(),
        cluster: figures("cluster"),
        model: figures("model"),
        layout: figures("layout"),
        step: figures("step"),
        phases: step.phases.iter().map(PhaseJson::new).collect(),
        memory: figures("memory"),
        assumptions: step.assumptions.iter().map(AssumptionJson::new).collect(),
    })
}

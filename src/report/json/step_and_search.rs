//! `planner step` and `planner search` as programs read them.

use serde::Serialize;

use super::common::{AssumptionJson, Figures, PhaseJson};
use crate::quantity::FigureSource;
use crate::report::sheet::{LayoutSheet, StepSheet};
use crate::report::words::exact_number;
use crate::search::{Breadth, RankBy, Ranked};

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
pub(in crate::report) fn step_json(sheet: &StepSheet<'_>) -> String {
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

#[derive(Serialize)]
struct SearchJson {
    schema: &'static str,
    name: String,
    gpus: u32,
    space: &'static str,
    ranked_by: &'static str,
    open: Vec<&'static str>,
    legal: u64,
    fitting: u64,
    layouts: Vec<LayoutJson>,
    assumptions: Vec<AssumptionJson>,
}

/// A layout with what it takes.
#[derive(Serialize)]
struct LayoutJson {
    rank: usize,
    node: String,
    nic: String,
    layout: Figures,
    recompute: &'static str,
    step: Figures,
    /// What layouts are ranked by: of a run with phases not the step.
    pace_s: f64,
    mfu: f64,
    hfu: f64,
    tokens_per_s_per_gpu: f64,
    memory_bytes: u128,
    memory_capacity_bytes: u128,
    fits: bool,
    machine_usd_per_million_tokens: Option<f64>,
}

/// The ranking as pretty JSON.
pub(in crate::report) fn layouts_json(sheet: &LayoutSheet<'_>) -> String {
    let found = sheet.found;
    super::write(&SearchJson {
        schema: "planner/search/1",
        name: sheet.name.to_owned(),
        gpus: sheet.gpus,
        space: match found.breadth {
            Breadth::Open => "open",
            Breadth::Whole => "whole",
        },
        ranked_by: match found.by {
            RankBy::StepTime => "step-time",
            RankBy::UsdPerToken => "usd-per-token",
        },
        open: found.open.clone(),
        legal: found.legal,
        fitting: found.fitting,
        layouts: found
            .ranked
            .iter()
            .enumerate()
            .map(|(i, ranked)| LayoutJson::new(i + 1, ranked))
            .collect(),
        assumptions: found.assumptions.iter().map(AssumptionJson::new).collect(),
    })
}

impl LayoutJson {
    fn new(rank: usize, ranked: &Ranked) -> Self {
        let candidate = &ranked.candidate;
        let answer = FigureSource {
            layout: Some(&candidate.layout),
            micro_batches: Some(ranked.micro_batches),
            time: Some(&candidate.time),
            ..FigureSource::default()
        };
        Self {
            rank,
            node: ranked.node.clone(),
            nic: ranked.nic.clone(),
            layout: Figures::section_figures("layout", &answer),
            recompute: candidate.layout.recompute.name(),
            step: Figures::section_figures("step", &answer),
            pace_s: exact_number(candidate.pace.get()),
            mfu: exact_number(ranked.efficiency.mfu),
            hfu: exact_number(ranked.efficiency.hfu),
            tokens_per_s_per_gpu: exact_number(ranked.efficiency.tokens_per_gpu_second),
            memory_bytes: candidate.memory.count(),
            memory_capacity_bytes: ranked.memory_capacity.count(),
            fits: ranked.is_within_memory(),
            machine_usd_per_million_tokens: ranked
                .usd_per_million_tokens
                .map(|usd| exact_number(usd.get())),
        }
    }
}

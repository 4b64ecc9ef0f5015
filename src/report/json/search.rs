//! `planner search` as programs read it.

use serde::Serialize;

use super::super::number::exact;
use super::super::sheet::LayoutSheet;
use super::assumption::Assumption;
use super::figures::Figures;
use crate::quantity::Answer;
use crate::search::{Breadth, By, Ranked};

#[derive(Serialize)]
struct Sheet {
    schema: &'static str,
    name: String,
    gpus: u32,
    space: &'static str,
    ranked_by: &'static str,
    open: Vec<&'static str>,
    legal: u64,
    fitting: u64,
    layouts: Vec<Entry>,
    assumptions: Vec<Assumption>,
}

/// A layout with what it takes.
#[derive(Serialize)]
struct Entry {
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
pub(in super::super) fn search(sheet: &LayoutSheet<'_>) -> String {
    let found = sheet.found;
    super::write(&Sheet {
        schema: "planner/search/1",
        name: sheet.name.to_owned(),
        gpus: sheet.gpus,
        space: match found.breadth {
            Breadth::Open => "open",
            Breadth::Whole => "whole",
        },
        ranked_by: match found.by {
            By::StepTime => "step-time",
            By::UsdPerToken => "usd-per-token",
        },
        open: found.open.clone(),
        legal: found.legal,
        fitting: found.fitting,
        layouts: found.ranked.iter().enumerate().map(|(i, of)| Entry::new(i + 1, of)).collect(),
        assumptions: found.assumptions.iter().map(Assumption::new).collect(),
    })
}

impl Entry {
    fn new(rank: usize, of: &Ranked) -> Self {
        let candidate = &of.candidate;
        let answer = Answer {
            layout: Some(&candidate.layout),
            micro_batches: Some(of.micro_batches),
            time: Some(&candidate.time),
            ..Answer::default()
        };
        Self {
            rank,
            node: of.node.clone(),
            nic: of.nic.clone(),
            layout: Figures::of("layout", &answer),
            recompute: candidate.layout.recompute.name(),
            step: Figures::of("step", &answer),
            pace_s: exact(candidate.pace.get()),
            mfu: exact(of.efficiency.mfu),
            hfu: exact(of.efficiency.hfu),
            tokens_per_s_per_gpu: exact(of.efficiency.tokens_per_gpu_second),
            memory_bytes: candidate.memory.count(),
            memory_capacity_bytes: of.memory_capacity.count(),
            fits: of.fits(),
            machine_usd_per_million_tokens: of.usd_per_million_tokens.map(|usd| exact(usd.get())),
        }
    }
}

//! `planner step` and `planner search` as programs read them.

use super::common::section_figures;
use crate::quantity::FigureSource;
use crate::report::list::{ASSUMPTION_COLUMNS, JsonObject, PHASE_COLUMNS, list_json};
use crate::report::sheet::{LayoutSheet, StepSheet};
use crate::search::{Breadth, RankBy, Ranked};

/// The step as pretty JSON.
pub(in crate::report) fn step_json(sheet: &StepSheet<'_>) -> String {
    let step = sheet.step;
    let answer = FigureSource::from_step_plan(step);
    super::write(
        &JsonObject::with_schema("planner/step/1")
            .with("name", sheet.name.to_owned())
            .with("cluster", section_figures("cluster", &answer))
            .with("model", section_figures("model", &answer))
            .with("layout", section_figures("layout", &answer))
            .with("step", section_figures("step", &answer))
            .with("phases", list_json(PHASE_COLUMNS, &step.phases))
            .with("memory", section_figures("memory", &answer))
            .with("assumptions", list_json(ASSUMPTION_COLUMNS, &step.assumptions)),
    )
}

/// The ranking as pretty JSON.
pub(in crate::report) fn layouts_json(sheet: &LayoutSheet<'_>) -> String {
    let found = sheet.found;
    let space = match found.breadth {
        Breadth::Open => "open",
        Breadth::Whole => "whole",
    };
    let ranked_by = match found.by {
        RankBy::StepTime => "step-time",
        RankBy::UsdPerToken => "usd-per-token",
    };
    let layouts = found.ranked.iter().enumerate();
    super::write(
        &JsonObject::with_schema("planner/search/1")
            .with("name", sheet.name.to_owned())
            .with("gpus", sheet.gpus)
            .with("space", space)
            .with("ranked_by", ranked_by)
            .with("open", found.open.clone())
            .with("legal", found.legal)
            .with("fitting", found.fitting)
            .with_list("layouts", layouts.map(|(place, ranked)| layout_json(place + 1, ranked)))
            .with("assumptions", list_json(ASSUMPTION_COLUMNS, &found.assumptions)),
    )
}

/// A layout with what it takes. What layouts are ranked by, the pace, is of a run with phases not
/// the step.
fn layout_json(rank: usize, ranked: &Ranked) -> JsonObject {
    let candidate = &ranked.candidate;
    let answer = FigureSource {
        layout: Some(&candidate.layout),
        micro_batches: Some(ranked.micro_batches),
        time: Some(&candidate.time),
        ..FigureSource::default()
    };
    JsonObject::new()
        .with("rank", rank)
        .with("node", &ranked.node)
        .with("nic", &ranked.nic)
        .with("layout", section_figures("layout", &answer))
        .with("recompute", candidate.layout.recompute.name())
        .with("step", section_figures("step", &answer))
        .with("pace_s", candidate.pace)
        .with("mfu", ranked.efficiency.mfu)
        .with("hfu", ranked.efficiency.hfu)
        .with("tokens_per_s_per_gpu", ranked.efficiency.tokens_per_gpu_second)
        .with("memory_bytes", candidate.memory)
        .with("memory_capacity_bytes", ranked.memory_capacity)
        .with("fits", ranked.is_within_memory())
        .with("machine_usd_per_million_tokens", ranked.usd_per_million_tokens)
}

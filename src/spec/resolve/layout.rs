//! `[parallelism]`, and what `[training]` says of the layout. Whether the degrees fit is
//! [`super::degrees`]'s business.
//!
//! What a spec leaves out is the planner's to choose. Where it states both tensor and pipeline it
//! states a layout, as a launch script does: what such a layout does not name, it does not use.

use super::context::Context;
use super::framework::shards_by_default;
use crate::parallel::{LayoutRequest, Order, Schedule, Zero};
use crate::spec::reader::Reader;
use crate::workload::{Framework, Model, Recompute};

/// What is said of what is searched.
const AUTO: &str = "auto: the planner chooses";

pub(super) fn resolve_layout(
    context: &mut Context<'_>,
    model: Option<&Model>,
    framework: Option<&Framework>,
) -> Option<LayoutRequest> {
    let reader = context.section_reader("parallelism");
    let experts = model?.moe.is_some();
    let sharded = shards_by_default(framework?);
    let mut layout = LayoutRequest::read(&reader, None, None, None)?;
    let searched = layout.tensor.is_none() || layout.pipeline.is_none();
    resolve_interleave(context, &reader, &mut layout, searched);
    note_open_degree(context, &reader, "tensor", layout.tensor);
    note_open_degree(context, &reader, "pipeline", layout.pipeline);
    layout.micro_batch = micro_batch(context, searched);
    layout.recompute = resolve_recompute(context, searched);
    if !reader.is_stated("context") && !searched {
        layout.context = Some(1);
    }
    note_open_degree(context, &reader, "context", layout.context);
    match (reader.is_stated("expert"), experts) {
        (true, _) => {}
        (false, true) => note_open_degree(context, &reader, "expert", None),
        // A dense model leaves no choice, so there is nothing to report.
        (false, false) => layout.expert = Some(1),
    }
    // A stack from before either was written has neither.
    layout.sequence_parallel = sequence_parallel(context, &reader, (sharded, searched && sharded));
    layout.zero = resolve_zero(context, &reader, (sharded, searched && sharded));
    if !reader.is_stated("order") && !searched {
        layout.order = Some(Order::DP_INSIDE_PP);
    }
    let order = layout.order.map_or(AUTO.to_owned(), |this_order| this_order.to_string());
    note_default(context, &reader, "order", order);
    Some(layout)
}

/// Says what holds for a key that is left out.
fn note_default(context: &mut Context<'_>, reader: &Reader<'_>, key: &str, text: String) {
    if !reader.is_stated(key) {
        context.note_assumption(reader.path_of(key), text);
    }
}

/// Says it of a degree, which may be the planner's to choose.
fn note_open_degree(
    context: &mut Context<'_>,
    reader: &Reader<'_>,
    key: &str,
    degree: Option<u32>,
) {
    note_default(context, reader, key, degree.map_or(AUTO.to_owned(), |degree| degree.to_string()));
}

/// Interleave and schedule, each of which decides the default of the other: where neither is stated
/// beside open degrees, 1F1B with virtual stages or without.
fn resolve_interleave(
    context: &mut Context<'_>,
    reader: &Reader<'_>,
    layout: &mut LayoutRequest,
    searched: bool,
) {
    let scheduled = reader.is_stated("schedule") && !reader.is_auto("schedule");
    let chunked = layout.schedule == Schedule::Interleaved || searched && !scheduled;
    if !reader.is_stated("interleave") && !chunked {
        layout.interleave = Some(1);
    }
    note_open_degree(context, reader, "interleave", layout.interleave);
    let both = layout.interleave.is_none() && layout.schedule == Schedule::OneFOneB;
    let schedule = if both { AUTO } else { layout.schedule.name() };
    note_default(context, reader, "schedule", schedule.to_owned());
}

/// Sequences of a micro-batch: searched with the degrees, or 1 beside stated ones.
fn micro_batch(context: &mut Context<'_>, open: bool) -> Option<u64> {
    let reader = context.section_reader("training");
    if reader.is_stated("micro_batch") {
        return reader.read_count("micro_batch"); // `auto` reads as no count
    }
    if open {
        context.note_assumption("training.micro_batch", AUTO);
        return None;
    }
    context.note_assumption("training.micro_batch", "1 sequence: the smallest pipeline bubble");
    Some(1)
}

/// What is recomputed: searched with the degrees, or the attention scores beside stated ones.
fn resolve_recompute(context: &mut Context<'_>, open: bool) -> Option<Recompute> {
    let reader = context.section_reader("training");
    if reader.is_stated("recompute") {
        let name = reader.read_text("recompute")?; // `auto` reads as none of the choices
        return Recompute::parse(name);
    }
    if open {
        context.note_assumption("training.recompute", AUTO);
        return None;
    }
    context.note_assumption("training.recompute", "selective: attention scores are computed again");
    Some(Recompute::Selective)
}

fn sequence_parallel(
    context: &mut Context<'_>,
    reader: &Reader<'_>,
    (sharded, open): (bool, bool),
) -> Option<bool> {
    if reader.is_auto("sequence_parallel") {
        return None;
    }
    if open && !reader.is_stated("sequence_parallel") {
        context.note_assumption("parallelism.sequence_parallel", AUTO);
        return None;
    }
    if !reader.is_stated("sequence_parallel") {
        let text = format!("{sharded}: the default of the framework's year");
        context.note_assumption("parallelism.sequence_parallel", text);
    }
    Some(reader.read_flag("sequence_parallel").unwrap_or(sharded))
}

fn resolve_zero(
    context: &mut Context<'_>,
    reader: &Reader<'_>,
    (sharded, open): (bool, bool),
) -> Option<Zero> {
    if reader.is_auto("zero") {
        return None;
    }
    if open && !reader.is_stated("zero") {
        context.note_assumption("parallelism.zero", AUTO);
        return None;
    }
    let default = if sharded { Zero::Optimizer } else { Zero::None };
    if !reader.is_stated("zero") {
        let text = format!("{}: the default of the framework's year", default.stage_number());
        context.note_assumption("parallelism.zero", text);
    }
    Some(reader.read_count("zero").and_then(Zero::from_stage).unwrap_or(default))
}

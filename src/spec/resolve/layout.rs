//! `[parallelism]`, and what `[training]` says of the layout. Whether the degrees fit is
//! [`super::degrees`]'s business.

use super::context::Context;
use super::framework::shards_by_default;
use crate::parallel::{LayoutRequest, Order, Schedule, Zero};
use crate::spec::reader::Reader;
use crate::workload::{Framework, Model, Recompute};

/// What is said of what is searched.
const AUTO: &str = "auto: the planner chooses";

pub(super) fn layout(
    context: &mut Context<'_>,
    model: Option<&Model>,
    framework: Option<&Framework>,
) -> Option<LayoutRequest> {
    let reader = context.section("parallelism");
    let experts = model?.moe.is_some();
    let (interleave, schedule) = schedule(context, &reader);
    let sharded = shards_by_default(framework?);
    let tensor = degree(context, &reader, "tensor", None);
    let pipeline = degree(context, &reader, "pipeline", None);
    let open = tensor.is_none() || pipeline.is_none();
    Some(LayoutRequest {
        tensor,
        pipeline,
        micro_batch: micro_batch(context, open),
        recompute: recompute(context, open),
        data: reader.small_count("data"),
        context: degree(
            context,
            &reader,
            "context",
            Some(reader.small_count_or_default("context")),
        ),
        expert: expert(context, &reader, experts),
        expert_tensor: reader.small_count("expert_tensor"),
        interleave,
        sequence_parallel: sequence_parallel(context, &reader, sharded),
        zero: zero(context, &reader, sharded),
        order: order(context, &reader),
        schedule,
        replaced: None,
    })
}

/// A degree; `None` where it is the planner's to choose.
fn degree(
    context: &mut Context<'_>,
    reader: &Reader<'_>,
    key: &str,
    default: Option<u32>,
) -> Option<u32> {
    if reader.stated(key) {
        return reader.small_count(key);
    }
    let text = match default {
        Some(degree) => format!("{degree}"),
        None => AUTO.to_owned(),
    };
    context.assume(reader.path_of(key), text);
    default
}

fn expert(context: &mut Context<'_>, reader: &Reader<'_>, experts: bool) -> Option<u32> {
    if reader.stated("expert") {
        reader.small_count("expert")
    } else if experts {
        degree(context, reader, "expert", None)
    } else {
        Some(1) // a dense model leaves no choice, so there is nothing to report
    }
}

/// Interleave and schedule, each of which decides the default of the other.
fn schedule(context: &mut Context<'_>, reader: &Reader<'_>) -> (Option<u32>, Schedule) {
    let schedule = reader
        .text("schedule")
        .and_then(|name| Schedule::ALL.into_iter().find(|schedule| schedule.name() == name));
    let interleaved = schedule == Some(Schedule::Interleaved);
    let interleave = match reader.stated("interleave") {
        true => reader.small_count("interleave"),
        false => degree(context, reader, "interleave", (!interleaved).then_some(1)),
    };
    let schedule = schedule.unwrap_or(match interleave {
        Some(interleave) if interleave > 1 => Schedule::Interleaved,
        _ => Schedule::OneFOneB,
    });
    if !reader.stated("schedule") {
        context.assume("parallelism.schedule", schedule.name());
    }
    (interleave, schedule)
}

/// Sequences of a micro-batch: searched with the degrees, or 1 beside stated ones.
fn micro_batch(context: &mut Context<'_>, open: bool) -> Option<u64> {
    let reader = context.section("training");
    if reader.stated("micro_batch") {
        return reader.count("micro_batch"); // `auto` reads as no count
    }
    if open {
        context.assume("training.micro_batch", AUTO);
        return None;
    }
    context.assume("training.micro_batch", "1 sequence: the smallest pipeline bubble");
    Some(1)
}

/// What is recomputed: searched with the degrees, or the attention scores beside stated ones.
fn recompute(context: &mut Context<'_>, open: bool) -> Option<Recompute> {
    let reader = context.section("training");
    if reader.stated("recompute") {
        let name = reader.text("recompute")?; // `auto` reads as none of the choices
        return Recompute::parse(name);
    }
    if open {
        context.assume("training.recompute", AUTO);
        return None;
    }
    context.assume("training.recompute", "selective: attention scores are computed again");
    Some(Recompute::Selective)
}

fn sequence_parallel(
    context: &mut Context<'_>,
    reader: &Reader<'_>,
    sharded: bool,
) -> Option<bool> {
    if reader.is_auto("sequence_parallel") {
        return None;
    }
    if !reader.stated("sequence_parallel") {
        let text = format!("{sharded}: the default of the framework's year");
        context.assume("parallelism.sequence_parallel", text);
    }
    Some(reader.flag("sequence_parallel").unwrap_or(sharded))
}

fn zero(context: &mut Context<'_>, reader: &Reader<'_>, sharded: bool) -> Option<Zero> {
    if reader.is_auto("zero") {
        return None;
    }
    let default = if sharded { Zero::Optimizer } else { Zero::None };
    if !reader.stated("zero") {
        let text = format!("{}: the default of the framework's year", default.stage());
        context.assume("parallelism.zero", text);
    }
    Some(reader.count("zero").and_then(Zero::from_stage).unwrap_or(default))
}

fn order(context: &mut Context<'_>, reader: &Reader<'_>) -> Option<Order> {
    let order = reader.order_or_default("order");
    if !reader.stated("order") {
        context.assume("parallelism.order", order.map_or(AUTO.to_owned(), |of| of.to_string()));
    }
    order
}

//! `[parallelism]`: what the spec says of the layout. Whether the degrees fit is
//! [`super::degrees`]'s business.

use super::context::Context;
use super::framework::shards_by_default;
use crate::parallel::{LayoutRequest, Order, Schedule, Zero};
use crate::spec::reader::Reader;
use crate::workload::{Framework, Model};

pub(super) fn layout(
    context: &mut Context<'_>,
    model: Option<&Model>,
    framework: Option<&Framework>,
) -> Option<LayoutRequest> {
    let reader = context.section("parallelism");
    let experts = model?.moe.is_some();
    let (interleave, schedule) = schedule(context, &reader);
    let sharded = shards_by_default(framework?);
    Some(LayoutRequest {
        tensor: degree(context, &reader, "tensor", None),
        pipeline: degree(context, &reader, "pipeline", None),
        data: reader.small_count("data"),
        context: degree(context, &reader, "context", Some(1)),
        expert: expert(context, &reader, experts),
        expert_tensor: reader.small_count("expert_tensor"),
        interleave,
        sequence_parallel: sequence_parallel(context, &reader, sharded),
        zero: zero(context, &reader, sharded),
        order: order(context, &reader),
        schedule,
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
        None => "auto: the planner chooses".to_owned(),
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

fn sequence_parallel(context: &mut Context<'_>, reader: &Reader<'_>, sharded: bool) -> bool {
    if !reader.stated("sequence_parallel") {
        let text = format!("{sharded}: the default of the framework's year");
        context.assume("parallelism.sequence_parallel", text);
    }
    reader.flag("sequence_parallel").unwrap_or(sharded)
}

fn zero(context: &mut Context<'_>, reader: &Reader<'_>, sharded: bool) -> Zero {
    let default = if sharded { Zero::Optimizer } else { Zero::None };
    if !reader.stated("zero") {
        let text = format!("{}: the default of the framework's year", default.stage());
        context.assume("parallelism.zero", text);
    }
    reader.count("zero").and_then(Zero::from_stage).unwrap_or(default)
}

fn order(context: &mut Context<'_>, reader: &Reader<'_>) -> Option<Order> {
    if !reader.stated("order") {
        context.assume("parallelism.order", Order::DP_INSIDE_PP.to_string());
    }
    reader.order("order").unwrap_or(Some(Order::DP_INSIDE_PP))
}

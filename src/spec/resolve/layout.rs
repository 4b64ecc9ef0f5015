//! `[parallelism]`, what `[training]` says of the layout, and degrees against GPUs.

use super::context::Context;
use super::training::shards_by_default;
use crate::parallel::{Layout, LayoutRequest, Order, Schedule, Zero};
use crate::spec::reader::Reader;
use crate::workload::{Framework, Model, Recompute, Training};

/// What is said of what is searched.
const AUTO: &str = "auto: searched";

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
    layout.micro_batch = resolve_micro_batch(context, searched);
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
    let setting = |key| OpenSetting { reader: &reader, key, open: searched && sharded };
    let flag = |reader: &Reader<'_>| reader.read_flag("sequence_parallel");
    layout.sequence_parallel =
        setting("sequence_parallel").read_by_year(context, sharded, sharded, flag);
    let stage = |reader: &Reader<'_>| reader.read_count("zero").and_then(Zero::from_stage);
    let zero = if sharded { Zero::Optimizer } else { Zero::None };
    layout.zero = setting("zero").read_by_year(context, zero, zero.stage_number(), stage);
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

/// A setting that may be left out.
struct OpenSetting<'r, 'd> {
    reader: &'r Reader<'d>,
    key: &'static str,
    /// Left out, it is the planner's to choose.
    open: bool,
}

impl OpenSetting<'_, '_> {
    /// What holds where it is left out: the planner's choice, or a value, with what is said of it.
    fn choose_default<T>(&self, context: &mut Context<'_>, value: T, text: &str) -> Option<T> {
        let text = if self.open { AUTO } else { text };
        context.note_assumption(self.reader.path_of(self.key), text);
        (!self.open).then_some(value)
    }

    /// What is stated; else what is usual in the year of the stack, which is called `name`.
    fn read_by_year<T: Copy>(
        &self,
        context: &mut Context<'_>,
        usual: T,
        name: impl std::fmt::Display,
        read: impl Fn(&Reader<'_>) -> Option<T>,
    ) -> Option<T> {
        if self.reader.is_auto(self.key) {
            return None;
        }
        if self.reader.is_stated(self.key) {
            return Some(read(self.reader).unwrap_or(usual));
        }
        let text = format!("{name}: the default of the framework's year");
        self.choose_default(context, usual, &text)
    }
}

/// Sequences of a micro-batch: searched with the degrees, or 1 beside stated ones.
fn resolve_micro_batch(context: &mut Context<'_>, open: bool) -> Option<u64> {
    let reader = context.section_reader("training");
    if reader.is_stated("micro_batch") {
        return reader.read_count("micro_batch"); // `auto` reads as no count
    }
    let text = "1 sequence: the smallest pipeline bubble";
    let setting = OpenSetting { reader: &reader, key: "micro_batch", open };
    setting.choose_default(context, 1, text)
}

/// What is recomputed: searched with the degrees, or the attention scores beside stated ones.
fn resolve_recompute(context: &mut Context<'_>, open: bool) -> Option<Recompute> {
    let reader = context.section_reader("training");
    if reader.is_stated("recompute") {
        let name = reader.read_text("recompute")?; // `auto` reads as none of the choices
        let stated = Recompute::parse(name);
        if reader.is_stated("recompute_modules") && stated != Some(Recompute::Selective) {
            let message = format!("`recompute = \"{name}\"` has no use for `recompute_modules`");
            let hint = "write `recompute = \"selective\"`, or leave the modules out";
            context.report_contradiction(&reader, "recompute_modules", message, hint);
        }
        return stated;
    }
    let text = "selective: attention scores are computed again";
    let setting = OpenSetting { reader: &reader, key: "recompute", open };
    setting.choose_default(context, Recompute::Selective, text)
}

/// Largest cluster that is planned, as in the table of keys.
pub(super) const MOST_GPUS: u128 = 4_194_304;

/// GPUs of the cluster: stated, or the product of all degrees where those are.
pub(super) fn resolve_cluster_gpus(context: &mut Context<'_>) -> Option<u32> {
    let parallelism = context.section_reader("parallelism");
    let cluster = context.section_reader("cluster");
    if cluster.is_stated("gpus") {
        return cluster.small_count("gpus");
    }
    let degree = |key| parallelism.small_count(key).map(u128::from);
    let context_degree =
        if parallelism.is_stated("context") { degree("context") } else { Some(1_u128) };
    let all = [degree("tensor"), degree("pipeline"), degree("data"), context_degree];
    let Some(product) = all.into_iter().product::<Option<u128>>() else {
        let key = cluster.section().find_key("gpus")?;
        context.report_missing_key(&cluster, key, "");
        return None;
    };
    let gpus = u32::try_from(product).ok().filter(|_| product <= MOST_GPUS);
    match gpus {
        Some(gpus) => {
            context.note_assumption("cluster.gpus", format!("{gpus}: the product of all degrees"));
        }
        None => {
            let message = format!("the degrees multiply to {product} GPUs");
            let hint = format!("at most {MOST_GPUS} are planned");
            context.report_contradiction(&parallelism, "data", message, hint);
        }
    }
    gpus
}

/// The data-parallel degree, where it is stated or follows; `None` inside where it is open.
/// `None` outside where the degrees can't be right; the reason is then in the problems.
pub(super) fn resolve_data_degree(
    context: &mut Context<'_>,
    request: &LayoutRequest,
    gpus: u32,
    job: Option<(&Model, &Training)>,
) -> Option<Option<u32>> {
    let parallelism = context.section_reader("parallelism");
    if parallelism.is_stated("data") && request.data.is_none() && !parallelism.is_auto("data") {
        return None; // refused already
    }
    let known = [request.tensor, request.context, request.pipeline];
    let shards: u128 = known.iter().flatten().map(|degree| u128::from(*degree)).product();
    let all_known = known.iter().all(Option::is_some);
    let product = product(request);
    let total = u128::from(gpus);
    let fits = match (all_known, request.data) {
        (true, Some(_)) => product == total,
        (false, Some(_)) => total.is_multiple_of(product),
        (_, None) => product <= total, // the others stay idle
    };
    if !fits {
        report_degree_mismatch(context, request, &parallelism, gpus, product);
        return None;
    }
    if request.data.is_some() || !all_known {
        return Some(request.data);
    }
    let most = u32::try_from(total / shards).ok()?;
    let replicas = |(model, training)| most_replicas(request, most, model, training);
    let data = job.and_then(replicas).unwrap_or(most);
    if !parallelism.is_stated("data") {
        let train = shards * u128::from(data);
        let text = if train == total {
            format!("{data}: what {gpus} GPUs leave")
        } else {
            format!("{data}: the most that divide the batch, so that {train} of {gpus} GPUs train")
        };
        context.note_assumption("parallelism.data", text);
    }
    Some(Some(data))
}

/// The most replicas up to so many with which a layout breaks no rule.
fn most_replicas(
    request: &LayoutRequest,
    most: u32,
    model: &Model,
    training: &Training,
) -> Option<u32> {
    let plain = request.simplest_layout(None);
    let divides = |data: &u32| training.global_batch.is_multiple_of(u64::from(*data));
    let mut all = (1..=most).rev().filter(divides);
    all.find(|data| {
        Layout { data: *data, ..plain.clone() }.broken_rules(model, training).is_empty()
    })
}

/// Product of the degrees that are stated.
pub(super) fn product(request: &LayoutRequest) -> u128 {
    let degrees = [request.tensor, request.context, request.pipeline, request.data];
    degrees.into_iter().flatten().map(u128::from).product()
}

fn report_degree_mismatch(
    context: &mut Context<'_>,
    request: &LayoutRequest,
    parallelism: &Reader<'_>,
    gpus: u32,
    product: u128,
) {
    let degrees = [
        ("tensor", request.tensor),
        ("context", request.context),
        ("pipeline", request.pipeline),
        ("data", request.data),
    ];
    let stated: Vec<(&str, u32)> =
        degrees.into_iter().filter_map(|(name, degree)| Some((name, degree?))).collect();
    let factors: Vec<String> =
        stated.iter().filter(|(_, d)| *d > 1).map(|(name, d)| format!("{name} {d}")).collect();
    let complete = stated.len() == degrees.len();
    let verb = if complete { "is" } else { "does not divide" };
    let message = if complete {
        format!("{} {verb} {product} GPUs, and the cluster has {gpus}", factors.join(" x "))
    } else {
        let sum = if factors.len() > 1 { format!(" = {product}") } else { String::new() };
        format!("{}{sum} {verb} the {gpus} GPUs of the cluster", factors.join(" x "))
    };
    // The key most likely to be at fault: the last one stated.
    let key =
        stated.iter().rev().find(|(name, _)| parallelism.is_stated(name)).map_or("data", |s| s.0);
    let total = u128::from(gpus);
    let hint = if complete {
        all_stated(&stated, total, product)
    } else {
        some_stated(&stated, key, total, product)
    };
    context.report_contradiction(parallelism, key, message, hint);
}

/// What would fit where every degree is stated: one of them that makes up the total, the others as
/// they stand. A degree of the model is only made smaller, to a divisor, so that it still divides
/// what it divided.
fn all_stated(stated: &[(&str, u32)], total: u128, product: u128) -> String {
    let fitting = |(name, degree): &(&str, u32)| {
        let others = product / u128::from(*degree);
        let wanted = total.is_multiple_of(others).then(|| total / others)?;
        let safe = *name == "data" || u128::from(*degree).is_multiple_of(wanted);
        safe.then(|| format!("{name} = {wanted}"))
    };
    let fitting: Vec<String> = stated.iter().rev().filter_map(fitting).collect();
    let data = stated.iter().find(|(name, _)| *name == "data").map_or(1, |(_, degree)| *degree);
    let shards = product / u128::from(data);
    if fitting.is_empty() {
        let near = nearest_multiples(total, shards);
        return format!("gpus = {product} would fit; without data, {near} would");
    }
    let out = if total.is_multiple_of(shards) { ", or leave data out" } else { "" };
    format!("{} would fit, or gpus = {product}{out}", fitting.join(" or "))
}

/// What would divide where a degree is open: the nearest degrees in place of the one to blame, the
/// others as they stand, or the nearest clusters.
fn some_stated(stated: &[(&str, u32)], key: &str, total: u128, product: u128) -> String {
    let near = nearest_multiples(total, product);
    let degree = stated.iter().find(|(name, _)| *name == key).map_or(1, |(_, d)| u128::from(*d));
    let others = product / degree;
    if !total.is_multiple_of(others) {
        return format!("{near} would fit");
    }
    let rest = total / others;
    let below = (1..degree).rev().find(|near| rest.is_multiple_of(*near));
    let above = (degree + 1..=rest).find(|near| rest.is_multiple_of(*near));
    let degrees: Vec<String> =
        below.into_iter().chain(above).map(|near| near.to_string()).collect();
    format!("{key} = {} would divide them, or {near}", degrees.join(" or "))
}

/// The clusters next to that many GPUs which are a multiple of a unit.
fn nearest_multiples(total: u128, unit: u128) -> String {
    let (below, above) = (total / unit * unit, total.div_ceil(unit) * unit);
    match below {
        0 => format!("gpus = {above}"),
        _ => format!("gpus = {below} or {above}"),
    }
}

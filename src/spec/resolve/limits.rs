//! `[objective]`, `[limits]`, `[inventory]`, `[robust]`.
//!
//! `[objective]`, `[limits]` and `[inventory]`: what counts, what may not be exceeded, what is
//! owned already.

use std::collections::BTreeMap;

use super::cluster::refuse_domain_sums;
use super::context::Context;
use super::shelf::{Drawer, Shelf};
use crate::reliability::Failures;
use crate::scenario::{
    Cluster, Hall, Limits, LoadBalancing, Loss, Minimize, Objective, Robust, RobustPlacement,
    Spares, Workload,
};
use crate::spec::reader::Reader;
use crate::workload::Algorithms;

/// `[objective]`; `priced` says whether a machine on offer has a price.
pub(super) fn resolve_objective(context: &mut Context<'_>, priced: bool) -> Option<Objective> {
    let reader = context.section_reader("objective");
    let (usual, why) = default_minimize(context, &reader, priced);
    let mut quantities =
        reader.read_names("minimize").into_iter().filter_map(|(name, _)| Minimize::parse(name));
    let minimize = quantities.next().unwrap_or(usual);
    let then: Vec<Minimize> = quantities.collect();
    if then.is_empty() && reader.is_stated("tolerance") {
        let message = "a tolerance needs a second quantity that decides within it";
        let hint = "list several, as in `minimize = [\"capex\", \"power\"]`";
        context.report_contradiction(&reader, "tolerance", message, hint);
    }
    if !reader.is_stated("minimize") {
        context.note_assumption("objective.minimize", format!("{}: {why}", usual.name()));
    }
    note_objective_defaults(
        context,
        &reader,
        &[
            ("years", "time in which machines are written off"),
            ("pue", "what new large halls reach"),
        ],
    );
    let objective = Objective::read(&reader, minimize, then)?;
    if !reader.is_stated("max_slowdown") {
        context.note_assumption("objective.max_slowdown", describe_slowdown_limit(&objective));
    }
    Some(objective)
}

/// What ends slowdown where a spec doesn't say it.
fn describe_slowdown_limit(objective: &Objective) -> String {
    match objective.allowed_slowdown(objective.minimize) {
        Objective::ANY_SLOWDOWN => "no limit: slower designs cost more per token".to_owned(),
        most => format!(
            "{most}: steps up to so many times as long as on a full-bisection Clos in the fastest layout and rank order"
        ),
    }
}

/// What a spec minimises that does not say it, and why: the cost of a token, wherever it is one
/// number and what it is spread over is known.
fn default_minimize(
    context: &Context<'_>,
    reader: &Reader<'_>,
    priced: bool,
) -> (Minimize, &'static str) {
    let root = &context.root;
    let workloads = root.sub_tables("workload");
    let trains = |reader: &Reader<'_>| {
        reader.sub_table("training").is_some_and(|training| training.is_stated("tokens"))
    };
    if !root.sub_tables("stage").is_empty() {
        (Minimize::Capex, "the stages of a cluster are added up in money")
    } else if workloads.iter().any(|workload| workload.is_stated("gpus")) {
        (Minimize::Capex, "parts of a cluster have no common cost per token")
    } else if !priced {
        (Minimize::Capex, "the machine has no price, so tokens have none")
    } else if trains(root) || workloads.iter().any(trains) {
        (Minimize::UsdPerToken, "the length of the run is stated")
    } else if reader.is_stated("years") {
        (Minimize::UsdPerToken, "the years of operation are stated")
    } else {
        (Minimize::Capex, "neither `training.tokens` nor `objective.years` is stated")
    }
}

/// Says which numbers were left out, with what holds for them and why.
fn note_objective_defaults(context: &mut Context<'_>, reader: &Reader<'_>, why: &[(&str, &str)]) {
    for (key, why) in why.iter().filter(|(key, _)| !reader.is_stated(key)) {
        let number = reader.number_or_default(key);
        context.note_assumption(reader.path_of(key), format!("{number}: {why}"));
    }
}

pub(super) fn resolve_limits(context: &mut Context<'_>, shelf: &Shelf) -> Option<Limits> {
    let reader = context.section_reader("limits");
    check_part_names(context, &["limits", "supply"], &[&shelf.switches], "switch");
    let survive = resolve_survived_losses(context, &reader);
    Limits::read(&reader, survive, 0)
}

/// What a cluster may lose with its job going on; `None` where nothing is stated.
fn resolve_survived_losses(context: &mut Context<'_>, reader: &Reader<'_>) -> Option<Vec<Loss>> {
    let names = reader.read_names("survive");
    let losses: Vec<Loss> = names.iter().filter_map(|(name, _)| Loss::parse(name)).collect();
    if losses.len() > 1 && losses.contains(&Loss::Nothing) {
        let message = "nothing stands beside losses that are to be survived";
        let hint = "take `\"nothing\"` out, or all others";
        context.report_contradiction(reader, "survive", message, hint);
    }
    let standby = context.section_reader("failures").read_count("standby");
    if losses.contains(&Loss::Domain) && standby.is_none_or(|domains| domains == 0) {
        let message = "to survive the loss of an HB domain takes a spare machine";
        let hint =
            "add `standby = 1` to [failures], and the machine to `cluster.gpus` or to the budget";
        context.report_contradiction(reader, "survive", message, hint);
    }
    let stated = losses.into_iter().filter(|loss| *loss != Loss::Nothing).collect();
    (!names.is_empty()).then_some(stated)
}

/// A plane that is to be lost leaves none where there is one.
pub(super) fn planes_survive(
    context: &mut Context<'_>,
    limits: Option<&Limits>,
    cluster: &Cluster,
) {
    if limits.is_some_and(|this_limits| this_limits.has_to_survive(Loss::Plane))
        && cluster.max_planes < 2
    {
        let reader = context.section_reader("limits");
        let message = "a network of one plane can't lose it";
        let hint = "allow `max_planes = 2` in [cluster], or take `\"any-plane\"` out";
        context.report_contradiction(&reader, "survive", message, hint);
    }
}

/// A limit on days without tokens says nothing: refused, in the words of each workload.
pub(super) fn days_need_tokens(context: &mut Context<'_>, reader: &Reader<'_>) {
    if reader.read_number("days").is_some()
        && !context.section_reader("training").is_stated("tokens")
    {
        let message = "a limit on days needs the length of the run";
        let hint = "add `tokens = \"300B\"` to [training]";
        context.report_contradiction(reader, "days", message, hint);
    }
}

/// `[hall]`: the usual one where the spec has no such table.
pub(super) fn resolve_hall(context: &Context<'_>) -> Option<Hall> {
    Hall::read(&context.section_reader("hall"), context.root.is_stated("hall"), false)
}

/// `[failures]`: what is published or assumed, where the spec says nothing else.
pub(super) fn resolve_failures(context: &mut Context<'_>) -> Option<Failures> {
    Failures::read(&context.section_reader("failures"))
}

/// `[spares]`; `None` inside where the spec has no such table.
pub(super) fn resolve_spares(context: &mut Context<'_>) -> Option<Spares> {
    if !context.root.is_stated("spares") {
        return None;
    }
    let reader = context.section_reader("spares");
    note_objective_defaults(
        context,
        &reader,
        &[
            ("fill_rate", "one lead time in a hundred runs out"),
            ("lead_days", "eight weeks, an assumption"),
            ("switch_failures", "0.051 % a month at Alibaba"),
            ("optic_failures", "an assumption"),
        ],
    );
    Spares::read(&reader)
}

pub(super) fn resolve_inventory(
    context: &mut Context<'_>,
    shelf: &Shelf,
) -> Option<BTreeMap<String, u64>> {
    check_part_names(context, &["inventory"], &shelf.purchasable_drawers(), "part");
    context.root.read_field("inventory")
}

/// Refuses names of a table of pieces that no part has.
fn check_part_names(
    context: &mut Context<'_>,
    path: &[&str],
    drawers: &[&Drawer],
    what: &'static str,
) {
    let mut table = Some(context.document);
    for name in path {
        table = table.and_then(|table| table.get_table(name));
    }
    for (name, entry) in table.iter().flat_map(|table| &table.entries) {
        if !drawers.iter().any(|drawer| drawer.has_part(name)) {
            let known = drawers.iter().flat_map(|drawer| drawer.item_names().cloned());
            let key = format!("{}.{name}", path.join("."));
            context.report_unknown_name(
                key,
                Some(entry.key),
                what,
                name,
                known.collect::<Vec<_>>(),
            );
        }
    }
}

/// Jobs that share each leaf switch where placements fill it in part.
const PART_FILLED: u32 = 2;

/// What the table asks for; `None` inside where the spec has none.
pub(super) fn resolve_robust(
    context: &mut Context<'_>,
    workloads: &[Workload],
    cluster: &Cluster,
) -> Option<Option<Robust>> {
    if !context.root.is_stated("robust") {
        return Some(None);
    }
    let reader = context.section_reader("robust");
    let placements: Vec<RobustPlacement> = reader
        .read_names("placements")
        .iter()
        .filter_map(|(name, _)| RobustPlacement::parse(name))
        .collect();
    let collectives: Vec<Algorithms> = reader
        .read_names("collectives")
        .iter()
        .filter_map(|(name, _)| Algorithms::parse(name))
        .collect();
    let mut jobs: Vec<u32> =
        reader.read_numbers("jobs").into_iter().map(|value| value as u32).collect();
    jobs.sort_unstable();
    jobs.dedup();
    let robust = Robust::read(&reader, placements, jobs, collectives)?;
    let Robust { layouts, placements, jobs, collectives, .. } = &robust;
    let asks =
        *layouts > 0 || !placements.is_empty() || !jobs.is_empty() || !collectives.is_empty();
    if !asks {
        let hint = "state `layouts`, `placements`, `jobs` or `collectives`, or take [robust] out";
        context.report_contradiction(&reader, "layouts", "it names no scenario".to_owned(), hint);
    }
    let message = "scenarios are of one cluster, not of parts or stages";
    context.refuse_several_clusters(&reader, "max_slowdown", message, "take [robust] out");
    for count in jobs {
        check_job_counts(context, &reader, "jobs", *count, workloads, cluster);
    }
    if placements.contains(&RobustPlacement::PartFilled) {
        check_job_counts(context, &reader, "placements", PART_FILLED, workloads, cluster);
    }
    if !placements.is_empty() && cluster.load_balancing != LoadBalancing::Spray {
        let message = "other placements are timed where packets are sprayed";
        let hint = "state `load_balancing = \"spray\"` in [cluster], or take `placements` out";
        context.report_contradiction(&reader, "placements", message, hint);
    }
    refuse_switch_sums(context, &reader, collectives, cluster);
    Some(Some(robust))
}

/// Refuses numbers of jobs that do not divide GPUs, batch or replicas.
fn check_job_counts(
    context: &mut Context<'_>,
    reader: &Reader<'_>,
    key: &str,
    count: u32,
    workloads: &[Workload],
    cluster: &Cluster,
) {
    let mut wholes = vec![("GPUs of the cluster".to_owned(), u64::from(cluster.gpus))];
    for workload in workloads {
        let name =
            if workloads.len() > 1 { format!(" of {}", workload.name) } else { String::new() };
        wholes.push((format!("sequences of a batch{name}"), workload.training.global_batch));
        wholes
            .extend(workload.layout.data.map(|data| (format!("replicas{name}"), u64::from(data))));
    }
    let odd = wholes.iter().find(|(_, whole)| !whole.is_multiple_of(u64::from(count)));
    if let Some((what, whole)) = odd {
        let message = format!("{count} equal jobs do not divide the {whole} {what}");
        let hint = match key {
            "jobs" => "take a divisor, or another number of GPUs, sequences or replicas",
            _ => "`\"part-filled\"` has two jobs: take it out, or an even number of all of them",
        };
        context.report_contradiction(reader, key, message, hint);
    }
}

/// Refuses sums by switches: those of the network are another fabric, and not every product has
/// others.
fn refuse_switch_sums(
    context: &mut Context<'_>,
    reader: &Reader<'_>,
    collectives: &[Algorithms],
    cluster: &Cluster,
) {
    if collectives.contains(&Algorithms::Sharp) {
        let message = "`sharp` is no scenario: it needs other switches";
        let hint = "state `all = \"sharp\"` in [collectives], or another algorithm here";
        context.report_contradiction(reader, "collectives", message, hint);
    }
    let unable = cluster.nodes.iter().find(|node| !node.hb_reduces);
    if let Some(node) = unable.filter(|_| collectives.contains(&Algorithms::Nvls)) {
        refuse_domain_sums(context, reader, "collectives", node);
    }
}

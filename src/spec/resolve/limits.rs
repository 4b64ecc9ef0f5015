//! `[objective]`, `[limits]` and `[inventory]`: what counts, what may not be exceeded, what is
//! owned already.

use std::collections::BTreeMap;

use super::context::Context;
use super::shelf::{Drawer, Shelf};
use crate::reliability::Failures;
use crate::scenario::{Cluster, Hall, Limits, Loss, Minimize, Objective, Spares};
use crate::spec::reader::Reader;

/// `[objective]`; `priced` says whether a machine on offer has a price.
pub(super) fn objective(context: &mut Context<'_>, priced: bool) -> Option<Objective> {
    let reader = context.section("objective");
    let (usual, why) = usual(context, &reader, priced);
    let mut quantities =
        reader.names("minimize").into_iter().filter_map(|(name, _)| Minimize::parse(name));
    let minimize = quantities.next().unwrap_or(usual);
    let then: Vec<Minimize> = quantities.collect();
    if then.is_empty() && reader.is_stated("tolerance") {
        let message = "a tolerance needs a second quantity that decides within it".to_owned();
        let hint = "list several, as in `minimize = [\"capex\", \"power\"]`";
        context.contradiction(&reader, "tolerance", message, hint);
    }
    if !reader.is_stated("minimize") {
        context.note_assumption("objective.minimize", format!("{}: {why}", usual.name()));
    }
    assumed(
        context,
        &reader,
        &[
            ("years", "time in which machines are written off"),
            ("pue", "what new large halls reach"),
        ],
    );
    let objective = Objective::read(&reader, minimize, then)?;
    if !reader.is_stated("max_slowdown") {
        context.note_assumption("objective.max_slowdown", paced(&objective));
    }
    Some(objective)
}

/// What ends slowdown where a spec doesn't say it.
fn paced(objective: &Objective) -> String {
    match objective.slowdown(objective.minimize) {
        Objective::ANY_SLOWDOWN => {
            "any: a longer step adds to the cost of a token by itself".to_owned()
        }
        most => format!(
            "{most}: steps up to so many times as long as on a full-bisection Clos in the fastest layout and rank order"
        ),
    }
}

/// What a spec minimises that does not say it, and why: the cost of a token, wherever it is one
/// number and what it is spread over is known.
fn usual(context: &Context<'_>, reader: &Reader<'_>, priced: bool) -> (Minimize, &'static str) {
    let root = &context.root;
    let workloads = root.tables("workload");
    let trains = |reader: &Reader<'_>| {
        reader.sub_table("training").is_some_and(|training| training.is_stated("tokens"))
    };
    if !root.tables("stage").is_empty() {
        (Minimize::Capex, "the stages of a cluster are added up in money")
    } else if workloads.iter().any(|workload| workload.is_stated("gpus")) {
        (Minimize::Capex, "parts of a cluster have no common cost of a token")
    } else if !priced {
        (Minimize::Capex, "the machine has no price, so a token has none")
    } else if trains(root) || workloads.iter().any(trains) {
        (Minimize::UsdPerToken, "the length of the run is stated")
    } else if reader.is_stated("years") {
        (Minimize::UsdPerToken, "the years of operation are stated")
    } else {
        (Minimize::Capex, "neither `training.tokens` nor `objective.years` is stated")
    }
}

/// Says which numbers were left out, with what holds for them and why.
fn assumed(context: &mut Context<'_>, reader: &Reader<'_>, why: &[(&str, &str)]) {
    for (key, why) in why.iter().filter(|(key, _)| !reader.is_stated(key)) {
        let number = reader.number_or_default(key);
        context.note_assumption(reader.path_of(key), format!("{number}: {why}"));
    }
}

pub(super) fn limits(context: &mut Context<'_>, shelf: &Shelf) -> Option<Limits> {
    let reader = context.section("limits");
    known(context, &["limits", "supply"], &[&shelf.switches], "switch");
    let survive = survive(context, &reader);
    Limits::read(&reader, survive, 0)
}

/// What a cluster may lose with its job going on; `None` where nothing is stated.
fn survive(context: &mut Context<'_>, reader: &Reader<'_>) -> Option<Vec<Loss>> {
    let names = reader.names("survive");
    let losses: Vec<Loss> = names.iter().filter_map(|(name, _)| Loss::parse(name)).collect();
    if losses.len() > 1 && losses.contains(&Loss::Nothing) {
        let message = "nothing stands beside losses that are to be survived".to_owned();
        context.contradiction(reader, "survive", message, "take `\"nothing\"` out, or all others");
    }
    let standby = context.section("failures").count("standby");
    if losses.contains(&Loss::Domain) && standby.is_none_or(|domains| domains == 0) {
        let message = "to survive the loss of an HB domain another one has to stand by".to_owned();
        let hint =
            "add `standby = 1` to [failures], and the machine to `cluster.gpus` or to the budget";
        context.contradiction(reader, "survive", message, hint);
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
    if limits.is_some_and(|of| of.survives(Loss::Plane)) && cluster.max_planes < 2 {
        let reader = context.section("limits");
        let message = "a network of one plane can't lose it".to_owned();
        let hint = "allow `max_planes = 2` in [cluster], or take `\"any-plane\"` out";
        context.contradiction(&reader, "survive", message, hint);
    }
}

/// A limit on days without tokens says nothing: refused, in the words of each workload.
pub(super) fn days_need_tokens(context: &mut Context<'_>, reader: &Reader<'_>) {
    if reader.number("days").is_some() && !context.section("training").is_stated("tokens") {
        let message = "a limit on days needs the length of the run".to_owned();
        context.contradiction(reader, "days", message, "add `tokens = \"300B\"` to [training]");
    }
}

/// `[hall]`: the usual one where the spec has no such table.
pub(super) fn hall(context: &Context<'_>) -> Option<Hall> {
    Hall::read(&context.section("hall"), context.root.is_stated("hall"), false)
}

/// `[failures]`: what is published or assumed, where the spec says nothing else.
pub(super) fn failures(context: &mut Context<'_>) -> Option<Failures> {
    Failures::read(&context.section("failures"))
}

/// `[spares]`; `None` inside where the spec has no such table.
pub(super) fn spares(context: &mut Context<'_>) -> Option<Spares> {
    if !context.root.is_stated("spares") {
        return None;
    }
    let reader = context.section("spares");
    assumed(
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

pub(super) fn inventory(context: &mut Context<'_>, shelf: &Shelf) -> Option<BTreeMap<String, u64>> {
    known(context, &["inventory"], &shelf.purchasable_drawers(), "part");
    context.root.field("inventory")
}

/// Refuses names of a table of pieces that no part has.
fn known(context: &mut Context<'_>, path: &[&str], drawers: &[&Drawer], what: &'static str) {
    let mut table = Some(context.document);
    for name in path {
        table = table.and_then(|table| table.table(name));
    }
    for (name, entry) in table.iter().flat_map(|table| &table.entries) {
        if !drawers.iter().any(|drawer| drawer.has(name)) {
            let known = drawers.iter().flat_map(|drawer| drawer.names().cloned());
            let key = format!("{}.{name}", path.join("."));
            context.unknown(key, Some(entry.key), what, name, known.collect::<Vec<_>>());
        }
    }
}

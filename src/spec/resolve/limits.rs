//! `[objective]`, `[limits]` and `[inventory]`: what counts, what may not be exceeded, what is
//! owned already.

use std::collections::BTreeMap;

use super::context::Context;
use super::hardware::{Drawer, Shelf};
use crate::hardware::Rack;
use crate::scenario::{Limits, Minimize, Objective, Spares};
use crate::spec::reader::Reader;
use crate::spec::value;
use crate::units::Seconds;

/// Step time over that on a full-bisection Clos that is worth the saving, where nothing is said.
const MAX_SLOWDOWN: f64 = 1.02;
/// Share of lead times in which a store should not run out, where nothing is said.
const FILL_RATE: f64 = 0.99;
/// Days until a switch arrives: an assumption, as lead times moved between four and forty weeks.
const LEAD_DAYS: f64 = 56.0;
/// Top-of-rack switches that fail in a year: 0.051 % a month (Qian et al., Alibaba HPN, SIGCOMM
/// 2024).
const SWITCH_FAILURES: f64 = 0.0061;
/// Transceivers that fail in a year: an assumption; published link failures are lower.
const OPTIC_FAILURES: f64 = 0.02;
/// Years over which machines are written off.
const YEARS: f64 = 4.0;
/// What new large halls reach; the average of the industry is 1.56 (Uptime Institute, Global Data
/// Center Survey 2024).
const PUE: f64 = 1.3;

pub(super) fn objective(context: &mut Context<'_>) -> Option<Objective> {
    let reader = context.section("objective");
    let quantity = |name: &str| Minimize::ALL.into_iter().find(|of| of.name() == name);
    let mut quantities =
        reader.names("minimize").into_iter().filter_map(|(name, _)| quantity(name));
    let minimize = quantities.next().unwrap_or(Minimize::Capex);
    let then: Vec<Minimize> = quantities.collect();
    if then.is_empty() && reader.stated("tolerance") {
        let message = "a tolerance needs a second quantity that decides within it".to_owned();
        let hint = "list several, as in `minimize = [\"capex\", \"power\"]`";
        context.contradiction(&reader, "tolerance", message, hint);
    }
    if !reader.stated("minimize") {
        context.assume("objective.minimize", "capex");
    }
    let mut number = |key: &str, default: f64, why: &str| {
        if !reader.stated(key) {
            context.assume(reader.path_of(key), format!("{default}: {why}"));
        }
        reader.number(key).unwrap_or(default)
    };
    Some(Objective {
        minimize,
        then,
        tolerance: reader.number("tolerance").unwrap_or(0.0),
        max_slowdown: number(
            "max_slowdown",
            MAX_SLOWDOWN,
            "steps up to 2 % longer than on a full-bisection Clos",
        ),
        years: number("years", YEARS, "time in which machines are written off"),
        discount: reader.number("discount").unwrap_or(0.0),
        pue: number("pue", PUE, "what new large halls reach"),
    })
}

pub(super) fn limits(context: &mut Context<'_>, shelf: &Shelf) -> Option<Limits> {
    let reader = context.section("limits");
    let supply = pieces(context, &["limits", "supply"], &[&shelf.switches], "switch")?;
    Some(Limits {
        budget: reader.usd("budget"),
        power: reader.watts("power"),
        run: reader.number("days").map(Seconds::days),
        step_time: reader.seconds("step_time"),
        supply,
        racks: reader.count("racks"),
        rack: Rack {
            units: reader.small_count("rack_units").unwrap_or(Rack::UNITS),
            power: reader.watts("rack_power"),
        },
        within_rail: reader.number("within_rail"),
        across_rails: reader.number("across_rails"),
        models_per_rail: reader.small_count("models_per_rail"),
    })
}

/// A limit on days without tokens says nothing: refused, in the words of each workload.
pub(super) fn days_need_tokens(context: &mut Context<'_>, reader: &Reader<'_>) {
    if reader.number("days").is_some() && !context.section("training").stated("tokens") {
        let message = "a limit on days needs the length of the run".to_owned();
        context.contradiction(reader, "days", message, "add `tokens = \"300B\"` to [training]");
    }
}

/// `[spares]`; `None` inside where the spec has no such table.
pub(super) fn spares(context: &mut Context<'_>) -> Option<Spares> {
    if !context.root.stated("spares") {
        return None;
    }
    let reader = context.section("spares");
    let mut number = |key: &str, default: f64, why: &str| {
        if !reader.stated(key) {
            context.assume(reader.path_of(key), format!("{default}: {why}"));
        }
        reader.number(key).unwrap_or(default)
    };
    Some(Spares {
        fill_rate: number("fill_rate", FILL_RATE, "one lead time in a hundred runs out"),
        lead: Seconds::days(number("lead_days", LEAD_DAYS, "eight weeks, an assumption")),
        switch_failures: number("switch_failures", SWITCH_FAILURES, "0.051 % a month at Alibaba"),
        optic_failures: number("optic_failures", OPTIC_FAILURES, "an assumption"),
    })
}

pub(super) fn inventory(context: &mut Context<'_>, shelf: &Shelf) -> Option<BTreeMap<String, u64>> {
    pieces(context, &["inventory"], &shelf.bought(), "part")
}

/// A table of part names and pieces.
fn pieces(
    context: &mut Context<'_>,
    path: &[&str],
    drawers: &[&Drawer],
    what: &'static str,
) -> Option<BTreeMap<String, u64>> {
    let mut table = Some(context.document);
    for name in path {
        table = table.and_then(|table| table.table(name));
    }
    let mut pieces = BTreeMap::new();
    for (name, entry) in table.iter().flat_map(|table| &table.entries) {
        if !drawers.iter().any(|drawer| drawer.has(name)) {
            let known = drawers.iter().flat_map(|drawer| drawer.names().cloned());
            let key = format!("{}.{name}", path.join("."));
            context.unknown(key, Some(entry.key), what, name, known.collect::<Vec<_>>());
        } else if let Ok(count) = value::count(&entry.item, 0, u64::MAX) {
            pieces.insert(name.clone(), count);
        }
    }
    Some(pieces)
}

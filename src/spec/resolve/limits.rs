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

pub(super) fn objective(context: &mut Context<'_>) -> Option<Objective> {
    let reader = context.section("objective");
    let quantity = |name: &str| Minimize::ALL.into_iter().find(|of| of.name() == name);
    let mut quantities =
        reader.names("minimize").into_iter().filter_map(|(name, _)| quantity(name));
    let usual = || quantity(&reader.text_or_default("minimize"));
    let minimize = quantities.next().or_else(usual)?;
    let then: Vec<Minimize> = quantities.collect();
    if then.is_empty() && reader.stated("tolerance") {
        let message = "a tolerance needs a second quantity that decides within it".to_owned();
        let hint = "list several, as in `minimize = [\"capex\", \"power\"]`";
        context.contradiction(&reader, "tolerance", message, hint);
    }
    if !reader.stated("minimize") {
        context.assume("objective.minimize", minimize.name());
    }
    let mut number = |key: &str, why: &str| {
        let number = reader.number_or_default(key);
        if !reader.stated(key) {
            context.assume(reader.path_of(key), format!("{number}: {why}"));
        }
        number
    };
    Some(Objective {
        minimize,
        then,
        tolerance: reader.number_or_default("tolerance"),
        max_slowdown: number(
            "max_slowdown",
            "steps up to 2 % longer than on a full-bisection Clos in the fastest rank order",
        ),
        years: number("years", "time in which machines are written off"),
        discount: reader.number_or_default("discount"),
        pue: number("pue", "what new large halls reach"),
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
            units: reader.small_count_or_default("rack_units"),
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
    let mut number = |key: &str, why: &str| {
        let number = reader.number_or_default(key);
        if !reader.stated(key) {
            context.assume(reader.path_of(key), format!("{number}: {why}"));
        }
        number
    };
    Some(Spares {
        fill_rate: number("fill_rate", "one lead time in a hundred runs out"),
        lead: Seconds::days(number("lead_days", "eight weeks, an assumption")),
        switch_failures: number("switch_failures", "0.051 % a month at Alibaba"),
        optic_failures: number("optic_failures", "an assumption"),
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

//! What a report says beside the design: what other choices would cost, and what each limit costs.

use serde_json::Value;

use crate::instance::{Family, Goal, Instance};
use crate::network::best;
use crate::product::{Answer, Design, answer, number};
use crate::site::Freedom;
use crate::witness::words;

/// Dollars by which sums may differ.
const CENT: f64 = 0.01;

/// What is untrue of other choices and of limits, where money is minimised; empty: nothing.
pub(crate) fn faults(instance: &Instance, design: &Design) -> Vec<String> {
    if instance.goals[0] != Goal::Capex || !design.proven() {
        return Vec::new();
    }
    let others = design.list("/alternatives").iter();
    let limits = design.list("/solver/binding").iter();
    others
        .filter_map(|of| other(instance, design, of))
        .chain(limits.filter_map(|of| limit(instance, design, of)))
        .collect()
}

/// What is untrue of another choice: something costs less, or nothing as little.
fn other(instance: &Instance, design: &Design, row: &Value) -> Option<String> {
    let name = row["name"].as_str()?;
    let chosen = chosen(instance, name)?;
    let printed = design.amount(Goal::Capex) + number(row, "/capex_change_usd");
    let found = |freedom| best(&chosen, freedom, printed + 1.0);
    let plain = found(Freedom::Alike);
    if let Some(best) = plain.filter(|best| best.totals.capex < printed - CENT) {
        return Some(format!("OTHER `{name}` at ${printed}: {}", words(&chosen, &best)));
    }
    // Of three tiers nothing is known here; they are tried where two do not reach.
    let reached = best(&chosen, Freedom::Alike, f64::INFINITY).is_some();
    let none = reached && found(Freedom::Shared).is_none_or(|of| of.totals.capex > printed + CENT);
    none.then(|| format!("OTHER `{name}` at ${printed}: nothing is as cheap"))
}

/// The instance with a choice made.
fn chosen(instance: &Instance, name: &str) -> Option<Instance> {
    let mut next = Instance { goals: vec![Goal::Capex], ..instance.clone() };
    let mut planes = name;
    if let Some((family, rest)) = name.split_once(", ") {
        planes = rest;
        next.family = match family {
            "rail-only" => Family::RailOnly,
            "rail-optimized" => Family::RailOptimized,
            "full-bisection Clos" => Family::Clos,
            _ => return None,
        };
        if next.family == Family::Clos {
            (next.within, next.across) = (1000, 1000);
        }
    }
    let count = planes.strip_suffix(" planes").or(planes.strip_suffix(" plane"))?;
    next.only_planes = Some(if count == "one" { 1 } else { count.parse().ok()? });
    Some(next)
}

/// What is untrue of a limit: without it the program saves another sum than it says.
fn limit(instance: &Instance, design: &Design, row: &Value) -> Option<String> {
    let saving = row["saving_usd"].as_f64()?;
    let name = row["limit"].as_str()?;
    let mut next = instance.clone();
    match name.strip_prefix("limits.")? {
        "within_rail" => next.within = 0,
        "across_rails" => next.across = 0,
        "budget" => next.budget = None,
        "power" => next.power = None,
        "racks" => next.racks = None,
        other => {
            let model = other.strip_prefix("supply.")?;
            next.switches.iter_mut().find(|of| of.name == model)?.supply = None;
        }
    }
    let Answer::Design(without) = answer(&next) else {
        return Some(format!("LIMIT no design without {name}"));
    };
    let saved = design.amount(Goal::Capex) - without.amount(Goal::Capex);
    ((saved - saving).abs() > CENT).then(|| {
        format!("LIMIT {name} costs {saving}, without it {saved} less: {}", without.words())
    })
}

//! What a report says beside the design: what other choices would cost.

use serde_json::Value;

use crate::feasible_set::audit;
use crate::feasible_set::instance::{Family, Goal, Instance};
use crate::feasible_set::network::best;
use crate::feasible_set::product::{Answer, Design, answer, number};
use crate::feasible_set::site::Freedom;
use crate::feasible_set::witness::words;

/// Dollars by which sums may differ.
const CENT: f64 = 0.01;

/// What is untrue of other choices, where money is minimised; empty: nothing.
pub(crate) fn faults(instance: &Instance, design: &Design) -> Vec<String> {
    if instance.goals[0] != Goal::Capex || !design.proven() {
        return Vec::new();
    }
    design.list("/alternatives").iter().filter_map(|value| other(instance, design, value)).collect()
}

/// What is untrue of another choice: something costs less, or nothing as little.
fn other(instance: &Instance, design: &Design, row: &Value) -> Option<String> {
    let name = row["name"].as_str()?;
    let chosen = chosen(instance, name)?;
    // A full Clos is what savings are counted against, which no limit of the design holds.
    if row["standing"] == "kept-out" && chosen.family != Family::Clos {
        // Rails that nothing joins have no bandwidth across.
        if chosen.family == Family::RailOnly && chosen.across > 0 {
            return None;
        }
        // It is sized without a limit; with all of them there has to be none.
        let some = best(&chosen, Freedom::Alike, f64::INFINITY)?;
        return Some(format!("OTHER `{name}` is not kept out: {}", words(&chosen, &some)));
    }
    let printed = design.amount(Goal::Capex) + number(row, "/capex_change_usd");
    let found = |freedom| best(&chosen, freedom, printed + 1.0);
    let plain = found(Freedom::Alike);
    if let Some(best) = plain.filter(|best| best.totals.capex < printed - CENT) {
        return Some(format!("OTHER `{name}` at ${printed}: {}", words(&chosen, &best)));
    }
    // Of three tiers nothing is known here; they are tried where two do not reach.
    let reached = best(&chosen, Freedom::Alike, f64::INFINITY).is_some();
    let none = reached
        && found(Freedom::Shared).is_none_or(|this_best| this_best.totals.capex > printed + CENT);
    (none && !has_three_tiers(&chosen, printed))
        .then(|| format!("OTHER `{name}` at ${printed}: nothing is as cheap"))
}

/// True where the choice, asked for by itself, is a sound fabric of three tiers at that price: not in
/// the set that is enumerated.
fn has_three_tiers(chosen: &Instance, printed: f64) -> bool {
    let Answer::Design(design) = answer(chosen) else { return false };
    let capex = design.amount(Goal::Capex);
    let alike = (capex - printed).abs() <= CENT
        && chosen.only_planes.is_none_or(|only| only == design.count("/fabric/planes"));
    alike && design.count("/fabric/cores") > 0 && audit::faults(chosen, &design).is_empty()
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
            (next.budget, next.power, next.racks) = (None, None, None);
            next.switches.iter_mut().for_each(|switch| switch.supply = None);
        }
    }
    let count = planes.strip_suffix(" planes").or(planes.strip_suffix(" plane"))?;
    next.only_planes = Some(if count == "one" { 1 } else { count.parse().ok()? });
    Some(next)
}

//! A printed design held against the problem: ports, links, floors, bill, limits.

use serde_json::Value;

use crate::feasible_set::cost::{Use, allowed, to_be_had, totals};
use crate::feasible_set::instance::{Goal, Instance, MODELS};
use crate::feasible_set::product::{Design, number};
use crate::feasible_set::site::{Freedom, Site};

/// What is wrong with a printed design; empty: nothing.
pub(crate) fn faults(instance: &Instance, design: &Design) -> Vec<String> {
    let mut faults = Vec::new();
    // Where ports cost nothing, machines on standby have cables: all of them or none.
    let wired = design.count("/failures/standby_wired_domains");
    if wired != 0 && wired != instance.standby {
        faults.push(format!("{wired} of {} on standby have cables", instance.standby));
    }
    let instance = &Instance { wired, ..instance.clone() };
    let mut same = |what: &str, printed: f64, reckoned: f64| {
        if (printed - reckoned).abs() > 1e-6 * reckoned.abs().max(1.0) || printed.is_nan() {
            faults.push(format!("{what}: printed {printed}, reckoned {reckoned}"));
        }
    };
    let planes = design.count("/fabric/planes");
    let site = |infiniband| Site::new(instance, planes, Freedom::Shared, infiniband, f64::INFINITY);
    let speaks = |at: usize| instance.switches[at].infiniband;
    let mut protocols = Vec::new();
    let hosts = planes * instance.endpoints();
    same("domains", design.number("/cluster/hb_domains"), instance.domains.into());
    same("host links", design.number("/fabric/host_links"), hosts.into());

    let mut pieces = [0; MODELS];
    let mut used = 0;
    for tier in design.list("/fabric/tiers") {
        let count = number(tier, "/count").round() as u32;
        let (down, up) = (number(tier, "/down"), number(tier, "/up"));
        let ports = number(tier, "/ports_used");
        used += ports.round() as u32;
        let Some(at) = place(instance, &tier["model"]) else {
            same("a tier of a model of the spec", f64::NAN, 0.0);
            continue;
        };
        pieces[at] += count;
        let radix = f64::from(site(speaks(at)).radix[at]);
        protocols.push(speaks(at));
        same("radix", number(tier, "/radix"), radix);
        same("ports of a switch beyond its radix", (down + up - radix).max(0.0), 0.0);
        let beyond = (ports - f64::from(count) * (down + up)).max(0.0);
        same("ports used beyond those of a tier", beyond, 0.0);
    }
    // Every port used ends a host link or one of the two ends of another.
    protocols.dedup();
    same("protocols", protocols.len() as f64, 1.0);
    same("ports used beside hosts, odd", f64::from((used - hosts) % 2), 0.0);
    let links = (used - hosts) / 2;
    same("transceivers", design.number("/fabric/transceivers"), (2 * (hosts + links)).into());
    if design.list("/fabric/tiers").iter().all(|tier| tier["name"] != "super-core") {
        let printed =
            design.number("/fabric/leaf_spine_links") + design.number("/fabric/spine_core_links");
        same("links between switches", printed, links.into());
    }
    same("switches", design.number("/fabric/switches"), pieces.iter().sum::<u32>().into());

    let counts = Use { switches: pieces, links, shared: 0 };
    let sum = totals(instance, planes, &counts);
    for (what, goal) in [("capex", Goal::Capex), ("power", Goal::Power), ("tco", Goal::Tco)] {
        same(what, design.amount(goal), sum.amount(goal));
    }
    let lines: f64 = design.list("/bom").iter().map(|line| number(line, "/total_usd")).sum();
    same("lines of the bill", lines, sum.capex);
    for (switch, pieces) in instance.switches.iter().zip(pieces) {
        let billed = design.pieces(switch.name);
        same(&format!("{} in the bill", switch.name), billed.into(), pieces.into());
    }

    let (within, across) = instance.floors();
    let short = |share: f64, floor: u32| (f64::from(floor) / 1000.0 - share - 1e-9).max(0.0);
    same("short within rails", short(design.number("/fabric/bisection_share"), within), 0.0);
    same("short across rails", short(design.number("/fabric/across_rails_share"), across), 0.0);
    if !allowed(instance, &sum) {
        faults.push(format!("beyond a limit: {sum:?}"));
    }
    if !to_be_had(instance, &counts) {
        faults.push("beyond the supply".into());
    }
    if !instance.plane_counts().contains(&planes) {
        faults.push(format!("{planes} planes"));
    }
    faults
}

/// Place of a model by its name.
fn place(instance: &Instance, name: &Value) -> Option<usize> {
    instance.switches.iter().position(|switch| name.as_str() == Some(switch.name))
}

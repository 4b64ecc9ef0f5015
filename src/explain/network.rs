//! Explains layers of switches, the routed step, and a year of failures. Counts none.

use super::explanation::{ExplainedInput, Explanation, InputOrigin};
use super::input_lists::CHOSEN;
use super::inputs::{Facts, explained_input, found_input, preset_origin, quantity_input};
use crate::design::{CallReport, HotLink, LoadReport, RoutingReport};
use crate::fabric::SwitchTier;
use crate::quantity::row::{LEAF_CUT, LOSSES, PLANES, RATES, ROUTED, TWO_TIERS};
use crate::reliability::{Fault, FaultResponse, FaultYear, NO_SPARE_TRAY};
use crate::units::{Amount, Bytes};

pub(super) fn tier_explanations(facts: &Facts<'_>) -> Vec<Explanation> {
    let tiers = facts.plan.fabric.tiers.iter().enumerate();
    tiers.flat_map(|(place, tier)| explain_tier(facts, place, tier)).collect()
}

/// `fabric.tiers.0.count` and its like.
fn explain_tier(facts: &Facts<'_>, place: usize, tier: &SwitchTier) -> [Explanation; 5] {
    let key = |text: &str| format!("fabric.tiers.{place}.{text}");
    let what = |text: &str| format!("{text}: {} {}", tier.name.name(), tier.model);
    let explained = |text: &str, meaning: &str, value: Amount, formula, equations| {
        Explanation::new(key(text), what(meaning), value, formula, equations)
    };
    [
        explained("radix", "ports of a switch", Amount::from_count(tier.radix), RADIX, &[PLANES])
            .with_inputs(tier_ports(facts, tier)),
        explained("count", "switches", Amount::from_count(tier.count), CHOSEN, &[TWO_TIERS]),
        explained(
            "down",
            "ports of a switch towards the NICs, used or not",
            Amount::from_count(tier.down),
            CHOSEN,
            &[TWO_TIERS],
        ),
        explained(
            "up",
            "ports of a switch to the layer above",
            Amount::from_count(tier.up),
            CHOSEN,
            &[TWO_TIERS],
        ),
        explained(
            "ports_used",
            "ports in use over all switches",
            Amount::from_count(tier.ports_used),
            "ends of links at them",
            &[TWO_TIERS],
        ),
    ]
}

const RADIX: &str = "ports · min(port rate / link rate, ports that one splits into)";

/// What the ports of a model at the link rate follow from.
fn tier_ports(facts: &Facts<'_>, tier: &SwitchTier) -> Vec<ExplainedInput> {
    let Some(switch) = facts
        .scenario
        .catalogue
        .switches
        .iter()
        .find(|switch_model| switch_model.name == tier.model)
    else {
        return Vec::new();
    };
    let sheet = |name: &str, entry, value| {
        explained_input(name, value, preset_origin("switch", &switch.name, entry))
    };
    let link = Amount::Link(facts.plan.fabric.link);
    vec![
        sheet("ports", "ports", Amount::from_count(switch.ports)),
        sheet("port rate", "port_speed", Amount::Link(switch.port_bandwidth)),
        sheet("splits of a port", "max_split", Amount::from_count(switch.max_split)),
        quantity_input("link rate", "fabric.link_gbit_per_s", link),
    ]
}

/// Every kind of fault by its place.
pub(super) fn fault_explanations(facts: &Facts<'_>) -> Vec<Explanation> {
    let each = facts.year.faults.iter().enumerate();
    each.flat_map(|(place, year)| explain_fault(facts, place, year)).collect()
}

/// Whether the faults of a part are told in two rows: those that find a spare tray, and those that
/// find none.
fn is_in_two(facts: &Facts<'_>, part: &str) -> bool {
    let found_none = format!("{part}{NO_SPARE_TRAY}");
    let all = &facts.year.faults;
    part.ends_with(NO_SPARE_TRAY) || all.iter().any(|year| year.fault.part == found_none)
}

fn explain_fault(facts: &Facts<'_>, place: usize, year: &FaultYear) -> [Explanation; 5] {
    let Fault { part, pieces, gpus, kept, .. } = &year.fault;
    let key = |name: &str| format!("failures.faults.{place}.{name}");
    let named = |what: &str| format!("{part}: {what}");
    let hit = match (year.fault.network, facts.plan.failures.wired) {
        (false, _) => "GPUs of the machine, or of the tray in whose place another one works",
        (true, true) => "one piece is taken out of the wired fabric",
        (true, false) => "from the counts of the fabric",
    };
    let left = if year.fault.network {
        "p = step / step on what is left"
    } else {
        "1 where nothing is out after a restart, else 0"
    };
    let (count, all) =
        (Amount::from_count(*pieces), Amount::Number(year.fault.rate_of_any().events()));
    let stated = InputOrigin::Spec("failures");
    let rate = if is_in_two(facts, part) {
        InputOrigin::Found("λ of the part, times the share that finds a spare tray, or finds none")
    } else {
        stated
    };
    let rate =
        explained_input("failures of one a year λ", Amount::Number(year.fault.rate.events()), rate);
    let takes = match year.response {
        FaultResponse::Replace | FaultResponse::Swap => {
            "its part of restarts and work done again, and of the speed where there are too few \
             spares"
        }
        FaultResponse::KeepOn | FaultResponse::Wait => {
            "its part of the speed, and of restarts and work done again where the job was stopped"
        }
    };
    let takes = found_input("one takes", Amount::Time(year.lost_time_per_failure()), takes);
    let new = |name: &str, what: &str, value, formula, equations| {
        Explanation::new(key(name), named(what), value, formula, equations)
    };
    [
        new("pieces", "pieces", count.clone(), "N", &[RATES]),
        new("per_year", "failures a year of all", all.clone(), "N · λ", &[RATES])
            .with_inputs([quantity_input("pieces N", key("pieces"), count), rate]),
        new("gpus", "GPUs that the loss of one hits", Amount::from_count(*gpus), hit, &[LOSSES]),
        new(
            "pace_share",
            "speed that is left while one is out and nothing is replaced",
            Amount::Share(*kept),
            left,
            &[LOSSES],
        ),
        new(
            "days_lost_per_year",
            "days of a year that all of them take",
            Amount::Days(year.days_lost()),
            "N·λ · what one takes",
            &[LOSSES],
        )
        .with_inputs([quantity_input("failures a year N·λ", key("per_year"), all), takes]),
    ]
}

pub(super) fn routing_explanations(facts: &Facts<'_>) -> Vec<Explanation> {
    let Some(RoutingReport::Routed(routed)) = &facts.plan.routing else { return Vec::new() };
    let calls = routed
        .calls
        .iter()
        .enumerate()
        .flat_map(|(place, report)| explain_routed_call(place, report));
    let loads = routed
        .loads
        .iter()
        .enumerate()
        .flat_map(|(place, report)| explain_link_load(place, report));
    calls.chain(loads).collect()
}

/// `routing.calls.0.granted_s` and its like.
fn explain_routed_call(place: usize, call: &CallReport) -> Vec<Explanation> {
    let key = |text: &str| format!("routing.calls.{place}.{text}");
    let what = match call.workload.as_str() {
        "" => call.label.to_owned(),
        workload => format!("{} of {workload}", call.label),
    };
    let granted = Amount::Time(call.granted);
    let mut all = vec![
        Explanation::new(
            key("messages"),
            format!("messages between HB domains: {what}"),
            Amount::from_count(call.messages),
            "counted on the wired fabric",
            &[ROUTED],
        ),
        Explanation::new(
            key("forwarded_bytes"),
            format!("bytes that HB domains pass on to another rail: {what}"),
            Amount::Volume(call.forwarded),
            "bytes for another rail · (1 − min(1, σ/φ))",
            &[ROUTED],
        ),
        Explanation::new(
            key("granted_s"),
            format!("time on the network that the step time assumes: {what}"),
            granted.clone(),
            "V / B_S · max(1, q/u)",
            &[LEAF_CUT],
        ),
        Explanation::new(
            key("oversubscription_seen"),
            format!("slowest link above the leaf switches over the busiest NIC: {what}"),
            Amount::Number(call.seen),
            "time of the slowest link between leaf switches and spines / time of the busiest NIC",
            &[ROUTED],
        ),
    ];
    let mut hot = |text: &str, manner: &'static str, hot: &HotLink| {
        let explanation = Explanation::new(
            key(&format!("{text}.time_s")),
            format!("slowest link, {manner}: {what}"),
            Amount::Time(hot.time),
            "the most of: bytes on a link / its rate",
            &[ROUTED],
        );
        let held = quantity_input("assumed", key("granted_s"), granted.clone());
        all.push(explanation.with_inputs([held]));
    };
    hot("sprayed", "messages spread over all shortest paths", &call.sprayed);
    if let Some(adaptive) = &call.adaptive {
        hot("adaptive", "each message on the emptiest way", adaptive);
    }
    if let Some(hashed) = &call.hashed {
        hot("hashed", "each message hashed onto one way", hashed);
    }
    all
}

/// `routing.loads.0.most_bytes` and its like.
fn explain_link_load(place: usize, load: &LoadReport) -> Vec<Explanation> {
    let key = |text: &str| format!("routing.loads.{place}.{text}");
    let what = match load.workload.as_str() {
        "" => load.class.to_owned(),
        workload => format!("{}, {workload}", load.class),
    };
    let links = Amount::from_count(load.links);
    let of_links = quantity_input("links", key("links"), links.clone());
    let sent = Amount::Volume(Bytes::new(load.mean.count() * u128::from(load.links)));
    let sent = found_input("bytes of a step", sent, "routed over the wired fabric");
    vec![
        Explanation::new(
            key("links"),
            format!("links of the class: {what}"),
            links,
            "counted on the wired fabric",
            &[ROUTED],
        ),
        Explanation::new(
            key("link_gbit_per_s"),
            format!("rate of each: {what}"),
            Amount::Link(load.rate),
            "NIC bandwidth / planes, times the ports that a link joins",
            &[ROUTED],
        ),
        Explanation::new(
            key("mean_bytes"),
            format!("bytes of a step on a link on average: {what}"),
            Amount::Volume(load.mean),
            "bytes of a step / links, in the fuller direction of each",
            &[ROUTED],
        )
        .with_inputs([sent, of_links]),
        Explanation::new(
            key("most_bytes"),
            format!("bytes of a step on the busiest link: {what}"),
            Amount::Volume(load.most),
            "the most over all links, in the fuller direction of each",
            &[ROUTED],
        ),
    ]
}

//! Explains the calls and the link loads that routing found. Routes nothing.

use super::explanation::Explanation;
use super::inputs::{Facts, found_input, quantity_input};
use crate::design::{CallReport, HotLink, LoadReport, RoutingReport};
use crate::quantity::row::{LEAF_CUT, ROUTED};
use crate::units::{Amount, Bytes};

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

//! Tiers of switches, calls and links as routed, faults of a year, scenarios carried besides.

use super::{
    JsonObject, JsonValue, ListColumn, json_column, number_column, percent_value, shown_as,
    word_column,
};
use crate::design::{CallReport, CarriedScenario, HotLink, LoadReport, SkippedScenario};
use crate::fabric::SwitchTier;
use crate::hardware::DomainInside;
use crate::reliability::FaultYear;
use crate::report::number;

/// What joins the GPUs of HB domains.
pub(in crate::report) const INSIDE_COLUMNS: &[ListColumn<DomainInside>] = &[
    json_column("switches", |inside| inside.switches.into()),
    json_column("links", |inside| inside.links.into()),
    json_column("all_switches", |inside| inside.all_switches.into()),
    json_column("all_links", |inside| inside.all_links.into()),
];

/// Switches by layer and model.
pub(in crate::report) const TIER_COLUMNS: &[ListColumn<SwitchTier>] = &[
    word_column("name", "tier", |tier: &SwitchTier| tier.name.name().into()).with_csv_key("tier"),
    json_column("model", |tier| (&tier.model).into()),
    word_column("model", "switch", |tier: &SwitchTier| {
        (!tier.model.is_empty()).then_some(&tier.model).into()
    })
    .only_in_tables(),
    number_column("count", "count", |tier| tier.count.into()),
    number_column("radix", "ports each", |tier| tier.radix.into()),
    number_column("down", "down", |tier: &SwitchTier| tier.down.into()).with_csv_key("down_ports"),
    json_column("up", |tier| tier.up.into()),
    number_column("up_ports", "up", |tier: &SwitchTier| (tier.up > 0).then_some(tier.up).into())
        .only_in_tables(),
    number_column("ports_used", "ports used", |tier| tier.ports_used.into()),
    number_column("ports_free", "ports free", |tier: &SwitchTier| tier.ports_free().into())
        .only_in_tables(),
];

/// Calls; nothing adaptive or hashed where there are too many messages to be put on single ways.
pub(in crate::report) const CALL_COLUMNS: &[ListColumn<CallReport>] = &[
    json_column("workload", |call| workload_name(&call.workload)),
    json_column("communication", |call| call.label.into()),
    word_column("communication", "communication", |call| call_label(call).into()).only_in_tables(),
    json_column("kind", |call| call.kind.name().into()),
    json_column("messages", |call| call.messages.into()),
    json_column("forwarded_bytes", |call| call.forwarded.into()),
    number_column("granted_s", "time of one", |call| call.granted.into()),
    number_column("oversubscription_seen", "oversubscribed", |call| {
        shown_as(format!("{}:1", number::ratio(call.seen)), call.seen)
    }),
    json_column("sprayed", |call| hot_link_json(&call.sprayed).into()),
    json_column("adaptive", |call| call.adaptive.as_ref().map(hot_link_json).into()),
    json_column("hashed", |call| call.hashed.as_ref().map(hot_link_json).into()),
    number_column("sprayed", "per packet", |call| slowdown_value(call, Some(&call.sprayed)))
        .only_in_tables(),
    number_column("adaptive", "adaptive", |call| slowdown_value(call, call.adaptive.as_ref()))
        .only_in_tables(),
    number_column("hashed", "hashed", |call| slowdown_value(call, call.hashed.as_ref()))
        .only_in_tables(),
];

fn hot_link_json(hot: &HotLink) -> JsonObject {
    JsonObject::new().with("time_s", hot.time).with("link", &hot.link)
}

/// How many times as long as the step time grants a call a link takes.
fn slowdown_value(call: &CallReport, hot: Option<&HotLink>) -> JsonValue {
    hot.map(|hot| ratio_value(call.slowdown_of_link(hot))).into()
}

fn ratio_value(ratio: f64) -> JsonValue {
    shown_as(format!("x {}", number::ratio(ratio)), ratio)
}

/// Calls of a step that was timed on the cables.
pub(in crate::report) const CALL_ON_CABLES_COLUMNS: &[ListColumn<CallReport>] = &[
    word_column("communication", "communication", |call| call_label(call).into()),
    number_column("granted_s", "time of one", |call| call.granted.into()),
    number_column("over_nic", "over NICs", |call| ratio_value(call.over_nic)),
    number_column("detour", "detours", |call| percent_value(call.detour)),
    word_column("link", "slowest link", |call| (&call.sprayed.link).into()),
];

/// What a call carries.
pub(in crate::report) fn call_label(call: &CallReport) -> String {
    name_with_workload(call.label, &call.workload)
}

/// A name, and whose it is where there are several workloads.
fn name_with_workload(name: &str, workload: &str) -> String {
    if workload.is_empty() { name.to_owned() } else { format!("{name} ({workload})") }
}

/// Bytes of a step on links, by class.
pub(in crate::report) const LINK_LOAD_COLUMNS: &[ListColumn<LoadReport>] = &[
    json_column("workload", |load| workload_name(&load.workload)),
    json_column("class", |load| load.class.into()),
    word_column("class", "links", |load: &LoadReport| {
        name_with_workload(load.class, &load.workload).into()
    })
    .only_in_tables(),
    number_column("links", "count", |load| load.links.into()),
    number_column("link_gbit_per_s", "rate", |load: &LoadReport| {
        shown_as(number::link_rate(load.rate), load.rate.as_gigabits())
    })
    .with_csv_key("rate_gbps"),
    number_column("mean_bytes", "mean per step", |load| load.mean.into()),
    number_column("most_bytes", "most", |load| load.most.into()),
    word_column("link", "on", |load| (&load.link).into()),
];

/// Whose something is, where there are several workloads.
fn workload_name(workload: &String) -> JsonValue {
    (!workload.is_empty()).then_some(workload).into()
}

/// Faults of a year.
pub(in crate::report) const FAULT_COLUMNS: &[ListColumn<FaultYear>] = &[
    word_column("fault", "part", |year: &FaultYear| (&year.fault.part).into()).with_csv_key("part"),
    number_column("pieces", "count", |year| year.fault.pieces.into()),
    number_column("per_year", "per year", |year| {
        let events = year.fault.rate_of_any().events();
        let text = if events < 1.0 { format!("{events:.2}") } else { format!("{events:.1}") };
        shown_as(text, events)
    }),
    json_column("network", |year| year.fault.network.into()),
    json_column("stops", |year| year.fault.stops.into()),
    number_column("gpus", "GPUs hit", |year| year.fault.gpus.into()),
    number_column("pace_share", "speed after loss", |year| percent_value(year.fault.kept)),
    word_column("response", "the job", |year| year.response_text().into()),
    number_column("days_lost_per_year", "days lost", |year| {
        shown_as(format!("{:.2}", year.days_lost()), year.days_lost())
    }),
];

/// Scenarios of `[robust]`. `uplinks_share` is `null` where no number of uplinks will do;
/// `not_routed` says why where it was not.
pub(in crate::report) const SCENARIO_COLUMNS: &[ListColumn<CarriedScenario>] = &[
    word_column("scenario", "scenario", |scenario| (&scenario.name).into()),
    number_column("step_s", "step", |scenario| scenario.step.into()),
    number_column("slowdown", "slower", |scenario| {
        shown_as(number::percent_change(scenario.slowdown - 1.0), scenario.slowdown)
    }),
    number_column("longest_step_s", "longest step", |scenario| scenario.most.into()),
    json_column("holds", |scenario| scenario.is_step_short_enough().into()),
    word_column("holds", "carried", |scenario: &CarriedScenario| {
        if scenario.is_step_short_enough() { "yes" } else { "no: too slow" }.into()
    })
    .only_in_tables(),
    word_column("uplinks_share", "uplinks needed", |scenario| {
        let text = |share: f64| {
            if share == 0.0 { "none".to_owned() } else { number::oversubscription(share) }
        };
        scenario.uplinks.map(|share| shown_as(text(share), share)).into()
    }),
    json_column("routed", |scenario| scenario.not_routed.is_none().into()),
    word_column("routed", "routed", |scenario: &CarriedScenario| match &scenario.not_routed {
        None => "yes".into(),
        Some(why) => format!("no: {why}").into(),
    })
    .only_in_tables(),
    json_column("not_routed", |scenario| scenario.not_routed.as_ref().into()),
];

/// Scenarios that do not exist here.
pub(in crate::report) const SKIPPED_COLUMNS: &[ListColumn<SkippedScenario>] = &[
    json_column("scenario", |scenario| (&scenario.name).into()),
    json_column("reason", |scenario| (&scenario.reason).into()),
];

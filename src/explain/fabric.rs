//! Explains the counts of the fabric. The rules that build it are in `fabric`, its choice in
//! `sizing`.

use super::explanation::{ExplainedInput, Explanation};
use super::facts::{Facts, explained_input, quantity_input};
use super::origin::InputOrigin;
use crate::fabric::{SwitchTier, TierName};
use crate::units::Amount;

/// Adds what a figure of `fabric` takes.
pub(super) fn explain_fabric(facts: &Facts<'_>, explanation: Explanation) -> Explanation {
    let fabric = &facts.plan.fabric;
    match explanation.key.as_ref() {
        "fabric.planes" => {
            let most = Amount::from_count(facts.scenario.cluster.max_planes);
            explanation.with_inputs([explained_input(
                "most planes",
                most,
                InputOrigin::Spec("cluster.max_planes"),
            )])
        }
        "fabric.rails" => explanation.with_inputs([facts.domain_nics()]),
        "fabric.endpoints" => {
            explanation.with_inputs([facts.networked_domains(), rail_count(facts)])
        }
        "fabric.link_gbit_per_s" => {
            explanation.with_inputs([facts.nic_line_rate(), ports_of_a_nic(facts)])
        }
        "fabric.leafs" => explain_layer(facts, explanation, TierName::Leaf),
        "fabric.spines" => explain_layer(facts, explanation, TierName::Spine),
        "fabric.cores" => explain_layer(facts, explanation, TierName::Core),
        "fabric.switches" => explain_switches(facts, explanation),
        "fabric.host_links" => {
            explanation.with_inputs([endpoint_count(facts), ports_of_a_nic(facts)])
        }
        "fabric.leaf_spine_links" => explanation.with_inputs(uplink_inputs(facts, TierName::Leaf)),
        "fabric.spine_core_links" => explanation.with_inputs(uplink_inputs(facts, TierName::Spine)),
        "fabric.transceivers" => explain_transceivers(facts, explanation),
        "fabric.ports_free" => explanation.with_inputs(port_inputs(facts)),
        "fabric.bisection_share" => explanation.with_inputs(uplink_inputs(facts, TierName::Leaf)),
        "fabric.across_rails_share" => {
            let family = Amount::from_word(fabric.kind.name());
            explanation.with_inputs([explained_input(
                "family",
                family,
                InputOrigin::Spec("cluster.fabric"),
            )])
        }
        _ => explanation,
    }
}

/// Ports of a NIC: its planes, but where the family takes more.
fn ports_of_a_nic(facts: &Facts<'_>) -> ExplainedInput {
    let fabric = &facts.plan.fabric;
    let ports = fabric.ports_of_a_nic();
    match ports == fabric.planes {
        true => facts.planes(),
        false => explained_input(
            "ports of a NIC",
            Amount::from_count(ports),
            InputOrigin::Found("the family of fabric has so many"),
        ),
    }
}

fn explain_layer(facts: &Facts<'_>, explanation: Explanation, name: TierName) -> Explanation {
    let fabric = &facts.plan.fabric;
    let ports = fabric.tiers.iter().filter(|tier| tier.name == name).flat_map(|tier| {
        let found = InputOrigin::Found("chosen by the integer program, docs/formulation.md");
        let read = |what: &str| match tier.model.as_str() {
            "" => what.to_owned(),
            model => format!("{what} of {model}"),
        };
        [
            explained_input(read("ports k"), Amount::from_count(tier.radix), found.clone()),
            explained_input(read("down"), Amount::from_count(tier.down), found.clone()),
            explained_input(read("up"), Amount::from_count(tier.up), found),
        ]
    });
    let alike = fabric.tiers.iter().enumerate().filter(|(_, tier)| tier.name == name);
    let count = |(place, tier): (usize, &SwitchTier)| {
        (format!("fabric.tiers.{place}.count"), Amount::from_count(tier.count))
    };
    explanation
        .with_inputs([endpoint_count(facts), rail_count(facts), facts.planes()])
        .with_inputs(ports)
        .sum(alike.map(count))
}

fn explain_switches(facts: &Facts<'_>, explanation: Explanation) -> Explanation {
    let fabric = &facts.plan.fabric;
    let layers = TierName::ALL
        .into_iter()
        .filter(|name| fabric.switches_in_tier(*name) > 0 || *name == TierName::Leaf);
    explanation.sum(
        layers.map(|name| (layer_key(name), Amount::from_count(fabric.switches_in_tier(name)))),
    )
}

fn explain_transceivers(facts: &Facts<'_>, explanation: Explanation) -> Explanation {
    let fabric = &facts.plan.fabric;
    let rates = fabric.transceivers_by_rate().into_iter();
    let copper = Amount::from_count(fabric.copper_links());
    explanation
        .with_inputs([
            explained_input(
                "links",
                Amount::from_count(fabric.link_count()),
                InputOrigin::Found("of all classes together"),
            ),
            explained_input("copper links", copper, InputOrigin::Found("counted on the fabric")),
        ])
        .sum(rates.map(|(rate, count)| {
            (format!("at {:.0}G", rate.as_gigabits()), Amount::from_count(count))
        }))
}

const fn layer_key(name: TierName) -> &'static str {
    match name {
        TierName::Leaf => "fabric.leafs",
        TierName::Spine => "fabric.spines",
        TierName::Core => "fabric.cores",
        TierName::SuperCore => "super-cores",
    }
}

/// Switches of a layer and the uplinks that each uses.
fn uplink_inputs(facts: &Facts<'_>, name: TierName) -> Vec<ExplainedInput> {
    let tiers = facts.plan.fabric.tiers.iter().filter(|tier| tier.name == name);
    let found = || InputOrigin::Found("chosen by the integer program, docs/formulation.md");
    tiers
        .flat_map(|tier| {
            [
                explained_input(
                    format!("switches {}", tier.model),
                    Amount::from_count(tier.count),
                    found(),
                ),
                explained_input(
                    format!("down of {}", tier.model),
                    Amount::from_count(tier.down),
                    found(),
                ),
                explained_input(
                    format!("up of {}", tier.model),
                    Amount::from_count(tier.up),
                    found(),
                ),
            ]
        })
        .collect()
}

/// Switches and ports of every layer.
fn port_inputs(facts: &Facts<'_>) -> Vec<ExplainedInput> {
    let found = || InputOrigin::Found("chosen by the integer program, docs/formulation.md");
    let wired = || InputOrigin::Found("counted on the wired fabric");
    let read =
        |what: &str, tier: &SwitchTier| format!("{what} of {} {}", tier.name.name(), tier.model);
    let tiers = facts.plan.fabric.tiers.iter();
    tiers
        .flat_map(|tier| {
            [
                explained_input(read("switches", tier), Amount::from_count(tier.count), found()),
                explained_input(
                    read("ports of one", tier),
                    Amount::from_count(tier.radix),
                    found(),
                ),
                explained_input(
                    read("ports used", tier),
                    Amount::from_count(tier.ports_used),
                    wired(),
                ),
            ]
        })
        .collect()
}

fn endpoint_count(facts: &Facts<'_>) -> ExplainedInput {
    quantity_input(
        "endpoints n",
        "fabric.endpoints",
        Amount::from_count(facts.plan.fabric.endpoints),
    )
}

fn rail_count(facts: &Facts<'_>) -> ExplainedInput {
    quantity_input("rails", "fabric.rails", Amount::from_count(facts.plan.fabric.rails))
}

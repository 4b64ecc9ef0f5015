//! How counts of switches, tiers and headroom came about.

use super::explanation::{ExplainedInput, Explanation, InputOrigin};
use super::inputs::{Facts, explained_input, preset_origin, quantity_input};
use crate::fabric::{SwitchTier, TierName};
use crate::parallel::Placement;
use crate::quantity::row::{PLANES, TWO_TIERS};
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
    if ports == fabric.planes {
        facts.planes()
    } else {
        explained_input(
            "ports of a NIC",
            Amount::from_count(ports),
            InputOrigin::Found("the family of fabric has so many"),
        )
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

pub(super) fn tier_explanations(facts: &Facts<'_>) -> Vec<Explanation> {
    let tiers = facts.plan.fabric.tiers.iter().enumerate();
    tiers.flat_map(|(place, tier)| explain_tier(facts, place, tier)).collect()
}

/// `fabric.tiers.0.count` and its like.
fn explain_tier(facts: &Facts<'_>, place: usize, tier: &SwitchTier) -> [Explanation; 5] {
    const CHOSEN: &str = "chosen by the integer program, docs/formulation.md";
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

/// Adds what a figure of `headroom` or of `all_to_all` takes.
pub(super) fn explain_headroom(facts: &Facts<'_>, explanation: Explanation) -> Explanation {
    match explanation.key.as_ref() {
        "headroom.gpus_on_free_ports" => free_ports(facts, explanation),
        "headroom.gpus_before_another_tier" => before_another_tier(facts, explanation),
        "all_to_all.stored_share" | "all_to_all.pipelined_share" => {
            explain_all_to_all(facts, explanation)
        }
        _ => explanation,
    }
}

fn free_ports(facts: &Facts<'_>, explanation: Explanation) -> Explanation {
    let fabric = &facts.plan.fabric;
    let leafs = fabric.tiers.iter().filter(|tier| tier.name == TierName::Leaf);
    let more = facts.plan.headroom.map(|headroom| {
        let more = Amount::from_count(headroom.before_another_tier);
        quantity_input("GPUs before another tier", "headroom.gpus_before_another_tier", more)
    });
    let ports: u64 = leafs.map(|tier| tier.count * u64::from(tier.down)).sum();
    explanation
        .with_inputs([
            explained_input(
                "ports down of all leaf switches",
                Amount::from_count(ports),
                InputOrigin::Found("Σ leaf switches · down"),
            ),
            quantity_input(
                "host links",
                "fabric.host_links",
                Amount::from_count(fabric.host_links),
            ),
            facts.planes(),
            facts.domain_nics(),
            facts.domain_gpus(),
        ])
        .with_inputs(more)
}

fn before_another_tier(facts: &Facts<'_>, explanation: Explanation) -> Explanation {
    let fabric = &facts.plan.fabric;
    let chosen = || InputOrigin::Found("chosen by the integer program, docs/formulation.md");
    let layers = TierName::ALL.into_iter().filter_map(|name| {
        let alike = fabric.tiers.iter().filter(|tier| tier.name == name);
        let most = alike.map(|tier| tier.down).max()?;
        Some(explained_input(
            format!("ports down of a {}", name.name()),
            Amount::from_count(most),
            chosen(),
        ))
    });
    let (trees, origin) = if fabric.kind.joins_rails() {
        (1, "the rails share one")
    } else {
        (facts.plan.nodes.node.nics, "one a rail")
    };
    explanation.with_inputs(layers).with_inputs([
        explained_input("trees", Amount::from_count(trees), InputOrigin::Found(origin)),
        facts.domain_nics(),
        facts.networked_domains(),
        facts.domain_gpus(),
    ])
}

/// Where a single domain is the whole cluster.
const SINGLE: &str = "1: a single HB domain needs no NIC";
/// Where machines forward nothing, so that a message to another rail takes a spine or stays.
const SPINE_ONLY: &str = "min(σ/φ, 1/q, 1): these machines forward nothing";

/// Adds what both throughputs of an exchange of all with all take.
fn explain_all_to_all(facts: &Facts<'_>, explanation: Explanation) -> Explanation {
    let explanation = match &facts.plan.nodes {
        nodes if nodes.domains < 2 => explanation.replace_formula(SINGLE),
        nodes if !nodes.node.forwards => explanation.replace_formula(SPINE_ONLY),
        _ => explanation,
    };
    explanation.with_inputs(all_to_all_inputs(facts))
}

/// What an exchange of all with all follows from.
fn all_to_all_inputs(facts: &Facts<'_>) -> Vec<ExplainedInput> {
    let fabric = &facts.plan.fabric;
    let leaf = fabric.leaf_domains.map(|count| {
        let found =
            InputOrigin::Found("ports down of a leaf, where a rail has several leaf switches");
        explained_input("HB domains under a leaf m", Amount::from_count(count), found)
    });
    let node = &facts.plan.nodes.node;
    let elsewhere =
        Amount::Share(Placement::with_packed_domains(node.gpus, node.nics).cross_rail_share());
    let rails =
        InputOrigin::Found("1 − Σ over rails: (GPUs on it / K)²; (K − 1)/K on rails of their own");
    let [within, across] = [fabric.within_rail, fabric.across_rails].map(Amount::Share);
    let mut all = vec![
        facts.nic_line_rate(),
        facts.domain_nics(),
        facts.gpu_hb_bandwidth(),
        facts.domain_gpus(),
        facts.domain_count(),
        explained_input("of what leaves a domain, for other rails φ", elsewhere, rails),
        quantity_input("bandwidth across rails σ", "fabric.across_rails_share", across),
        quantity_input("bandwidth within a rail ρ", "fabric.bisection_share", within),
    ];
    all.extend(leaf);
    all.push(explained_input(
        "slowdown by the uplinks of leaf switches q",
        Amount::Number(facts.plan.all_to_all.uplinks),
        InputOrigin::Found("max(1, (M − m)/(M − 1)/ρ); 1 where a leaf's border does not matter"),
    ));
    all
}

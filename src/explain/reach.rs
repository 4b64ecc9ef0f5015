//! Explains what a fabric leaves open: room to grow and the exchange of all with all. Both are worked out
//! in `design`.

use super::explanation::{ExplainedInput, Explanation};
use super::facts::{Facts, explained_input, quantity_input};
use super::origin::InputOrigin;
use crate::fabric::TierName;
use crate::parallel::Placement;
use crate::units::Amount;

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
    let (trees, origin) = match fabric.kind.joins_rails() {
        true => (1, "the rails share one"),
        false => (facts.plan.nodes.node.nics, "one a rail"),
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

//! Explains the counts of the fabric. The rules that build it are in `fabric`, its choice in
//! `sizing`.

use super::equation::{LINKS, PLANES, RATIOS, THREE_TIERS, TIERS, TWO_TIERS};
use super::facts::{Facts, input, quantity};
use super::{Amount, Explanation, Input, Origin};
use crate::fabric::TierName;

pub(super) fn explanations(facts: &Facts<'_>) -> Vec<Explanation> {
    vec![
        planes(facts),
        rails(facts),
        endpoints(facts),
        link(facts),
        layer(facts, TierName::Leaf, "fabric.leafs", "switches that endpoints plug into"),
        layer(facts, TierName::Spine, "fabric.spines", "switches above the leafs"),
        layer(facts, TierName::Core, "fabric.cores", "switches above the spines"),
        switches(facts),
        host_links(facts),
        leaf_spine_links(facts),
        spine_core_links(facts),
        transceivers(facts),
        within_rail(facts),
        across_rails(facts),
    ]
}

fn planes(facts: &Facts<'_>) -> Explanation {
    let most = Amount::count(facts.scenario.cluster.max_planes);
    Explanation::new(
        "fabric.planes",
        "separate copies of the fabric, each with a share of the NIC's bandwidth",
        Amount::count(facts.plan.fabric.planes),
        "the number up to max_planes and the NIC's ports that costs least",
        &[PLANES],
    )
    .from([input("most planes", most, Origin::Spec("cluster.max_planes"))])
}

fn rails(facts: &Facts<'_>) -> Explanation {
    Explanation::new(
        "fabric.rails",
        "rails: NICs of an HB domain",
        Amount::count(facts.plan.fabric.rails),
        "NICs of the product",
        &[TWO_TIERS],
    )
    .from([facts.nics()])
}

fn endpoints(facts: &Facts<'_>) -> Explanation {
    Explanation::new(
        "fabric.endpoints",
        "NICs that the fabric joins",
        Amount::count(facts.plan.fabric.endpoints),
        "HB domains · NICs of a domain",
        &[TIERS],
    )
    .from([facts.domains(), rail_count(facts)])
}

fn link(facts: &Facts<'_>) -> Explanation {
    Explanation::new(
        "fabric.link_gbit_per_s",
        "rate of a link between endpoint and leaf",
        Amount::Link(facts.plan.fabric.link),
        "NIC bandwidth / planes",
        &[PLANES],
    )
    .from([facts.nic(), facts.planes()])
}

fn layer(
    facts: &Facts<'_>,
    name: TierName,
    key: &'static str,
    meaning: &'static str,
) -> Explanation {
    let fabric = &facts.plan.fabric;
    let formula = match name {
        TierName::Leaf => "⌈endpoints / down⌉, per rail and plane where leafs are rail-aligned",
        TierName::Spine => "smallest divisor q of up with q·k ≥ leafs·up, per rail or for all",
        TierName::Core | TierName::SuperCore => "cores that stripe the pods' spines evenly",
    };
    let ports = fabric.tiers.iter().filter(|tier| tier.name == name).flat_map(|tier| {
        let found = Origin::Found("chosen by the integer program, docs/formulation.md");
        let of = |what: &str| match tier.model.as_str() {
            "" => what.to_owned(),
            model => format!("{what} of {model}"),
        };
        [
            input(of("ports k"), Amount::count(tier.radix), found.clone()),
            input(of("down"), Amount::count(tier.down), found.clone()),
            input(of("up"), Amount::count(tier.up), found),
        ]
    });
    Explanation::new(
        key,
        meaning,
        Amount::count(fabric.layer(name)),
        formula,
        &[TWO_TIERS, THREE_TIERS],
    )
    .from([endpoint_count(facts), rail_count(facts), facts.planes()])
    .from(ports)
}

fn switches(facts: &Facts<'_>) -> Explanation {
    let fabric = &facts.plan.fabric;
    let layers =
        TierName::ALL.into_iter().filter(|name| fabric.layer(*name) > 0 || *name == TierName::Leaf);
    Explanation::new(
        "fabric.switches",
        "all switches, all planes together",
        Amount::count(fabric.switches()),
        "leafs + spines + cores",
        &[TIERS, TWO_TIERS, THREE_TIERS],
    )
    .sum(layers.map(|name| (layer_key(name), Amount::count(fabric.layer(name)))))
}

fn host_links(facts: &Facts<'_>) -> Explanation {
    Explanation::new(
        "fabric.host_links",
        "links between endpoints and leafs",
        Amount::count(facts.plan.fabric.host_links),
        "endpoints · planes",
        &[TWO_TIERS, PLANES],
    )
    .from([endpoint_count(facts), facts.planes()])
}

fn leaf_spine_links(facts: &Facts<'_>) -> Explanation {
    Explanation::new(
        "fabric.leaf_spine_links",
        "links between leafs and spines",
        Amount::count(facts.plan.fabric.leaf_spine_links),
        "Σ over leaf models: leafs · up",
        &[TWO_TIERS],
    )
    .from(uplinks(facts, TierName::Leaf))
}

fn spine_core_links(facts: &Facts<'_>) -> Explanation {
    Explanation::new(
        "fabric.spine_core_links",
        "links between spines and cores",
        Amount::count(facts.plan.fabric.spine_core_links),
        "Σ over spine models: spines · up",
        &[THREE_TIERS],
    )
    .from(uplinks(facts, TierName::Spine))
}

fn transceivers(facts: &Facts<'_>) -> Explanation {
    let fabric = &facts.plan.fabric;
    let rates = fabric.transceivers_by_rate().into_iter();
    let copper = Amount::count(fabric.copper_links());
    Explanation::new(
        "fabric.transceivers",
        "one at each end of every optical link",
        Amount::count(fabric.transceivers()),
        "2 · (links − copper links)",
        &[LINKS, TWO_TIERS],
    )
    .from([
        input("links", Amount::count(fabric.links()), Origin::Found("of all classes together")),
        input("copper links", copper, Origin::Found("counted on the fabric")),
    ])
    .sum(
        rates.map(|(rate, count)| (format!("at {:.0}G", rate.as_gigabits()), Amount::count(count))),
    )
}

fn within_rail(facts: &Facts<'_>) -> Explanation {
    Explanation::new(
        "fabric.bisection_share",
        "bandwidth between two halves of the domains over that of their NICs",
        Amount::Share(facts.plan.fabric.within_rail),
        "ρ: uplink over downlink bandwidth of a leaf within its rail; 1 never blocks",
        &[RATIOS],
    )
    .from(uplinks(facts, TierName::Leaf))
}

fn across_rails(facts: &Facts<'_>) -> Explanation {
    Explanation::new(
        "fabric.across_rails_share",
        "bandwidth that joins the rails without forwarding, over that of the NICs",
        Amount::Share(facts.plan.fabric.across_rails),
        "σ: bandwidth across rails over NIC bandwidth; 0 for rail-only, 1 for a full Clos",
        &[RATIOS],
    )
    .from([input(
        "family",
        Amount::Choice(facts.plan.fabric.kind.name()),
        Origin::Spec("cluster.fabric"),
    )])
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
fn uplinks(facts: &Facts<'_>, name: TierName) -> Vec<Input> {
    let tiers = facts.plan.fabric.tiers.iter().filter(|tier| tier.name == name);
    let found = || Origin::Found("chosen by the integer program, docs/formulation.md");
    tiers
        .flat_map(|tier| {
            [
                input(format!("switches {}", tier.model), Amount::count(tier.count), found()),
                input(format!("down of {}", tier.model), Amount::count(tier.down), found()),
                input(format!("up of {}", tier.model), Amount::count(tier.up), found()),
            ]
        })
        .collect()
}

fn endpoint_count(facts: &Facts<'_>) -> Input {
    quantity("endpoints n", "fabric.endpoints", Amount::count(facts.plan.fabric.endpoints))
}

fn rail_count(facts: &Facts<'_>) -> Input {
    quantity("rails", "fabric.rails", Amount::count(facts.plan.fabric.rails))
}

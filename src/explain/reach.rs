//! Explains what a fabric leaves open: room to grow, the exchange of all with all, and what failures
//! leave of a year. All three are worked out in `design`.

use super::explanation::{Explanation, Input};
use super::facts::{Facts, input, quantity};
use super::origin::Origin;
use crate::design::year_of;
use crate::fabric::TierName;
use crate::parallel::Placement;
use crate::reliability::{PerYear, Rates};
use crate::units::Amount;

/// Adds what a figure of `headroom`, of `all_to_all` or the goodput takes.
pub(super) fn complete(facts: &Facts<'_>, of: Explanation) -> Explanation {
    match of.key.as_ref() {
        "headroom.gpus_on_free_ports" => free_ports(facts, of),
        "headroom.gpus_before_another_tier" => before_another_tier(facts, of),
        "all_to_all.stored_share" | "all_to_all.pipelined_share" => exchange(facts, of),
        "goodput_share" => goodput(facts, of),
        _ => of,
    }
}

fn free_ports(facts: &Facts<'_>, of: Explanation) -> Explanation {
    let fabric = &facts.plan.fabric;
    let leafs = fabric.tiers.iter().filter(|tier| tier.name == TierName::Leaf);
    let more = facts.plan.headroom.map(|of| {
        let more = Amount::count(of.before_another_tier);
        quantity("GPUs before another tier", "headroom.gpus_before_another_tier", more)
    });
    let ports: u64 = leafs.map(|tier| tier.count * u64::from(tier.down)).sum();
    of.from([
        input(
            "ports down of all leaf switches",
            Amount::count(ports),
            Origin::Found("Σ leaf switches · down"),
        ),
        quantity("host links", "fabric.host_links", Amount::count(fabric.host_links)),
        facts.planes(),
        facts.nics(),
        facts.domain(),
    ])
    .from(more)
}

fn before_another_tier(facts: &Facts<'_>, of: Explanation) -> Explanation {
    let fabric = &facts.plan.fabric;
    let chosen = || Origin::Found("chosen by the integer program, docs/formulation.md");
    let layers = TierName::ALL.into_iter().filter_map(|name| {
        let alike = fabric.tiers.iter().filter(|tier| tier.name == name);
        let most = alike.map(|tier| tier.down).max()?;
        Some(input(format!("ports down of a {}", name.name()), Amount::count(most), chosen()))
    });
    let (trees, origin) = match fabric.kind.joins_rails() {
        true => (1, "the rails share one"),
        false => (facts.plan.nodes.node.nics, "one a rail"),
    };
    of.from(layers).from([
        input("trees", Amount::count(trees), Origin::Found(origin)),
        facts.nics(),
        facts.domains(),
        facts.domain(),
    ])
}

/// Where a single domain is the whole cluster.
const SINGLE: &str = "1: a single HB domain needs no NIC";
/// Where machines forward nothing, so that a message to another rail takes a spine or stays.
const SPINE_ONLY: &str = "min(σ/φ, 1/q, 1): these machines forward nothing";

/// Adds what both throughputs of an exchange of all with all take.
fn exchange(facts: &Facts<'_>, of: Explanation) -> Explanation {
    let of = match &facts.plan.nodes {
        nodes if nodes.domains < 2 => of.formula(SINGLE),
        nodes if !nodes.node.forwards => of.formula(SPINE_ONLY),
        _ => of,
    };
    of.from(machines(facts))
}

/// What an exchange of all with all follows from.
fn machines(facts: &Facts<'_>) -> Vec<Input> {
    let fabric = &facts.plan.fabric;
    let leaf = fabric.leaf_domains.map(|count| {
        let found = Origin::Found("ports down of a leaf, where a rail has several leaf switches");
        input("HB domains under a leaf m", Amount::count(count), found)
    });
    let node = &facts.plan.nodes.node;
    let elsewhere = Amount::Share(Placement::packed(node.gpus, node.nics).elsewhere());
    let rails =
        Origin::Found("1 − Σ over rails: (GPUs on it / K)²; (K − 1)/K on rails of their own");
    let [within, across] = [fabric.within_rail, fabric.across_rails].map(Amount::Share);
    let mut all = vec![
        facts.nic(),
        facts.nics(),
        facts.hb(),
        facts.domain(),
        facts.domains(),
        input("of what leaves a domain, for other rails φ", elsewhere, rails),
        quantity("bandwidth across rails σ", "fabric.across_rails_share", across),
        quantity("bandwidth within a rail ρ", "fabric.bisection_share", within),
    ];
    all.extend(leaf);
    all.push(input(
        "slowdown by the uplinks of leaf switches q",
        Amount::Number(facts.plan.all_to_all.uplinks),
        Origin::Found("max(1, (M − m)/(M − 1)/ρ); 1 where a leaf's border does not matter"),
    ));
    all
}

fn goodput(facts: &Facts<'_>, of: Explanation) -> Explanation {
    let (conduct, year) = year_of(facts.plan);
    let fabric = &facts.plan.fabric;
    let rates = Rates::published();
    let assumed = |name: &str, time, why| input(name, Amount::Time(time), Origin::Assumed(why));
    let lost = |name: &str, share, why| input(name, Amount::Share(share), Origin::Found(why));
    let leafs = Amount::count(fabric.layer(TierName::Leaf));
    of.from([
        facts.gpus(),
        quantity("host links", "fabric.host_links", Amount::count(fabric.host_links)),
        quantity("leaf switches", "fabric.leafs", leafs),
        facts.planes(),
        published("faults of a GPU a year λ_gpu", rates.gpu, INTERRUPTIONS),
        published("other interruptions a GPU and year λ_other", rates.other, INTERRUPTIONS),
        published("failures of a link a year λ_link", rates.link, NETWORK_FAILURES),
        published("failures of a switch a year λ_switch", rates.switch, NETWORK_FAILURES),
        assumed("checkpoint s", conduct.save, "written in the background"),
        assumed("restart r", conduct.restart, "for tens of thousands of GPUs"),
        assumed("repair", conduct.repair, "a day on site"),
        input(
            "standby machines S",
            Amount::count(conduct.standby),
            Origin::Found("the fewest that suffice 99 % of the time"),
        ),
        input(
            "stops a year Λ",
            Amount::Number(year.stops.get()),
            Origin::Found("as in the formula"),
        ),
        input("between checkpoints τ", Amount::Time(year.interval), Origin::Found("loses least")),
        lost("lost to checkpoints", year.saving, "s/τ"),
        lost("lost to work done again", year.rework, "Λ·τ/2"),
        lost("lost to restarts", year.restarting, "Λ·r"),
        lost("lost to waiting for repair", year.waiting, "more are broken than stand by"),
    ])
}

/// Who published how often GPUs and what runs on them are interrupted.
const INTERRUPTIONS: &str = "Llama 3, arXiv 2407.21783, Table 5: 54 days of 16,384 GPUs";
/// Who published how often links and switches fail.
const NETWORK_FAILURES: &str =
    "Alibaba HPN, SIGCOMM 2024: 0.057 % of links, 0.051 % of switches a month";

fn published(name: &str, rate: PerYear, source: &'static str) -> Input {
    input(name, Amount::Number(rate.get()), Origin::Published(source))
}

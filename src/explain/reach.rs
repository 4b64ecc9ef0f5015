//! Explains what a fabric leaves open: room to grow, the exchange of all with all, and what failures
//! leave of a year. All three are worked out in `design`.

use super::equation::{
    FORWARDING, GOODPUT, LEAF_CUT, PIPELINED_FORWARDING, RATES, RATIOS, ROOM, STANDBY,
};
use super::facts::{Facts, input, quantity};
use super::{Amount, Explanation, GOODPUT_KEY, Input, Origin};
use crate::design::{Headroom, year_of};
use crate::fabric::{FabricKind, TierName};
use crate::parallel::Placement;
use crate::reliability::{PerYear, Rates};

pub(super) fn explanations(facts: &Facts<'_>) -> Vec<Explanation> {
    let mut all = Vec::new();
    if let Some(of) = facts.plan.headroom {
        all.extend([free_ports(facts, of), before_another_tier(facts, of)]);
    }
    all.extend([stored(facts), pipelined(facts), goodput(facts)]);
    all
}

fn free_ports(facts: &Facts<'_>, of: Headroom) -> Explanation {
    let fabric = &facts.plan.fabric;
    let leafs = fabric.tiers.iter().filter(|tier| tier.name == TierName::Leaf);
    let ports: u64 = leafs.map(|tier| tier.count * u64::from(tier.down)).sum();
    let more = Amount::count(of.before_another_tier);
    Explanation::new(
        "headroom.gpus_on_free_ports",
        "GPUs that could be added on ports of leafs that are free, whole HB domains only",
        Amount::count(of.on_free_ports),
        "at most K · ⌊(ports down of all leafs − host links) / (P · NICs of a domain)⌋, and no more \
         than before another tier",
        &[ROOM],
    )
    .from([
        input("ports down of all leafs", Amount::count(ports), Origin::Found("Σ leafs · down")),
        quantity("host links", "fabric.host_links", Amount::count(fabric.host_links)),
        facts.planes(),
        facts.nics(),
        facts.domain(),
        quantity("GPUs before another tier", "headroom.gpus_before_another_tier", more),
    ])
}

fn before_another_tier(facts: &Facts<'_>, of: Headroom) -> Explanation {
    let fabric = &facts.plan.fabric;
    let chosen = || Origin::Found("chosen by the integer program, docs/formulation.md");
    let layers = TierName::ALL.into_iter().filter_map(|name| {
        let alike = fabric.tiers.iter().filter(|tier| tier.name == name);
        let most = alike.map(|tier| tier.down).max()?;
        Some(input(format!("ports down of a {}", name.name()), Amount::count(most), chosen()))
    });
    let (trees, origin) = match fabric.kind {
        FabricKind::RailOnly => (facts.plan.nodes.node.nics, "one a rail"),
        _ => (1, "the rails share one"),
    };
    Explanation::new(
        "headroom.gpus_before_another_tier",
        "GPUs that could be added by more switches of the same models, divided alike",
        Amount::count(of.before_another_tier),
        "K · (⌊trees · Π over layers: most ports down / NICs of a domain⌋ − M)",
        &[ROOM],
    )
    .from(layers)
    .from([
        input("trees", Amount::count(trees), Origin::Found(origin)),
        facts.nics(),
        facts.domains(),
        facts.domain(),
    ])
}

fn stored(facts: &Facts<'_>) -> Explanation {
    let formula = match routes(facts) {
        Routes::Nothing => SINGLE,
        Routes::Spine => SPINE_ONLY,
        Routes::Forwarded => "1 / (q + β · max(0, φ − σ)), β = B_S · NICs of a domain / K / B_F",
    };
    Explanation::new(
        "all_to_all.stored_share",
        "throughput of a uniform all-to-all of all GPUs over the rate of their NICs, where messages \
         are forwarded whole before they are sent",
        Amount::Share(facts.plan.all_to_all.stored),
        formula,
        &[FORWARDING, LEAF_CUT, RATIOS],
    )
    .from(machines(facts))
}

fn pipelined(facts: &Facts<'_>) -> Explanation {
    let formula = match routes(facts) {
        Routes::Nothing => SINGLE,
        Routes::Spine => SPINE_ONLY,
        Routes::Forwarded => {
            "1 / max(q, (I/X + φ) / (1/β + σ), β · I/X), \
             β = B_S · NICs of a domain / K / B_F, I/X = (K − 1)/(K·(M − 1))"
        }
    };
    Explanation::new(
        "all_to_all.pipelined_share",
        "the same where chunks are forwarded while others are sent: as well as routing can",
        Amount::Share(facts.plan.all_to_all.pipelined),
        formula,
        &[PIPELINED_FORWARDING, LEAF_CUT, RATIOS],
    )
    .from(machines(facts))
}

/// Where a single domain is the whole cluster.
const SINGLE: &str = "1: a single HB domain needs no NIC";
/// Where machines forward nothing, so that a message to another rail takes a spine or stays.
const SPINE_ONLY: &str = "min(σ/φ, 1/q, 1): these machines forward nothing";

/// How messages to other rails travel.
enum Routes {
    /// There is one domain only.
    Nothing,
    /// By a spine alone.
    Spine,
    /// Forwarded where no spine takes them.
    Forwarded,
}

fn routes(facts: &Facts<'_>) -> Routes {
    match &facts.plan.nodes {
        nodes if nodes.domains < 2 => Routes::Nothing,
        nodes if !nodes.node.forwards => Routes::Spine,
        _ => Routes::Forwarded,
    }
}

/// What an exchange of all with all follows from.
fn machines(facts: &Facts<'_>) -> Vec<Input> {
    let fabric = &facts.plan.fabric;
    let leaf = fabric.leaf_domains.map(|count| {
        let found = Origin::Found("ports down of a leaf, where a rail has several leafs");
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
        "slowdown by the uplinks of leafs q",
        Amount::Number(facts.plan.all_to_all.uplinks),
        Origin::Found("max(1, (M − m)/(M − 1)/ρ); 1 where a leaf's border does not matter"),
    ));
    all
}

fn goodput(facts: &Facts<'_>) -> Explanation {
    let (conduct, year) = year_of(facts.plan);
    let fabric = &facts.plan.fabric;
    let rates = Rates::published();
    let assumed = |name: &str, time, why| input(name, Amount::Time(time), Origin::Assumed(why));
    let lost = |name: &str, share, why| input(name, Amount::Share(share), Origin::Found(why));
    let leafs = Amount::count(fabric.layer(TierName::Leaf));
    Explanation::new(
        GOODPUT_KEY,
        "share of a year that trains: the rest goes to failures, with standby machines",
        Amount::Share(facts.plan.goodput),
        "(1 − s/τ − Λ·τ/2 − Λ·r) · P(Poisson(m) ≤ S), τ = √(2·s/Λ), m = N·λ_gpu · repair, \
         Λ = N·λ_gpu + N·λ_other, and on one plane + host links·λ_link + leafs·λ_switch",
        &[GOODPUT, RATES, STANDBY],
    )
    .from([
        facts.gpus(),
        quantity("host links", "fabric.host_links", Amount::count(fabric.host_links)),
        quantity("leafs", "fabric.leafs", leafs),
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

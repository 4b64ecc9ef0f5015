//! What routing found: link loads and throughput of a step, of `[robust]` and of an all-to-all;
//! room to grow.

use super::warning::Warning;
use crate::design::columns::four_tier_trees::level_of_counts;
use crate::design::job::job::Job;
use crate::design::job::machine::Level;
use crate::design::job::scenario_runs::SkippedScenario;
use crate::fabric::{Counts, TierName};
use crate::parallel::Placement;
use crate::routing::AllToAll;
use crate::step::TrafficKind;
use crate::timing::UplinkBalance;
use crate::units::{Bandwidth, Bytes, Seconds, Usd};

/// What routing a design found.
#[derive(Clone, Debug, PartialEq)]
pub enum RoutingReport {
    /// Every message of a step was routed.
    Routed(RoutedStep),
    /// The step was not routed, and why.
    Unverified(String),
}

/// A step on its fabric.
#[derive(Clone, Debug, PartialEq)]
pub struct RoutedStep {
    /// No link needs longer for any communication than the step time takes for granted.
    pub holds: bool,
    /// The step was timed by this routing, and not by the clock alone.
    pub on_cables: bool,
    /// Communications between domains, in the step's order; of all workloads where there are
    /// several.
    pub calls: Vec<CallReport>,
    /// Bytes of a step by class of link, every message spread evenly over its shortest ways; of
    /// several workloads one after the other.
    pub loads: Vec<LoadReport>,
}

/// One communication on the fabric; times are of one call, at full rate of all links.
#[derive(Clone, Debug, PartialEq)]
pub struct CallReport {
    /// Whose it is; empty where there is one workload.
    pub workload: String,
    pub label: &'static str,
    /// What reports sum it by.
    pub kind: TrafficKind,
    pub messages: u64,
    /// Bytes that HB domains forward to another rail.
    pub forwarded: Bytes,
    /// Time that the step time takes for granted.
    pub granted: Seconds,
    /// The slowest link's over the busiest NIC's between leafs and spines: oversubscription seen.
    pub seen: f64,
    /// The slowest link's over the busiest NIC's time, whatever the link.
    pub over_nic: f64,
    /// Share of every message that takes a detour over a switch drawn at random.
    pub detour: f64,
    /// The slowest link where messages are spread evenly: what the step time assumes.
    pub sprayed: HotLink,
    /// Where each message takes the way that looks emptiest to each switch; `None` where there are
    /// too many to be put on single ways one by one.
    pub adaptive: Option<HotLink>,
    /// Where each is hashed onto one way; `None` likewise.
    pub hashed: Option<HotLink>,
}

/// The link that takes longest.
#[derive(Clone, Debug, PartialEq)]
pub struct HotLink {
    pub time: Seconds,
    /// Its ends, such as `leaf-3/spine-1`; empty where nothing is sent.
    pub link: String,
}

/// Bytes on the links of one class, in the fuller direction of each.
#[derive(Clone, Debug, PartialEq)]
pub struct LoadReport {
    /// Whose step it is; empty where there is one workload.
    pub workload: String,
    pub class: &'static str,
    pub links: u64,
    /// Rate of each.
    pub rate: Bandwidth,
    /// Bytes of a step on a link on average.
    pub mean: Bytes,
    /// Bytes of a step on the fullest.
    pub most: Bytes,
    pub link: String,
}

impl RoutedStep {
    /// The communication whose slowest link exceeds most what is taken for granted; `None` where
    /// nothing leaves a domain.
    #[must_use]
    pub fn worst_call(&self) -> Option<&CallReport> {
        let over = |call: &CallReport| call.slowdown_of_link(&call.sprayed);
        self.calls.iter().reduce(|worst, call| if over(call) > over(worst) { call } else { worst })
    }
}

impl RoutingReport {
    /// What a reader has to know of it.
    pub(in crate::design) fn routing_warning(&self) -> Option<Warning> {
        let routed = match self {
            Self::Unverified(reason) => return Some(Warning::Unrouted { reason: reason.clone() }),
            Self::Routed(routed) => routed,
        };
        let worst = routed.worst_call().filter(|_| !routed.holds)?;
        let times = worst.slowdown_of_link(&worst.sprayed);
        Some(Warning::Slower { label: worst.label, link: worst.sprayed.link.clone(), times })
    }

    /// The slowest link's time over the one that the step time takes for granted, of the
    /// communication where that is most: no more than 1 where the step time stands. `None` where
    /// nothing was routed, or nothing leaves a domain.
    #[must_use]
    pub fn worst_ratio(&self) -> Option<f64> {
        match self {
            Self::Unverified(_) => None,
            Self::Routed(routed) => {
                routed.worst_call().map(|call| call.slowdown_of_link(&call.sprayed))
            }
        }
    }

    /// Why the step was not routed, or the communication that is slower than the step time has it
    /// and its link; `None` where the step time stands.
    #[must_use]
    pub fn reason_unconfirmed(&self) -> Option<String> {
        match self {
            Self::Unverified(reason) => Some(reason.clone()),
            Self::Routed(routed) => routed
                .worst_call()
                .filter(|_| !routed.holds)
                .map(|call| format!("{} on {}", call.label, call.sprayed.link)),
        }
    }

    /// True where every message was routed and no link needs longer than the step time has it.
    #[must_use]
    pub const fn is_verified(&self) -> bool {
        match self {
            Self::Unverified(_) => false,
            Self::Routed(routed) => routed.holds,
        }
    }
}

impl CallReport {
    /// A link's time over the one that is taken for granted.
    #[must_use]
    pub fn slowdown_of_link(&self, hot: &HotLink) -> f64 {
        if self.granted > Seconds::ZERO { hot.time / self.granted } else { 0.0 }
    }
}

/// What was asked of a fabric beside its workloads, and what it gives.
#[derive(Clone, Debug, PartialEq)]
pub struct Robustness {
    /// Longest step of each scenario over its own on a full-bisection Clos.
    pub max_slowdown: f64,
    pub scenarios: Vec<CarriedScenario>,
    /// Those that were asked for and do not exist on the machines chosen, in the layout chosen.
    pub left_out: Vec<SkippedScenario>,
    /// What the cluster takes more than the best without scenarios; `None` where that was not
    /// designed.
    pub price: Option<Price>,
}

/// What carrying scenarios takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Price {
    /// Capital that the cluster takes more.
    pub usd: Usd,
    /// That over its capital; where tokens are minimised by cost, no less than what each costs
    /// more, as a share.
    pub share: f64,
}

/// A scenario on a fabric.
#[derive(Clone, Debug, PartialEq)]
pub struct CarriedScenario {
    /// What it is, in a few words.
    pub name: String,
    /// Its step, as routed where that is longer than by the clock.
    pub step: Seconds,
    /// That over its step on a full-bisection Clos.
    pub slowdown: f64,
    /// The longest step that it may take.
    pub most: Seconds,
    /// Least uplinks of a leaf switch over its endpoints with which it is fast enough by the clock;
    /// 0 where no leaf switch has a border, `None` where no number will do.
    pub uplinks: Option<f64>,
    /// Why its step was not routed; `None` where it was.
    pub not_routed: Option<String>,
}

impl CarriedScenario {
    /// True where its step is no longer than it may be, up to the rounding of bytes on links.
    #[must_use]
    pub fn is_step_short_enough(&self) -> bool {
        const ROUNDING: f64 = 1e-6;
        self.step <= self.most * (1.0 + ROUNDING)
    }
}

impl Robustness {
    /// The scenario that needs most uplinks; of several the first, and `None` where none needs any.
    #[must_use]
    pub fn most_uplinks(&self) -> Option<&CarriedScenario> {
        let need = |scenario: &CarriedScenario| scenario.uplinks.unwrap_or(f64::INFINITY);
        let most = |a, b| if need(b) > need(a) { b } else { a };
        self.scenarios.iter().reduce(most).filter(|scenario| need(scenario) > 0.0)
    }

    /// The slowest scenario by its own measure; `None` where there is none.
    #[must_use]
    pub fn slowest_scenario(&self) -> Option<&CarriedScenario> {
        self.scenarios.iter().max_by(|a, b| a.slowdown.total_cmp(&b.slowdown))
    }

    /// What a reader has to know of it.
    pub(in crate::design) fn not_carried_warning(&self) -> Option<Warning> {
        let slow = self.scenarios.iter().filter(|scenario| !scenario.is_step_short_enough());
        let scenarios: Vec<(String, f64)> =
            slow.map(|scenario| (scenario.name.clone(), scenario.slowdown)).collect();
        let most = self.max_slowdown;
        (!scenarios.is_empty()).then_some(Warning::NotCarried { scenarios, most })
    }
}

/// GPUs that could be added, whole HB domains only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Headroom {
    /// On ports of leafs that are free: no switch is added.
    pub on_free_ports: u64,
    /// By more switches of the same models and the same division of a leaf's ports, before another
    /// tier is needed.
    pub before_another_tier: u64,
}

/// The headroom of a fabric; `None` where it is no tree.
///
/// A leaf has at least one link to every spine above it, so that a spine has no more leafs below
/// it than ports; the same holds for pods below a core. The largest model of a tier is taken where
/// models mix, and of leafs the one with most ports down (docs/equations.md §7.12).
pub(in crate::design) fn fabric_headroom(job: &Job<'_>, counts: &Counts) -> Option<Headroom> {
    if !counts.kind.is_tree() {
        return None;
    }
    let read = |name: TierName| counts.tiers.iter().filter(move |tier| tier.name == name);
    let planes = u64::from(counts.planes.max(1));
    let nics = u64::from(job.machine.node.nics.max(1));
    let down: u64 = read(TierName::Leaf).map(|tier| tier.count * u64::from(tier.down)).sum();
    let free = down.saturating_sub(counts.host_links) / (planes * nics);
    // Rails of their own each have such a tree, others share one.
    let trees = if counts.kind.joins_rails() { 1 } else { nics };
    // Above the leafs a link may take several ports.
    let each = |name| if name == TierName::Leaf { 1 } else { counts.ports_per_uplink() };
    let most = |name| read(name).map(|tier| u64::from(tier.down / each(name))).max();
    most(TierName::Leaf)?;
    let endpoints = TierName::ALL
        .into_iter()
        .filter_map(most)
        .fold(1_u64, |all, down| all.saturating_mul(down));
    let domains = endpoints.saturating_mul(trees) / nics;
    let gpus = u64::from(job.machine.node.gpus);
    let more = domains.saturating_sub(u64::from(job.networked_domains()));
    Some(Headroom { on_free_ports: free.min(more) * gpus, before_another_tier: more * gpus })
}

/// Throughput of a uniform all-to-all over the rate of a GPU's share of the NICs.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct AllToAllThroughput {
    /// Messages are forwarded whole before they are sent.
    pub stored: f64,
    /// Chunks are forwarded while others are sent: as well as routing can.
    pub pipelined: f64,
    /// How many times as long the uplinks of a leaf take as the NICs below it, at least 1.
    pub uplinks: f64,
}

/// The exchange on a fabric of that level: on one that is timed on its cables no less than what any
/// two halves of its NICs have between them. Leaf switches of several shapes count as the narrowest
/// with the fewest uplinks.
pub(in crate::design) fn all_to_all_throughput(
    job: &Job<'_>,
    level: Level,
    counts: &Counts,
) -> AllToAllThroughput {
    match level.member {
        Some(_) => {
            AllToAllThroughput { stored: level.across, pipelined: level.across, uplinks: 1.0 }
        }
        None => all_to_all_by_level(job, level_of_counts(counts, UplinkBalance::SPRAY)),
    }
}

/// The exchange on a fabric of that level (docs/equations.md §8.2, §8.5): what forwarding through
/// the HB domain costs, and no more than the uplinks of a leaf carry of what leaves it.
///
/// Special cases: a single domain reaches the rate, as it needs no NIC; machines that forward
/// nothing reach no more than the share of the spine over that of the traffic across rails, and
/// nothing without a spine.
fn all_to_all_by_level(job: &Job<'_>, level: Level) -> AllToAllThroughput {
    let node = job.machine.node;
    if job.domains < 2 || node.gpus == 0 {
        return AllToAllThroughput { stored: 1.0, pipelined: 1.0, uplinks: 1.0 };
    }
    let nic: Bandwidth = job.machine.nic.bandwidth * (f64::from(node.nics) / f64::from(node.gpus));
    let machine = Placement::with_packed_domains(node.gpus, node.nics);
    let machines = AllToAll {
        domains: job.domains,
        machine,
        hb: node.hb_bandwidth,
        hb_busy: Bandwidth::ZERO,
        nic,
        across: level.across,
    };
    let others = f64::from(job.domains - 1);
    let leaving = level
        .leaf_domains
        .map_or(0.0, |leaf| (f64::from(job.domains) - f64::from(leaf)).max(0.0) / others);
    let bound = leaving > 0.0 && level.within < 1.0;
    let uplinks = if bound { (leaving / level.within).max(1.0) } else { 1.0 };
    let bytes = Bytes::from_gib(1);
    let straight = AllToAll { across: 1.0, hb: Bandwidth::from_f64(f64::MAX), ..machines };
    let full = straight.pipelined_time(bytes);
    if !node.forwards {
        let reached = machine.spine_share_of_bytes(level.across).min(1.0 / uplinks);
        return AllToAllThroughput { stored: reached, pipelined: reached, uplinks };
    }
    let forwarding = machines.store_and_forward_time(bytes) / full - 1.0;
    AllToAllThroughput {
        stored: 1.0 / (uplinks + forwarding.max(0.0)),
        pipelined: 1.0 / (machines.pipelined_time(bytes) / full).max(uplinks),
        uplinks,
    }
}

//! What routing a design found, as data. Routes nothing.

use super::warning::Warning;
use crate::step::TrafficKind;
use crate::units::{Bandwidth, Bytes, Seconds};

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
    /// What it carries.
    pub label: &'static str,
    /// What reports sum it by.
    pub kind: TrafficKind,
    /// Messages between domains.
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
    /// How long.
    pub time: Seconds,
    /// Its ends, such as `leaf-3/spine-1`; empty where nothing is sent.
    pub link: String,
}

/// Bytes on the links of one class, in the fuller direction of each.
#[derive(Clone, Debug, PartialEq)]
pub struct LoadReport {
    /// Whose step it is; empty where there is one workload.
    pub workload: String,
    /// Name of the class.
    pub class: &'static str,
    /// Links.
    pub links: u64,
    /// Rate of each.
    pub rate: Bandwidth,
    /// Bytes of a step on a link on average.
    pub mean: Bytes,
    /// Bytes of a step on the fullest.
    pub most: Bytes,
    /// Ends of the fullest.
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
    pub(super) fn routing_warning(&self) -> Option<Warning> {
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

//! Routes every message of a step over a wired fabric, communication by communication, and holds
//! the slowest link against the time that the clock takes the network to need.

use std::sync::OnceLock;

use super::links::Load;
use super::paths::Paths;
use super::router::Router;
use super::routing_trial::{RoutingTrial, SpreadFlows, TrialOutcome};
use super::rules::{NotRouted, RoutingManner};
use crate::collective::Policy;
use crate::parallel::Placed;
use crate::step::{Step, TrafficKind};
use crate::traffic::{GroupedCall, Message};
use crate::units::{Bytes, Seconds};

/// What the clock takes for granted in one call of a communication.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AssumedCall {
    pub policy: Policy,
    /// Time that the bytes between domains take, at full rate of all links.
    pub time: Seconds,
    /// Share of the bytes to other rails that take a spine. The HB domain forwards the rest: inside
    /// the sender's domain to the GPU on the receiver's rail, then along that rail.
    pub straight: f64,
}

/// One communication, routed.
#[derive(Clone, Debug, PartialEq)]
pub struct RoutedCall {
    /// Its place among the step's communications.
    pub place: usize,
    pub label: &'static str,
    /// What reports sum it by.
    pub kind: TrafficKind,
    /// Messages of one call that leave their HB domain.
    pub messages: u64,
    /// Bytes of a call that the HB domain forwards to another rail.
    pub forwarded: Bytes,
    /// Time of a call that the clock takes for granted between domains.
    pub granted: Seconds,
    /// Share by which its messages are longer than what they carry, at most, as bytes are whole.
    pub rounding: f64,
    /// What its messages meet, forwarded ones included.
    pub outcome: TrialOutcome,
}

/// A step, routed.
#[derive(Clone, Debug, PartialEq)]
pub struct RoutedStepLoads {
    /// Communications that leave a domain, in the step's order.
    pub calls: Vec<RoutedCall>,
    /// Bytes of a whole step on each class of link, spread evenly.
    pub loads: Vec<Load>,
}

/// Most messages that are routed one by one at all.
const MOST_MESSAGES: u64 = 1_000_000_000;

/// A graph that is walked costs about so many times as much a message as a tree.
const WALKING: u64 = 8;

impl RoutedCall {
    /// Time of a call over the one that the clock takes for granted, spread evenly: no more than
    /// 1 where the step time stands.
    #[must_use]
    pub fn slowdown_against_clock(&self) -> f64 {
        time_ratio(self.outcome.sprayed.time, self.granted)
    }
}

impl RoutedStepLoads {
    /// The communication whose links exceed most what the clock takes for granted.
    #[must_use]
    pub fn worst_call(&self) -> Option<&RoutedCall> {
        let mut worst: Option<&RoutedCall> = None;
        for call in &self.calls {
            if worst
                .is_none_or(|known| call.slowdown_against_clock() > known.slowdown_against_clock())
            {
                worst = Some(call);
            }
        }
        worst
    }

    /// Whether no link needs longer than the clock grants.
    #[must_use]
    pub fn is_within_clock_time(&self) -> bool {
        /// Relative rounding of sums.
        const ROUNDING: f64 = 1e-6;
        /// Messages of a few bytes are no excuse for long ones beside them.
        const MOST: f64 = 1e-3;
        let allowed = |call: &RoutedCall| 1.0 + ROUNDING + call.rounding.min(MOST);
        self.calls.iter().all(|call| call.slowdown_against_clock() <= allowed(call))
    }
}

/// Routes a step (docs/equations.md §8.6). `granted` has an entry for each of its communications.
///
/// # Errors
/// Where a message has no way, or there are too many of them.
pub fn route_step(
    step: &Step,
    placed: &Placed,
    paths: &Paths,
    manner: RoutingManner<'_>,
    granted: &[AssumedCall],
) -> Result<RoutedStepLoads, NotRouted> {
    let mut whole = SpreadFlows::new(paths);
    let mut calls = Vec::new();
    let links = OnceLock::new();
    for (place, (communication, granted)) in step.communications.iter().zip(granted).enumerate() {
        let call = GroupedCall::new(step, communication, placed, &granted.policy);
        let times: Vec<f64> = (0..step.stages.len())
            .map(|stage| step.calls_per_step(communication, stage) as f64)
            .collect();
        let label = communication.label;
        let rounding = call.max_rounding_share();
        let straight = granted.straight;
        let mut router =
            Router { placed, paths, manner, straight, label, times, messages: 0, forwarded: 0.0 };
        let most = manner.rules.singly / if paths.is_general_graph() { WALKING } else { 1 };
        let all = call.max_messages() <= most;
        let mut trial = RoutingTrial::new(paths, all.then_some(&links));
        if all {
            router.route_messages(|take| call.for_each(take), &mut trial, &mut whole)?;
        } else {
            let (alike, rest) = call.split_uniform_part();
            if rest.max_messages() > MOST_MESSAGES {
                return Err(NotRouted::TooMany { messages: rest.max_messages() });
            }
            router.route_uniform_groups(&alike, &mut trial, &mut whole)?;
            let each = |take: &mut dyn FnMut(Message)| match manner.messages {
                Some(kept) => kept.for_each(place, &granted.policy, &rest, take),
                None => rest.for_each(take),
            };
            router.route_messages(each, &mut trial, &mut whole)?;
        }
        if router.messages > 0 {
            calls.push(RoutedCall {
                place,
                label,
                kind: communication.kind,
                messages: router.messages,
                forwarded: Bytes::from_elements(1, router.forwarded),
                granted: granted.time,
                rounding,
                outcome: trial.outcome().map_err(|_| NotRouted::NoWay { label })?,
            });
        }
    }
    // Every flow of it has a way in its own call.
    let (mut loads, _) = whole.link_class_loads().unwrap_or_default();
    loads.retain(|load| load.links > 0);
    Ok(RoutedStepLoads { calls, loads })
}

fn time_ratio(one: Seconds, other: Seconds) -> f64 {
    if other > Seconds::ZERO { one / other } else { 0.0 }
}

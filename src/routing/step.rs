//! Routes every message of a step over a wired fabric, communication by communication, and holds
//! the slowest link against the time that the clock takes the network to need.

use std::fmt;

use super::link::Load;
use super::paths::{Pathless, Paths};
use super::spray::Spray;
use super::trial::{Outcome, Trial};
use crate::collective::Policy;
use crate::parallel::Placed;
use crate::step::{Communication, Step, TrafficKind};
use crate::traffic::{Call, Message};
use crate::units::{Bytes, Seconds};

/// How messages to another rail get there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AcrossRails {
    /// Bandwidth across rails over that of the NICs (σ).
    pub spine: f64,
    /// The HB domain forwards what no spine takes: inside the sender's domain to the GPU on the
    /// receiver's rail, then along that rail.
    pub forwards: bool,
}

/// What the clock takes for granted in one call of a communication.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Granted {
    /// The algorithms that run.
    pub policy: Policy,
    /// Time that the bytes between domains take, at full rate of all links.
    pub time: Seconds,
}

/// One communication, routed.
#[derive(Clone, Debug, PartialEq)]
pub struct RoutedCall {
    /// What it carries.
    pub label: &'static str,
    /// What reports sum it by.
    pub kind: TrafficKind,
    /// Messages of one call that leave their HB domain.
    pub messages: u64,
    /// Bytes of a call that the HB domain forwards to another rail.
    pub forwarded: Bytes,
    /// Time of a call that the clock takes for granted between domains.
    pub granted: Seconds,
    /// What its messages meet, forwarded ones included.
    pub outcome: Outcome,
}

/// A step, routed.
#[derive(Clone, Debug, PartialEq)]
pub struct Routed {
    /// Communications that leave a domain, in the step's order.
    pub calls: Vec<RoutedCall>,
    /// Bytes of a whole step on each class of link, spread evenly.
    pub loads: Vec<Load>,
}

/// Why a step can't be routed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotRouted {
    /// The fabric has no ways that are known.
    Pathless(Pathless),
    /// No way joins some pair that a communication needs, and nothing forwards.
    NoWay {
        /// The communication.
        label: &'static str,
    },
    /// There are too many messages to route one by one.
    TooMany {
        /// How many, at most.
        messages: u64,
    },
    /// The fabric has fewer NICs than the ranks need.
    NoNic,
}

impl fmt::Display for NotRouted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Pathless(reason) => reason.fmt(f),
            Self::NoWay { label } => {
                write!(f, "`{label}` has messages that no path joins and nothing forwards")
            }
            Self::TooMany { messages } => {
                write!(f, "{messages} messages are too many to be routed one by one")
            }
            Self::NoNic => f.write_str("the fabric has fewer interfaces than the ranks need"),
        }
    }
}

impl std::error::Error for NotRouted {}

/// Most messages of one communication that are routed one by one: a second's work.
const MOST_MESSAGES: u64 = 30_000_000;

impl RoutedCall {
    /// Time of a call over the one that the clock takes for granted, spread evenly: no more than
    /// 1 where the step time stands.
    #[must_use]
    pub fn over_granted(&self) -> f64 {
        ratio(self.outcome.sprayed.time, self.granted)
    }
}

impl Routed {
    /// The communication whose links exceed most what the clock takes for granted.
    #[must_use]
    pub fn worst(&self) -> Option<&RoutedCall> {
        let mut worst: Option<&RoutedCall> = None;
        for call in &self.calls {
            if worst.is_none_or(|known| call.over_granted() > known.over_granted()) {
                worst = Some(call);
            }
        }
        worst
    }

    /// Whether no link needs longer than the clock grants.
    #[must_use]
    pub fn holds(&self) -> bool {
        /// Bytes are rounded up to whole ones on every link.
        const ROUNDING: f64 = 1e-6;
        self.worst().is_none_or(|call| call.over_granted() <= 1.0 + ROUNDING)
    }
}

/// Routes a step (docs/equations.md §8.6). `granted` has an entry for each of its communications.
///
/// # Errors
/// Where a message has no way, or there are too many of them.
pub fn route(
    step: &Step,
    placed: &Placed,
    paths: &Paths,
    across: AcrossRails,
    granted: &[Granted],
) -> Result<Routed, NotRouted> {
    let mut whole = Spray::new(paths);
    let mut calls = Vec::new();
    for (communication, granted) in step.communications.iter().zip(granted) {
        let call = Call::new(step, communication, placed, &granted.policy);
        if call.most() > MOST_MESSAGES {
            return Err(NotRouted::TooMany { messages: call.most() });
        }
        let router = Router { step, placed, paths, across, communication };
        calls.extend(router.call(&call, *granted, &mut whole)?);
    }
    let mut loads = whole.loads();
    loads.retain(|load| load.links > 0);
    Ok(Routed { calls, loads })
}

/// Sender, receiver and bytes of a flow between NICs.
type Flow = (usize, usize, f64);

/// One communication on its way.
struct Router<'a> {
    step: &'a Step,
    placed: &'a Placed,
    paths: &'a Paths,
    across: AcrossRails,
    communication: &'a Communication,
}

impl Router<'_> {
    /// The call, also added to the whole step as often as it runs; `None` where nothing leaves a
    /// domain.
    fn call(
        &self,
        call: &Call<'_>,
        granted: Granted,
        whole: &mut Spray<'_>,
    ) -> Result<Option<RoutedCall>, NotRouted> {
        let mut trial = Trial::new(self.paths);
        let times: Vec<f64> = (0..self.step.stages.len())
            .map(|stage| self.step.calls(self.communication, stage) as f64)
            .collect();
        let mut messages = 0;
        let mut forwarded = 0.0;
        let mut failed = None;
        call.for_each(|message| {
            messages += 1;
            match self.ways(message) {
                Ok(ways) => {
                    for (from, to, bytes) in ways.into_iter().flatten() {
                        whole.add(from, to, bytes * times[message.stage]);
                        if !trial.add(from, to, bytes) {
                            failed = Some(NotRouted::NoWay { label: self.communication.label });
                        }
                    }
                    forwarded += ways[1].map_or(0.0, |(.., bytes)| bytes);
                }
                Err(reason) => failed = Some(reason),
            }
        });
        if let Some(reason) = failed {
            return Err(reason);
        }
        if messages == 0 {
            return Ok(None);
        }
        Ok(Some(RoutedCall {
            label: self.communication.label,
            kind: self.communication.kind,
            messages,
            forwarded: Bytes::of_elements(1, forwarded),
            granted: granted.time,
            outcome: trial.outcome(),
        }))
    }

    /// The one or two ways of a message: straight, and forwarded inside the sender's domain.
    fn ways(&self, message: Message) -> Result<[Option<Flow>; 2], NotRouted> {
        let placement = self.placed.placement();
        let rails = self.paths.rails;
        let nic = |domain: u32, rail: u32| domain as usize * rails as usize + rail as usize;
        let (domain, rail) = (placement.domain_of(message.from), placement.rail_of(message.from));
        let other = placement.rail_of(message.to);
        let to = nic(placement.domain_of(message.to), other);
        let (straight, forwarded) = (nic(domain, rail), nic(domain, other));
        if straight.max(forwarded).max(to) >= self.paths.endpoints() {
            return Err(NotRouted::NoNic);
        }
        let bytes = message.bytes.as_f64();
        if rail == other {
            return Ok([Some((straight, to, bytes)), None]);
        }
        let share = self.by_spine();
        let part = |from: usize, share: f64| (share > 0.0).then_some((from, to, bytes * share));
        Ok([part(straight, share), part(forwarded, 1.0 - share)])
    }

    /// Share of the bytes between rails that take a spine (docs/equations.md §8.6).
    fn by_spine(&self) -> f64 {
        if !self.across.forwards {
            return 1.0;
        }
        let domain = f64::from(self.placed.placement().domain());
        let elsewhere = (domain - 1.0) / domain;
        if elsewhere > 0.0 { (self.across.spine / elsewhere).min(1.0) } else { 1.0 }
    }
}

fn ratio(one: Seconds, other: Seconds) -> f64 {
    if other > Seconds::ZERO { one / other } else { 0.0 }
}

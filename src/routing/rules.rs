//! How messages are spread over paths, and why a step can't be routed.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use crate::collective::Policy;
use crate::traffic::{GroupedCall, Message};

/// Why a step can't be routed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotRouted {
    /// No way joins some pair that a communication needs, and nothing forwards.
    NoWay { label: &'static str },
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
            Self::NoWay { label } => {
                write!(f, "`{label}` has messages that no path joins and nothing forwards")
            }
            Self::TooMany { messages } => {
                write!(f, "{messages} messages are too many to be routed one by one")
            }
            Self::NoNic => f.write_str("the fabric has fewer NICs than the ranks need"),
        }
    }
}

impl std::error::Error for NotRouted {}

/// How closely a step is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RoutingRules {
    /// Most messages of a call that are also put on single ways one by one, hashed and adaptive;
    /// those of a call with more are only spread, groups in which all send alike by counting.
    pub singly: u64,
}

impl Default for RoutingRules {
    /// About a second's work.
    fn default() -> Self {
        Self { singly: 30_000_000 }
    }
}

impl RoutingRules {
    /// Everything is only spread evenly.
    pub const SPREAD: Self = Self { singly: 0 };
}

/// How a step is routed.
#[derive(Clone, Copy, Debug, Default)]
pub struct RoutingManner<'a> {
    /// How closely it is looked at.
    pub rules: RoutingRules,
    /// HB domains that take no part, ascending: those that are out of service, whose work is done
    /// elsewhere.
    pub absent: &'a [u32],
    /// For each HB domain of the job, in the order of its ranks, the domain of the fabric that it
    /// is; `None` where they are in that order.
    pub seats: Option<&'a [u32]>,
    /// Where messages are kept between routings of one step on one placement.
    pub messages: Option<&'a Messages>,
}

/// The messages of one step on one placement that are routed one by one also where flows are only
/// spread, by communication and by the algorithms that run. Mixing steps or placements gives wrong
/// routes.
#[derive(Debug, Default)]
pub struct Messages {
    kept: Mutex<KeptMessages>,
}

/// Messages of a communication, by its place in the step.
type KnownMessages = (usize, Policy, Arc<[Message]>);

#[derive(Debug, Default)]
struct KeptMessages {
    calls: Vec<KnownMessages>,
    /// Messages of all calls, at most.
    messages: u64,
}

/// Most messages that are kept of a step: 32 bytes each.
const MOST: u64 = 1 << 20;

impl Messages {
    /// Every message of the call of the communication at `place`, in the order of the senders.
    pub(super) fn for_each(
        &self,
        place: usize,
        policy: &Policy,
        call: &GroupedCall<'_>,
        take: impl FnMut(Message),
    ) {
        match self.messages_of_call(place, policy, call) {
            Some(known) => known.iter().copied().for_each(take),
            None => call.for_each(take),
        }
    }

    /// The messages of a call; `None` where there are too many to be kept.
    fn messages_of_call(
        &self,
        place: usize,
        policy: &Policy,
        call: &GroupedCall<'_>,
    ) -> Option<Arc<[Message]>> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let asked = |(index, by, _): &&KnownMessages| (*index, by) == (place, policy);
        if let Some((.., known)) = kept.calls.iter().find(asked) {
            return Some(Arc::clone(known));
        }
        let most = call.max_messages();
        if kept.messages + most > MOST {
            return None;
        }
        let mut messages = Vec::new();
        call.for_each(|message| messages.push(message));
        let messages: Arc<[Message]> = messages.into();
        kept.messages += most;
        kept.calls.push((place, *policy, Arc::clone(&messages)));
        Some(messages)
    }
}

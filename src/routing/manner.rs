//! How closely a step is routed, and why it can't be.

use std::fmt;

use super::messages::Messages;

/// Why a step can't be routed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotRouted {
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
    /// For each HB domain of the job, in the order of its ranks, the domain of the fabric that it is; `None`
    /// where they are in that order.
    pub seats: Option<&'a [u32]>,
    /// Where messages are kept between routings of one step on one placement.
    pub messages: Option<&'a Messages>,
}

//! A value with its kind, so that a report can choose unit and digits. It is not text.

use crate::units::{Bandwidth, Bytes, FlopRate, Flops, Seconds, Usd, Watts};

/// A value of an input, a part or a result.
#[derive(Clone, Debug, PartialEq)]
pub enum Amount {
    /// A time.
    Time(Seconds),
    /// Bytes in a memory, shown binary.
    Memory(Bytes),
    /// Bytes on wires, shown decimal.
    Volume(Bytes),
    /// Money.
    Money(Usd),
    /// Electrical power.
    Power(Watts),
    /// Work.
    Work(Flops),
    /// Rate of work.
    Rate(FlopRate),
    /// Line rate of a link, shown in bits.
    Link(Bandwidth),
    /// Bandwidth inside a machine, shown in bytes.
    Bandwidth(Bandwidth),
    /// Pieces.
    Count(u128),
    /// A share of 1.
    Share(f64),
    /// A plain number: a factor, or tokens too many to be counted exactly.
    Number(f64),
    /// Tokens per second.
    TokenRate(f64),
    /// Days of 24 hours.
    Days(f64),
    /// A choice or a switch, by the name that a spec gives it.
    Choice(&'static str),
}

impl Amount {
    /// A count of any width.
    pub(super) fn count(value: impl Into<u128>) -> Self {
        Self::Count(value.into())
    }

    /// A switch of a spec.
    pub(super) const fn on(value: bool) -> Self {
        Self::Choice(if value { "true" } else { "false" })
    }
}

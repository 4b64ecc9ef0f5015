//! A value with its unit, so that whoever shows it can choose prefix and digits. It is not text.

use std::borrow::Cow;

use super::{Bandwidth, Bytes, FlopRate, Flops, Seconds, Usd, Watts};

/// Relative rounding of sums of amounts: what differs by less is the same. Sums of some thousand
/// terms in 64 bits are off by less, and no price has as many digits.
pub(crate) const ROUNDING: f64 = 1e-9;

/// A value of an input, a part or a result.
#[derive(Clone, Debug, PartialEq)]
pub enum Amount {
    /// A time.
    Time(Seconds),
    /// Days of 24 hours.
    Days(f64),
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
    /// Tokens per second.
    TokenRate(f64),
    /// Pieces.
    Count(u128),
    /// A share of 1.
    Share(f64),
    /// A plain number: a factor, or tokens too many to be counted exactly.
    Number(f64),
    /// A switch: on or off.
    Flag(bool),
    /// A name, or a choice by the name that a spec gives it.
    Word(Cow<'static, str>),
}

/// Unit of an amount, and with it what it measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Unit {
    /// Seconds.
    Time,
    /// Days of 24 hours.
    Days,
    /// Bytes that are held in a memory.
    Memory,
    /// Bytes that move.
    Volume,
    /// US dollars, also per year and per token.
    Money,
    /// Watts.
    Power,
    /// FLOPs.
    Work,
    /// TFLOP/s.
    Rate,
    /// Gb/s.
    Link,
    /// Bytes per second.
    Bandwidth,
    /// Tokens per second.
    TokenRate,
    /// Pieces.
    Count,
    /// A part of a whole, from 0 to 1.
    Share,
    /// A ratio or another plain number.
    Number,
    /// True or false.
    Flag,
    /// A name.
    Word,
}

impl Amount {
    /// A count of any width.
    pub fn from_count(value: impl Into<u128>) -> Self {
        Self::Count(value.into())
    }

    /// A name, or a choice by its name.
    pub fn from_word(name: impl Into<Cow<'static, str>>) -> Self {
        Self::Word(name.into())
    }

    /// Its unit.
    #[must_use]
    pub const fn unit(&self) -> Unit {
        match self {
            Self::Time(_) => Unit::Time,
            Self::Days(_) => Unit::Days,
            Self::Memory(_) => Unit::Memory,
            Self::Volume(_) => Unit::Volume,
            Self::Money(_) => Unit::Money,
            Self::Power(_) => Unit::Power,
            Self::Work(_) => Unit::Work,
            Self::Rate(_) => Unit::Rate,
            Self::Link(_) => Unit::Link,
            Self::Bandwidth(_) => Unit::Bandwidth,
            Self::TokenRate(_) => Unit::TokenRate,
            Self::Count(_) => Unit::Count,
            Self::Share(_) => Unit::Share,
            Self::Number(_) => Unit::Number,
            Self::Flag(_) => Unit::Flag,
            Self::Word(_) => Unit::Word,
        }
    }

    /// The value in the unit that [`Unit::name`] names; 0 for what is no number.
    #[must_use]
    pub fn scalar(&self) -> f64 {
        match self {
            Self::Time(time) => time.get(),
            Self::Memory(bytes) | Self::Volume(bytes) => bytes.as_f64(),
            Self::Money(usd) => usd.get(),
            Self::Power(watts) => watts.get(),
            Self::Work(flops) => flops.get(),
            Self::Rate(rate) => rate.as_tera(),
            Self::Link(rate) => rate.as_gigabits(),
            Self::Bandwidth(rate) => rate.get(),
            Self::Count(count) => *count as f64,
            Self::Share(plain)
            | Self::Number(plain)
            | Self::TokenRate(plain)
            | Self::Days(plain) => *plain,
            Self::Flag(_) | Self::Word(_) => 0.0,
        }
    }
}

impl Unit {
    /// The amount of so many of the unit; a number of pieces that is not whole, or is negative as
    /// a change may be, stays a plain number, and so does what is measured by no number.
    #[must_use]
    pub fn to_amount(self, value: f64) -> Amount {
        let bytes = || Bytes::new(value.max(0.0) as u128);
        match self {
            Self::Time => Amount::Time(Seconds::from_f64(value)),
            Self::Days => Amount::Days(value),
            Self::Memory => Amount::Memory(bytes()),
            Self::Volume => Amount::Volume(bytes()),
            Self::Money => Amount::Money(Usd::from_f64(value)),
            Self::Power => Amount::Power(Watts::from_f64(value)),
            Self::Work => Amount::Work(Flops::from_f64(value)),
            Self::Rate => Amount::Rate(FlopRate::from_tera(value)),
            Self::Link => Amount::Link(Bandwidth::from_gigabits(value)),
            Self::Bandwidth => Amount::Bandwidth(Bandwidth::from_f64(value)),
            Self::TokenRate => Amount::TokenRate(value),
            Self::Count if value >= 0.0 && value.fract() == 0.0 => Amount::Count(value as u128),
            Self::Share => Amount::Share(value),
            Self::Count | Self::Number | Self::Flag | Self::Word => Amount::Number(value),
        }
    }

    /// Its name as programs and spreadsheets get it; empty for plain numbers and names.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Time => "s",
            Self::Days => "days",
            Self::Memory | Self::Volume => "bytes",
            Self::Money => "usd",
            Self::Power => "w",
            Self::Work => "flop",
            Self::Rate => "tflop_per_s",
            Self::Link => "gbit_per_s",
            Self::Bandwidth => "bytes_per_s",
            Self::TokenRate => "tokens_per_s",
            Self::Count | Self::Share | Self::Number | Self::Flag | Self::Word => "",
        }
    }

    /// What it measures, in words.
    #[must_use]
    pub const fn noun(self) -> &'static str {
        match self {
            Self::Time => "a time in seconds",
            Self::Days => "a time in days",
            Self::Memory | Self::Volume => "a size in bytes",
            Self::Money => "an amount of money",
            Self::Power => "a power",
            Self::Work => "a number of FLOPs",
            Self::Rate => "a rate in TFLOP/s",
            Self::Link => "a rate in Gb/s",
            Self::Bandwidth => "a rate in bytes per second",
            Self::TokenRate => "a rate in tokens per second",
            Self::Share => "a share from 0 to 1",
            Self::Count | Self::Number => "a plain number",
            Self::Flag => "true or false",
            Self::Word => "a name",
        }
    }

    /// Whether it measures a number.
    #[must_use]
    pub const fn is_number(self) -> bool {
        !matches!(self, Self::Flag | Self::Word)
    }
}

#[cfg(test)]
mod tests {
    use super::{Amount, Unit};

    const ALL: [Unit; 16] = [
        Unit::Time,
        Unit::Days,
        Unit::Memory,
        Unit::Volume,
        Unit::Money,
        Unit::Power,
        Unit::Work,
        Unit::Rate,
        Unit::Link,
        Unit::Bandwidth,
        Unit::TokenRate,
        Unit::Count,
        Unit::Share,
        Unit::Number,
        Unit::Flag,
        Unit::Word,
    ];

    #[test]
    fn an_amount_is_so_many_of_its_unit() {
        for unit in ALL.into_iter().filter(|unit| unit.is_number()) {
            for value in [0.0, 1.0, 400.0] {
                let amount = unit.to_amount(value);
                assert_eq!(amount.unit(), unit);
                assert!((amount.scalar() - value).abs() < 1e-9, "{value} of {unit:?}");
            }
        }
        assert_eq!(Unit::Count.to_amount(-2.0), Amount::Number(-2.0));
        assert_eq!(Unit::Count.to_amount(0.5), Amount::Number(0.5));
        assert_eq!(Amount::Flag(true).unit(), Unit::Flag);
        assert_eq!(Amount::from_word("fp8").unit(), Unit::Word);
    }
}

//! What a design is that another limit makes possible, in words. Finds none.

use std::fmt;

use crate::units::{Seconds, Usd};

/// What the best design is that another limit makes possible.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// Time of its step.
    pub step: Seconds,
    /// Cost of a million tokens; `None` where parts that it needs have no price.
    pub usd_per_million_tokens: Option<Usd>,
    /// Days of the run without failures; `None` where its tokens are not stated.
    pub run_days: Option<f64>,
}

/// `a step of 9.92 s, $1.10 per million tokens, a run of 102.7 days`.
impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a step of {} s", three_digits(self.step.get()))?;
        if let Some(usd) = self.usd_per_million_tokens {
            write!(f, ", ${} per million tokens", three_digits(usd.get()))?;
        }
        self.run_days.map_or(Ok(()), |days| write!(f, ", a run of {days:.1} days"))
    }
}

/// A number above nothing with three digits that count, and no fewer before its point than it has.
fn three_digits(value: f64) -> String {
    const DIGITS: f64 = 2.0;
    let decimals = (DIGITS - value.max(f64::MIN_POSITIVE).log10().floor()).clamp(0.0, 12.0);
    format!("{value:.*}", decimals as usize)
}

//! What `Infeasible` names: by how much a limit has to move, and which end of a link nothing joins.

use std::fmt;

use crate::units::{Amount, ExactAmount, Seconds, StatedAmount, Usd};

/// How far one limit of a clash would have to move while the others hold.
#[derive(Clone, Debug, PartialEq)]
pub struct LimitMove {
    pub limit: String,
    pub has: Amount,
    pub needs: Amount,
    /// It is of a part or stage, whose days count failures of machines alone.
    pub one_of_several: bool,
    /// What the design then is; `None` where none was made for it.
    pub then: Option<Outcome>,
}

impl LimitMove {
    /// What the limit would have to be; of days with the failures that they count.
    #[must_use]
    pub fn needs_text(&self) -> String {
        let failures = match self.needs {
            Amount::Days(_) if self.one_of_several => " with failures of machines",
            Amount::Days(_) => " with failures",
            _ => "",
        };
        format!("{}{failures}", ExactAmount(&self.needs))
    }
}

/// `` `limits.power` is 10 MW, it needs 10.5 MW ``.
impl fmt::Display for LimitMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { limit, has, needs, .. } = self;
        let verb = if matches!(needs, Amount::Share(_)) { "has" } else { "needs" };
        write!(f, "`{limit}` is {}, it {verb} {}", StatedAmount(has), self.needs_text())
    }
}

/// Limits that no design meets together, of which moving any one is enough.
pub(super) fn limits_clash_sentence(
    f: &mut fmt::Formatter<'_>,
    moves: &[LimitMove],
) -> fmt::Result {
    if let [only] = moves {
        let LimitMove { limit, has, then, .. } = only;
        let (has, needs) = (StatedAmount(has), only.needs_text());
        write!(f, "no design meets `{limit}`: it is {has}, {needs} is possible")?;
        return then.as_ref().map_or(Ok(()), |then| write!(f, ", for {then}"));
    }
    f.write_str("no design meets these limits together: change one of them")?;
    moves.iter().try_for_each(|one| {
        let LimitMove { limit, has, then, .. } = one;
        write!(f, "; `{limit}` from {} to {}", StatedAmount(has), one.needs_text())?;
        then.as_ref().map_or(Ok(()), |then| write!(f, ", for {then}"))
    })
}

/// Limits that have to move together.
pub(super) fn move_together_sentence(
    f: &mut fmt::Formatter<'_>,
    moves: &[LimitMove],
) -> fmt::Result {
    f.write_str("no design meets the limits, and ")?;
    if moves.is_empty() {
        return f.write_str("no change of them that helps was found: relax several");
    }
    f.write_str("changing one is not enough: change all of these together")?;
    moves.iter().try_for_each(|one| {
        write!(f, "; `{}` from {} to {}", one.limit, StatedAmount(&one.has), one.needs_text())
    })?;
    let then = moves.iter().find_map(|limit_move| limit_move.then.as_ref());
    then.map_or(Ok(()), |then| write!(f, "; that is {then}"))
}

/// What the best design is that another limit makes possible.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    pub step: Seconds,
    /// Cost of a million tokens; `None` where parts that it needs have no price.
    pub usd_per_million_tokens: Option<Usd>,
    /// Days of the run with failures; `None` where its tokens are not stated.
    pub run_days: Option<f64>,
    /// Spare machines that are bought.
    pub spares: u64,
}

/// `a step of 9.9213 s, $1.10 per million tokens, a run of 102.7 days with failures, 1 spare
/// machine`. Step and days are rounded up, so that limits as long do.
impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a step of {}", ExactAmount(&Amount::Time(self.step)))?;
        if let Some(usd) = self.usd_per_million_tokens {
            write!(f, ", ${} per million tokens", three_digits(usd.get()))?;
        }
        if let Some(days) = self.run_days {
            write!(f, ", a run of {} with failures", ExactAmount(&Amount::Days(days)))?;
        }
        match self.spares {
            0 => f.write_str(", no spare machine"),
            1 => f.write_str(", 1 spare machine"),
            some => write!(f, ", {some} spare machines"),
        }
    }
}

/// A number above nothing with three digits that count, and no fewer before its point than it has.
fn three_digits(value: f64) -> String {
    const DIGITS: f64 = 2.0;
    let decimals = (DIGITS - value.max(f64::MIN_POSITIVE).log10().floor()).clamp(0.0, 12.0);
    format!("{value:.*}", decimals as usize)
}

/// The end of a link that no kind of it joins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FreeEnd {
    /// The interface has no port of that protocol for so many planes.
    Port,
    /// No kind of link ends in the interface's cage and in one of these of switches.
    Cages {
        /// Cages of the switches on offer.
        cages: Vec<&'static str>,
    },
    /// Some kind does, and none is long enough.
    Far {
        cage: &'static str,
        /// Metres to the interfaces.
        metres: u32,
    },
    /// Interfaces are joined, and switches are not joined to one another.
    Switches {
        cage: &'static str,
        /// Metres between them.
        metres: u32,
    },
}

impl fmt::Display for FreeEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Port => f.write_str("it has no port of that protocol for so many planes"),
            Self::Cages { cages } if cages.is_empty() => f.write_str("none has such ports"),
            Self::Cages { cages } => {
                write!(f, "no kind of link ends in it and in a cage `{}`", cages.join("` or `"))
            }
            Self::Far { cage, metres } => {
                write!(f, "no kind of link reaches {metres} m from it to a cage `{cage}`")
            }
            Self::Switches { cage, metres } => {
                write!(
                    f,
                    "no kind of link reaches {metres} m from switch to switch (cage `{cage}`)"
                )
            }
        }
    }
}

//! What a comparison finds beyond its rules. Looks for nothing.

use super::stated::{Severity, Verdict};
use crate::hardware::PriceBasis;
use crate::units::Usd;

/// Something that makes a result incomparable with the one before it, or the next one unguarded.
#[derive(Clone, Debug, PartialEq)]
pub enum Finding {
    /// A part that is bought has no price, and had one or was not bought: every total lacks it.
    LostPrice {
        /// The part, or `electricity`.
        part: String,
        /// Its price before; `None` where it had none that the result knows.
        old: Option<Usd>,
    },
    /// A part that is bought costs nothing, and did before: a lost price by another name.
    FreePart {
        /// The part, or `electricity`.
        part: String,
        /// Its price before.
        old: Usd,
    },
    /// A price rests on less than before: nobody's assumption where somebody asked for it.
    WeakerBasis {
        /// The part.
        part: String,
        /// What the price rested on.
        old: PriceBasis,
        /// What it rests on now.
        new: PriceBasis,
    },
    /// A rule of the old spec that the new one lacks.
    RemovedRule {
        /// The rule.
        rule: String,
        /// What its breach meant.
        severity: Severity,
    },
    /// A rule of the old spec of which the new one has only a looser form.
    LooserRule {
        /// The rule.
        rule: String,
        /// What its breach meant.
        severity: Severity,
        /// What the new spec says of that figure and direction, with what a breach means.
        now: Vec<(Severity, String)>,
    },
}

/// What was found, and what it means.
#[derive(Clone, Debug, PartialEq)]
pub struct GateFinding {
    /// What it is.
    pub finding: Finding,
    /// What it means.
    pub verdict: Verdict,
}

impl Finding {
    /// What a message names it by.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::LostPrice { .. } => "lost-price",
            Self::FreePart { .. } => "free-part",
            Self::WeakerBasis { .. } => "weaker-basis",
            Self::RemovedRule { .. } => "removed-rule",
            Self::LooserRule { .. } => "looser-rule",
        }
    }

    /// What it is about: a part, or a rule.
    #[must_use]
    pub fn subject(&self) -> &str {
        match self {
            Self::LostPrice { part, .. }
            | Self::FreePart { part, .. }
            | Self::WeakerBasis { part, .. } => part,
            Self::RemovedRule { rule, .. } | Self::LooserRule { rule, .. } => rule,
        }
    }
}

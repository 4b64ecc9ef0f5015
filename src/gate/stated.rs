//! A rule as somebody stated it: where, how grave its breach is, and what that comes to. Judges
//! nothing.

use super::rule::Rule;

/// A rule and what its breach means.
#[derive(Clone, Debug, PartialEq)]
pub struct StatedRule {
    /// The rule.
    pub rule: Rule,
    /// What its breach means.
    pub severity: Severity,
    /// Who set it.
    pub origin: RuleOrigin,
}

/// What the breach of a rule means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// It is told.
    Warn,
    /// It stops the script.
    Fail,
}

/// Who set a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RuleOrigin {
    /// The planner itself: no price may get lost in silence.
    Planner,
    /// `[gate]` of the spec.
    Spec,
    /// The command line.
    CommandLine,
    /// The file of `--policy`.
    Policy,
}

impl RuleOrigin {
    /// Whether a `never` of this origin switches off a rule of `other`: whoever runs the check may
    /// switch off what the spec and the planner say, and a spec only what it says itself.
    pub(super) fn can_overrule(self, other: Self) -> bool {
        let runs = matches!(self, Self::CommandLine | Self::Policy);
        self == other || (runs && matches!(other, Self::Spec | Self::Planner))
    }
}

impl Severity {
    /// What a breach comes to.
    pub(super) const fn breach_verdict(self) -> Verdict {
        match self {
            Self::Warn => Verdict::Warn,
            Self::Fail => Verdict::Fail,
        }
    }
}

/// How something came out, worse last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// Nothing is breached.
    #[default]
    Pass,
    /// A rule that warns is breached.
    Warn,
    /// A rule that fails is breached.
    Fail,
}

impl Verdict {
    /// Name in results.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Warn => "warn",
            Self::Fail => "fail",
        }
    }
}

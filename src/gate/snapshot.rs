//! `Snapshot`: a result as the gate sees it; rule severity, origin, verdict.

use std::collections::{BTreeMap, BTreeSet};

use super::rule::Rule;
use crate::cost::Role;
use crate::hardware::{Exchange, PriceBasis, PricedItem};
use crate::units::Usd;

/// One result.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Snapshot {
    pub name: String,
    /// Every number by its dotted key, such as `cost.capex_usd`, in the unit that the key names.
    pub figures: BTreeMap<String, f64>,
    /// Keys that the result has without a value, such as the days of a run of unknown length.
    pub absent: BTreeSet<String>,
    /// Every word by its dotted key, such as `fabric.kind`.
    pub words: BTreeMap<String, String>,
    pub bill: Vec<SnapshotPart>,
    /// Parts that the totals lack because no book has a price of them.
    pub unpriced: Vec<String>,
    /// What it was made from; `None` where a result does not say.
    pub provenance: Option<Provenance>,
    /// Whether it carries the digest of its content, and so was found as it was written.
    pub sealed: bool,
}

/// One line of a bill.
#[derive(Clone, Debug, PartialEq)]
pub struct SnapshotPart {
    pub name: String,
    /// What it is: `switch`, `optic`, ….
    pub role: String,
    /// Pieces that have to be bought.
    pub bought: u64,
    /// Price of one; `None` where no book has it.
    pub unit: Option<Usd>,
    /// Price of all that is bought.
    pub total: Usd,
    /// What kind of statement the price is; `None` where there is no price, or nothing is said.
    pub basis: Option<PriceBasis>,
    /// At which rate the price became US dollars; `None` where it was in US dollars, or nothing is
    /// said.
    pub exchange: Option<Exchange>,
}

/// What a result was made from.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Provenance {
    pub planner: String,
    /// Stands for what was asked.
    pub question: String,
    /// What is asked by key of the spec; `None` where a result does not say.
    pub asked: Option<BTreeMap<String, String>>,
    /// Keys that its spec states, with their values; `None` where a result does not say.
    pub stated: Option<BTreeMap<String, String>>,
    /// Stands for the switches, interfaces and optics that there are.
    pub catalogue: String,
    /// Stands for each machine that was asked for, by name; `None` where a result does not say.
    pub machines: Option<BTreeMap<String, String>>,
    /// Name of the price book.
    pub price_book: String,
    /// Every price that could be used.
    pub prices: BTreeMap<PricedItem, Usd>,
    /// At which rate a price became US dollars, of those that were in another currency.
    pub exchange: BTreeMap<PricedItem, Exchange>,
    /// Rules that its spec stated; `None` where a result does not say.
    pub rules: Option<Vec<StatedRule>>,
}

impl SnapshotPart {
    /// Price of one as it went into the total, so that pieces times it is the total; `None` where
    /// nothing is known of it.
    #[must_use]
    pub fn unit_price(&self) -> Option<Usd> {
        if self.bought > 0 && self.unit.is_some() {
            Some(self.total / self.bought as f64)
        } else {
            self.unit
        }
    }

    /// Whether it belongs to the network, as `network_capex` counts it.
    #[must_use]
    pub fn is_network(&self) -> bool {
        Role::parse(&self.role).is_some_and(Role::is_network)
    }
}

/// A rule and what its breach means.
#[derive(Clone, Debug, PartialEq)]
pub struct StatedRule {
    pub rule: Rule,
    pub severity: Severity,
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

#[cfg(test)]
mod tests {
    use super::SnapshotPart;
    use crate::units::Usd;

    #[test]
    fn memory_of_hosts_is_no_part_of_the_network() {
        let network = ["node", "memory", "nic", "switch", "optic", "cable"].map(|role| {
            let part = SnapshotPart {
                name: String::new(),
                role: role.to_owned(),
                bought: 0,
                unit: None,
                total: Usd::ZERO,
                basis: None,
                exchange: None,
            };
            part.is_network()
        });
        assert_eq!(network, [false, false, false, true, true, true]);
    }
}

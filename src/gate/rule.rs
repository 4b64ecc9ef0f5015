//! A rule of the gate and its threshold.

use std::fmt;

use crate::units::number_separators::UnitError;
use crate::units::parse::{self, shorten_for_message};
use crate::units::{Bytes, Seconds, Unit, Usd, Watts};

/// What must not happen: it is breached where `quantity comparison bound` is true.
#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    /// The rule as written, but for space around it: what people recognise.
    pub text: String,
    /// Name of the figure, as written.
    pub quantity: String,
    pub comparison: RuleComparison,
    /// Beyond what.
    pub bound: RuleBound,
}

/// In which direction a figure must not go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RuleComparison {
    /// `>`: not above.
    Above,
    /// `<`: not below.
    Below,
    /// `~`: neither way.
    Either,
}

/// Beyond what a figure must not go.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RuleBound {
    /// A change, with its sign: `+2%`, `-$1M`; after `~` without one.
    Change {
        /// Downwards: the sign is a minus.
        negative: bool,
        by: Threshold,
    },
    /// The value itself: `$60M`.
    Level(Threshold),
    /// `never`: shown, and never breached. Not the same as a threshold of 0, which every change
    /// breaches.
    Never,
}

/// Why a text is no rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RuleError {
    /// Not `QUANTITY>CHANGE`.
    Shape { text: String },
    /// What stands before the comparison is no name.
    Name { name: String },
    /// What stands after it is no number with a unit.
    Threshold(UnitError),
    /// A percentage without a sign: it could only be a change.
    Unsigned { text: String },
}

/// What is written for a bound that nothing breaches.
const NEVER: &str = "never";

/// Longest rule that is read.
const LONGEST_RULE: usize = 200;

impl Rule {
    /// Reads a rule: a name, then `>`, `<` or `~`, then a change with its sign (`+2%`,
    /// `+500000`, `-100kW`), a level without one (`$60M`), or `never`.
    ///
    /// # Errors
    /// Where the text is no such thing.
    pub fn parse(text: &str) -> Result<Self, RuleError> {
        let shape = || RuleError::Shape { text: shorten_rule_text(text) };
        let text = text.trim();
        let fit = text.len() <= LONGEST_RULE && !text.contains(char::is_control);
        let at = text.find(['>', '<', '~']).filter(|_| fit).ok_or_else(shape)?;
        let (name, rest) = (text[..at].trim(), &text[at..]);
        let comparison = match rest.as_bytes()[0] {
            b'>' => RuleComparison::Above,
            b'<' => RuleComparison::Below,
            _ => RuleComparison::Either,
        };
        let letter = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "._-".contains(c);
        if name.is_empty() || !name.chars().all(letter) {
            return Err(RuleError::Name { name: shorten_rule_text(name) });
        }
        let bound = parse_bound(rest[1..].trim(), comparison)?;
        Ok(Self { text: text.to_owned(), quantity: name.to_owned(), comparison, bound })
    }
}

impl Rule {
    /// Whether both state the very same, however they are written.
    pub(super) fn is_same_rule(&self, other: &Self) -> bool {
        self.quantity == other.quantity
            && self.comparison == other.comparison
            && self.bound == other.bound
    }
}

impl RuleComparison {
    /// Whether both look at a change in one same direction at least.
    pub(super) fn has_common_direction(self, other: Self) -> bool {
        self == other || self == Self::Either || other == Self::Either
    }
}

fn parse_bound(text: &str, comparison: RuleComparison) -> Result<RuleBound, RuleError> {
    if text == NEVER {
        return Ok(RuleBound::Never);
    }
    let change = |negative, rest: &str| {
        Threshold::parse(rest)
            .map(|by| RuleBound::Change { negative, by })
            .map_err(RuleError::Threshold)
    };
    match (text.as_bytes().first(), comparison) {
        // Either way has no sign: it is a distance.
        (Some(b'+' | b'-'), RuleComparison::Either) => {
            Err(RuleError::Shape { text: shorten_rule_text(text) })
        }
        (_, RuleComparison::Either) => change(false, text),
        (Some(b'+'), _) => change(false, &text[1..]),
        (Some(b'-'), _) => change(true, &text[1..]),
        _ => match Threshold::parse(text).map_err(RuleError::Threshold)? {
            Threshold::Percent(_) => Err(RuleError::Unsigned { text: shorten_rule_text(text) }),
            level => Ok(RuleBound::Level(level)),
        },
    }
}

/// As much of a rule as a message repeats.
fn shorten_rule_text(text: &str) -> String {
    const MOST: usize = 60;
    shorten_for_message(text.trim(), MOST)
}

impl RuleError {
    /// What to write instead.
    #[must_use]
    pub fn hint(&self) -> String {
        const LIKE: &str = "write it like capex>+2%, power>+100kW, mfu<-1% or capex>$60M";
        match self {
            Self::Shape { .. } => {
                format!("{LIKE}; ~ takes a change either way, without a sign: step.time_s~1%")
            }
            Self::Name { .. } => format!("{LIKE}; names are the keys of a design's JSON"),
            Self::Threshold(error) => error.hint.clone(),
            Self::Unsigned { text } => format!("write +{text} for growth, -{text} for a fall"),
        }
    }
}

impl fmt::Display for RuleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Shape { text } => write!(f, "`{text}` is no rule"),
            Self::Name { name } => write!(f, "`{name}` is no name of a figure"),
            Self::Threshold(error) => error.fmt(f),
            Self::Unsigned { text } => write!(f, "`{text}` needs a sign: a percentage is a change"),
        }
    }
}

impl std::error::Error for RuleError {}

/// As it was written.
impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// How much.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Threshold {
    /// Percent of the old value.
    Percent(f64),
    /// A number in the unit of whatever figure it is held against.
    Plain(f64),
    /// Money.
    Usd(Usd),
    /// Power.
    Watts(Watts),
    /// Time.
    Seconds(Seconds),
    /// Size.
    Bytes(Bytes),
}

/// Percent of a whole.
const HUNDRED: f64 = 100.0;

/// Longest text that can be a number with a unit.
const LONGEST_THRESHOLD: usize = 64;

impl Threshold {
    /// Reads `2%`, `500000`, `$2M`, `100 kW`, `1.5 s`, `3 GiB`; no sign.
    ///
    /// # Errors
    /// Where it is none of these.
    pub(super) fn parse(text: &str) -> Result<Self, UnitError> {
        let text = text.trim();
        let starts_well = text.starts_with(|c: char| c.is_ascii_digit() || c == '$' || c == '.');
        if !starts_well || text.len() > LONGEST_THRESHOLD {
            return Err(UnitError {
                message: format!(
                    "`{}` is no number with a unit",
                    parse::shorten_for_message(text, LONGEST_THRESHOLD)
                ),
                hint: "write it like 2%, 500000, $2M, 100kW, 1.5s or 3GiB".into(),
            });
        }
        if let Some(percent) = text.strip_suffix('%') {
            return Ok(Self::Percent(parse::parse_count(percent.trim_end())?));
        }
        if text.starts_with('$') {
            return parse::parse_usd(text).map(Self::Usd);
        }
        // A bare number, also `500k`; then each unit in turn: no two dimensions share a spelling.
        let plain = parse::parse_count(text).map(Self::Plain);
        plain
            .or_else(|_| parse::parse_watts(text).map(Self::Watts))
            .or_else(|_| parse::parse_seconds(text).map(Self::Seconds))
            .or_else(|_| parse::parse_bytes(text).map(Self::Bytes))
            .map_err(|_| UnitError {
                message: format!(
                    "`{}` has a unit that no figure has",
                    parse::shorten_for_message(text, LONGEST_THRESHOLD)
                ),
                hint: "write it like 2%, 500000, $2M, 100kW, 1.5s or 3GiB".into(),
            })
    }

    /// The amount in the unit of a figure that was `old`; `None` where they don't go together.
    #[must_use]
    pub fn amount_in_unit(self, unit: Unit, old: f64) -> Option<f64> {
        match (self, unit) {
            (Self::Percent(percent), _) => Some(percent / HUNDRED * old.abs()),
            (Self::Plain(value), _) => Some(value),
            (Self::Usd(value), Unit::Money) => Some(value.get()),
            (Self::Watts(value), Unit::Power) => Some(value.get()),
            (Self::Seconds(value), Unit::Time) => Some(value.get()),
            (Self::Seconds(value), Unit::Days) => Some(value.as_days()),
            (Self::Bytes(value), Unit::Volume | Unit::Memory) => Some(value.as_f64()),
            _ => None,
        }
    }

    /// What it is, in words.
    #[must_use]
    pub const fn noun(self) -> &'static str {
        match self {
            Self::Percent(_) => "a percentage",
            Self::Plain(_) => "a plain number",
            Self::Usd(_) => "an amount of money",
            Self::Watts(_) => "a power",
            Self::Seconds(_) => "a time",
            Self::Bytes(_) => "a size",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Rule, RuleBound, RuleComparison, RuleError, Threshold};

    #[track_caller]
    fn reads(text: &str, quantity: &str, comparison: RuleComparison, bound: RuleBound) {
        let expected =
            Rule { text: text.trim().into(), quantity: quantity.into(), comparison, bound };
        assert_eq!(Rule::parse(text), Ok(expected.clone()));
        assert_eq!(Rule::parse(&expected.to_string()), Ok(expected), "written back");
    }

    #[test]
    fn a_rule_is_a_name_a_direction_and_a_bound() {
        use RuleComparison::{Above, Below, Either};
        let by = |negative, by| RuleBound::Change { negative, by };
        reads("capex>+2%", "capex", Above, by(false, Threshold::Percent(2.0)));
        reads(" capex > + 2 % ", "capex", Above, by(false, Threshold::Percent(2.0)));
        reads("network_capex>+500000", "network_capex", Above, by(false, Threshold::Plain(5e5)));
        reads("step.mfu<-1%", "step.mfu", Below, by(true, Threshold::Percent(1.0)));
        reads("step.time_s~1%", "step.time_s", Either, by(false, Threshold::Percent(1.0)));
        reads("capex>+0%", "capex", Above, by(false, Threshold::Percent(0.0)));
        reads("capex>never", "capex", Above, RuleBound::Never);
        reads("mfu<0.35", "mfu", Below, RuleBound::Level(Threshold::Plain(0.35)));
        reads("capex>-5%", "capex", Above, by(true, Threshold::Percent(5.0)));
    }

    #[test]
    fn what_is_no_rule_is_refused() {
        for text in ["", "capex", ">", "capex>", "capex>>2%", "capex>=+2%", "CAPEX>+2%", "a b>+2%"]
        {
            assert!(Rule::parse(text).is_err(), "{text}");
        }
        assert!(matches!(Rule::parse("capex>2%"), Err(RuleError::Unsigned { .. })));
        assert!(matches!(Rule::parse("capex~+2%"), Err(RuleError::Shape { .. })));
        assert!(Rule::parse(&format!("{}>+2%", "a".repeat(1000))).is_err());
    }
}

#[cfg(test)]
mod threshold_tests {
    use super::Threshold;
    use crate::units::{Bytes, Seconds, Unit, Usd, Watts};

    #[track_caller]
    fn reads(text: &str, expected: Threshold) {
        assert_eq!(Threshold::parse(text), Ok(expected), "{text}");
    }

    #[test]
    fn percentages_and_amounts_are_told_apart() {
        reads("2%", Threshold::Percent(2.0));
        reads("0 %", Threshold::Percent(0.0));
        reads("500000", Threshold::Plain(500_000.0));
        reads("500k", Threshold::Plain(500_000.0));
        reads("$2M", Threshold::Usd(Usd::from_f64(2e6)));
        reads("100kW", Threshold::Watts(Watts::from_f64(1e5)));
        reads("1.5 s", Threshold::Seconds(Seconds::from_f64(1.5)));
        reads("3GiB", Threshold::Bytes(Bytes::from_gib(3)));
        for rubbish in ["", "%", "two%", "5 parsecs", "$", "-2%", "NaN", "inf%", "1e999"] {
            assert!(Threshold::parse(rubbish).is_err(), "{rubbish}");
        }
    }

    #[test]
    fn an_amount_holds_only_for_figures_of_its_unit() {
        assert_eq!(Threshold::Percent(2.0).amount_in_unit(Unit::Money, -50.0), Some(1.0));
        assert_eq!(Threshold::Plain(7.0).amount_in_unit(Unit::Power, 1.0), Some(7.0));
        assert_eq!(Threshold::Watts(Watts::from_f64(5.0)).amount_in_unit(Unit::Money, 1.0), None);
        assert_eq!(
            Threshold::Seconds(Seconds::from_f64(43_200.0)).amount_in_unit(Unit::Days, 9.0),
            Some(0.5)
        );
    }
}

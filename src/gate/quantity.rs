//! Which figure a name means, and in which unit it is: both follow from the key. Knows no rule.

use std::fmt;

use super::snapshot::Snapshot;

/// Unit of a figure, as the last word of its key says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Unit {
    /// US dollars, also per year and per token.
    Usd,
    /// Seconds.
    Seconds,
    /// Days.
    Days,
    /// Watts.
    Watts,
    /// Bytes that move.
    Bytes,
    /// Bytes that are held in a memory: written in binary units.
    Memory,
    /// Gigabits per second.
    Gigabits,
    /// A part of a whole, from 0 to 1.
    Share,
    /// A count or a ratio.
    Plain,
}

/// Why a name means no figure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum QuantityError {
    /// There is none of that name.
    Unknown {
        /// The name.
        name: String,
        /// Names that exist.
        known: Vec<String>,
    },
    /// It means several.
    Ambiguous {
        /// The name.
        name: String,
        /// What it could mean.
        keys: Vec<String>,
    },
}

/// Endings of keys and the units that they state; one that ends like another stands before it.
const ENDINGS: [(&str, Unit); 8] = [
    ("_gbit_per_s", Unit::Gigabits),
    ("_usd", Unit::Usd),
    ("_usd_per_year", Unit::Usd),
    ("_days", Unit::Days),
    ("_s", Unit::Seconds),
    ("_w", Unit::Watts),
    ("_bytes", Unit::Bytes),
    ("_tflops", Unit::Plain),
];

/// Names that people use for figures whose key is another word.
const NICKNAMES: [(&str, &str); 3] = [
    ("step_time", "step.time_s"),
    ("days", "cost.training_days"),
    ("usd_per_token", "cost.usd_per_million_tokens"),
];

impl Unit {
    /// The unit that a key states; the unit of a group holds for what is in it.
    #[must_use]
    pub fn of_key(key: &str) -> Self {
        let money = |word: &str| word.starts_with("usd_per_");
        let share = |word: &str| word.ends_with("_share") || ["mfu", "hfu"].contains(&word);
        let of = |word: &str| {
            let ending = ENDINGS.iter().find(|(ending, _)| word.ends_with(ending));
            let known = ending.map(|(_, unit)| *unit);
            known
                .or_else(|| money(word).then_some(Self::Usd))
                .or_else(|| share(word).then_some(Self::Share))
        };
        // A rate per second and GPU ends like seconds, but is none.
        let rate = |word: &str| word.contains("_per_s_");
        let by_group = |word: &str| word.starts_with("bytes_by_").then_some(Self::Bytes);
        let memory = key.starts_with("memory.");
        let bytes = |unit| if memory && unit == Self::Bytes { Self::Memory } else { unit };
        key.rsplit('.')
            .filter(|word| !rate(word))
            .find_map(|word| of(word).or_else(|| by_group(word)))
            .map_or(Self::Plain, bytes)
    }

    /// What it measures, in words.
    #[must_use]
    pub const fn noun(self) -> &'static str {
        match self {
            Self::Usd => "an amount of money",
            Self::Seconds => "a time in seconds",
            Self::Days => "a time in days",
            Self::Watts => "a power",
            Self::Bytes | Self::Memory => "a size in bytes",
            Self::Gigabits => "a rate in Gb/s",
            Self::Share => "a share from 0 to 1",
            Self::Plain => "a plain number",
        }
    }
}

/// The key that a name means in either of two results.
///
/// # Errors
/// As [`meant`].
pub(super) fn key(name: &str, old: &Snapshot, new: &Snapshot) -> Result<String, QuantityError> {
    let keys = [old, new].into_iter().flat_map(|of| of.figures.keys().chain(&of.absent));
    meant(name, keys.map(String::as_str).collect())
}

/// The key that a name means: the key itself, its end, or either of them without its unit.
///
/// # Errors
/// Where it means none or several.
pub fn meant(name: &str, mut keys: Vec<&str>) -> Result<String, QuantityError> {
    let name = NICKNAMES.iter().find(|(nick, _)| *nick == name).map_or(name, |(_, key)| key);
    keys.sort_unstable();
    keys.dedup();
    if keys.contains(&name) {
        return Ok(name.to_owned());
    }
    let tail = |key: &str| {
        key == name || key.strip_suffix(name).is_some_and(|before| before.ends_with('.'))
    };
    let meant: Vec<&str> =
        keys.iter().copied().filter(|key| tail(key) || tail(without_unit(key))).collect();
    match meant.as_slice() {
        [only] => Ok((*only).to_owned()),
        [] => {
            let whole = keys.iter().map(|key| without_unit(key));
            let ends = keys.iter().filter_map(|key| without_unit(key).rsplit('.').next());
            let known = ends.chain(whole).map(str::to_owned).collect();
            Err(QuantityError::Unknown { name: name.to_owned(), known })
        }
        several => Err(QuantityError::Ambiguous {
            name: name.to_owned(),
            keys: several.iter().map(|key| (*key).to_owned()).collect(),
        }),
    }
}

/// A key without the unit at its end.
#[must_use]
pub fn without_unit(key: &str) -> &str {
    ENDINGS.iter().find_map(|(ending, _)| key.strip_suffix(ending)).unwrap_or(key)
}

impl fmt::Display for QuantityError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown { name, .. } => write!(f, "there is no figure `{name}` in a design"),
            Self::Ambiguous { name, keys } => {
                write!(f, "`{name}` could mean {}: write one of them", keys.join(" or "))
            }
        }
    }
}

impl std::error::Error for QuantityError {}

#[cfg(test)]
mod tests {
    use super::{QuantityError, Snapshot, Unit, key};

    fn snapshot(keys: &[&str]) -> Snapshot {
        let figures = keys.iter().map(|key| ((*key).to_owned(), 1.0)).collect();
        Snapshot { figures, ..Snapshot::default() }
    }

    #[test]
    fn a_name_means_a_key_its_end_or_either_without_its_unit() {
        let result = snapshot(&[
            "cost.capex_usd",
            "cost.network_capex_usd",
            "cost.opex_usd_per_year",
            "cost.training_days",
            "memory.total_bytes",
            "step.time_s",
            "traffic.total_bytes",
        ]);
        let means = |name: &str| key(name, &result, &result);
        for (name, expected) in [
            ("capex", "cost.capex_usd"),
            ("capex_usd", "cost.capex_usd"),
            ("cost.capex", "cost.capex_usd"),
            ("network_capex", "cost.network_capex_usd"),
            ("opex", "cost.opex_usd_per_year"),
            ("step.time_s", "step.time_s"),
            ("step.time", "step.time_s"),
            ("step_time", "step.time_s"),
            ("days", "cost.training_days"),
            ("memory.total", "memory.total_bytes"),
        ] {
            assert_eq!(means(name).as_deref(), Ok(expected));
        }
        assert!(
            matches!(means("total"), Err(QuantityError::Ambiguous { keys, .. }) if keys.len() == 2)
        );
        assert!(matches!(means("capx"), Err(QuantityError::Unknown { .. })));
        assert!(matches!(means(""), Err(QuantityError::Unknown { .. })));
    }

    #[test]
    fn keys_state_their_units() {
        for (key, unit) in [
            ("cost.capex_usd", Unit::Usd),
            ("cost.opex_usd_per_year", Unit::Usd),
            ("cost.usd_per_million_tokens", Unit::Usd),
            ("cost.training_days", Unit::Days),
            ("cost.power_w", Unit::Watts),
            ("memory.total_bytes", Unit::Memory),
            ("step.exposed_communication_s.tensor", Unit::Seconds),
            ("step.tokens_per_s_per_gpu", Unit::Plain),
            ("traffic.bytes_by_kind.data", Unit::Bytes),
            ("fabric.link_gbit_per_s", Unit::Gigabits),
            ("step.mfu", Unit::Share),
            ("goodput_share", Unit::Share),
            ("fabric.switches", Unit::Plain),
        ] {
            assert_eq!(Unit::of_key(key), unit, "{key}");
        }
    }
}

//! Which figure a name means; why a rule can't be judged.

use std::collections::BTreeSet;
use std::fmt;

use super::snapshot::Snapshot;
use crate::quantity::{all_quantities, split_member_key, strip_unit};
use crate::units::Unit;

/// Why a name means no figure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum QuantityError {
    /// There is none of that name.
    Unknown { name: String, known: Vec<String> },
    /// It means several.
    Ambiguous {
        name: String,
        /// What it could mean.
        keys: Vec<String>,
    },
}

/// The key that a name means in either of two results.
///
/// # Errors
/// As [`resolve_figure_name`], and where it means a figure that neither has but for each of
/// several.
pub(super) fn resolve_figure_key(
    name: &str,
    old: &Snapshot,
    new: &Snapshot,
) -> Result<String, QuantityError> {
    let keys =
        [old, new].into_iter().flat_map(|snapshot| snapshot.figures.keys().chain(&snapshot.absent));
    let key = resolve_figure_name(name, keys.map(String::as_str).collect())?;
    let figures = || [old, new].into_iter().flat_map(|snapshot| snapshot.figures.keys());
    if !figures().any(|known| *known == key) {
        let last = |key: &str| key.rsplit('.').next().map(str::to_owned);
        let same = |text: &&String| split_member_key(text).is_some() && last(text) == last(&key);
        let keys: BTreeSet<&String> = figures().filter(same).collect();
        if !keys.is_empty() && split_member_key(&key).is_none() {
            let keys = keys.into_iter().cloned().collect();
            return Err(QuantityError::Ambiguous { name: name.to_owned(), keys });
        }
    }
    Ok(key)
}

/// The key that a name means: the key itself, its end, or either of them without its unit.
///
/// # Errors
/// Where it means none or several.
pub fn resolve_figure_name(name: &str, mut keys: Vec<&str>) -> Result<String, QuantityError> {
    if let Some((one, own)) = split_member_key(name) {
        let keys: Vec<&str> = keys.iter().filter_map(|key| key.strip_prefix(one)).collect();
        if !keys.is_empty() {
            let whole = |key: String| format!("{one}{key}");
            return resolve_figure_name(own, keys)
                .map(whole)
                .map_err(|error| error.with_member_prefix(one));
        }
    }
    let nicknamed = all_quantities().find(|quantity| !name.is_empty() && quantity.nickname == name);
    let name = nicknamed.map_or(name, |quantity| quantity.key);
    keys.sort_unstable();
    keys.dedup();
    if keys.contains(&name) {
        return Ok(name.to_owned());
    }
    let tail = |key: &str| {
        key == name || key.strip_suffix(name).is_some_and(|before| before.ends_with('.'))
    };
    let meant = keys.iter().copied().filter(|key| tail(key) || tail(strip_unit(key)));
    // What one of several has as well is meant only where its name is written too.
    let (of_one, of_all): (Vec<&str>, Vec<&str>) =
        meant.partition(|key| split_member_key(key).is_some());
    let meant = if of_all.is_empty() { of_one } else { of_all };
    match meant.as_slice() {
        [only] => Ok((*only).to_owned()),
        [] => {
            let whole = keys.iter().map(|key| strip_unit(key));
            let ends = keys.iter().filter_map(|key| strip_unit(key).rsplit('.').next());
            let known = ends.chain(whole).map(str::to_owned).collect();
            Err(QuantityError::Unknown { name: name.to_owned(), known })
        }
        several => Err(QuantityError::Ambiguous {
            name: name.to_owned(),
            keys: several.iter().map(|key| (*key).to_owned()).collect(),
        }),
    }
}

impl QuantityError {
    /// The problem, where the figure is of one of several.
    fn with_member_prefix(self, one: &str) -> Self {
        let whole = |name: String| format!("{one}{name}");
        match self {
            Self::Unknown { name, known } => {
                let known = known.into_iter().map(whole).collect();
                Self::Unknown { name: whole(name), known }
            }
            Self::Ambiguous { name, keys } => {
                Self::Ambiguous { name: whole(name), keys: keys.into_iter().map(whole).collect() }
            }
        }
    }
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

/// Why a rule can't be judged.
#[derive(Clone, Debug, PartialEq)]
pub struct RuleProblem {
    pub rule: String,
    /// What is wrong with it.
    pub kind: RuleProblemKind,
}

/// What keeps a rule from being judged.
#[derive(Clone, Debug, PartialEq)]
pub enum RuleProblemKind {
    /// Its name means no figure.
    Quantity(QuantityError),
    /// Its threshold has another unit than the figure.
    Unit {
        /// What the threshold is, in words.
        threshold: &'static str,
        key: String,
        /// The figure's unit.
        unit: Unit,
    },
}

impl RuleProblem {
    /// What to do about it; empty where the message says it all.
    #[must_use]
    pub fn hint(&self) -> String {
        match &self.kind {
            RuleProblemKind::Quantity(_) => String::new(),
            RuleProblemKind::Unit { unit, .. } => {
                format!(
                    "the figure is {}: write a percentage, or a number in its unit",
                    unit.noun()
                )
            }
        }
    }
}

impl fmt::Display for RuleProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "rule `{}`: ", self.rule)?;
        match &self.kind {
            RuleProblemKind::Quantity(error) => error.fmt(f),
            RuleProblemKind::Unit { threshold, key, .. } => {
                write!(f, "{threshold} can't be held against `{key}`")
            }
        }
    }
}

impl std::error::Error for RuleProblem {}

#[cfg(test)]
mod tests {
    use super::{QuantityError, resolve_figure_key};
    use crate::gate::snapshot::Snapshot;

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
            "workloads.dense.step.time_s",
            "workloads.dense.training_days",
        ]);
        let means = |name: &str| resolve_figure_key(name, &result, &result);
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
            ("training_days", "cost.training_days"),
            ("dense.training_days", "workloads.dense.training_days"),
            ("workloads.dense.step.time", "workloads.dense.step.time_s"),
            ("workloads.dense.time", "workloads.dense.step.time_s"),
        ] {
            assert_eq!(means(name).as_deref(), Ok(expected));
        }
        assert!(
            matches!(means("total"), Err(QuantityError::Ambiguous { keys, .. }) if keys.len() == 2)
        );
        assert!(matches!(means("capx"), Err(QuantityError::Unknown { .. })));
        assert!(matches!(means(""), Err(QuantityError::Unknown { .. })));
    }
}

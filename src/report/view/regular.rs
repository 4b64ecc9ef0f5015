//! Words for units of machines and for what a regular network takes.

use super::super::{number, worth};
use crate::design::{Plan, Regular};
use crate::fabric::Regularity;

/// Share of the objective below which only that is told, and no money that would read `$0.00`.
const LEAST_SHARE: f64 = 0.0005;

/// `3 units of machines on the same leaf switches: 43, the last 42`; nothing where all machines hang on
/// the same, or nobody knows.
pub(super) fn machine_units_text(plan: &Plan) -> Option<String> {
    let known = plan.regularity.as_ref()?;
    (known.units.len() > 1 || known.shared > 0).then(|| regularity_text(known))
}

/// What a regular network takes, where the cheapest is not regular.
pub(super) fn regularity_premium_sentence(plan: &Plan) -> String {
    let Some(Regular { free, premium, chosen }) = &plan.regular else { return String::new() };
    let free = regularity_text(free);
    let Some(premium) = premium else { return format!("{free}; no network is regular") };
    let share = number::percent(premium.share);
    let more = if premium.share < LEAST_SHARE {
        format!("{share} more")
    } else {
        format!("{} more ({share})", worth::premium_text(premium))
    };
    if *chosen {
        format!("{more} than {free}")
    } else {
        format!("{free}: a regular network takes {more}, beyond what the default pays")
    }
}

/// How a network looks to whoever runs it.
fn regularity_text(regularity: &Regularity) -> String {
    let units = number::count_with_noun(regularity.units.len() as u64, "unit", "units");
    let (largest, smallest) = (regularity.largest_unit(), regularity.smallest_unit());
    let mut text =
        format!("{units} of {}", number::count_with_noun(largest, "machine", "machines"));
    if smallest < largest {
        let last = regularity.units.iter().filter(|unit| **unit < largest).count() == 1;
        let word = if last { "one has" } else { "the smallest" };
        text = format!("{text} ({word} {})", number::count(smallest));
    }
    if regularity.shared > 0 {
        let leafs = number::count_with_noun(regularity.shared, "leaf switch", "leaf switches");
        text = format!("{text} and {leafs} that rails share");
    } else if !regularity.alike {
        text = format!("{text} on unlike leaf switches");
    }
    text
}

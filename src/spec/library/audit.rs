//! What of the presets and prices that ship rests on little: assumed, second-hand, or old.

use super::entry::{PresetEntry, PresetKind, list_presets};
use super::tree::Library;
use crate::hardware::Month;
use crate::spec::document::{SpecTable, SpecValue};

/// Months after which a figure is called old.
const OLD: u32 = 12;

/// Why a figure is looked at again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum AuditDoubt {
    /// Nobody states it.
    Assumed,
    /// Its source was seen in the words of another.
    SecondHand,
    /// It is more than a year old.
    Old,
}

impl AuditDoubt {
    /// Name in lists.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Assumed => "assumed",
            Self::SecondHand => "second-hand",
            Self::Old => "old",
        }
    }
}

/// A figure, or several of one entry, to be looked at again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditFinding {
    /// What the entry describes; of a price the book that has it.
    pub kind: String,
    /// Its name, or the item of a price.
    pub name: String,
    /// Why.
    pub doubts: Vec<AuditDoubt>,
    /// When it held.
    pub date: String,
    /// What the entry says of it.
    pub note: String,
}

/// All of them as they are in a month, by kind and name. Models, ready specs and papers are what
/// their authors wrote, and not looked at.
#[must_use]
pub fn audit_presets(as_of: Month) -> Vec<AuditFinding> {
    use PresetKind::{
        Appliance, Cable, Calibration, Framework, Gpu, Link, Nic, Node, Optic, Switch,
    };
    let kinds = [Node, Gpu, Nic, Switch, Optic, Cable, Link, Appliance, Framework, Calibration];
    let parts = list_presets().into_iter().filter(|entry| kinds.contains(&entry.kind));
    let mut found: Vec<AuditFinding> =
        parts.filter_map(|entry| audit_shipped_entry(&entry, as_of)).collect();
    for (book, table) in &Library::get_shipped().books {
        let Some(SpecValue::List(prices)) = table.get("price").map(|item| &item.value) else {
            continue;
        };
        let tables = prices.iter().filter_map(|item| item.value.as_table());
        found.extend(tables.filter_map(|price| audit_price(book, table, price, as_of)));
    }
    found
}

fn audit_shipped_entry(entry: &PresetEntry, as_of: Month) -> Option<AuditFinding> {
    let library = Library::get_shipped();
    let kind = match entry.kind {
        PresetKind::Switch => "switches".to_owned(),
        kind => format!("{}s", kind.name()),
    };
    let note = library
        .entries_of_kind(&kind)
        .get_table(&entry.name)
        .map(|table| doubt_word(table, "note"));
    let note = note.unwrap_or_default();
    audit_entry(entry.kind.name(), &entry.name, &entry.date, &entry.source, note, false, as_of)
}

fn audit_price(
    book: &str,
    table: &SpecTable,
    price: &SpecTable,
    as_of: Month,
) -> Option<AuditFinding> {
    let own = |key| {
        let own = doubt_word(price, key);
        if own.is_empty() { doubt_word(table, key) } else { own }
    };
    let rate = doubt_word(price, "rate");
    let item = doubt_word(price, "item");
    let name = if rate.is_empty() { item } else { format!("{item} {rate}") };
    let assumed = doubt_word(price, "basis") == "assumed";
    let note = own("source");
    audit_entry(&format!("prices {book}"), &name, &own("date"), "", note, assumed, as_of)
}

/// What is doubtful of an entry; `None` where nothing is.
fn audit_entry(
    kind: &str,
    name: &str,
    date: &str,
    source: &str,
    note: String,
    assumed: bool,
    as_of: Month,
) -> Option<AuditFinding> {
    let says =
        |words: &[&str]| words.iter().any(|text| note.contains(text) || source.contains(text));
    let mut doubts = Vec::new();
    doubts.extend(
        (assumed || says(&["assumed", "guess", "no step was fitted"]))
            .then_some(AuditDoubt::Assumed),
    );
    doubts.extend(
        says(&["second-hand", "recalled", "press reports"]).then_some(AuditDoubt::SecondHand),
    );
    // A date of a year alone counts as its December, so that an age is never overstated.
    let old = Month::parse_latest(date).is_some_and(|held| as_of.months_since(held) > OLD);
    doubts.extend(old.then_some(AuditDoubt::Old));
    (!doubts.is_empty()).then(|| AuditFinding {
        kind: kind.to_owned(),
        name: name.to_owned(),
        doubts,
        date: date.to_owned(),
        note: if note.is_empty() { source.to_owned() } else { note },
    })
}

fn doubt_word(table: &SpecTable, key: &str) -> String {
    match table.get(key).map(|item| &item.value) {
        Some(SpecValue::Text(text)) => text.clone(),
        _ => String::new(),
    }
}

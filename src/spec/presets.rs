//! What ships with the planner: models, parts, price books and ready specs, with the origin of
//! each; the audit of their sources.

pub use super::library::ready_spec;

use std::collections::BTreeMap;

use super::document::{SpecTable, SpecValue};
use super::resolve;
use crate::hardware::{Month, Node, Switch};
use crate::spec::library::shipped_files::{self, EmbeddedFile, Library, path_stem};
use crate::workload::Framework;

/// The HB-domain products that ship, by name.
#[must_use]
pub fn preset_nodes() -> BTreeMap<String, Node> {
    resolve::shipped_nodes()
}

/// The switches that ship, by name.
#[must_use]
pub fn preset_switches() -> BTreeMap<String, Switch> {
    resolve::shipped_switches()
}

/// The training stacks that ship, by name.
#[must_use]
pub fn preset_frameworks() -> BTreeMap<String, Framework> {
    resolve::shipped_frameworks()
}

/// What a preset describes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PresetKind {
    /// `[model] preset`.
    Model,
    /// `[cluster] node`.
    Node,
    /// `[cluster] node` of any size.
    Family,
    /// `gpu` of a node.
    Gpu,
    /// `[cluster] nic`.
    Nic,
    /// `[cluster] switches`.
    Switch,
    /// Chosen by the rate of a link.
    Optic,
    /// Chosen by the kind of a link and its length.
    Cable,
    /// What links are bought as, chosen by cages and rate.
    Link,
    /// A switch or a server of `[networks]`.
    Appliance,
    /// `[framework] preset`.
    Framework,
    /// `calibration` of a GPU.
    Calibration,
    /// `[cluster] prices`.
    Prices,
    /// A ready spec, whose name works in place of a path.
    Spec,
    /// A ready spec that settles one argument (docs/cases.md).
    Case,
    /// A ready spec that restates a published paper.
    Paper,
}

impl PresetKind {
    /// All of them, in the order of the list.
    pub const ALL: [Self; 16] = [
        Self::Model,
        Self::Node,
        Self::Family,
        Self::Gpu,
        Self::Nic,
        Self::Switch,
        Self::Optic,
        Self::Cable,
        Self::Link,
        Self::Appliance,
        Self::Framework,
        Self::Calibration,
        Self::Prices,
        Self::Spec,
        Self::Case,
        Self::Paper,
    ];

    /// Name for lists.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Model => "model",
            Self::Node => "node",
            Self::Family => "family",
            Self::Gpu => "gpu",
            Self::Nic => "nic",
            Self::Switch => "switch",
            Self::Optic => "optic",
            Self::Cable => "cable",
            Self::Link => "link",
            Self::Appliance => "appliance",
            Self::Framework => "framework",
            Self::Calibration => "calibration",
            Self::Prices => "prices",
            Self::Spec => "spec",
            Self::Case => "case",
            Self::Paper => "paper",
        }
    }

    /// Table and file of the kind, for those that share a file.
    const fn table_name(self) -> Option<&'static str> {
        match self {
            Self::Model => Some("models"),
            Self::Node => Some("nodes"),
            Self::Family => Some("families"),
            Self::Gpu => Some("gpus"),
            Self::Nic => Some("nics"),
            Self::Switch => Some("switches"),
            Self::Optic => Some("optics"),
            Self::Cable => Some("cables"),
            Self::Link => Some("links"),
            Self::Appliance => Some("appliances"),
            Self::Framework => Some("frameworks"),
            Self::Calibration => Some("calibrations"),
            Self::Prices | Self::Spec | Self::Case | Self::Paper => None,
        }
    }

    const fn embedded_files(self) -> &'static [EmbeddedFile] {
        match self {
            Self::Prices => shipped_files::PRICES,
            Self::Spec => shipped_files::SPECS,
            Self::Case => shipped_files::CASES,
            Self::Paper => shipped_files::PAPERS,
            _ => shipped_files::TABLES,
        }
    }
}

/// One preset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PresetEntry {
    pub kind: PresetKind,
    pub name: String,
    /// Where the numbers come from; empty for ready specs.
    pub source: String,
    /// When they held; empty likewise.
    pub date: String,
    /// Its text as it ships.
    pub text: String,
}

/// All presets, by kind and name.
#[must_use]
pub fn list_presets() -> Vec<PresetEntry> {
    PresetKind::ALL.into_iter().flat_map(entries_of_kind).collect()
}

/// The presets of that name: a GPU and a node may share one.
#[must_use]
pub fn find_presets(name: &str) -> Vec<PresetEntry> {
    list_presets().into_iter().filter(|entry| entry.name == name).collect()
}

fn entries_of_kind(kind: PresetKind) -> Vec<PresetEntry> {
    let Some(table) = kind.table_name() else {
        let mut entries: Vec<PresetEntry> =
            kind.embedded_files().iter().map(|file| preset_from_file(kind, file)).collect();
        entries.sort_by(|a, b| a.name.cmp(&b.name));
        return entries;
    };
    let file = kind.embedded_files().iter().find(|file| path_stem(file.path) == table);
    let text = file.map_or("", |file| file.text);
    let entries =
        Library::get_shipped().entries_of_kind(table).entries.iter().map(|(name, entry)| {
            let inner = entry.item.value.as_table();
            PresetEntry {
                kind,
                name: name.clone(),
                source: text_or_empty(inner, "source"),
                date: text_or_empty(inner, "date"),
                text: table_excerpt(text, table, name),
            }
        });
    entries.collect()
}

/// A preset that is a file of its own.
fn preset_from_file(kind: PresetKind, file: &EmbeddedFile) -> PresetEntry {
    let name = path_stem(file.path);
    let book = Library::get_shipped().books.get(name).filter(|_| kind == PresetKind::Prices);
    PresetEntry {
        kind,
        name: name.to_owned(),
        source: text_or_empty(book, "source"),
        date: text_or_empty(book, "date"),
        text: file.text.to_owned(),
    }
}

fn text_or_empty(table: Option<&SpecTable>, key: &str) -> String {
    match table.and_then(|table| table.get(key)).map(|item| &item.value) {
        Some(SpecValue::Text(text)) => text.clone(),
        _ => String::new(),
    }
}

/// The lines of `[table.name]` and of the tables inside it, without what introduces the next.
fn table_excerpt(text: &str, table: &str, name: &str) -> String {
    let header = |line: &str| line.starts_with('[');
    let own = |line: &str| {
        let path = line.trim_start_matches('[').replace('"', "");
        let prefix = format!("{table}.{name}");
        path.strip_prefix(&prefix).is_some_and(|rest| rest.starts_with([']', '.']))
    };
    let mut lines: Vec<&str> = text
        .lines()
        .skip_while(|line| !(header(line) && own(line)))
        .take_while(|line| !header(line) || own(line))
        .collect();
    while lines.last().is_some_and(|line| line.trim().is_empty() || line.starts_with('#')) {
        lines.pop();
    }
    lines.join("\n")
}

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
    pub doubts: Vec<AuditDoubt>,
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

#[cfg(test)]
mod tests {
    use super::{find_presets, list_presets, table_excerpt};

    #[test]
    fn an_entry_comes_with_its_inner_tables_and_nothing_else() {
        let text = "# head\n[m.a]\nx = 1\n[m.a.moe]\ny = 2\n\n# about ab\n[m.ab]\nz = 3\n";
        assert_eq!(table_excerpt(text, "m", "a"), "[m.a]\nx = 1\n[m.a.moe]\ny = 2");
        assert_eq!(table_excerpt(text, "m", "ab"), "[m.ab]\nz = 3");
    }

    #[test]
    fn every_entry_can_be_shown() {
        for entry in list_presets() {
            assert!(!entry.text.is_empty(), "{entry:?}");
            assert!(find_presets(&entry.name).contains(&entry));
        }
    }
}

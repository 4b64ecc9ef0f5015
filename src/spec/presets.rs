//! What ships with the planner: models, parts, price books and ready specs, with the origin of
//! each; the audit of their sources.

pub use super::library::ready_spec;

use std::collections::BTreeMap;

use super::document::{EMPTY, SpecTable, SpecValue};
use super::resolve;
use crate::hardware::{Month, Node, Switch};
use crate::keys::choices;
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

choices! {
    /// What a preset describes.
    pub enum PresetKind {
        /// `[model] preset`.
        Model = "model",
        /// `[cluster] node`.
        Node = "node",
        /// `[cluster] node` of any size.
        Family = "family",
        /// `gpu` of a node.
        Gpu = "gpu",
        /// `[cluster] nic`.
        Nic = "nic",
        /// `[cluster] switches`.
        Switch = "switch",
        /// Chosen by the rate of a link.
        Optic = "optic",
        /// Chosen by the kind of a link and its length.
        Cable = "cable",
        /// What links are bought as, chosen by cages and rate.
        Link = "link",
        /// A switch or a server of `[networks]`.
        Appliance = "appliance",
        /// `[framework] preset`.
        Framework = "framework",
        /// `calibration` of a GPU.
        Calibration = "calibration",
        /// `[cluster] prices`.
        Prices = "prices",
        /// A ready spec, whose name works in place of a path.
        Spec = "spec",
        /// A ready spec that settles one argument (docs/guide.md).
        Case = "case",
        /// A ready spec that restates a published paper.
        Paper = "paper",
    }
}

impl PresetKind {
    /// Table and file of the kind, for those that share a file.
    fn table_name(self) -> Option<String> {
        match self {
            Self::Prices | Self::Spec | Self::Case | Self::Paper => None,
            Self::Family => Some("families".to_owned()),
            Self::Switch => Some("switches".to_owned()),
            _ => Some(format!("{}s", self.name())),
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
        Library::get_shipped().entries_of_kind(&table).entries.iter().map(|(name, entry)| {
            let inner = entry.item.value.as_table().unwrap_or(&EMPTY);
            PresetEntry {
                kind,
                name: name.clone(),
                source: inner.text_or_empty("source").to_owned(),
                date: inner.text_or_empty("date").to_owned(),
                text: table_excerpt(text, &table, name),
            }
        });
    entries.collect()
}

/// A preset that is a file of its own.
fn preset_from_file(kind: PresetKind, file: &EmbeddedFile) -> PresetEntry {
    let name = path_stem(file.path);
    let book = Library::get_shipped()
        .books
        .get(name)
        .filter(|_| kind == PresetKind::Prices)
        .unwrap_or(&EMPTY);
    PresetEntry {
        kind,
        name: name.to_owned(),
        source: book.text_or_empty("source").to_owned(),
        date: book.text_or_empty("date").to_owned(),
        text: file.text.to_owned(),
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

choices! {
    /// Why a figure is looked at again.
    pub enum AuditDoubt {
        /// Nobody states it.
        Assumed = "assumed",
        /// Its source was seen in the words of another.
        SecondHand = "second-hand",
        /// It is more than a year old.
        Old = "old",
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
    let entries = Library::get_shipped().entries_of_kind(&entry.kind.table_name()?);
    let note = entries.get_table(&entry.name).map_or("", |table| table.text_or_empty("note"));
    audit_entry(entry.kind.name(), &entry.name, &entry.date, &entry.source, note, false, as_of)
}

fn audit_price(
    book: &str,
    table: &SpecTable,
    price: &SpecTable,
    as_of: Month,
) -> Option<AuditFinding> {
    let own = |key| match price.text_or_empty(key) {
        "" => table.text_or_empty(key),
        own => own,
    };
    let item = price.text_or_empty("item");
    let name = match price.text_or_empty("rate") {
        "" => item.to_owned(),
        rate => format!("{item} {rate}"),
    };
    let assumed = price.text_or_empty("basis") == "assumed";
    audit_entry(&format!("prices {book}"), &name, own("date"), "", own("source"), assumed, as_of)
}

/// What is doubtful of an entry; `None` where nothing is.
fn audit_entry(
    kind: &str,
    name: &str,
    date: &str,
    source: &str,
    note: &str,
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
        note: if note.is_empty() { source } else { note }.to_owned(),
    })
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

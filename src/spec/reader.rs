//! Typed access to a checked table. A value that the checker has refused reads as absent, so
//! that resolution can go on and find what else is wrong.

use std::collections::BTreeMap;

use super::document::{SpannedValue, SpecTable, SpecValue, TextPlace};
use super::value;
use crate::keys::{Field, Key, Kind, Section, Values};
use crate::units::{Bandwidth, Money, Seconds};

/// A table with its keys and its path in the document.
#[derive(Clone)]
pub(crate) struct Reader<'a> {
    table: &'a SpecTable,
    section: &'static Section,
    path: String,
    place: Option<TextPlace>,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(
        table: &'a SpecTable,
        section: &'static Section,
        path: impl Into<String>,
        place: Option<TextPlace>,
    ) -> Self {
        Self { table, section, path: path.into(), place }
    }

    /// The table of that key; `None` where it is absent or no table.
    pub(crate) fn sub_table(&self, key: &str) -> Option<Self> {
        let entry = self.table.entries.get(key)?;
        let Kind::Table(section) = self.section.find_key(key)?.kind else { return None };
        let table = entry.item.value.as_table()?;
        Some(Self::new(table, section, self.path_of(key), Some(entry.item.place)))
    }

    /// The tables of a list of them, `[[key]]`, as they are written; none where it is absent.
    pub(crate) fn sub_tables(&self, key: &str) -> Vec<Self> {
        let section = match self.section.find_key(key).map(|key| key.kind) {
            Some(Kind::Tables(section)) => section,
            _ => return Vec::new(),
        };
        let items = match self.table.get(key) {
            Some(SpannedValue { value: SpecValue::List(items), .. }) => &items[..],
            _ => &[],
        };
        let reader = |item: &'a SpannedValue| {
            let table = item.value.as_table()?;
            Some(Self::new(table, section, self.path_of(key), Some(item.place)))
        };
        items.iter().filter_map(reader).collect()
    }

    pub(crate) const fn table(&self) -> &'a SpecTable {
        self.table
    }

    pub(crate) const fn section(&self) -> &'static Section {
        self.section
    }

    /// The dotted path of a key.
    pub(crate) fn path_of(&self, key: &str) -> String {
        if self.path.is_empty() { key.to_owned() } else { format!("{}.{key}", self.path) }
    }

    pub(crate) fn path(&self) -> &str {
        &self.path
    }

    /// Where the table stands.
    pub(crate) const fn place(&self) -> Option<TextPlace> {
        self.place
    }

    /// Where the value of a key stands.
    pub(crate) fn place_of(&self, key: &str) -> Option<TextPlace> {
        self.table.get(key).map(|item| item.place)
    }

    /// Something is written for that key, right or wrong.
    pub(crate) fn is_stated(&self, key: &str) -> bool {
        self.table.entries.contains_key(key)
    }

    pub(crate) fn is_auto(&self, key: &str) -> bool {
        self.table.get(key).is_some_and(value::is_auto)
    }

    /// The item of a key with its innermost kind.
    fn item_with_kind(&self, key: &str) -> Option<(&'a SpannedValue, &'static Kind)> {
        let declared = self.section.find_key(key);
        debug_assert!(declared.is_some(), "`{key}` is in the table of keys");
        let kind = match &declared?.kind {
            Kind::Auto(inner) => inner,
            kind => kind,
        };
        Some((self.table.get(key)?, kind))
    }

    pub(crate) fn read_count(&self, key: &str) -> Option<u64> {
        let (item, kind) = self.item_with_kind(key)?;
        count_of(item, kind)
    }

    /// A count whose range ends below 2³².
    pub(crate) fn small_count(&self, key: &str) -> Option<u32> {
        self.read_count(key).and_then(|count| u32::try_from(count).ok())
    }

    pub(crate) fn read_number(&self, key: &str) -> Option<f64> {
        let (item, kind) = self.item_with_kind(key)?;
        number_of(item, kind)
    }

    pub(crate) fn read_flag(&self, key: &str) -> Option<bool> {
        self.item_with_kind(key).and_then(|(item, _)| value::parse_flag(item).ok())
    }

    pub(crate) fn read_text(&self, key: &str) -> Option<&'a str> {
        let (item, kind) = self.item_with_kind(key)?;
        text_of(item, kind)
    }

    /// What is stated and sound, else the default of the key, read by the same rules; nothing's own
    /// default where the key declares none, which a test rules out.
    fn or_default<T: Default>(
        &self,
        key: &str,
        read: impl Fn(&SpannedValue, &Kind) -> Option<T>,
    ) -> T {
        let declared = self.section.find_key(key);
        debug_assert!(
            declared.is_some_and(|key| key.default_item().is_some()),
            "`{key}` declares a value as its default"
        );
        declared.and_then(|key| self.read_key(key, read)).unwrap_or_default()
    }

    /// What is stated and sound, else the default of the key, read by the same rules.
    fn read_key<T>(
        &self,
        key: &Key,
        read: impl Fn(&SpannedValue, &Kind) -> Option<T>,
    ) -> Option<T> {
        let kind = key.kind.innermost_kind();
        // "auto" leaves the choice open, whatever holds where nothing is written.
        if matches!(key.kind, Kind::Auto(_)) && self.is_auto(key.name) {
            return None;
        }
        let stated = self.table.get(key.name).and_then(|item| read(item, kind));
        stated.or_else(|| read(&key.default_item()?, kind))
    }

    /// A key as the type that declares it, or its default.
    pub(crate) fn read_field<T: Field>(&self, key: &str) -> Option<T> {
        T::read_value(self, self.section.find_key(key)?)
    }

    /// A count whose range ends below 2³².
    pub(crate) fn small_count_or_default(&self, key: &str) -> u32 {
        self.or_default(key, |item, kind| u32::try_from(count_of(item, kind)?).ok())
    }

    pub(crate) fn number_or_default(&self, key: &str) -> f64 {
        self.or_default(key, number_of)
    }

    pub(crate) fn flag_or_default(&self, key: &str) -> bool {
        self.or_default(key, |item, _| value::parse_flag(item).ok())
    }

    /// A choice or a name.
    pub(crate) fn text_or_default(&self, key: &str) -> String {
        self.or_default(key, |item, kind| text_of(item, kind).map(str::to_owned))
    }

    pub(crate) fn bandwidth_or_default(&self, key: &str) -> Bandwidth {
        Bandwidth::from_f64(self.number_or_default(key))
    }

    /// One name or several, each once and with its place; empty where absent or `auto`.
    pub(crate) fn read_names(&self, key: &str) -> Vec<(&'a str, TextPlace)> {
        let name = |item: &'a SpannedValue| {
            value::parse_line_text(item).ok().map(|name| (name, item.place))
        };
        match self.table.get(key) {
            None => Vec::new(),
            Some(item) if value::is_auto(item) => Vec::new(),
            Some(SpannedValue { value: SpecValue::List(items), .. }) => {
                let mut names: Vec<(&str, TextPlace)> = Vec::new();
                for (name, place) in items.iter().filter_map(name) {
                    if names.iter().all(|(known, _)| *known != name) {
                        names.push((name, place));
                    }
                }
                names
            }
            Some(item) => name(item).into_iter().collect(),
        }
    }

    /// One number or several; empty where absent.
    pub(crate) fn read_numbers(&self, key: &str) -> Vec<f64> {
        let number = |item: &SpannedValue| value::parse_number(item, f64::MIN, f64::MAX).ok();
        match self.table.get(key) {
            None => Vec::new(),
            Some(SpannedValue { value: SpecValue::List(items), .. }) => {
                items.iter().filter_map(number).collect()
            }
            Some(item) => number(item).into_iter().collect(),
        }
    }

    /// The item of a price, text or table.
    pub(crate) fn price_item(&self, key: &str) -> Option<&'a SpannedValue> {
        self.table.get(key)
    }

    /// What one costs.
    pub(crate) fn read_cost(&self, key: &str) -> Option<Money> {
        self.item_with_kind(key).and_then(|(item, _)| value::parse_cost(item).ok())
    }

    pub(crate) fn read_bandwidth(&self, key: &str) -> Option<Bandwidth> {
        self.read_number(key).map(Bandwidth::from_f64)
    }

    pub(crate) fn read_seconds(&self, key: &str) -> Option<Seconds> {
        self.read_number(key).map(Seconds::from_f64)
    }
}

impl Values for Reader<'_> {
    fn count_value(&self, key: &Key) -> Option<u64> {
        self.read_key(key, count_of)
    }

    fn number_value(&self, key: &Key) -> Option<f64> {
        self.read_key(key, number_of)
    }

    fn flag_value(&self, key: &Key) -> Option<bool> {
        self.read_key(key, |item, _| value::parse_flag(item).ok())
    }

    fn text_value(&self, key: &Key) -> Option<String> {
        self.read_key(key, |item, kind| text_of(item, kind).map(str::to_owned))
    }

    fn text_values(&self, key: &Key) -> Vec<String> {
        let Some((item, kind)) = self.item_with_kind(key.name) else { return Vec::new() };
        let items = match &item.value {
            SpecValue::List(items) => items.as_slice(),
            _ => std::slice::from_ref(item),
        };
        let text = |item| text_of(item, kind.innermost_kind()).map(str::to_owned);
        items.iter().filter_map(text).collect()
    }

    fn piece_counts(&self, key: &Key) -> BTreeMap<String, u64> {
        let table = self.table.get(key.name).and_then(|item| item.value.as_table());
        let count = |item: &SpannedValue| value::parse_count(item, 0, u64::MAX).ok();
        let entries = table.into_iter().flat_map(|table| &table.entries);
        entries.filter_map(|(name, entry)| Some((name.clone(), count(&entry.item)?))).collect()
    }
}

fn count_of(item: &SpannedValue, kind: &Kind) -> Option<u64> {
    match kind {
        Kind::Count { min, max } => value::parse_count(item, *min, *max).ok(),
        _ => None,
    }
}

fn number_of(item: &SpannedValue, kind: &Kind) -> Option<f64> {
    match kind {
        Kind::Number { min, max } => value::parse_number(item, *min, *max).ok(),
        Kind::Amount { max } => value::parse_amount(item, *max).ok(),
        Kind::Quantity(unit) => value::parse_quantity(item, *unit).ok(),
        _ => None,
    }
}

fn text_of<'i>(item: &'i SpannedValue, kind: &Kind) -> Option<&'i str> {
    match kind {
        Kind::Choice(allowed) => value::parse_choice(item, allowed).ok(),
        Kind::Date => value::parse_date(item).ok(),
        _ => value::parse_line_text(item).ok(),
    }
}

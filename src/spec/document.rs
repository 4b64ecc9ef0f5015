//! Tree of keys with places; `SpecText`; `Book`.

use std::collections::BTreeMap;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::hardware::{PriceBook, PricedItem};
use crate::scenario::Assumption;

/// Which text a place lies in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SourceId {
    /// The spec itself.
    Spec,
    /// An override from the command line, by its position.
    Override(usize),
    /// A file of the presets, by its position in their list.
    Preset(usize),
    /// The user's own price book.
    Book,
}

/// A range of bytes in one of the texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TextPlace {
    pub source: SourceId,
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

impl TextPlace {
    /// A range of the spec.
    #[must_use]
    pub const fn from_spec_range(start: usize, end: usize) -> Self {
        Self { source: SourceId::Spec, start, end }
    }
}

/// A value and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct SpannedValue {
    pub(crate) place: TextPlace,
    pub(crate) value: SpecValue,
}

/// A TOML value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum SpecValue {
    Text(String),
    Integer(i128),
    Float(f64),
    Flag(bool),
    /// A date or a time. Nothing in a spec is one, so it is only ever refused.
    Date,
    List(Vec<SpannedValue>),
    Table(SpecTable),
}

impl SpecValue {
    /// What it is, for messages.
    pub(crate) const fn description(&self) -> &'static str {
        match self {
            Self::Text(_) => "text",
            Self::Integer(_) => "a whole number",
            Self::Float(_) => "a number with a fraction",
            Self::Flag(_) => "true or false",
            Self::Date => "a date",
            Self::List(_) => "a list",
            Self::Table(_) => "a table",
        }
    }

    pub(crate) const fn as_table(&self) -> Option<&SpecTable> {
        match self {
            Self::Table(table) => Some(table),
            _ => None,
        }
    }
}

/// A key's place beside its value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct SpannedEntry {
    pub(crate) key: TextPlace,
    pub(crate) item: SpannedValue,
}

/// Keys and values, in the order of the keys.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct SpecTable {
    pub(crate) entries: BTreeMap<String, SpannedEntry>,
}

/// A table without entries.
pub(crate) static EMPTY: SpecTable = SpecTable { entries: BTreeMap::new() };

/// What the parser says is no TOML.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SyntaxError {
    pub(crate) message: String,
    pub(crate) place: Option<TextPlace>,
}

impl SpecTable {
    /// Reads a TOML document.
    ///
    /// # Errors
    /// Everything that is no TOML. The parser bounds the depth of nesting.
    pub(crate) fn parse(source: SourceId, text: &str) -> Result<Self, Vec<SyntaxError>> {
        let (document, errors) = DeTable::parse_recoverable(text);
        if errors.is_empty() {
            return Ok(TomlReader { source, offset: 0 }.read_table(document.get_ref()));
        }
        Err(errors
            .into_iter()
            .map(|error| SyntaxError {
                message: error.message().to_owned(),
                place: error.span().map(|span| TextPlace {
                    source,
                    start: span.start,
                    end: span.end,
                }),
            })
            .collect())
    }

    pub(crate) fn get(&self, key: &str) -> Option<&SpannedValue> {
        self.entries.get(key).map(|entry| &entry.item)
    }

    pub(crate) fn get_table(&self, key: &str) -> Option<&Self> {
        self.get(key).and_then(|item| item.value.as_table())
    }

    /// The text of a key; empty where it has none.
    pub(crate) fn text_or_empty(&self, key: &str) -> &str {
        match self.get(key).map(|item| &item.value) {
            Some(SpecValue::Text(text)) => text,
            _ => "",
        }
    }

    /// This table with the entries of `over` laid over it: tables are merged, all else replaced.
    pub(crate) fn overlay_with(&self, over: &Self) -> Self {
        let mut merged = self.clone();
        for (name, entry) in &over.entries {
            let mut entry = entry.clone();
            let below = self.get_table(name);
            if let (Some(below), Some(above)) = (below, entry.item.value.as_table()) {
                entry.item.value = SpecValue::Table(below.overlay_with(above));
            }
            merged.entries.insert(name.clone(), entry);
        }
        merged
    }

    /// Puts `item` at `path`, making the tables on the way.
    ///
    /// # Errors
    /// The number of leading path elements that lead to something other than a table.
    pub(crate) fn set_path(
        &mut self,
        path: &[(String, TextPlace)],
        item: SpannedValue,
    ) -> Result<(), usize> {
        let Some(((name, key), rest)) = path.split_first() else {
            return Ok(());
        };
        if rest.is_empty() {
            self.entries.insert(name.clone(), SpannedEntry { key: *key, item });
            return Ok(());
        }
        let entry = self.entries.entry(name.clone()).or_insert_with(|| SpannedEntry {
            key: *key,
            item: SpannedValue { place: *key, value: SpecValue::Table(Self::default()) },
        });
        match &mut entry.item.value {
            SpecValue::Table(table) => table.set_path(rest, item).map_err(|depth| depth + 1),
            _ => Err(1),
        }
    }
}

impl SpannedValue {
    /// Reads a single TOML value that stands `offset` bytes into its source; `None` where the
    /// text is no value.
    pub(crate) fn parse(source: SourceId, offset: usize, text: &str) -> Option<Self> {
        let value = DeValue::parse(text).ok()?;
        Some(TomlReader { source, offset }.read_item(&value))
    }
}

/// Turns the parser's tree into ours.
struct TomlReader {
    source: SourceId,
    offset: usize,
}

impl TomlReader {
    fn text_place(&self, span: std::ops::Range<usize>) -> TextPlace {
        let (start, end) = (self.offset + span.start, self.offset + span.end);
        TextPlace { source: self.source, start, end }
    }

    fn read_table(&self, table: &DeTable<'_>) -> SpecTable {
        let entries = table.iter().map(|(key, value)| {
            let entry =
                SpannedEntry { key: self.text_place(key.span()), item: self.read_item(value) };
            (key.get_ref().to_string(), entry)
        });
        SpecTable { entries: entries.collect() }
    }

    fn read_item(&self, item: &Spanned<DeValue<'_>>) -> SpannedValue {
        let value = match item.get_ref() {
            DeValue::String(text) => SpecValue::Text(text.to_string()),
            DeValue::Integer(number) => parse_integer(number.as_str(), number.radix()),
            // The parser has checked the spelling; what overflows becomes infinite and is refused.
            DeValue::Float(number) => SpecValue::Float(number.as_str().parse().unwrap_or(f64::NAN)),
            DeValue::Boolean(flag) => SpecValue::Flag(*flag),
            DeValue::Datetime(_) => SpecValue::Date,
            DeValue::Array(items) => {
                SpecValue::List(items.iter().map(|i| self.read_item(i)).collect())
            }
            DeValue::Table(table) => SpecValue::Table(self.read_table(table)),
        };
        SpannedValue { place: self.text_place(item.span()), value }
    }
}

/// An integer; beyond 128 bits a float, which every range then refuses.
fn parse_integer(digits: &str, radix: u32) -> SpecValue {
    match i128::from_str_radix(digits, radix) {
        Ok(number) => SpecValue::Integer(number),
        Err(_) if digits.starts_with('-') => SpecValue::Float(f64::MIN),
        Err(_) => SpecValue::Float(f64::MAX),
    }
}

/// A text and the name that messages call it by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpecText {
    /// Name for messages: a path, or `<stdin>`.
    pub name: String,
    pub text: String,
    /// What is assumed in a text that was made of another file, by key; none in what a user wrote.
    pub assumed: Box<[Assumption]>,
}

impl SpecText {
    /// A text that is already known to be UTF-8.
    #[must_use]
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        Self { name: name.into(), text: text.into(), assumed: Box::default() }
    }

    /// True where that section is stated, be it empty; false for a text that is no TOML.
    #[must_use]
    pub fn has_section(&self, name: &str) -> bool {
        DeTable::parse(&self.text).is_ok_and(|table| table.get_ref().contains_key(name))
    }
}

/// A book with its text.
#[derive(Clone, Debug, PartialEq)]
pub struct Book {
    pub prices: PriceBook,
    pub(crate) source: SpecText,
    /// What each entry prices, with the key that says so, and where that stands.
    pub(crate) entries: Vec<BookEntry>,
    /// Every date of a price or a rate in it.
    pub(crate) dates: Vec<Dated>,
}

/// What a text of a book says.
#[derive(Debug, Default)]
pub(crate) struct Contents {
    pub(crate) prices: PriceBook,
    /// As in [`Book`].
    pub(crate) entries: Vec<BookEntry>,
    /// As in [`Book`].
    pub(crate) dates: Vec<Dated>,
}

/// A date of a price or a rate, and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Dated {
    pub(crate) key: String,
    /// What it is the date of, in words.
    pub(crate) subject: String,
    pub(crate) date: String,
    /// Where it stands.
    pub(crate) place: Option<TextPlace>,
}

/// An entry of a book.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct BookEntry {
    pub(crate) item: PricedItem,
    /// Where its name stands.
    pub(crate) name: Option<TextPlace>,
    /// Where its line rate stands, if it has one.
    pub(crate) rate: Option<TextPlace>,
}

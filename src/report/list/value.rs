//! Values of a list or a document: as JSON with keys in their order, and as a cell of a table.

use std::borrow::Cow;

use serde::ser::{Serialize, SerializeMap, Serializer};

use crate::report::number;
use crate::report::table::Cell;
use crate::report::words::exact_number;
use crate::units::{Amount, Bandwidth, Bytes, Seconds, Usd, Watts};

/// A value of JSON. Counts and bytes are exact; other numbers keep twelve digits.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::report) enum JsonValue {
    /// There is none.
    Null,
    Amount(Amount),
    /// A value that tables show by a text of its own.
    Shown(String, Amount),
    List(Vec<JsonValue>),
    Object(JsonObject),
}

/// An object of JSON, its keys in the order they were added in.
#[derive(Clone, Debug, Default, PartialEq)]
pub(in crate::report) struct JsonObject(Vec<(Cow<'static, str>, JsonValue)>);

impl JsonObject {
    /// An object without a key.
    pub(in crate::report) const fn new() -> Self {
        Self(Vec::new())
    }

    /// One that says by which contract it is read: `planner/design/1`.
    pub(in crate::report) fn with_schema(schema: &'static str) -> Self {
        Self::new().with("schema", schema)
    }

    /// With that key; `null` where there is no value.
    pub(in crate::report) fn with(
        mut self,
        key: impl Into<Cow<'static, str>>,
        value: impl Into<JsonValue>,
    ) -> Self {
        self.0.push((key.into(), value.into()));
        self
    }

    /// With that key and a list.
    pub(in crate::report) fn with_list<T: Into<JsonValue>>(
        self,
        key: &'static str,
        items: impl IntoIterator<Item = T>,
    ) -> Self {
        self.with(key, JsonValue::List(items.into_iter().map(Into::into).collect()))
    }

    /// With that key where there is a value, and a list where it has entries.
    pub(in crate::report) fn with_known(
        self,
        key: &'static str,
        value: impl Into<JsonValue>,
    ) -> Self {
        match value.into() {
            JsonValue::Null => self,
            JsonValue::List(list) if list.is_empty() => self,
            value => self.with(key, value),
        }
    }

    /// Whether it has no value at all.
    pub(in crate::report) fn is_all_null(&self) -> bool {
        self.0.iter().all(|(_, value)| *value == JsonValue::Null)
    }

    /// What stands before that key, and the rest.
    pub(in crate::report) fn split_before_key(mut self, key: &str) -> (Self, Self) {
        let place = self.0.iter().position(|(text, _)| text == key).unwrap_or(self.0.len());
        let rest = self.0.split_off(place);
        (self, Self(rest))
    }

    /// With all keys of another.
    pub(in crate::report) fn with_all(mut self, other: Self) -> Self {
        self.0.extend(other.0);
        self
    }
}

impl<K: Into<Cow<'static, str>>, V: Into<JsonValue>> FromIterator<(K, V)> for JsonObject {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Self {
        Self(entries.into_iter().map(|(key, value)| (key.into(), value.into())).collect())
    }
}

impl JsonValue {
    /// The list; `Null` where it is empty.
    pub(in crate::report) fn from_entries<T: Into<Self>>(
        entries: impl IntoIterator<Item = T>,
    ) -> Self {
        let list: Vec<Self> = entries.into_iter().map(Into::into).collect();
        if list.is_empty() { Self::Null } else { Self::List(list) }
    }

    /// The cell of a table; lists and objects have none.
    pub(super) fn into_cell(self) -> Cell {
        match self {
            Self::Amount(Amount::Word(word)) => Cell::words(word),
            Self::Amount(amount) => Cell::amount(&amount),
            Self::Shown(text, Amount::Word(word)) => Cell { text, raw: word.into_owned() },
            Self::Shown(text, amount) => Cell { text, ..Cell::amount(&amount) },
            Self::Null | Self::List(_) | Self::Object(_) => Cell::no_value(),
        }
    }
}

/// A value that tables show by that text.
pub(in crate::report) fn shown_as(
    text: impl Into<String>,
    value: impl Into<JsonValue>,
) -> JsonValue {
    match value.into() {
        JsonValue::Amount(amount) | JsonValue::Shown(_, amount) => {
            JsonValue::Shown(text.into(), amount)
        }
        other => other,
    }
}

/// A share of 1, shown as percent.
pub(in crate::report) const fn percent_value(share: f64) -> JsonValue {
    JsonValue::Amount(Amount::Share(share))
}

/// By how much something changed as a share of 1, shown as percent with its sign.
pub(in crate::report) fn percent_change_value(share: f64) -> JsonValue {
    shown_as(number::percent_change(share), share)
}

/// By how much money changed, shown with its sign.
pub(in crate::report) fn money_change_value(usd: Usd) -> JsonValue {
    shown_as(number::money_change(usd), usd)
}

/// Whether something is so, shown as yes or no.
pub(in crate::report) fn yes_or_no(value: bool) -> JsonValue {
    shown_as(if value { "yes" } else { "no" }, value)
}

impl Serialize for JsonObject {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (key, value) in &self.0 {
            map.serialize_entry(key, value)?;
        }
        map.end()
    }
}

impl Serialize for JsonValue {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_none(),
            Self::Amount(amount) | Self::Shown(_, amount) => match amount {
                Amount::Memory(bytes) | Amount::Volume(bytes) => {
                    bytes.count().serialize(serializer)
                }
                Amount::Count(count) => count.serialize(serializer),
                Amount::Flag(on) => on.serialize(serializer),
                Amount::Word(name) => name.serialize(serializer),
                other => exact_number(other.scalar()).serialize(serializer),
            },
            Self::List(list) => list.serialize(serializer),
            Self::Object(object) => object.serialize(serializer),
        }
    }
}

impl From<Amount> for JsonValue {
    fn from(amount: Amount) -> Self {
        Self::Amount(amount)
    }
}

impl From<JsonObject> for JsonValue {
    fn from(object: JsonObject) -> Self {
        Self::Object(object)
    }
}

/// For tables alone: JSON would have the text of a spreadsheet.
impl From<Cell> for JsonValue {
    fn from(cell: Cell) -> Self {
        Self::Shown(cell.text, Amount::from_word(cell.raw))
    }
}

impl<T: Into<Self>> From<Option<T>> for JsonValue {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}

impl<T: Into<Self>> From<Vec<T>> for JsonValue {
    fn from(list: Vec<T>) -> Self {
        Self::List(list.into_iter().map(Into::into).collect())
    }
}

impl<T: Into<Self>, const N: usize> From<[T; N]> for JsonValue {
    fn from(list: [T; N]) -> Self {
        Self::List(list.into_iter().map(Into::into).collect())
    }
}

/// Makes an amount of each of those types.
macro_rules! amounts {
    ($($from:ty => $amount:expr),+ $(,)?) => {
        $(impl From<$from> for JsonValue {
            fn from(value: $from) -> Self {
                Self::Amount($amount(value))
            }
        })+
    };
}

amounts! {
    u32 => Amount::from_count,
    u64 => Amount::from_count,
    u128 => Amount::from_count,
    usize => |count: usize| Amount::Count(count as u128),
    f64 => Amount::Number,
    bool => Amount::Flag,
    Bytes => Amount::Volume,
    Bandwidth => Amount::Bandwidth,
    Seconds => Amount::Time,
    Usd => Amount::Money,
    Watts => Amount::Power,
    &'static str => Amount::from_word,
    String => Amount::from_word,
    &String => |text: &String| Amount::from_word(text.clone()),
}

//! Figures of a section as programs read them: what the table of figures has of it, in its order.

use serde::ser::{Serialize, SerializeMap, Serializer};

use super::super::number::exact_number;
use crate::quantity::{FigureSource, section_quantities};
use crate::units::Amount;

/// Figures by the last word of their key.
pub(super) struct Figures(Vec<(&'static str, FigureEntry)>);

enum FigureEntry {
    One(Option<Amount>),
    /// Figures whose keys have a word in common: `null` where none is there.
    Group(Vec<(&'static str, Option<Amount>)>),
}

/// A number in the unit of its key: counts and bytes are exact, everything else keeps twelve
/// digits.
pub(super) struct Plain<'a>(pub(super) &'a Amount);

impl Figures {
    /// The figures of a section of an answer. What every design has, and this answer has not, is
    /// left out; what some designs have is `null`.
    pub(super) fn section_figures(name: &str, answer: &FigureSource<'_>) -> Self {
        let mut entries: Vec<(&'static str, FigureEntry)> = Vec::new();
        for row in section_quantities(name) {
            let value = row.read_from(answer);
            if value.is_none() && row.always {
                continue;
            }
            let word = row.key.split_once('.').map_or(row.key, |(_, word)| word);
            match (word.split_once('.'), entries.last_mut()) {
                (Some((group, word)), Some((last, FigureEntry::Group(inner))))
                    if *last == group =>
                {
                    inner.push((word, value));
                }
                (Some((group, word)), _) => {
                    entries.push((group, FigureEntry::Group(vec![(word, value)])))
                }
                (None, _) => entries.push((word, FigureEntry::One(value))),
            }
        }
        Self(entries)
    }

    /// Those before that word, and from it on.
    pub(super) fn split_before_key(mut self, word: &str) -> (Self, Self) {
        let place = self.0.iter().position(|(text, _)| *text == word).unwrap_or(self.0.len());
        let rest = self.0.split_off(place);
        (self, Self(rest))
    }
}

impl Serialize for Figures {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (word, entry) in &self.0 {
            map.serialize_entry(word, entry)?;
        }
        map.end()
    }
}

impl Serialize for FigureEntry {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::One(value) => value.as_ref().map(Plain).serialize(serializer),
            Self::Group(group) if group.iter().all(|(_, value)| value.is_none()) => {
                serializer.serialize_none()
            }
            Self::Group(group) => {
                let mut map = serializer.serialize_map(Some(group.len()))?;
                for (word, value) in group {
                    map.serialize_entry(word, &value.as_ref().map(Plain))?;
                }
                map.end()
            }
        }
    }
}

impl Serialize for Plain<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Amount::Memory(bytes) | Amount::Volume(bytes) => bytes.count().serialize(serializer),
            Amount::Count(count) => count.serialize(serializer),
            Amount::Flag(on) => on.serialize(serializer),
            Amount::Word(name) => name.serialize(serializer),
            other => exact_number(other.scalar()).serialize(serializer),
        }
    }
}

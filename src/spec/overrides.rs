//! `--set KEY=VALUE`: changes to the document before it is resolved. A value is TOML, or bare
//! text where it is no TOML, so that shells need no second layer of quotes.

use super::document::{SourceId, SpannedValue, SpecTable, SpecValue, TextPlace};
use super::problem::{Problem, ProblemKind};

/// One override, as typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Override {
    /// The text `KEY=VALUE`.
    pub text: String,
}

impl Override {
    /// The override that `text` spells. It is read, and refused if need be, with the spec.
    #[must_use]
    pub fn new(text: impl Into<String>) -> Self {
        Self { text: text.into() }
    }

    /// The override of one key by a value in text.
    #[must_use]
    pub fn from_key_value(key: &str, value: &str) -> Self {
        Self { text: format!("{key}={value}") }
    }

    /// True where it states that key.
    #[must_use]
    pub fn is_of(&self, key: &str) -> bool {
        equals_sign(&self.text).is_some_and(|equals| self.text[..equals].trim() == key)
    }

    /// Applies the override to `document`; `index` is its position on the command line.
    pub(crate) fn apply(&self, index: usize, document: &mut SpecTable) -> Result<(), Box<Problem>> {
        let source = SourceId::Override(index);
        let whole = TextPlace { source, start: 0, end: self.text.len() };
        let refuse =
            |place, kind| Box::new(Problem { key: String::new(), kind, place: Some(place) });
        if self.text.contains(['\n', '\r', '\0']) {
            return Err(refuse(whole, ProblemKind::NotAnOverride));
        }
        let equals =
            equals_sign(&self.text).ok_or_else(|| refuse(whole, ProblemKind::NotAnOverride))?;
        let key_place = TextPlace { source, start: 0, end: equals };
        let path = key_path(source, &self.text[..equals])
            .ok_or_else(|| refuse(key_place, ProblemKind::NotAnOverride))?;
        let item = self.parse_value_at(source, equals + 1).ok_or_else(|| {
            let place = TextPlace { source, start: equals + 1, end: self.text.len() };
            refuse(place, ProblemKind::NotAValue)
        })?;
        document.set_path(&path, item).map_err(|depth| {
            let names: Vec<&str> = path.iter().map(|(name, _)| name.as_str()).collect();
            let depth = depth.min(names.len());
            let key = names[..depth].join(".");
            Box::new(Problem { kind: ProblemKind::NotATable, place: Some(key_place), key })
        })
    }

    /// The value that starts at byte `start`; `None` where it starts like TOML but is none.
    fn parse_value_at(&self, source: SourceId, start: usize) -> Option<SpannedValue> {
        let text = &self.text[start..];
        let start = start + (text.len() - text.trim_start().len());
        let text = text.trim();
        let bare = || SpannedValue {
            place: TextPlace { source, start, end: start + text.len() },
            value: SpecValue::Text(text.to_owned()),
        };
        match SpannedValue::parse(source, start, text) {
            Some(SpannedValue { value: SpecValue::Date, .. }) => Some(bare()),
            Some(item) => Some(item),
            None if text.starts_with(['"', '\'', '[', '{']) => None,
            None => Some(bare()),
        }
    }
}

/// Position of the `=` that ends the key: the first outside quotes.
fn equals_sign(text: &str) -> Option<usize> {
    let mut quote = None;
    for (at, c) in text.char_indices() {
        match (quote, c) {
            (None, '"' | '\'') => quote = Some(c),
            (Some(open), _) if open == c => quote = None,
            (None, '=') => return Some(at),
            _ => {}
        }
    }
    None
}

/// The elements of a dotted key with their places; `None` where it is no TOML key.
fn key_path(source: SourceId, text: &str) -> Option<Vec<(String, TextPlace)>> {
    let mut table = SpecTable::parse(source, &format!("{text}=0")).ok()?;
    let mut path = Vec::new();
    loop {
        if table.entries.len() != 1 {
            return None;
        }
        let (name, entry) = table.entries.pop_first()?;
        path.push((name, entry.key));
        match entry.item.value {
            SpecValue::Table(inner) => table = inner,
            _ => return Some(path),
        }
    }
}

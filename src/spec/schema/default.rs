//! What holds where a key is left out: a value, which readers take and pages print, or words where
//! it follows from other keys. So a default that is documented is the default that is taken.

use crate::keys::{Key, KeyDefault, Kind};
use crate::spec::document::{SpannedValue, SpecValue, TextPlace};
use crate::spec::value;

impl Key {
    /// The value that holds where it is left out; `None` where that is no value.
    pub(crate) fn default_item(&self) -> Option<SpannedValue> {
        let KeyDefault::Value(text) = self.default else { return None };
        let value = match self.kind.innermost_kind() {
            _ if text == "auto" => SpecValue::Text(text.to_owned()),
            Kind::Count { .. } => SpecValue::Integer(text.parse().ok()?),
            Kind::Number { .. } => SpecValue::Float(text.parse().ok()?),
            Kind::Flag => SpecValue::Flag(text.parse().ok()?),
            _ => SpecValue::Text(text.to_owned()),
        };
        Some(SpannedValue { place: TextPlace::from_spec_range(0, 0), value })
    }

    /// Why what is declared as its default is none: a value that its kind refuses, or words that
    /// could stand in a spec.
    #[must_use]
    pub fn default_problem(&self) -> Option<String> {
        let problem = |item: &SpannedValue| value::value_problem(item, &self.kind);
        match self.default {
            KeyDefault::Nothing => None,
            KeyDefault::Value(text) => match self.default_item() {
                None => Some(format!("`{text}` can't be read as its kind")),
                Some(item) => problem(&item).map(|kind| format!("`{text}` is refused: {kind:?}")),
            },
            KeyDefault::Words(text) => {
                let as_value = Self { default: KeyDefault::Value(text), ..*self };
                let item = as_value.default_item()?;
                let any_text =
                    matches!(self.kind.innermost_kind(), Kind::Text | Kind::Name | Kind::Table(_));
                let would_do = !any_text && problem(&item).is_none();
                would_do.then(|| format!("`{text}` is a value, and is not declared as one"))
            }
        }
    }
}

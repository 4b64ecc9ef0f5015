//! A short stand-in for the content of a result, so that a kept one that was edited is found out.
//! It guards against slips, not against forgers: whoever can write a result can write its digest.
//! The writer and the reader of results both take it from here.

use std::fmt;

use serde_json::{Map, Value};

/// FNV-1a, 64 bits (Fowler, Noll, Vo; IETF draft-eastlake-fnv), over the values of a result in a
/// form that does not depend on white space, on the order of keys, or on how a number is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Digest(u64);

/// Name of the hash, before its digits.
const NAME: &str = "fnv1a-64";

impl Default for Digest {
    fn default() -> Self {
        const OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
        Self(OFFSET)
    }
}

impl Digest {
    /// The digest of a result, one of its own keys left out: the one that carries it.
    #[must_use]
    pub fn digest_json(result: &Map<String, Value>, but: Option<&str>) -> Self {
        let mut digest = Self::default();
        digest.add_entries(result, but);
        digest
    }

    /// The digest of a file as it is.
    #[must_use]
    pub fn digest_bytes(bytes: &[u8]) -> Self {
        let mut digest = Self::default();
        digest.add_bytes(bytes);
        digest
    }

    /// A table: its keys in the order of their bytes, each before its value.
    fn add_entries(&mut self, table: &Map<String, Value>, but: Option<&str>) {
        let mut keys: Vec<&String> = table.keys().filter(|key| Some(key.as_str()) != but).collect();
        keys.sort_unstable();
        self.start_table(keys.len());
        for key in keys {
            self.add_text(key);
            self.add_value(&table[key]);
        }
    }

    fn add_value(&mut self, value: &Value) {
        match value {
            Value::Null => self.add_null(),
            Value::Bool(flag) => self.add_flag(*flag),
            Value::Number(number) => self.add_number(number.as_f64().unwrap_or_default()),
            Value::String(text) => self.add_text(text),
            Value::Array(values) => {
                self.start_list(values.len());
                values.iter().for_each(|value| self.add_value(value));
            }
            Value::Object(entries) => self.add_entries(entries, None),
        }
    }

    /// A value that is absent.
    fn add_null(&mut self) {
        self.add_bytes(b"0;");
    }

    /// A truth value.
    fn add_flag(&mut self, flag: bool) {
        self.add_bytes(if flag { b"t;" } else { b"f;" });
    }

    /// A number, to the twelve digits that results keep.
    fn add_number(&mut self, number: f64) {
        // Minus zero is zero.
        self.add_bytes(format!("n{:.11e};", number + 0.0).as_bytes());
    }

    /// A text, or a key.
    fn add_text(&mut self, text: &str) {
        self.add_bytes(format!("s{}:", text.len()).as_bytes());
        self.add_bytes(text.as_bytes());
    }

    /// The start of a list of so many values.
    fn start_list(&mut self, values: usize) {
        self.add_bytes(format!("l{values}:").as_bytes());
    }

    /// The start of a table of so many keys, each told as a text before its value.
    fn start_table(&mut self, keys: usize) {
        self.add_bytes(format!("m{keys}:").as_bytes());
    }

    fn add_bytes(&mut self, bytes: &[u8]) {
        const PRIME: u64 = 0x0100_0000_01b3;
        self.0 =
            bytes.iter().fold(self.0, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(PRIME));
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{NAME}:{:016x}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::Digest;

    fn digest_text(tell: impl Fn(&mut Digest)) -> String {
        let mut digest = Digest::default();
        tell(&mut digest);
        digest.to_string()
    }

    #[test]
    fn the_hash_is_the_published_one() {
        // Published test vectors of FNV-1a: nothing, and `a`.
        assert_eq!(digest_text(|_| ()), "fnv1a-64:cbf29ce484222325");
        assert_eq!(digest_text(|digest| digest.add_bytes(b"a")), "fnv1a-64:af63dc4c8601ec8c");
    }

    #[test]
    fn what_differs_in_meaning_differs_in_digest() {
        let all = [
            digest_text(|digest| digest.add_null()),
            digest_text(|digest| digest.add_flag(true)),
            digest_text(|digest| digest.add_flag(false)),
            digest_text(|digest| digest.add_number(1.0)),
            digest_text(|digest| digest.add_number(1.000_000_000_01)),
            digest_text(|digest| digest.add_number(-1.0)),
            digest_text(|digest| digest.add_text("1")),
            digest_text(|digest| digest.start_list(1)),
            digest_text(|digest| digest.start_table(1)),
        ];
        for (place, one) in all.iter().enumerate() {
            assert!(!all[..place].contains(one), "{place}");
        }
        assert_eq!(
            digest_text(|digest| digest.add_number(-0.0)),
            digest_text(|digest| digest.add_number(0.0))
        );
        assert_eq!(
            digest_text(|digest| digest.add_number(0.1 + 0.2)),
            digest_text(|digest| digest.add_number(0.3))
        );
        let two = |a: &str, b: &str| {
            digest_text(|digest| [a, b].iter().for_each(|text| digest.add_text(text)))
        };
        assert_ne!(two("ab", "c"), two("a", "bc"));
    }
}

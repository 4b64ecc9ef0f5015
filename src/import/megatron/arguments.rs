//! Words of a shell script, YAML file or log as arguments.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use crate::import::draft::ImportProblem;

/// Arguments by name, as Python has them: `num_layers`. A switch has no value.
#[derive(Default)]
pub(super) struct Arguments {
    named: BTreeMap<String, String>,
    read: RefCell<BTreeSet<String>>,
}

impl Arguments {
    /// The arguments of a text.
    pub(super) fn parse_arguments(text: &str) -> Self {
        let mut named = parse_printed(text);
        if named.is_empty() {
            named = parse_flags(text);
        }
        named.retain(|_, value| value != "False" && value != "None");
        Self { named, read: RefCell::default() }
    }

    /// Arguments by name.
    pub(super) fn new(named: BTreeMap<String, String>) -> Self {
        Self { named, read: RefCell::default() }
    }

    pub(super) fn get_text(&self, name: &str) -> Option<&str> {
        self.read.borrow_mut().insert(name.to_owned());
        self.named.get(name).map(String::as_str).filter(|value| !value.is_empty())
    }

    pub(super) fn get_count(&self, name: &str) -> Result<Option<u64>, ImportProblem> {
        let Some(word) = self.get_text(name) else { return Ok(None) };
        let wrong = || ImportProblem::Value {
            key: format!("--{}", name.replace('_', "-")),
            value: format!("`{word}`"),
            wanted: "a whole number; variables of a shell are not followed",
        };
        word.parse().map(Some).map_err(|_| wrong())
    }

    pub(super) fn has_flag(&self, name: &str) -> bool {
        self.read.borrow_mut().insert(name.to_owned());
        self.named.get(name).is_some_and(|value| value != "false")
    }

    /// Names that nobody asked for.
    pub(super) fn unread_names(&self) -> Vec<String> {
        let read = self.read.borrow();
        let named = self.named.keys().filter(|name| !read.contains(*name));
        named.map(|name| format!("--{}", name.replace('_', "-"))).collect()
    }
}

/// Lines of a log such as `  num_layers ........ 96`, behind a rank or not.
fn parse_printed(text: &str) -> BTreeMap<String, String> {
    let line = |line: &str| {
        let line = line.rsplit_once("]: ").map_or(line, |(_, rest)| rest);
        let (name, value) = line.trim().split_once(" ..")?;
        let plain = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        (plain && !name.is_empty())
            .then(|| (name.to_owned(), value.trim_start_matches('.').trim().to_owned()))
    };
    text.lines().filter_map(line).collect()
}

/// Flags with the words behind them.
fn parse_flags(text: &str) -> BTreeMap<String, String> {
    let mut named = BTreeMap::new();
    let mut last: Option<String> = None;
    for word in split_words(text) {
        // A YAML of flags has a colon behind each.
        let word = word.trim_end_matches(':');
        match word
            .strip_prefix("--")
            .filter(|rest| rest.starts_with(|c: char| c.is_ascii_alphabetic()))
        {
            Some(flag) => {
                let (flag, value) = flag.split_once('=').unwrap_or((flag, ""));
                let name = flag.replace('-', "_");
                named.insert(name.clone(), value.to_owned());
                last = Some(name).filter(|_| value.is_empty());
            }
            None => {
                if let Some(name) = last.take() {
                    named.insert(name, word.trim_matches('"').to_owned());
                }
            }
        }
    }
    named
}

/// The words of a text: quotes hold them together, a backslash joins lines, `#` begins a comment,
/// and brackets around a list of words are no part of them.
pub(super) fn split_words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    for line in text.replace("\\\n", " ").lines() {
        let mut word = String::new();
        let mut quote: Option<char> = None;
        let mut quoted = false;
        for character in line.chars() {
            match (quote, character) {
                (Some(open), close) if open == close => quote = None,
                (Some(_), inside) => word.push(inside),
                (None, '\'' | '"') => (quote, quoted) = (Some(character), true),
                (None, '#') if word.is_empty() && !quoted => break,
                (None, space) if space.is_whitespace() => {
                    push_word(&mut words, &mut word, &mut quoted)
                }
                (None, other) => word.push(other),
            }
        }
        push_word(&mut words, &mut word, &mut quoted);
    }
    words
}

fn push_word(words: &mut Vec<String>, word: &mut String, quoted: &mut bool) {
    let whole = std::mem::take(word);
    let bare = if *quoted { whole.as_str() } else { whole.trim_end_matches(')') };
    let bare = bare.rsplit_once("=(").map_or(bare, |(_, first)| first);
    if !bare.is_empty() || *quoted {
        words.push(bare.to_owned());
    }
    *quoted = false;
}

#[cfg(test)]
mod tests {
    use super::split_words;

    #[test]
    fn words_are_those_of_a_shell() {
        let script = "MODEL=(\n  --a 1 # why\n  --b '(2,0)' \\\n  --c \"x y\"\n)\n";
        assert_eq!(split_words(script), ["--a", "1", "--b", "(2,0)", "--c", "x y"]);
    }
}

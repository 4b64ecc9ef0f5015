//! What is not known while a script is read. A value is text in which a hole is one character of a
//! private plane: joining, quoting, splitting and parsing again keep it without knowing of it.

use std::fmt;

/// The first of the characters that stand for holes.
const FIRST: u32 = 0xF_0000;
/// The most holes that are told apart.
const MOST: usize = 0xFFF0;

/// A line of the script, or of a file that it sources.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The file; `None` of the script itself.
    pub file: Option<String>,
    /// Counted from 1.
    pub line: usize,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.file {
            Some(file) => write!(f, "{file}, line {}", self.line),
            None => write!(f, "line {}", self.line),
        }
    }
}

/// Where a hole comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HoleKind {
    /// A name that is not set, or whose value differs between branches.
    Variable(String),
    /// An argument of the script, counted from 1; 0 is how many there are.
    Argument(usize),
    /// The output of a command that only a machine can run.
    Command(String),
    /// `<…>`, which somebody has to fill in.
    Placeholder(String),
}

/// Something that the script does not say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hole {
    /// What it is.
    pub kind: HoleKind,
    /// Where it was met first.
    pub place: Place,
    /// The name that it was first assigned to.
    pub name: Option<String>,
    /// Texts that the script compares it with, in its order.
    pub compared: Vec<String>,
    /// Words that stand in its place in one branch or another; `None` where it may be anything.
    pub words: Option<Vec<String>>,
}

/// All holes of a script.
#[derive(Clone, Debug, Default)]
pub struct Holes {
    list: Vec<Hole>,
}

impl Holes {
    /// The character of a hole, the same wherever the same thing is missing.
    pub(super) fn hole_character(&mut self, kind: HoleKind, place: &Place) -> char {
        let same = self.list.iter().position(|hole| {
            hole.kind == kind
                && hole.words.is_none()
                && (matches!(kind, HoleKind::Variable(_) | HoleKind::Argument(_))
                    || hole.place == *place)
        });
        let at = same.unwrap_or_else(|| {
            if self.list.len() < MOST {
                let place = place.clone();
                self.list.push(Hole { kind, place, name: None, compared: Vec::new(), words: None });
            }
            self.list.len() - 1
        });
        char::from_u32(FIRST + at as u32).unwrap_or(char::REPLACEMENT_CHARACTER)
    }

    /// The character of what differs between branches that hang on another hole.
    pub(super) fn branch_character(&mut self, cause: char, words: Vec<String>) -> char {
        let Some(hole) = self.find_hole(cause).cloned() else { return cause };
        let hole = Hole { words: Some(words), ..hole };
        let same =
            self.list.iter().position(|own| own.kind == hole.kind && own.words == hole.words);
        if same.is_none() && self.list.len() >= MOST {
            return cause;
        }
        let at = same.unwrap_or(self.list.len());
        if same.is_none() {
            self.list.push(hole);
        }
        char::from_u32(FIRST + at as u32).unwrap_or(cause)
    }

    /// The hole that a character stands for.
    #[must_use]
    pub fn find_hole(&self, character: char) -> Option<&Hole> {
        self.list.get(hole_index(character)?)
    }

    /// The holes of a value, each once.
    #[must_use]
    pub fn holes_in(&self, text: &str) -> Vec<&Hole> {
        let mut found: Vec<&Hole> = Vec::new();
        for hole in text.chars().filter_map(|character| self.find_hole(character)) {
            if !found.contains(&hole) {
                found.push(hole);
            }
        }
        found
    }

    /// A value as the script has it, with holes by their names.
    #[must_use]
    pub fn shown_text(&self, text: &str) -> String {
        let show = |character: char| match self.find_hole(character) {
            Some(hole) => hole.to_string(),
            None => character.to_string(),
        };
        text.chars().map(show).collect()
    }

    /// Notes that holes of a value were assigned to a name.
    pub(super) fn note_name(&mut self, text: &str, name: &str) {
        for hole in text.chars().filter_map(hole_index) {
            if let Some(hole) = self.list.get_mut(hole) {
                hole.name.get_or_insert_with(|| name.to_owned());
            }
        }
    }

    /// Notes what a value with holes is compared with.
    pub(super) fn note_compared(&mut self, text: &str, other: &str) {
        const MOST_WORDS: usize = 24;
        let mut characters = text.chars();
        let (Some(at), None) = (characters.next().and_then(hole_index), characters.next()) else {
            return;
        };
        if let Some(hole) = self.list.get_mut(at)
            && !other.is_empty()
            && other.len() < 64
            && hole.compared.len() < MOST_WORDS
            && !hole.compared.iter().any(|word| word == other)
        {
            hole.compared.push(other.to_owned());
        }
    }
}

impl fmt::Display for Hole {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            HoleKind::Variable(name) => write!(f, "${name}"),
            HoleKind::Argument(0) => write!(f, "$#"),
            HoleKind::Argument(number) if *number > 9 => write!(f, "${{{number}}}"),
            HoleKind::Argument(number) => write!(f, "${number}"),
            HoleKind::Command(name) => write!(f, "$({name} …)"),
            HoleKind::Placeholder(text) => write!(f, "<{text}>"),
        }
    }
}

fn hole_index(character: char) -> Option<usize> {
    let at = (character as u32).checked_sub(FIRST)? as usize;
    (at < MOST).then_some(at)
}

/// Whether something in a value is not known.
pub(in crate::import) fn has_hole(text: &str) -> bool {
    first_hole(text).is_some()
}

/// Whether nothing of a value is known.
pub(in crate::import) fn is_all_unknown(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|character| hole_index(character).is_some())
}

/// The first hole of a value, as the value that it is alone.
pub(super) fn first_hole(text: &str) -> Option<String> {
    text.chars().find(|character| hole_index(*character).is_some()).map(String::from)
}

/// The holes of a value and nothing else.
pub(super) fn only_holes(text: &str) -> String {
    text.chars().filter(|character| hole_index(*character).is_some()).collect()
}

/// A text of others without characters that could be taken for holes.
pub(super) fn without_holes(text: &str) -> String {
    let plain = |character| match hole_index(character) {
        Some(_) => char::REPLACEMENT_CHARACTER,
        None => character,
    };
    text.chars().map(plain).collect()
}

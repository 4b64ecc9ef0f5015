//! Words of a command, a YAML file or a log as arguments by their names.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use super::flags;
use crate::import::problems::ImportProblem;
use crate::import::questions::Question;
use crate::import::shell::{Hole, HoleKind, Holes, has_hole, is_all_unknown};

/// Arguments by name, as Python has them: `num_layers`. A switch has no words.
#[derive(Default)]
pub(super) struct Arguments {
    named: BTreeMap<String, Vec<String>>,
    /// Words that stand where a flag would: what is not known of them may hold flags.
    pub(super) loose: Vec<String>,
    pub(super) holes: Holes,
    complete: bool,
    read: RefCell<BTreeSet<&'static str>>,
    questions: RefCell<Vec<Question>>,
    machines: RefCell<Vec<Question>>,
}

impl Arguments {
    /// The arguments of a log or a YAML file.
    pub(super) fn parse_arguments(text: &str) -> Self {
        let mut named = parse_printed(text);
        let complete = !named.is_empty();
        if !complete {
            let words: Vec<String> = split_words(text)
                .into_iter()
                .map(|word| word.trim_end_matches(':').to_owned())
                .collect();
            named = Self::from_words(&words, Holes::default()).named;
        }
        named.retain(|_, words| !matches!(words.join(" ").as_str(), "False" | "None"));
        Self { named, complete, ..Self::default() }
    }

    /// Arguments by name; those that are lists have their words apart.
    pub(super) fn new(named: BTreeMap<String, String>) -> Self {
        const LISTS: [&str; 3] = ["recompute_modules", "cp_comm_type", "rampup_batch_size"];
        let words = |name: &str, text: String| match LISTS.contains(&name) {
            true => text.split_whitespace().map(str::to_owned).collect(),
            false => vec![text],
        };
        let apart = |(name, text): (String, String)| {
            let words = words(&name, text);
            (name, words)
        };
        let named = named.into_iter().map(apart).collect();
        Self { named, ..Self::default() }
    }

    /// The flags of a command: each takes the words behind it, up to the next.
    pub(super) fn from_words(words: &[String], holes: Holes) -> Self {
        let mut arguments = Self { holes, ..Self::default() };
        let mut last: Option<String> = None;
        for word in words {
            let name = word.strip_prefix("--").and_then(|rest| rest.split('=').next());
            if let Some(hole) =
                name.and_then(|name| arguments.holes.holes_in(name).first().copied())
            {
                arguments.ask(hole_question(hole, "in the name of a flag"));
                last = None;
                continue;
            }
            if let Some((name, value)) = split_flag(word) {
                let words = value.map(|value| vec![value.to_owned()]).unwrap_or_default();
                last = words.is_empty().then(|| name.clone());
                arguments.named.insert(name, words);
                continue;
            }
            match last.as_ref().filter(|name| !flags::SWITCHES.contains(&name.as_str())) {
                Some(name) => {
                    let words = arguments.named.entry(name.clone()).or_default();
                    // What is not known and stands behind the value of a flag may hold flags.
                    let list = (words.is_empty() || flags::takes_list(name))
                        && !arguments.holes.holes_in(word).iter().any(|hole| begins_flag(hole));
                    if list || !is_all_unknown(word) {
                        words.push(word.clone());
                    } else {
                        arguments.loose.push(word.clone());
                    }
                }
                None => {
                    last = None;
                    arguments.loose.push(word.clone());
                }
            }
        }
        // Python's word for a value that is not set.
        arguments.named.retain(|_, words| words.as_slice() != ["None"]);
        arguments
    }

    /// They are those of a log, which has all there are.
    pub(super) fn is_complete(&self) -> bool {
        self.complete
    }

    /// Adds what others say and these do not.
    pub(super) fn add_missing(&mut self, other: Self) {
        for (name, words) in other.named {
            self.named.entry(name).or_insert(words);
        }
    }

    pub(super) fn has_any(&self, names: &[&str]) -> bool {
        names.iter().any(|name| self.named.contains_key(*name))
    }

    /// The words behind a flag.
    pub(super) fn get_words(&self, name: &'static str) -> Option<&[String]> {
        self.read.borrow_mut().insert(name);
        let words = self.named.get(name)?;
        let open: Vec<Question> =
            words.iter().filter_map(|word| self.ask_for_word(word, name)).collect();
        let is_open = !open.is_empty();
        open.into_iter().for_each(|question| self.ask(question));
        (!is_open).then_some(words)
    }

    /// The first word behind a flag.
    pub(super) fn get_text(&self, name: &'static str) -> Option<&str> {
        let first = self.get_words(name)?.first()?;
        Some(first.as_str()).filter(|word| !word.is_empty())
    }

    /// A word that may not be known, for which nobody asks.
    pub(super) fn peek_text(&self, name: &'static str) -> Option<&str> {
        self.read.borrow_mut().insert(name);
        self.named.get(name)?.first().map(String::as_str)
    }

    pub(super) fn get_count(&self, name: &'static str) -> Result<Option<u64>, ImportProblem> {
        let asked = self.questions.borrow().len();
        let Some(word) = self.get_text(name) else {
            // What is asked for has some value: one lets the rest be read.
            return Ok((self.questions.borrow().len() > asked).then_some(1));
        };
        let plain = word.replace('_', "");
        plain.parse().map(Some).map_err(|_| ImportProblem::Value {
            key: flag_name(name),
            value: format!("`{word}`"),
            wanted: "a whole number",
        })
    }

    /// The first of several names of one thing.
    pub(super) fn first_count(&self, names: &[&'static str]) -> Result<Option<u64>, ImportProblem> {
        let mut found = None;
        for name in names {
            let count = self.get_count(name)?;
            found = found.or(count);
        }
        Ok(found)
    }

    pub(super) fn has_flag(&self, name: &'static str) -> bool {
        self.read.borrow_mut().insert(name);
        let off = |words: &Vec<String>| words.first().is_some_and(|word| word == "false");
        self.named.get(name).is_some_and(|words| !off(words))
    }

    pub(super) fn ask(&self, question: Question) {
        let mut questions = self.questions.borrow_mut();
        if !questions.contains(&question) {
            questions.push(question);
        }
    }

    /// Asks for machines, unless the user says how many GPUs there are.
    pub(super) fn ask_of_machines(&self, question: Question) {
        self.machines.borrow_mut().push(question);
    }

    /// What is not known of the machines becomes a question.
    pub(super) fn ask_for_machines(&self) {
        let open = self.machines.take();
        open.into_iter().for_each(|question| self.ask(question));
    }

    /// Whether something is asked, so that a number may stand for one that is not known.
    pub(super) fn has_questions(&self) -> bool {
        !self.questions.borrow().is_empty()
    }

    /// States an argument.
    pub(super) fn set_word(&mut self, name: &str, word: &str) {
        self.named.insert(name.to_owned(), vec![word.to_owned()]);
    }

    /// What has to be asked.
    pub(super) fn take_questions(&self) -> Vec<Question> {
        self.questions.take()
    }

    /// The question of a word that is not known.
    fn ask_for_word(&self, word: &str, name: &str) -> Option<Question> {
        let hole = *self.holes.holes_in(word).first()?;
        Some(hole_question(hole, &format!("of `{}`", flag_name(name))))
    }

    /// Flags that stand in a branch or another, each with the hole in its place.
    fn branch_flags(&self) -> Vec<(String, &Hole)> {
        const DEEPEST: usize = 8;
        let words = self.named.values().flatten().chain(&self.loose);
        let mut holes: Vec<&Hole> = words.flat_map(|word| self.holes.holes_in(word)).collect();
        let mut found = Vec::new();
        for _ in 0..DEEPEST {
            let mut inner = Vec::new();
            for hole in holes {
                for word in hole.words.iter().flatten() {
                    found.extend(split_flag(word).map(|(name, _)| (name, hole)));
                    inner.extend(self.holes.holes_in(word));
                }
            }
            holes = inner;
        }
        found
    }

    /// Asks for what hangs on a branch, where a flag that is read stands in it.
    pub(super) fn ask_for_branches(&self) {
        let read = self.read.borrow().clone();
        for (name, hole) in self.branch_flags() {
            if read.contains(name.as_str()) {
                self.ask(hole_question(hole, &format!("of `{}`", flag_name(&name))));
            }
        }
    }

    /// Names that nobody asked for and that have weight; or one that misspells another.
    pub(super) fn unread_names(&self) -> Result<Vec<String>, ImportProblem> {
        let read: Vec<&'static str> = self.read.borrow().iter().copied().collect();
        let mut unread = Vec::new();
        let hidden = self.branch_flags().into_iter().map(|(name, _)| (name, Vec::new()));
        let hidden: BTreeMap<String, Vec<String>> = hidden.collect();
        for (name, words) in self.named.iter().chain(&hidden) {
            if read.contains(&name.as_str()) || flags::is_weightless(name) {
                continue;
            }
            if let Some(near) = flags::misspelt_flag(name, &read) {
                return Err(ImportProblem::Misspelt {
                    flag: flag_name(name),
                    near: flag_name(near),
                });
            }
            let shown = [flag_name(name)].into_iter().chain(words.iter().cloned());
            unread.push(self.holes.shown_text(&shown.collect::<Vec<_>>().join(" ")));
        }
        Ok(unread)
    }
}

/// A flag as it is written.
pub(super) fn flag_name(name: &str) -> String {
    format!("--{}", name.replace('_', "-"))
}

/// The name of a flag, and the value that stands in the same word.
pub(super) fn split_flag(word: &str) -> Option<(String, Option<&str>)> {
    let flag = word
        .strip_prefix("--")
        .filter(|rest| rest.starts_with(|c: char| c.is_ascii_alphabetic()))?;
    let (name, value) = match flag.split_once('=') {
        Some((name, value)) => (name, Some(value)),
        None => (flag, None),
    };
    (!has_hole(name)).then(|| (name.replace('-', "_"), value))
}

/// Whether a flag begins what stands in the place of a hole.
fn begins_flag(hole: &Hole) -> bool {
    let first = hole.words.as_ref().and_then(|words| words.first());
    first.is_some_and(|word| split_flag(word).is_some())
}

/// What answers a hole.
pub(super) fn hole_question(hole: &Hole, whose: &str) -> Question {
    let place = hole.place.to_string();
    let compared = match hole.compared.as_slice() {
        [] => String::new(),
        words => format!(" (the script knows {})", words.join(", ")),
    };
    let named = |name: &str| format!("--env {name}=VALUE");
    let (missing, answer) = match &hole.kind {
        HoleKind::Variable(name) => (format!("`{hole}` {whose} is not set{compared}"), named(name)),
        HoleKind::Argument(0) => {
            ("the script asks for arguments".to_owned(), "--arg VALUE".to_owned())
        }
        HoleKind::Argument(number) => (
            format!("argument {number} of the script, {whose}, is not given{compared}"),
            format!("--arg VALUE, {number} times in order").replace(", 1 times in order", ""),
        ),
        HoleKind::Command(_) | HoleKind::Placeholder(_) => {
            let answer = match &hole.name {
                Some(name) => named(name),
                None => "write the value into the file".to_owned(),
            };
            (format!("`{hole}` {whose} is known to the machine alone{compared}"), answer)
        }
    };
    Question { place, missing, answer }
}

/// Lines of a log such as `  num_layers ........ 96`, behind a rank, a time or neither. Dots fill the
/// name up to column 48: a longer one has none, and two blanks.
fn parse_printed(text: &str) -> BTreeMap<String, Vec<String>> {
    const LONGEST_DOTTED: usize = 48;
    let is_name = |name: &&str| {
        let plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
        name.chars().all(plain) && name.starts_with(|c: char| c.is_ascii_alphabetic())
    };
    // Before the name stands whoever printed it.
    let last =
        |before: &'_ str| before.rsplit([' ', '\t', ':', ']']).next().unwrap_or("").to_owned();
    let line = |line: &str| {
        let (name, value) = match line.split_once(" .") {
            Some((before, value)) => (last(before), value),
            None => {
                let (before, value) = line.trim_end().rsplit_once("  ")?;
                Some((last(before), value)).filter(|(name, _)| name.len() >= LONGEST_DOTTED)?
            }
        };
        let value = value.trim_start_matches('.').trim();
        is_name(&name.as_str()).then(|| (name, python_words(value)))
    };
    let text = strip_colours(text);
    let block = text.split_once("- arguments -").map_or(text.as_str(), |(_, block)| block);
    let block = block.split_once("- end of arguments -").map_or(block, |(block, _)| block);
    block.lines().filter_map(line).collect()
}

/// A value as Python prints it: a list is its words.
fn python_words(value: &str) -> Vec<String> {
    let quotes = ['\'', '"'];
    match value.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        Some(list) if value.contains(quotes) => {
            list.split(", ").map(|word| word.trim_matches(quotes).to_owned()).collect()
        }
        _ => vec![value.to_owned()],
    }
}

/// A text without the marks that colour it: `ESC [ … m`.
fn strip_colours(text: &str) -> String {
    let mut parts = text.split("\u{1b}[");
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let codes = part.trim_start_matches(|c: char| c.is_ascii_digit() || c == ';');
        plain.push_str(codes.strip_prefix('m').unwrap_or(part));
    }
    plain
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
    if !whole.is_empty() || *quoted {
        words.push(whole);
    }
    *quoted = false;
}

#[cfg(test)]
mod tests {
    use super::split_words;

    #[test]
    fn words_are_those_of_a_file_of_flags() {
        let file = "  --a: 1 # why\n  --b: '(2,0)'\n  --c: \"x y\"\n";
        assert_eq!(split_words(file), ["--a:", "1", "--b:", "(2,0)", "--c:", "x y"]);
    }
}

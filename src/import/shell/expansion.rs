//! Words to texts: values of names, what is done to them, and the splitting of what is not quoted.

use super::arithmetic::{Names, evaluate_sum};
use super::evaluator::{STEP, Shell};
use super::holes::{HoleKind, first_hole, has_hole};
use super::pattern::LONGEST;
use super::state::Variable;
use super::syntax::{Part, Word};

/// Words on their way: those that are whole, and the one that grows.
#[derive(Default)]
struct Fields {
    done: Vec<String>,
    current: Option<String>,
}

impl Fields {
    fn push_text(&mut self, text: &str) {
        self.current.get_or_insert_default().push_str(text);
    }

    fn end_field(&mut self) {
        self.done.extend(self.current.take());
    }
}

/// How the parts of a word are taken.
#[derive(Clone, Copy, PartialEq)]
enum Quoting {
    /// Each as it is written.
    Own,
    /// What is not quoted is split, literals too: the word is the value of an expansion.
    Split,
    /// All as if quoted.
    Whole,
}

/// What a part of a word stands for.
pub(super) enum Expanded<'a> {
    Text(String),
    List {
        items: Vec<String>,
        joined: bool,
    },
    /// Another word, as the default of a name.
    Word(&'a Word),
}

impl Names for Shell<'_> {
    fn name_text(&mut self, name: &str) -> Option<String> {
        // A name may stand for a sum of names, and those for others.
        if !self.spend_budget(STEP) {
            return None;
        }
        self.first_value(name).filter(|text| !has_hole(text))
    }

    fn set_number(&mut self, name: &str, number: i64) {
        self.assign_text(name, number.to_string());
    }
}

impl Shell<'_> {
    /// A word as the words of a command that it becomes.
    pub(super) fn expand_fields(&mut self, word: &Word) -> Vec<String> {
        let mut words = vec![word.clone()];
        let length = |part: &Part| match part {
            Part::Literal { text, .. } => text.len() + STEP,
            _ => STEP,
        };
        for (at, part) in word.parts.iter().enumerate() {
            if let Part::Literal { text, quoted: false } = part
                && text.contains('{')
            {
                let texts = expand_braces(text);
                let cost = word.parts.iter().map(length).sum::<usize>();
                let count = words.len().saturating_mul(texts.len());
                if count > 1 && !self.spend_budget(cost.saturating_mul(count)) {
                    break;
                }
                let with = |text: &String| {
                    words.iter().map(|word| word.with_literal(at, text)).collect::<Vec<_>>()
                };
                words = texts.iter().flat_map(with).collect();
            }
        }
        let mut fields = Fields::default();
        for word in words {
            self.add_fields(&word, Quoting::Own, &mut fields);
            fields.end_field();
        }
        fields.done
    }

    fn add_fields(&mut self, word: &Word, quoting: Quoting, fields: &mut Fields) {
        for part in &word.parts {
            let (expanded, quoted) = match part {
                Part::Literal { text, quoted } => {
                    if (*quoted || !text.is_empty()) && self.spend_budget(text.len()) {
                        match quoting == Quoting::Split && !quoted {
                            true => self.push_split(text, fields),
                            false => fields.push_text(text),
                        }
                    }
                    continue;
                }
                part => self.expand_part(part),
            };
            let quoted = quoted || quoting == Quoting::Whole;
            match expanded {
                Expanded::Text(text) if !self.spend_budget(text.len()) => {}
                Expanded::Text(text) if quoted => fields.push_text(&text),
                Expanded::Text(text) => self.push_split(&text, fields),
                Expanded::Word(word) if quoted => {
                    fields.push_text("");
                    self.add_fields(word, Quoting::Whole, fields);
                }
                Expanded::Word(word) => self.add_fields(word, Quoting::Split, fields),
                Expanded::List { items, joined: true } if quoted => {
                    let text = self.join_items(&items);
                    fields.push_text(&text);
                }
                Expanded::List { items, .. } => {
                    for (at, item) in items.iter().enumerate() {
                        if at > 0 {
                            fields.end_field();
                        }
                        match quoted {
                            _ if !self.spend_budget(item.len() + 1) => {}
                            true => fields.push_text(item),
                            false => self.push_split(item, fields),
                        }
                    }
                }
            }
        }
    }

    /// Splits a text at the separators of the script.
    fn push_split(&mut self, text: &str, fields: &mut Fields) {
        let separators = match self.state.variables.get("IFS") {
            Some(Variable::Text(own)) => own.clone(),
            _ => " \t\n".to_owned(),
        };
        for character in text.chars() {
            match separators.contains(character) {
                false => fields.push_text(character.encode_utf8(&mut [0; 4])),
                true if character.is_whitespace() => fields.end_field(),
                true => {
                    fields.current.get_or_insert_default();
                    fields.end_field();
                }
            }
        }
    }

    fn join_items(&mut self, items: &[String]) -> String {
        let separator = match self.state.variables.get("IFS") {
            Some(Variable::Text(own)) => own.chars().next().map(String::from).unwrap_or_default(),
            _ => " ".to_owned(),
        };
        let length = items.iter().map(|item| item.len() + 1).sum();
        if self.spend_budget(length) { items.join(&separator) } else { String::new() }
    }

    /// A word as one text, as an assignment takes it.
    pub(super) fn expand_text(&mut self, word: &Word) -> String {
        self.expand_joined(word, false)
    }

    /// A word as a pattern: what is quoted stands for itself.
    pub(super) fn expand_pattern(&mut self, word: &Word) -> String {
        self.expand_joined(word, true)
    }

    fn expand_joined(&mut self, word: &Word, pattern: bool) -> String {
        let mut out = String::new();
        for part in &word.parts {
            let (expanded, quoted) = match part {
                Part::Literal { text, quoted } => (Expanded::Text(text.clone()), *quoted),
                part => self.expand_part(part),
            };
            let text = match expanded {
                Expanded::Text(text) => text,
                Expanded::Word(word) if quoted => self.expand_text(word),
                Expanded::Word(word) => self.expand_joined(word, pattern),
                Expanded::List { items, joined: true } => self.join_items(&items),
                Expanded::List { items, .. } => {
                    let length = items.iter().map(|item| item.len() + 1).sum();
                    if self.spend_budget(length) { items.join(" ") } else { String::new() }
                }
            };
            if !self.spend_budget(text.len()) {
                return String::new();
            }
            match pattern && quoted {
                true => out.extend(text.chars().flat_map(|c| ['\\', c])),
                false => out.push_str(&text),
            }
        }
        out
    }

    fn expand_part<'a>(&mut self, part: &'a Part) -> (Expanded<'a>, bool) {
        match part {
            Part::Literal { text, quoted } => (Expanded::Text(text.clone()), *quoted),
            Part::Placeholder { text } => {
                (Expanded::Text(self.make_hole(HoleKind::Placeholder(text.clone()))), true)
            }
            Part::Command { body, quoted } => (Expanded::Text(self.capture_output(body)), *quoted),
            Part::Arithmetic { expression, quoted } => {
                let text = self.expand_text(expression);
                (Expanded::Text(self.sum_text(&text)), *quoted)
            }
            Part::Parameter { parameter, quoted } => (self.expand_parameter(parameter), *quoted),
        }
    }

    /// The value of a sum as text, or a hole where it has none.
    pub(super) fn sum_text(&mut self, text: &str) -> String {
        match self.sum_of(text) {
            Some(value) => value.to_string(),
            None => self.hole_of_sum(text),
        }
    }

    /// The value of a sum; `None` where something in it is not known.
    pub(super) fn sum_of(&mut self, text: &str) -> Option<i64> {
        if has_hole(text) || !self.spend_budget(text.len()) {
            None
        } else {
            evaluate_sum(text, self)
        }
    }

    /// The hole that a sum without a value is: one of those in it or of its names.
    pub(super) fn hole_of_sum(&mut self, text: &str) -> String {
        if let Some(hole) = first_hole(text) {
            return hole;
        }
        let names = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        for name in names.filter(|name| name.starts_with(|c: char| !c.is_ascii_digit())) {
            match self.first_value(name).map(|text| first_hole(&text)) {
                Some(Some(hole)) => return hole,
                Some(None) => {}
                None => return self.make_hole(HoleKind::Variable(name.to_owned())),
            }
        }
        self.make_hole(HoleKind::Command("a sum".to_owned()))
    }
}

/// The texts that braces stand for: `{a,b}` and `{1..3}`.
fn expand_braces(text: &str) -> Vec<String> {
    const MOST: i64 = 1_000;
    let whole = || vec![text.to_owned()];
    if text.len() > LONGEST || text.matches('{').count() > 8 {
        return whole();
    }
    let Some(open) = text.find('{') else { return whole() };
    let (mut depth, mut commas, mut close) = (0_usize, vec![open], None);
    for (at, character) in text.char_indices().skip_while(|(at, _)| *at < open) {
        match character {
            '{' => depth += 1,
            '}' if depth == 1 => {
                close = Some(at);
                break;
            }
            '}' => depth -= 1,
            ',' if depth == 1 => commas.push(at),
            _ => {}
        }
    }
    let Some(close) = close else { return whole() };
    let (before, inside) = (&text[..open], &text[open + 1..close]);
    let items: Vec<String> = if commas.len() > 1 {
        commas.push(close);
        commas.windows(2).map(|pair| text[pair[0] + 1..pair[1]].to_owned()).collect()
    } else {
        let range: Option<Vec<i64>> = inside.split("..").map(|word| word.parse().ok()).collect();
        let step =
            range.as_ref().and_then(|range| range.get(2)).map_or(1, |step| step.unsigned_abs());
        match range.as_deref() {
            Some([first, last] | [first, last, _])
                if step > 0 && first.abs_diff(*last) / step <= MOST as u64 =>
            {
                let sign = if first <= last { 1 } else { -1 };
                let turns = 0..=first.abs_diff(*last) / step;
                turns.map(|turn| (first + sign * (turn * step) as i64).to_string()).collect()
            }
            _ => {
                let rest = expand_tail(&text[close + 1..]);
                return rest.into_iter().map(|rest| format!("{}{rest}", &text[..=close])).collect();
            }
        }
    };
    let tails = expand_tail(&text[close + 1..]);
    let mut out = Vec::new();
    for item in items.iter().flat_map(|item| expand_braces(item)) {
        for tail in &tails {
            if out.len() < MOST as usize {
                out.push(format!("{before}{item}{tail}"));
            }
        }
    }
    out
}

/// What stands behind a brace, which is not empty but where the text ends.
fn expand_tail(text: &str) -> Vec<String> {
    if text.is_empty() { vec![String::new()] } else { expand_braces(text) }
}

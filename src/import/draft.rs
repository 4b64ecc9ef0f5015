//! `Draft`: a spec in the making, written as text; problems.

use std::collections::BTreeMap;
use std::fmt;

use serde_json::Value;

use super::problems::ImportProblem;
use super::questions::Question;
use crate::units::parse::{quote_toml, strip_control_characters};
use crate::workload::Model;

/// A value as a spec writes it.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum DraftValue {
    Count(u64),
    /// A number with a fraction, as it is written.
    Number(String),
    Flag(bool),
    Word(String),
    /// A list of words.
    Words(Vec<String>),
}

/// One key of the spec.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct DraftEntry {
    /// The table it stands in, such as `model.moe`.
    pub(super) table: &'static str,
    pub(super) key: &'static str,
    pub(super) value: DraftValue,
    /// What stands beside it; may be empty.
    pub(super) comment: String,
}

/// What a user says of the spec beside the file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UserChoices {
    /// Name of the model, for reports; `None` where the file's own will do.
    pub name: Option<String>,
    /// Training length of a sequence in tokens.
    pub sequence: Option<u64>,
    /// A model that ships, for files that name none.
    pub preset: Option<String>,
    /// Layers of that model, where it is known.
    pub layers: Option<u64>,
    pub global_batch: Option<u64>,
    pub gpus: Option<u64>,
    pub node: Option<String>,
    /// Tokens of the vocabulary, for tokenizers that are not known by name.
    pub vocab: Option<u64>,
    /// Names that a script has from its environment.
    pub environment: BTreeMap<String, String>,
    /// Arguments of a script.
    pub arguments: Vec<String>,
    /// The line of the command that is meant, in a script with several.
    pub line: Option<u64>,
    /// Whether a model that a spec describes but for some parts is written without them.
    pub approximate: bool,
}

/// The draft of a spec.
#[derive(Clone, Debug, PartialEq)]
pub struct Draft {
    /// What it was made from, such as `a Hugging Face configuration of llama`.
    pub origin: String,
    /// Name of the model or the job.
    pub name: String,
    /// What the file does not say and was taken all the same, each with its value.
    pub assumed: Vec<String>,
    /// What the file says and the spec can't.
    pub lost: Vec<String>,
    /// Keys of the file that were not read.
    pub unread: Vec<String>,
    /// Elements that the model of the file has beyond those of the spec, part by part: negative where
    /// the spec has more. Empty where the spec is no approximation.
    pub lost_elements: Vec<i128>,
    /// Keys of the spec with the keys of the file that they are made of.
    pub(super) origins: &'static [(&'static str, &'static str)],
    pub(super) entries: Vec<DraftEntry>,
}

impl Draft {
    pub(super) fn new(origin: String, name: String) -> Self {
        let (assumed, lost, unread) = (Vec::new(), Vec::new(), Vec::new());
        let (lost_elements, entries) = (Vec::new(), Vec::new());
        Self { origin, name, assumed, lost, unread, lost_elements, origins: &[], entries }
    }

    /// The key of the file that a key of the spec is made of.
    #[must_use]
    pub fn key_in_file(&self, key: &str) -> Option<&'static str> {
        self.origins.iter().find(|(own, _)| *own == key).map(|(_, origin)| *origin)
    }

    /// What is assumed or lost, by the key of the spec where there is one: key or origin, and a
    /// sentence.
    #[must_use]
    pub fn remarks(&self) -> Vec<(String, String)> {
        let of_file = || "import".to_owned();
        let assumed = self.assumed.iter().map(|text| match text.split_once(" = ") {
            Some((key, value)) if !key.contains('`') => (key.to_owned(), value.to_owned()),
            _ => (of_file(), text.clone()),
        });
        let lost = self.lost.iter().map(|text| (of_file(), format!("not in the spec: {text}")));
        assumed.chain(lost).collect()
    }

    pub(super) fn set_count(&mut self, table: &'static str, key: &'static str, value: u64) {
        self.set_key(table, key, DraftValue::Count(value), "");
    }

    pub(super) fn set_flag(&mut self, table: &'static str, key: &'static str, value: bool) {
        self.set_key(table, key, DraftValue::Flag(value), "");
    }

    pub(super) fn set_key(
        &mut self,
        table: &'static str,
        key: &'static str,
        value: DraftValue,
        comment: &str,
    ) {
        self.entries.push(DraftEntry { table, key, value, comment: comment.to_owned() });
    }

    /// The model of another draft, with what is told of it.
    pub(super) fn take_model(&mut self, other: Self) {
        let is_model = |table: &str| table == "model" || table.starts_with("model.");
        self.entries.extend(other.entries.into_iter().filter(|entry| is_model(entry.table)));
        self.assumed.extend(other.assumed.into_iter().filter(|said| said.starts_with("model.")));
        self.lost.extend(other.lost);
        self.lost_elements = other.lost_elements;
    }

    /// A count that stands in the draft.
    pub(super) fn find_count(&self, table: &str, key: &str) -> Option<u64> {
        let stands = |entry: &&DraftEntry| entry.table == table && entry.key == key;
        match self.entries.iter().find(stands)?.value {
            DraftValue::Count(count) => Some(count),
            _ => None,
        }
    }

    /// Writes another number for a key.
    pub(super) fn replace_count(&mut self, table: &'static str, key: &'static str, value: u64) {
        let found = self.entries.iter_mut().find(|entry| (entry.table, entry.key) == (table, key));
        match found {
            Some(entry) => entry.value = DraftValue::Count(value),
            None => self.set_count(table, key, value),
        }
    }

    /// Leaves a key out that was written.
    pub(super) fn remove_key(&mut self, table: &str, key: &str) {
        self.entries.retain(|entry| (entry.table, entry.key) != (table, key));
    }

    /// A part of the model that the spec is written without, and how many more elements the model
    /// has for it.
    pub(super) fn lose_part(&mut self, part: String, elements: i128) {
        self.lost_elements.push(elements);
        let millions = elements as f64 / 1e6;
        self.lost.push(format!("{part} ({millions:+.1} million elements)"));
    }

    /// Tells the elements of the file's model beside those of its spec, which is `model`.
    ///
    /// # Errors
    /// Where they are further apart than [`FARTHEST`] of all.
    pub fn check_approximation(&mut self, model: &Model) -> Result<(), ImportProblem> {
        if self.lost_elements.is_empty() {
            return Ok(());
        }
        let written = model.parameters();
        let lost: i128 = self.lost_elements.iter().sum();
        let own = written.saturating_add_signed(lost);
        let share = |elements: f64| elements / own.max(1) as f64;
        // What is too much in one part makes up for no other.
        let far = share(self.lost_elements.iter().map(|part| part.abs() as f64).sum());
        if far > FARTHEST {
            return Err(ImportProblem::TooFar { percent: format!("{:.1}", 100.0 * far) });
        }
        self.lost.push(format!(
            "in all: the file's model has {own} elements, the spec's {written} ({:+.2} %)",
            -100.0 * share(lost as f64)
        ));
        Ok(())
    }

    /// Writes what was lost into the spec, so that every report of it says so.
    pub(super) fn write_approximation(&mut self) {
        let note = format!("approximation: {}", self.lost.join("; "));
        self.set_key("model", "note", DraftValue::Word(note), "");
    }

    /// A key that the file does not say: `stated` by the user, or else taken to be `usual`.
    pub(super) fn put_or_assume(
        &mut self,
        table: &'static str,
        key: &'static str,
        stated: Option<DraftValue>,
        usual: DraftValue,
        comment: &str,
    ) {
        match stated {
            Some(value) => self.set_key(table, key, value, ""),
            None => {
                self.assumed.push(format!("{table}.{key} = {usual}: {comment}"));
                self.set_key(table, key, usual, &format!("assumed: {comment}"));
            }
        }
    }
}

/// Share of its elements that an approximation may leave out or have too many.
const FARTHEST: f64 = 0.02;

/// Columns of a comment.
const WIDTH: usize = 98;

impl fmt::Display for DraftValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            // TOML has no larger number, and no spec takes one as large.
            Self::Count(count) => write!(f, "{}", (*count).min(i64::MAX.unsigned_abs())),
            Self::Number(number) => f.write_str(number),
            Self::Flag(flag) => write!(f, "{flag}"),
            Self::Word(word) => f.write_str(&quote_toml(word)),
            Self::Words(words) => {
                let words: Vec<String> = words.iter().map(|word| quote_toml(word)).collect();
                write!(f, "[{}]", words.join(", "))
            }
        }
    }
}

impl Draft {
    /// The spec as text.
    #[must_use]
    pub fn spec_text(&self) -> String {
        let mut text = String::new();
        write_comment(&mut text, "", &format!("A spec for planner, made from {}.", self.origin));
        write_list(&mut text, "Assumed, as the file does not say it:", &self.assumed);
        write_list(&mut text, "In the file, and not in this spec:", &self.lost);
        if !self.unread.is_empty() {
            text.push_str("#\n");
            write_comment(
                &mut text,
                "",
                &format!("Keys that were not read: {}.", self.unread.join(", ")),
            );
        }
        text.push_str(&format!("name = {}\n", DraftValue::Word(self.name.clone())));
        let mut tables: Vec<&str> = Vec::new();
        for entry in &self.entries {
            if !tables.contains(&entry.table) {
                tables.push(entry.table);
            }
        }
        for table in tables {
            text.push_str(&format!("\n[{table}]\n"));
            for entry in self.entries.iter().filter(|entry| entry.table == table) {
                let line = format!("{} = {}", entry.key, entry.value);
                match entry.comment.as_str() {
                    "" => text.push_str(&line),
                    said => {
                        let said = strip_control_characters(said);
                        text.push_str(&format!("{line:<24} # {said}"));
                    }
                }
                text.push('\n');
            }
        }
        text
    }
}

fn write_list(text: &mut String, lead: &str, lines: &[String]) {
    if lines.is_empty() {
        return;
    }
    text.push_str("#\n");
    write_comment(text, "", lead);
    for line in lines {
        write_comment(text, "- ", line);
    }
}

/// A comment, cut into lines at spaces.
fn write_comment(text: &mut String, mark: &str, said: &str) {
    let mut line = format!("# {mark}");
    let indent = format!("# {}", " ".repeat(mark.len()));
    let mut empty = true;
    for word in said.split_whitespace().map(strip_control_characters) {
        if !empty && line.chars().count() + 1 + word.chars().count() > WIDTH {
            text.push_str(&line);
            text.push('\n');
            line.clone_from(&indent);
            empty = true;
        }
        if !empty {
            line.push(' ');
        }
        line.push_str(&word);
        empty = false;
    }
    text.push_str(&line);
    text.push('\n');
}

/// The run and the cluster of a spec whose file says nothing of them, as `planner init` has them.
pub(super) fn put_usual_run(wanted: &UserChoices, draft: &mut Draft) {
    let count = |number: Option<u64>| number.map(DraftValue::Count);
    let batch = ("training", "global_batch");
    draft.put_or_assume(
        batch.0,
        batch.1,
        count(wanted.global_batch),
        DraftValue::Count(1024),
        "sequences in one step",
    );
    draft.put_or_assume(
        "cluster",
        "gpus",
        count(wanted.gpus),
        DraftValue::Count(1024),
        "GPUs of the cluster",
    );
    put_usual_node(wanted, draft);
}

/// The machine.
pub(super) fn put_usual_node(wanted: &UserChoices, draft: &mut Draft) {
    let node = wanted.node.clone().map(DraftValue::Word);
    let usual = DraftValue::Word("dgx-h100".to_owned());
    draft.put_or_assume(
        "cluster",
        "node",
        node,
        usual,
        "the machine; `planner presets list` has others",
    );
}

/// The model of a file that has no shape.
pub(super) fn put_preset(
    wanted: &UserChoices,
    looked: &str,
    draft: &mut Draft,
) -> Result<(), ImportProblem> {
    let Some(preset) = &wanted.preset else {
        return Err(Question::of_model(looked).into());
    };
    draft.set_key("model", "preset", DraftValue::Word(preset.clone()), "");
    Ok(())
}

/// A whole number, also where it is written as a float.
pub(super) fn whole_number(value: &Value) -> Option<u64> {
    let float =
        || value.as_f64().filter(|figure| figure.fract() == 0.0 && (0.0..1e15).contains(figure));
    value.as_u64().or_else(|| float().map(|figure| figure as u64))
}

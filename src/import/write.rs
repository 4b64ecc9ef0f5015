//! A draft as the text of a spec. It decides nothing: what is assumed or lost, the draft says.

use std::fmt;

use super::draft::{Draft, DraftValue};

/// Columns of a comment.
const WIDTH: usize = 98;

impl fmt::Display for DraftValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Count(count) => write!(f, "{count}"),
            Self::Flag(flag) => write!(f, "{flag}"),
            // A basic string of TOML takes the escapes of Rust for quotes and backslashes.
            Self::Word(word) => {
                write!(f, "\"{}\"", word.replace('\\', "\\\\").replace('"', "\\\""))
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
                    said => text.push_str(&format!("{line:<24} # {said}")),
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
    for word in said.split_whitespace() {
        if !empty && line.chars().count() + 1 + word.chars().count() > WIDTH {
            text.push_str(&line);
            text.push('\n');
            line.clone_from(&indent);
            empty = true;
        }
        if !empty {
            line.push(' ');
        }
        line.push_str(word);
        empty = false;
    }
    text.push_str(&line);
    text.push('\n');
}

//! Values of names, and what an expansion does with them.

use super::evaluator::Shell;
use super::expansion::Expanded;
use super::holes::{HoleKind, first_hole, has_hole};
use super::pattern::{LONGEST, Pattern};
use super::state::Variable;
use super::syntax::{Fallback, Index, Operation, Parameter, ReplacePlace, Word};

impl Shell<'_> {
    /// The items of a name; `None` where it is not set.
    fn items_of(&mut self, parameter: &Parameter) -> Option<(Vec<String>, bool)> {
        let joined = matches!(parameter.index, Some(Index::All { joined: true }));
        let name = parameter.name.as_str();
        match name {
            "@" | "*" => return Some((self.state.arguments.clone(), name == "*")),
            "BASH_SOURCE" => return Some((vec![self.current_file()], joined)),
            _ => {}
        }
        let value = self.state.variables.get(name)?;
        let items = match value {
            Variable::Text(text) => vec![text.clone()],
            Variable::List(list) => list.values().cloned().collect(),
            Variable::Table(table) => table.values().cloned().collect(),
        };
        Some((items, joined))
    }

    /// The text of a name, of its first element where it has several.
    pub(super) fn first_value(&mut self, name: &str) -> Option<String> {
        if let Ok(number) = name.parse::<usize>() {
            return match number {
                0 => Some(self.script_name()),
                _ => {
                    let own = self.state.arguments.get(number - 1).cloned();
                    own.or_else(|| self.state.arguments_set.then(String::new))
                }
            };
        }
        match name {
            "#" if self.state.arguments.is_empty() && !self.state.arguments_set => None,
            "#" => Some(self.state.arguments.len().to_string()),
            "BASH_SOURCE" => Some(self.current_file()),
            "PWD" => Some(self.state.folder.clone()),
            _ => match self.state.variables.get(name)? {
                Variable::Text(text) => Some(text.clone()),
                Variable::List(list) => list.get(&0).cloned(),
                Variable::Table(table) => table.get("0").cloned(),
            },
        }
    }

    fn element_value(&mut self, name: &str, index: &Word) -> Option<String> {
        let index = self.expand_text(index);
        if let Some(Variable::Table(table)) = self.state.variables.get(name) {
            return match has_hole(&index) {
                true => Some(index),
                false => table.get(&index).cloned(),
            };
        }
        if name == "BASH_SOURCE" {
            return Some(self.current_file());
        }
        let Some(at) = self.sum_of(&index) else { return Some(self.hole_of_sum(&index)) };
        match self.state.variables.get(name)? {
            Variable::List(list) => {
                let end = list.keys().next_back().map_or(0, |last| last + 1);
                let at = if at < 0 { at + i64::try_from(end).ok()? } else { at };
                list.get(&u64::try_from(at).ok()?).cloned()
            }
            Variable::Text(text) if at == 0 || has_hole(text) => Some(text.clone()),
            _ => None,
        }
    }

    fn hole_of_name(&mut self, name: &str) -> String {
        let kind = match (name, name.parse::<usize>()) {
            ("#", _) => HoleKind::Argument(0),
            (_, Ok(number)) => HoleKind::Argument(number + self.state.shifted),
            _ => HoleKind::Variable(name.to_owned()),
        };
        self.make_hole(kind)
    }

    pub(super) fn expand_parameter<'a>(&mut self, parameter: &'a Parameter) -> Expanded<'a> {
        self.set_line(parameter.line);
        let name = parameter.name.as_str();
        let all = matches!(parameter.index, Some(Index::All { .. })) || matches!(name, "@" | "*");
        if matches!(parameter.operation, Operation::Other) {
            return Expanded::Text(self.hole_of_name(name));
        }
        if all {
            return self.expand_items(parameter);
        }
        let value = match &parameter.index {
            Some(Index::One(index)) => self.element_value(name, index),
            _ => self.first_value(name),
        };
        match &parameter.operation {
            Operation::Fallback { kind, empty_counts, word } => {
                let present = value.as_ref().is_some_and(|text| *empty_counts || !text.is_empty());
                match (kind, present) {
                    (Fallback::Alternative, true) => Expanded::Word(word),
                    (Fallback::Alternative, false) => Expanded::Text(String::new()),
                    (_, true) => Expanded::Text(value.unwrap_or_default()),
                    (Fallback::Refuse, false) => Expanded::Text(self.hole_of_name(name)),
                    (Fallback::Default, false) if self.input.open && word.is_empty() => {
                        Expanded::Text(self.hole_of_name(name))
                    }
                    (Fallback::Default, false) => {
                        self.note_default(name, word);
                        Expanded::Word(word)
                    }
                    (Fallback::Assign, false) => {
                        self.note_default(name, word);
                        let text = self.expand_text(word);
                        self.assign_text(name, text.clone());
                        Expanded::Text(text)
                    }
                }
            }
            operation => {
                let text = match value {
                    Some(text) => text,
                    None => self.hole_of_name(name),
                };
                Expanded::Text(self.apply_operation(operation, text))
            }
        }
    }

    /// All elements of an array, or all arguments.
    fn expand_items<'a>(&mut self, parameter: &'a Parameter) -> Expanded<'a> {
        let name = parameter.name.as_str();
        let found = self.items_of(parameter);
        let joined = found.as_ref().is_some_and(|(_, joined)| *joined);
        match &parameter.operation {
            Operation::Fallback { kind, empty_counts, word } => {
                let present = found.as_ref().is_some_and(|(items, _)| {
                    !items.is_empty()
                        && (*empty_counts || items.iter().any(|item| !item.is_empty()))
                });
                match (kind, present) {
                    (Fallback::Alternative, true) => return Expanded::Word(word),
                    (Fallback::Alternative, false) => {
                        return Expanded::List { items: Vec::new(), joined: false };
                    }
                    (Fallback::Default | Fallback::Assign, false) => return Expanded::Word(word),
                    _ => {}
                }
            }
            Operation::Keys => {
                let keys = match self.state.variables.get(name) {
                    Some(Variable::List(list)) => list.keys().map(u64::to_string).collect(),
                    Some(Variable::Table(table)) => table.keys().cloned().collect(),
                    Some(Variable::Text(_)) => vec!["0".to_owned()],
                    None => vec![self.hole_of_name(name)],
                };
                return Expanded::List { items: keys, joined };
            }
            _ => {}
        }
        let items = match found {
            Some((items, _)) => items,
            None => return Expanded::Text(self.hole_of_name(name)),
        };
        let length: usize = items.iter().map(String::len).sum();
        if !self.spend_budget(length) {
            return Expanded::Text(String::new());
        }
        let items = match &parameter.operation {
            Operation::Length => return Expanded::Text(items.len().to_string()),
            Operation::Slice { offset, length } => {
                // Elements count by their own numbers, of which some may be missing; of arguments
                // the first is 1, and 0 the script itself.
                let keys: Vec<u64> = match self.state.variables.get(name) {
                    Some(Variable::List(list)) => list.keys().copied().collect(),
                    _ => (u64::from(matches!(name, "@" | "*"))..).take(items.len()).collect(),
                };
                let offset = self.expand_text(offset);
                let length = length.as_ref().map(|length| self.expand_text(length));
                let length = length.map_or(Some(i64::MAX), |length| self.sum_of(&length));
                let (Some(offset), Some(length)) = (self.sum_of(&offset), length) else {
                    return Expanded::Text(self.hole_of_name(name));
                };
                let end = keys.last().map_or(0, |last| last.saturating_add(1));
                let first = if offset < 0 {
                    end.checked_add_signed(offset)
                } else {
                    u64::try_from(offset).ok()
                };
                let taken = usize::try_from(length).unwrap_or(0);
                let behind = |key: &u64| first.is_some_and(|first| *key >= first);
                let kept = keys.iter().zip(items).filter(|(key, _)| behind(key));
                kept.map(|(_, item)| item).take(taken).collect()
            }
            Operation::Value | Operation::Fallback { .. } => items,
            operation => {
                items.into_iter().map(|item| self.apply_operation(operation, item)).collect()
            }
        };
        Expanded::List { items, joined }
    }

    /// What an operation makes of one text. With a hole in it, only the text itself is kept.
    fn apply_operation(&mut self, operation: &Operation, text: String) -> String {
        if matches!(operation, Operation::Value) {
            return text;
        }
        if let Some(hole) = first_hole(&text) {
            return hole;
        }
        let length = text.chars().count();
        let unknown = |shell: &mut Self| shell.make_hole(HoleKind::Command("a pattern".into()));
        match operation {
            Operation::Length => length.to_string(),
            Operation::Indirect => match self.first_value(&text) {
                Some(value) => value,
                None => self.hole_of_name(&text),
            },
            Operation::Trim { end, longest, pattern } => {
                let pattern = self.expand_pattern(pattern);
                if has_hole(&pattern)
                    || length > LONGEST
                    || !self.spend_budget(length * length / 16)
                {
                    return unknown(self);
                }
                Pattern::new(&pattern).trim_text(&text, *end, *longest)
            }
            Operation::Replace { place, pattern, with } => {
                let pattern = self.expand_pattern(pattern);
                let with = self.expand_text(with);
                let known = !has_hole(&pattern) && length <= LONGEST;
                let pattern = Pattern::new(&pattern);
                if !known || !self.spend_budget(pattern.replace_cost(length)) {
                    return unknown(self);
                }
                let end = match place {
                    ReplacePlace::Start => Some(false),
                    ReplacePlace::End => Some(true),
                    _ => None,
                };
                let all = *place == ReplacePlace::All;
                match pattern.fixed_length() == Some(0) {
                    true => match place {
                        ReplacePlace::Start => with + &text,
                        ReplacePlace::End => text + &with,
                        _ => text,
                    },
                    false => pattern.replace_in(&text, &with, all, end),
                }
            }
            Operation::Case { upper, all } => {
                let mut characters = text.chars();
                let change =
                    |c: char| if *upper { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() };
                match all {
                    true => characters.map(change).collect(),
                    false => characters.next().map(change).into_iter().chain(characters).collect(),
                }
            }
            Operation::Slice { offset, length: taken } => {
                let offset = self.expand_text(offset);
                let Some(offset) = self.sum_of(&offset) else { return self.hole_of_sum(&offset) };
                let taken = match taken {
                    None => None,
                    Some(word) => {
                        let text = self.expand_text(word);
                        match self.sum_of(&text) {
                            None => return self.hole_of_sum(&text),
                            taken => taken,
                        }
                    }
                };
                let range = slice_range(length, offset, taken);
                let characters: Vec<char> = text.chars().collect();
                range.map(|range| characters[range].iter().collect()).unwrap_or_default()
            }
            _ => text,
        }
    }
}

/// What `:offset:length` takes of so many.
fn slice_range(count: usize, offset: i64, length: Option<i64>) -> Option<std::ops::Range<usize>> {
    let all = i64::try_from(count).ok()?;
    let start = if offset < 0 { all.checked_add(offset)? } else { offset };
    let end = match length {
        None => all,
        Some(length) if length < 0 => all.checked_add(length)?,
        Some(length) => start.saturating_add(length).min(all),
    };
    let range = usize::try_from(start).ok()?..usize::try_from(end).ok()?;
    (range.start <= range.end && range.end <= count).then_some(range)
}

//! How a name gets its value.

use std::collections::BTreeMap;

use super::evaluator::Shell;
use super::holes::{HoleKind, Place, has_hole};
use super::state::Variable;
use super::syntax::{Assigned, Assignment};

/// The longest text that a name may have.
const LONGEST_VALUE: usize = 1 << 20;

impl Shell<'_> {
    /// Gives a name a text. What the user states stands where the script does not know.
    pub(super) fn assign_text(&mut self, name: &str, text: String) {
        let text = self.settled_text(name, text);
        match self.state.variables.get_mut(name) {
            Some(Variable::List(list)) => drop(list.insert(0, text)),
            Some(Variable::Table(table)) => drop(table.insert("0".to_owned(), text)),
            _ => drop(self.state.variables.insert(name.to_owned(), Variable::Text(text))),
        }
    }

    fn settled_text(&mut self, name: &str, text: String) -> String {
        let stated = self.input.environment.get(name);
        if text.len() > LONGEST_VALUE {
            return self.make_hole(HoleKind::Variable(name.to_owned()));
        }
        if has_hole(&text) {
            if let Some(stated) = stated {
                return stated.clone();
            }
            self.result.holes.note_name(&text, name);
        } else if stated.is_some_and(|stated| *stated != text) {
            self.result
                .overwritten
                .entry(name.to_owned())
                .or_insert_with(|| Place { file: self.files.last().cloned(), line: self.line });
        }
        text
    }

    pub(super) fn assign_value(&mut self, assignment: &Assignment) {
        let name = assignment.name.as_str();
        match (&assignment.value, &assignment.index) {
            (Assigned::Text(word), None) => {
                let mut text = self.expand_text(word);
                if assignment.append {
                    let before = self.first_value(name).unwrap_or_default();
                    if !self.spend_budget(before.len()) {
                        return;
                    }
                    text = before + &text;
                }
                self.assign_text(name, text);
            }
            (Assigned::Text(word), Some(index)) => {
                let text = self.expand_text(word);
                let index = self.expand_text(index);
                self.assign_element(name, &index, text, assignment.append);
            }
            (Assigned::List(elements), _) => {
                let table = matches!(self.state.variables.get(name), Some(Variable::Table(_)));
                let mut list = BTreeMap::new();
                match self.state.variables.get(name) {
                    Some(Variable::List(before)) if assignment.append => list = before.clone(),
                    Some(Variable::Text(text)) if assignment.append => {
                        list.insert(0, text.clone());
                    }
                    Some(Variable::Table(_)) if !assignment.append => {
                        let empty = Variable::Table(BTreeMap::new());
                        self.state.variables.insert(name.to_owned(), empty);
                    }
                    _ => {}
                }
                let mut next = list.keys().next_back().map_or(0, |last: &u64| last + 1);
                for (index, word) in elements {
                    let Some(index) = index else {
                        for text in self.expand_fields(word) {
                            if !self.spend_budget(text.len() + 32) {
                                return;
                            }
                            self.result.holes.note_name(&text, name);
                            list.insert(next, text);
                            next += 1;
                        }
                        continue;
                    };
                    let (index, text) = (self.expand_text(index), self.expand_text(word));
                    if table {
                        self.assign_element(name, &index, text, false);
                    } else if let Some(at) =
                        self.sum_of(&index).and_then(|at| u64::try_from(at).ok())
                    {
                        list.insert(at, text);
                        next = at.saturating_add(1);
                    }
                }
                if !table {
                    self.state.variables.insert(name.to_owned(), Variable::List(list));
                }
            }
        }
    }

    fn assign_element(&mut self, name: &str, index: &str, text: String, append: bool) {
        if !self.spend_budget(text.len() + index.len()) {
            return;
        }
        if let Some(Variable::Table(table)) = self.state.variables.get_mut(name) {
            let before = table.entry(index.to_owned()).or_default();
            *before = if append { before.clone() + &text } else { text };
            return;
        }
        let Some(at) = self.sum_of(index).and_then(|at| u64::try_from(at).ok()) else {
            let hole = self.hole_of_sum(index);
            self.state.variables.insert(name.to_owned(), Variable::Text(hole));
            return;
        };
        let mut list = match self.state.variables.remove(name) {
            Some(Variable::List(list)) => list,
            Some(Variable::Text(text)) => BTreeMap::from([(0, text)]),
            _ => BTreeMap::new(),
        };
        let before = list.entry(at).or_default();
        *before = if append { before.clone() + &text } else { text };
        self.state.variables.insert(name.to_owned(), Variable::List(list));
    }
}

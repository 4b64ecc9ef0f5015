//! What some ways of a script agree on.

use std::collections::BTreeSet;

use super::evaluator::Shell;
use super::holes::HoleKind;
use super::state::{State, Variable};

impl Shell<'_> {
    pub(super) fn merge_states(&mut self, mut states: Vec<State>, causes: &str) -> State {
        let Some(mut merged) = states.pop() else { return State::default() };
        let names: BTreeSet<String> = states
            .iter()
            .chain([&merged])
            .flat_map(|state| state.variables.keys().cloned())
            .collect();
        for name in names {
            let value = merged.variables.get(&name);
            if states.iter().all(|state| state.variables.get(&name) == value) {
                continue;
            }
            if let Some(stated) = self.input.environment.get(&name) {
                merged.variables.insert(name, Variable::Text(stated.clone()));
                continue;
            }
            let cause = causes.chars().next();
            let cause =
                cause.or_else(|| self.make_hole(HoleKind::Variable(name.clone())).chars().next());
            let all = states.iter().chain([&merged]).map(|state| state.variables.get(&name));
            let all: Vec<Option<Variable>> = all.map(Option::<&Variable>::cloned).collect();
            let value = self.merge_values(all, cause.unwrap_or_default());
            merged.variables.insert(name, value);
        }
        for state in states {
            if state.output != merged.output {
                let hole = self.make_hole(HoleKind::Command("a branch".to_owned()));
                merged.output = Some(hole);
            }
            if state.folder != merged.folder {
                merged.folder = self.make_hole(HoleKind::Variable("PWD".to_owned()));
            }
            merged.functions.extend(state.functions);
        }
        merged
    }

    /// What some values have alike, with holes for what differs between: one flag that hangs on
    /// something unknown does not lose the others.
    fn merge_values(&mut self, values: Vec<Option<Variable>>, cause: char) -> Variable {
        let is_list = |value: &Option<Variable>| matches!(value, Some(Variable::List(_)));
        let listed = values.iter().any(is_list);
        let mut merged: Option<Vec<String>> = None;
        for value in values {
            let words: Vec<String> = match value {
                None => Vec::new(),
                Some(Variable::Text(text)) => text.split_whitespace().map(str::to_owned).collect(),
                Some(Variable::List(list)) => list.into_values().collect(),
                Some(Variable::Table(_)) => return Variable::Text(cause.to_string()),
            };
            merged = Some(match merged {
                None => words,
                Some(before) => self.merge_words(&before, &words, cause),
            });
        }
        let words = merged.unwrap_or_default();
        match listed {
            true => Variable::List((0..).zip(words).collect()),
            false => Variable::Text(words.join(" ")),
        }
    }

    fn merge_words(&mut self, first: &[String], second: &[String], cause: char) -> Vec<String> {
        let mut words = Vec::new();
        let (mut left, mut right) = (0, 0);
        let places = self.alike_places(first, second);
        for (next_left, next_right) in places.into_iter().chain([(first.len(), second.len())]) {
            let between = [&first[left..next_left], &second[right..next_right]].concat();
            if !between.is_empty() {
                words.push(self.result.holes.branch_character(cause, between).to_string());
            }
            words.extend(first.get(next_left).cloned());
            (left, right) = (next_left + 1, next_right + 1);
        }
        words
    }

    /// Places of the most words that two lists have alike, in the order of both.
    fn alike_places(&mut self, first: &[String], second: &[String]) -> Vec<(usize, usize)> {
        const LARGEST: usize = 1 << 16;
        let shorter = first.len().min(second.len());
        let before = (0..shorter).take_while(|at| first[*at] == second[*at]).count();
        let from_end = |at: &usize| first[first.len() - 1 - at] == second[second.len() - 1 - at];
        let behind = (0..shorter - before).take_while(from_end).count();
        let (rows, columns) = (first.len() - before - behind, second.len() - before - behind);
        let mut places: Vec<(usize, usize)> = (0..before).map(|at| (at, at)).collect();
        if rows * columns <= LARGEST && self.spend_budget(rows * columns) {
            // The most alike words from each pair of places on.
            let mut counts = vec![vec![0_u32; columns + 1]; rows + 1];
            let same = |row: usize, column: usize| first[before + row] == second[before + column];
            for row in (0..rows).rev() {
                for column in (0..columns).rev() {
                    counts[row][column] = match same(row, column) {
                        true => counts[row + 1][column + 1] + 1,
                        false => counts[row + 1][column].max(counts[row][column + 1]),
                    };
                }
            }
            let (mut row, mut column) = (0, 0);
            while row < rows && column < columns {
                if same(row, column) {
                    places.push((before + row, before + column));
                    (row, column) = (row + 1, column + 1);
                } else if counts[row + 1][column] >= counts[row][column + 1] {
                    row += 1;
                } else {
                    column += 1;
                }
            }
        }
        let ends = (first.len() - behind..first.len()).zip(second.len() - behind..second.len());
        places.extend(ends);
        places
    }
}

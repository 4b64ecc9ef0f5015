//! Commands of the shell itself, and the few programs whose output is a matter of words.

use std::collections::BTreeMap;

use super::evaluator::Shell;
use super::holes::{HoleKind, has_hole};
use super::state::{Flow, Hidden, Outcome, Status, Variable};
use super::syntax::{Assigned, Assignment, Word};

impl Shell<'_> {
    pub(super) fn declares_names(name: &str) -> bool {
        matches!(name, "export" | "declare" | "local" | "readonly" | "typeset")
    }

    /// A function begins: its local names will be noted.
    pub(super) fn begin_locals(&mut self) -> Hidden {
        std::mem::take(&mut self.hidden)
    }

    /// A function ends: names that it declared have their values back.
    pub(super) fn end_locals(&mut self, before: Hidden) {
        for (name, value) in std::mem::replace(&mut self.hidden, before).into_iter().rev() {
            match value {
                Some(value) => drop(self.state.variables.insert(name, value)),
                None => drop(self.state.variables.remove(&name)),
            }
        }
    }

    /// `export`, `local` and their like.
    pub(super) fn declare_names(
        &mut self,
        words: &[String],
        assignments: &[Assignment],
    ) -> Outcome {
        // Values are worked out before any name is declared.
        let settle = |assignment: &Assignment| {
            let mut settled = assignment.clone();
            if let Assigned::Text(word) = &assignment.value {
                let mut whole = Word::default();
                whole.push_literal(&self.expand_text(word), true);
                settled.value = Assigned::Text(whole);
            }
            settled
        };
        let assignments: Vec<Assignment> = assignments.iter().map(settle).collect();
        let has = |letter: char| {
            let options = words.iter().skip(1).filter(|word| word.starts_with('-'));
            options.into_iter().any(|word| word.contains(letter))
        };
        let local = self.state.calls > 0
            && matches!(words[0].as_str(), "local" | "declare" | "typeset")
            && !has('g');
        let bare: Vec<&String> =
            words.iter().skip(1).filter(|word| !word.starts_with(['-', '+'])).collect();
        let named = assignments.iter().map(|assignment| &assignment.name);
        // A name that only a value tells: `export "$X=1"`.
        let split = |word: &String| {
            word.split_once('=').map(|(name, text)| (name.to_owned(), text.to_owned()))
        };
        for name in named.chain(bare.iter().copied()) {
            let name = name.split('=').next().unwrap_or_default();
            if local {
                self.hidden.push((name.to_owned(), self.state.variables.remove(name)));
            }
            if has('A') && !self.state.variables.contains_key(name) {
                let table = Variable::Table(BTreeMap::new());
                self.state.variables.insert(name.to_owned(), table);
            }
            if has('a') && !self.state.variables.contains_key(name) {
                let list = Variable::List(BTreeMap::new());
                self.state.variables.insert(name.to_owned(), list);
            }
            if local && !self.state.variables.contains_key(name) {
                self.state.variables.insert(name.to_owned(), Variable::Text(String::new()));
            }
        }
        for word in bare {
            if let Some((name, text)) = split(word) {
                self.assign_text(&name, text);
            }
        }
        for assignment in &assignments {
            self.assign_value(assignment);
            let name = assignment.name.as_str();
            if has('i') {
                let text = self.first_value(name).unwrap_or_default();
                let text = self.sum_text(&text);
                self.assign_text(name, text);
            }
            if has('n') {
                let hole = self.make_hole(HoleKind::Variable(name.to_owned()));
                self.state.variables.insert(name.to_owned(), Variable::Text(hole));
            }
        }
        Outcome::success()
    }

    /// A command that is no program, or one whose output is known; `None` of any other.
    pub(super) fn run_builtin(&mut self, words: &[String]) -> Option<Outcome> {
        let rest = &words[1..];
        let outcome = match words[0].as_str() {
            ":" | "true" | "set" if rest.is_empty() => Outcome::success(),
            ":" | "true" | "trap" | "ulimit" | "shopt" | "wait" | "mkdir" | "sleep" | "hash"
            | "alias" | "umask" => Outcome::success(),
            "false" => Outcome::new(Status::Failure),
            "set" => {
                if let Some(at) = rest.iter().position(|word| word == "--") {
                    self.state.arguments = rest[at + 1..].to_vec();
                    self.state.arguments_set = true;
                }
                Outcome::success()
            }
            "echo" => self.run_echo(rest),
            "printf" => self.run_printf(rest),
            "unset" => {
                for name in rest.iter().filter(|word| !word.starts_with('-')) {
                    self.unset_name(name);
                }
                Outcome::success()
            }
            "shift" => self.shift_arguments(rest),
            "eval" => {
                let text = rest.join(" ");
                self.run_text(&text)
            }
            "source" | "." => {
                let (path, arguments) = rest.split_first()?;
                self.source_file(path, arguments)
            }
            "exit" => Outcome::leave_by(Flow::Exit),
            "return" => Outcome {
                flow: Flow::Return,
                status: Status::from_bool(rest.first().is_none_or(|code| code == "0")),
            },
            "break" => Outcome::leave_by(Flow::Break),
            "continue" => Outcome::leave_by(Flow::Continue),
            "cd" | "pushd" => {
                if let Some(path) = rest.iter().find(|word| !word.starts_with("--")) {
                    self.state.folder = join_paths(&self.state.folder, path);
                }
                Outcome::success()
            }
            "pwd" => self.print_line(&self.state.folder.clone()),
            "test" => Outcome::new(self.words_status(rest)),
            "[" => {
                let end = rest.len() - usize::from(rest.last().is_some_and(|word| word == "]"));
                Outcome::new(self.words_status(&rest[..end]))
            }
            "let" => {
                let mut last = Status::Success;
                for text in rest {
                    last = self.sum_status(text);
                }
                Outcome::new(last)
            }
            "read" | "mapfile" | "readarray" => self.read_names(rest),
            "expr" => {
                let text = rest.join(" ");
                let value = self.sum_text(&text);
                self.print_line(&value)
            }
            "bc" if self.state.input.is_some() => {
                let text = self.state.input.take().unwrap_or_default();
                let value = self.sum_text(text.trim());
                self.print_line(&value)
            }
            "cat" if rest.is_empty() && self.state.input.is_some() => {
                let text = self.state.input.take().unwrap_or_default();
                self.print_text(&text);
                Outcome::success()
            }
            "grep" if rest.iter().any(|word| word == "-q") => {
                let text = self.state.input.take()?;
                let plain = |c: char| c.is_ascii_alphanumeric() || " -_=/,:".contains(c);
                let mut words =
                    rest.iter().filter(|word| !["-q", "-F", "-E", "--"].contains(&word.as_str()));
                let pattern = words.next().filter(|word| word.chars().all(plain))?;
                let found = text.contains(pattern.as_str());
                let known = words.next().is_none() && (found || !has_hole(&text));
                Outcome::new(if known { Status::from_bool(found) } else { return None })
            }
            "seq" if self.state.output.is_some() => self.run_seq(rest),
            "basename" | "dirname" | "realpath" | "readlink" if self.state.output.is_some() => {
                self.run_path_program(&words[0], rest)
            }
            _ => return None,
        };
        Some(outcome)
    }

    fn print_line(&mut self, text: &str) -> Outcome {
        self.print_text(text);
        self.print_text("\n");
        Outcome::success()
    }

    fn run_echo(&mut self, words: &[String]) -> Outcome {
        let is_option = |word: &&String| {
            word.len() > 1 && word.starts_with('-') && word[1..].chars().all(|c| "neE".contains(c))
        };
        let options: Vec<&String> = words.iter().take_while(is_option).collect();
        let has = |letter: char| options.iter().any(|word| word.contains(letter));
        let text = words[options.len()..].join(" ");
        let text = if has('e') { unescape_text(&text) } else { text };
        self.print_text(&text);
        if !has('n') {
            self.print_text("\n");
        }
        Outcome::success()
    }

    fn run_printf(&mut self, words: &[String]) -> Outcome {
        let (name, words) = match words {
            [option, name, rest @ ..] if option == "-v" => (Some(name.clone()), rest),
            _ => (None, words),
        };
        let Some((format, words)) = words.split_first() else { return Outcome::success() };
        let format = unescape_text(format);
        let plain = format.replace("%%", "").replace("%s", "").replace("%d", "");
        let text = match plain.contains('%') {
            true => self.make_hole(HoleKind::Command("printf".to_owned())),
            false => format_words(&format, words),
        };
        match name {
            Some(name) => self.assign_text(&name, text),
            None => self.print_text(&text),
        }
        Outcome::success()
    }

    fn unset_name(&mut self, name: &str) {
        let Some((name, index)) = name.strip_suffix(']').and_then(|name| name.split_once('['))
        else {
            self.state.variables.remove(name);
            return;
        };
        let at = self.sum_of(index).and_then(|at| u64::try_from(at).ok());
        match self.state.variables.get_mut(name) {
            Some(Variable::List(list)) => drop(at.and_then(|at| list.remove(&at))),
            Some(Variable::Table(table)) => drop(table.remove(index)),
            _ => {}
        }
    }

    fn shift_arguments(&mut self, words: &[String]) -> Outcome {
        let count = words.first().map_or(Ok(1), |word| word.parse::<usize>());
        let Ok(count) = count else { return Outcome::success() };
        if count > self.state.arguments.len() {
            let open = !self.state.arguments_set && self.state.arguments.is_empty();
            if open {
                self.state.shifted = self.state.shifted.saturating_add(count);
            }
            return Outcome::new(Status::from_bool(open));
        }
        self.state.arguments.drain(..count);
        if !self.state.arguments_set {
            self.state.shifted += count;
        }
        Outcome::success()
    }

    /// Names that are read from elsewhere: a text that is known goes to the last of them.
    fn read_names(&mut self, words: &[String]) -> Outcome {
        let names: Vec<&String> = words.iter().filter(|word| !word.starts_with('-')).collect();
        let whole = words.iter().any(|word| word.starts_with('-') && word.contains('d'));
        let plain = words
            .iter()
            .all(|word| !word.starts_with('-') || ["-r", "-d"].contains(&word.as_str()));
        let input = self.state.input.take();
        for name in names.iter().filter(|name| !name.is_empty()) {
            let text = match &input {
                Some(text) if names.len() <= 2 && plain && whole => text.trim().to_owned(),
                _ => self.make_hole(HoleKind::Variable((*name).clone())),
            };
            self.assign_text(name, text);
        }
        Outcome::new(Status::Unknown(String::new()))
    }

    fn run_seq(&mut self, words: &[String]) -> Outcome {
        let words: Vec<&String> = words.iter().filter(|word| !word.starts_with("-w")).collect();
        let numbers: Option<Vec<i64>> = words.iter().map(|word| word.parse().ok()).collect();
        let (first, step, last) = match numbers.as_deref() {
            Some([last]) => (1, 1, *last),
            Some([first, last]) => (*first, 1, *last),
            Some([first, step, last]) if *step != 0 => (*first, *step, *last),
            _ => {
                let hole = self.make_hole(HoleKind::Command("seq".to_owned()));
                return self.print_line(&hole);
            }
        };
        let mut number = first;
        for _ in 0..1_000 {
            if step > 0 && number > last || step < 0 && number < last {
                break;
            }
            self.print_line(&number.to_string());
            let Some(next) = number.checked_add(step) else { break };
            number = next;
        }
        Outcome::success()
    }

    fn run_path_program(&mut self, name: &str, words: &[String]) -> Outcome {
        let words: Vec<&String> = words.iter().filter(|word| !word.starts_with('-')).collect();
        let Some(path) = words.first().copied() else { return Outcome::success() };
        let known = |path: &str| path.trim_end_matches('/').to_owned();
        let text = match name {
            // The folder of what is not known may be, and its last part too.
            _ if has_hole(path) && name != "realpath" && name != "readlink" => path.clone(),
            "basename" => {
                let whole = known(path);
                let last = whole.rsplit('/').next().unwrap_or_default();
                let suffix = words.get(1).map_or("", |word| word.as_str());
                let cut = last.strip_suffix(suffix).filter(|rest| !rest.is_empty());
                cut.unwrap_or(last).to_owned()
            }
            "dirname" => match known(path).rsplit_once('/') {
                Some(("", _)) => "/".to_owned(),
                Some((folder, _)) => folder.trim_end_matches('/').to_owned(),
                None => ".".to_owned(),
            },
            _ => path.clone(),
        };
        self.print_line(&text)
    }
}

/// A path seen from a folder.
fn join_paths(folder: &str, path: &str) -> String {
    match path {
        _ if path.starts_with('/') || has_hole(path) => path.to_owned(),
        "." | "" => folder.to_owned(),
        _ => format!("{}/{path}", folder.trim_end_matches('/')),
    }
}

/// `\n` and `\t` as what they stand for.
fn unescape_text(text: &str) -> String {
    let mut out = String::new();
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match (character, character == '\\') {
            (_, false) => out.push(character),
            _ => match characters.next() {
                Some('n') => out.push('\n'),
                Some('t') => out.push('\t'),
                Some('\\') | None => out.push('\\'),
                Some(other) => out.extend(['\\', other]),
            },
        }
    }
    out
}

/// A format with its words, from the start again while there are more.
fn format_words(format: &str, words: &[String]) -> String {
    let mut out = String::new();
    let mut words = words.iter();
    let takes = format.replace("%%", "").contains('%');
    loop {
        let mut characters = format.chars();
        while let Some(character) = characters.next() {
            if character != '%' {
                out.push(character);
                continue;
            }
            match characters.next() {
                Some('%') => out.push('%'),
                Some('d') => out.push_str(words.next().map_or("0", |word| word.as_str())),
                _ => out.push_str(words.next().map_or("", |word| word.as_str())),
            }
        }
        if !takes || words.len() == 0 {
            return out;
        }
    }
}

//! Simple commands: functions of the script, commands of the shell, files that it sources, and
//! programs, of which the words are kept and nothing is run.

use super::evaluation::Command;
use super::evaluator::{DEEPEST, Shell};
use super::holes::{HoleKind, has_hole, without_holes};
use super::parser::parse_script;
use super::state::{Flow, Outcome, Status};
use super::syntax::{Assignment, Node, Word};

impl Shell<'_> {
    pub(super) fn run_simple(
        &mut self,
        node: &Node,
        assignments: &[Assignment],
        words: &[Word],
    ) -> Outcome {
        let mut fields: Vec<String> = Vec::new();
        for word in words {
            fields.extend(self.expand_fields(word));
        }
        self.line = node.line;
        let before = self.state.input.clone();
        if let Some(document) = &node.redirection.document {
            let text = self.expand_text(document);
            let target = node.redirection.output.as_ref().map(|word| self.expand_text(word));
            if self.spend_budget(text.len())
                && text.contains('\n')
                && self.result.documents.len() < 64
            {
                self.result.documents.push((target.unwrap_or_default(), text.clone()));
            }
            self.state.input = Some(text);
        }
        let elsewhere = node.redirection.output.is_some();
        let output = if elsewhere { self.state.output.take() } else { None };
        let outcome = self.run_words(assignments, fields);
        if elsewhere {
            self.state.output = output;
        }
        self.state.input = before;
        outcome
    }

    fn run_words(&mut self, assignments: &[Assignment], fields: Vec<String>) -> Outcome {
        let Some(name) = fields.first().cloned() else {
            assignments.iter().for_each(|assignment| self.assign_value(assignment));
            return Outcome::success();
        };
        if Self::declares_names(&name) {
            return self.declare_names(&fields, assignments);
        }
        // Set for the command alone.
        let mut before = Vec::new();
        for assignment in assignments {
            let name = assignment.name.clone();
            before.push((name.clone(), self.state.variables.get(&name).cloned()));
            self.assign_value(assignment);
        }
        let outcome = if let Some(body) = self.state.functions.get(&name).cloned() {
            self.call_function(&body, fields)
        } else if let Some(outcome) = self.run_builtin(&fields) {
            outcome
        } else {
            self.run_program(fields)
        };
        for (name, value) in before.into_iter().rev() {
            match value {
                Some(value) => drop(self.state.variables.insert(name, value)),
                None => drop(self.state.variables.remove(&name)),
            }
        }
        outcome
    }

    fn call_function(&mut self, body: &Node, fields: Vec<String>) -> Outcome {
        let arguments = fields.into_iter().skip(1).collect();
        let arguments = std::mem::replace(&mut self.state.arguments, arguments);
        let were_set = std::mem::replace(&mut self.state.arguments_set, true);
        let calls = self.state.calls;
        self.state.calls += 1;
        let hidden = self.begin_locals();
        let call = self.call.replace(self.call.unwrap_or(self.line));
        let outcome = self.run_node(body);
        self.call = call;
        self.end_locals(hidden);
        self.state.calls = calls;
        self.state.arguments = arguments;
        self.state.arguments_set = were_set;
        match outcome.flow {
            Flow::Exit => outcome,
            _ => Outcome::new(outcome.status),
        }
    }

    /// A program: nothing is run. Its words are kept, and a script among them is gone through.
    fn run_program(&mut self, fields: Vec<String>) -> Outcome {
        let length = fields.iter().map(|word| word.len() + 24).sum();
        if !self.spend_budget(length) {
            return Outcome::leave_by(Flow::Exit);
        }
        let name = self.result.holes.shown_text(&fields[0]);
        let output = self.make_hole(HoleKind::Command(name));
        self.print_text(&output);
        let script = script_of_words(&fields)
            .or_else(|| remote_command(&fields))
            .or_else(|| self.script_of_input(&fields[0]));
        let command = Command {
            words: fields.clone(),
            place: self.present_place(),
            launcher: self.launcher.clone(),
            doubts: self.doubts.concat(),
            call: self.call.unwrap_or(self.line),
            turns: self.turns.clone(),
        };
        self.result.commands.push(command);
        if let Some((text, arguments)) = script {
            let launcher = std::mem::replace(&mut self.launcher, fields);
            self.run_apart(|shell| {
                shell.state.arguments = arguments;
                shell.state.arguments_set = true;
                shell.run_text(&text)
            });
            self.launcher = launcher;
        }
        Outcome::new(Status::Unknown(String::new()))
    }

    /// The script that a program reads from a here-document.
    fn script_of_input(&mut self, program: &str) -> Option<(String, Vec<String>)> {
        let reads = ["sbatch", "bash", "sh"].contains(&program);
        Some((self.state.input.take().filter(|_| reads)?, Vec::new()))
    }

    /// A text as a script, on the present line.
    pub(super) fn run_text(&mut self, text: &str) -> Outcome {
        if !self.spend_budget(text.len()) {
            return Outcome::leave_by(Flow::Exit);
        }
        let (nodes, wrong) = parse_script(text, Some(self.line));
        self.note_wrong_lines(&wrong);
        self.run_nodes(&nodes)
    }

    /// A file that the script sources.
    pub(super) fn source_file(&mut self, path: &str, arguments: &[String]) -> Outcome {
        let tried = [format!("{}/{path}", self.state.folder), path.to_owned()];
        let found = tried.iter().filter(|path| !has_hole(path)).find_map(|path| {
            let path = inside_path(path)?;
            Some(((self.input.read_file)(&path)?, path))
        });
        // One that stands elsewhere may be among those that the user names.
        let found = found.or_else(|| {
            let name = path.rsplit('/').next().filter(|name| !has_hole(name))?;
            let elsewhere = format!("../{name}");
            Some(((self.input.read_file)(&elsewhere)?, elsewhere))
        });
        let Some((text, file)) = found else {
            let shown = self.result.holes.shown_text(path);
            let place = self.present_place();
            if !self.result.missing.iter().any(|(name, _)| *name == shown) {
                self.result.missing.push((shown, place));
            }
            return Outcome::new(Status::Unknown(String::new()));
        };
        let (nodes, wrong) = parse_script(&without_holes(&text), None);
        if !self.spend_budget(text.len()) || self.files.len() > DEEPEST {
            return Outcome::leave_by(Flow::Exit);
        }
        let line = self.line;
        self.files.push(file);
        self.note_wrong_lines(&wrong);
        let before = (!arguments.is_empty())
            .then(|| std::mem::replace(&mut self.state.arguments, arguments.to_vec()));
        let outcome = self.run_nodes(&nodes);
        if let Some(before) = before {
            self.state.arguments = before;
        }
        self.files.pop();
        self.line = line;
        match outcome.flow {
            Flow::Exit => outcome,
            _ => Outcome::new(outcome.status),
        }
    }
}

/// The script among the words of a program: `bash -c TEXT`, behind a launcher or not.
fn script_of_words(words: &[String]) -> Option<(String, Vec<String>)> {
    let is_shell = |word: &&String| {
        let name = word.rsplit('/').next().unwrap_or_default();
        ["bash", "sh", "zsh", "dash"].contains(&name)
    };
    let at = words.iter().position(|word| is_shell(&word))?;
    let mut rest = words[at + 1..].iter();
    loop {
        let word = rest.next()?;
        if !word.starts_with('-') {
            return None;
        }
        if !word.starts_with("--") && word.contains('c') {
            let text = rest.next()?.clone();
            return Some((text, rest.skip(1).cloned().collect()));
        }
    }
}

/// The command that a program starts elsewhere, as one word: `ssh HOST "…"`, `sbatch --wrap "…"`.
fn remote_command(words: &[String]) -> Option<(String, Vec<String>)> {
    const STARTERS: [&str; 8] =
        ["ssh", "pdsh", "pssh", "clush", "tmux", "screen", "sbatch", "parallel-ssh"];
    let name = words.first()?.rsplit('/').next()?;
    let text = words[1..].iter().rev().find(|word| word.trim().contains(' '))?;
    let text = text.strip_prefix("--wrap=").unwrap_or(text);
    STARTERS.contains(&name).then(|| (text.to_owned(), Vec::new()))
}

/// A path below the folder of the script, without `.` and `..`; `None` where it leaves it.
fn inside_path(path: &str) -> Option<String> {
    let mut parts: Vec<&str> = Vec::new();
    if path.starts_with('/') {
        return None;
    }
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            name => parts.push(name),
        }
    }
    (!parts.is_empty()).then(|| parts.join("/"))
}

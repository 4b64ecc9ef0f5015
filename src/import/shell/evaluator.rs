//! Goes through the tree of a script without running anything. What it costs is bounded: steps and
//! texts are paid for, and what is left unpaid is given up.

use std::rc::Rc;

use super::evaluation::{Evaluation, ScriptInput};
use super::holes::{HoleKind, Place, has_hole};
use super::parser::parse_script;
use super::state::{Flow, Hidden, Outcome, State, Status, Variable};
use super::syntax::{Node, NodeKind, Word};

/// How deep calls, branches and scripts in scripts are followed.
pub(super) const DEEPEST: usize = 48;
/// What all steps and texts of a script may cost together, in bytes.
const BUDGET: usize = 8 << 20;
/// What a step costs.
pub(super) const STEP: usize = 256;

/// A script that is being gone through.
pub(super) struct Shell<'a> {
    pub(super) input: &'a ScriptInput<'a>,
    pub(super) state: State,
    pub(super) result: Evaluation,
    pub(super) files: Vec<String>,
    pub(super) line: usize,
    left: usize,
    pub(super) depth: usize,
    /// Holes of the conditions that the present command hangs on.
    pub(super) doubts: Vec<String>,
    /// Local names of the functions that are open, with their values before.
    pub(super) hidden: Hidden,
    /// Words of the launchers around the present script.
    pub(super) launcher: Vec<String>,
    /// The line of the outermost call that is open.
    pub(super) call: Option<usize>,
    /// Names of the loops that are open, with their words.
    pub(super) turns: Vec<(String, String)>,
}

impl<'a> Shell<'a> {
    pub(super) fn new(input: &'a ScriptInput<'a>) -> Self {
        let mut shell = Self {
            input,
            state: State { folder: ".".to_owned(), ..State::default() },
            result: Evaluation::default(),
            files: Vec::new(),
            line: 1,
            left: BUDGET,
            depth: 0,
            doubts: Vec::new(),
            hidden: Vec::new(),
            launcher: Vec::new(),
            call: None,
            turns: Vec::new(),
        };
        shell.state.arguments = input.arguments.to_vec();
        for (name, value) in input.preset.iter().chain(input.environment) {
            shell.state.variables.insert(name.clone(), Variable::Text(value.clone()));
        }
        shell
    }

    /// Goes through a whole script.
    pub(super) fn run_script(mut self, text: &str) -> Evaluation {
        let (nodes, wrong) = parse_script(text, None);
        self.note_wrong_lines(&wrong);
        let outcome = self.run_nodes(&nodes);
        if outcome.flow == Flow::Exit {
            self.result.stopped = Some(self.present_place());
        }
        self.result.exhausted = self.left == 0;
        for (name, value) in std::mem::take(&mut self.state.variables) {
            let words = match value {
                Variable::Text(text) => text.split_whitespace().map(str::to_owned).collect(),
                Variable::List(list) => list.into_values().collect(),
                Variable::Table(_) => continue,
            };
            self.result.lists.insert(name, words);
        }
        self.result
    }

    pub(super) fn note_wrong_lines(&mut self, lines: &[usize]) {
        for line in lines.iter().take(8) {
            let place = Place { line: *line, ..self.present_place() };
            self.result.unreadable.push(place);
        }
    }

    pub(super) fn present_place(&self) -> Place {
        Place { file: self.files.last().cloned(), line: self.line }
    }

    pub(super) fn set_line(&mut self, line: usize) {
        self.line = line;
    }

    /// Pays for work; false where there is nothing left.
    pub(super) fn spend_budget(&mut self, cost: usize) -> bool {
        let (left, fits) = (self.left.saturating_sub(cost), self.left > cost);
        self.left = left;
        fits
    }

    pub(super) fn make_hole(&mut self, kind: HoleKind) -> String {
        let place = self.present_place();
        self.result.holes.hole_character(kind, &place).to_string()
    }

    pub(super) fn note_default(&mut self, name: &str, word: &Word) {
        let text = self.expand_text(word);
        let plain = name.parse::<usize>().is_err() && !has_hole(&text);
        if plain && self.result.defaults.len() < 100 {
            self.result.defaults.entry(name.to_owned()).or_insert(text);
        }
    }

    pub(super) fn script_name(&self) -> String {
        format!("./{}", self.input.name)
    }

    pub(super) fn current_file(&self) -> String {
        self.files.last().map_or_else(|| self.script_name(), |file| format!("./{file}"))
    }

    pub(super) fn run_nodes(&mut self, nodes: &[Node]) -> Outcome {
        let mut last = Outcome::success();
        for node in nodes {
            last = self.run_node(node);
            if last.flow != Flow::Next {
                break;
            }
        }
        last
    }

    pub(super) fn run_node(&mut self, node: &Node) -> Outcome {
        if !self.spend_budget(STEP) {
            return Outcome::leave_by(Flow::Exit);
        }
        if self.depth >= DEEPEST {
            return Outcome::new(Status::Unknown(String::new()));
        }
        self.depth += 1;
        self.line = node.line;
        let outcome = self.run_kind(node);
        self.depth -= 1;
        outcome
    }

    fn run_kind(&mut self, node: &Node) -> Outcome {
        match &node.kind {
            NodeKind::Simple { assignments, words } => self.run_simple(node, assignments, words),
            NodeKind::Pipeline { stages, negated } => {
                let outcome = self.run_pipeline(stages);
                if !negated {
                    outcome
                } else {
                    Outcome { status: outcome.status.negate_status(), ..outcome }
                }
            }
            NodeKind::Chain { first, rest } => {
                let outcome = self.run_node(first);
                self.run_chain(outcome, rest)
            }
            NodeKind::Group(body) => self.run_redirected(node, body),
            NodeKind::Subshell(body) => self.run_apart(|shell| shell.run_redirected(node, body)),
            NodeKind::If { arms, otherwise } => self.run_if(arms, otherwise),
            NodeKind::Case { word, arms } => self.run_case(word, arms),
            NodeKind::For { name, list, body } => self.run_for(name, list.as_deref(), body),
            NodeKind::Count { header, body } => self.run_count(header, body),
            NodeKind::While { until, condition, body } => self.run_while(*until, condition, body),
            NodeKind::Function { name, body } => {
                self.state.functions.insert(name.clone(), Rc::clone(body));
                Outcome::success()
            }
            NodeKind::Arithmetic(expression) => {
                let text = self.expand_text(expression);
                Outcome::new(self.sum_status(&text))
            }
            NodeKind::Test(test) => Outcome::new(self.test_status(test)),
        }
    }

    pub(super) fn sum_status(&mut self, text: &str) -> Status {
        match self.sum_of(text) {
            Some(value) => Status::from_bool(value != 0),
            None => Status::Unknown(self.hole_of_sum(text)),
        }
    }

    /// Commands whose output may go elsewhere.
    fn run_redirected(&mut self, node: &Node, body: &[Node]) -> Outcome {
        if node.redirection.output.is_none() {
            return self.run_nodes(body);
        }
        let before = self.state.output.take();
        let outcome = self.run_nodes(body);
        self.state.output = before;
        outcome
    }

    /// Something in a shell of its own: what it sets is lost, what it prints is not.
    pub(super) fn run_apart(&mut self, run: impl FnOnce(&mut Self) -> Outcome) -> Outcome {
        let before = self.copy_state();
        let outcome = run(self);
        let output = self.state.output.take();
        self.state = before;
        self.state.output = output;
        Outcome::new(outcome.status)
    }

    pub(super) fn copy_state(&mut self) -> State {
        if self.spend_budget(self.state.byte_count()) {
            self.state.clone()
        } else {
            State::default()
        }
    }

    /// What commands print, without the ends of lines behind it.
    pub(super) fn capture_output(&mut self, body: &[Node]) -> String {
        let line = self.line;
        let before = self.copy_state();
        self.state.output = Some(String::new());
        self.run_nodes(body);
        let output = self.state.output.take().unwrap_or_default();
        self.state = before;
        self.line = line;
        output.trim_end_matches('\n').to_owned()
    }

    pub(super) fn print_text(&mut self, text: &str) {
        let fits = self.state.output.is_some() && self.spend_budget(text.len());
        if let Some(output) = self.state.output.as_mut().filter(|_| fits) {
            output.push_str(text);
        }
    }

    fn run_pipeline(&mut self, stages: &[Node]) -> Outcome {
        let mut input = self.state.input.clone();
        let mut last = Outcome::success();
        for (at, stage) in stages.iter().enumerate() {
            let before = self.copy_state();
            let is_last = at + 1 == stages.len();
            if !is_last {
                self.state.output = Some(String::new());
            }
            self.state.input = input.take();
            last = self.run_node(stage);
            let output = self.state.output.take();
            self.state = before;
            match is_last {
                true => self.state.output = output,
                false => input = output,
            }
        }
        Outcome::new(last.status)
    }
}

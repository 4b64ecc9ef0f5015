//! Branches and loops. What hangs on something unknown is gone through in all ways on copies, of
//! which what agrees is kept.

use super::evaluator::{DEEPEST, STEP, Shell};
use super::holes::{HoleKind, has_hole, only_holes};
use super::pattern::Pattern;
use super::state::{Flow, Outcome, State, Status, Variable};
use super::syntax::{Body, CaseArm, Node, Word};

/// Turns of a loop that are followed.
const MOST_TURNS: usize = 256;

/// One way that a script may go.
type Way<'w, 'a> = &'w mut dyn FnMut(&mut Shell<'a>) -> Outcome;

impl<'a> Shell<'a> {
    pub(super) fn run_chain(&mut self, first: Outcome, rest: &[(bool, Node)]) -> Outcome {
        let mut outcome = first;
        for (and, node) in rest {
            if outcome.flow != Flow::Next {
                break;
            }
            outcome = match outcome.status {
                Status::Success if !and => Outcome::success(),
                Status::Failure if *and => Outcome::new(Status::Failure),
                Status::Unknown(causes) => {
                    let other = Status::from_bool(!and);
                    self.run_ways(
                        &causes,
                        &mut [&mut |shell| shell.run_node(node), &mut |_| {
                            Outcome::new(other.clone())
                        }],
                    )
                }
                _ => self.run_node(node),
            };
        }
        outcome
    }

    pub(super) fn run_if(&mut self, arms: &[(Body, Body)], otherwise: &[Node]) -> Outcome {
        let mut arms = arms;
        let (outcome, body, rest) = loop {
            let Some(((condition, body), rest)) = arms.split_first() else {
                return self.run_nodes(otherwise);
            };
            let outcome = self.run_nodes(condition);
            if outcome.flow != Flow::Next || outcome.status != Status::Failure {
                break (outcome, body, rest);
            }
            arms = rest;
        };
        match outcome.status {
            _ if outcome.flow != Flow::Next => outcome,
            Status::Success | Status::Failure => self.run_nodes(body),
            Status::Unknown(_) if !self.spend_budget(STEP) => Outcome::leave_by(Flow::Exit),
            Status::Unknown(causes) => {
                self.depth += 1;
                let deep = self.depth >= DEEPEST;
                let outcome = self.run_ways(
                    &causes,
                    &mut [&mut |shell| shell.run_nodes(body), &mut |shell| match deep {
                        true => Outcome::success(),
                        false => shell.run_if(rest, otherwise),
                    }],
                );
                self.depth -= 1;
                outcome
            }
        }
    }

    pub(super) fn run_case(&mut self, word: &Word, arms: &[CaseArm]) -> Outcome {
        let text = self.expand_text(word);
        let characters: Vec<char> = text.chars().collect();
        let mut unsure: Vec<&CaseArm> = Vec::new();
        let (mut through, mut closed) = (false, false);
        for arm in arms {
            let mut status = Status::from_bool(std::mem::take(&mut through));
            for pattern in &arm.patterns {
                let pattern = self.expand_pattern(pattern);
                if has_hole(&text) && pattern != "*" || has_hole(&pattern) {
                    let plain = pattern.replace('\\', "");
                    self.result.holes.note_compared(&text, &plain);
                    status = Status::Unknown(String::new());
                } else if status == Status::Failure
                    && self.spend_budget(characters.len() + pattern.len())
                    && Pattern::new(&pattern).matches_text(&characters)
                {
                    status = Status::Success;
                }
            }
            match status {
                Status::Failure => continue,
                Status::Unknown(_) => unsure.push(arm),
                Status::Success if unsure.is_empty() => {
                    let outcome = self.run_nodes(&arm.body);
                    if outcome.flow != Flow::Next || !arm.falls_through {
                        return outcome;
                    }
                    through = true;
                }
                Status::Success => {
                    unsure.push(arm);
                    closed = true;
                    break;
                }
            }
        }
        if unsure.is_empty() {
            return Outcome::success();
        }
        let mut bodies: Vec<_> = unsure
            .into_iter()
            .map(|arm| move |shell: &mut Shell<'a>| shell.run_nodes(&arm.body))
            .collect();
        let mut none = |_: &mut Shell<'a>| Outcome::success();
        let mut ways: Vec<Way<'_, 'a>> = Vec::new();
        for body in &mut bodies {
            ways.push(body);
        }
        if !closed {
            ways.push(&mut none);
        }
        self.run_ways(&text, &mut ways)
    }

    /// Goes all of some ways on copies, and keeps what they agree on.
    fn run_ways(&mut self, causes: &str, ways: &mut [Way<'_, 'a>]) -> Outcome {
        let causes = only_holes(causes);
        let before = self.copy_state();
        let line = self.line;
        self.doubts.push(causes.clone());
        let mut ends: Vec<(State, Outcome)> = Vec::new();
        for way in ways {
            self.spend_budget(before.byte_count());
            self.state = before.clone();
            let outcome = way(self);
            ends.push((std::mem::take(&mut self.state), outcome));
        }
        self.doubts.pop();
        self.line = line;
        // A script that ends says nothing of what it would have gone on with.
        if ends.iter().any(|(_, outcome)| outcome.flow != Flow::Exit) {
            ends.retain(|(_, outcome)| outcome.flow != Flow::Exit);
        }
        let flow = ends[0].1.flow;
        let flow = if ends.iter().all(|(_, end)| end.flow == flow) { flow } else { Flow::Next };
        let status = ends[0].1.status.clone();
        let alike = ends.iter().all(|(_, end)| end.status == status);
        let status = if alike { status } else { Status::Unknown(causes.clone()) };
        self.state = self.merge_states(ends.into_iter().map(|(state, _)| state).collect(), &causes);
        Outcome { flow, status }
    }

    pub(super) fn run_for(&mut self, name: &str, list: Option<&[Word]>, body: &[Node]) -> Outcome {
        let words: Vec<String> = match list {
            Some(list) => list.iter().flat_map(|word| self.expand_fields(word)).collect(),
            None => self.state.arguments.clone(),
        };
        let stated = self.input.environment.get(name).filter(|stated| words.contains(stated));
        let words = stated.map_or(words.clone(), |stated| vec![stated.clone()]);
        if words.len() > MOST_TURNS {
            let hole = self.make_hole(HoleKind::Variable(name.to_owned()));
            self.state.variables.insert(name.to_owned(), Variable::Text(hole.clone()));
            return self.run_once(&hole, body);
        }
        let mut last = Outcome::success();
        for word in words {
            self.turns.push((name.to_owned(), word.clone()));
            self.assign_text(name, word);
            last = self.run_nodes(body);
            self.turns.pop();
            match last.flow {
                Flow::Break => return Outcome::new(last.status),
                Flow::Next | Flow::Continue => last.flow = Flow::Next,
                Flow::Return | Flow::Exit => return last,
            }
        }
        last
    }

    /// The body of a loop whose turns are not known: one, or none.
    fn run_once(&mut self, causes: &str, body: &[Node]) -> Outcome {
        let outcome = self.run_ways(
            causes,
            &mut [&mut |shell| shell.run_nodes(body), &mut |_| Outcome::success()],
        );
        match outcome.flow {
            Flow::Return | Flow::Exit => outcome,
            _ => Outcome::new(outcome.status),
        }
    }

    pub(super) fn run_count(&mut self, header: &[Word; 3], body: &[Node]) -> Outcome {
        let first = self.expand_text(&header[0]);
        self.sum_of(&first);
        self.run_turns(
            body,
            |shell| {
                let text = shell.expand_text(&header[1]);
                if text.trim().is_empty() { Status::Success } else { shell.sum_status(&text) }
            },
            |shell| {
                let text = shell.expand_text(&header[2]);
                shell.sum_of(&text);
            },
        )
    }

    pub(super) fn run_while(&mut self, until: bool, condition: &[Node], body: &[Node]) -> Outcome {
        self.run_turns(
            body,
            |shell| {
                let outcome = shell.run_nodes(condition);
                match outcome.flow {
                    Flow::Next if until => outcome.status.negate_status(),
                    Flow::Next => outcome.status,
                    _ => Status::Failure,
                }
            },
            |_| {},
        )
    }

    /// Whether a condition hangs on nothing but the number of arguments.
    fn hangs_on_count(&self, causes: &str) -> bool {
        let holes = self.result.holes.holes_in(causes);
        !holes.is_empty() && holes.iter().all(|hole| hole.kind == HoleKind::Argument(0))
    }

    fn run_turns(
        &mut self,
        body: &[Node],
        mut condition: impl FnMut(&mut Self) -> Status,
        mut step: impl FnMut(&mut Self),
    ) -> Outcome {
        let mut last = Outcome::success();
        for _ in 0..MOST_TURNS {
            if !self.spend_budget(STEP) {
                return Outcome::leave_by(Flow::Exit);
            }
            match condition(self) {
                Status::Success => {}
                Status::Failure => return last,
                // Without arguments there are no options to go through.
                Status::Unknown(causes) if self.hangs_on_count(&causes) => {
                    self.result.optionless = true;
                    return last;
                }
                Status::Unknown(causes) => return self.run_once(&causes, body),
            }
            last = self.run_nodes(body);
            match last.flow {
                Flow::Break => return Outcome::new(last.status),
                Flow::Next | Flow::Continue => last.flow = Flow::Next,
                Flow::Return | Flow::Exit => return last,
            }
            step(self);
        }
        self.run_once("", body)
    }
}

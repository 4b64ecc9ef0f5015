//! `[ … ]` and `[[ … ]]`: what is true of known texts. Questions to a machine have no answer.

use super::evaluator::Shell;
use super::holes::has_hole;
use super::pattern::Pattern;
use super::state::{Status, Variable};
use super::syntax::Test;

impl Shell<'_> {
    /// The words of `[` without its bracket.
    pub(super) fn words_status(&mut self, words: &[String]) -> Status {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        self.disjunction_status(&words, 0)
    }

    fn disjunction_status(&mut self, words: &[&str], depth: usize) -> Status {
        // `-o` binds less than `-a`; as a value either stands behind a sign or before one.
        for (joint, any) in [("-o", true), ("-a", false)] {
            let split = (1..words.len().saturating_sub(1))
                .find(|at| words[*at] == joint && words.len() > 3 && !is_binary(words[at - 1]));
            if let Some(at) = split.filter(|_| depth < 16) {
                let left = self.disjunction_status(&words[..at], depth + 1);
                let right = self.disjunction_status(&words[at + 1..], depth + 1);
                return join_statuses(left, right, any);
            }
        }
        match words {
            [] => Status::Failure,
            [text] => self.presence_status(text),
            ["!", rest @ ..] if depth < 16 && (words.len() != 3 || !is_binary(words[1])) => {
                self.disjunction_status(rest, depth + 1).negate_status()
            }
            [left, sign, right] if is_binary(sign) => self.compare_words(left, sign, right),
            ["(", rest @ .., ")"] if depth < 16 => self.disjunction_status(rest, depth + 1),
            [sign, text] => self.unary_status(sign, text),
            _ => Status::Unknown(words.concat()),
        }
    }

    fn presence_status(&mut self, text: &str) -> Status {
        match has_hole(text) {
            true => Status::Unknown(text.to_owned()),
            false => Status::from_bool(!text.is_empty()),
        }
    }

    fn unary_status(&mut self, sign: &str, text: &str) -> Status {
        match sign {
            "-n" => self.presence_status(text),
            "-z" => self.presence_status(text).negate_status(),
            "-v" if self.state.variables.contains_key(text) => Status::Success,
            _ => Status::Unknown(text.to_owned()),
        }
    }

    fn compare_words(&mut self, left: &str, sign: &str, right: &str) -> Status {
        if has_hole(left) || has_hole(right) {
            self.result.holes.note_compared(left, right);
            self.result.holes.note_compared(right, left);
            return Status::Unknown(format!("{left}{right}"));
        }
        let numbers = (left.trim().parse::<i64>(), right.trim().parse::<i64>());
        let compared = match sign {
            "=" | "==" => Some(left == right),
            "!=" => Some(left != right),
            "<" => Some(left < right),
            ">" => Some(left > right),
            _ => match (sign, numbers) {
                ("-eq", (Ok(left), Ok(right))) => Some(left == right),
                ("-ne", (Ok(left), Ok(right))) => Some(left != right),
                ("-lt", (Ok(left), Ok(right))) => Some(left < right),
                ("-le", (Ok(left), Ok(right))) => Some(left <= right),
                ("-gt", (Ok(left), Ok(right))) => Some(left > right),
                ("-ge", (Ok(left), Ok(right))) => Some(left >= right),
                ("-eq" | "-ne" | "-lt" | "-le" | "-gt" | "-ge", _) => Some(false),
                _ => None,
            },
        };
        compared.map_or_else(|| Status::Unknown(String::new()), Status::from_bool)
    }

    /// An expression of `[[ ]]`.
    pub(super) fn test_status(&mut self, test: &Test) -> Status {
        match test {
            Test::Not(inner) => self.test_status(inner).negate_status(),
            Test::And(left, right) => match self.test_status(left) {
                Status::Failure => Status::Failure,
                left => join_statuses(left, self.test_status(right), false),
            },
            Test::Or(left, right) => match self.test_status(left) {
                Status::Success => Status::Success,
                left => join_statuses(left, self.test_status(right), true),
            },
            Test::Plain(word) => {
                let text = self.expand_text(word);
                self.presence_status(&text)
            }
            Test::Unary(sign, word) => {
                let text = self.expand_text(word);
                match (sign.as_str(), self.state.variables.get(&text)) {
                    ("-v", Some(Variable::Text(text))) if has_hole(text) => {
                        Status::Unknown(text.clone())
                    }
                    _ => self.unary_status(sign, &text),
                }
            }
            Test::Binary(left, sign, right) => {
                let left = self.expand_text(left);
                match sign.as_str() {
                    "=~" => Status::Unknown(left),
                    "=" | "==" | "!=" => {
                        let pattern = self.expand_pattern(right);
                        if has_hole(&left) || has_hole(&pattern) {
                            let plain = pattern.replace('\\', "");
                            return self.compare_words(&left, sign, &plain);
                        }
                        if !self.spend_budget(left.len() + pattern.len()) {
                            return Status::Unknown(String::new());
                        }
                        let characters: Vec<char> = left.chars().collect();
                        let same = Pattern::new(&pattern).matches_text(&characters);
                        Status::from_bool(same == (sign != "!="))
                    }
                    "<" | ">" => {
                        let right = self.expand_text(right);
                        self.compare_words(&left, sign, &right)
                    }
                    _ => {
                        let right = self.expand_text(right);
                        match (self.sum_of(&left), self.sum_of(&right)) {
                            (Some(left), Some(right)) => {
                                self.compare_words(&left.to_string(), sign, &right.to_string())
                            }
                            (Some(_), None) => Status::Unknown(self.hole_of_sum(&right)),
                            _ => {
                                self.result.holes.note_compared(&left, &right);
                                Status::Unknown(self.hole_of_sum(&left))
                            }
                        }
                    }
                }
            }
        }
    }
}

fn is_binary(sign: &str) -> bool {
    const SIGNS: [&str; 11] = ["=", "==", "!=", "<", ">", "-eq", "-ne", "-lt", "-le", "-gt", "-ge"];
    SIGNS.contains(&sign)
}

/// Two conditions of which one, or else both, have to hold.
fn join_statuses(left: Status, right: Status, any: bool) -> Status {
    let decides = Status::from_bool(any);
    match (left, right) {
        (left, right) if left == decides || right == decides => decides,
        (Status::Unknown(left), Status::Unknown(right)) => Status::Unknown(left + &right),
        (Status::Unknown(causes), _) | (_, Status::Unknown(causes)) => Status::Unknown(causes),
        _ => Status::from_bool(!any),
    }
}

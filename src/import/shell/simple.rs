//! Simple commands and assignments, as a parser meets them.

use std::rc::Rc;

use super::parser::{Malformed, Parser};
use super::syntax::{Assigned, Assignment, Node, NodeKind, Redirection, Word};

type Parsed<T> = Result<T, Malformed>;

impl Parser {
    pub(super) fn parse_simple(&mut self) -> Parsed<Node> {
        const DECLARING: [&str; 5] = ["export", "declare", "local", "readonly", "typeset"];
        let line = self.line;
        let (mut assignments, mut words) = (Vec::new(), Vec::<Word>::new());
        let mut redirection = Redirection::default();
        let mut declares = true;
        loop {
            self.skip_blanks();
            match self.peek_char() {
                None | Some('\n' | ';' | '|' | ')' | '#') => break,
                Some('&') if !self.starts_with("&>") => break,
                Some('(') => return Err(Malformed),
                _ => {}
            }
            if self.parse_redirection(&mut redirection)? {
                continue;
            }
            if declares && let Some(assignment) = self.parse_assignment()? {
                assignments.push(assignment);
                continue;
            }
            let word = self.parse_word()?;
            let first = words.is_empty();
            declares &= !first || DECLARING.iter().any(|name| word.is_literal(name));
            words.push(word);
        }
        if assignments.is_empty() && words.is_empty() && redirection.document.is_none() {
            return match redirection.output {
                Some(_) => Ok(self.make_node(NodeKind::Group(Rc::new([])), line)),
                None => Err(Malformed),
            };
        }
        Ok(Node { kind: NodeKind::Simple { assignments, words }, line, redirection })
    }

    fn parse_assignment(&mut self) -> Parsed<Option<Assignment>> {
        let before = (self.at, self.line);
        let Some(name) = self.take_name() else { return Ok(None) };
        let mut index = None;
        if self.peek_char() == Some('[') {
            match self.matching_end(1, '[', ']') {
                Some(end) => index = Some(self.parse_inner(1, end)),
                None => {
                    (self.at, self.line) = before;
                    return Ok(None);
                }
            }
        }
        let append = self.starts_with("+=");
        if !append && self.peek_char() != Some('=') {
            (self.at, self.line) = before;
            return Ok(None);
        }
        self.at += if append { 2 } else { 1 };
        let value = if self.take_text("(") {
            Assigned::List(self.parse_elements()?)
        } else {
            Assigned::Text(self.parse_value()?)
        };
        Ok(Some(Assignment { name, index, append, value }))
    }

    /// Elements of an array up to its bracket.
    fn parse_elements(&mut self) -> Parsed<Vec<(Option<Word>, Word)>> {
        let mut elements = Vec::new();
        loop {
            self.skip_lines();
            if self.peek_char().is_none() || self.take_text(")") {
                return Ok(elements);
            }
            let mut index = None;
            if self.peek_char() == Some('[')
                && let Some(end) = self.matching_end(1, '[', ']')
                && self.text.get(end + 1) == Some(&'=')
            {
                index = Some(self.parse_inner(1, end));
                self.take_char();
                elements.push((index, self.parse_value()?));
                continue;
            }
            match self.peek_char() {
                Some(';' | '&' | '|' | '(' | '>') => return Err(Malformed),
                _ => elements.push((index.take(), self.parse_word()?)),
            }
        }
    }
}

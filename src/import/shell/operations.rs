//! `${…}`, as a parser meets it.

use super::parser::{Malformed, Parser};
use super::syntax::{Fallback, Index, Operation, Parameter, ReplacePlace, Word};
use super::words::End;

impl Parser {
    /// A name, a number or a sign that names something; of a number one digit without braces.
    pub(super) fn take_parameter_name(&mut self, bare: bool) -> Option<String> {
        if let Some(name) = self.take_name() {
            return Some(name);
        }
        let first = self.peek_char()?;
        let mut name = String::new();
        if first.is_ascii_digit() {
            while let Some(c) = self.peek_char().filter(char::is_ascii_digit) {
                name.push(c);
                self.at += 1;
                if bare {
                    break;
                }
            }
            return Some(name);
        }
        if "@*#?$!-".contains(first) {
            self.at += 1;
            return Some(first.to_string());
        }
        None
    }

    /// What stands between the braces, up to and with the closing one.
    pub(super) fn parse_parameter(&mut self, quoted: bool) -> Result<Parameter, Malformed> {
        let line = self.line_number();
        let length = self.peek_char() == Some('#')
            && self.peek_after(1).is_some_and(|c| c.is_alphanumeric() || "_@*".contains(c));
        let indirect = !length
            && self.peek_char() == Some('!')
            && self.peek_after(1).is_some_and(|c| c.is_ascii_alphanumeric() || c == '_');
        if length || indirect {
            self.at += 1;
        }
        let name = self.take_parameter_name(false).ok_or(Malformed)?;
        let mut index = None;
        if self.peek_char() == Some('[') {
            if self.take_text("[@]") {
                index = Some(Index::All { joined: false });
            } else if self.take_text("[*]") {
                index = Some(Index::All { joined: true });
            } else {
                let end = self.matching_end(1, '[', ']').ok_or(Malformed)?;
                index = Some(Index::One(self.parse_inner(1, end)));
            }
        }
        let operation = match index {
            _ if length => Operation::Length,
            Some(Index::All { .. }) if indirect => Operation::Keys,
            _ if indirect => Operation::Indirect,
            _ => self.parse_operation(quoted)?,
        };
        if self.take_text("}") {
            return Ok(Parameter { name, index, operation, line });
        }
        // More than is known: passed, and without a value.
        let end = self.matching_end(0, '{', '}').ok_or(Malformed)?;
        self.move_to(end + 1);
        Ok(Parameter { name, index, operation: Operation::Other, line })
    }

    fn parse_operation(&mut self, quoted: bool) -> Result<Operation, Malformed> {
        let rest = End::Brace { slash: false, quoted };
        let pattern = End::Brace { slash: false, quoted: false };
        let colon = self.peek_char() == Some(':');
        let sign = if colon { self.peek_after(1) } else { self.peek_char() };
        let kind = match sign {
            Some('-') => Some(Fallback::Default),
            Some('=') => Some(Fallback::Assign),
            Some('+') => Some(Fallback::Alternative),
            Some('?') => Some(Fallback::Refuse),
            _ => None,
        };
        if let Some(kind) = kind {
            self.at += 1 + usize::from(colon);
            let word = self.parse_parts(rest)?;
            return Ok(Operation::Fallback { kind, empty_counts: !colon, word });
        }
        if colon {
            self.take_char();
            let end = self.matching_end(0, '{', '}').ok_or(Malformed)?;
            let text: String = self.text[self.at..end].iter().collect();
            let line = self.line_number();
            self.move_to(end);
            let (offset, length) = match text.split_once(':') {
                Some((offset, length)) => (offset, Some(self.quoted_word(length, line))),
                None => (text.as_str(), None),
            };
            return Ok(Operation::Slice { offset: self.quoted_word(offset, line), length });
        }
        if self.peek_char() == Some('#') || self.peek_char() == Some('%') {
            let end = self.take_char() == Some('%');
            let longest = self.take_text(if end { "%" } else { "#" });
            return Ok(Operation::Trim { end, longest, pattern: self.parse_parts(pattern)? });
        }
        if self.take_text("/") {
            let place = match () {
                () if self.take_text("/") => ReplacePlace::All,
                () if self.take_text("#") => ReplacePlace::Start,
                () if self.take_text("%") => ReplacePlace::End,
                () => ReplacePlace::First,
            };
            let pattern = self.parse_parts(End::Brace { slash: true, quoted: false })?;
            let with = if self.take_text("/") { self.parse_parts(rest)? } else { Word::default() };
            return Ok(Operation::Replace { place, pattern, with });
        }
        for (sign, upper) in [("^", true), (",", false)] {
            if self.take_text(sign) {
                return Ok(Operation::Case { upper, all: self.take_text(sign) });
            }
        }
        Ok(Operation::Value)
    }
}

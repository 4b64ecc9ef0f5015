//! Words of a script: quotes, names with what is done to them, commands and sums inside of words.

use super::parser::{Malformed, Parser};
use super::syntax::{Body, Operation, Parameter, Part, Word};

/// How deep words may stand in each other.
pub(super) const DEEPEST: usize = 60;

/// What ends a word.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum End {
    /// A blank or a sign of the language.
    Word,
    /// The quote.
    Quote,
    /// The end of the text, which is as if quoted.
    Text,
    /// `}` of an expansion, or `/` where that comes first; in quotes or not.
    Brace { slash: bool, quoted: bool },
}

impl Word {
    pub(super) fn push_literal(&mut self, added: &str, quoted: bool) {
        if let Some(Part::Literal { text, quoted: before }) = self.parts.last_mut()
            && *before == quoted
        {
            text.push_str(added);
            return;
        }
        self.parts.push(Part::Literal { text: added.to_owned(), quoted });
    }

    /// The word with another text in one of its places.
    pub(super) fn with_literal(&self, at: usize, text: &str) -> Self {
        let mut word = self.clone();
        word.parts[at] = Part::Literal { text: text.to_owned(), quoted: false };
        word
    }

    /// Whether it is no text at all.
    pub(super) fn is_empty(&self) -> bool {
        self.parts.is_empty() || self.is_literal("")
    }

    /// Whether it is this text and no more.
    pub(super) fn is_literal(&self, wanted: &str) -> bool {
        matches!(&self.parts[..], [Part::Literal { text, .. }] if text == wanted)
    }
}

impl Parser {
    /// A text between quotes, as here-documents and sums are.
    pub(super) fn quoted_word(&self, text: &str, line: usize) -> Word {
        self.inner_parser(text, line).parse_parts(End::Text).unwrap_or_default()
    }

    /// A text that is one word, as the index of an array.
    fn bare_word(&self, text: &str, line: usize) -> Word {
        let end = End::Brace { slash: false, quoted: false };
        self.inner_parser(text, line).parse_parts(end).unwrap_or_default()
    }

    /// A parser of a text inside of this one, which is no less deep.
    fn inner_parser(&self, text: &str, line: usize) -> Self {
        let mut parser = Self::new(text, Some(line));
        parser.depth = self.depth;
        parser
    }

    pub(super) fn parse_word(&mut self) -> Result<Word, Malformed> {
        let before = self.at;
        let word = self.parse_parts(End::Word)?;
        if self.at == before { Err(Malformed) } else { Ok(word) }
    }

    /// What stands behind `=`; may be empty.
    pub(super) fn parse_value(&mut self) -> Result<Word, Malformed> {
        self.parse_parts(End::Word)
    }

    /// The text from so many characters on up to a place, as a word; the place is passed.
    pub(super) fn parse_inner(&mut self, from: usize, end: usize) -> Word {
        let text: String = self.text[self.at + from..end].iter().collect();
        let word = self.bare_word(&text, self.line_number());
        self.move_to(end + 1);
        word
    }

    pub(super) fn move_to(&mut self, place: usize) {
        while self.at < place && self.take_char().is_some() {}
    }

    /// Whether `<…>` stands here for somebody to fill in.
    pub(super) fn is_placeholder(&self) -> bool {
        self.placeholder_end().is_some()
    }

    fn placeholder_end(&self) -> Option<usize> {
        if self.peek_char() != Some('<') || !self.peek_after(1)?.is_alphanumeric() {
            return None;
        }
        let rest = &self.text[self.at + 1..];
        let end = rest.iter().position(|c| "\n<>;|&'\"".contains(*c))?;
        (rest[end] == '>' && !rest[end - 1].is_whitespace()).then_some(self.at + 1 + end)
    }

    /// Where a bracket that was opened so many characters on is closed.
    pub(super) fn matching_end(&self, from: usize, open: char, close: char) -> Option<usize> {
        /// Farthest place that is looked at: nobody has longer sums, and many may be open.
        const FARTHEST: usize = 4_096;
        let mut depth = 1;
        let mut at = self.at + from;
        let mut quote: Option<char> = None;
        let last = at.saturating_add(FARTHEST);
        while let Some(c) = self.text.get(at).copied().filter(|_| at <= last) {
            match (quote, c) {
                (Some('\''), '\'') | (Some('"'), '"') => quote = None,
                (Some('\''), _) => {}
                (_, '\\') => at += 1,
                (Some(_), _) => {}
                (None, '\'' | '"') => quote = Some(c),
                (None, _) if c == open => depth += 1,
                (None, _) if c == close => depth -= 1,
                (None, '\n') if open == '[' => return None,
                _ => {}
            }
            if depth == 0 {
                return Some(at);
            }
            at += 1;
        }
        None
    }

    /// Where the sum that begins so many characters on has its `))`.
    pub(super) fn arithmetic_end(&self, from: usize) -> Option<usize> {
        let end = self.matching_end(from, '(', ')')?;
        (self.text.get(end + 1) == Some(&')')).then_some(end)
    }

    /// The sum that begins so many characters on; there is an end.
    pub(super) fn parse_arithmetic(&mut self, from: usize) -> Word {
        let end = self.arithmetic_end(from).unwrap_or(self.text.len());
        let start = (self.at + from).min(end);
        let text: String = self.text[start..end].iter().filter(|c| **c != '"').collect();
        let word = self.quoted_word(&text, self.line_number());
        self.move_to((end + 2).min(self.text.len()));
        word
    }

    pub(super) fn parse_parts(&mut self, end: End) -> Result<Word, Malformed> {
        if self.depth >= DEEPEST {
            return Err(Malformed);
        }
        self.depth += 1;
        let mut word = Word::default();
        let result = self.fill_word(end, &mut word);
        self.depth -= 1;
        result.map(|()| word)
    }

    fn fill_word(&mut self, end: End, word: &mut Word) -> Result<(), Malformed> {
        let inside_quotes = matches!(end, End::Quote | End::Text | End::Brace { quoted: true, .. });
        while let Some(c) = self.peek_char() {
            let ends = match end {
                End::Word => c.is_whitespace() || ";&|()<>".contains(c),
                End::Quote => c == '"',
                End::Text => false,
                End::Brace { slash, .. } => c == '}' || slash && c == '/',
            };
            if ends && !(end == End::Word && "<>".contains(c)) {
                return Ok(());
            }
            match c {
                '<' | '>' if end == End::Word => {
                    if let Some(stop) = self.placeholder_end() {
                        let text = self.text[self.at + 1..stop].iter().collect();
                        word.parts.push(Part::Placeholder { text });
                        self.at = stop + 1;
                    } else if self.peek_after(1) == Some('(') {
                        let stop = self.matching_end(2, '(', ')').ok_or(Malformed)?;
                        word.parts.push(Part::Placeholder { text: "a command's output".into() });
                        self.move_to(stop + 1);
                    } else {
                        return Ok(());
                    }
                }
                '\\' => self.take_escape(end, inside_quotes, word),
                '\'' if !inside_quotes => {
                    self.take_char();
                    let mut text = String::new();
                    while let Some(c) = self.take_char().filter(|c| *c != '\'') {
                        text.push(c);
                    }
                    word.push_literal(&text, true);
                }
                '"' if end == End::Text => {
                    self.take_char();
                    word.push_literal("\"", true);
                }
                '"' => {
                    self.take_char();
                    let inner = self.parse_parts(End::Quote)?;
                    self.take_char();
                    if inner.parts.is_empty() {
                        word.push_literal("", true);
                    }
                    word.parts.extend(inner.parts);
                }
                '$' => self.parse_dollar(inside_quotes, word)?,
                '`' => self.parse_backticks(inside_quotes, word),
                _ => {
                    self.take_char();
                    word.push_literal(c.encode_utf8(&mut [0; 4]), inside_quotes);
                }
            }
        }
        Ok(())
    }

    fn take_escape(&mut self, end: End, inside_quotes: bool, word: &mut Word) {
        self.take_char();
        let special = match (inside_quotes, end) {
            (false, _) => None,
            (true, End::Text) => Some("$`\\"),
            (true, _) => Some("$`\\\"}"),
        };
        match (self.peek_char(), special) {
            (Some('\n'), _) => drop(self.take_char()),
            (Some(c), Some(list)) if !list.contains(c) => word.push_literal("\\", true),
            (Some('}'), Some(_)) if end == End::Quote => word.push_literal("\\", true),
            (Some(c), _) => {
                self.take_char();
                word.push_literal(c.encode_utf8(&mut [0; 4]), true);
            }
            (None, _) => word.push_literal("\\", true),
        }
    }

    fn parse_backticks(&mut self, quoted: bool, word: &mut Word) {
        let line = self.line_number();
        self.take_char();
        let mut text = String::new();
        while let Some(c) = self.take_char().filter(|c| *c != '`') {
            match (c, self.peek_char()) {
                ('\\', Some(next)) if "`\\$".contains(next) || quoted && next == '"' => {
                    self.take_char();
                    text.push(next);
                }
                _ => text.push(c),
            }
        }
        let body = self.parse_nested(&text, line);
        word.parts.push(Part::Command { body, quoted });
    }

    /// A script in a word.
    fn parse_nested(&mut self, text: &str, line: usize) -> Body {
        let mut parser = self.inner_parser(text, line);
        let body = parser.parse_list(&[]);
        self.wrong.append(&mut parser.wrong);
        body
    }

    fn parse_dollar(&mut self, quoted: bool, word: &mut Word) -> Result<(), Malformed> {
        if self.starts_with("$((") && self.arithmetic_end(3).is_some() {
            let expression = self.parse_arithmetic(3);
            word.parts.push(Part::Arithmetic { expression, quoted });
            return Ok(());
        }
        if self.starts_with("$[")
            && let Some(end) = self.matching_end(2, '[', ']')
        {
            let text: String = self.text[self.at + 2..end].iter().collect();
            let expression = self.quoted_word(&text, self.line_number());
            self.move_to(end + 1);
            word.parts.push(Part::Arithmetic { expression, quoted });
            return Ok(());
        }
        self.take_char();
        if self.take_text("(") {
            let body = self.parse_list(&[")"]);
            self.take_text(")");
            word.parts.push(Part::Command { body, quoted });
            return Ok(());
        }
        if self.take_text("{") {
            let parameter = Box::new(self.parse_parameter(quoted)?);
            word.parts.push(Part::Parameter { parameter, quoted });
            return Ok(());
        }
        match self.peek_char() {
            Some('\'') if !quoted => self.take_ansi(word),
            Some('"') if !quoted => {}
            _ => match self.take_parameter_name(true) {
                Some(name) => {
                    let line = self.line_number();
                    let parameter =
                        Parameter { name, index: None, operation: Operation::Value, line };
                    let parameter = Box::new(parameter);
                    word.parts.push(Part::Parameter { parameter, quoted });
                }
                None => word.push_literal("$", quoted),
            },
        }
        Ok(())
    }

    /// `$'…'`.
    fn take_ansi(&mut self, word: &mut Word) {
        self.take_char();
        let mut text = String::new();
        while let Some(c) = self.take_char().filter(|c| *c != '\'') {
            let escaped = if c == '\\' { self.take_char() } else { None };
            match escaped {
                None => text.push(c),
                Some('n') => text.push('\n'),
                Some('t') => text.push('\t'),
                Some(other) => text.push(other),
            }
        }
        word.push_literal(&text, true);
    }
}

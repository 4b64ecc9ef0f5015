//! Redirections and here-documents, as a parser meets them.

use super::parser::{Malformed, Parser};
use super::syntax::{Redirection, Word};

type Parsed<T> = Result<T, Malformed>;

impl Parser {
    /// A redirection, where one stands here.
    pub(super) fn parse_redirection(&mut self, redirection: &mut Redirection) -> Parsed<bool> {
        self.skip_blanks();
        let mut digits = 0;
        while self.peek_after(digits).is_some_and(|c| c.is_ascii_digit()) {
            digits += 1;
        }
        let both = self.starts_with("&>");
        let sign = self.peek_after(digits + usize::from(both));
        if !matches!(sign, Some('<' | '>')) || self.is_placeholder() {
            return Ok(false);
        }
        if matches!(self.peek_after(digits + 1), Some('(')) {
            return Ok(false);
        }
        let number: String = self.text[self.at..self.at + digits].iter().collect();
        self.at += digits + usize::from(both);
        if self.take_text("<<<") {
            self.skip_blanks();
            let mut word = self.parse_word()?;
            word.push_literal("\n", true);
            redirection.document = Some(word);
            return Ok(true);
        }
        if self.take_text("<<") {
            redirection.document = Some(self.parse_document());
            return Ok(true);
        }
        let input = self.take_text("<");
        let output = !input && (number.is_empty() || number == "1");
        if !input {
            self.take_text(">");
            let _ = self.take_text(">") || self.take_text("|");
        }
        let _ = self.take_text("&");
        self.skip_blanks();
        let target = match self.peek_char() {
            Some(c) if !c.is_whitespace() && !";&|()<>".contains(c) => self.parse_word()?,
            _ => Word::default(),
        };
        if output {
            redirection.output = Some(target);
        }
        Ok(true)
    }

    /// A here-document: the lines behind this one up to its end word.
    fn parse_document(&mut self) -> Word {
        let strip = self.take_text("-");
        self.skip_blanks();
        let quoted = matches!(self.peek_char(), Some('\'' | '"' | '\\'));
        let mut end = String::new();
        while let Some(c) =
            self.peek_char().filter(|c| !c.is_whitespace() && !";&|()<>".contains(*c))
        {
            if !matches!(c, '\'' | '"' | '\\') {
                end.push(c);
            }
            self.at += 1;
        }
        let (newline, mut at) = self.skip.unwrap_or_else(|| {
            let mut places = self.at..self.text.len();
            let end = places.find(|at| self.text[*at] == '\n').unwrap_or(self.text.len());
            (end, (end + 1).min(self.text.len()))
        });
        let first = self.line + 1;
        let mut body = String::new();
        while at < self.text.len() {
            let stop = (at..self.text.len()).find(|at| self.text[*at] == '\n');
            let stop = stop.unwrap_or(self.text.len());
            let line: String = self.text[at..stop].iter().collect();
            let line = if strip { line.trim_start_matches('\t') } else { line.as_str() };
            at = (stop + 1).min(self.text.len());
            if line == end {
                break;
            }
            body.push_str(line);
            body.push('\n');
        }
        self.skip = Some((newline, at));
        if quoted {
            let mut word = Word::default();
            word.push_literal(&body, true);
            return word;
        }
        self.quoted_word(&body, first)
    }
}

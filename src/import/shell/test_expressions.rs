//! Expressions of `[[ ]]`, as a parser meets them.

use super::parser::{DEEPEST, Malformed, Parser};
use super::syntax::{Test, Word};

type Parsed<T> = Result<T, Malformed>;

impl Parser {
    pub(super) fn parse_test_or(&mut self) -> Parsed<Test> {
        let mut test = self.parse_test_and()?;
        for _ in 0..DEEPEST {
            self.skip_lines();
            if !self.take_text("||") {
                return Ok(test);
            }
            test = Test::Or(Box::new(test), Box::new(self.parse_test_and()?));
        }
        Err(Malformed)
    }

    fn parse_test_and(&mut self) -> Parsed<Test> {
        let mut test = self.parse_test_term()?;
        for _ in 0..DEEPEST {
            self.skip_lines();
            if !self.take_text("&&") {
                return Ok(test);
            }
            test = Test::And(Box::new(test), Box::new(self.parse_test_term()?));
        }
        Err(Malformed)
    }

    fn parse_test_term(&mut self) -> Parsed<Test> {
        self.skip_lines();
        if self.depth >= DEEPEST {
            return Err(Malformed);
        }
        self.depth += 1;
        let test = self.parse_test_inner();
        self.depth -= 1;
        test
    }

    fn parse_test_inner(&mut self) -> Parsed<Test> {
        if self.take_word("!") {
            return Ok(Test::Not(Box::new(self.parse_test_term()?)));
        }
        if self.take_text("(") {
            let test = self.parse_test_or()?;
            self.skip_lines();
            self.take_text(")");
            return Ok(test);
        }
        let unary = self.peek_char() == Some('-')
            && self.peek_after(1).is_some_and(|c| c.is_ascii_alphabetic())
            && self.peek_after(2).is_some_and(char::is_whitespace);
        if unary {
            let sign: String = self.text[self.at..self.at + 2].iter().collect();
            self.at += 2;
            self.skip_blanks();
            return Ok(Test::Unary(sign, self.parse_word()?));
        }
        let left = self.parse_word()?;
        self.skip_blanks();
        const SIGNS: [&str; 12] =
            ["==", "=~", "!=", "-eq", "-ne", "-lt", "-le", "-gt", "-ge", "=", "<", ">"];
        let Some(sign) = SIGNS.into_iter().find(|sign| self.is_at(sign)) else {
            return Ok(Test::Plain(left));
        };
        self.take_text(sign);
        self.skip_blanks();
        let right = if sign == "=~" { self.take_regex() } else { self.parse_word()? };
        Ok(Test::Binary(left, sign.to_owned(), right))
    }

    /// A regular expression, which is not read: it ends at a blank.
    fn take_regex(&mut self) -> Word {
        while self.peek_char().is_some_and(|c| !c.is_whitespace()) {
            self.take_char();
        }
        Word::default()
    }
}

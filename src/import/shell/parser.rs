//! Commands of a script. Half-written files are read as far as they go: a line that is no command is
//! left out and noted, and what is open at the end of the text is closed there.

use std::rc::Rc;

use super::syntax::{Body, CaseArm, Node, NodeKind, Redirection, Word};

/// How deep brackets, quotes and commands may stand in each other.
pub(super) const DEEPEST: usize = 40;

/// A text on its way to a tree.
pub(super) struct Parser {
    pub(super) text: Vec<char>,
    pub(super) at: usize,
    pub(super) line: usize,
    /// All commands stand on the line that the text comes from, as that of `eval`.
    fixed: bool,
    pub(super) depth: usize,
    /// Where a here-document begins (behind which line end) and where the script goes on.
    pub(super) skip: Option<(usize, usize)>,
    /// Lines that are no commands.
    pub(super) wrong: Vec<usize>,
}

/// A place where the text is no script.
pub(super) struct Malformed;

type Parsed<T> = Result<T, Malformed>;

/// The commands of a text, and the lines that are none.
pub(super) fn parse_script(text: &str, line: Option<usize>) -> (Body, Vec<usize>) {
    let mut parser = Parser::new(text, line);
    let mut nodes = Vec::new();
    loop {
        let before = parser.at;
        nodes.extend(parser.parse_list(&[]).iter().cloned());
        if parser.peek_char().is_none() {
            return (nodes.into(), parser.wrong);
        }
        // A word that closes what is not open.
        parser.wrong.push(parser.line_number());
        parser.skip_line();
        if parser.at == before {
            parser.take_char();
        }
    }
}

impl Parser {
    pub(super) fn new(text: &str, line: Option<usize>) -> Self {
        let text = text.chars().filter(|c| *c != '\r').collect();
        let (fixed, line) = (line.is_some(), line.unwrap_or(1));
        Self { text, at: 0, line, fixed, depth: 0, skip: None, wrong: Vec::new() }
    }

    pub(super) fn line_number(&self) -> usize {
        self.line
    }

    pub(super) fn peek_char(&self) -> Option<char> {
        self.text.get(self.at).copied()
    }

    pub(super) fn peek_after(&self, count: usize) -> Option<char> {
        self.text.get(self.at + count).copied()
    }

    pub(super) fn starts_with(&self, text: &str) -> bool {
        text.chars().enumerate().all(|(count, c)| self.peek_after(count) == Some(c))
    }

    pub(super) fn take_char(&mut self) -> Option<char> {
        let character = self.peek_char()?;
        self.at += 1;
        if character == '\n' {
            self.line += usize::from(!self.fixed);
            if let Some((newline, resume)) = self.skip.take_if(|skip| skip.0 < self.at) {
                let lines = self.text[newline + 1..resume].iter().filter(|c| **c == '\n').count();
                self.line += if self.fixed { 0 } else { lines };
                self.at = self.at.max(resume);
            }
        }
        Some(character)
    }

    pub(super) fn take_text(&mut self, text: &str) -> bool {
        let found = self.starts_with(text);
        if found {
            self.move_to(self.at + text.chars().count());
        }
        found
    }

    fn skip_line(&mut self) {
        while self.peek_char().is_some_and(|c| c != '\n') {
            self.take_char();
        }
    }

    /// Skips blanks and joined lines.
    pub(super) fn skip_blanks(&mut self) {
        while self.peek_char().is_some_and(|c| c == ' ' || c == '\t') || self.starts_with("\\\n") {
            if self.take_char() == Some('\\') {
                self.take_char();
            }
        }
    }

    /// Skips blanks, ends of lines and comments.
    pub(super) fn skip_lines(&mut self) {
        loop {
            self.skip_blanks();
            match self.peek_char() {
                Some('\n') => drop(self.take_char()),
                Some('#') => self.skip_line(),
                _ => return,
            }
        }
    }

    /// Whether a word of the language stands here.
    pub(super) fn is_at(&self, word: &str) -> bool {
        let next = self.peek_after(word.chars().count());
        self.starts_with(word)
            && next.is_none_or(|c| c.is_whitespace() || ";&|()<>".contains(c) || word == ")")
    }

    pub(super) fn take_word(&mut self, word: &str) -> bool {
        self.is_at(word) && self.take_text(word)
    }

    /// Commands up to one of the words, which stays.
    pub(super) fn parse_list(&mut self, ends: &[&str]) -> Body {
        const CLOSING: [&str; 9] = ["fi", "done", "esac", "then", "else", "elif", "do", "}", ")"];
        let mut nodes = Vec::new();
        self.depth += 1;
        loop {
            self.skip_lines();
            let closed = || CLOSING.iter().any(|word| self.is_at(word));
            if self.peek_char().is_none()
                || ends.iter().any(|word| self.is_at(word))
                || self.ends_arm()
                || closed()
            {
                break;
            }
            let (before, line) = (self.at, self.line);
            if self.depth > DEEPEST {
                self.wrong.push(line);
                self.at = self.text.len();
                break;
            }
            match self.parse_chain() {
                Ok(node) => nodes.push(node),
                Err(Malformed) => {
                    self.wrong.push(line);
                    self.skip_line();
                }
            }
            self.skip_blanks();
            if !self.ends_arm() && matches!(self.peek_char(), Some(';' | '&')) {
                self.take_char();
            }
            if self.at == before {
                self.wrong.push(line);
                self.take_char();
            }
        }
        self.depth -= 1;
        nodes.into()
    }

    /// Whether an arm of `case` ends here.
    fn ends_arm(&self) -> bool {
        self.starts_with(";;") || self.starts_with(";&")
    }

    pub(super) fn make_node(&self, kind: NodeKind, line: usize) -> Node {
        Node { kind, line, redirection: Redirection::default() }
    }

    fn parse_chain(&mut self) -> Parsed<Node> {
        let line = self.line;
        let first = self.parse_pipeline()?;
        let mut rest = Vec::new();
        loop {
            self.skip_blanks();
            let and = self.starts_with("&&");
            if !and && !self.starts_with("||") {
                break;
            }
            self.at += 2;
            self.skip_lines();
            rest.push((and, self.parse_pipeline()?));
        }
        if rest.is_empty() {
            return Ok(first);
        }
        Ok(self.make_node(NodeKind::Chain { first: Box::new(first), rest }, line))
    }

    fn parse_pipeline(&mut self) -> Parsed<Node> {
        let line = self.line;
        let mut negated = false;
        loop {
            self.skip_blanks();
            if self.take_word("!") {
                negated = !negated;
            } else if !self.take_word("time") {
                break;
            }
        }
        let mut stages = vec![self.parse_command()?];
        loop {
            self.skip_blanks();
            if self.peek_char() != Some('|') || self.starts_with("||") {
                break;
            }
            self.take_char();
            self.take_text("&");
            self.skip_lines();
            stages.push(self.parse_command()?);
        }
        if stages.len() == 1 && !negated {
            return stages.pop().ok_or(Malformed);
        }
        Ok(self.make_node(NodeKind::Pipeline { stages, negated }, line))
    }

    fn parse_command(&mut self) -> Parsed<Node> {
        self.skip_blanks();
        let line = self.line;
        let kind = if self.starts_with("((") && self.arithmetic_end(2).is_some() {
            NodeKind::Arithmetic(self.parse_arithmetic(2))
        } else if self.take_text("(") {
            let body = self.parse_list(&[")"]);
            self.take_text(")");
            NodeKind::Subshell(body)
        } else if self.take_word("{") {
            let body = self.parse_list(&["}"]);
            self.take_text("}");
            NodeKind::Group(body)
        } else if self.take_word("if") {
            self.parse_if()
        } else if self.take_word("case") {
            self.parse_case()?
        } else if self.take_word("for") {
            self.parse_for()?
        } else if self.is_at("while") || self.is_at("until") {
            let until = self.take_word("until") || !self.take_word("while");
            let condition = self.parse_list(&["do"]);
            NodeKind::While { until, condition, body: self.parse_body() }
        } else if self.take_word("[[") {
            let test = self.parse_test_or()?;
            self.skip_lines();
            self.take_text("]]");
            NodeKind::Test(test)
        } else if let Some(name) = self.take_function_name() {
            self.skip_lines();
            if self.depth >= DEEPEST {
                return Err(Malformed);
            }
            self.depth += 1;
            let body = self.parse_command();
            self.depth -= 1;
            NodeKind::Function { name, body: Rc::new(body?) }
        } else {
            return self.parse_simple();
        };
        let mut node = self.make_node(kind, line);
        while self.parse_redirection(&mut node.redirection)? {}
        Ok(node)
    }

    /// `do … done`.
    fn parse_body(&mut self) -> Body {
        self.skip_lines();
        self.take_text(";");
        self.skip_lines();
        self.take_word("do");
        let body = self.parse_list(&["done"]);
        self.take_word("done");
        body
    }

    fn parse_if(&mut self) -> NodeKind {
        let mut arms = Vec::new();
        loop {
            let condition = self.parse_list(&["then"]);
            self.take_word("then");
            let body = self.parse_list(&["elif", "else", "fi"]);
            arms.push((condition, body));
            if !self.take_word("elif") {
                break;
            }
        }
        let otherwise = if self.take_word("else") { self.parse_list(&["fi"]) } else { Rc::new([]) };
        self.take_word("fi");
        NodeKind::If { arms, otherwise }
    }

    fn parse_case(&mut self) -> Parsed<NodeKind> {
        self.skip_blanks();
        let word = self.parse_word()?;
        self.skip_lines();
        self.take_word("in");
        let mut arms = Vec::new();
        loop {
            self.skip_lines();
            if self.peek_char().is_none() || self.take_word("esac") {
                return Ok(NodeKind::Case { word, arms });
            }
            self.take_text("(");
            let mut patterns = Vec::new();
            loop {
                self.skip_blanks();
                patterns.push(self.parse_word()?);
                self.skip_blanks();
                if !self.take_text("|") {
                    break;
                }
            }
            if !self.take_text(")") {
                return Err(Malformed);
            }
            let body = self.parse_list(&["esac"]);
            let falls_through = self.take_text(";;&") || self.take_text(";&");
            self.take_text(";;");
            arms.push(CaseArm { patterns, body, falls_through });
        }
    }

    fn parse_for(&mut self) -> Parsed<NodeKind> {
        self.skip_blanks();
        if self.starts_with("((") {
            let end = self.arithmetic_end(2).ok_or(Malformed)?;
            let line = self.line;
            let text: String = self.text[self.at + 2..end].iter().collect();
            self.move_to(end + 2);
            let mut parts = text.splitn(3, ';').map(|part| self.quoted_word(part, line));
            let mut next = || parts.next().unwrap_or_default();
            let header = [next(), next(), next()];
            return Ok(NodeKind::Count { header, body: self.parse_body() });
        }
        let name = self.take_name().ok_or(Malformed)?;
        self.skip_lines();
        let mut list = None;
        if self.take_word("in") {
            list = Some(self.parse_words()?);
        }
        Ok(NodeKind::For { name, list, body: self.parse_body() })
    }

    /// Words up to the end of the command.
    fn parse_words(&mut self) -> Parsed<Vec<Word>> {
        let mut words = Vec::new();
        loop {
            self.skip_blanks();
            match self.peek_char() {
                None | Some('\n' | ';' | '&' | '|' | ')' | '#' | '<' | '>' | '(') => {
                    return Ok(words);
                }
                Some(_) => words.push(self.parse_word()?),
            }
        }
    }

    pub(super) fn take_name(&mut self) -> Option<String> {
        let first = self.peek_char().is_some_and(|c| c.is_ascii_alphabetic() || c == '_');
        let mut name = String::new();
        while let Some(c) =
            self.peek_char().filter(|c| first && (c.is_ascii_alphanumeric() || *c == '_'))
        {
            name.push(c);
            self.at += 1;
        }
        first.then_some(name)
    }

    /// `function NAME` or `NAME ()`.
    fn take_function_name(&mut self) -> Option<String> {
        let before = (self.at, self.line);
        let stated = self.take_word("function");
        self.skip_blanks();
        let mut name = String::new();
        let is_part = |c: &char| c.is_ascii_alphanumeric() || "_-.:".contains(*c);
        while let Some(c) = self.peek_char().filter(is_part) {
            name.push(c);
            self.at += 1;
        }
        self.skip_blanks();
        let opens = self.take_text("(");
        self.skip_blanks();
        if !name.is_empty() && (opens && self.take_text(")") || stated) {
            return Some(name);
        }
        (self.at, self.line) = before;
        None
    }
}

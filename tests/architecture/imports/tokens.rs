//! The text of a Rust file as tokens, without comments, literals and unit tests.

/// A token that paths and items are made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Token {
    /// A name, a keyword or a number.
    Word(String),
    /// `::`.
    Path,
    /// Any other sign.
    Sign(char),
}

impl Token {
    pub(crate) fn is(&self, sign: char) -> bool {
        *self == Self::Sign(sign)
    }

    pub(crate) fn is_word(&self, word: &str) -> bool {
        matches!(self, Self::Word(own) if own == word)
    }
}

/// The tokens of a file, without its unit tests.
pub(crate) fn tokens(text: &str) -> Vec<Token> {
    without_tests(&all_tokens(text))
}

/// What follows `#[cfg(test)]`, to the end of that item, is left out.
fn without_tests(tokens: &[Token]) -> Vec<Token> {
    let test = all_tokens("#[cfg(test)]");
    let mut kept = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        if tokens[at..].starts_with(&test) {
            at = end_of_item(tokens, at + test.len());
        } else {
            kept.push(tokens[at].clone());
            at += 1;
        }
    }
    kept
}

/// The place behind the item that starts at `at`: behind its semicolon or its outermost braces.
pub(crate) fn end_of_item(tokens: &[Token], mut at: usize) -> usize {
    let mut depth = 0_usize;
    while let Some(token) = tokens.get(at) {
        at += 1;
        match token {
            Token::Sign('{' | '(' | '[') => depth += 1,
            Token::Sign('}') if depth <= 1 => break,
            Token::Sign('}' | ')' | ']') => depth -= 1,
            Token::Sign(';') if depth == 0 => break,
            _ => {}
        }
    }
    at
}

/// The tokens of a file, its unit tests among them.
pub(crate) fn all_tokens(text: &str) -> Vec<Token> {
    let text: Vec<char> = text.chars().collect();
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(&sign) = text.get(at) {
        let next = text.get(at + 1).copied();
        match (sign, next) {
            ('/', Some('/')) => at = find(&text, at, |letters| letters[0] == '\n'),
            ('/', Some('*')) => at = end_of_comment(&text, at),
            ('"', _) => at = end_of_text(&text, at),
            ('\'', _) => at = end_of_quote(&text, at),
            (':', Some(':')) => {
                found.push(Token::Path);
                at += 2;
            }
            (sign, _) if is_of_word(sign) => {
                let end = find(&text, at, |letters| !is_of_word(letters[0]));
                let word: String = text[at..end].iter().collect();
                let raw = ["r", "br", "cr"].contains(&word.as_str());
                match text.get(end) {
                    Some('"' | '#') if raw && is_raw_text(&text, end) => {
                        at = end_of_raw_text(&text, end);
                    }
                    // `b"…"` and `r#name`: the letter alone says nothing.
                    Some('"') if ["b", "c"].contains(&word.as_str()) => at = end,
                    Some('#') if word == "r" => at = end + 1,
                    _ => {
                        found.push(Token::Word(word));
                        at = end;
                    }
                }
            }
            (sign, _) => {
                if !sign.is_whitespace() {
                    found.push(Token::Sign(sign));
                }
                at += 1;
            }
        }
    }
    found
}

fn is_of_word(sign: char) -> bool {
    sign.is_alphanumeric() || sign == '_'
}

/// The first place from `at` on of which that holds, else the end.
fn find(text: &[char], at: usize, holds: impl Fn(&[char]) -> bool) -> usize {
    (at..text.len()).find(|at| holds(&text[*at..])).unwrap_or(text.len())
}

/// Block comments nest.
fn end_of_comment(text: &[char], mut at: usize) -> usize {
    let mut depth = 0_usize;
    while at < text.len() {
        match text[at..] {
            ['/', '*', ..] => (depth, at) = (depth + 1, at + 2),
            ['*', '/', ..] => {
                (depth, at) = (depth - 1, at + 2);
                if depth == 0 {
                    break;
                }
            }
            _ => at += 1,
        }
    }
    at
}

fn end_of_text(text: &[char], mut at: usize) -> usize {
    at += 1;
    while at < text.len() && text[at] != '"' {
        at += if text[at] == '\\' { 2 } else { 1 };
    }
    at + 1
}

fn is_raw_text(text: &[char], at: usize) -> bool {
    text.get(find(text, at, |letters| letters[0] != '#')) == Some(&'"')
}

fn end_of_raw_text(text: &[char], at: usize) -> usize {
    let hashes = find(text, at, |letters| letters[0] != '#') - at;
    let closed = |letters: &[char]| {
        letters[0] == '"'
            && letters.len() > hashes
            && letters[1..=hashes].iter().all(|sign| *sign == '#')
    };
    (find(text, at + hashes + 1, closed) + 1 + hashes).min(text.len())
}

/// A character such as `'x'` and `'\n'`, or a lifetime, whose name is passed over.
fn end_of_quote(text: &[char], at: usize) -> usize {
    match text[at + 1..] {
        ['\\', ..] => find(text, at + 3, |letters| letters[0] == '\'') + 1,
        [_, '\'', ..] => at + 3,
        _ => find(text, at + 1, |letters| !is_of_word(letters[0])),
    }
}

#[test]
fn comments_and_literals_are_no_tokens() {
    let words = |text: &str| -> Vec<String> {
        let word = |token: Token| match token {
            Token::Word(word) => Some(word),
            _ => None,
        };
        tokens(text).into_iter().filter_map(word).collect()
    };
    assert_eq!(words("a /* b /* c */ d */ e // f\ng"), ["a", "e", "g"]);
    assert_eq!(words(r##"a "b \" c" d r#"e " f"# g b"h" 'i' j"##), ["a", "d", "g", "j"]);
    assert_eq!(words("fn f<'a>(x: &'a str) { '\\'' }"), ["fn", "f", "x", "str"]);
    assert_eq!(words("r#type"), ["type"]);
    assert_eq!(words("a #[cfg(test)] mod tests { b { c } } d"), ["a", "d"]);
    assert_eq!(words("a #[cfg(test)] use b::{c, d}; e"), ["a", "e"]);
    assert_eq!(tokens("a::b"), [Token::Word("a".into()), Token::Path, Token::Word("b".into())]);
}

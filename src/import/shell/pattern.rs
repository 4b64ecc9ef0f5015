//! Patterns of a shell: `*`, `?`, `[…]`. A backslash makes the character behind it one of the text.

/// The longest text that is matched; a pattern is tried at each place of it.
pub(super) const LONGEST: usize = 2_048;

/// One place of a pattern.
enum Piece {
    Any,
    One,
    Set { not: bool, ranges: Vec<(char, char)> },
    Character(char),
}

/// A pattern, taken apart.
pub(super) struct Pattern {
    pieces: Vec<Piece>,
}

impl Pattern {
    pub(super) fn new(text: &str) -> Self {
        let characters: Vec<char> = text.chars().collect();
        let mut pieces = Vec::new();
        let mut at = 0;
        while let Some(c) = characters.get(at).copied() {
            at += 1;
            pieces.push(match c {
                '*' => Piece::Any,
                '?' => Piece::One,
                '\\' => {
                    at += 1;
                    Piece::Character(characters.get(at - 1).copied().unwrap_or('\\'))
                }
                '[' => match read_set(&characters, at) {
                    Some((set, end)) => {
                        at = end;
                        set
                    }
                    None => Piece::Character('['),
                },
                other => Piece::Character(other),
            });
        }
        Self { pieces }
    }

    /// Whether it is the whole text.
    pub(super) fn matches_text(&self, text: &[char]) -> bool {
        let (mut piece, mut at) = (0, 0);
        let mut star: Option<(usize, usize)> = None;
        while at < text.len() {
            match self.pieces.get(piece) {
                Some(Piece::Any) => {
                    star = Some((piece, at));
                    piece += 1;
                    continue;
                }
                Some(one) if one.matches_character(text[at]) => {
                    piece += 1;
                    at += 1;
                    continue;
                }
                _ => {}
            }
            let Some((before, taken)) = star else { return false };
            star = Some((before, taken + 1));
            (piece, at) = (before + 1, taken + 1);
        }
        self.pieces[piece..].iter().all(|piece| matches!(piece, Piece::Any))
    }

    /// How long a text has to be to match; `None` where any length may.
    pub(super) fn fixed_length(&self) -> Option<usize> {
        let any = self.pieces.iter().any(|piece| matches!(piece, Piece::Any));
        (!any).then_some(self.pieces.len())
    }

    /// The work of replacing in a text of so many characters: without `*` one try from each place,
    /// else one to each place behind it.
    pub(super) fn replace_cost(&self, length: usize) -> usize {
        match self.fixed_length() {
            Some(own) => length * own,
            None => length.saturating_pow(3) / 64,
        }
    }

    /// The text without what matches at one of its ends.
    pub(super) fn trim_text(&self, text: &str, end: bool, longest: bool) -> String {
        let characters: Vec<char> = text.chars().collect();
        let all = characters.len();
        let counts: Vec<usize> =
            if longest { (0..=all).rev().collect() } else { (0..=all).collect() };
        let cut = counts.into_iter().find(|count| match end {
            true => self.matches_text(&characters[all - count..]),
            false => self.matches_text(&characters[..*count]),
        });
        let cut = cut.unwrap_or(0);
        if end {
            characters[..all - cut].iter().collect()
        } else {
            characters[cut..].iter().collect()
        }
    }

    /// The text with what matches replaced: first or all, or only at an end.
    pub(super) fn replace_in(
        &self,
        text: &str,
        with: &str,
        all: bool,
        end: Option<bool>,
    ) -> String {
        let characters: Vec<char> = text.chars().collect();
        let mut out = String::new();
        let mut at = 0;
        let mut done = false;
        while at < characters.len() {
            let stops = match self.fixed_length() {
                Some(length) => at + length..=(at + length).min(characters.len()),
                None => at + 1..=characters.len(),
            };
            let longest = stops.rev().find(|stop| {
                let placed = match end {
                    None => true,
                    Some(false) => at == 0,
                    Some(true) => *stop == characters.len(),
                };
                placed && self.matches_text(&characters[at..*stop])
            });
            match longest.filter(|_| !done) {
                Some(stop) => {
                    out.push_str(with);
                    at = stop;
                    done = !all;
                }
                None => {
                    out.push(characters[at]);
                    at += 1;
                }
            }
        }
        out
    }
}

impl Piece {
    fn matches_character(&self, character: char) -> bool {
        match self {
            Self::Any => false,
            Self::One => true,
            Self::Character(own) => *own == character,
            Self::Set { not, ranges } => {
                ranges.iter().any(|(from, to)| (*from..=*to).contains(&character)) != *not
            }
        }
    }
}

/// The set that begins behind its bracket, and where it ends.
fn read_set(characters: &[char], start: usize) -> Option<(Piece, usize)> {
    let not = matches!(characters.get(start), Some('!' | '^'));
    let first = start + usize::from(not);
    let mut at = first;
    let mut ranges = Vec::new();
    loop {
        let c = *characters.get(at)?;
        if c == ']' && at > first {
            return Some((Piece::Set { not, ranges }, at + 1));
        }
        let (c, next) = if c == '\\' { (*characters.get(at + 1)?, at + 2) } else { (c, at + 1) };
        match (characters.get(next), characters.get(next + 1)) {
            (Some('-'), Some(to)) if *to != ']' => {
                ranges.push((c, *to));
                at = next + 2;
            }
            _ => {
                ranges.push((c, c));
                at = next;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Pattern;

    #[test]
    fn patterns_match_as_in_a_shell() {
        let case = |pattern: &str, text: &str| {
            Pattern::new(pattern).matches_text(&text.chars().collect::<Vec<_>>())
        };
        for (pattern, text) in
            [("*7[bB]*", "llama-7B-x"), ("a?c", "abc"), ("[!0-9]x", "ax"), ("\\*", "*"), ("", "")]
        {
            assert!(case(pattern, text), "{pattern} {text}");
        }
        for (pattern, text) in [("a*b", "abc"), ("[0-9]", "a"), ("\\*", "a"), ("?", "")] {
            assert!(!case(pattern, text), "{pattern} {text}");
        }
        assert_eq!(Pattern::new("*/").trim_text("a/b/c", false, true), "c");
        assert_eq!(Pattern::new(".*").trim_text("a.b.c", true, false), "a.b");
        assert_eq!(Pattern::new("o").replace_in("foo", "0", true, None), "f00");
    }
}

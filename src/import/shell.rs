//! Words of a shell script: enough for lists of flags. Nothing is expanded.

/// The words of a text: quotes hold them together, a backslash joins lines, `#` begins a comment, and
/// brackets around a list of words are no part of them.
pub(super) fn split_words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    for line in text.replace("\\\n", " ").lines() {
        let mut word = String::new();
        let mut quote: Option<char> = None;
        let mut quoted = false;
        for character in line.chars() {
            match (quote, character) {
                (Some(open), close) if open == close => quote = None,
                (Some(_), inside) => word.push(inside),
                (None, '\'' | '"') => (quote, quoted) = (Some(character), true),
                (None, '#') if word.is_empty() && !quoted => break,
                (None, space) if space.is_whitespace() => {
                    push_word(&mut words, &mut word, &mut quoted)
                }
                (None, other) => word.push(other),
            }
        }
        push_word(&mut words, &mut word, &mut quoted);
    }
    words
}

fn push_word(words: &mut Vec<String>, word: &mut String, quoted: &mut bool) {
    let whole = std::mem::take(word);
    let bare = if *quoted { whole.as_str() } else { whole.trim_end_matches(')') };
    let bare = bare.rsplit_once("=(").map_or(bare, |(_, first)| first);
    if !bare.is_empty() || *quoted {
        words.push(bare.to_owned());
    }
    *quoted = false;
}

#[cfg(test)]
mod tests {
    use super::split_words;

    #[test]
    fn words_are_those_of_a_shell() {
        let script = "MODEL=(\n  --a 1 # why\n  --b '(2,0)' \\\n  --c \"x y\"\n)\n";
        assert_eq!(split_words(script), ["--a", "1", "--b", "(2,0)", "--c", "x y"]);
    }
}

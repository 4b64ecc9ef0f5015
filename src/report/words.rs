//! Turns the short notes of a table into sentences for a page.

/// The text with a capital letter at its start.
pub(super) fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// The text with a capital letter and a full stop.
pub(super) fn sentence(text: &str) -> String {
    capital(text) + "."
}

#[cfg(test)]
mod tests {
    use super::sentence;

    #[test]
    fn a_note_becomes_a_sentence() {
        assert_eq!(sentence("no other candidate costs less"), "No other candidate costs less.");
    }
}

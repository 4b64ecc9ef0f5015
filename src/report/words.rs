//! Turns the short notes of a table into sentences for a page, and sentences into lines.

/// What a slowdown is measured against, as it follows "slower than": the fastest layout, rank order
/// and placement that are open may be others than those of the design, so a Clos may be slower as
/// well.
pub(super) const REFERENCE: &str =
    "these machines on a full-bisection Clos, in their fastest layout, rank order and placement";

/// The text with a capital letter at its start.
pub(super) fn capitalise_first_letter(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// `LIMITS THAT BIND` as `Limits that bind`.
pub(super) fn capitalise_heading(heading: &str) -> String {
    capitalise_first_letter(&heading.to_lowercase())
}

/// The text with a capital letter and a full stop.
pub(super) fn finish_sentence(text: &str) -> String {
    capitalise_first_letter(text) + "."
}

/// The words of `text` in lines of at most `first` and then `rest` columns. Several spaces in a
/// row hold columns apart and are kept, unless the line breaks there.
pub(super) fn wrap_lines(text: &str, first: usize, rest: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut line = String::new();
    for piece in split_words(text) {
        let width = if lines.is_empty() { first } else { rest };
        if line.chars().count() + piece.trim_end().chars().count() > width && !line.is_empty() {
            lines.push(line.trim_end().to_owned());
            line.clear();
        }
        if !(line.is_empty() && piece == " ") {
            line.push_str(piece);
        }
    }
    if !line.trim_end().is_empty() {
        lines.push(line.trim_end().to_owned());
    }
    lines
}

/// The words of a text, each with the space behind it; a unit stays with its number.
fn split_words(text: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut start = 0;
    for (at, _) in text.match_indices(' ') {
        if !is_before_unit(text, at) {
            pieces.push(&text[start..=at]);
            start = at + 1;
        }
    }
    pieces.push(&text[start..]);
    pieces
}

/// Units as they are printed behind a number.
const UNITS: [&str; 26] = [
    "%", "W", "kW", "MW", "GW", "ns", "µs", "ms", "s", "h", "days", "B", "kB", "MB", "GB", "TB",
    "PB", "KiB", "MiB", "GiB", "TiB", "Mb/s", "Gb/s", "Tb/s", "GB/s", "TB/s",
];

/// True of a space between a number and its unit: no line breaks there.
fn is_before_unit(text: &str, space: usize) -> bool {
    let number = text[..space].ends_with(|last: char| last.is_ascii_digit());
    let next = text[space + 1..].split(' ').next().unwrap_or_default();
    number && UNITS.contains(&next.trim_end_matches([',', ';', ':', '.', ')']))
}

/// The text with spaces that hold a number and its unit together: tables break at no other ones.
pub(super) fn keep_units_together(text: &str) -> String {
    let hold = |(at, letter): (usize, char)| {
        if letter == ' ' && is_before_unit(text, at) { HOLDS } else { letter }
    };
    text.char_indices().map(hold).collect()
}

/// The text with plain spaces again.
pub(super) fn break_units_again(text: &str) -> String {
    text.replace(HOLDS, " ")
}

/// A space at which no line breaks.
const HOLDS: char = '\u{a0}';

#[cfg(test)]
mod tests {
    use super::{break_units_again, finish_sentence, keep_units_together, wrap_lines};

    #[test]
    fn a_note_becomes_a_sentence() {
        assert_eq!(
            finish_sentence("no other candidate costs less"),
            "No other candidate costs less."
        );
    }

    #[test]
    fn words_longer_than_a_line_get_a_line_of_their_own() {
        assert_eq!(wrap_lines("a bbbbbb c", 3, 3), ["a", "bbbbbb", "c"]);
        assert_eq!(wrap_lines("a 93.3 %", 6, 6), ["a", "93.3 %"]);
        assert_eq!(wrap_lines("", 3, 3), Vec::<String>::new());
    }

    #[test]
    fn a_unit_stays_with_its_number() {
        assert_eq!(wrap_lines("of 334 kW, 2 s", 6, 6), ["of", "334 kW,", "2 s"]);
        assert_eq!(wrap_lines("8 GPUs", 4, 4), ["8", "GPUs"]);
        assert_eq!(keep_units_together("8 in 334 kW"), "8 in 334\u{a0}kW");
        assert_eq!(break_units_again(&keep_units_together("8 in 334 kW")), "8 in 334 kW");
    }
}

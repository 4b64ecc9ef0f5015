//! Text for a page: escaped, with what a browser may and may not break.

use super::super::super::picture::escape_xml;
use super::super::super::words::capitalise_first_letter;

/// Text for the page: a percent sign stays with its number, and what stands between backticks
/// is code.
pub(super) fn words_html(text: &str) -> String {
    let text = escape_xml(text).replace(" %", "\u{a0}%");
    let pieces: Vec<&str> = text.split('`').collect();
    if pieces.len().is_multiple_of(2) {
        return text;
    }
    let mark = |(place, piece): (usize, &str)| match place % 2 {
        0 => piece.to_owned(),
        _ => format!("<code>{piece}</code>"),
    };
    pieces.into_iter().enumerate().map(mark).collect()
}

/// Text that stands by itself: with a capital letter, where it starts with a plain word.
pub(super) fn remark_html(text: &str) -> String {
    let first = text.split([' ', ',', ':', ';']).next().unwrap_or_default();
    let plain = first.len() > 1 && first.bytes().all(|letter| letter.is_ascii_lowercase());
    if plain { words_html(&capitalise_first_letter(text)) } else { words_html(text) }
}

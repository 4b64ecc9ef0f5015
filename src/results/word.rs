//! Words of a file that someone else may have written.

use crate::units::parse::strip_control_characters;

/// Most characters of a name, word or key that are kept: what is longer is not ours, and would only
/// fill the memory.
pub(super) const LONGEST_WORD: usize = 200;

/// A word of a file, fit for a report: short, one line, no control characters.
pub(super) fn sanitize_word(text: &str) -> String {
    strip_control_characters(&text.chars().take(LONGEST_WORD).collect::<String>())
}

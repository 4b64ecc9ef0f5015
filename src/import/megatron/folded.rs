//! Commands in files of orchestrators: YAML folds the lines behind `>` into one.

/// A text with its folded lines joined, each on the line of its first; blank lines keep the place of
/// the others.
pub(super) fn join_folded_lines(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let Some(head) = folded_head(line) else {
            out.push_str(line);
            out.push('\n');
            continue;
        };
        // Lines behind `|` are a script as they stand.
        out.push_str(head);
        out.push_str("|\n");
        let indent = indent_of(line);
        let mut blank = 0;
        while let Some(inner) =
            lines.next_if(|inner| inner.trim().is_empty() || indent_of(inner) > indent)
        {
            out.push_str(inner.trim());
            out.push(' ');
            blank += 1;
        }
        (0..blank).for_each(|_| out.push('\n'));
    }
    out
}

/// What stands before the sign of a folded block; `None` of any other line.
fn folded_head(line: &str) -> Option<&str> {
    let head = line.trim_end().trim_end_matches(['-', '+']).strip_suffix('>')?;
    let before = head.trim_end();
    (before.len() < head.len() && (before.ends_with(':') || before.ends_with('-'))).then_some(head)
}

fn indent_of(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

#[cfg(test)]
mod tests {
    use super::join_folded_lines;

    #[test]
    fn folded_lines_are_one_and_others_keep_their_places() {
        let text = "args:\n  - >-\n    torchrun run.py\n    --a 1\n\n  end: 1\n";
        let joined = join_folded_lines(text);
        assert_eq!(joined.lines().nth(2), Some("torchrun run.py --a 1  "));
        assert_eq!(joined.lines().nth(5), Some("  end: 1"));
        assert_eq!(join_folded_lines("echo a > b\n"), "echo a > b\n");
    }
}

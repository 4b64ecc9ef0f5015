//! "Did you mean", and lists in sentences. Knows no spec.

use crate::units::text::shorten_for_message;

/// Most entries of a list that a message spells out.
const LONGEST_LIST: usize = 16;

/// Most characters of a name that a message repeats.
const LONGEST_NAME: usize = 48;

/// How alike two names have to be, as the share of characters that agree (Jaro-Winkler).
const ALIKE: f64 = 0.82;

/// The known name nearest to `name`, where one is near.
pub(crate) fn did_you_mean<'a>(name: &str, known: &'a [String]) -> Option<&'a str> {
    let name: String = name.chars().take(LONGEST_NAME).collect();
    let plain = |text: &str| text.to_lowercase().replace(['_', ' ', '.'], "-");
    let wanted = plain(&name);
    known
        .iter()
        .map(|candidate| (name_similarity(&wanted, &plain(candidate)), candidate))
        .filter(|(score, _)| *score >= ALIKE)
        .max_by(|a, b| a.0.total_cmp(&b.0).then_with(|| b.1.cmp(a.1)))
        .map(|(_, candidate)| candidate.as_str())
}

/// How alike two names are. One that goes on where the other ends beats any other slip: the
/// beginning of a long name is what people remember.
fn name_similarity(wanted: &str, candidate: &str) -> f64 {
    /// Shortest beginning that says something.
    const TELLING: usize = 4;
    let begins = wanted.len() >= TELLING && candidate.starts_with(wanted);
    f64::from(u8::from(begins)) + strsim::jaro_winkler(wanted, candidate)
}

/// "a, b, c and 12 more".
pub(crate) fn list_names(names: &[String]) -> String {
    let shown =
        names.iter().take(LONGEST_LIST).map(|n| quote_input(n)).collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(LONGEST_LIST) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

/// What a user wrote, fit for a message: one line, short, no control characters.
pub(crate) fn quote_input(text: &str) -> String {
    shorten_for_message(text, LONGEST_NAME)
}

#[cfg(test)]
mod tests {
    use super::{did_you_mean, list_names, quote_input};

    fn names(names: &[&str]) -> Vec<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    #[test]
    fn a_slip_of_the_finger_finds_its_name() {
        let known = names(&["layers", "hidden", "heads", "kv_heads"]);
        assert_eq!(did_you_mean("laers", &known), Some("layers"));
        assert_eq!(did_you_mean("Hidden", &known), Some("hidden"));
        assert_eq!(did_you_mean("kv-heads", &known), Some("kv_heads"));
        assert_eq!(did_you_mean("zebra", &known), None);
        let nodes = names(&["dgx-a100-80gb", "dgx-h100"]);
        assert_eq!(did_you_mean("dgx-a100", &nodes), Some("dgx-a100-80gb"));
        assert_eq!(did_you_mean("", &known), None);
    }

    #[test]
    fn long_lists_and_odd_names_stay_readable() {
        let many: Vec<String> = (0..20).map(|i| format!("n{i}")).collect();
        assert!(list_names(&many).ends_with("n15 and 4 more"));
        assert_eq!(quote_input("a\nb\u{1b}[31m"), "a\u{fffd}b\u{fffd}[31m");
    }
}

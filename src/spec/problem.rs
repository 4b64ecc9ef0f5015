//! One problem of a spec, with a hint and "did you mean".

use std::fmt;

use super::document::TextPlace;
use crate::parallel::LayoutProblem;
use crate::units::number_separators::UnitError;
use crate::units::parse::{shorten_for_message, strip_control_characters};

/// One thing that is wrong.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    /// Dotted key that it is about; empty where it is about the whole text.
    pub key: String,
    pub kind: ProblemKind,
    /// Where; `None` where nothing is written yet.
    pub place: Option<TextPlace>,
}

/// What is wrong.
#[derive(Clone, Debug, PartialEq)]
pub enum ProblemKind {
    /// Nothing is written.
    Empty,
    /// Longer than any spec.
    TooLarge { bytes: usize, most: usize },
    /// Not text in UTF-8.
    NotUtf8 {
        /// First byte that is none.
        at: usize,
    },
    /// Holds a NUL byte.
    Nul,
    /// JSON, which no TOML begins like.
    Json,
    /// Not TOML.
    Syntax { message: String },
    /// An override that is not `KEY=VALUE`.
    NotAnOverride,
    /// The value of an override starts like TOML and is none.
    NotAValue,
    /// An override reaches into something that is no table.
    NotATable,
    /// A key that nobody reads.
    UnknownKey {
        name: String,
        /// Table that it stands in; empty at the top.
        section: String,
        known: Vec<String>,
        /// Where such a key is known elsewhere: its dotted path.
        elsewhere: Option<String>,
    },
    /// A value of the wrong type.
    WrongType {
        found: &'static str,
        /// What it has to be.
        wanted: String,
        example: &'static str,
    },
    /// A text that is no such quantity.
    Quantity(UnitError),
    /// A value beyond what can be meant.
    OutOfRange {
        value: String,
        /// What it has to be.
        wanted: String,
    },
    /// A text that is none of the allowed ones.
    NotOneOf { value: String, allowed: Vec<String> },
    /// The name of something that does not exist.
    UnknownName {
        /// What kind of thing, as a word.
        what: &'static str,
        name: String,
        known: Vec<String>,
    },
    /// A key without which nothing can be computed.
    Missing {
        meaning: String,
        /// What to write, as a sentence.
        hint: String,
    },
    /// A rule that ties the layout to model and batch.
    Layout {
        problem: LayoutProblem,
        /// What would fit, as a sentence; empty where nothing can be said.
        fits: String,
    },
    /// Statements that can't all be true.
    Contradiction {
        /// Which, as a sentence.
        message: String,
        hint: String,
    },
}

impl ProblemKind {
    /// Statements that can't all be true, as a sentence, and what to do.
    pub(crate) fn new_contradiction(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::Contradiction { message: message.into(), hint: hint.into() }
    }
}

impl Problem {
    /// What to do about it; empty where the message says it all.
    #[must_use]
    pub fn hint(&self) -> String {
        match &self.kind {
            ProblemKind::Empty => "`planner init` writes a commented spec to start from".into(),
            ProblemKind::TooLarge { .. } | ProblemKind::NotUtf8 { .. } | ProblemKind::Nul => {
                "a spec is a short text file in TOML; is this the right file?".into()
            }
            ProblemKind::Json => {
                "`planner check --against` and `planner diff` read results, `planner import` the \
                 config.json of a model"
                    .into()
            }
            ProblemKind::Syntax { message } => syntax_hint(message),
            ProblemKind::NotAnOverride => {
                "write it like `cluster.gpus=4096` or `training.precision=fp8`".into()
            }
            ProblemKind::NotAValue => {
                "close the quotes or brackets; mind that the shell removes quotes of its own".into()
            }
            ProblemKind::NotATable => "override the key itself, without what follows".into(),
            ProblemKind::UnknownKey { name, section, known, elsewhere } => {
                unknown_key_hint(name, section, known, elsewhere.as_deref())
            }
            ProblemKind::WrongType { example: "", .. } => String::new(),
            ProblemKind::WrongType { example, .. } => format!("write it like `{example}`"),
            ProblemKind::Quantity(error) => error.hint.clone(),
            ProblemKind::OutOfRange { .. } => String::new(),
            ProblemKind::NotOneOf { value, allowed } => near_or_all(value, allowed, "allowed"),
            ProblemKind::UnknownName { what, name, known } => {
                near_or_all(name, known, &format!("known {}", plural_form(what)))
            }
            ProblemKind::Missing { hint, .. } => hint.clone(),
            ProblemKind::Layout { fits, .. } => fits.clone(),
            ProblemKind::Contradiction { hint, .. } => hint.clone(),
        }
    }

    /// A few words for under the caret, where the caret points at something else than the fault.
    #[must_use]
    pub fn caret_label(&self) -> String {
        match &self.kind {
            ProblemKind::Missing { .. } => {
                format!("`{}` is missing here", last_key_segment(&self.key))
            }
            _ => String::new(),
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let key = shown_key(&self.key);
        match &self.kind {
            ProblemKind::Empty => f.write_str("the file is empty"),
            ProblemKind::TooLarge { bytes, most } => {
                write!(f, "the spec has {bytes} bytes, and at most {most} are read")
            }
            ProblemKind::NotUtf8 { at } => {
                write!(f, "the spec is no UTF-8 text: byte {at} does not belong in one")
            }
            ProblemKind::Nul => f.write_str("the spec holds a NUL byte"),
            ProblemKind::Json => f.write_str("this is JSON, and a spec is TOML"),
            ProblemKind::Syntax { message } => write!(f, "no valid TOML: {message}"),
            ProblemKind::NotAnOverride => f.write_str("an override has to be KEY=VALUE"),
            ProblemKind::NotAValue => f.write_str("the value of this override is no valid TOML"),
            ProblemKind::NotATable => write!(f, "`{key}` is no table, so it has no keys"),
            ProblemKind::UnknownKey { name, section, .. } if section.is_empty() => {
                write!(f, "unknown key `{}`", quote_input(name))
            }
            ProblemKind::UnknownKey { name, section, .. } => {
                write!(f, "unknown key `{}` in [{}]", quote_input(name), shown_key(section))
            }
            ProblemKind::WrongType { found, wanted, .. } => {
                write!(f, "`{key}` is {found}, but has to be {wanted}")
            }
            ProblemKind::Quantity(error) => write!(f, "`{key}`: {}", error.message),
            ProblemKind::OutOfRange { value, wanted } => {
                write!(f, "`{key}` is {}, but has to be {wanted}", quote_input(value))
            }
            ProblemKind::NotOneOf { value, .. } => {
                write!(f, "`{key}` can't be `{}`", quote_input(value))
            }
            ProblemKind::UnknownName { what, name, .. } => {
                write!(f, "`{key}`: there is no {what} `{}`", quote_input(name))
            }
            ProblemKind::Missing { meaning, .. } => write!(f, "`{key}` is missing: {meaning}"),
            // It names its table itself.
            ProblemKind::Layout {
                problem: layout_problem @ LayoutProblem::Technique { .. },
                ..
            } => {
                write!(f, "{layout_problem}")
            }
            ProblemKind::Layout { problem, .. } => write!(f, "`{key}`: {problem}"),
            ProblemKind::Contradiction { message, .. } => write!(f, "`{key}`: {message}"),
        }
    }
}

/// A dotted key with each element fit for a message.
fn shown_key(key: &str) -> String {
    /// Longest key of the format, with room for a name of one's own in it.
    const LONGEST_KEY: usize = 120;
    strip_control_characters(&key.chars().take(LONGEST_KEY).collect::<String>())
}

fn last_key_segment(key: &str) -> String {
    quote_input(key.rsplit('.').next().unwrap_or(key))
}

fn plural_form(what: &str) -> String {
    let read =
        |noun: &str| if noun.ends_with("ch") { format!("{noun}es") } else { format!("{noun}s") };
    what.split(" or ").map(read).collect::<Vec<_>>().join(" or ")
}

fn near_or_all(name: &str, known: &[String], what: &str) -> String {
    let near = nearest_names(name, known);
    let distance = |near: &str| strsim::levenshtein(name, near);
    let near = match near.as_slice() {
        [] => return format!("{what}: {}", list_names(known)),
        // As many letters away: either may be meant.
        [first, second, ..] if distance(first) == distance(second) => {
            format!("{first}` or `{second}")
        }
        [first, ..] => (*first).to_owned(),
    };
    format!("did you mean `{near}`? {what}: {}", list_names(known))
}

fn unknown_key_hint(
    name: &str,
    section: &str,
    known: &[String],
    elsewhere: Option<&str>,
) -> String {
    if let Some(path) = elsewhere {
        return format!("that key belongs elsewhere: `{path}`");
    }
    match did_you_mean(name, known) {
        Some(near) => format!("did you mean `{near}`?"),
        None if section.is_empty() => format!("known at the top: {}", list_names(known)),
        None => format!("known in [{}]: {}", shown_key(section), list_names(known)),
    }
}

/// What to do about the slips that newcomers to TOML make.
fn syntax_hint(message: &str) -> String {
    if message.contains("duplicate key") {
        "a key and a [table] may stand only once".into()
    } else if message.contains("string values must be quoted") {
        "text stands in quotes, such as node = \"dgx-h100\"".into()
    } else if message.contains("recursion") {
        "nothing in a spec nests deeper than three tables".into()
    } else {
        "a spec is TOML: `key = value` lines under [table] headers, text in quotes".into()
    }
}

/// Most entries of a list that a message spells out.
const LONGEST_LIST: usize = 16;

/// Most characters of a name that a message repeats.
const LONGEST_NAME: usize = 48;

/// How alike two names have to be, as the share of characters that agree (Jaro-Winkler).
const ALIKE: f64 = 0.82;

/// The known name nearest to `name`, where one is near.
pub(crate) fn did_you_mean<'a>(name: &str, known: &'a [String]) -> Option<&'a str> {
    nearest_names(name, known).into_iter().next()
}

/// The names that were likely meant, the likeliest first.
pub(crate) fn nearest_names<'a>(name: &str, known: &'a [String]) -> Vec<&'a str> {
    let name: String = name.chars().take(LONGEST_NAME).collect();
    let plain = |text: &str| text.to_lowercase().replace(['_', ' ', '.'], "-");
    let wanted = plain(&name);
    let scores = known
        .iter()
        .map(|candidate| (name_similarity(&wanted, &plain(candidate)), candidate.as_str()));
    let mut alike: Vec<(f64, &str)> = scores.filter(|(score, _)| *score >= ALIKE).collect();
    alike.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(b.1)));
    alike.into_iter().map(|(_, candidate)| candidate).collect()
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

//! What ends a command: `Failure`, its exit status, and what is said of wrong arguments.

use std::error::Error as _;
use std::ffi::OsString;
use std::process::ExitCode;

use clap::ColorChoice;
use clap::error::{ContextKind, ContextValue, ErrorKind};

use crate::design::Infeasible;
use crate::parallel::LayoutProblem;
use crate::search::NoLayout;
use crate::spec::Problems;

/// Why there is no result.
#[derive(Debug)]
pub(super) enum Failure {
    /// The spec is wrong; the problems know where.
    Spec(Problems),
    /// Bad usage, or a file that can't be read or written.
    Refused {
        /// What is wrong.
        error: anyhow::Error,
        /// What to do about it; may be empty.
        hint: String,
    },
    /// Rules that fail are breached: their texts. The result is printed already.
    Breached(String),
    /// No layout carries the job, or no design meets the limits.
    Infeasible(Infeasible),
    /// No design meets the limits, and one of a smaller cluster would.
    TooLarge {
        /// Why there is none.
        reason: Box<Infeasible>,
        /// What to do about it.
        hint: String,
    },
    /// A signal came before there was any design.
    Interrupted,
    /// No point of a sweep has a design.
    NoPoint(anyhow::Error),
}

impl Failure {
    /// Bad usage or a file that is of no use.
    pub(super) fn usage_error(error: impl Into<anyhow::Error>, hint: impl Into<String>) -> Self {
        Self::Refused { error: error.into(), hint: hint.into() }
    }

    /// The exit status of the contract.
    pub(super) fn exit_status(&self) -> ExitCode {
        const BREACHED: u8 = 1;
        const BAD_INPUT: u8 = 2;
        const NO_DESIGN: u8 = 3;
        match self {
            Self::Breached(_) => BREACHED.into(),
            Self::Spec(_) | Self::Refused { .. } => BAD_INPUT.into(),
            Self::Infeasible(_) if self.is_of_spec() => BAD_INPUT.into(),
            Self::Infeasible(_) | Self::TooLarge { .. } | Self::NoPoint(_) | Self::Interrupted => {
                NO_DESIGN.into()
            }
        }
    }

    /// Whether a spec is wrong: a technique on a layout that it does not apply to is a mistake of
    /// the spec's, though only a search can see it.
    pub(super) fn is_of_spec(&self) -> bool {
        match self {
            Self::Spec(_) => true,
            Self::Infeasible(Infeasible::Layout(NoLayout::Illegal { problems, .. })) => {
                problems.iter().any(|problem| matches!(problem, LayoutProblem::Technique { .. }))
            }
            _ => false,
        }
    }
}

impl From<Problems> for Failure {
    fn from(problems: Problems) -> Self {
        Self::Spec(problems)
    }
}

impl From<Infeasible> for Failure {
    fn from(reason: Infeasible) -> Self {
        Self::Infeasible(reason)
    }
}

impl From<NoLayout> for Failure {
    fn from(reason: NoLayout) -> Self {
        Self::Infeasible(reason.into())
    }
}

/// What is wrong with the arguments, and what to type instead; `None` for help and version, which
/// are no errors.
pub(super) fn usage_error_text(error: &clap::Error) -> Option<(String, String)> {
    if error.exit_code() == 0 || error.kind() == MISSING_ALL {
        return None;
    }
    let found = ParsedError(error);
    Some((found.error_text(), found.way_out()))
}

/// A program without any argument shows its help.
const MISSING_ALL: ErrorKind = ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand;

/// When to colour, by the words of the command line: it counts also where the others make no sense.
pub(super) fn colour_choice(words: impl IntoIterator<Item = OsString>) -> ColorChoice {
    let mut words = words.into_iter();
    let mut choice = ColorChoice::Auto;
    while let Some(word) = words.next() {
        let word = word.to_string_lossy().into_owned();
        let value = match word.strip_prefix("--color") {
            Some("") => words.next().map(|next| next.to_string_lossy().into_owned()),
            Some(rest) => rest.strip_prefix('=').map(str::to_owned),
            None if word == "--" => break,
            None => None,
        };
        choice = match value.as_deref() {
            Some("always") => ColorChoice::Always,
            Some("never") => ColorChoice::Never,
            _ => choice,
        };
    }
    choice
}

/// What the parser found, by kind.
struct ParsedError<'a>(&'a clap::Error);

impl ParsedError<'_> {
    fn error_text(&self) -> String {
        let argument = self.context_text(ContextKind::InvalidArg);
        let value = self.context_text(ContextKind::InvalidValue);
        match self.0.kind() {
            ErrorKind::InvalidSubcommand => {
                format!(
                    "there is no command `{}`",
                    self.context_text(ContextKind::InvalidSubcommand)
                )
            }
            ErrorKind::UnknownArgument if argument.starts_with('-') => {
                format!("there is no option `{argument}`")
            }
            ErrorKind::UnknownArgument => format!("`{argument}` is one argument too many"),
            ErrorKind::InvalidValue if value.is_empty() => format!("`{argument}` lacks its value"),
            ErrorKind::InvalidValue => format!("`{value}` is no value of `{argument}`"),
            ErrorKind::ValueValidation => {
                let why = self.0.source().map_or_else(String::new, ToString::to_string);
                if why.contains(&format!("`{value}`")) {
                    format!("`{argument}`: {why}")
                } else {
                    format!("`{value}` is no value of `{argument}`: {why}")
                }
            }
            ErrorKind::TooManyValues => format!("`{value}` is one value too many for `{argument}`"),
            ErrorKind::TooFewValues | ErrorKind::WrongNumberOfValues => {
                let needed = [ContextKind::ExpectedNumValues, ContextKind::MinValues];
                let needed =
                    needed.into_iter().find_map(|kind| self.context_count(kind)).unwrap_or(1);
                let given = self.context_count(ContextKind::ActualNumValues).unwrap_or(0);
                format!("`{argument}` takes {needed} values, and got {given}")
            }
            ErrorKind::ArgumentConflict => {
                let other = self.context_words(ContextKind::PriorArg);
                if other == [argument.as_str()] {
                    format!("`{argument}` is given twice")
                } else {
                    format!("`{argument}` can't go with {}", list_words(&other))
                }
            }
            ErrorKind::MissingRequiredArgument => {
                let missing = self.context_words(ContextKind::InvalidArg);
                let verb = if missing.len() == 1 { "is" } else { "are" };
                format!("{} {verb} missing", list_words(&missing))
            }
            kind => kind.as_str().map_or_else(|| kind.to_string(), str::to_owned),
        }
    }

    /// The likely word; or all that may stand there; or how the command is typed.
    fn way_out(&self) -> String {
        let near = [
            ContextKind::SuggestedSubcommand,
            ContextKind::SuggestedArg,
            ContextKind::SuggestedValue,
        ];
        if let Some(near) =
            near.into_iter().find_map(|kind| self.context_words(kind).into_iter().next())
        {
            return format!("did you mean `{near}`?");
        }
        let known = self.context_words(ContextKind::ValidValue);
        if !known.is_empty() {
            return format!("known: {}", known.join(", "));
        }
        if self.0.kind() == ErrorKind::InvalidSubcommand {
            return "`planner --help` lists the commands".to_owned();
        }
        match self.0.get(ContextKind::Usage) {
            Some(ContextValue::StyledStr(usage)) => {
                let usage = usage.to_string();
                let typed = usage.strip_prefix("Usage:").unwrap_or(&usage);
                format!("it is typed `{}`", typed.split_whitespace().collect::<Vec<_>>().join(" "))
            }
            _ => String::new(),
        }
    }

    fn context_words(&self, kind: ContextKind) -> Vec<String> {
        match self.0.get(kind) {
            Some(ContextValue::String(word)) => vec![word.clone()],
            Some(ContextValue::Strings(words)) => words.clone(),
            _ => Vec::new(),
        }
    }

    fn context_text(&self, kind: ContextKind) -> String {
        self.context_words(kind).join(" ")
    }

    fn context_count(&self, kind: ContextKind) -> Option<isize> {
        match self.0.get(kind) {
            Some(ContextValue::Number(count)) => Some(*count),
            _ => None,
        }
    }
}

/// `a`, `b` and `c`.
fn list_words(words: &[String]) -> String {
    let words: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
    match words.split_last() {
        Some((last, before)) if !before.is_empty() => format!("{} and {last}", before.join(", ")),
        _ => words.concat(),
    }
}

#[cfg(test)]
mod tests {
    use clap::{ColorChoice, Parser as _};

    use super::{colour_choice, usage_error_text};
    use crate::cli::Arguments;

    #[track_caller]
    fn says(words: &str, what: &str, way_out: &str) {
        let error = Arguments::try_parse_from(format!("planner {words}").split(' '))
            .expect_err("it is typed wrong");
        assert_eq!(usage_error_text(&error), Some((what.to_owned(), way_out.to_owned())));
    }

    #[test]
    fn every_slip_has_a_sentence_and_a_way_out() {
        says("desing", "there is no command `desing`", "did you mean `design`?");
        says("xyz", "there is no command `xyz`", "`planner --help` lists the commands");
        says("design --formt json", "there is no option `--formt`", "did you mean `--format`?");
        says(
            "design --format jsn",
            "`jsn` is no value of `--format <FORMAT>`",
            "did you mean `json`?",
        );
        says(
            "design a b",
            "`b` is one argument too many",
            "it is typed `planner design [OPTIONS] [SPEC]`",
        );
        says(
            "design -q -v",
            "`--quiet` can't go with `--verbose`",
            "it is typed `planner design --quiet [SPEC]`",
        );
        says(
            "design -o a -o b",
            "`--output <FILE>` is given twice",
            "it is typed `planner design [OPTIONS] [SPEC]`",
        );
        says("diff", "`<OLD>` and `<NEW>` are missing", "it is typed `planner diff <OLD> <NEW>`");
        says(
            "traffic --pair 1",
            "`--pair <I> <J>` takes 2 values, and got 1",
            "it is typed `planner traffic [OPTIONS] [SPEC]`",
        );
        says("design --width", "`--width <COLUMNS>` lacks its value", "");
        says(
            "design --width 20",
            "`20` is no value of `--width <COLUMNS>`: 20 is not in 40..=65535",
            "",
        );
        says("completions tcsh", "`tcsh` is no value of `<SHELL>`", "did you mean `zsh`?");
        for fine in ["--help", "--version", "design --help"] {
            let shown = Arguments::try_parse_from(["planner"].into_iter().chain(fine.split(' ')));
            assert_eq!(usage_error_text(&shown.expect_err("clap calls it one")), None);
        }
    }

    #[test]
    fn the_wish_for_colour_is_heard_whatever_else_is_typed() {
        let choice = |words: &str| colour_choice(words.split(' ').map(Into::into));
        assert_eq!(choice("desing"), ColorChoice::Auto);
        assert_eq!(choice("--color never desing"), ColorChoice::Never);
        assert_eq!(choice("desing --color=always"), ColorChoice::Always);
        assert_eq!(choice("desing --color"), ColorChoice::Auto);
        assert_eq!(choice("design -- --color=always"), ColorChoice::Auto);
    }
}

//! What ends a command: `Failure` and its exit status; when errors are in colour.

use std::ffi::OsString;
use std::process::ExitCode;

use clap::ColorChoice;

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
    /// No design meets the limits: by how much. The screen that says more is printed already.
    NoDesign(String),
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
            Self::Infeasible(_)
            | Self::TooLarge { .. }
            | Self::NoDesign(_)
            | Self::NoPoint(_)
            | Self::Interrupted => NO_DESIGN.into(),
        }
    }

    /// Why there is no result, in one sentence.
    pub(super) fn reason_text(&self) -> String {
        match self {
            Self::Spec(problems) => {
                problems.list.first().map(ToString::to_string).unwrap_or_default()
            }
            Self::Refused { error, .. } | Self::NoPoint(error) => error.to_string(),
            Self::Breached(reason) | Self::NoDesign(reason) => reason.clone(),
            Self::Infeasible(reason) => reason.to_string(),
            Self::TooLarge { reason, .. } => reason.to_string(),
            Self::Interrupted => "interrupted".to_owned(),
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

#[cfg(test)]
mod tests {
    use clap::ColorChoice;

    use super::colour_choice;

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

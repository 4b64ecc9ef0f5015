//! What a file says may be endless; what is said of it is not.

use super::draft::Draft;
use super::problems::ImportProblem;
use super::questions::Question;
use crate::units::parse::shorten_for_message;

/// Longest text that is told of one thing.
const LONGEST: usize = 1_000;
/// Most things that are told.
const MOST: usize = 100;

/// A draft whose remarks are no longer than a person reads.
pub(super) fn shorten_draft(mut draft: Draft) -> Draft {
    for texts in [&mut draft.assumed, &mut draft.lost, &mut draft.unread] {
        shorten_texts(texts);
    }
    draft
}

/// A problem that is no longer than a person reads.
pub(super) fn shorten_problem(problem: ImportProblem) -> ImportProblem {
    let short = |text: String| shorten_for_message(&text, LONGEST);
    match problem {
        ImportProblem::Format { reason } => ImportProblem::Format { reason: short(reason) },
        ImportProblem::Family { name } => ImportProblem::Family { name: short(name) },
        ImportProblem::Refused { name, reason } => {
            ImportProblem::Refused { name: short(name), reason }
        }
        ImportProblem::Approximate { name } => ImportProblem::Approximate { name: short(name) },
        far @ ImportProblem::TooFar { .. } => far,
        ImportProblem::Missing { key } => ImportProblem::Missing { key: short(key) },
        ImportProblem::Value { key, value, wanted } => {
            ImportProblem::Value { key: short(key), value: short(value), wanted }
        }
        ImportProblem::Misspelt { flag, near } => {
            ImportProblem::Misspelt { flag: short(flag), near }
        }
        ImportProblem::Purpose { name, reason } => {
            ImportProblem::Purpose { name: short(name), reason }
        }
        ImportProblem::Questions { list } => {
            let shorten = |question: Question| Question {
                place: short(question.place),
                missing: short(question.missing),
                answer: short(question.answer),
            };
            ImportProblem::Questions { list: list.into_iter().take(MOST).map(shorten).collect() }
        }
    }
}

fn shorten_texts(texts: &mut Vec<String>) {
    let more = texts.len().saturating_sub(MOST);
    texts.truncate(MOST);
    for text in texts.iter_mut().filter(|text| text.len() > LONGEST) {
        *text = shorten_for_message(text, LONGEST);
    }
    if more > 0 {
        texts.push(format!("{more} more"));
    }
}

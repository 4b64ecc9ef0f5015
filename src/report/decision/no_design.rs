//! The screen of a question that no design meets: which limits, by how much, and what to change.

use super::rows::title_line;
use crate::design::{LimitMove, QuestionFacts};
use crate::report::document::{Document, Row, Screen};
use crate::report::format::{RenderOptions, draw_document};
use crate::report::{number, short_number};
use crate::units::{Amount, SpecAmount, StatedAmount};

/// A question that other limits would have a design for.
#[derive(Clone, Debug)]
pub struct NoDesignSheet<'a> {
    pub name: &'a str,
    /// What it is called by.
    pub facts: QuestionFacts,
    /// GPUs that it asks for.
    pub gpus: u32,
    /// Their name; `None` where several are on offer.
    pub gpu: Option<&'a str>,
    /// By how much limits have to move.
    pub moves: &'a [LimitMove],
    /// All of them have to; else any one is enough.
    pub together: bool,
    /// Another way out, as a sentence; empty where none is known.
    pub hint: &'a str,
}

/// The screen in a format for people.
#[must_use]
pub fn render_no_design(sheet: &NoDesignSheet<'_>, look: RenderOptions<'_>) -> String {
    let each = |read: &dyn Fn(&LimitMove) -> String| sheet.moves.iter().map(read).collect();
    let least = |limit_move: &LimitMove| {
        let needs = short_limit(limit_move);
        let then = limit_move.then.as_ref().map_or_else(String::new, |then| format!(": {then}"));
        format!("{} {needs}{then}", limit_move.limit)
    };
    let stated = |limit_move: &LimitMove| {
        format!("{} {}: not met", limit_move.limit, StatedAmount(&limit_move.has))
    };
    let word = if sheet.together { "all of " } else { "one of " };
    let word = if sheet.moves.len() > 1 { word } else { "" };
    let changed = |limit_move: &LimitMove| {
        format!("{} = {}", limit_move.limit, SpecAmount(&limit_move.needs))
    };
    let changes: Vec<String> = each(&changed);
    let mut change = vec![format!("{word}{}", changes.join(", "))];
    change.extend((!sheet.hint.is_empty()).then(|| format!("or {}", sheet.hint)));
    let gpu = sheet.gpu.map_or_else(|| "GPUs".to_owned(), str::to_uppercase);
    let screen = Screen {
        rows: vec![
            Row::new("Limits", each(&stated)),
            Row::new("Least", each(&least)),
            Row::new("Change", change),
        ],
        verdict: format!("No design: {}.", no_design_sentence(sheet.moves, sheet.together)),
        ..Screen::default()
    };
    let title =
        title_line(sheet.name, &sheet.facts, &format!("{} {gpu}", number::count(sheet.gpus)));
    let document = Document { title, screen: Some(screen), ..Document::default() };
    draw_document(&document, look, String::new)
}

/// `limits.budget is $500M, the least is $691M`.
#[must_use]
pub fn no_design_sentence(moves: &[LimitMove], together: bool) -> String {
    let one = |limit_move: &LimitMove| {
        let LimitMove { limit, has, needs, .. } = limit_move;
        // Of a share the design has to have so much at least.
        let word = if matches!(needs, Amount::Share(_)) { "most" } else { "least" };
        format!("{limit} is {}, the {word} is {}", StatedAmount(has), short_limit(limit_move))
    };
    let all: Vec<String> = moves.iter().map(one).collect();
    all.join(if together { "; and " } else { "; or " })
}

/// What a limit would have to be, in short.
fn short_limit(limit_move: &LimitMove) -> String {
    match &limit_move.needs {
        Amount::Money(usd) => short_number::money_limit(*usd),
        _ => limit_move.needs_text(),
    }
}

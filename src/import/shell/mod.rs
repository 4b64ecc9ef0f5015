//! Scripts of a shell as commands with their words. The subset of bash that launch scripts use is
//! gone through without running anything: no program is started, nothing is written, and files are
//! asked of the caller, below the folder of the script. What only a machine knows is a hole.

mod arithmetic;
mod assignment;
mod branches;
mod builtins;
mod commands;
mod conditions;
mod evaluation;
mod evaluator;
mod expansion;
mod holes;
mod merge;
mod operations;
mod parameters;
mod parser;
mod pattern;
mod redirections;
mod simple;
mod state;
mod syntax;
mod test_expressions;
mod words;

pub use evaluation::{Command, Evaluation, ScriptInput};
pub use holes::{Hole, HoleKind, Holes, Place};
pub(super) use holes::{has_hole, is_all_unknown};

/// Goes through a script.
#[must_use]
pub fn evaluate_script(text: &str, input: &ScriptInput<'_>) -> Evaluation {
    evaluator::Shell::new(input).run_script(&holes::without_holes(text))
}

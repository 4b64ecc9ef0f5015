//! A checked document into a [`Scenario`]: presets and defaults filled in, names looked up, and
//! everything found that is wrong with several values together. Each part is resolved even where
//! another could not be, so that all problems come out at once.

mod cluster;
mod context;
mod hardware;
mod layout;
mod layout_rules;
mod limits;
mod model;
mod price_book;
mod price_items;
mod price_terms;
mod scenario;
mod scenario_prices;
mod shelf;
mod training;
mod workload;

pub(crate) use hardware::{shipped_frameworks, shipped_nodes, shipped_switches};
pub(crate) use price_book::price_book;
pub(crate) use scenario::document_gate;

use super::document::{Book, SpecTable};
use super::problem::Problem;
use crate::scenario::Scenario;
use context::Context;
use scenario::resolve_scenario;

/// The scenario and the problems found; `None` where a part of it could not be resolved.
pub(crate) fn resolve_document(
    document: &SpecTable,
    book: Option<&Book>,
) -> (Option<Scenario>, Vec<Problem>) {
    let mut context = Context { book, ..Context::new(document) };
    let scenario = resolve_scenario(&mut context).and_then(|first| {
        let later = scenario::resolve_stages(&mut context, &first)?;
        Some(Scenario { later, ..first })
    });
    // Rules are no part of the question, but a slip in them is told with all others, and a result
    // keeps them.
    let rules = scenario::rules_as_written(&scenario::resolve_gate(&mut context).0);
    (scenario.map(|scenario| Scenario { rules, ..scenario }), context.problems)
}

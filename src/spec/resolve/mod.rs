//! A checked document into a [`Scenario`]: presets and defaults filled in, names looked up, and
//! everything found that is wrong with several values together. Each part is resolved even where
//! another could not be, so that all problems come out at once.

mod book;
mod calibration;
mod cluster;
mod contents;
mod context;
mod dates;
mod degrees;
mod family;
mod framework;
mod gate;
mod hardware;
mod installation;
mod items;
mod layout;
mod limits;
mod model;
mod networks;
mod overruled;
mod parts;
mod pattern;
mod prices;
mod pricing;
mod product;
mod quote;
mod robust;
mod routed;
mod rules;
mod scenario;
mod shelf;
mod shipped;
mod stage;
mod sums;
mod technique;
mod training;
mod workload;
mod worth;

pub(crate) use book::price_book;
pub(crate) use gate::document_rules;
pub(crate) use shipped::{shipped_frameworks, shipped_nodes, shipped_switches};

use context::Context;

use super::book::Book;
use super::document::SpecTable;
use super::problem::Problem;
use crate::scenario::Scenario;
use scenario::resolve_scenario;

/// The scenario and the problems found; `None` where a part of it could not be resolved.
pub(crate) fn resolve_document(
    document: &SpecTable,
    book: Option<&Book>,
) -> (Option<Scenario>, Vec<Problem>) {
    let mut context = Context { book, ..Context::new(document) };
    let scenario = resolve_scenario(&mut context).and_then(|first| {
        let later = stage::resolve_stages(&mut context, &first)?;
        Some(Scenario { later, ..first })
    });
    // Rules are no part of the question, but a slip in them is told with all others, and a result
    // keeps them.
    let rules = gate::rules_as_written(&gate::resolve_stated_rules(&mut context));
    (scenario.map(|scenario| Scenario { rules, ..scenario }), context.problems)
}

//! `[gate]`: the rules that a spec states for `planner check`. They are no part of the question that
//! a scenario asks.

use super::context::Context;
use crate::gate::{Rule, RuleOrigin, Severity, StatedRule};
use crate::scenario::StatedRules;
use crate::spec::document::SpecTable;
use crate::spec::problem::{Problem, ProblemKind};

/// The rules of a checked document, and the problems found.
pub(crate) fn document_rules(document: &SpecTable) -> (Vec<StatedRule>, Vec<Problem>) {
    let mut context = Context::new(document);
    let gates = resolve_stated_rules(&mut context);
    (gates, context.problems)
}

/// The rules as they are written.
pub(super) fn rules_as_written(gates: &[StatedRule]) -> StatedRules {
    let read = |severity| {
        let rules = gates.iter().filter(move |gate| gate.severity == severity);
        rules.map(|gate| gate.rule.to_string()).collect()
    };
    StatedRules { fail_on: read(Severity::Fail), warn_on: read(Severity::Warn) }
}

/// The rules; those that are none become problems.
pub(super) fn resolve_stated_rules(context: &mut Context<'_>) -> Vec<StatedRule> {
    let reader = context.section_reader("gate");
    let mut gates = Vec::new();
    for (key, severity) in [("fail_on", Severity::Fail), ("warn_on", Severity::Warn)] {
        // A list of names leaves the word `auto` out, which is no rule either.
        let auto = reader.place_of(key).filter(|_| reader.is_auto(key));
        let texts = reader.read_names(key).into_iter().chain(auto.map(|place| ("auto", place)));
        for (text, place) in texts {
            match Rule::parse(text) {
                Ok(rule) => gates.push(StatedRule { rule, severity, origin: RuleOrigin::Spec }),
                Err(error) => {
                    let (message, hint) = (error.to_string(), error.hint());
                    let kind = ProblemKind::Contradiction { message, hint };
                    context.add_problem(reader.path_of(key), Some(place), kind);
                }
            }
        }
    }
    gates
}

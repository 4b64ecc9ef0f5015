//! What the planner took for granted, for the report. Takes nothing itself.

use std::collections::{BTreeMap, BTreeSet};

/// Something that the planner took for granted.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Assumption {
    /// Spec key or topic, such as `framework.preset`.
    pub topic: String,
    /// What was assumed, as a sentence.
    pub text: String,
    /// It is the default of a key that the spec leaves open.
    pub default: bool,
}

impl Assumption {
    /// The topic of shapes of leaf switches that were not compared.
    pub const SHAPES: &str = "fabric.shapes";

    /// What several workloads or products assume: once where all do, with the names of those that do
    /// otherwise.
    #[must_use]
    pub fn merge_by_owner<'a>(assumed: impl Iterator<Item = (&'a str, &'a [Self])>) -> Vec<Self> {
        let mut all = 0;
        let mut by_assumption: BTreeMap<&Self, BTreeSet<&str>> = BTreeMap::new();
        for (name, assumptions) in assumed {
            all += 1;
            for assumption in assumptions {
                by_assumption.entry(assumption).or_default().insert(name);
            }
        }
        let told = |(assumption, names): (&Self, BTreeSet<&str>)| {
            if names.len() == all {
                return assumption.clone();
            }
            let names: Vec<&str> = names.into_iter().collect();
            let text = format!("{}: {}", names.join(", "), assumption.text);
            Self { topic: assumption.topic.clone(), text, default: assumption.default }
        };
        by_assumption.into_iter().map(told).collect()
    }
}

//! Designs of several files beside one another.

use crate::gate::Snapshot;
use crate::quantity::{Quantity, all_quantities};

/// Figures shown beside those that `compare` has of baselines, in their place in the table of figures.
const TOO: [&str; 12] = [
    "cluster.gpus",
    "cluster.node",
    "cluster.hb_domains",
    "cluster.nic",
    "cluster.planes",
    "model.parameters",
    "layout.tensor",
    "layout.pipeline",
    "layout.data",
    "fabric.kind",
    "step.mfu",
    "cost.tco_usd",
];

/// What `planner compare` of several files shows.
#[derive(Clone, Debug)]
pub struct SideBySide<'a> {
    /// Each file, with its design.
    pub all: Vec<(&'a str, &'a Snapshot)>,
}

impl<'a> SideBySide<'a> {
    /// Names of the designs; of their files where two have one name.
    pub(in super::super) fn design_names(&self) -> Vec<&'a str> {
        let own: Vec<&str> = self.all.iter().map(|(_, snapshot)| snapshot.name.as_str()).collect();
        let twice = own.iter().any(|name| own.iter().filter(|text| *text == name).count() > 1);
        if twice { self.all.iter().map(|(file, _)| *file).collect() } else { own }
    }

    /// The rows of which any of the designs has something.
    pub(in super::super) fn figure_rows(&self) -> impl Iterator<Item = &'static Quantity> {
        let shown = |row: &&Quantity| row.compared || TOO.contains(&row.key);
        let has = |snapshot: &Snapshot, key: &str| {
            snapshot.figures.contains_key(key) || snapshot.words.contains_key(key)
        };
        let there =
            move |row: &&Quantity| self.all.iter().any(|(_, snapshot)| has(snapshot, row.key));
        all_quantities().filter(shown).filter(there)
    }
}

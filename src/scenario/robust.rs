//! What a fabric has to carry besides the workloads: other layouts, placements, mixes of jobs and
//! collectives. Derives no step from them.

use crate::keys::{Kind, choices, key, table};
use crate::workload::Algorithms;

/// Equal jobs that may share a cluster.
const JOBS: Kind = Kind::Count { min: 2, max: 1024 };

table! {
    /// Scenarios that one fabric has to carry, each within a slowdown of its own.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Robust, "what else the fabric has to carry within a slowdown: the largest need of all decides"
    {
        /// Longest step of each scenario over its own on a full-bisection Clos.
        max_slowdown: f64 = 1.1, in Kind::Number { min: 1.0, max: 1000.0 },
            "longest step of each scenario over that of the same scenario on a full-bisection Clos";
        /// Next best layouts, of other degrees.
        layouts: u32 = 0, in Kind::Count { min: 0, max: 32 },
            "that many next best layouts, each with degrees of its own";
    } besides {
        /// Placements of the job's domains below leaf switches.
        placements: Vec<RobustPlacement>,
        /// Numbers of equal jobs that run at once, in ascending order.
        jobs: Vec<u32>,
        /// Algorithms that all collectives run by.
        collectives: Vec<Algorithms>,
    }
    last [
        key("placements", Kind::Some(&Kind::Choice(RobustPlacement::NAMES)),
            "how HB domains of the job lie below leaf switches: dealt over them one by one, or half of \
             each for one job of half the replicas and half for another")
            .with_default_words("none"),
        key("jobs", Kind::Some(&JOBS),
            "numbers of equal jobs that run at once, each with as large a part of replicas and batch")
            .with_default_words("none"),
        key("collectives", Kind::Some(&Kind::Choice(Algorithms::NAMES)),
            "algorithms that all collectives of the step run by, one after another")
            .with_default_words("none"),
    ]
}

choices! {
    /// How the HB domains of a job lie below the leaf switches.
    pub enum RobustPlacement {
        /// Consecutive domains lie below different leaf switches.
        Fragmented = "fragmented",
        /// Two jobs of half the replicas have half of every leaf switch each.
        PartFilled = "part-filled",
    }
}

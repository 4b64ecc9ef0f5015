//! `Objective`, `Minimize`, `Pace` (slowest step, longest run), `Robust`, `Assumption`.

use std::collections::{BTreeMap, BTreeSet};

use super::limits::{Limits, Loss};
use crate::keys::{Kind, SHARE, choices, key, table};
use crate::units::Seconds;
use crate::workload::Algorithms;

table! {
    /// What to minimise.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Objective, "what to minimise" {
        /// Share by which a design may be worse than the best and still be one of those.
        tolerance: f64 = 0.0, in SHARE,
            "share by which a design may be worse than the best by a quantity and still count as \
             such";
        /// Longest step over the least on a full-bisection Clos, of all rank orders and placements;
        /// where it is not stated, what [`Objective::allowed_slowdown`] says.
        max_slowdown: Option<f64>, in Kind::Number { min: 1.0, max: 1000.0 },
            "longest step over that of the same machines on a full-bisection Clos, in the fastest \
             layout, rank order and placement that are open"
            or "1.02; any where cost per token is minimised, which a longer step adds to by itself";
        /// Years of operation in TCO and in cost per token.
        years: f64 = 4.0, in Kind::Number { min: 0.1, max: 100.0 }, "years of operation";
        /// Share that money loses of its value in a year: what is paid later counts less.
        discount: f64 = 0.0, in Kind::Number { min: 0.0, max: 0.5 },
            "share that money loses of its value in a year: energy and later stages count less";
        /// Power drawn from the wall over power of the machines. What new large halls reach; the
        /// average of the industry is 1.56 (Uptime Institute, Global Data Center Survey 2024).
        pue: f64 = 1.3, in Kind::Number { min: 1.0, max: 10.0 },
            "power from the wall over the machines'";
    } besides {
        minimize: Minimize,
        /// What decides among the designs that are best by it, one after another; usually nothing.
        then: Vec<Minimize>,
    }
    first [
        key(
            "minimize",
            Kind::Some(&Kind::Choice(Minimize::NAMES)),
            "the quantity; of several the next decides among designs that are best by those before \
             it",
        )
        .with_default_words("usd-per-token where the run (`training.tokens`) or the horizon \
                             (`years`) is stated, the machine has a price, and the cluster has \
                             neither stages nor parts; else capex"),
    ]
}

choices! {
    /// The quantity that a design minimises.
    pub enum Minimize {
        /// What is bought.
        Capex = "capex",
        /// What is bought, and electricity over the years.
        Tco = "tco",
        /// TCO over tokens trained.
        UsdPerToken = "usd-per-token",
        /// Power of the cluster.
        Power = "power",
    }
}

impl Objective {
    /// Slowdown that no fabric reaches: stands for no limit.
    pub const ANY_SLOWDOWN: f64 = 1e6;
    /// Slowdown up to which a step counts as one on a network that never blocks.
    pub const LITTLE_SLOWDOWN: f64 = 1.02;

    /// Longest step over the least on a full-bisection Clos, where that quantity is minimised: what
    /// is stated. Money and power fall with the network at any pace, so some slowdown has to end
    /// it; a token gets dearer by itself.
    #[must_use]
    pub fn allowed_slowdown(&self, minimize: Minimize) -> f64 {
        self.max_slowdown.unwrap_or(match minimize {
            Minimize::UsdPerToken => Self::ANY_SLOWDOWN,
            Minimize::Capex | Minimize::Tco | Minimize::Power => Self::LITTLE_SLOWDOWN,
        })
    }

    /// Value today of a dollar that is paid `years` from now: (1 + discount)^−years.
    #[must_use]
    pub fn present_value(&self, years: f64) -> f64 {
        (1.0 + self.discount).powf(-years)
    }

    /// Years of operation, each worth what a dollar a year paid in it is worth at their beginning:
    /// ∫ (1 + discount)^−t dt over all years; the years themselves where nothing is discounted.
    #[must_use]
    pub fn present_years(&self) -> f64 {
        if self.discount > 0.0 {
            (1.0 - self.present_value(self.years)) / self.discount.ln_1p()
        } else {
            self.years
        }
    }
}

/// How long a workload may take; what is `None` follows from the scenario's objective and limits.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pace {
    /// Longest step over the least on a full-bisection Clos, of all rank orders and placements.
    pub max_slowdown: Option<f64>,
    /// Length of the whole run, the time that others have the cluster included.
    pub run: Option<Seconds>,
    pub step_time: Option<Seconds>,
    /// Losses after each of which it goes on, where it has a part of the cluster to itself: what
    /// the default on losses made of a spec that says nothing of them.
    pub survive: Option<&'static [Loss]>,
}

impl Pace {
    /// Its longest step over the least on a full-bisection Clos: its own, or that of all.
    #[must_use]
    pub fn allowed_slowdown(&self, of_all: &Objective) -> f64 {
        self.max_slowdown.unwrap_or_else(|| of_all.allowed_slowdown(of_all.minimize))
    }

    /// Its longest step: its own, or that of all.
    #[must_use]
    pub fn longest_step(&self, of_all: &Limits) -> Option<Seconds> {
        self.step_time.or(of_all.step_time)
    }

    /// Its longest run, likewise.
    #[must_use]
    pub fn longest_run(&self, of_all: &Limits) -> Option<Seconds> {
        self.run.or(of_all.run)
    }
}

/// Equal jobs that may share a cluster.
const JOBS: Kind = Kind::Count { min: 2, max: 1024 };

table! {
    /// Scenarios that one fabric has to carry, each within a slowdown of its own.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Robust, "what else the fabric has to carry within a slowdown: the largest need of \
                        all decides"
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
            "how HB domains of the job lie below leaf switches: dealt over them one by one, or \
             half of each for one job of half the replicas and half for another")
            .with_default_words("none"),
        key("jobs", Kind::Some(&JOBS),
            "numbers of equal jobs that run at once, each with as large a part of replicas and \
             batch")
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

    /// Whether the model has parts that its spec was written without.
    #[must_use]
    pub fn is_approximation(&self) -> bool {
        self.topic == "model" && self.text.starts_with("approximation:")
    }

    /// What several workloads or products assume: once where all do, with the names of those that
    /// do otherwise.
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

//! The clusters that a question is of: one, parts side by side, or stages one after another.

use std::fmt;

use super::{Cluster, Hall, Limits, Loss, Scenario, Workload};

/// Of what clusters a question is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ClusterShape {
    /// One, which all workloads share.
    One,
    /// One for each workload, side by side: they share stock, supply and limits.
    Parts,
    /// One that grows: each stage has what those before it bought.
    Stages,
}

/// What a cluster has grown to from a time on.
#[derive(Clone, Debug, PartialEq)]
pub struct Stage {
    /// Years after the first stage.
    pub year: f64,
    /// Price of parts over that of today.
    pub price: f64,
    /// The question about the cluster as it is then.
    pub scenario: Scenario,
}

/// Which cluster of a scenario.
#[derive(Clone, Debug, PartialEq)]
pub enum ClusterName {
    /// The only one.
    Whole,
    /// The part of a workload, by the workload's name: parts stand side by side.
    Part(String),
    /// A stage of a cluster that grows: stages follow one another.
    Stage {
        /// Counted from 1.
        number: usize,
        /// Years after the first one.
        year: f64,
    },
}

impl ClusterName {
    /// What `--part` takes it by; `None` for the only one.
    #[must_use]
    pub fn part_argument(&self) -> Option<String> {
        match self {
            Self::Whole => None,
            Self::Part(name) => Some(name.clone()),
            Self::Stage { number, .. } => Some(number.to_string()),
        }
    }

    /// What a list of all calls it by: `dense`, `year 1.5`.
    #[must_use]
    pub fn short_name(&self) -> String {
        match self {
            Self::Whole => String::new(),
            Self::Part(name) => name.clone(),
            Self::Stage { year, .. } => format!("year {year}"),
        }
    }

    /// Years after the first stage; none of other clusters.
    #[must_use]
    pub const fn start_year(&self) -> f64 {
        if let Self::Stage { year, .. } = self { *year } else { 0.0 }
    }
}

impl fmt::Display for ClusterName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Whole => Ok(()),
            Self::Part(name) => f.write_str(name),
            Self::Stage { number, year } => write!(f, "{number}, year {year}"),
        }
    }
}

/// One cluster as a question of its own.
#[derive(Clone, Debug, PartialEq)]
pub struct ClusterQuestion {
    pub name: ClusterName,
    /// Price of parts over that of today.
    pub price: f64,
    /// What is asked of it.
    pub scenario: Scenario,
}

impl Scenario {
    /// Of what clusters the question is.
    #[must_use]
    pub fn cluster_shape(&self) -> ClusterShape {
        match (self.later.is_empty(), self.lead_workload().gpus) {
            (false, _) => ClusterShape::Stages,
            (true, Some(_)) => ClusterShape::Parts,
            (true, None) => ClusterShape::One,
        }
    }

    /// True where the question is about several fabrics: those of parts, or of stages.
    #[must_use]
    pub fn is_several(&self) -> bool {
        !matches!(self.cluster_shape(), ClusterShape::One)
    }

    /// The question with a change to it, the first stage, and to each of its later ones by place.
    #[must_use]
    pub fn map_stages(&self, change: impl Fn(usize, Self) -> Self) -> Self {
        let later = self.later.iter().zip(1..).map(|(stage, place)| Stage {
            scenario: change(place, stage.scenario.clone()),
            ..stage.clone()
        });
        Self { later: later.collect(), ..change(0, Self { later: Vec::new(), ..self.clone() }) }
    }

    /// Every cluster at the prices of today, each with all the stock: parts in the order of their
    /// workloads, with every limit; stages about the years until the next one, without the budget,
    /// which is that of all together; or the only one.
    #[must_use]
    pub fn cluster_questions(&self) -> Vec<ClusterQuestion> {
        match self.cluster_shape() {
            ClusterShape::One => {
                let scenario = self.clone();
                vec![ClusterQuestion { name: ClusterName::Whole, price: 1.0, scenario }]
            }
            ClusterShape::Parts => self
                .workloads
                .iter()
                .filter_map(|workload| self.question_of_part(workload))
                .collect(),
            ClusterShape::Stages => {
                let first = Self { later: Vec::new(), ..self.clone() };
                let first = Stage { year: 0.0, price: 1.0, scenario: first };
                let stages = std::iter::once(first).chain(self.later.iter().cloned()).zip(1..);
                let ends = self.later.iter().map(|stage| stage.year);
                let ends = ends.chain([self.objective.years]);
                let question = |((stage, number), end): ((Stage, usize), f64)| {
                    let Stage { year, price, mut scenario } = stage;
                    scenario.objective.years = end - year;
                    scenario.limits.budget = None;
                    ClusterQuestion { name: ClusterName::Stage { number, year }, price, scenario }
                };
                stages.zip(ends).map(question).collect()
            }
        }
    }

    /// The question of the part that a workload has; `None` where it has none.
    fn question_of_part(&self, workload: &Workload) -> Option<ClusterQuestion> {
        let gpus = workload.gpus?;
        let survive = workload.limits.survive.map(<[Loss]>::to_vec);
        let survive = survive.or_else(|| self.limits.survive.clone());
        let scenario = Self {
            limits: Limits { survive, ..self.limits.clone() },
            hall: Hall { packed: self.limits.racks.is_some(), ..self.hall.clone() },
            name: workload.name.clone(),
            workloads: vec![workload.map_products(|own| Workload { gpus: None, ..own })],
            cluster: Cluster { gpus, ..self.cluster.clone() },
            ..self.clone()
        };
        let name = ClusterName::Part(workload.name.clone());
        Some(ClusterQuestion { name, price: 1.0, scenario })
    }
}

//! `Solution`, `ProofStatus`, `SizingInfeasible`, `Work`.
//!
//! The answer of the integer program, or why there is none.

use std::fmt;

use crate::units::{Amount, ExactAmount, Usd, Watts};

/// What to build, buy and take from stock.
#[derive(Clone, Debug, PartialEq)]
pub struct Solution {
    /// Copies of each column, by class.
    pub copies: Vec<Vec<u64>>,
    /// Switches in use by model.
    pub used: Vec<u64>,
    /// Switches of those that come from stock.
    pub owned: Vec<u64>,
    pub ends: u64,
    /// Transceivers of those that come from stock.
    pub owned_ends: u64,
    /// Price of all that is bought.
    pub capex: Usd,
    /// Power of all that is in use.
    pub power: Watts,
    /// The objective: capex and the cost of energy.
    pub cost: Usd,
    /// No answer can cost less than this.
    pub bound: Usd,
    /// How far the answer is proven.
    pub status: Status,
    /// What the claim rests on.
    pub proof: Proof,
    /// What the solver did for it.
    pub work: Work,
}

impl Solution {
    /// How far it is proven.
    #[must_use]
    pub fn proof_status(&self) -> ProofStatus {
        ProofStatus::from_status(self.status, self.proof, self.cost, self.bound)
    }

    /// Switches to buy by model.
    #[must_use]
    pub fn switches_to_buy(&self) -> Vec<u64> {
        self.used.iter().zip(&self.owned).map(|(used, owned)| used - owned).collect()
    }
}

/// How far an answer is proven, and by what.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ProofStatus {
    /// How far it is proven.
    pub status: Status,
    /// What the claim rests on.
    pub proof: Proof,
    /// Relative distance between cost and bound; 0 when optimal.
    pub gap: f64,
}

impl ProofStatus {
    pub(super) fn from_status(status: Status, proof: Proof, cost: Usd, bound: Usd) -> Self {
        let open = status != Status::Optimal && cost > Usd::ZERO;
        let gap = if open { ((cost - bound) / cost).max(0.0) } else { 0.0 };
        Self { status, proof, gap }
    }
}

/// How far an answer is proven.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Status {
    /// Nothing can be cheaper.
    Optimal,
    /// The best that was found; `bound` says how far it may be from the best there is.
    Incumbent,
}

/// What an answer rests on, the plainest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Proof {
    /// Its cost equals a lower bound that plain arithmetic gives.
    Bound,
    /// Every combination was tried or ruled out.
    Enumeration,
    /// The solver closed its search tree.
    Solver,
    /// Nothing but the arithmetic check: a feasible answer, not a proven one.
    Check,
}

/// Why nothing can be built.
#[derive(Clone, Debug, PartialEq)]
pub enum SizingInfeasible {
    /// No build carries the rails of a class.
    NoBuild { class: String },
    /// These limits can't be met together; leaving out any one of them makes it possible.
    /// Each says what it would have to be with the others as they are.
    Clash { needs: Vec<LimitNeed> },
    /// Neither an answer nor a proof that there is none was found in time.
    Unknown,
}

/// A limit that is too tight.
#[derive(Clone, Debug, PartialEq)]
pub enum LimitNeed {
    /// Too few switches of a model.
    Supply { model: String, has: u64, needs: u64 },
    /// Too little power.
    Power { has: Watts, needs: Watts },
    /// Too little money.
    Budget { has: Usd, needs: Usd },
    /// Too little money for what is bought and for its energy.
    Ownership {
        /// What an objective before this one leaves.
        has: Usd,
        needs: Usd,
    },
    /// Too few racks for switches.
    Racks {
        /// Racks that are left to them.
        has: u64,
        needs: u64,
    },
}

impl fmt::Display for LimitNeed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Supply { model, has, needs } => {
                write!(f, "{needs} switches `{model}` are needed, {has} can be had")
            }
            Self::Power { has, needs } => {
                let [needs, has] = [needs, has].map(|power| Amount::Power(*power));
                write!(f, "{} are needed, {} allowed", ExactAmount(&needs), ExactAmount(&has))
            }
            Self::Budget { has, needs } => {
                let [needs, has] = [needs, has].map(|price| Amount::Money(*price));
                write!(f, "{} are needed, {} allowed", ExactAmount(&needs), ExactAmount(&has))
            }
            Self::Ownership { has, needs } => {
                let [needs, has] = [needs, has].map(|price| Amount::Money(*price));
                write!(f, "owning it costs {}, {} allowed", ExactAmount(&needs), ExactAmount(&has))
            }
            Self::Racks { has, needs } => {
                write!(f, "switches take {needs} racks, {has} are left to them")
            }
        }
    }
}

impl fmt::Display for SizingInfeasible {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoBuild { class } => write!(
                f,
                "no switch on offer carries a rail of `{class}`: offer switches with more ports"
            ),
            Self::Clash { needs } => {
                f.write_str("these limits can't be met together: change one of them")?;
                for need in needs {
                    write!(f, "; {need}")?;
                }
                Ok(())
            }
            Self::Unknown => f.write_str(
                "neither a design nor a proof that there is none was found in time: \
                 relax a limit or try another solver",
            ),
        }
    }
}

impl std::error::Error for SizingInfeasible {}

/// Programs and what the solver did for them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Work {
    pub programs: u64,
    /// Those of them that were sent to a solver.
    pub to_solver: u64,
    /// Nodes of the solver's search trees, over all of them; 0 where a solver does not tell.
    pub nodes: u64,
    /// Steps of comparing and pricing, a nanosecond or two each; those of a solver by its nodes.
    pub steps: u64,
}

impl Work {
    /// A program that no solver has seen yet.
    pub(super) const ONE: Self = Self { programs: 1, to_solver: 0, nodes: 0, steps: 0 };

    /// A program that the solver answered in so many nodes.
    pub(crate) const fn from_run(nodes: u64) -> Self {
        Self::ONE.add_run(nodes)
    }

    /// With a run of the solver that took so many nodes.
    pub(super) const fn add_run(self, nodes: u64) -> Self {
        Self { to_solver: 1, nodes: self.nodes + nodes, ..self }
    }

    /// With so many steps more.
    pub(super) const fn with_steps(self, steps: u64) -> Self {
        Self { steps: self.steps + steps, ..self }
    }
}

impl std::ops::Add for Work {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            programs: self.programs + other.programs,
            to_solver: self.to_solver + other.to_solver,
            nodes: self.nodes + other.nodes,
            steps: self.steps + other.steps,
        }
    }
}

impl std::ops::AddAssign for Work {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

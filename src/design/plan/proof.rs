//! `Certificate`, `SolverStatus`, `LayoutsProven`, `Programs`.
//!
//! What is proven of a choice among candidates: the least that any of them could still take. Solves
//! nothing.

use crate::design::candidate::candidates::Candidate;
use crate::design::network::candidate_sizing::SizedCandidate;
use crate::sizing::{Options, PosedProgram, Proof, Work};
use crate::units::{ROUNDING, Usd};

/// How far a choice among all candidates is proven.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Certificate {
    /// No design of any candidate takes less, in the units of a design's value.
    pub(in crate::design) bound: f64,
    /// Value of the chosen design.
    pub(in crate::design) value: f64,
    /// The weakest proof that it rests on.
    pub(in crate::design) proof: Proof,
    /// The candidate whose bound is least, where it is below the value: it may be better.
    pub(in crate::design) rival: Option<String>,
    /// What is open is how much of the time trains on other fabrics alone: none is cheaper for its
    /// pace.
    pub(in crate::design) only_goodput: bool,
}

impl Certificate {
    /// Of the best of the entries, beside candidates of which no design and no proof was found.
    pub(in crate::design) fn from_entries(
        all: &[Candidate<'_>],
        entries: &[SizedCandidate<'_>],
        best: usize,
        unproven: &[(usize, f64)],
    ) -> Self {
        let chosen = &entries[best];
        let value = chosen.sized.value;
        let sized = entries.iter().map(|entry| (entry.place, entry.sized.bound));
        let open = sized
            .chain(unproven.iter().copied())
            .filter(|(_, bound)| *bound < value * (1.0 - ROUNDING))
            .min_by(|a, b| a.1.total_cmp(&b.1));
        let open_entry = |entry: &&SizedCandidate<'_>| entry.sized.bound < value * (1.0 - ROUNDING);
        let only_goodput = unproven.is_empty()
            && entries.iter().filter(open_entry).all(|entry| entry.sized.only_goodput);
        let proofs = entries.iter().map(|entry| entry.sized.solution.proof);
        Self {
            bound: open.map_or(value, |(_, bound)| bound),
            value,
            proof: proofs.max().unwrap_or(Proof::Bound),
            rival: open.map(|(place, _)| all[place].describe()),
            only_goodput,
        }
    }

    /// What is proven where a design of one of the candidates may take as little as `floor`
    /// besides.
    pub(in crate::design) fn with_other_bound(
        self,
        floor: f64,
        rival: impl FnOnce() -> String,
    ) -> Self {
        if floor >= self.bound * (1.0 - ROUNDING) {
            return self;
        }
        let rival = self.rival.or_else(|| Some(rival()));
        Self { bound: floor, rival, only_goodput: false, ..self }
    }

    /// What is proven of an answer whose step time was refuted by routing to the last: nothing.
    pub(in crate::design) fn mark_unverified(self, rival: String) -> Self {
        Self { rival: self.rival.or(Some(rival)), only_goodput: false, ..self }
    }

    /// What is proven of another design of that value; the proof of all others is as before.
    pub(in crate::design) fn for_other_value(self, value: f64) -> Self {
        let open = self.bound < value * (1.0 - ROUNDING);
        let proof = if open { Proof::Check } else { self.proof };
        Self { value, proof, rival: self.rival.filter(|_| open), ..self }
    }

    /// Nothing can be better.
    pub(in crate::design) const fn is_optimal(&self) -> bool {
        self.rival.is_none()
    }

    /// Relative distance of the bound from the value; 0 where that is optimal.
    pub(in crate::design) fn relative_gap(&self) -> f64 {
        if self.value > 0.0 { ((self.value - self.bound) / self.value).max(0.0) } else { 0.0 }
    }
}

/// How far the answer is proven.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SolverStatus {
    /// Nothing can be cheaper.
    Optimal,
    /// Stopped at a gap that was allowed.
    GapLimit,
    /// No fabric costs less for its pace, and how much of the time trains on those that were not
    /// looked at is only bounded: what is open is the gap.
    GoodputBound,
    /// A limit on the nodes of the search was reached; the best found so far.
    NodeLimit,
    /// Somebody ended the choice before it was finished; the best found so far.
    Interrupted,
}

impl SolverStatus {
    /// Name in results.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Optimal => "optimal",
            Self::GapLimit => "gap-limit",
            Self::GoodputBound => "goodput-bound",
            Self::NodeLimit => "node-limit",
            Self::Interrupted => "interrupted",
        }
    }
}

/// How far the choice of the layout is proven.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LayoutsProven {
    /// Layouts that break no rule and were looked at, on all machines.
    pub looked_at: u64,
    /// Layouts of which networks were sized, with each number of planes and each protocol counted
    /// by itself.
    pub sized: u64,
    /// What a layout that was not sized could save at most, as a share of the answer; 0 where
    /// bounds exclude all of them: their steps are longer than is allowed, or no network is cheap
    /// enough.
    pub gap: f64,
}

/// The integer programs behind an answer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Programs {
    /// Name of the solver that those were given to which needed one.
    pub solver: &'static str,
    /// How many were posed for the choice, and what the solver did for them. What a report says
    /// besides the design (other designs, limits that bind) took more.
    pub work: Work,
    /// What the program over all designs that were sized says; `None` of several clusters, and
    /// where the choice was ended.
    pub choices: Option<ChoicesReport>,
    /// That of the answer; `None` where a fabric was counted and not chosen.
    pub answer: Option<PosedProgram>,
    pub columns: u64,
    pub rows: u64,
    /// Its coefficients that are not 0, without those of the objective.
    pub nonzeros: u64,
}

/// What the integer program over all designs that were sized says.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChoicesReport {
    /// Designs of which one is made, each with its machines, layout and pace.
    pub choices: u64,
    /// HB-domain products among them.
    pub products: u64,
    /// Products and interfaces that stand for themselves with the bound that excludes them.
    pub excluded: u64,
    /// What the solver's choice takes, its machines included; `None` where it found none.
    pub optimum: Option<Usd>,
    pub outcome: ChoicesOutcome,
}

/// How the solver's choice stands to that of the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChoicesOutcome {
    /// It takes as much, and the solver closed its search.
    Agrees,
    /// It takes less: the search did not find it.
    TakesLess,
    /// The solver's search is not closed, and it found nothing that takes less.
    Open,
    /// The solver found no point.
    NoPoint,
}

impl ChoicesOutcome {
    /// Its name in reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Agrees => "agrees",
            Self::TakesLess => "takes-less",
            Self::Open => "open",
            Self::NoPoint => "no-point",
        }
    }
}

impl Programs {
    /// Those of an answer.
    pub(crate) fn from_answer(answer: PosedProgram, work: Work, options: &Options) -> Self {
        let table = answer.program_table();
        Self {
            solver: options.back_end.name(),
            work,
            choices: None,
            columns: table.columns.len() as u64,
            rows: table.rows.len() as u64,
            nonzeros: table.rows.iter().map(|row| row.terms.len() as u64).sum(),
            answer: Some(answer),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Certificate;
    use crate::sizing::solution::Proof;

    #[test]
    fn a_lower_floor_of_an_earlier_round_is_the_bound() {
        let proven = Certificate {
            bound: 10.0,
            value: 10.0,
            proof: Proof::Bound,
            rival: None,
            only_goodput: true,
        };
        let beside = |floor| proven.clone().with_other_bound(floor, || "another".to_owned());
        assert!(beside(10.0).only_goodput && !beside(9.0).only_goodput);
        assert_eq!(beside(10.0), proven);
        assert_eq!((beside(9.0).bound, beside(9.0).is_optimal()), (9.0, false));
        assert!((beside(9.0).relative_gap() - 0.1).abs() < 1e-12);
        // Another answer at that bound leaves nothing open.
        assert!(beside(9.0).for_other_value(9.0).is_optimal());
        assert!((beside(9.0).for_other_value(9.5).relative_gap() - 0.5 / 9.5).abs() < 1e-12);
    }
}

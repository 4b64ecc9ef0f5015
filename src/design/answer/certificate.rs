//! What is proven of a choice among candidates: the least that any of them could still take. Solves
//! nothing.

use crate::design::candidate::list::Candidate;
use crate::design::fabric::entries::SizedCandidate;
use crate::sizing::Proof;

/// How far a choice among all candidates is proven.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Certificate {
    /// No design of any candidate takes less, in the units of a design's value.
    pub(super) bound: f64,
    /// Value of the chosen design.
    pub(super) value: f64,
    /// The weakest proof that it rests on.
    pub(super) proof: Proof,
    /// The candidate whose bound is least, where it is below the value: it may be better.
    pub(super) rival: Option<String>,
    /// What is open is how much of the time trains on other fabrics alone: none is cheaper for its pace.
    pub(super) only_goodput: bool,
}

/// Relative rounding of sums of money.
const ROUNDING: f64 = 1e-9;

impl Certificate {
    /// Of the best of the entries, beside candidates of which no design and no proof was found.
    pub(super) fn from_entries(
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

    /// What is proven where a design of one of the candidates may take as little as `floor` besides.
    pub(super) fn with_other_bound(self, floor: f64, rival: impl FnOnce() -> String) -> Self {
        if floor >= self.bound * (1.0 - ROUNDING) {
            return self;
        }
        let rival = self.rival.or_else(|| Some(rival()));
        Self { bound: floor, rival, only_goodput: false, ..self }
    }

    /// What is proven of an answer whose step time was refuted by routing to the last: nothing.
    pub(super) fn mark_unverified(self, rival: String) -> Self {
        Self { rival: self.rival.or(Some(rival)), only_goodput: false, ..self }
    }

    /// What is proven of another design of that value; the proof of all others is as before.
    pub(super) fn for_other_value(self, value: f64) -> Self {
        let open = self.bound < value * (1.0 - ROUNDING);
        let proof = if open { Proof::Check } else { self.proof };
        Self { value, proof, rival: self.rival.filter(|_| open), ..self }
    }

    /// Nothing can be better.
    pub(super) const fn is_optimal(&self) -> bool {
        self.rival.is_none()
    }

    /// Relative distance of the bound from the value; 0 where that is optimal.
    pub(super) fn relative_gap(&self) -> f64 {
        if self.value > 0.0 { ((self.value - self.bound) / self.value).max(0.0) } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::{Certificate, Proof};

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

//! How often the best answer is routed, found slower than it was timed, and weighed anew. Weighs nothing
//! itself.

/// One of the times that the best answer is routed, from 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Round(u32);

impl Round {
    /// Rounds that correct single levels.
    const NARROW: u32 = 8;
    /// Rounds in all. Those that correct every level at once soon leave fabrics without leaf borders.
    const MOST: u32 = 24;

    /// The next one; `None` where there were enough.
    pub(crate) fn next(self) -> Option<Self> {
        (self.0 + 1 < Self::MOST).then_some(Self(self.0 + 1))
    }

    /// What was found of one level holds for all with a leaf border from now on: single levels took
    /// too many rounds.
    pub(super) const fn is_wide(self) -> bool {
        self.0 >= Self::NARROW
    }
}

#[cfg(test)]
mod tests {
    use super::Round;

    #[test]
    fn eight_rounds_are_narrow_and_sixteen_wide() {
        let all: Vec<Round> =
            std::iter::successors(Some(Round::default()), |round| round.next()).collect();
        let wide = all.iter().filter(|round| round.is_wide()).count();
        assert_eq!((all.len(), wide, all[7].is_wide()), (24, 16, false));
    }
}

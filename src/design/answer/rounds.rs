//! How often the best answer is routed, found slower than it was timed, and weighed anew. Weighs nothing
//! itself.

/// One of the times that the best answer is routed, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RoutingRound {
    number: u32,
    /// Rounds that correct single levels.
    narrow: u32,
}

impl Default for RoutingRound {
    fn default() -> Self {
        Self { number: 0, narrow: Self::NARROW }
    }
}

impl RoutingRound {
    const NARROW: u32 = 8;
    /// Likewise where a round takes milliseconds: fabrics that hardly differ are refuted one by one.
    const NARROW_OF_FEW: u32 = 64;
    /// Interfaces up to which it does.
    const FEW: u64 = 8192;
    /// Rounds that correct every level at once: they soon leave fabrics without leaf borders.
    const WIDE: u32 = 16;

    /// The first one of clusters of so many interfaces.
    pub(super) const fn first_round(interfaces: u64) -> Self {
        Self {
            number: 0,
            narrow: if interfaces <= Self::FEW { Self::NARROW_OF_FEW } else { Self::NARROW },
        }
    }

    pub(super) const fn is_first(self) -> bool {
        self.number == 0
    }

    /// The next one; `None` where there were enough.
    pub(crate) fn next_round(self) -> Option<Self> {
        let next = self.number + 1;
        (next < self.narrow + Self::WIDE).then_some(Self { number: next, ..self })
    }

    /// What was found of one level holds for all with a leaf border from now on: single levels took
    /// too many rounds.
    pub(super) const fn applies_to_all_levels(self) -> bool {
        self.number >= self.narrow
    }
}

#[cfg(test)]
mod tests {
    use super::RoutingRound;

    #[test]
    fn narrow_rounds_come_first_and_more_of_small_clusters() {
        for (first, narrow) in [
            (RoutingRound::default(), 8),
            (RoutingRound::first_round(8193), 8),
            (RoutingRound::first_round(8192), 64),
        ] {
            let all: Vec<RoutingRound> =
                std::iter::successors(Some(first), |round| round.next_round()).collect();
            let wide = all.iter().filter(|round| round.applies_to_all_levels()).count();
            assert_eq!((all.len() - wide, wide), (narrow, 16));
            assert!(all[0].is_first() && !all[narrow - 1].applies_to_all_levels());
        }
    }
}

//! A set of values of one digit, as intervals. Knows nothing of ranks.

/// Disjoint intervals, ascending, each from the first value to before the second.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Values {
    /// The common case, without an allocation.
    Span([(u32, u32); 1]),
    /// Any number of intervals.
    Spans(Vec<(u32, u32)>),
}

impl Values {
    /// From `low` to before `high`; empty where they meet.
    pub(super) const fn span(low: u32, high: u32) -> Self {
        Self::Span([(low, high)])
    }

    /// A single value.
    pub(super) const fn one(value: u32) -> Self {
        Self::span(value, value + 1)
    }

    /// The values below `size` whose bit number `bit` is as asked.
    pub(super) fn with_bit(size: u32, bit: u32, set: bool) -> Self {
        let run = 1 << bit;
        let spans = (0..size / (2 * run)).map(|i| {
            let low = 2 * run * i + if set { run } else { 0 };
            (low, low + run)
        });
        Self::Spans(spans.collect())
    }

    /// The intervals.
    pub(super) fn spans(&self) -> &[(u32, u32)] {
        match self {
            Self::Span(span) => span,
            Self::Spans(spans) => spans,
        }
    }

    /// How many values.
    pub(super) fn len(&self) -> u32 {
        self.spans().iter().map(|(low, high)| high.saturating_sub(*low)).sum()
    }

    /// How many values below `limit`.
    pub(super) fn below(&self, limit: u32) -> u32 {
        let cut = |(low, high): &(u32, u32)| (*high).min(limit).saturating_sub(*low);
        self.spans().iter().map(cut).sum()
    }

    pub(super) fn contains(&self, value: u32) -> bool {
        self.spans().iter().any(|(low, high)| (*low..*high).contains(&value))
    }

    /// The values in both.
    pub(super) fn and(&self, other: &Self) -> Self {
        let mut both = Vec::new();
        for (a, b) in self.spans() {
            for (c, d) in other.spans() {
                let (low, high) = ((*a).max(*c), (*b).min(*d));
                if low < high {
                    both.push((low, high));
                }
            }
        }
        match both.as_slice() {
            [] => Self::span(0, 0),
            [only] => Self::Span([*only]),
            _ => Self::Spans(both),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Values;

    #[test]
    fn sets_count_and_intersect() {
        let odd_pairs = Values::with_bit(16, 1, true);
        assert_eq!(odd_pairs.spans(), [(2, 4), (6, 8), (10, 12), (14, 16)]);
        assert_eq!(odd_pairs.len(), 8);
        assert_eq!(odd_pairs.below(7), 3);
        let cut = odd_pairs.and(&Values::span(3, 11));
        assert_eq!(cut.spans(), [(3, 4), (6, 8), (10, 11)]);
        assert!(cut.contains(10) && !cut.contains(11));
        assert_eq!(cut.and(&Values::one(4)).len(), 0);
    }
}

//! `Patch`: a box of ranks with equal sends; sets of digit values.

use crate::parallel::{Digit, Rank};
use crate::step::TrafficKind;
use crate::units::Bytes;

/// Ranks whose digits lie in `sources` each send `bytes` to the rank whose digits differ by
/// `delta`. The target's digits stay in their ranges: a step that carries is a patch of its own.
#[derive(Clone, Debug)]
pub(super) struct Patch {
    pub(super) kind: TrafficKind,
    /// Bytes of each pair in a step.
    pub(super) bytes: Bytes,
    /// Values of each digit of the grid, fastest first.
    pub(super) sources: Vec<DigitValues>,
    /// What the target's digits have more, fastest first.
    pub(super) delta: Vec<i64>,
}

impl Patch {
    /// Pairs in the patch.
    pub(super) fn pair_count(&self) -> u128 {
        self.sources.iter().map(|values| u128::from(values.value_count())).product()
    }

    /// Ranks from a source to its target.
    pub(super) fn target_distance(&self, digits: &[Digit]) -> i64 {
        digit_distance(&self.delta, digits)
    }

    /// Whether the fastest digits of a rank are those of a sender; slower ones are not asked.
    pub(super) fn has_inner_source(&self, rank: Rank, inner: &[Digit]) -> bool {
        self.sources
            .iter()
            .zip(inner)
            .all(|(values, digit)| values.contains(digit.digit_value(rank)))
    }
}

/// How far some digits' moves lead, in what their strides count.
pub(super) fn digit_distance(delta: &[i64], digits: &[Digit]) -> i64 {
    let step = |(delta, digit): (&i64, &Digit)| *delta * i64::from(digit.stride);
    delta.iter().zip(digits).map(step).sum()
}

/// Disjoint intervals, ascending, each from the first value to before the second.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum DigitValues {
    /// The common case, without an allocation.
    Span([(u32, u32); 1]),
    /// Intervals of one length at one distance, however many.
    Every(EveryValue),
    /// Any number of intervals.
    Spans(Vec<(u32, u32)>),
}

/// `count` intervals of `run` values each, which begin `step` values apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct EveryValue {
    /// Where the first begins.
    pub(super) first: u32,
    /// Values of each, fewer than `step`.
    pub(super) run: u32,
    pub(super) step: u32,
    pub(super) count: u32,
}

impl EveryValue {
    /// Before which value the last ends.
    pub(super) const fn end_value(self) -> u32 {
        self.first + (self.count - 1) * self.step + self.run
    }

    const fn values_below(self, limit: u32) -> u32 {
        let Some(values) = limit.checked_sub(self.first) else { return 0 };
        let whole = values / self.step;
        if whole >= self.count {
            return self.count * self.run;
        }
        let begun = values % self.step;
        whole * self.run + if begun < self.run { begun } else { self.run }
    }

    fn value_spans(self) -> impl Iterator<Item = (u32, u32)> {
        (0..self.count)
            .map(move |i| self.first + i * self.step)
            .map(move |low| (low, low + self.run))
    }

    /// The values from `low` to before `high`; `None` where that cuts an interval.
    fn clip_to_range(self, low: u32, high: u32) -> Option<DigitValues> {
        let begun = |limit: u32| {
            let values = limit.saturating_sub(self.first);
            (values.div_ceil(self.step).min(self.count), values % self.step)
        };
        let ((from, cut_low), (to, cut_high)) = (begun(low), begun(high));
        let whole = |cut: u32, limit: u32| {
            cut == 0 || cut >= self.run || limit >= self.end_value() || limit <= self.first
        };
        if !whole(cut_low, low) || !whole(cut_high, high) {
            return None;
        }
        let count = to.saturating_sub(from);
        Some(DigitValues::from_repeated_interval(
            self.first + from * self.step,
            self.run,
            self.step,
            count,
        ))
    }
}

impl DigitValues {
    /// From `low` to before `high`; empty where they meet.
    pub(super) const fn from_span(low: u32, high: u32) -> Self {
        Self::Span([(low, high)])
    }

    /// A single value.
    pub(super) const fn from_value(value: u32) -> Self {
        Self::from_span(value, value + 1)
    }

    /// `count` intervals of `run` values, `step` apart, the first from `first` on.
    pub(super) const fn from_repeated_interval(
        first: u32,
        run: u32,
        step: u32,
        count: u32,
    ) -> Self {
        match count {
            0 => Self::from_span(0, 0),
            1 => Self::from_span(first, first + run),
            _ if run == step => Self::from_span(first, first + run * count),
            _ => Self::Every(EveryValue { first, run, step, count }),
        }
    }

    /// Those of disjoint intervals, ascending.
    fn from_intervals(spans: Vec<(u32, u32)>) -> Self {
        match spans.as_slice() {
            [] => Self::from_span(0, 0),
            [only] => Self::Span([*only]),
            _ => Self::Spans(spans),
        }
    }

    /// The values below `size`, a power of two, whose bit number `bit` is as asked.
    pub(super) const fn with_bit(size: u32, bit: u32, set: bool) -> Self {
        let run = 1 << bit;
        Self::from_repeated_interval(if set { run } else { 0 }, run, 2 * run, size / (2 * run))
    }

    /// The intervals.
    pub(super) fn value_spans(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        let (listed, every): (&[(u32, u32)], _) = match self {
            Self::Span(span) => (span, None),
            Self::Every(every) => (&[], Some(*every)),
            Self::Spans(spans) => (spans, None),
        };
        listed.iter().copied().chain(every.into_iter().flat_map(EveryValue::value_spans))
    }

    /// How many values.
    pub(super) fn value_count(&self) -> u32 {
        match self {
            Self::Span([(low, high)]) => high.saturating_sub(*low),
            Self::Every(every) => every.count * every.run,
            Self::Spans(spans) => spans.iter().map(|(low, high)| high.saturating_sub(*low)).sum(),
        }
    }

    /// How many values below `limit`.
    pub(super) fn count_below(&self, limit: u32) -> u32 {
        if let Self::Every(every) = self {
            return every.values_below(limit);
        }
        self.value_spans().map(|(low, high)| high.min(limit).saturating_sub(low)).sum()
    }

    pub(super) fn contains(&self, value: u32) -> bool {
        match self {
            Self::Span([(low, high)]) => (*low..*high).contains(&value),
            Self::Every(every) => every.values_below(value + 1) > every.values_below(value),
            Self::Spans(spans) => {
                let at = spans.partition_point(|(_, high)| *high <= value);
                spans.get(at).is_some_and(|(low, _)| *low <= value)
            }
        }
    }

    /// The values in both.
    pub(super) fn intersect(&self, other: &Self) -> Self {
        if let (Self::Every(every), Self::Span([(low, high)]))
        | (Self::Span([(low, high)]), Self::Every(every)) = (self, other)
            && let Some(clipped) = every.clip_to_range(*low, *high)
        {
            return clipped;
        }
        let (mut ours, mut others) = (self.value_spans(), other.value_spans());
        let mut both = Vec::new();
        let mut next = (ours.next(), others.next());
        while let (Some((a, b)), Some((c, d))) = next {
            let (low, high) = (a.max(c), b.min(d));
            if low < high {
                both.push((low, high));
            }
            // What ends first meets nothing that follows in the other.
            if b < d {
                next.0 = ours.next();
            } else {
                next.1 = others.next();
            }
        }
        Self::from_intervals(both)
    }
}

#[cfg(test)]
mod tests {
    use super::DigitValues;

    #[test]
    fn sets_count_and_intersect() {
        let odd_pairs = DigitValues::with_bit(16, 1, true);
        let spans = |values: &DigitValues| values.value_spans().collect::<Vec<_>>();
        assert_eq!(spans(&odd_pairs), [(2, 4), (6, 8), (10, 12), (14, 16)]);
        assert_eq!(odd_pairs.value_count(), 8);
        assert_eq!(odd_pairs.count_below(7), 3);
        let cut = odd_pairs.intersect(&DigitValues::from_span(3, 11));
        assert_eq!(spans(&cut), [(3, 4), (6, 8), (10, 11)]);
        assert!(cut.contains(10) && !cut.contains(11));
        assert_eq!(cut.intersect(&DigitValues::from_value(4)).value_count(), 0);
    }

    #[test]
    fn intervals_at_one_distance_are_the_values_that_they_list() {
        for (first, run, step, count) in [(0, 1, 2, 5), (3, 2, 4, 4), (1, 3, 7, 2), (5, 1, 3, 1)] {
            let every = DigitValues::from_repeated_interval(first, run, step, count);
            let listed: Vec<u32> =
                (0..count).flat_map(|i| (0..run).map(move |v| first + i * step + v)).collect();
            assert_eq!(every.value_count() as usize, listed.len());
            for limit in 0..30 {
                let below = listed.iter().filter(|value| **value < limit).count();
                assert_eq!(every.count_below(limit) as usize, below, "{every:?} below {limit}");
                assert_eq!(every.contains(limit), listed.contains(&limit), "{every:?} {limit}");
                for low in 0..=limit {
                    let both = every.intersect(&DigitValues::from_span(low, limit));
                    let both: Vec<u32> = both.value_spans().flat_map(|(a, b)| a..b).collect();
                    let kept = listed.iter().copied().filter(|value| (low..limit).contains(value));
                    assert_eq!(both, kept.collect::<Vec<_>>(), "{every:?} and {low}..{limit}");
                }
            }
        }
    }
}

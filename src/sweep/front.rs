//! The Pareto front: points that no other point beats in one figure without losing in the other.

/// Which way a figure gets better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sense {
    /// Money, power, time.
    SmallerIsBetter,
    /// Utilisation, throughput.
    LargerIsBetter,
}

impl Sense {
    /// Words in a key of which there can't be too much.
    const GOOD: [&'static str; 5] = ["mfu", "hfu", "tokens_per_s", "tflops", "bisection_share"];

    /// The sense of a figure by its key.
    #[must_use]
    pub fn of_key(key: &str) -> Self {
        let good = Self::GOOD.iter().any(|word| key.contains(word));
        if good { Self::LargerIsBetter } else { Self::SmallerIsBetter }
    }

    /// The figure turned so that smaller is better.
    #[must_use]
    pub fn cost(self, figure: f64) -> f64 {
        match self {
            Self::SmallerIsBetter => figure,
            Self::LargerIsBetter => -figure,
        }
    }
}

/// Which points no other beats: none is as good in both costs and better in one. Points without
/// both costs are never on the front; of equal points all are.
#[must_use]
pub fn front(costs: &[Option<(f64, f64)>]) -> Vec<bool> {
    let mut order: Vec<usize> = (0..costs.len()).filter(|place| costs[*place].is_some()).collect();
    let cost = |place: &usize| costs[*place].unwrap_or_default();
    order.sort_by(|a, b| {
        let (a, b) = (cost(a), cost(b));
        a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1))
    });
    let mut on = vec![false; costs.len()];
    let mut best: Option<(f64, f64)> = None;
    for place in order {
        let (first, second) = cost(&place);
        // Sorted by the first cost, so only what is smaller in the second is not beaten.
        if best.is_none_or(|best| second < best.1 || (first, second) == best) {
            on[place] = true;
            best = Some((first, second));
        }
    }
    on
}

#[cfg(test)]
mod tests {
    use super::{Sense, front};
    use proptest::prelude::{Strategy, prop_assert_eq, proptest};

    /// By the definition, pair by pair.
    fn by_definition(costs: &[Option<(f64, f64)>]) -> Vec<bool> {
        let beats = |a: (f64, f64), b: (f64, f64)| a.0 <= b.0 && a.1 <= b.1 && a != b;
        costs
            .iter()
            .map(|of| of.is_some_and(|of| !costs.iter().flatten().any(|other| beats(*other, of))))
            .collect()
    }

    fn costs() -> impl Strategy<Value = Vec<Option<(f64, f64)>>> {
        // Few values, so that there are ties in each cost and in both.
        let cost = || (0_u8..6).prop_map(f64::from);
        proptest::collection::vec(proptest::option::of((cost(), cost())), 0..20)
    }

    proptest! {
        #[test]
        fn the_front_is_what_the_definition_says(costs in costs()) {
            prop_assert_eq!(front(&costs), by_definition(&costs));
        }
    }

    #[test]
    fn more_utilisation_is_better_and_more_money_is_not() {
        assert_eq!(Sense::of_key("step.mfu"), Sense::LargerIsBetter);
        assert_eq!(Sense::of_key("cost.capex_usd"), Sense::SmallerIsBetter);
    }
}

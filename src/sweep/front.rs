//! The Pareto front: points that no other point beats in one figure without losing in the other.
//! Which way a figure gets better is stated beside the figure, or by who asks; it is not guessed.

use std::fmt;

use crate::quantity::{Better, quantity_for_key};

/// Which way an objective gets better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum BetterDirection {
    /// Money, power, time.
    SmallerIsBetter,
    /// Utilisation, throughput.
    LargerIsBetter,
}

/// An objective as it is typed: a name, and which way it gets better where that is stated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FrontRequest {
    /// A key of a design's JSON, or its end.
    pub name: String,
    /// `:min` or `:max`, where either stands behind it.
    pub sense: Option<BetterDirection>,
}

/// Why a text is no objective.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WishError {
    /// What follows the colon is neither `min` nor `max`.
    Direction {
        /// The objective before it.
        name: String,
        found: String,
    },
    /// The figure gets better neither way, or it is none of a design's.
    Unstated { key: String },
}

impl BetterDirection {
    /// The sense of a figure by what is stated with its key; `None` where it has none.
    #[must_use]
    pub fn for_key(key: &str) -> Option<Self> {
        match quantity_for_key(key)?.better {
            Better::Lower => Some(Self::SmallerIsBetter),
            Better::Higher => Some(Self::LargerIsBetter),
            Better::Neither => None,
        }
    }

    /// As it is typed behind a figure.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::SmallerIsBetter => "min",
            Self::LargerIsBetter => "max",
        }
    }

    /// The sense of that name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        [Self::SmallerIsBetter, Self::LargerIsBetter]
            .into_iter()
            .find(|direction| direction.name() == name)
    }

    /// The figure turned so that smaller is better.
    #[must_use]
    pub fn signed_cost(self, figure: f64) -> f64 {
        match self {
            Self::SmallerIsBetter => figure,
            Self::LargerIsBetter => -figure,
        }
    }
}

impl FrontRequest {
    /// Reads `capex` or `cluster.gpus:max`.
    ///
    /// # Errors
    /// Where a colon is followed by anything but `min` or `max`.
    pub fn parse(text: &str) -> Result<Self, WishError> {
        let Some((name, sense)) = text.split_once(':') else {
            return Ok(Self { name: text.trim().to_owned(), sense: None });
        };
        let name = name.trim().to_owned();
        match BetterDirection::parse(sense.trim()) {
            Some(sense) => Ok(Self { name, sense: Some(sense) }),
            None => Err(WishError::Direction { name, found: sense.trim().to_owned() }),
        }
    }

    /// Which way the figure of that key gets better: as typed, or as stated with the figure.
    ///
    /// # Errors
    /// Where neither says it.
    pub fn sense_of(&self, key: &str) -> Result<BetterDirection, WishError> {
        let unstated = || WishError::Unstated { key: key.to_owned() };
        self.sense.or_else(|| BetterDirection::for_key(key)).ok_or_else(unstated)
    }
}

impl WishError {
    /// What to do about it.
    #[must_use]
    pub fn hint(&self) -> String {
        let (Self::Direction { name: key, .. } | Self::Unstated { key }) = self;
        format!("write `{key}:min` or `{key}:max`")
    }
}

impl fmt::Display for WishError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Direction { found, .. } => write!(f, "`{found}` is no direction of a figure"),
            Self::Unstated { key } => {
                write!(f, "`{key}` is better neither where it is small nor where it is large")
            }
        }
    }
}

impl std::error::Error for WishError {}

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
    use super::{BetterDirection, FrontRequest, WishError, front};
    use proptest::prelude::{Strategy, prop_assert_eq, proptest};

    /// By the definition, pair by pair.
    fn by_definition(costs: &[Option<(f64, f64)>]) -> Vec<bool> {
        let beats = |a: (f64, f64), b: (f64, f64)| a.0 <= b.0 && a.1 <= b.1 && a != b;
        costs
            .iter()
            .map(|pair| {
                pair.is_some_and(|pair| !costs.iter().flatten().any(|other| beats(*other, pair)))
            })
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
    fn what_is_typed_counts_more_than_what_is_stated_with_the_figure() {
        let sense =
            |text: &str, key: &str| FrontRequest::parse(text).and_then(|wish| wish.sense_of(key));
        let (min, max) = (BetterDirection::SmallerIsBetter, BetterDirection::LargerIsBetter);
        assert_eq!(sense("capex", "cost.capex_usd"), Ok(min));
        assert_eq!(sense("goodput_share", "goodput_share"), Ok(max));
        assert_eq!(sense("capex:max", "cost.capex_usd"), Ok(max));
        assert_eq!(sense("gpus : min", "cluster.gpus"), Ok(min));
        let unstated = WishError::Unstated { key: "cluster.gpus".into() };
        assert_eq!(sense("gpus", "cluster.gpus"), Err(unstated));
        assert!(matches!(sense("capex:up", "cost.capex_usd"), Err(WishError::Direction { .. })));
        assert!(sense("capex:", "cost.capex_usd").is_err());
    }
}

//! The order of the parallel dimensions on the line of ranks, fastest first.

use std::fmt;

use crate::keys::{Field, Key, Kind, Values};

/// One parallel dimension.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Axis {
    /// Tensor parallelism: shards of each matrix.
    Tensor,
    /// Context parallelism: shards of each sequence.
    Context,
    /// Expert parallelism: shards of the set of experts. The dense part has no ranks along it.
    Expert,
    /// Data parallelism: replicas.
    Data,
    /// Pipeline parallelism: consecutive layers.
    Pipeline,
}

impl Axis {
    /// All of them, in the default order.
    pub const ALL: [Self; 5] =
        [Self::Tensor, Self::Context, Self::Expert, Self::Data, Self::Pipeline];

    /// Short name as in an order text.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Tensor => "tp",
            Self::Context => "cp",
            Self::Expert => "ep",
            Self::Data => "dp",
            Self::Pipeline => "pp",
        }
    }
}

/// A permutation of the five axes, fastest first: `tp-cp-ep-dp-pp` puts tensor-parallel
/// neighbours on neighbouring ranks and pipeline stages furthest apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Order([Axis; 5]); // Invariant: each axis once.

impl Order {
    /// What Megatron-LM does by default: data parallelism inside pipeline stages.
    pub const DP_INSIDE_PP: Self = Self(Axis::ALL);

    /// Pipeline neighbours nearer than replicas.
    pub const PP_INSIDE_DP: Self =
        Self([Axis::Tensor, Axis::Context, Axis::Expert, Axis::Pipeline, Axis::Data]);

    /// Every order, the default first: 120 of them, in ascending order.
    #[must_use]
    pub fn all_orders() -> Vec<Self> {
        let mut all = vec![Vec::new()];
        for _ in Axis::ALL {
            all = all
                .iter()
                .flat_map(|begun: &Vec<Axis>| {
                    let left = Axis::ALL.into_iter().filter(|axis| !begun.contains(axis));
                    left.map(|axis| [begun.as_slice(), &[axis]].concat())
                })
                .collect();
        }
        all.into_iter().filter_map(|axes| axes.try_into().ok().map(Self)).collect()
    }

    /// Reads `tp-cp-ep-dp-pp`; axes that are left out follow in the default order.
    /// `None` where a name is unknown or stands twice.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let mut axes = Vec::with_capacity(5);
        for code in text.split('-') {
            let axis = Axis::ALL.into_iter().find(|axis| axis.code() == code.trim())?;
            if axes.contains(&axis) {
                return None;
            }
            axes.push(axis);
        }
        let rest = Axis::ALL.into_iter().filter(|axis| !axes.contains(axis)).collect::<Vec<_>>();
        axes.extend(rest);
        axes.try_into().ok().map(Self)
    }

    /// The axes, fastest first.
    #[must_use]
    pub const fn axes(&self) -> &[Axis; 5] {
        &self.0
    }
}

impl Field for Order {
    const KIND: Kind = Kind::Order;

    fn read_value(values: &impl Values, key: &Key) -> Option<Self> {
        values.choice_value(key).and_then(|text| Self::parse(&text))
    }
}

impl fmt::Display for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.map(Axis::code).join("-"))
    }
}

#[cfg(test)]
mod tests {
    use super::Order;

    #[test]
    fn orders_round_trip_and_fill_up() {
        assert_eq!(Order::parse("tp-cp-ep-dp-pp"), Some(Order::DP_INSIDE_PP));
        assert_eq!(Order::parse("tp-pp-dp").map(|o| o.to_string()), Some("tp-pp-dp-cp-ep".into()));
        assert_eq!(Order::parse("tp-tp"), None);
        assert_eq!(Order::parse("xp"), None);
    }

    #[test]
    fn every_order_is_there_once_and_the_default_first() {
        let all = Order::all_orders();
        assert_eq!((all.len(), all[0]), (120, Order::DP_INSIDE_PP));
        assert!(all.windows(2).all(|pair| pair[0] < pair[1]));
    }
}

//! `Axis`, `Order`, `Group`, `Digit`: order of the dimensions on the line of ranks, and the groups
//! that they span.

use std::fmt;

use crate::keys::{Field, Key, Kind, Values};

/// The ranks that take part in one communication.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Group {
    /// Shards of the same dense matrix.
    Tensor,
    /// Shards of the same sequences.
    Context,
    /// All ranks that hold the same dense parameters: data times context.
    Data,
    /// The stages of one pipeline.
    Pipeline,
    /// Ranks that share one set of experts.
    Expert,
    /// Shards of the same expert.
    ExpertTensor,
    /// Replicas of the same experts.
    ExpertData,
    /// Of the replicas of the same dense parameters those that share one copy of what is sharded.
    Shard,
    /// Ranks that hold the same share of it.
    Copies,
    /// Of the replicas of the same experts those that share one copy of what is sharded.
    ExpertShard,
    /// Ranks that hold the same share of that.
    ExpertCopies,
}

impl Group {
    /// All kinds, those of the dense part first, then those of replicas that hold several copies.
    pub const ALL: [Self; 11] = [
        Self::Tensor,
        Self::Context,
        Self::Data,
        Self::Pipeline,
        Self::Expert,
        Self::ExpertTensor,
        Self::ExpertData,
        Self::Shard,
        Self::Copies,
        Self::ExpertShard,
        Self::ExpertCopies,
    ];

    /// Its name in a ledger.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Tensor => "tensor",
            Self::Context => "context",
            Self::Data => "data",
            Self::Pipeline => "pipeline",
            Self::Expert => "expert",
            Self::ExpertTensor => "expert_tensor",
            Self::ExpertData => "expert_data",
            Self::Shard => "shard",
            Self::Copies => "copies",
            Self::ExpertShard => "expert_shard",
            Self::ExpertCopies => "expert_copies",
        }
    }

    /// True where the digit tells members of such a group apart.
    #[must_use]
    pub fn has_digit(self, digit: &Digit) -> bool {
        match self {
            Self::Tensor => digit.axis == Axis::Tensor,
            Self::Context => digit.axis == Axis::Context,
            Self::Data => matches!(digit.axis, Axis::Context | Axis::Data),
            Self::Pipeline => digit.axis == Axis::Pipeline,
            Self::Expert => digit.expert_role == ExpertRole::Expert,
            Self::ExpertTensor => digit.expert_role == ExpertRole::Tensor,
            Self::ExpertData => digit.expert_role == ExpertRole::Data,
            Self::Shard => Self::Data.has_digit(digit) && !digit.copies,
            Self::Copies => Self::Data.has_digit(digit) && digit.copies,
            Self::ExpertShard => Self::ExpertData.has_digit(digit) && !digit.copies,
            Self::ExpertCopies => Self::ExpertData.has_digit(digit) && digit.copies,
        }
    }

    /// True for replicas of the same routed experts.
    #[must_use]
    pub const fn is_of_experts(self) -> bool {
        matches!(self, Self::ExpertData | Self::ExpertShard | Self::ExpertCopies)
    }

    /// True for those that tell replicas with a copy of their own from those that share one.
    #[must_use]
    pub const fn is_of_copies(self) -> bool {
        matches!(self, Self::Shard | Self::Copies | Self::ExpertShard | Self::ExpertCopies)
    }
}

/// One digit of a rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Digit {
    /// Parallel dimension of the dense part of the model.
    pub axis: Axis,
    /// What the same digit is to the experts.
    pub expert_role: ExpertRole,
    /// Each of its values has a copy of what ZeRO shards over the other replicas.
    pub copies: bool,
    /// Values of the digit; at least 1.
    pub size: u32,
    /// Ranks between two neighbouring values.
    pub stride: u32,
}

/// What a digit means to the mixture-of-experts blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ExpertRole {
    /// Shards of one expert.
    Tensor,
    /// Different experts.
    Expert,
    /// Replicas of the same experts.
    Data,
    /// Pipeline stage.
    Pipeline,
    /// Jobs that have nothing to do with each other.
    Job,
}

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
        values.text_value(key).and_then(|text| Self::parse(&text))
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

//! The grid of ranks: a mixed-radix number whose digits are the parallel dimensions.
//!
//! Expert parallelism lays a second factorisation over the ranks of a stage, so an axis may
//! span several digits. A group of ranks that communicate is a set of digits; every group of a
//! kind is a copy of the others, which is what makes the traffic matrix a short Kronecker sum.

use super::{Axis, Layout};

/// A GPU of the job, counted from 0 in the order of the layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rank(pub u32);

/// One digit of a rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Digit {
    /// Parallel dimension of the dense part of the model.
    pub axis: Axis,
    /// What the same digit is to the experts.
    pub expert_role: ExpertRole,
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
}

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
}

impl Group {
    /// All kinds, those of the dense part first.
    pub const ALL: [Self; 7] = [
        Self::Tensor,
        Self::Context,
        Self::Data,
        Self::Pipeline,
        Self::Expert,
        Self::ExpertTensor,
        Self::ExpertData,
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
        }
    }

    /// True where the digit tells members of such a group apart.
    #[must_use]
    pub fn spans(self, digit: &Digit) -> bool {
        match self {
            Self::Tensor => digit.axis == Axis::Tensor,
            Self::Context => digit.axis == Axis::Context,
            Self::Data => matches!(digit.axis, Axis::Context | Axis::Data),
            Self::Pipeline => digit.axis == Axis::Pipeline,
            Self::Expert => digit.expert_role == ExpertRole::Expert,
            Self::ExpertTensor => digit.expert_role == ExpertRole::Tensor,
            Self::ExpertData => digit.expert_role == ExpertRole::Data,
        }
    }
}

/// All ranks of a job. Digits are stored fastest first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RankGrid {
    digits: Vec<Digit>, // Invariant: stride[i+1] = stride[i] * size[i], stride[0] = 1, no size 1.
    ranks: u32,
}

impl RankGrid {
    /// The grid of a layout; `None` where the experts' ranks can't be laid over those of the
    /// dense part, or the ranks outnumber 2³².
    ///
    /// Dense part and experts each cut the line of ranks by the layout's order, as the two rank
    /// generators of Megatron-Core do: the one into tensor, context, data and pipeline degrees,
    /// the other into expert-tensor, expert, expert-data and pipeline degrees. So experts know
    /// nothing of context ranks: their groups are as near as the order allows. The digits are
    /// the coarsest that both are made of.
    #[must_use]
    pub fn new(layout: &Layout) -> Option<Self> {
        let ranks = u32::try_from(layout.gpus()).ok()?;
        let digits = folded(layout).or_else(|| unfolded(layout))?;
        debug_assert_eq!(digits.iter().map(|digit| digit.size).product::<u32>(), ranks);
        Some(Self { digits, ranks })
    }

    /// This grid with at most one digit split in two, so that no digit straddles `border`:
    /// each either repeats within `border` ranks or has a stride that is a multiple of it.
    /// `None` where the digits do not fall into place like that.
    #[must_use]
    pub fn split_at(&self, border: u32) -> Option<Self> {
        let mut digits = Vec::with_capacity(self.digits.len() + 1);
        for digit in &self.digits {
            let end = u64::from(digit.stride) * u64::from(digit.size);
            if digit.stride >= border || end <= u64::from(border) {
                digits.push(*digit);
            } else if border >= self.ranks {
                digits.push(*digit); // the border lies beyond the last rank
            } else {
                let inner = border / digit.stride;
                if !border.is_multiple_of(digit.stride) || !digit.size.is_multiple_of(inner) {
                    return None;
                }
                digits.push(Digit { size: inner, ..*digit });
                digits.push(Digit { size: digit.size / inner, stride: border, ..*digit });
            }
        }
        let nested = border >= self.ranks
            || digits.iter().all(|digit| {
                border.is_multiple_of(digit.stride) || digit.stride.is_multiple_of(border)
            });
        (border > 0 && nested).then_some(Self { digits, ranks: self.ranks })
    }

    /// Number of ranks.
    #[must_use]
    pub const fn ranks(&self) -> u32 {
        self.ranks
    }

    /// The digits, fastest first; digits of size 1 are left out.
    #[must_use]
    pub fn digits(&self) -> &[Digit] {
        &self.digits
    }

    /// The digits that tell the members of a group apart, fastest first.
    pub fn group_digits(&self, group: Group) -> impl Iterator<Item = &Digit> {
        self.digits.iter().filter(move |digit| group.spans(digit))
    }

    /// Members of one group.
    #[must_use]
    pub fn group_size(&self, group: Group) -> u32 {
        self.group_digits(group).map(|digit| digit.size).product()
    }

    /// Position of a rank in its group of that kind.
    #[must_use]
    pub fn position(&self, rank: Rank, group: Group) -> u32 {
        let mut position = 0;
        let mut weight = 1;
        for digit in self.group_digits(group) {
            position += weight * (rank.0 / digit.stride % digit.size);
            weight *= digit.size;
        }
        position
    }

    /// The member at `position` of the group of that kind that `rank` belongs to.
    #[must_use]
    pub fn member(&self, rank: Rank, group: Group, position: u32) -> Rank {
        let mut member = rank.0;
        let mut rest = position;
        for digit in self.group_digits(group) {
            let own = member / digit.stride % digit.size;
            member = member - own * digit.stride + rest % digit.size * digit.stride;
            rest /= digit.size;
        }
        Rank(member)
    }

    /// Pipeline stage of a rank.
    #[must_use]
    pub fn stage(&self, rank: Rank) -> u32 {
        self.position(rank, Group::Pipeline)
    }
}

/// The digits that dense part and experts are both made of; `None` where a border between two
/// degrees of the one cuts a degree of the other unevenly, or stages would differ.
fn folded(layout: &Layout) -> Option<Vec<Digit>> {
    let order = layout.order.axes();
    let stage = layout.tensor.checked_mul(layout.context)?.checked_mul(layout.data)?;
    let held = layout.expert_tensor.checked_mul(layout.expert)?;
    if held == 0 || !stage.is_multiple_of(held) {
        return None;
    }
    let mut dense = order.iter().filter_map(|axis| Some((*axis, dense_degree(*axis, layout)?)));
    let mut experts = order.iter().filter_map(|axis| match axis {
        Axis::Tensor => Some((ExpertRole::Tensor, layout.expert_tensor)),
        Axis::Expert => Some((ExpertRole::Expert, layout.expert)),
        Axis::Data => Some((ExpertRole::Data, stage / held)),
        Axis::Pipeline => Some((ExpertRole::Pipeline, layout.pipeline)),
        Axis::Context => None,
    });
    let mut digits = Vec::new();
    let mut stride = 1;
    let (mut axis, mut expert_role) = (Axis::Tensor, ExpertRole::Tensor);
    let (mut left, mut left_expert) = (1, 1);
    loop {
        while left == 1 {
            match dense.next() {
                Some(next) => (axis, left) = next,
                None => return Some(digits), // both span all ranks, and end together
            }
        }
        while left_expert == 1 {
            (expert_role, left_expert) = experts.next()?;
        }
        let size = left.min(left_expert);
        let staged = (axis == Axis::Pipeline) == (expert_role == ExpertRole::Pipeline);
        if !staged || size == 0 || !left.is_multiple_of(size) || !left_expert.is_multiple_of(size) {
            return None;
        }
        digits.push(Digit { axis, expert_role, size, stride });
        (left, left_expert, stride) = (left / size, left_expert / size, stride * size);
    }
}

/// The digits of the dense part alone, where there are no experts to tell apart: each lies as a
/// dense matrix does, or whole on every rank.
fn unfolded(layout: &Layout) -> Option<Vec<Digit>> {
    if layout.expert != 1 || ![1, layout.tensor].contains(&layout.expert_tensor) {
        return None;
    }
    let mut stride = 1;
    let mut digits = Vec::new();
    for axis in layout.order.axes() {
        let Some(size) = dense_degree(*axis, layout).filter(|size| *size != 1) else { continue };
        let expert_role = match axis {
            Axis::Tensor if layout.expert_tensor > 1 => ExpertRole::Tensor,
            Axis::Pipeline => ExpertRole::Pipeline,
            Axis::Tensor | Axis::Context | Axis::Expert | Axis::Data => ExpertRole::Data,
        };
        digits.push(Digit { axis: *axis, expert_role, size, stride });
        stride *= size;
    }
    Some(digits)
}

/// Ranks that an axis tells apart in the dense part; `None` for the experts' own.
const fn dense_degree(axis: Axis, layout: &Layout) -> Option<u32> {
    match axis {
        Axis::Tensor => Some(layout.tensor),
        Axis::Context => Some(layout.context),
        Axis::Data => Some(layout.data),
        Axis::Pipeline => Some(layout.pipeline),
        Axis::Expert => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Layout, Order, Schedule, Zero};
    use super::{Group, Rank, RankGrid};

    fn layout(tensor: u32, data: u32, pipeline: u32, expert: u32, expert_tensor: u32) -> Layout {
        Layout {
            tensor,
            pipeline,
            data,
            context: 1,
            expert,
            expert_tensor,
            interleave: 1,
            micro_batch: 1,
            sequence_parallel: false,
            zero: Zero::None,
            recompute: crate::workload::Recompute::None,
            order: Order::DP_INSIDE_PP,
            schedule: Schedule::OneFOneB,
        }
    }

    #[test]
    fn groups_are_cosets_of_their_digits() {
        let grid = RankGrid::new(&layout(2, 4, 3, 1, 2)).expect("degrees nest");
        assert_eq!(grid.ranks(), 24);
        assert_eq!(grid.member(Rank(5), Group::Tensor, 0), Rank(4));
        assert_eq!(grid.position(Rank(13), Group::Data), 2);
        assert_eq!(grid.stage(Rank(13)), 1);
        for rank in (0..24).map(Rank) {
            for group in [Group::Tensor, Group::Data, Group::Pipeline, Group::ExpertData] {
                assert_eq!(grid.member(rank, group, grid.position(rank, group)), rank);
            }
        }
    }

    #[test]
    fn a_digit_splits_at_a_border_that_divides_it() {
        let grid = RankGrid::new(&layout(2, 12, 2, 1, 1)).expect("degrees nest");
        let strides = |grid: RankGrid| grid.digits().iter().map(|d| d.stride).collect::<Vec<_>>();
        assert_eq!(grid.split_at(8).map(strides), Some(vec![1, 2, 8, 24]));
        assert_eq!(grid.split_at(24).map(strides), Some(vec![1, 2, 24]));
        assert_eq!(grid.split_at(100).map(strides), Some(vec![1, 2, 24]));
        assert_eq!(grid.split_at(1).map(strides), Some(vec![1, 2, 24]));
        assert_eq!(grid.split_at(10), None);
        assert_eq!(grid.split_at(3), None);
        assert_eq!(grid.split_at(0), None);
    }

    #[test]
    fn an_expert_group_can_cover_the_tensor_axis() {
        let grid = RankGrid::new(&layout(2, 16, 8, 32, 1)).expect("32 = 2 x 16");
        assert_eq!(grid.group_size(Group::Expert), 32);
        assert_eq!(grid.group_size(Group::ExpertData), 1);
        assert_eq!(grid.group_size(Group::Data), 16);
    }

    #[test]
    fn experts_take_consecutive_ranks_of_context_and_data() {
        let of = |context, order| Layout { context, order, ..layout(1, 4, 1, 4, 1) };
        let peers = |layout: &Layout| {
            let grid = RankGrid::new(layout).expect("degrees nest");
            (0..4).map(|place| grid.member(Rank(0), Group::Expert, place).0).collect::<Vec<_>>()
        };
        assert_eq!(peers(&of(2, Order::DP_INSIDE_PP)), [0, 1, 2, 3]);
        let data_first = Order::parse("tp-dp-ep-cp-pp").expect("each axis once");
        assert_eq!(peers(&of(2, data_first)), [0, 2, 4, 6]);
        assert_eq!(RankGrid::new(&of(3, Order::DP_INSIDE_PP)), None, "4 cuts through 3");
    }

    #[test]
    fn stages_inside_data_need_experts_as_wide_as_tensor_and_context() {
        let of = |expert| Layout { order: Order::PP_INSIDE_DP, ..layout(2, 4, 4, expert, 1) };
        assert!(RankGrid::new(&of(2)).is_some());
        assert_eq!(RankGrid::new(&of(4)), None);
        let dense = Layout { context: 2, expert_tensor: 2, ..of(1) };
        assert!(RankGrid::new(&dense).is_some(), "no experts to lay");
    }

    #[test]
    fn an_expert_group_that_does_not_nest_is_refused() {
        assert_eq!(RankGrid::new(&layout(2, 4, 1, 3, 2)), None);
        assert_eq!(RankGrid::new(&layout(4, 4, 1, 3, 1)), None);
    }
}

//! The grid of ranks: a mixed-radix number whose digits are the parallel dimensions.
//!
//! Expert parallelism lays a second factorisation over the ranks of a stage, so an axis may
//! span several digits. A group of ranks that communicate is a set of digits; every group of a
//! kind is a copy of the others, which is what makes the traffic matrix a short Kronecker sum.

use super::{Axis, Digit, ExpertRole, Group, Layout};

/// A GPU of the job, counted from 0 in the order of the layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rank(pub u32);

/// All ranks of a job. Digits are stored fastest first.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RankGrid {
    digits: Vec<Digit>, // Invariant: stride[i+1] = stride[i] * size[i], stride[0] = 1, no size 1.
    ranks: u32,
}

impl RankGrid {
    /// The grid of a layout; `None` where the experts' ranks can't be laid over those of the
    /// dense part, replicas can't be cut into copies, or the ranks outnumber 2³².
    ///
    /// Dense part and experts each cut the line of ranks by the layout's order, as the two rank
    /// generators of Megatron-Core do: the one into tensor, context, data and pipeline degrees,
    /// the other into expert-tensor, expert, expert-data and pipeline degrees. So experts know
    /// nothing of context ranks: their groups are as near as the order allows. The digits are
    /// the coarsest that both are made of.
    #[must_use]
    pub fn new(layout: &Layout) -> Option<Self> {
        let ranks = u32::try_from(layout.gpus()).ok()?;
        if !layout.data.is_multiple_of(layout.replicas_per_copy().max(1)) {
            return None;
        }
        let digits = folded_digits(layout).or_else(|| dense_digits(layout))?;
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

    /// The ranks of so many jobs like this one, one after another: no group spans two of them.
    /// `None` where they outnumber 2³².
    #[must_use]
    pub fn with_job_digit(&self, jobs: u32) -> Option<Self> {
        let ranks = self.ranks.checked_mul(jobs)?;
        let mut digits = self.digits.clone();
        if jobs > 1 {
            let (axis, expert_role) = (Axis::Expert, ExpertRole::Job);
            digits.push(Digit { axis, expert_role, copies: false, size: jobs, stride: self.ranks });
        }
        (jobs > 0).then_some(Self { digits, ranks })
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
        self.digits.iter().filter(move |digit| group.has_digit(digit))
    }

    /// Members of one group.
    #[must_use]
    pub fn group_size(&self, group: Group) -> u32 {
        self.group_digits(group).map(|digit| digit.size).product()
    }

    /// Kinds of group: those that tell copies apart only where there are several.
    pub fn group_kinds(&self) -> impl Iterator<Item = Group> {
        let several = self.digits.iter().any(|digit| digit.copies);
        Group::ALL.into_iter().filter(move |group| several || !group.is_of_copies())
    }

    /// Position of a rank in its group of that kind.
    #[must_use]
    pub fn position_in_group(&self, rank: Rank, group: Group) -> u32 {
        Digit::position_by_digits(self.group_digits(group), rank)
    }

    /// The member at `position` of the group of that kind that `rank` belongs to.
    #[must_use]
    pub fn group_member(&self, rank: Rank, group: Group, position: u32) -> Rank {
        Digit::rank_at_position(self.group_digits(group), rank, position)
    }

    /// Pipeline stage of a rank.
    #[must_use]
    pub fn pipeline_stage(&self, rank: Rank) -> u32 {
        self.position_in_group(rank, Group::Pipeline)
    }
}

impl Digit {
    /// Value of the digit in a rank.
    #[must_use]
    pub const fn digit_value(&self, rank: Rank) -> u32 {
        rank.0 / self.stride % self.size
    }

    /// Position of a rank among those that some digits, fastest first, tell apart.
    pub fn position_by_digits<'a>(digits: impl IntoIterator<Item = &'a Self>, rank: Rank) -> u32 {
        let (mut position, mut weight) = (0, 1);
        for digit in digits {
            position += weight * digit.digit_value(rank);
            weight *= digit.size;
        }
        position
    }

    /// The rank at a position among those, which agrees with `rank` in all other digits.
    pub fn rank_at_position<'a>(
        digits: impl IntoIterator<Item = &'a Self>,
        rank: Rank,
        position: u32,
    ) -> Rank {
        let (mut member, mut rest) = (rank.0, position);
        for digit in digits {
            let own = digit.digit_value(Rank(member));
            member = member - own * digit.stride + rest % digit.size * digit.stride;
            rest /= digit.size;
        }
        Rank(member)
    }
}

/// The digits that dense part and experts are both made of; `None` where a border between two
/// degrees of the one cuts a degree of the other unevenly, or stages would differ.
fn folded_digits(layout: &Layout) -> Option<Vec<Digit>> {
    let order = layout.order.axes();
    let stage = layout.tensor.checked_mul(layout.context)?.checked_mul(layout.data)?;
    let held = layout.expert_tensor.checked_mul(layout.expert)?;
    if held == 0 || !stage.is_multiple_of(held) {
        return None;
    }
    let mut dense = order.iter().flat_map(|axis| dense_degrees(*axis, layout));
    let mut experts = order.iter().filter_map(|axis| match axis {
        Axis::Tensor => Some((ExpertRole::Tensor, layout.expert_tensor)),
        Axis::Expert => Some((ExpertRole::Expert, layout.expert)),
        Axis::Data => Some((ExpertRole::Data, stage / held)),
        Axis::Pipeline => Some((ExpertRole::Pipeline, layout.pipeline)),
        Axis::Context => None,
    });
    let mut digits = Vec::new();
    let mut stride = 1;
    let (mut axis, mut copies, mut expert_role) = (Axis::Tensor, false, ExpertRole::Tensor);
    let (mut left, mut left_expert) = (1, 1);
    loop {
        while left == 1 {
            match dense.next() {
                Some(next) => (axis, copies, left) = next,
                None => return Some(digits), // both span all ranks, and end together
            }
        }
        while left_expert == 1 {
            (expert_role, left_expert) = experts.next()?;
        }
        let size = left.min(left_expert);
        let staged = (axis == Axis::Pipeline) == (expert_role == ExpertRole::Pipeline);
        let copied = !copies || expert_role == ExpertRole::Data; // a copy has all experts
        if !staged
            || !copied
            || size == 0
            || !left.is_multiple_of(size)
            || !left_expert.is_multiple_of(size)
        {
            return None;
        }
        digits.push(Digit { axis, expert_role, copies, size, stride });
        (left, left_expert, stride) = (left / size, left_expert / size, stride * size);
    }
}

/// The digits of the dense part alone, where there are no experts to tell apart: each lies as a
/// dense matrix does, or whole on every rank.
fn dense_digits(layout: &Layout) -> Option<Vec<Digit>> {
    if layout.expert != 1 || ![1, layout.tensor].contains(&layout.expert_tensor) {
        return None;
    }
    let mut stride = 1;
    let mut digits = Vec::new();
    let axes = layout.order.axes().iter().flat_map(|axis| dense_degrees(*axis, layout));
    for (axis, copies, size) in axes.filter(|(_, _, size)| *size != 1) {
        let expert_role = match axis {
            Axis::Tensor if layout.expert_tensor > 1 => ExpertRole::Tensor,
            Axis::Pipeline => ExpertRole::Pipeline,
            Axis::Tensor | Axis::Context | Axis::Expert | Axis::Data => ExpertRole::Data,
        };
        digits.push(Digit { axis, expert_role, copies, size, stride });
        stride *= size;
    }
    Some(digits)
}

/// Ranks that an axis tells apart in the dense part, and whether each has a copy of what ZeRO
/// shards; none for the experts' own. Replicas that share a copy are neighbours.
fn dense_degrees(axis: Axis, layout: &Layout) -> impl Iterator<Item = (Axis, bool, u32)> {
    let (own, copies) = match axis {
        Axis::Tensor => (Some(layout.tensor), None),
        Axis::Context => (Some(layout.context), None),
        Axis::Data => (Some(layout.replicas_per_copy()), Some(layout.parameter_copies())),
        Axis::Pipeline => (Some(layout.pipeline), None),
        Axis::Expert => (None, None),
    };
    let own = own.map(|size| (axis, false, size));
    own.into_iter().chain(copies.map(|size| (axis, true, size)))
}

#[cfg(test)]
mod tests {
    use super::{Rank, RankGrid};
    use crate::parallel::axes_and_groups::Group;
    use crate::parallel::{Layout, Order, Schedule, Zero};

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
            shard: None,
            recompute: crate::workload::Recompute::None,
            order: Order::DP_INSIDE_PP,
            schedule: Schedule::OneFOneB,
        }
    }

    #[test]
    fn groups_are_cosets_of_their_digits() {
        let grid = RankGrid::new(&layout(2, 4, 3, 1, 2)).expect("degrees nest");
        assert_eq!(grid.ranks(), 24);
        assert_eq!(grid.group_member(Rank(5), Group::Tensor, 0), Rank(4));
        assert_eq!(grid.position_in_group(Rank(13), Group::Data), 2);
        assert_eq!(grid.pipeline_stage(Rank(13)), 1);
        for rank in (0..24).map(Rank) {
            for group in [Group::Tensor, Group::Data, Group::Pipeline, Group::ExpertData] {
                assert_eq!(
                    grid.group_member(rank, group, grid.position_in_group(rank, group)),
                    rank
                );
            }
        }
    }

    #[test]
    fn jobs_beside_each_other_share_no_group() {
        let one = RankGrid::new(&layout(2, 4, 3, 1, 2)).expect("degrees nest");
        let three = one.with_job_digit(3).expect("72 ranks");
        assert_eq!((three.ranks(), one.with_job_digit(1)), (72, Some(one.clone())));
        assert_eq!((one.with_job_digit(0), one.with_job_digit(u32::MAX)), (None, None));
        for (rank, group) in (0..72).flat_map(|rank| Group::ALL.map(|group| (rank, group))) {
            let members = 0..three.group_size(group);
            let all = members.map(|place| three.group_member(Rank(rank), group, place).0);
            assert!(all.into_iter().all(|member| member / 24 == rank / 24), "{rank} {group:?}");
            assert_eq!(three.group_size(group), one.group_size(group));
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
        let read = |context, order| Layout { context, order, ..layout(1, 4, 1, 4, 1) };
        let peers = |layout: &Layout| {
            let grid = RankGrid::new(layout).expect("degrees nest");
            (0..4)
                .map(|place| grid.group_member(Rank(0), Group::Expert, place).0)
                .collect::<Vec<_>>()
        };
        assert_eq!(peers(&read(2, Order::DP_INSIDE_PP)), [0, 1, 2, 3]);
        let data_first = Order::parse("tp-dp-ep-cp-pp").expect("each axis once");
        assert_eq!(peers(&read(2, data_first)), [0, 2, 4, 6]);
        assert_eq!(RankGrid::new(&read(3, Order::DP_INSIDE_PP)), None, "4 cuts through 3");
    }

    #[test]
    fn stages_inside_data_need_experts_as_wide_as_tensor_and_context() {
        let read = |expert| Layout { order: Order::PP_INSIDE_DP, ..layout(2, 4, 4, expert, 1) };
        assert!(RankGrid::new(&read(2)).is_some());
        assert_eq!(RankGrid::new(&read(4)), None);
        let dense = Layout { context: 2, expert_tensor: 2, ..read(1) };
        assert!(RankGrid::new(&dense).is_some(), "no experts to lay");
    }

    #[test]
    fn replicas_that_share_a_copy_are_neighbours_and_experts_lie_inside_them() {
        let read = |shard, expert| Layout { shard, context: 2, ..layout(2, 4, 1, expert, 1) };
        let grid = RankGrid::new(&read(Some(2), 4)).expect("4 = 2 x 2 of 2 x 2 x 2");
        let peers = |group| {
            let members = 0..grid.group_size(group);
            members.map(|place| grid.group_member(Rank(1), group, place).0).collect::<Vec<_>>()
        };
        assert_eq!(peers(Group::Shard), [1, 3, 5, 7]);
        assert_eq!(peers(Group::Copies), [1, 9]);
        assert_eq!(peers(Group::ExpertShard), [1, 5]);
        assert_eq!(peers(Group::ExpertCopies), [1, 9]);
        assert_eq!(RankGrid::new(&read(Some(2), 16)), None, "a copy has 8 ranks");
        assert_eq!(RankGrid::new(&read(Some(3), 1)), None, "3 does not divide 4");
        assert_eq!(RankGrid::new(&read(Some(4), 4)), RankGrid::new(&read(None, 4)));
    }

    #[test]
    fn an_expert_group_that_does_not_nest_is_refused() {
        assert_eq!(RankGrid::new(&layout(2, 4, 1, 3, 2)), None);
        assert_eq!(RankGrid::new(&layout(4, 4, 1, 3, 1)), None);
    }
}

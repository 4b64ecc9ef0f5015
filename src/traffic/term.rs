//! One relation among the members of a group, with its bytes by pipeline stage, on all groups.

use super::digit_boxes::{Corner, distance_boxes};
use super::patch::{DigitValues, Patch};
use crate::collective::{RelationShape, TreeEdges};
use crate::parallel::{Axis, Digit, Rank, RankGrid};
use crate::step::TrafficKind;
use crate::units::Bytes;

/// A summand of the matrix: `shape` on the digits in `members`, identity on all others.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct MatrixTerm {
    pub(super) kind: TrafficKind,
    /// Digits of the grid that tell the members apart, by index, fastest first; not empty.
    pub(super) members: Vec<usize>,
    pub(super) shape: RelationShape,
    /// Bytes from a member to one target in a step, by pipeline stage of the sender.
    pub(super) bytes: Vec<Bytes>,
}

impl MatrixTerm {
    /// Members n of one group.
    pub(super) fn group_size(&self, digits: &[Digit]) -> u32 {
        self.members.iter().map(|k| digits[*k].size).product()
    }

    /// Position of a rank among its group's members.
    pub(super) fn position_in_group(&self, rank: Rank, digits: &[Digit]) -> u32 {
        Digit::position_by_digits(self.members.iter().map(|k| &digits[*k]), rank)
    }

    /// The member at `position` of the group of `rank`.
    pub(super) fn member_at_position(&self, rank: Rank, position: u32, digits: &[Digit]) -> Rank {
        Digit::rank_at_position(self.members.iter().map(|k| &digits[*k]), rank, position)
    }

    /// Bytes from one rank to another in a step.
    pub(super) fn bytes_between(&self, from: Rank, to: Rank, grid: &RankGrid) -> Bytes {
        let digits = grid.digits();
        let (p, q) = (self.position_in_group(from, digits), self.position_in_group(to, digits));
        let together = self.member_at_position(from, q, digits) == to;
        if together && self.shape.has_connection(p, q, self.group_size(digits)) {
            self.bytes[grid.pipeline_stage(from) as usize]
        } else {
            Bytes::ZERO
        }
    }

    /// The ranks that `rank`, of a stage, sends to.
    pub(super) fn targets_of_rank<'a>(
        &'a self,
        rank: Rank,
        stage: usize,
        digits: &'a [Digit],
    ) -> impl Iterator<Item = Rank> + 'a {
        let sends = !self.bytes[stage].is_zero();
        let near = sends.then(|| {
            self.shape
                .target_positions(self.position_in_group(rank, digits), self.group_size(digits))
        });
        near.into_iter().flatten().map(move |q| self.member_at_position(rank, q, digits))
    }

    /// The term as disjoint patches.
    pub(super) fn disjoint_patches(&self, grid: &RankGrid) -> Vec<Patch> {
        let digits = grid.digits();
        let stages = self.stage_boxes(grid);
        let mut patches = Vec::new();
        for (corner, delta) in self.sender_moves(digits) {
            for (stage, bytes) in &stages {
                let mut sources: Vec<DigitValues> =
                    digits.iter().map(|digit| DigitValues::from_span(0, digit.size)).collect();
                for (k, values) in corner.iter().chain(stage) {
                    sources[*k] = sources[*k].intersect(values);
                }
                if sources.iter().all(|values| values.value_count() > 0) {
                    let delta = delta.clone();
                    patches.push(Patch { kind: self.kind, bytes: *bytes, sources, delta });
                }
            }
        }
        patches
    }

    /// Runs of stages that send alike, as boxes in the pipeline digits. Silent stages drop out.
    fn stage_boxes(&self, grid: &RankGrid) -> Vec<(Corner, Bytes)> {
        let pipeline: Vec<(usize, u32)> = grid
            .digits()
            .iter()
            .enumerate()
            .filter(|(_, digit)| digit.axis == Axis::Pipeline)
            .map(|(k, digit)| (k, digit.size))
            .collect();
        let mut boxes = Vec::new();
        let mut low = 0;
        while low < self.bytes.len() {
            let bytes = self.bytes[low];
            let run = self.bytes[low..].iter().take_while(|b| **b == bytes).count();
            if !bytes.is_zero() {
                let range = (low as u32, (low + run) as u32);
                boxes.extend(
                    range_boxes(&pipeline, range.0, range.1).into_iter().map(|b| (b, bytes)),
                );
            }
            low += run;
        }
        boxes
    }

    /// Who sends, by the members' digits, and how far each of the grid's digits moves.
    fn sender_moves(&self, digits: &[Digit]) -> Vec<(Corner, Vec<i64>)> {
        let still = vec![0_i64; digits.len()];
        let sized: Vec<(usize, u32)> = self.members.iter().map(|k| (*k, digits[*k].size)).collect();
        match self.shape {
            RelationShape::Next => neighbour_moves(&sized, &still, true),
            RelationShape::Previous => neighbour_moves(&sized, &still, false),
            RelationShape::EveryOther => difference_moves(&sized, &still),
            RelationShape::Exchange { bit } => exchange_moves(&sized, &still, bit),
            RelationShape::Shift { distance } => shift_moves(&sized, &still, distance),
            RelationShape::Tree { second } => {
                let edges = TreeEdges::for_members(self.group_size(digits), second);
                let strides =
                    edges.strides.iter().flat_map(|stride| distance_boxes(&sized, &still, stride));
                let single = edges.single.iter().map(|(p, q)| single_move(&sized, &still, *p, *q));
                strides.chain(single).collect()
            }
            RelationShape::Ends => {
                let last = self.group_size(digits) - 1;
                [(0, last), (last, 0)].map(|(p, q)| single_move(&sized, &still, p, q)).into()
            }
        }
    }
}

/// From one position to another.
fn single_move(
    sized: &[(usize, u32)],
    still: &[i64],
    mut from: u32,
    mut to: u32,
) -> (Corner, Vec<i64>) {
    let (mut corner, mut delta) = (Corner::new(), still.to_vec());
    for (k, size) in sized {
        corner.push((*k, DigitValues::from_value(from % size)));
        delta[*k] = i64::from(to % size) - i64::from(from % size);
        from /= size;
        to /= size;
    }
    (corner, delta)
}

/// One position up or down: as many patches as there are ways to carry, and the way round.
fn neighbour_moves(sized: &[(usize, u32)], still: &[i64], up: bool) -> Vec<(Corner, Vec<i64>)> {
    let mut steps = Vec::new();
    let mut corner = Corner::new();
    let mut delta = still.to_vec();
    for (k, size) in sized {
        let mut moved = delta.clone();
        moved[*k] = if up { 1 } else { -1 };
        let moving =
            if up { DigitValues::from_span(0, size - 1) } else { DigitValues::from_span(1, *size) };
        steps.push((corner.iter().cloned().chain([(*k, moving)]).collect(), moved));
        let end = if up { size - 1 } else { 0 };
        corner.push((*k, DigitValues::from_value(end)));
        delta[*k] = if up { -(*size as i64 - 1) } else { *size as i64 - 1 };
    }
    steps.push((corner, delta));
    steps
}

/// Every other member: one patch for each difference of digits that is not zero throughout.
fn difference_moves(sized: &[(usize, u32)], still: &[i64]) -> Vec<(Corner, Vec<i64>)> {
    let mut steps: Vec<(Corner, Vec<i64>)> = vec![(Corner::new(), still.to_vec())];
    for (k, size) in sized {
        let reach = *size as i64 - 1;
        let mut wider = Vec::with_capacity(steps.len() * (2 * *size as usize - 1));
        for (corner, delta) in &steps {
            for moved in -reach..=reach {
                let low = (-moved).max(0) as u32;
                let high = (*size as i64 - moved.max(0)) as u32;
                let mut corner = corner.clone();
                corner.push((*k, DigitValues::from_span(low, high)));
                let mut delta = delta.clone();
                delta[*k] = moved;
                wider.push((corner, delta));
            }
        }
        steps = wider;
    }
    steps.retain(|(_, delta)| delta.iter().any(|moved| *moved != 0));
    steps
}

/// So many positions up, and round the end: in each digit the distance's own digit is added, and
/// one more where the faster digits carry.
fn shift_moves(sized: &[(usize, u32)], still: &[i64], distance: u32) -> Vec<(Corner, Vec<i64>)> {
    let mut steps = vec![(Corner::new(), still.to_vec(), 0_u32)];
    let mut rest = distance;
    for (k, size) in sized {
        let digit = rest % size;
        rest /= size;
        let mut further = Vec::with_capacity(2 * steps.len());
        for (corner, delta, carried) in steps {
            let moved = digit + carried;
            let border = size - moved.min(*size);
            for (values, delta_k, carry) in [
                (DigitValues::from_span(0, border), i64::from(moved), 0),
                (DigitValues::from_span(border, *size), i64::from(moved) - i64::from(*size), 1),
            ] {
                if values.value_count() == 0 {
                    continue;
                }
                let mut delta = delta.clone();
                delta[*k] = delta_k;
                let corner = corner.iter().cloned().chain([(*k, values)]).collect();
                further.push((corner, delta, carry));
            }
        }
        steps = further;
    }
    steps.into_iter().map(|(corner, delta, _)| (corner, delta)).collect()
}

/// The partner whose position differs in one bit, which lies in one digit: where members are a
/// power of two, so is every digit.
fn exchange_moves(sized: &[(usize, u32)], still: &[i64], bit: u32) -> Vec<(Corner, Vec<i64>)> {
    let mut bit = bit;
    for (k, size) in sized {
        let bits = size.ilog2();
        if bit < bits {
            return [(false, 1), (true, -1)]
                .into_iter()
                .map(|(set, sign)| {
                    let mut delta = still.to_vec();
                    delta[*k] = sign * (1 << bit);
                    (vec![(*k, DigitValues::with_bit(*size, bit, set))], delta)
                })
                .collect();
        }
        bit -= bits;
    }
    Vec::new()
}

/// The numbers from `low` to before `high`, whose digits are `sized`, as disjoint boxes.
fn range_boxes(sized: &[(usize, u32)], low: u32, high: u32) -> Vec<Corner> {
    if low >= high {
        return Vec::new();
    }
    let Some(((top, _), lower)) = sized.split_last() else {
        return vec![Corner::new()];
    };
    let unit: u32 = lower.iter().map(|(_, size)| *size).product();
    let under = |value: u32, range: (u32, u32)| {
        let mut boxes = range_boxes(lower, range.0, range.1);
        for corner in &mut boxes {
            corner.push((*top, DigitValues::from_value(value)));
        }
        boxes
    };
    let (first, last) = (low / unit, high / unit);
    if first == last {
        return under(first, (low % unit, high % unit));
    }
    let whole = low.div_ceil(unit);
    let mut boxes = if whole > first { under(first, (low % unit, unit)) } else { Vec::new() };
    if whole < last {
        boxes.push(vec![(*top, DigitValues::from_span(whole, last))]);
    }
    boxes.extend(under(last, (0, high % unit)));
    boxes
}

//! What one call costs the busiest rank: bytes by tier, and latencies. No seconds.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ops::Add;

use super::{CollectiveFlow, GroupSpread, Policy, RelationShape, Scope, collective_flows};
use crate::parallel::{Axis, Digit, Group, Locality, Placed, Placement, Rank};
use crate::step::Communication;
use crate::units::Bytes;

/// Bytes that a rank sends in one call, and the latencies of that call. Each field is the
/// largest of all ranks for itself, as the call is over when the last rank is done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CallVolumes {
    /// Bytes to ranks of the own HB domain.
    pub inside: Bytes,
    /// Bytes to ranks of other domains: what the rank's interface carries.
    pub across: Bytes,
    /// Of `across`, bytes whose target is on another rail. At most this much; exact where
    /// every GPU has its own rail and digits meet domain borders.
    pub off_rail: Bytes,
    /// Messages in a row that stay inside the domain.
    pub steps_inside: u32,
    /// Messages in a row that leave it.
    pub steps_across: u32,
}

impl Add for CallVolumes {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self {
            inside: self.inside + other.inside,
            across: self.across + other.across,
            off_rail: self.off_rail + other.off_rail,
            steps_inside: self.steps_inside + other.steps_inside,
            steps_across: self.steps_across + other.steps_across,
        }
    }
}

/// What one call of `communication` costs a rank of pipeline stage `stage`.
#[must_use]
pub fn call_volumes(
    communication: &Communication,
    stage: usize,
    placed: &Placed,
    policy: &Policy,
) -> CallVolumes {
    let spread = GroupSpread::spread_of_group(placed, communication.group);
    let stage_of = stage as u32; // stages are counted in u32 everywhere else
    collective_flows(communication.collective, communication.payload(stage), spread, policy)
        .iter()
        .map(|flow| flow_volumes(flow, communication.group, spread, stage_of, placed))
        .fold(CallVolumes::default(), Add::add)
}

/// Targets of one member by tier.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct TierTargets {
    inside: u32,
    across: u32,
    off_rail: u32,
}

impl TierTargets {
    const ONE_EACH: Self = Self { inside: 1, across: 1, off_rail: 1 };

    /// The larger of each.
    fn elementwise_max(self, other: Self) -> Self {
        Self {
            inside: self.inside.max(other.inside),
            across: self.across.max(other.across),
            off_rail: self.off_rail.max(other.off_rail),
        }
    }

    fn volumes_of_flow(self, flow: &CollectiveFlow) -> CallVolumes {
        let bytes = |targets: u32| flow.bytes * u128::from(targets);
        CallVolumes {
            inside: bytes(self.inside),
            across: bytes(self.across),
            off_rail: bytes(self.off_rail),
            steps_inside: if self.inside > 0 { flow.steps } else { 0 },
            steps_across: if self.across > 0 { flow.steps } else { 0 },
        }
    }
}

fn flow_volumes(
    flow: &CollectiveFlow,
    group: Group,
    spread: GroupSpread,
    stage: u32,
    placed: &Placed,
) -> CallVolumes {
    let staged = group == Group::Pipeline;
    let n = spread.member_count();
    let (x, y) = spread.members_and_domains();
    let targets = |members: u32| match flow.shape {
        RelationShape::EveryOther => members - 1,
        _ => 1,
    };
    let single = matches!(
        flow.shape,
        RelationShape::Next | RelationShape::Previous | RelationShape::Shift { .. }
    );
    let simple = single || flow.shape == RelationShape::EveryOther;
    if simple && !staged {
        match (flow.scope, spread) {
            (Scope::Inside, _) => {
                return TierTargets { inside: targets(x), ..TierTargets::default() }
                    .volumes_of_flow(flow);
            }
            (Scope::Across, _) => {
                return TierTargets { across: targets(y), ..TierTargets::default() }
                    .volumes_of_flow(flow);
            }
            (Scope::Whole, GroupSpread::Inside { .. }) => {
                return TierTargets { inside: targets(n), ..TierTargets::default() }
                    .volumes_of_flow(flow);
            }
            (Scope::Whole, GroupSpread::Apart { .. }) => {
                let off_rail = if placed.is_aligned() { 0 } else { targets(n) };
                return TierTargets { across: targets(n), off_rail, inside: 0 }
                    .volumes_of_flow(flow);
            }
            (Scope::Whole, GroupSpread::Nested { .. })
                if flow.shape == RelationShape::EveryOther =>
            {
                let off_rail = (x - 1) * (y - 1);
                return TierTargets { inside: x - 1, across: n - x, off_rail }
                    .volumes_of_flow(flow);
            }
            _ => {}
        }
    }
    if flow.shape == (RelationShape::Tree { second: true }) {
        return CallVolumes::default(); // runs beside the first, which counts both
    }
    let mut busiest = walk_targets(flow, group, stage, placed).volumes_of_flow(flow);
    if (single || matches!(flow.shape, RelationShape::Tree { .. }))
        && !staged
        && busiest.steps_across > 0
    {
        busiest.steps_inside = 0; // every step waits for the hop that leaves the domain
    }
    busiest
}

/// What a [walk](looked_at) over members follows from: the scope and the shape of a flow, its
/// group, the stage.
type Walk = (Placed, Scope, RelationShape, Group, u32);

/// Walks that are kept, and the least members of such that are worth it.
const KEPT: usize = 1 << 14;
const MANY: u32 = 32;

thread_local! {
    /// A search asks the same of each interface and each setting of ZeRO.
    static KNOWN: RefCell<BTreeMap<Walk, TierTargets>> = const { RefCell::new(BTreeMap::new()) };
}

/// [`looked_at`], of what was looked at before as then.
fn walk_targets(flow: &CollectiveFlow, group: Group, stage: u32, placed: &Placed) -> TierTargets {
    if placed.grid().group_size(group) < MANY {
        return looked_at(flow, group, stage, placed);
    }
    let asked = (placed.clone(), flow.scope, flow.shape, group, stage);
    if let Some(known) = KNOWN.with_borrow(|known| known.get(&asked).copied()) {
        return known;
    }
    let reach = looked_at(flow, group, stage, placed);
    KNOWN.with_borrow_mut(|known| {
        if known.len() >= KEPT {
            known.clear();
        }
        known.insert(asked, reach);
    });
    reach
}

/// Looks at every member on the stage of every group that meets the domain borders differently.
fn looked_at(flow: &CollectiveFlow, group: Group, stage: u32, placed: &Placed) -> TierTargets {
    let digits: Vec<Digit> = placed
        .grid()
        .digits()
        .iter()
        .filter(|digit| flow.scope.has_members_along_digit(group, digit, placed))
        .copied()
        .collect();
    let n: u32 = digits.iter().map(|digit| digit.size).product();
    let positions = if group == Group::Pipeline { stage..stage + 1 } else { 0..n };
    let placement = placed.placement();
    let single = matches!(
        flow.shape,
        RelationShape::Next
            | RelationShape::Previous
            | RelationShape::Exchange { .. }
            | RelationShape::Shift { .. }
    );
    let mut most = TierTargets::default();
    for base in first_members(&digits, stage, placed) {
        let member = |position| Rank(base.saturating_add(member_offset(&digits, position)));
        if flow.shape == RelationShape::EveryOther {
            let members: Vec<Rank> = (0..n).map(member).collect();
            most = most.elementwise_max(max_targets_among_members(&members, placement));
            continue;
        }
        for p in positions.clone() {
            if single && most == TierTargets::ONE_EACH {
                return most; // no member of such a shape reaches further
            }
            let mut reach = TierTargets::default();
            for q in targets_of_member(flow.shape, p, n) {
                match placement.pair_locality(member(p), member(q)) {
                    Locality::InsideDomain => reach.inside += 1,
                    Locality::AlongRail => reach.across += 1,
                    Locality::AcrossRails => {
                        reach.across += 1;
                        reach.off_rail += 1;
                    }
                }
            }
            most = most.elementwise_max(reach);
        }
    }
    most
}

/// To whom the member at position `p` sends. The two trees of an all-reduce run at once, and no
/// member is an inner node of both: what one carries in them is counted together.
fn targets_of_member(shape: RelationShape, p: u32, n: u32) -> impl Iterator<Item = u32> {
    let other = (shape == RelationShape::Tree { second: false })
        .then_some(RelationShape::Tree { second: true });
    shape.target_positions(p, n).chain(
        other.into_iter().flat_map(move |relation_shape| relation_shape.target_positions(p, n)),
    )
}

/// The furthest reach where each member speaks to every other: members are counted by domain
/// and rail, so that the cost is that of the members and not of their pairs.
fn max_targets_among_members(members: &[Rank], placement: Placement) -> TierTargets {
    let mut domains: BTreeMap<u32, u32> = BTreeMap::new();
    let mut rails: BTreeMap<u32, u32> = BTreeMap::new();
    let mut places: BTreeMap<(u32, u32), u32> = BTreeMap::new();
    for rank in members {
        let (domain, rail) = (placement.domain_of(*rank), placement.rail_of(*rank));
        *domains.entry(domain).or_default() += 1;
        *rails.entry(rail).or_default() += 1;
        *places.entry((domain, rail)).or_default() += 1;
    }
    let all = members.len() as u32;
    let mut most = TierTargets::default();
    for ((domain, rail), together) in places {
        let across = all - domains[&domain];
        let along = rails[&rail] - together;
        let reach = TierTargets { inside: domains[&domain] - 1, across, off_rail: across - along };
        most = most.elementwise_max(reach);
    }
    most
}

/// Distance of a group's member at `position` from its first member.
fn member_offset(digits: &[Digit], position: u32) -> u32 {
    let mut rest = position;
    let mut offset = 0;
    for digit in digits {
        offset += rest % digit.size * digit.stride;
        rest /= digit.size;
    }
    offset
}

/// First members of the stage's groups, one for each place in a domain where groups start.
/// Groups that start at the same place meet the borders alike.
fn first_members(digits: &[Digit], stage: u32, placed: &Placed) -> Vec<u32> {
    let used = placed.placement().used_gpus_per_domain();
    if placed.is_aligned() && placed.placement().has_nic_per_gpu() {
        return vec![0];
    }
    let (pipeline, others): (Vec<Digit>, Vec<Digit>) = placed
        .grid()
        .digits()
        .iter()
        .filter(|digit| !digits.contains(digit))
        .partition(|digit| digit.axis == Axis::Pipeline);
    let mut reached = vec![false; used as usize];
    reached[(member_offset(&pipeline, stage) % used) as usize] = true;
    for digit in others {
        let before = reached.clone();
        for (place, _) in before.iter().enumerate().filter(|(_, is)| **is) {
            for value in 1..digit.size.min(used) {
                let moved = place as u64 + u64::from(value) * u64::from(digit.stride);
                reached[(moved % u64::from(used)) as usize] = true;
            }
        }
    }
    (0..used).filter(|place| reached[*place as usize]).collect()
}

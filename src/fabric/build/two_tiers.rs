//! Trees of two tiers: leafs of at most two models, in any shapes, below spines of one model.

use super::build::{Build, BuildLayer, LeafShape, TreePlan, TwoTiers};
use super::dominance::{PlanGrade, PlanNeeds, UndominatedPlans};
use super::leaf_capacity::{CapacityByLinks, LeafCapacity};
use super::pruning::WeightScale;
use super::tree_request::{TreeRequest, assemble_tree};
use super::two_tier_bounds::TreeBounds;
use crate::fabric::{Occupancy, Ratio, TierName};

/// Every number of spines below which leafs may have a shape: of each model and of each two, every
/// number of leafs with the fewest links that hold what a part has.
///
/// More leafs than those that need the fewest links of all need more of everything, so there the
/// numbers of leafs end (docs/formulation.md).
pub(super) fn two_tier_plans(request: &TreeRequest<'_>, front: &mut UndominatedPlans<'_>) {
    let spines = (0..request.skus.len()).map(|sku| request.links_above(sku));
    let most = u64::from(spines.max().unwrap_or(0)) / request.part_count();
    let all = 1..=request.most_uplinks();
    // Trees of one model first: they bound what the others may weigh.
    for pairs in [false, true] {
        if pairs && (request.skus.len() < 2 || request.max_models == Some(1) || request.alike) {
            break;
        }
        for spines in all.clone() {
            plan_trees_with_spines(request, front, spines, most, pairs);
        }
    }
}

/// The trees with so many spines.
fn plan_trees_with_spines(
    request: &TreeRequest<'_>,
    front: &mut UndominatedPlans<'_>,
    spines: u32,
    most: u64,
    pairs: bool,
) {
    let steps: Vec<CapacityByLinks> =
        (0..request.skus.len()).map(|sku| request.capacity_steps(sku, spines)).collect();
    let shapes: u64 = steps.iter().map(|steps| steps.shapes_by_links().count() as u64).sum();
    if !front.has_spent_steps(shapes + steps.len() as u64) {
        return;
    }
    let bounds = TreeBounds::new(request, front.weight_ceiling(), &steps, spines);
    let models: Vec<usize> = (0..steps.len()).filter(|sku| !steps[*sku].is_empty()).collect();
    if !front.hopeful_at(|place, _| bounds.least_weight(place, &models)) {
        return;
    }
    let mut tables = Tables::new(request, &steps, most);
    for (place, first) in models.iter().copied().enumerate() {
        if !pairs {
            if front.hopeful_at(|place, _| bounds.least_weight(place, &[first]))
                && let Some(mut seats) = tables.take_table(front, first)
            {
                plan_one_model_trees(request, front, &bounds, first, &mut seats);
            }
            continue;
        }
        if !front.hopeful_at(|place, _| bounds.least_weight_of_leafs(place, &[(first, 1)])) {
            continue;
        }
        for second in models[place + 1..].iter().copied() {
            let hopeful =
                |place: usize, _: &WeightScale| bounds.least_weight_of_pair(place, first, second);
            if !front.has_spent_steps(1) {
                return;
            }
            if front.hopeful_at(hopeful)
                && let Some(mut one) = tables.take_table(front, first)
                && let Some(mut two) = tables.take_table(front, second)
            {
                plan_two_model_trees(
                    request,
                    front,
                    &bounds,
                    LeafModel { sku: first, seats: &mut one },
                    LeafModel { sku: second, seats: &mut two },
                );
                tables.put_back_table(first, one);
                tables.put_back_table(second, two);
            }
        }
    }
}

/// What leafs of each model hold below a number of spines, as far as it was asked for.
struct Tables<'s> {
    request: &'s TreeRequest<'s>,
    max_leafs: u64,
    steps: &'s [CapacityByLinks],
    seats: Vec<Option<LeafCapacity>>,
    /// Entries of all tables that are kept.
    entries: usize,
}

/// Entries of tables that are kept for other pairs of models.
const MOST_ENTRIES: usize = 1 << 22;

impl<'s> Tables<'s> {
    fn new(request: &'s TreeRequest<'_>, steps: &'s [CapacityByLinks], most: u64) -> Self {
        let seats = steps.iter().map(|_| None).collect();
        Self { request, max_leafs: most, steps, seats, entries: 0 }
    }

    /// The table of a model; `None` where the effort is at its end.
    fn take_table(&mut self, front: &mut UndominatedPlans<'_>, sku: usize) -> Option<LeafCapacity> {
        if let Some(known) = self.seats[sku].take() {
            self.entries -= known.entry_count();
            return Some(known);
        }
        let steps = &self.steps[sku];
        let work = self.max_leafs * steps.shapes_by_links().count() as u64;
        front
            .has_spent_steps(work)
            .then(|| self.request.leaf_capacity(steps.clone(), self.max_leafs))
    }

    /// Keeps a table; drops all others where they have become too many.
    fn put_back_table(&mut self, sku: usize, seats: LeafCapacity) {
        if self.entries + seats.entry_count() > MOST_ENTRIES {
            self.seats.iter_mut().for_each(|capacity| *capacity = None);
            self.entries = 0;
        }
        self.entries += seats.entry_count();
        self.seats[sku] = Some(seats);
    }
}

/// Trees whose leafs are of one model.
fn plan_one_model_trees(
    request: &TreeRequest<'_>,
    front: &mut UndominatedPlans<'_>,
    bounds: &TreeBounds<'_>,
    sku: usize,
    seats: &mut LeafCapacity,
) {
    let (units, spines) = (request.units_per_part(), bounds.spines);
    let fewest = seats.units_of_any_leafs().partition_point(|held| *held < units);
    let most = seats.leafs_that_suffice(units).max(2);
    for count in units.div_ceil(seats.capacity_by_links().widest_leaf_units()).max(2)..=most {
        // No number of leafs needs fewer links, and each has one at least.
        let links = count.max(fewest as u64);
        if !front.hopeful_at(|place, _| bounds.least_weight_alike(place, sku, count, links)) {
            break;
        }
        if !front.has_spent_steps(seats.work_of(count)) {
            return;
        }
        let row = seats.units_of_leafs(count);
        let links = row.partition_point(|held| *held < units);
        if links < row.len() {
            let leafs = [(sku, count), (sku, 0)];
            let plan = TwoTiers { leafs, spine: 0, spines, links: links as u64 };
            let own = (&*seats, count, links as u64);
            offer_tree(request, front, plan, &[own]);
        }
        // With more leafs fewer lanes may be idle, which a weight ends; where counts alone speak
        // they would be too many.
        if links <= fewest && !front.weighs_idle() {
            break;
        }
    }
}

/// A model of leaf switches, and what they hold.
struct LeafModel<'s> {
    sku: usize,
    seats: &'s mut LeafCapacity,
}

/// Trees with leafs of both models.
fn plan_two_model_trees(
    request: &TreeRequest<'_>,
    front: &mut UndominatedPlans<'_>,
    bounds: &TreeBounds<'_>,
    one: LeafModel<'_>,
    two: LeafModel<'_>,
) {
    let (LeafModel { sku: first, seats: one }, LeafModel { sku: second, seats: two }) = (one, two);
    let (units, spines) = (request.units_per_part(), bounds.spines);
    let [wide_one, wide_two] =
        [one.capacity_by_links().widest_leaf_units(), two.capacity_by_links().widest_leaf_units()];
    for count in 1..=one.leafs_that_suffice(units - 1) {
        let hopeful = |place: usize, _: &WeightScale| {
            bounds.least_weight_with_leafs(place, first, count, second)
        };
        if !front.hopeful_at(hopeful) {
            continue;
        }
        if !front.has_spent_steps(one.work_of(count) + one.row_width()) {
            return;
        }
        // No number of the second kind needs fewer links than this.
        let Some(fewest) = fewest_links(one.units_of_leafs(count), two.units_of_any_leafs(), units)
        else {
            continue;
        };
        let left = units.saturating_sub(count * wide_one);
        let most = two.leafs_that_suffice(units - 1).max(1);
        for other in left.div_ceil(wide_two).max(1)..=most {
            let each = [(first, count), (second, other)];
            if !front.hopeful_at(|place, _| bounds.least_weight_of_leafs(place, &each)) {
                break;
            }
            if !front.has_spent_steps(two.work_of(other) + one.row_width()) {
                return;
            }
            let Some((a, b)) =
                fewest_links(one.units_of_leafs(count), two.units_of_leafs(other), units)
            else {
                continue;
            };
            let plan = TwoTiers { leafs: each, spine: 0, spines, links: a + b };
            let own = [(&*one, count, a), (&*two, other, b)];
            offer_tree(request, front, plan, &own);
            if a + b <= fewest.0 + fewest.1 && !front.weighs_idle() {
                break;
            }
        }
    }
}

/// The fewest links to each spine with which both kinds of leaf hold so many units together, of
/// each kind: rows of [`LeafCapacity::units_of_leafs`].
fn fewest_links(one: &[u64], two: &[u64], units: u64) -> Option<(u64, u64)> {
    // Rows never fall. Fewer links of the first kind are too few beside all of the second.
    let most = two.last().copied().unwrap_or(0);
    let first = one.partition_point(|held| *held == 0 || held + most < units);
    let least = one.get(first).copied().unwrap_or(0);
    let mut b = two.partition_point(|held| *held == 0 || held + least < units);
    let mut best: Option<(usize, usize)> = None;
    for (a, held) in one.iter().enumerate().skip(first) {
        if best.is_some_and(|(x, y)| a >= x + y) {
            break;
        }
        // The second kind needs fewer links the more the first has.
        while b > 0 && two[b - 1] > 0 && held + two[b - 1] >= units {
            b -= 1;
        }
        let fewer = best.is_none_or(|(x, y)| a + b < x + y);
        if b < two.len() && a + b < one.len() && fewer {
            best = Some((a, b));
        }
    }
    best.map(|(a, b)| (a as u64, b as u64))
}

/// What decides between a tree and others that need as much: leafs with their number and their
/// links to each spine, of tables that reach so far.
fn plan_grade(
    request: &TreeRequest<'_>,
    spines: u32,
    leafs: &[(&LeafCapacity, u64, u64)],
) -> PlanGrade {
    let mut grade = PlanGrade { within: Ratio::ONE, layers: 1 };
    for (seats, count, links) in leafs {
        for (own, _) in seats.links_of_leaf_switches(*count, *links) {
            let shape = leaf_shape_with_links(request, seats.capacity_by_links(), own, spines);
            grade.within = grade.within.min(request.rail_uplink_ratio(shape));
            grade.layers += 1;
        }
    }
    grade
}

/// A leaf with so many links to each spine.
fn leaf_shape_with_links(
    request: &TreeRequest<'_>,
    steps: &CapacityByLinks,
    links: u64,
    spines: u32,
) -> LeafShape {
    let down = (steps.units_at_links(links as usize) * request.ports_per_unit()) as u32;
    LeafShape { down, up: links as u32 * spines, across: request.across }
}

/// The links of a tree, whose leafs are filled one after the other, or evenly.
fn two_tier_occupancy(
    request: &TreeRequest<'_>,
    spines: u32,
    leafs: &[(&LeafCapacity, u64, u64)],
    even: bool,
) -> Occupancy {
    let mut part = Occupancy::default();
    let mut left = request.host_links() / request.part_count();
    let most = match leafs {
        [(_, count, _)] if even => left.div_ceil(*count),
        _ => u64::MAX,
    };
    let mut each = 0;
    for (seats, count, links) in leafs {
        for (own, leafs) in seats.links_of_leaf_switches(*count, *links) {
            let shape = leaf_shape_with_links(request, seats.capacity_by_links(), own, spines);
            let down = u64::from(shape.down).min(most);
            let hosts = left.min(leafs * down);
            left -= hosts;
            part.add_leafs(leafs, down, hosts, u64::from(shape.up + shape.across));
            part.add_trunks(leafs * u64::from(spines), own);
            each += leafs * own;
        }
    }
    let mut all = Occupancy::default();
    all.add(&part, request.part_count());
    all.add_switches(spines.into(), 0, each * request.part_count());
    all
}

/// Offers a tree once for each model of spine that is worth it.
fn offer_tree(
    request: &TreeRequest<'_>,
    front: &mut UndominatedPlans<'_>,
    plan: TwoTiers,
    leafs: &[(&LeafCapacity, u64, u64)],
) {
    let grade = || plan_grade(request, plan.spines, leafs);
    let lanes = &front.weight_ceiling().lanes;
    let idle = || {
        request.idle_lane_range(lanes, |even| two_tier_occupancy(request, plan.spines, leafs, even))
    };
    let parts = request.part_count();
    let links = plan.links * parts;
    let [(first, a), (second, b)] = plan.leafs;
    for spine in front.models_worth_ports(request.ports_for_links(links)) {
        let switches = [(first, a * parts), (second, b * parts), (spine, plan.spines.into())];
        let across = (a + b) * parts * u64::from(request.across);
        let links = request.host_links() + links * u64::from(plan.spines) + across;
        let needs = PlanNeeds { switches: &switches, links, across };
        front.insert_plan(&needs, idle, grade, || TreePlan::TwoTiers(TwoTiers { spine, ..plan }));
    }
}

/// The tree that was planned; `None` where it can't be, which no plan is made for.
pub(super) fn build_two_tiers(request: &TreeRequest<'_>, plan: &TwoTiers) -> Option<Build> {
    let spines = plan.spines;
    let [first, second] = plan.leafs;
    let seats = |sku: usize| request.leaf_capacity(request.capacity_steps(sku, spines), plan.links);
    let mut one = seats(first.0);
    let shared = if second.1 == 0 {
        vec![(first.0, one.shared_between(first.1, plan.links))]
    } else {
        let mut two = seats(second.0);
        let (a, b) = fewest_links(
            one.units_of_leafs(first.1),
            two.units_of_leafs(second.1),
            request.units_per_part(),
        )?;
        vec![(first.0, one.shared_between(first.1, a)), (second.0, two.shared_between(second.1, b))]
    };
    let parts = request.part_count();
    let mut leafs: Vec<(usize, u64, LeafShape)> = Vec::new();
    for (sku, shapes) in shared {
        let steps = request.capacity_steps(sku, spines);
        for (links, count) in shapes {
            let shape = leaf_shape_with_links(request, &steps, links, spines);
            leafs.push((sku, count * parts, shape));
        }
    }
    let uplinks: u64 = leafs.iter().map(|(_, count, shape)| count * u64::from(shape.up)).sum();
    let above = BuildLayer {
        tier: TierName::Spine,
        sku: plan.spine,
        count: u64::from(spines),
        down: request.skus[plan.spine].radix,
        up: 0,
        across: 0,
        ports_used: request.ports_for_links(uplinks),
    };
    Some(assemble_tree(request, &leafs, vec![above], 0))
}

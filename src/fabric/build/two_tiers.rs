//! Trees of two tiers: leafs of at most two models, in any shapes, below spines of one model.

use super::front::{Front, Needs, Plan};
use super::leaf::LeafShape;
use super::seats::{Seats, Steps};
use super::tree::TreeRequest;
use super::{Build, Layer, Scale, assembled};
use crate::fabric::TierName;

/// A tree of two tiers, before its leafs have shapes.
#[derive(Clone, Copy, Debug)]
pub(super) struct TwoTiers {
    /// Leafs of one part by model; the second none where one model is used.
    leafs: [(usize, u64); 2],
    /// Model of the spines.
    spine: usize,
    /// Spines.
    spines: u32,
    /// Links of the leafs of one part to each spine.
    links: u64,
}

/// Every number of spines below which leafs may have a shape: of each model and of each two, every
/// number of leafs with the fewest links that hold what a part has.
///
/// More leafs than those that need the fewest links of all need more of everything, so there the
/// numbers of leafs end (docs/formulation.md).
pub(super) fn plans(request: &TreeRequest<'_>, front: &mut Front<'_>) {
    let widest_spine = request.skus.iter().map(|sku| u64::from(sku.radix)).max().unwrap_or(0);
    let most = widest_spine / request.parts();
    let all = 1..=request.most_uplinks();
    // Trees of one model first: they bound what the others may weigh.
    for pairs in [false, true] {
        if pairs && (request.skus.len() < 2 || request.models == Some(1)) {
            break;
        }
        for spines in all.clone() {
            below(request, front, spines, most, pairs);
        }
    }
}

/// The trees with so many spines.
fn below(request: &TreeRequest<'_>, front: &mut Front<'_>, spines: u32, most: u64, pairs: bool) {
    let steps: Vec<Steps> = (0..request.skus.len()).map(|sku| request.steps(sku, spines)).collect();
    let bounds = Bounds { request, steps: &steps, spines };
    let useful = |sku: &usize| !steps[*sku].is_empty();
    let models: Vec<usize> = (0..steps.len()).filter(useful).collect();
    if !front.hopeful(|scale| bounds.least(scale, &models)) {
        return;
    }
    let mut seats: Vec<Option<Seats>> = steps.iter().map(|_| None).collect();
    let of = |seats: &mut Vec<Option<Seats>>, sku: usize| {
        seats[sku].get_or_insert_with(|| Seats::new(steps[sku].clone(), most));
    };
    for (place, first) in models.iter().copied().enumerate() {
        if !pairs {
            if front.hopeful(|scale| bounds.least(scale, &[first])) {
                of(&mut seats, first);
                if let Some(seats) = &mut seats[first] {
                    alike(request, front, spines, (first, seats));
                }
            }
            continue;
        }
        for second in models[place + 1..].iter().copied() {
            if front.hopeful(|scale| bounds.least(scale, &[first, second])) {
                of(&mut seats, first);
                of(&mut seats, second);
                let (low, high) = seats.split_at_mut(second);
                if let (Some(one), Some(two)) = (&mut low[first], &mut high[0]) {
                    mixed(request, front, &bounds, (first, one), (second, two));
                }
            }
        }
    }
}

/// Trees whose leafs are of one model.
fn alike(
    request: &TreeRequest<'_>,
    front: &mut Front<'_>,
    spines: u32,
    (sku, seats): (usize, &mut Seats),
) {
    let units = request.units();
    let fewest = seats.of_any().partition_point(|held| *held < units);
    let most = seats.enough(units).max(2);
    for leafs in units.div_ceil(seats.steps().widest()).max(2)..=most {
        let row = seats.of(leafs);
        let links = row.partition_point(|held| *held < units);
        if links < row.len() {
            let leafs = [(sku, leafs), (sku, 0)];
            offer(request, front, TwoTiers { leafs, spine: 0, spines, links: links as u64 });
        }
        if links <= fewest {
            break;
        }
    }
}

/// Trees with leafs of both models.
fn mixed(
    request: &TreeRequest<'_>,
    front: &mut Front<'_>,
    bounds: &Bounds<'_>,
    (first, one): (usize, &mut Seats),
    (second, two): (usize, &mut Seats),
) {
    let units = request.units();
    let [wide_one, wide_two] = [one.steps().widest(), two.steps().widest()];
    for count in 1..=one.enough(units - 1) {
        let hopeful = |scale: &Scale| bounds.least_with(scale, (first, count), second);
        if !front.hopeful(hopeful) {
            continue;
        }
        // No number of the second kind needs fewer links than this.
        let Some(fewest) = fewest_links(one.of(count), two.of_any(), units) else { continue };
        let left = units.saturating_sub(count * wide_one);
        let most = two.enough(units - 1).max(1);
        for other in left.div_ceil(wide_two).max(1)..=most {
            let Some((a, b)) = fewest_links(one.of(count), two.of(other), units) else { continue };
            let leafs = [(first, count), (second, other)];
            let (spine, spines, links) = (0, bounds.spines, a + b);
            offer(request, front, TwoTiers { leafs, spine, spines, links });
            if links <= fewest.0 + fewest.1 {
                break;
            }
        }
    }
}

/// The fewest links to each spine with which both kinds of leaf hold so many units together, of
/// each kind: rows of [`Seats::of`].
fn fewest_links(one: &[u64], two: &[u64], units: u64) -> Option<(u64, u64)> {
    let mut best: Option<(usize, usize)> = None;
    let mut b = two.len();
    for (a, held) in one.iter().enumerate().filter(|(_, held)| **held > 0) {
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

/// Offers a tree once for each model of spine that has the ports for it.
fn offer(request: &TreeRequest<'_>, front: &mut Front<'_>, plan: TwoTiers) {
    let parts = request.parts();
    let links = plan.links * parts;
    let [(first, a), (second, b)] = plan.leafs;
    for spine in 0..front.skus() {
        if links > u64::from(request.skus[spine].radix) {
            continue;
        }
        let switches = [(first, a * parts), (second, b * parts), (spine, plan.spines.into())];
        let links = request.host_links() + links * u64::from(plan.spines);
        let needs = Needs { switches: &switches, links };
        front.offer(&needs, || Plan::TwoTiers(TwoTiers { spine, ..plan }));
    }
}

/// Weights that no tree below so many spines stays below.
struct Bounds<'a> {
    request: &'a TreeRequest<'a>,
    steps: &'a [Steps],
    spines: u32,
}

impl Bounds<'_> {
    /// Of a tree whose leafs are of some models: every unit on the leaf that carries it most
    /// lightly, as if leafs could be divided.
    fn least(&self, scale: &Scale, models: &[usize]) -> f64 {
        let request = self.request;
        let each = models.iter().map(|sku| self.of_a_unit(scale, *sku));
        let units = (request.units() * request.parts()) as f64;
        self.fixed(scale) + units * each.fold(f64::INFINITY, f64::min)
    }

    /// Of a tree with so many leafs of one model and some of another.
    fn least_with(&self, scale: &Scale, (sku, count): (usize, u64), other: usize) -> f64 {
        let request = self.request;
        let steps = &self.steps[sku];
        let held = count * steps.widest();
        let left = request.units().saturating_sub(held).max(1) as f64;
        let links = self.links(scale) * count as f64;
        let leafs = scale.of(sku) * count as f64;
        let rest = left * self.of_a_unit(scale, other);
        self.fixed(scale) + request.parts() as f64 * (leafs + links + rest)
    }

    /// Links to endpoints, and the spines were they of the lightest model.
    fn fixed(&self, scale: &Scale) -> f64 {
        let hosts = scale.link * self.request.host_links() as f64;
        hosts + f64::from(self.spines) * scale.lightest(self.request.skus.len())
    }

    /// One link to each spine.
    fn links(&self, scale: &Scale) -> f64 {
        scale.link * f64::from(self.spines)
    }

    /// What a unit takes at least on leafs of a model.
    fn of_a_unit(&self, scale: &Scale, sku: usize) -> f64 {
        let links = self.links(scale);
        let each = self.steps[sku]
            .shapes()
            .map(|(own, units)| (scale.of(sku) + links * own as f64) / units as f64);
        each.fold(f64::INFINITY, f64::min)
    }
}

/// The tree that was planned; `None` where it can't be, which no plan is made for.
pub(super) fn build(request: &TreeRequest<'_>, plan: &TwoTiers) -> Option<Build> {
    let spines = plan.spines;
    let [first, second] = plan.leafs;
    let seats = |sku: usize| Seats::new(request.steps(sku, spines), plan.links);
    let mut one = seats(first.0);
    let shared = if second.1 == 0 {
        vec![(first.0, one.shared(first.1, plan.links))]
    } else {
        let mut two = seats(second.0);
        let (a, b) = fewest_links(one.of(first.1), two.of(second.1), request.units())?;
        vec![(first.0, one.shared(first.1, a)), (second.0, two.shared(second.1, b))]
    };
    let parts = request.parts();
    let mut leafs: Vec<(usize, u64, LeafShape)> = Vec::new();
    for (sku, shapes) in shared {
        let steps = request.steps(sku, spines);
        for (links, count) in shapes {
            let down = (steps.of(links as usize) * request.unit()) as u32;
            let shape = LeafShape { down, up: links as u32 * spines, across: 0 };
            leafs.push((sku, count * parts, shape));
        }
    }
    let uplinks: u64 = leafs.iter().map(|(_, count, shape)| count * u64::from(shape.up)).sum();
    let above = Layer {
        tier: TierName::Spine,
        sku: plan.spine,
        count: u64::from(spines),
        down: request.skus[plan.spine].radix,
        up: 0,
        across: 0,
        ports_used: uplinks,
    };
    Some(assembled(request, &leafs, vec![above], 0))
}

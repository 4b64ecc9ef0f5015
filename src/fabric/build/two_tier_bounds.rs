//! What a tree of two tiers weighs at least, before it is planned. Plans none.

use super::leaf_capacity::CapacityByLinks;
use super::pruning::{WeightCeiling, WeightScale};
use super::tree_request::TreeRequest;

/// Weights that no tree below so many spines stays below, by the place of a scale in a ceiling.
pub(super) struct TreeBounds<'a> {
    request: &'a TreeRequest<'a>,
    steps: &'a [CapacityByLinks],
    pub(super) spines: u32,
    scales: Vec<ScaleWeights>,
}

/// By one scale.
struct ScaleWeights {
    /// Links to endpoints, and the spines were they of the lightest model.
    fixed: f64,
    /// One link to each spine.
    links: f64,
    /// A leaf, by model.
    leaf: Vec<f64>,
    /// What a unit takes at least on leafs of a model, as if leafs could be divided.
    of_a_unit: Vec<f64>,
    /// The least of those.
    least_unit: f64,
    /// What a leaf of a model weighs at least beyond what its units would at that least.
    excess: Vec<f64>,
}

/// Bounds that are sums of rounded numbers stay this share below them.
const ROUNDING: f64 = 1e-12;

impl<'a> TreeBounds<'a> {
    pub(super) fn new(
        request: &'a TreeRequest<'a>,
        ceiling: &WeightCeiling,
        steps: &'a [CapacityByLinks],
        spines: u32,
    ) -> Self {
        let read = |scale: &WeightScale| ScaleWeights::new(request, scale, steps, spines);
        Self { request, steps, spines, scales: ceiling.weight_scales().map(read).collect() }
    }

    /// Of a tree whose leafs are of some models: every unit on the leaf that carries it most
    /// lightly.
    pub(super) fn least_weight(&self, scale: usize, models: &[usize]) -> f64 {
        let weights = &self.scales[scale];
        let each = models.iter().map(|sku| weights.of_a_unit[*sku]);
        let units = (self.request.units_per_part() * self.request.part_count()) as f64;
        weights.fixed + units * each.fold(f64::INFINITY, f64::min)
    }

    /// Of a tree with so many leafs of one model and no others, which have so many links to each
    /// spine together.
    pub(super) fn least_weight_alike(
        &self,
        scale: usize,
        sku: usize,
        count: u64,
        links: u64,
    ) -> f64 {
        let weights = &self.scales[scale];
        let leafs = weights.leaf[sku] * count as f64 + weights.links * links as f64;
        weights.fixed + self.request.part_count() as f64 * leafs * (1.0 - ROUNDING)
    }

    /// Of a tree with a leaf of either model at least.
    pub(super) fn least_weight_of_pair(&self, scale: usize, first: usize, second: usize) -> f64 {
        let each = self.least_weight_of_leafs(scale, &[(first, 1), (second, 1)]);
        self.least_weight(scale, &[first, second]).max(each)
    }

    /// Of a tree with so many leafs of some models at least, whatever else it has: what each of
    /// them takes beyond the lightest way to carry its units comes on top.
    pub(super) fn least_weight_of_leafs(&self, scale: usize, leafs: &[(usize, u64)]) -> f64 {
        let weights = &self.scales[scale];
        let excess: f64 =
            leafs.iter().map(|(sku, count)| weights.excess[*sku] * *count as f64).sum();
        let carried = self.request.units_per_part() as f64 * weights.least_unit;
        weights.fixed + self.request.part_count() as f64 * (carried + excess) * (1.0 - ROUNDING)
    }

    /// Of a tree with so many leafs of one model and some of another.
    pub(super) fn least_weight_with_leafs(
        &self,
        scale: usize,
        sku: usize,
        count: u64,
        other: usize,
    ) -> f64 {
        let weights = &self.scales[scale];
        let held = count * self.steps[sku].widest_leaf_units();
        let left = self.request.units_per_part().saturating_sub(held).max(1) as f64;
        let leafs = (weights.leaf[sku] + weights.links) * count as f64;
        let rest = left * weights.of_a_unit[other];
        let each = self.least_weight_of_leafs(scale, &[(sku, count), (other, 1)]);
        (weights.fixed + self.request.part_count() as f64 * (leafs + rest)).max(each)
    }
}

impl ScaleWeights {
    fn new(
        request: &TreeRequest<'_>,
        scale: &WeightScale,
        steps: &[CapacityByLinks],
        spines: u32,
    ) -> Self {
        let links = scale.link * f64::from(spines);
        let leaf: Vec<f64> = (0..steps.len()).map(|sku| scale.switch_weight(sku)).collect();
        let of_a_unit: Vec<f64> = leaf
            .iter()
            .zip(steps)
            .map(|(leaf, steps)| {
                let each = steps
                    .shapes_by_links()
                    .map(|(own, units)| (leaf + links * own as f64) / units as f64);
                each.fold(f64::INFINITY, f64::min)
            })
            .collect();
        let least_unit = of_a_unit.iter().copied().fold(f64::INFINITY, f64::min);
        let excess = leaf
            .iter()
            .zip(steps)
            .map(|(leaf, steps)| {
                let each = steps
                    .shapes_by_links()
                    .map(|(own, units)| leaf + links * own as f64 - least_unit * units as f64);
                each.fold(f64::INFINITY, f64::min).max(0.0)
            })
            .collect();
        let hosts = scale.link * request.host_links() as f64;
        let fixed = hosts + f64::from(spines) * scale.lightest_switch(request.skus.len());
        Self { fixed, links, leaf, of_a_unit, least_unit, excess }
    }
}

//! Rails whose leafs also have ports towards a spine across rails, with spines of their own or
//! without: what a partial spine is put above.

use super::build::{LeafShape, leaf_with_own_spines, leaf_with_shared_spine};
use super::pruning::ModelWorth;
use super::{Build, BuildEffort, BuildLayer, RailRequest, WeightCeiling, WeightScale};
use crate::fabric::{Ratio, TierName};

/// Leafs of one shape below every number of spines of one model, and leafs without spines of
/// their own. There are as few leafs as their ports allow, each with as few links as its share of
/// the endpoints asks for; ports beyond stay dark.
pub(super) fn partial_spine_builds(
    request: &RailRequest<'_>,
    ceiling: &WeightCeiling,
    worth: &ModelWorth,
    effort: &mut BuildEffort,
) -> Vec<Build> {
    let mut builds = Vec::new();
    let joint = JoinedCeiling::new(request, ceiling);
    let most_spines = request.skus.iter().map(|sku| sku.radix).max().unwrap_or(0);
    for sku in 0..request.skus.len() {
        let radix = request.skus[sku].radix;
        // Where nothing is asked for within a rail, spines of its own are in vain.
        let most_spines = if request.within > Ratio::ZERO { most_spines } else { 0 };
        // However many spines there are, a leaf has so many endpoints at most.
        let most_down = leaf_with_own_spines(request, radix, 1, 1).map_or(0, |shape| shape.down);
        let most_spines = if most_down > 0 { most_spines } else { 0 };
        for spines in 1..most_spines.min(radix) {
            if !effort.has_spent_steps(1) {
                return builds;
            }
            // One port leads across rails at least. More spines weigh no less.
            let narrow = radix.saturating_sub(spines + 1).clamp(1, most_down);
            let fewest = request.endpoints.div_ceil(narrow.into());
            if !joint.can_admit_rail(|scale| least_below(request, scale, sku, fewest, spines, 1)) {
                break;
            }
            let Some(widest) = leaf_with_own_spines(request, radix, spines, 1) else { continue };
            let fewest = request.endpoints.div_ceil(widest.down.into());
            // Ports across rails come in multiples of every stripe: a shared spine has to
            // divide them.
            for stripe in 1..=widest.across.max(1) {
                let light = joint.can_admit_rail(|scale| {
                    least_below(request, scale, sku, fewest, spines, stripe)
                });
                // A wider stripe weighs no less.
                if !light {
                    break;
                }
                if !effort.has_spent_steps(1) {
                    return builds;
                }
                let Some(leafs) = PartialLeafs::for_spine_count(request, sku, spines, stripe)
                else {
                    continue;
                };
                if !leafs.has_lighter_twin(request, worth, (spines, stripe)) {
                    add_builds_below_spines(request, &joint, worth, leafs, spines, &mut builds);
                }
            }
        }
        let Some(widest) = leaf_with_shared_spine(request, radix, 1) else { continue };
        let fewest = request.endpoints.div_ceil(widest.down.into());
        for stripe in 1..=widest.across {
            // A wider stripe weighs no less.
            if !joint.can_admit_rail(|scale| least_shared(request, scale, sku, fewest, stripe)) {
                break;
            }
            if !effort.has_spent_steps(1) {
                return builds;
            }
            let Some(leafs) = PartialLeafs::for_spine_count(request, sku, 0, stripe) else {
                continue;
            };
            let light = joint.can_admit_rail(|scale| leafs.weight_with_links(request, scale));
            if light && !leafs.has_lighter_twin(request, worth, (0, stripe)) {
                builds.push(leafs.rail_build(request, Vec::new()));
            }
        }
    }
    builds
}

/// A weight that no rail of so many leafs or more below so many spines stays below: each leaf has a
/// link to every spine and a stripe across rails, and all of them together what their endpoints ask
/// for.
fn least_below(
    request: &RailRequest<'_>,
    scale: &WeightScale,
    sku: usize,
    leafs: u64,
    spines: u32,
    stripe: u32,
) -> Weight {
    let (spines, stripe) = (u64::from(spines), u64::from(stripe));
    let up = (leafs * spines).max(request.within.ceil_times(request.endpoints));
    let across = request.across.ceil_times(request.endpoints);
    let across = if across == 0 { 0 } else { across.max(leafs * stripe) };
    let links = request.endpoints + up + across;
    let switches = scale.switch_weight(sku) * leafs as f64;
    let above = scale.lightest_switch(request.skus.len()) * spines as f64;
    Weight { own: switches + above + scale.link * links as f64, leafs, across }
}

/// A weight that no rail of so many leafs or more without spines of its own stays below: each leaf
/// has a stripe across rails.
fn least_shared(
    request: &RailRequest<'_>,
    scale: &WeightScale,
    sku: usize,
    leafs: u64,
    stripe: u32,
) -> Weight {
    let across = leafs * u64::from(stripe);
    let links = request.endpoints + across;
    Weight {
        own: scale.switch_weight(sku) * leafs as f64 + scale.link * links as f64,
        leafs,
        across,
    }
}

/// What a rail weighs by itself, and what a spine across rails above it has to join.
struct Weight {
    own: f64,
    leafs: u64,
    across: u64,
}

impl Weight {
    fn plus_own_weight(self, by: f64) -> Self {
        Self { own: self.own + by, ..self }
    }
}

/// A ceiling of rails that a spine joins.
struct JoinedCeiling<'c> {
    ceiling: &'c WeightCeiling,
    /// Ports of the widest switch.
    widest: u64,
    /// What a port of a switch weighs at least, by each scale.
    ports: Vec<f64>,
}

impl<'c> JoinedCeiling<'c> {
    fn new(request: &RailRequest<'_>, ceiling: &'c WeightCeiling) -> Self {
        let widest = request.skus.iter().map(|sku| sku.radix).max().unwrap_or(0).into();
        let ports =
            ceiling.weight_scales().map(|scale| scale.lightest_port(request.skus)).collect();
        Self { ceiling, widest, ports }
    }

    /// True unless a rail is too heavy, with its part of the spine: a port for each link, or where
    /// no switch has one for every leaf, two layers, with three ports and one link more each.
    fn can_admit_rail(&self, weigh: impl Fn(&WeightScale) -> Weight) -> bool {
        self.ceiling.admits_at(|place, scale| {
            let Weight { own, leafs, across } = weigh(scale);
            let each = match self.ceiling.joined {
                0 => 0.0,
                rails if leafs * rails <= self.widest => self.ports[place],
                _ => 3.0 * self.ports[place] + scale.link,
            };
            own + each * across as f64
        })
    }
}

/// Alike leafs of a rail.
#[derive(Clone, Copy, PartialEq, Eq)]
struct PartialLeafs {
    sku: usize,
    count: u64,
    shape: LeafShape,
}

impl PartialLeafs {
    /// As few as the widest shape allows, each with what its share of the endpoints needs: ports
    /// up in multiples of the first stripe, or none where that is zero, and across in multiples of
    /// the second.
    fn with_fewest_switches(
        request: &RailRequest<'_>,
        sku: usize,
        widest: LeafShape,
        up: u32,
        across: u32,
    ) -> Self {
        let count = request.endpoints.div_ceil(u64::from(widest.down));
        let down = request.endpoints.div_ceil(count);
        let (within, beyond) = (request.within.ceil_times(down), request.across.ceil_times(down));
        let multiple = |number: u64, stripe: u32| number.next_multiple_of(stripe.into()) as u32;
        let shape = if up == 0 {
            let links = (within + beyond).min(down).max(1);
            LeafShape { down: down as u32, up: 0, across: multiple(links, across) }
        } else {
            let up = multiple(within.max(1), up);
            LeafShape { down: down as u32, up, across: multiple(beyond, across) }
        };
        Self { sku, count, shape }
    }

    /// Of a model, below so many spines of the rail or none, with ports across in multiples of a
    /// stripe.
    fn for_spine_count(
        request: &RailRequest<'_>,
        sku: usize,
        up: u32,
        across: u32,
    ) -> Option<Self> {
        let radix = request.skus[sku].radix;
        let widest = match up {
            0 => leaf_with_shared_spine(request, radix, across),
            _ => leaf_with_own_spines(request, radix, up, across),
        };
        widest.map(|widest| Self::with_fewest_switches(request, sku, widest, up, across))
    }

    /// True where as many leafs of the same shape, of the only model that is worth their ports, are
    /// made as well.
    fn has_lighter_twin(
        &self,
        request: &RailRequest<'_>,
        worth: &ModelWorth,
        stripes: (u32, u32),
    ) -> bool {
        let LeafShape { down, up, across } = self.shape;
        let [other] = *worth.models_with_ports((down + up + across).into()) else { return false };
        let twin = Self { sku: other, ..*self };
        other != self.sku
            && Self::for_spine_count(request, other, stripes.0, stripes.1) == Some(twin)
    }

    fn uplink_count(&self) -> u64 {
        self.count * u64::from(self.shape.up)
    }

    fn across_links(&self) -> u64 {
        self.count * u64::from(self.shape.across)
    }

    /// Weight with all links, downwards and upwards.
    fn weight_with_links(&self, request: &RailRequest<'_>, scale: &WeightScale) -> Weight {
        let links = request.endpoints + self.uplink_count() + self.across_links();
        let own = scale.switch_weight(self.sku) * self.count as f64 + scale.link * links as f64;
        Weight { own, leafs: self.count, across: self.across_links() }
    }

    /// The rail below given switches.
    fn rail_build(&self, request: &RailRequest<'_>, above: Vec<BuildLayer>) -> Build {
        let LeafShape { down, up, across } = self.shape;
        let links = self.uplink_count() + self.across_links();
        let leafs = BuildLayer {
            tier: TierName::Leaf,
            sku: self.sku,
            count: self.count,
            down,
            up,
            across,
            ports_used: request.endpoints + links,
        };
        // Without spines of its own, a rail's traffic takes the spine across rails.
        let within = if up == 0 { across } else { up };
        Build {
            rails: 1,
            filling: super::Filling::OneRail,
            layers: std::iter::once(leafs).chain(above).collect(),
            host_links: request.endpoints,
            leaf_spine_links: self.uplink_count(),
            spine_core_links: 0,
            across_links: self.across_links(),
            leaf_endpoints: request.endpoints.min(u64::from(down)) as u32,
            within: Ratio::uplinks_per_downlink(within, down),
            across: Ratio::uplinks_per_downlink(across, down),
        }
    }
}

/// The leafs below `spines` spines, once for each model that is worth it.
fn add_builds_below_spines(
    request: &RailRequest<'_>,
    joint: &JoinedCeiling<'_>,
    worth: &ModelWorth,
    leafs: PartialLeafs,
    spines: u32,
    builds: &mut Vec<Build>,
) {
    let links = leafs.uplink_count();
    let weight = |scale: &WeightScale| leafs.weight_with_links(request, scale);
    for sku in worth.models_with_ports(links.div_ceil(spines.into())).iter().copied() {
        let with = |scale: &WeightScale| {
            weight(scale).plus_own_weight(f64::from(spines) * scale.switch_weight(sku))
        };
        if joint.can_admit_rail(with) {
            let spine = BuildLayer {
                tier: TierName::Spine,
                sku,
                count: u64::from(spines),
                down: request.skus[sku].radix,
                up: 0,
                across: 0,
                ports_used: links,
            };
            builds.push(leafs.rail_build(request, vec![spine]));
        }
    }
}

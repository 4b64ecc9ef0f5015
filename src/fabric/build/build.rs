//! `Build`, `BuildLayer`, `SwitchModel`, leaf shapes, tree plans: types.

use crate::fabric::{Ratio, TierName};

/// A switch model as the generator sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SwitchModel {
    pub name: String,
    /// Ports at the rate of a link; a model without any is left out of all builds.
    pub radix: u32,
}

/// What a rail has to do.
#[derive(Clone, Copy, Debug)]
pub struct RailRequest<'a> {
    /// Endpoints n of one rail in one plane.
    pub endpoints: u64,
    pub skus: &'a [SwitchModel],
    /// Least uplinks per downlink between the leafs of a rail (ρ); [`Ratio::ONE`] never blocks.
    pub within: Ratio,
    /// Least uplinks per downlink to a spine across rails (σ); [`Ratio::ZERO`] for none.
    pub across: Ratio,
    /// Most different models in one build.
    pub models_per_rail: Option<u32>,
}

/// Alike switches of a build.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BuildLayer {
    pub tier: TierName,
    /// Index into the models of the request.
    pub sku: usize,
    pub count: u64,
    /// Ports of each towards endpoints, used or not.
    pub down: u32,
    /// Ports of each towards the next layer of the rail.
    pub up: u32,
    /// Ports of each towards a spine across rails.
    pub across: u32,
    /// Ports in use over all of them.
    pub ports_used: u64,
}

/// One complete way to build a rail, or a switch or a tree that several rails share.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Build {
    /// Rails that it serves: more than one where they share a switch or a tree.
    pub rails: u32,
    /// Which endpoints share a leaf.
    pub filling: Filling,
    /// Its switches, lowest layer first; a layer of two models has two entries.
    pub layers: Vec<BuildLayer>,
    pub host_links: u64,
    /// Links between leafs and the spines of the rail.
    pub leaf_spine_links: u64,
    /// Links between spines and cores of the rail.
    pub spine_core_links: u64,
    /// Links to a spine across rails.
    pub across_links: u64,
    /// Endpoints of a rail under one leaf, at least one; all of them where no leaf parts a rail.
    pub leaf_endpoints: u32,
    /// Uplinks per downlink within the rail, as built; the least of its leafs.
    pub within: Ratio,
    /// Uplinks per downlink across rails, as built; the least of its leafs.
    pub across: Ratio,
}

impl Build {
    /// Switches of one model.
    #[must_use]
    pub fn switches_of(&self, sku: usize) -> u64 {
        self.layers.iter().filter(|layer| layer.sku == sku).map(|layer| layer.count).sum()
    }

    /// All links, those to endpoints and to a spine across rails included.
    #[must_use]
    pub const fn link_count(&self) -> u64 {
        self.host_links + self.leaf_spine_links + self.spine_core_links + self.across_links
    }

    /// Leafs, each with the ports that it has towards a spine across rails.
    pub fn across_ports(&self) -> impl Iterator<Item = (u64, u32)> + '_ {
        let leafs = self.layers.iter().filter(|layer| layer.tier == TierName::Leaf);
        leafs.map(|layer| (layer.count, layer.across))
    }

    /// This build with a smaller number of endpoints below each leaf, whose other ports stay dark:
    /// of a tree whose leafs are alike and have endpoints of one rail each.
    #[must_use]
    pub fn with_leafs_of(mut self, down: u32) -> Self {
        let leafs = self.layers.iter_mut().filter(|layer| layer.tier == TierName::Leaf);
        for layer in leafs {
            layer.down = down;
            self.within = Ratio::uplinks_per_downlink(layer.up, down);
        }
        self.leaf_endpoints = down;
        if self.rails > 1 {
            self.across = self.within;
        }
        self
    }

    /// This switch, which holds whole rails, with fewer of them; `None` of a build of several
    /// switches.
    #[must_use]
    pub fn with_rails(&self, rails: u32) -> Option<Self> {
        let [layer] = self.layers.as_slice() else { return None };
        let apart =
            self.filling == Filling::WholeRails && layer.count == 1 && self.across_links == 0;
        let links = self.host_links / u64::from(self.rails.max(1)) * u64::from(rails);
        apart.then(|| Self {
            rails,
            host_links: links,
            layers: vec![BuildLayer { ports_used: links, ..layer.clone() }],
            ..self.clone()
        })
    }

    /// True where it is one switch.
    #[must_use]
    pub fn is_single_switch(&self) -> bool {
        matches!(self.layers.as_slice(), [layer] if layer.count == 1)
    }

    /// True where a rail has several leafs, so that a leaf's border lies between its endpoints.
    #[must_use]
    pub fn has_borders(&self) -> bool {
        self.filling != Filling::WholeRails
            && self.across_ports().map(|(leafs, _)| leafs).sum::<u64>() > 1
    }

    /// True where it joins all rails that it serves, not only the endpoints of each.
    #[must_use]
    pub fn joins_rails(&self) -> bool {
        let above = self.layers.iter().any(|layer| layer.tier != TierName::Leaf);
        self.rails > 1 && above || self.filling == Filling::InOrder
    }

    /// The shapes of the leafs of a rail as (endpoints under one; ports within the rail and across
    /// rails per endpoint). Leafs without spines of their own have no others than those across.
    pub fn leaf_ratios(&self) -> impl Iterator<Item = (u32, Ratio, Ratio)> + '_ {
        let leafs = self.layers.iter().filter(|layer| layer.tier == TierName::Leaf);
        leafs.map(|layer| {
            let up = if layer.up == 0 { layer.across } else { layer.up };
            let share = |ports| Ratio::uplinks_per_downlink(ports, layer.down);
            (layer.down, share(up), share(layer.across))
        })
    }

    /// The different shapes of its leafs as (endpoints of a rail under one, at least one; uplinks
    /// per downlink).
    pub fn leaf_shapes(&self) -> impl Iterator<Item = (u32, Ratio)> + '_ {
        let leafs = self.layers.iter().filter(|layer| layer.tier == TierName::Leaf);
        leafs.map(|layer| {
            let up = if layer.up == 0 { layer.across } else { layer.up };
            let own = match self.filling {
                Filling::InOrder => (layer.down / self.rails.max(1)).max(1),
                Filling::OneRail | Filling::WholeRails => layer.down,
            };
            (own, Ratio::uplinks_per_downlink(up, layer.down))
        })
    }
}

/// Which endpoints share a leaf of a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Filling {
    /// A leaf has endpoints of one rail only, and every rail has leafs of its own.
    OneRail,
    /// A leaf holds whole rails.
    WholeRails,
    /// Endpoints fill leafs domain by domain, whatever their rail.
    InOrder,
}

/// Ports of one leaf.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct LeafShape {
    /// Towards endpoints; at least 1.
    pub(super) down: u32,
    /// Towards the spines of the rail.
    pub(super) up: u32,
    /// Towards a spine across rails.
    pub(super) across: u32,
}

/// The leaf with the most ports down whose uplinks are a multiple of `stripe` and whose ports
/// across rails are one of `across_stripe`.
///
/// It needs the fewest leafs; those may then have fewer ports in use. `None` where it has no ports.
pub(super) fn leaf_with_own_spines(
    request: &RailRequest<'_>,
    radix: u32,
    stripe: u32,
    across_stripe: u32,
) -> Option<LeafShape> {
    widest_leaf_shape(radix, |down| {
        let up = round_up(request.within.ceil_times(u64::from(down)).max(1), stripe);
        let across = round_up(request.across.ceil_times(u64::from(down)), across_stripe);
        (up, across)
    })
}

/// The leaf with the most ports down that has no spines of its own: its ports across rails, a
/// multiple of `stripe`, carry what leaves it within the rail too.
pub(super) fn leaf_with_shared_spine(
    request: &RailRequest<'_>,
    radix: u32,
    stripe: u32,
) -> Option<LeafShape> {
    widest_leaf_shape(radix, |down| {
        let down = u64::from(down);
        // Both demands add up, but no more can leave a leaf than enters it.
        let demand = request.within.ceil_times(down) + request.across.ceil_times(down);
        (0, round_up(demand.min(down).max(1), stripe))
    })
}

/// The shape with the most ports down that fits, where the other ports follow from those.
fn widest_leaf_shape(radix: u32, others: impl Fn(u32) -> (u64, u64)) -> Option<LeafShape> {
    // What is needed upwards never falls as `down` rises, so the shapes that fit are the lowest.
    let fits = |down: u32| {
        let (up, across) = others(down);
        u64::from(down) + up + across <= u64::from(radix)
    };
    let (mut low, mut high) = (0, radix);
    while low < high {
        let middle = low + (high - low).div_ceil(2);
        if fits(middle) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    if low == 0 {
        return None;
    }
    let (up, across) = others(low);
    Some(LeafShape { down: low, up: up as u32, across: across as u32 })
}

/// The least multiple of `step` that is no less than `count`.
fn round_up(count: u64, step: u32) -> u64 {
    count.next_multiple_of(u64::from(step.max(1)))
}

/// A tree of two tiers, before its leafs have shapes.
#[derive(Clone, Copy, Debug)]
pub(super) struct TwoTiers {
    /// Leafs of one part by model; the second none where one model is used.
    pub(super) leafs: [(usize, u64); 2],
    pub(super) spine: usize,
    pub(super) spines: u32,
    /// Links of the leafs of one part to each spine.
    pub(super) links: u64,
}

/// A tree of three tiers.
#[derive(Clone, Copy, Debug)]
pub(super) struct ThreeTiers {
    pub(super) leaf: usize,
    pub(super) leafs: u64,
    pub(super) shape: LeafShape,
    pub(super) spine: usize,
    /// Links of a spine to leafs at most, and as many to cores.
    pub(super) half: u32,
    pub(super) spines: u64,
    pub(super) core: usize,
    pub(super) cores: u64,
    /// Links between spines and cores.
    pub(super) spine_core: u64,
}

/// How to put a build together.
#[derive(Clone, Debug)]
pub(super) enum TreePlan {
    TwoTiers(TwoTiers),
    ThreeTiers(ThreeTiers),
}

#[cfg(test)]
mod tests {
    use super::{LeafShape, RailRequest, leaf_with_own_spines, leaf_with_shared_spine};
    use crate::fabric::Ratio;

    fn request(within: (u32, u32), across: (u32, u32)) -> RailRequest<'static> {
        let ratio = |(over, under)| Ratio::new(over, under).expect("not over zero");
        RailRequest {
            endpoints: 1000,
            skus: &[],
            within: ratio(within),
            across: ratio(across),
            models_per_rail: None,
        }
    }

    #[test]
    fn the_widest_leaf_is_the_widest_of_all() {
        for (within, across) in [((1, 1), (0, 1)), ((18, 110), (0, 1)), ((1, 7), (1, 5))] {
            let request = request(within, across);
            for stripe in 1..=40 {
                let found = leaf_with_own_spines(&request, 128, stripe, 3);
                let tried = (1..=128_u32).rev().find_map(|down| {
                    let up = request.within.ceil_times(down.into()).max(1) as u32;
                    let up = up.next_multiple_of(stripe);
                    let across = request.across.ceil_times(down.into()) as u32;
                    let across = across.next_multiple_of(3);
                    (down + up + across <= 128).then_some(LeafShape { down, up, across })
                });
                assert_eq!(found, tried, "{within:?} {across:?} {stripe}");
            }
        }
    }

    #[test]
    fn a_shared_spine_carries_both_demands_up_to_all_that_enters() {
        let both = leaf_with_shared_spine(&request((1, 4), (1, 4)), 96, 1).expect("fits");
        assert_eq!(both, LeafShape { down: 64, up: 0, across: 32 });
        let full = leaf_with_shared_spine(&request((1, 1), (1, 1)), 64, 1).expect("fits");
        assert_eq!(full, LeafShape { down: 32, up: 0, across: 32 });
    }
}

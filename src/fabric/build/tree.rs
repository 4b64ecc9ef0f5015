//! Trees of leaf switches below spines, each over one rail or over several: what is asked for,
//! and every build that no other one makes needless. Says nothing about why a leaf may have a
//! shape: whoever asks brings the table of shapes.

use super::front::{Front, Plan};
use super::leaf::LeafShape;
use super::seats::Steps;
use super::{Build, Ceiling, Effort, Sku, three_tiers, two_tiers};
use crate::fabric::Ratio;

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

/// What a tree has to do.
#[derive(Clone, Copy, Debug)]
pub struct TreeRequest<'a> {
    /// Rails that one tree serves.
    pub rails: u32,
    /// Endpoints n of one rail in one plane.
    pub endpoints: u64,
    /// Which of them share a leaf.
    pub filling: Filling,
    /// Models to build from.
    pub skus: &'a [Sku],
    /// Most of a leaf by model and by its uplinks, from none on: endpoints, or whole rails where
    /// leafs hold those; 0 where a leaf with so many uplinks may not be. Ports beyond stay dark.
    pub widest: &'a [Vec<u32>],
    /// Most different models in one build.
    pub models: Option<u32>,
}

impl TreeRequest<'_> {
    /// Parts of the tree whose leafs are apart: its rails, where a leaf has one of them.
    pub(super) const fn parts(&self) -> u64 {
        match self.filling {
            Filling::OneRail => self.rails as u64,
            Filling::WholeRails | Filling::InOrder => 1,
        }
    }

    /// What the leafs of one part have to hold, in units.
    pub(super) const fn units(&self) -> u64 {
        match self.filling {
            Filling::OneRail => self.endpoints,
            Filling::WholeRails => self.rails as u64,
            Filling::InOrder => self.rails as u64 * self.endpoints,
        }
    }

    /// Ports of a unit.
    pub(super) const fn unit(&self) -> u64 {
        match self.filling {
            Filling::WholeRails => self.endpoints,
            Filling::OneRail | Filling::InOrder => 1,
        }
    }

    /// Links to endpoints of the whole tree.
    pub(super) const fn host_links(&self) -> u64 {
        self.rails as u64 * self.endpoints
    }

    /// Uplinks per downlink within a rail of a leaf of that shape.
    pub(super) fn within(&self, shape: LeafShape) -> Ratio {
        match self.filling {
            Filling::WholeRails => Ratio::ONE,
            Filling::OneRail | Filling::InOrder => {
                Ratio::uplinks_per_downlink(shape.up, shape.down)
            }
        }
    }

    /// What leafs of a model can hold below so many spines.
    pub(super) fn steps(&self, sku: usize, spines: u32) -> Steps {
        Steps::below(&self.widest[sku], spines)
    }

    /// Most uplinks that any leaf may have.
    pub(super) fn most_uplinks(&self) -> u32 {
        let last = |table: &Vec<u32>| table.iter().rposition(|units| *units > 0).unwrap_or(0);
        self.widest.iter().map(last).max().unwrap_or(0) as u32
    }
}

/// Every tree of two or three tiers that no other one makes needless, in an order that depends on
/// the request alone.
///
/// Two tiers: leafs of at most two models, each with any shape of the table, below spines of one
/// model whose number divides the uplinks of every leaf. Three tiers: leafs alike, each layer of
/// one model. A build goes where another one needs no more of anything that counts (switches of
/// each model and links; or what the ceiling weighs, where that alone counts), and where it is
/// too heavy for the ceiling.
#[must_use]
pub fn tree_builds(request: &TreeRequest<'_>, ceiling: &Ceiling) -> Vec<Build> {
    tree_builds_within(request, ceiling, &mut Effort::endless())
}

/// Likewise, as far as an effort goes: where it ends, some trees may be left out, and
/// [`Effort::is_spent`] tells.
#[must_use]
pub fn tree_builds_within(
    request: &TreeRequest<'_>,
    ceiling: &Ceiling,
    effort: &mut Effort,
) -> Vec<Build> {
    if request.units() < 2 || request.host_links() > super::MOST_ENDPOINTS {
        return Vec::new();
    }
    let mut front = Front::new(ceiling, request.skus, request.models, effort);
    two_tiers::plans(request, &mut front);
    three_tiers::plans(request, &mut front);
    front.builds(|plan| match plan {
        Plan::TwoTiers(plan) => two_tiers::build(request, plan),
        Plan::ThreeTiers(plan) => Some(three_tiers::build(request, plan)),
    })
}

/// False where every tree over so many endpoints is too heavy for a ceiling, whatever the shapes of
/// its leafs: two leafs at least, each with one uplink, and one spine.
#[must_use]
pub fn tree_may_be(endpoints: u64, skus: &[Sku], ceiling: &Ceiling) -> bool {
    let endpoints = endpoints as f64;
    let down = |sku: usize| f64::from(skus[sku].radix.saturating_sub(1).max(1));
    let widest = (0..skus.len()).map(down).fold(1.0, f64::max);
    let leafs = (endpoints / widest).max(2.0);
    ceiling.admits(|scale| {
        let lightest = scale.lightest(skus.len());
        let each = (0..skus.len()).map(|sku| scale.of(sku) / down(sku));
        let carried = endpoints * each.fold(f64::INFINITY, f64::min);
        carried.max(2.0 * lightest) + lightest + scale.link * (endpoints + leafs)
    })
}

/// The shapes of leafs of `radix` ports that keep a least ratio of uplinks to endpoints: entry u
/// is the most endpoints beside u uplinks.
#[must_use]
pub fn widest_at(within: Ratio, radix: u32) -> Vec<u32> {
    let fits = |up: u32, down: u32| within.ceil_of(down.into()) <= u64::from(up);
    (0..radix)
        .map(|up| {
            if up == 0 {
                return 0;
            }
            // What is needed upwards never falls as endpoints are added.
            let (mut low, mut high) = (0, radix - up);
            while low < high {
                let middle = low + (high - low).div_ceil(2);
                if fits(up, middle) { low = middle } else { high = middle - 1 }
            }
            low
        })
        .collect()
}

//! The plan of one plane of a tree: how many switches, and which endpoint goes to which leaf.
//!
//! `tree` counts it and `graph` wires it, so both speak of the same fabric.

use super::request::{LeafPorts, MOST_TIERS};
use super::upper::{UpperTiers, four_tiers, three_tiers, two_tiers};
use super::{FabricProblem, Request};

/// One plane: one or more trees that nothing joins, all alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Plane {
    /// Trees.
    pub(super) trees: u64,
    /// Leafs of one tree.
    pub(super) leafs: u64,
    /// Ports of a leaf; no uplinks where there is one tier.
    pub(super) leaf: LeafPorts,
    /// Which endpoint goes where.
    pub(super) placing: EndpointPlacing,
    /// What is above the leafs of one tree.
    pub(super) upper: UpperTiers,
}

/// Which endpoint goes to which leaf.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EndpointPlacing {
    /// A leaf holds so many whole rails.
    WholeRails(u64),
    /// A rail fills so many leafs of its own.
    RailParts(u64),
    /// Endpoints fill leafs in order, whatever their rail.
    InOrder,
}

impl Plane {
    /// The plane that serves a request.
    pub(super) fn from_request(request: &Request<'_>, radix: u32) -> Result<Self, FabricProblem> {
        if !request.kind.is_tree() {
            let reason = "only rail-only, rail-optimized and clos fabrics are trees of switches";
            return Err(FabricProblem::NoSuchSize { reason });
        }
        match request.kind.joins_rails() {
            true => single_tree_plane(request, radix),
            false => separate_rails(request, radix),
        }
    }

    /// The leaf of the endpoint at `position` of `rail`, which is the `order`-th of all.
    pub(super) fn leaf_of(&self, rail: u64, position: u64, order: u64) -> u64 {
        match self.placing {
            EndpointPlacing::WholeRails(rails) => rail / rails,
            EndpointPlacing::RailParts(leafs) => {
                rail * leafs + position / u64::from(self.leaf.down)
            }
            EndpointPlacing::InOrder => order / u64::from(self.leaf.down),
        }
    }

    /// Domains under one leaf; `None` where no leaf border lies within a rail.
    pub(super) fn leaf_domains(&self, rails: u32) -> Option<u32> {
        match self.placing {
            EndpointPlacing::WholeRails(_) => None,
            EndpointPlacing::RailParts(_) => Some(self.leaf.down),
            EndpointPlacing::InOrder if self.leafs == 1 => None,
            EndpointPlacing::InOrder => Some((self.leaf.down / rails.max(1)).max(1)),
        }
    }

    /// One tier: `trees` switches, each with `down` ports for endpoints.
    fn new_one_tier(trees: u64, down: u32, placing: EndpointPlacing) -> Self {
        let leaf = LeafPorts { down, up: 0, uplinks: 0 };
        Self { trees, leafs: 1, leaf, placing, upper: UpperTiers::NONE }
    }
}

/// Each rail is a tree of its own; small rails share a switch that keeps them apart.
fn separate_rails(request: &Request<'_>, radix: u32) -> Result<Plane, FabricProblem> {
    let ports = request.rail_ports();
    let rails = u64::from(request.rails);
    let single = request.single_tier_ports(radix);
    if ports <= u64::from(single) && request.tiers.is_none_or(|tiers| tiers == 1) {
        let shared = u64::from(single) / ports;
        let placing = EndpointPlacing::WholeRails(shared);
        return Ok(Plane::new_one_tier(rails.div_ceil(shared), single, placing));
    }
    let leaf = request.divide_leaf_ports(radix)?;
    let leafs = ports.div_ceil(u64::from(leaf.down));
    let upper = size_upper_tiers(request, radix, ports, leafs, leaf.uplinks)?;
    Ok(Plane { trees: rails, leafs, leaf, placing: EndpointPlacing::RailParts(leafs), upper })
}

/// One tree over all endpoints; in a rail-optimized one a leaf takes whole rails or parts of one.
fn single_tree_plane(request: &Request<'_>, radix: u32) -> Result<Plane, FabricProblem> {
    let ports = request.endpoints + request.extra_ports;
    let single = request.single_tier_ports(radix);
    if ports <= u64::from(single) && request.tiers.is_none_or(|tiers| tiers == 1) {
        return Ok(Plane::new_one_tier(1, single, EndpointPlacing::InOrder));
    }
    let leaf = request.divide_leaf_ports(radix)?;
    let down = u64::from(leaf.down);
    let rail = request.rail_ports();
    let rails = u64::from(request.rails);
    let (leafs, placing) = match (request.kind.has_rails(), down / rail) {
        (false, _) => (ports.div_ceil(down), EndpointPlacing::InOrder),
        (_, 0) => {
            let per_rail = rail.div_ceil(down);
            (rails * per_rail, EndpointPlacing::RailParts(per_rail))
        }
        (_, whole) => (rails.div_ceil(whole), EndpointPlacing::WholeRails(whole)),
    };
    let upper = size_upper_tiers(request, radix, ports, leafs, leaf.uplinks)?;
    Ok(Plane { trees: 1, leafs, leaf, placing, upper })
}

/// The layers above, of as few tiers as serve or of as many as asked for.
fn size_upper_tiers(
    request: &Request<'_>,
    radix: u32,
    endpoints: u64,
    leafs: u64,
    uplinks: u32,
) -> Result<UpperTiers, FabricProblem> {
    // Switches are joined by links of several ports, so they have that many fewer of them.
    let links = radix / request.ports_per_uplink.max(1);
    let (least, most) = request.tiers.map_or((2, MOST_TIERS), |tiers| (tiers, tiers));
    let found = (least..=most)
        .find_map(|tiers| match tiers {
            2 => two_tiers(leafs, uplinks, links, request.spine_reserve),
            3 => three_tiers(leafs, uplinks, links, links, request.above_leafs[0]),
            4 => four_tiers(leafs, uplinks, links, request.above_leafs),
            _ => None,
        })
        .ok_or(FabricProblem::TooManyEndpoints { endpoints, radix, tiers: most })?;
    if request.spine_reserve > 0 && found.cores > 0 {
        let reason = "links of spines are kept in a tree of two tiers only: this one has cores";
        return Err(FabricProblem::NoSuchSize { reason });
    }
    Ok(found)
}

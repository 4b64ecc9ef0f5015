//! Counts of Clos, rail-optimized and rail-only trees; plan of one plane.
//!
//! Counts of trees in closed form: Clos, rail-optimized and rail-only, of one to four tiers.
//!
//! The rules are docs/equations.md §7; `graph` wires the same fabrics link by link and is
//! the check on them. No price decides anything here: what is counted is what was asked for.

use super::pods::UpperTiers;
use super::request::{LeafPorts, MOST_TIERS};
use super::upper_tiers::{four_tiers, three_tiers, two_tiers};
use super::{
    Counts, FabricProblem, LinkClass, LinkGroup, Medium, Occupancy, Ratio, Request, SwitchTier,
    TierName,
};

/// Switches and links of a tree.
///
/// - One tier: a switch holds ⌊k / n⌋ rails of n endpoints, or everything where it is joined.
/// - More: L leafs of d ports down and u links up; L = rails · ⌈n / d⌉ where a leaf serves one
///   rail (several whole rails where they fit), ⌈N / d⌉ where it does not matter.
/// - Two tiers: q spines, the least divisor of u with q · k ≥ L · u.
/// - Three: pods of p leafs and s spines (s divides u; half of a spine's ports lead up, or fewer
///   where spines are oversubscribed), the last one smaller; cores for all links up. Four: the
///   same once more.
/// - The fewest tiers that serve, or as many as asked for.
/// - A partly filled leaf has all its uplinks, so that the fabric can grow into its free ports.
///
/// # Errors
/// Whatever makes the request impossible: see [`FabricProblem`].
pub fn tree_counts(request: &Request<'_>) -> Result<Counts, FabricProblem> {
    let radix = request.checked_switch_radix()?;
    let plane = Plane::from_request(request, radix)?;
    let upper = plane.upper;
    let width = u64::from(request.ports_per_uplink.max(1));
    let hosts = request.endpoints + request.extra_ports;
    let leafs = plane.trees * plane.leafs;
    let uplinks = leafs * u64::from(plane.leaf.uplinks);
    let below_cores = plane.trees * upper.spine_core;
    let below_super_cores = plane.trees * upper.core_super_core;
    let split = |above: u64, share: Ratio| {
        let down = share.downlinks_of(radix);
        if above > 0 { (down, share.ceil_times(down.into()) as u32) } else { (radix, 0) }
    };
    let layer = |name, per_plane: u64, (down, up), ports: u64| SwitchTier {
        name,
        model: request.switch_model().to_owned(),
        radix,
        count: per_plane * u64::from(request.planes),
        down,
        up,
        ports_used: ports * u64::from(request.planes),
    };
    let spines = plane.trees * upper.spines;
    let cores = plane.trees * upper.cores;
    let super_cores = plane.trees * upper.super_cores;
    let core_links = (below_cores + below_super_cores) * width;
    let mut tiers = vec![
        layer(TierName::Leaf, leafs, (plane.leaf.down, plane.leaf.up), hosts + uplinks * width),
        layer(
            TierName::Spine,
            spines,
            split(cores, upper.shares[0]),
            (uplinks + below_cores) * width,
        ),
        layer(TierName::Core, cores, split(super_cores, upper.shares[1]), core_links),
        layer(TierName::SuperCore, super_cores, (radix, 0), below_super_cores * width),
    ];
    tiers.retain(|tier| tier.count > 0);
    let planes = u64::from(request.planes);
    let uplink = request.link * width as f64;
    let top = LinkGroup {
        class: LinkClass::CoreSuperCore,
        count: below_super_cores * planes,
        rate: uplink,
        medium: Medium::Optical,
    };
    let (within, across) = promised_bandwidth_shares(request, &plane);
    Ok(Counts {
        kind: request.kind,
        planes: request.planes,
        rails: request.rails,
        endpoints: request.endpoints,
        link: request.link,
        uplink,
        tiers,
        host_links: hosts * planes,
        host_medium: Medium::Optical,
        leaf_spine_links: uplinks * planes,
        spine_core_links: below_cores * planes,
        other_links: if top.count > 0 { vec![top] } else { Vec::new() },
        within_rail: within,
        across_rails: across,
        leaf_domains: plane.leaf_domains(request.rails),
        occupancy: occupancy_of_plane(request, &plane),
    })
}

/// The links of each switch; `None` where hosts besides the endpoints take ports.
fn occupancy_of_plane(request: &Request<'_>, plane: &Plane) -> Option<Occupancy> {
    if request.extra_ports > 0 {
        return None;
    }
    let mut occupancy = Occupancy::default();
    let (leafs, uplinks) = (plane.trees * plane.leafs, plane.leaf.uplinks);
    let rails = u64::from(request.rails.max(1));
    let (count, down, endpoints, times) = match plane.placing {
        EndpointPlacing::WholeRails(each) => {
            (leafs, each * request.endpoints.div_ceil(rails), request.endpoints, 1)
        }
        EndpointPlacing::RailParts(each) => {
            (each, plane.leaf.down.into(), request.endpoints.div_ceil(rails), rails)
        }
        EndpointPlacing::InOrder => (leafs, plane.leaf.down.into(), request.endpoints, 1),
    };
    let mut below = Occupancy::default();
    below.add_leafs(count, down, endpoints, uplinks.into());
    occupancy.add(&below, times);
    let mut above = Occupancy::default();
    plane.upper.add_links_of_tiers(&mut above, plane.leafs, uplinks);
    occupancy.add(&above, plane.trees);
    let mut all = Occupancy::default();
    all.add(&occupancy, request.planes.into());
    Some(all)
}

/// Bandwidth within a rail (ρ) and across rails (σ) that the fabric has for each endpoint.
fn promised_bandwidth_shares(request: &Request<'_>, plane: &Plane) -> (f64, f64) {
    let leaf = if plane.leaf.uplinks == 0 {
        Ratio::ONE
    } else {
        Ratio::uplinks_per_downlink(plane.leaf.up, plane.leaf.down)
    };
    // Every layer takes its part of what the one below lets through, at worst.
    let share = leaf.to_f64() * plane.upper.uplink_share();
    let across = if request.kind.joins_rails() { share } else { 0.0 };
    // Where a leaf holds whole rails, no message along a rail leaves it.
    let within = if plane.leaf_domains(request.rails).is_none() { 1.0 } else { share };
    (within, across)
}

/// One plane: one or more trees that nothing joins, all alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Plane {
    pub(super) trees: u64,
    pub(super) leafs: u64,
    /// Ports of a leaf; no uplinks where there is one tier.
    pub(super) leaf: LeafPorts,
    /// Which endpoint goes where.
    placing: EndpointPlacing,
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
        if request.kind.joins_rails() {
            single_tree_plane(request, radix)
        } else {
            separate_rails(request, radix)
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

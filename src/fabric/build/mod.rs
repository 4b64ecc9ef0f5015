//! Complete builds of a rail: the columns of the integer program. Each is one way to join the
//! endpoints of a rail (or of several rails on one switch), counted to the last port.
//!
//! Every ratio, ceiling, divisor and product of two choices is settled here, so that a solver
//! only adds up. Nothing is priced, so nothing is dropped for its price: a build goes only where
//! another one needs no more of every model and no more links.

mod assemble;
mod bounds;
mod ceiling;
mod dominance;
mod effort;
mod front;
mod leaf;
mod one_tier;
mod partial;
mod seats;
mod spine;
mod three_tiers;
mod tree;
mod two_tiers;
mod worth;

pub use assemble::Assembly;
pub use ceiling::{Ceiling, Scale};
pub use effort::Effort;
pub use one_tier::{joined_switches, shared_switches};
pub use spine::{SpineOption, spine_options, spine_options_within};
pub use tree::{Filling, TreeRequest, tree_builds, tree_builds_within, tree_may_be, widest_at};
pub use worth::Worth;

use super::{Ratio, TierName};
use leaf::LeafShape;

/// A switch model as the generator sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sku {
    /// Name in the catalogue.
    pub name: String,
    /// Ports at the rate of a link; a model without any is left out of all builds.
    pub radix: u32,
}

/// What a rail has to do.
#[derive(Clone, Copy, Debug)]
pub struct RailRequest<'a> {
    /// Endpoints n of one rail in one plane.
    pub endpoints: u64,
    /// Models to build from.
    pub skus: &'a [Sku],
    /// Least uplinks per downlink between the leafs of a rail (ρ); [`Ratio::ONE`] never blocks.
    pub within: Ratio,
    /// Least uplinks per downlink to a spine across rails (σ); [`Ratio::ZERO`] for none.
    pub across: Ratio,
    /// Most different models in one build.
    pub models_per_rail: Option<u32>,
}

/// Alike switches of a build.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layer {
    /// Layer.
    pub tier: TierName,
    /// Index into the models of the request.
    pub sku: usize,
    /// Switches.
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
    pub layers: Vec<Layer>,
    /// Links to endpoints.
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
    pub const fn links(&self) -> u64 {
        self.host_links + self.leaf_spine_links + self.spine_core_links + self.across_links
    }

    /// Leafs, each with the ports that it has towards a spine across rails.
    pub fn across_ports(&self) -> impl Iterator<Item = (u64, u32)> + '_ {
        let leafs = self.layers.iter().filter(|layer| layer.tier == TierName::Leaf);
        leafs.map(|layer| (layer.count, layer.across))
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

/// Every build of a rail that no other one makes needless, in an order that depends on the
/// request alone: by rails served, then by ports across rails, then by links.
///
/// Rails on one switch; leafs of one or two models, in any shapes that keep the ratio, below spines
/// of any one model; three tiers of one model each. Builds with a spine across rails have leafs of
/// one shape. Empty where no endpoints or no models of 2 to 4,096 ports are given, or where a rail
/// would need four tiers.
#[must_use]
pub fn rail_builds(request: &RailRequest<'_>) -> Vec<Build> {
    rail_builds_below(request, &Ceiling::default())
}

/// The builds of [`rail_builds`] without those of several tiers that are too heavy for a ceiling;
/// most of them are then never made. Builds of one tier all stay, but where nothing but weight
/// speaks for a switch.
#[must_use]
pub fn rail_builds_below(request: &RailRequest<'_>, ceiling: &Ceiling) -> Vec<Build> {
    rail_builds_within(request, ceiling, &mut Effort::endless())
}

/// Likewise, as far as an effort goes: where it ends, some builds may be left out, and
/// [`Effort::is_spent`] tells.
#[must_use]
pub fn rail_builds_within(
    request: &RailRequest<'_>,
    ceiling: &Ceiling,
    effort: &mut Effort,
) -> Vec<Build> {
    if request.endpoints == 0 || request.endpoints > MOST_ENDPOINTS {
        return Vec::new();
    }
    let skus = usable(request.skus);
    let request = &RailRequest { skus: &skus, ..*request };
    let worth = Worth::new(&skus, ceiling, request.models_per_rail);
    let mut builds = one_tier::builds(request, ceiling, &worth, effort);
    if ceiling.admits(|scale| least_of_several_tiers(request, scale)) {
        if request.across > Ratio::ZERO {
            builds.extend(partial::builds(request, ceiling, &worth, effort));
        } else {
            let widest: Vec<Vec<u32>> =
                skus.iter().map(|sku| widest_at(request.within, sku.radix)).collect();
            let tree = TreeRequest {
                rails: 1,
                endpoints: request.endpoints,
                filling: Filling::OneRail,
                skus: &skus,
                widest: &widest,
                models: request.models_per_rail,
            };
            builds.extend(tree_builds_within(&tree, ceiling, effort));
        }
    }
    if let Some(most) = request.models_per_rail {
        builds.retain(|build| models(build) <= most as usize);
    }
    match ceiling.only_scale() {
        Some(scale) => dominance::lightest(builds, scale),
        None => dominance::undominated(builds, request.skus.len()),
    }
}

/// The models whose ports can be counted; the others have none.
fn usable(skus: &[Sku]) -> Vec<Sku> {
    let usable = |sku: &Sku| Sku {
        name: sku.name.clone(),
        radix: if sku.radix > MOST_PORTS { 0 } else { sku.radix },
    };
    skus.iter().map(usable).collect()
}

/// A weight that no build of several tiers stays below: two leafs and a spine, or leafs for all
/// endpoints, and the uplinks that the level asks for.
fn least_of_several_tiers(request: &RailRequest<'_>, scale: &Scale) -> f64 {
    let endpoints = request.endpoints as f64;
    let lightest = scale.lightest(request.skus.len());
    let widest = request.skus.iter().map(|sku| sku.radix).max().unwrap_or(0).max(1);
    let leafs = (endpoints / f64::from(widest)).max(2.0);
    endpoints * scale.link * (1.0 + request.within.as_f64()) + (leafs + 1.0) * lightest
}

/// The divisions (down, up) of a switch's ports that a level of oversubscription can have:
/// `up` from none to half the ports.
pub fn levels(radix: u32) -> impl Iterator<Item = (u32, u32)> {
    (0..=radix / 2).map(move |up| (radix - up, up))
}

/// A tree of given leafs and given switches above them.
fn assembled(
    request: &TreeRequest<'_>,
    leafs: &[(usize, u64, LeafShape)],
    above: Vec<Layer>,
    spine_core_links: u64,
) -> Build {
    let mut left = request.host_links();
    let mut layers = Vec::with_capacity(leafs.len() + above.len());
    for (sku, count, LeafShape { down, up, across }) in leafs {
        let hosts = left.min(count * u64::from(*down));
        left -= hosts;
        layers.push(Layer {
            tier: TierName::Leaf,
            sku: *sku,
            count: *count,
            down: *down,
            up: *up,
            across: *across,
            ports_used: hosts + count * u64::from(up + across),
        });
    }
    layers.extend(above);
    let uplinks = leafs.iter().map(|(_, count, shape)| count * u64::from(shape.up)).sum();
    let narrowest = leafs.iter().map(|(_, _, shape)| shape.down).min().unwrap_or(0);
    let own = match request.filling {
        Filling::OneRail => u64::from(narrowest),
        Filling::WholeRails => request.endpoints,
        Filling::InOrder => u64::from((narrowest / request.rails.max(1)).max(1)),
    };
    let ratios = leafs.iter().map(|(_, _, of)| Ratio::uplinks_per_downlink(of.up, of.down));
    let within = ratios.min().unwrap_or(Ratio::ONE);
    Build {
        rails: request.rails,
        filling: request.filling,
        layers,
        host_links: request.host_links(),
        leaf_spine_links: uplinks,
        spine_core_links,
        across_links: 0,
        leaf_endpoints: request.endpoints.min(own) as u32,
        within: if request.filling == Filling::WholeRails { Ratio::ONE } else { within },
        across: match request.filling {
            Filling::OneRail if request.rails == 1 => Ratio::ZERO,
            _ => within,
        },
    }
}

/// Most endpoints of a rail; beyond any cluster, and low enough that no count overflows.
const MOST_ENDPOINTS: u64 = 1 << 32;
/// Most ports of a model; larger than any switch at any rate, small enough to try every stripe.
const MOST_PORTS: u32 = 4096;

/// Different models of a build.
fn models(build: &Build) -> usize {
    let mut skus: Vec<usize> = build.layers.iter().map(|layer| layer.sku).collect();
    skus.sort_unstable();
    skus.dedup();
    skus.len()
}

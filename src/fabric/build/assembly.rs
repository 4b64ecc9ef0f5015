//! `Assembly`, `SpineOption`: from builds to the counts of a fabric; which endpoint goes to which
//! leaf.

use super::{Build, BuildEffort, BuildLayer, Filling, ModelWorth, SwitchModel, WeightCeiling};
use crate::fabric::ratio::{ascending_divisors, greatest_common_divisor};
use crate::fabric::upper_tiers::three_tiers;
use crate::fabric::{Counts, FabricKind, Medium, Ratio, SwitchTier, TierName};
use crate::units::Bandwidth;

/// A fabric put together from builds.
#[derive(Clone, Copy, Debug)]
pub struct Assembly<'a> {
    pub rails: u32,
    /// NICs of the cluster; each has one port in every plane.
    pub endpoints: u64,
    /// Separate copies of the fabric.
    pub planes: u32,
    /// Rate of a link to an endpoint, and so of a port.
    pub link: Bandwidth,
    /// Ports that a link between switches takes at either end.
    pub width: u32,
    /// The models that builds point to.
    pub skus: &'a [SwitchModel],
    /// Builds with how many of each, over all planes: together they serve at least
    /// `rails · planes` rails.
    pub builds: &'a [(&'a Build, u64)],
    /// What joins the rails, over all planes: the option and how many of it.
    pub spine: Option<(&'a SpineOption, u64)>,
}

impl Assembly<'_> {
    /// Counts of the whole. Alike layers of different builds become one tier; leafs that serve
    /// fewer rails than they could have free ports, not more links.
    #[must_use]
    pub fn assembly_counts(&self) -> Counts {
        let host_links = self.endpoints * u64::from(self.planes);
        let sum = |links: fn(&Build) -> u64| -> u64 {
            self.builds.iter().map(|(build, count)| links(build) * count).sum()
        };
        let least = |ratio: fn(&Build) -> Ratio, empty: Ratio| {
            self.builds.iter().map(|(build, _)| ratio(build)).min().unwrap_or(empty)
        };
        let mut tiers: Vec<SwitchTier> = Vec::new();
        for (build, count) in self.builds {
            build.layers.iter().for_each(|layer| self.add(&mut tiers, layer, *count));
        }
        if let Some((spine, count)) = self.spine {
            spine.layers.iter().for_each(|layer| self.add(&mut tiers, layer, count));
        }
        tiers.sort_by(|a, b| (a.name, &a.model).cmp(&(b.name, &b.model)));
        free_unused(&mut tiers, sum(|build| build.host_links).saturating_sub(host_links));
        let within = least(|build| build.within, Ratio::ONE);
        let across = if self.has_joined_rails() {
            least(|build| build.across, Ratio::ZERO)
        } else {
            Ratio::ZERO
        };
        let spine_cores = self.spine.map_or(0, |(spine, count)| spine.spine_core_links * count);
        let bordered = self.builds.iter().filter(|(build, _)| build.has_borders());
        Counts {
            kind: self.fabric_kind(),
            planes: self.planes,
            rails: self.rails,
            endpoints: self.endpoints,
            link: self.link,
            uplink: self.link * f64::from(self.width.max(1)),
            tiers,
            host_links,
            host_medium: Medium::Optical,
            leaf_spine_links: sum(|build| build.leaf_spine_links + build.across_links),
            spine_core_links: sum(|build| build.spine_core_links) + spine_cores,
            other_links: Vec::new(),
            within_rail: within.to_f64(),
            across_rails: across.to_f64(),
            leaf_domains: bordered.map(|(build, _)| build.leaf_endpoints).min(),
            occupancy: Some(self.occupancy()),
        }
    }

    /// True where every rail has a way to every other one.
    fn has_joined_rails(&self) -> bool {
        let whole = |build: &Build| build.joins_rails() && build.rails >= self.rails;
        self.spine.is_some() || self.builds.iter().all(|(build, _)| whole(build))
    }

    fn fabric_kind(&self) -> FabricKind {
        let mixed = |build: &Build| build.filling == Filling::InOrder;
        if !self.has_joined_rails() {
            FabricKind::RailOnly
        } else if self.builds.iter().any(|(build, _)| mixed(build)) {
            FabricKind::Clos
        } else {
            FabricKind::RailOptimized
        }
    }

    fn add(&self, tiers: &mut Vec<SwitchTier>, layer: &BuildLayer, times: u64) {
        let sku = &self.skus[layer.sku];
        let up = layer.up + layer.across;
        let alike = tiers.iter_mut().find(|tier| {
            (tier.name, tier.model.as_str(), tier.down, tier.up)
                == (layer.tier, sku.name.as_str(), layer.down, up)
        });
        match alike {
            Some(tier) => {
                tier.count += layer.count * times;
                tier.ports_used += layer.ports_used * times;
            }
            None if times == 0 => {}
            None => tiers.push(SwitchTier {
                name: layer.tier,
                model: sku.name.clone(),
                radix: sku.radix,
                count: layer.count * times,
                down: layer.down,
                up,
                ports_used: layer.ports_used * times,
            }),
        }
    }
}

/// Takes ports that no endpoint needs off the last leafs.
fn free_unused(tiers: &mut [SwitchTier], mut ports: u64) {
    for tier in tiers.iter_mut().rev().filter(|tier| tier.name == TierName::Leaf) {
        let freed = ports.min(tier.ports_used);
        tier.ports_used -= freed;
        ports -= freed;
    }
}

/// One way to build a spine across rails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpineOption {
    /// Its switches, lowest layer first.
    pub layers: Vec<BuildLayer>,
    /// Links between its two layers; none where it has one.
    pub spine_core_links: u64,
}

impl SpineOption {
    /// Switches of one model.
    #[must_use]
    pub fn switches_of(&self, sku: usize) -> u64 {
        self.layers.iter().filter(|layer| layer.sku == sku).map(|layer| layer.count).sum()
    }
}

/// The ways to join leafs, given as (leafs, ports of each towards the spine): one layer of q
/// spines of one model, where q divides the ports of every leaf and is the least with enough
/// ports; or two layers, where one layer has too few ports and all leafs have as many uplinks.
/// In the order of the models. Empty where no leaf has a port for it.
#[must_use]
pub fn spine_options(leafs: &[(u64, u32)], skus: &[SwitchModel]) -> Vec<SpineOption> {
    let worth = ModelWorth::new(skus, &WeightCeiling::default(), None);
    spine_options_within(leafs, skus, &worth, &mut BuildEffort::with_unlimited_steps(), |_, _| true)
}

/// Those of [`spine_options`] whose one layer is of models that are worth it, and whose needs are
/// admitted: switches of each model and links between two layers, of which the first call for a
/// model tells but what two layers need at least. As far as an effort goes.
#[must_use]
pub fn spine_options_within(
    leafs: &[(u64, u32)],
    skus: &[SwitchModel],
    worth: &ModelWorth,
    effort: &mut BuildEffort,
    admits: impl Fn(&[(usize, u64)], u64) -> bool,
) -> Vec<SpineOption> {
    let links: u64 = leafs.iter().map(|(count, ports)| count * u64::from(*ports)).sum();
    let stripe = leafs.iter().fold(0, |common, (_, ports)| greatest_common_divisor(common, *ports));
    if links == 0 {
        return Vec::new();
    }
    let alike = leafs.iter().all(|(_, ports)| *ports == stripe);
    let count = leafs.iter().map(|(count, _)| count).sum();
    let counts = ascending_divisors(stripe);
    let mut options = Vec::new();
    for (sku, model) in skus.iter().enumerate() {
        if !effort.has_spent_steps(1) {
            return options;
        }
        let enough = |count: &&u32| u64::from(**count) * u64::from(model.radix) >= links;
        if let Some(count) = counts.iter().find(enough).copied() {
            let needs = [(sku, u64::from(count))];
            if worth.is_worth_ports(sku, links.div_ceil(count.into())) && admits(&needs, 0) {
                let ports = (model.radix, 0);
                let layers = vec![spine_layer(
                    TierName::Spine,
                    sku,
                    u64::from(count),
                    ports.0,
                    ports.1,
                    links,
                )];
                options.push(SpineOption { layers, spine_core_links: 0 });
            }
            continue;
        }
        let half = model.radix / 2;
        let least = links.div_ceil(u64::from(half.max(1)));
        if !alike || !admits(&[(sku, least)], links) {
            continue;
        }
        for (core, core_model) in skus.iter().enumerate() {
            if !effort.has_spent_steps(stripe.into()) {
                return options;
            }
            if let Some(upper) =
                three_tiers(count, stripe, model.radix, core_model.radix, Ratio::ONE)
                && admits(&[(sku, upper.spines), (core, upper.cores)], links)
            {
                let (up, ports) = (upper.spine_core, (core_model.radix, 0));
                let spine = spine_layer(TierName::Spine, sku, upper.spines, half, half, links + up);
                let core = spine_layer(TierName::Core, core, upper.cores, ports.0, ports.1, up);
                options.push(SpineOption { layers: vec![spine, core], spine_core_links: up });
            }
        }
    }
    options
}

/// Alike switches of a spine.
const fn spine_layer(
    tier: TierName,
    sku: usize,
    count: u64,
    down: u32,
    up: u32,
    ports_used: u64,
) -> BuildLayer {
    BuildLayer { tier, sku, count, down, up, across: 0, ports_used }
}

/// Seats the endpoints of the rails that a build serves, given as (leaf, its layer) from the first
/// leaf on: rail by rail on leafs of their own, rail by rail on leafs that hold whole ones, or
/// domain by domain.
/// `host` is told of the number of each endpoint and of its leaf.
pub(in crate::fabric) fn seat_endpoints<L: Copy>(
    assembly: &Assembly<'_>,
    build: &Build,
    leafs: &[(L, &BuildLayer)],
    rails: &[u64],
    mut host: impl FnMut(u64, L),
) {
    let every = assembly.rails.max(1) as usize;
    let of_rail = |rail: u64| (rail..assembly.endpoints).step_by(every);
    match build.filling {
        Filling::OneRail => {
            for (part, rail) in rails.iter().enumerate() {
                let own = own_leafs(build, leafs, part);
                of_rail(*rail)
                    .zip(leaf_of_each_port(&own))
                    .for_each(|(order, leaf)| host(order, leaf));
            }
        }
        Filling::WholeRails => {
            let mut seats = leaf_of_each_port(leafs);
            let each = build.host_links / u64::from(build.rails.max(1));
            for rail in rails {
                // Rails differ by one endpoint at most; a leaf has room for the larger ones.
                let taken = seats.by_ref().take(each as usize).collect::<Vec<L>>();
                of_rail(*rail).zip(taken).for_each(|(order, leaf)| host(order, leaf));
            }
        }
        Filling::InOrder => {
            let domains = assembly.endpoints.div_ceil(every as u64);
            let orders = (0..domains)
                .flat_map(|domain| rails.iter().map(move |rail| domain * every as u64 + rail))
                .filter(|order| *order < assembly.endpoints);
            orders.zip(leaf_of_each_port(leafs)).for_each(|(order, leaf)| host(order, leaf));
        }
    }
}

/// A leaf for each of its ports towards endpoints.
fn leaf_of_each_port<'l, L: Copy>(
    leafs: &'l [(L, &BuildLayer)],
) -> impl Iterator<Item = L> + use<'l, L> {
    leafs.iter().flat_map(|(leaf, layer)| std::iter::repeat_n(*leaf, layer.down as usize))
}

/// The leafs of one rail of a tree whose rails have leafs of their own: its part of each layer.
fn own_leafs<'b, L: Copy>(
    build: &Build,
    leafs: &[(L, &'b BuildLayer)],
    part: usize,
) -> Vec<(L, &'b BuildLayer)> {
    let mut own = Vec::new();
    let mut first = 0;
    for layer in build.layers.iter().filter(|layer| layer.tier == TierName::Leaf) {
        let each = (layer.count / u64::from(build.rails.max(1))) as usize;
        own.extend_from_slice(&leafs[first + part * each..first + (part + 1) * each]);
        first += layer.count as usize;
    }
    own
}

#[cfg(test)]
mod tests {
    use super::spine_options;
    use crate::fabric::build::build::SwitchModel;

    #[test]
    fn the_spines_divide_the_ports_of_every_leaf() {
        let skus = [
            SwitchModel { name: "k128".into(), radix: 128 },
            SwitchModel { name: "k64".into(), radix: 64 },
        ];
        // 57 racks of 72: two rails share a 128-port leaf, 14 of whose ports are left over.
        let options = spine_options(&[(36, 14)], &skus);
        let counts: Vec<u64> = options.iter().map(|o| o.layers[0].count).collect();
        assert_eq!(counts, [7, 14]);
        let mixed = spine_options(&[(30, 12), (4, 8)], &skus);
        assert_eq!(mixed[0].layers[0].count, 4);
        assert!(spine_options(&[(30, 0)], &skus).is_empty());
    }

    #[test]
    fn many_leafs_take_two_layers() {
        let skus = [SwitchModel { name: "k64".into(), radix: 64 }];
        let options = spine_options(&[(2048, 32)], &skus);
        assert_eq!((options[0].switches_of(0), options[0].spine_core_links), (3072, 65_536));
    }
}

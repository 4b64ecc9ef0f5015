//! From many builds to the counts of one fabric.

use super::{Build, BuildLayer, Filling, SpineOption, SwitchModel};
use crate::fabric::{Counts, FabricKind, Medium, Ratio, SwitchTier, TierName};
use crate::units::Bandwidth;

/// A fabric put together from builds.
#[derive(Clone, Copy, Debug)]
pub struct Assembly<'a> {
    /// Rails of the cluster.
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
        let across = match self.has_joined_rails() {
            true => least(|build| build.across, Ratio::ZERO),
            false => Ratio::ZERO,
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

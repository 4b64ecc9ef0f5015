//! The links of builds, switch by switch, as they are wired.

use super::{Assembly, Build, BuildLayer, Filling, SpineOption, SwitchModel};
use crate::fabric::occupancy::Occupancy;
use crate::fabric::pods::UpperTiers;
use crate::fabric::upper_tiers::three_tiers;
use crate::fabric::{Ratio, TierName};

impl Build {
    /// The links of its switches, without the far ends of those to a spine across rails. `width`
    /// ports make a link between switches; `rails` of its rails have endpoints.
    #[must_use]
    pub fn occupancy(&self, skus: &[SwitchModel], width: u32, rails: u32) -> Occupancy {
        let mut this_occupancy = Occupancy::default();
        let width = width.max(1);
        let of_rail = self.host_links / u64::from(self.rails.max(1));
        let (parts, served) = match self.filling {
            Filling::OneRail => (u64::from(self.rails.max(1)), u64::from(rails)),
            Filling::WholeRails | Filling::InOrder => (1, 1),
        };
        let all = if parts > 1 || self.filling == Filling::OneRail {
            of_rail
        } else {
            of_rail * u64::from(rails)
        };
        for part in 0..parts {
            let mut left = if part < served { all } else { 0 };
            for layer in self.leaf_layers() {
                let leafs = layer.count / parts;
                let hosts = left.min(leafs * u64::from(layer.down));
                left -= hosts;
                let uplinks = u64::from(layer.up / width + layer.across / width);
                this_occupancy.add_leafs(leafs, layer.down.into(), hosts, uplinks);
            }
        }
        let above = |tier| self.layers.iter().find(|layer| layer.tier == tier);
        match (above(TierName::Spine), above(TierName::Core)) {
            (Some(spine), Some(core)) => {
                let leafs = self.leaf_layers().map(|layer| layer.count).sum();
                let up = self.leaf_layers().next().map_or(0, |layer| layer.up / width);
                if let Some(upper) =
                    add_links_of_upper_layers(skus, width, leafs, up, [spine, core])
                {
                    upper.add_links_of_tiers(&mut this_occupancy, leafs, up);
                }
            }
            (Some(spine), None) => {
                let leafs = self.leaf_layers().map(|layer| (layer.count, layer.up / width));
                add_striped_links(&mut this_occupancy, leafs, spine.count);
            }
            _ => {}
        }
        this_occupancy
    }

    fn leaf_layers(&self) -> impl Iterator<Item = &BuildLayer> {
        self.layers.iter().filter(|layer| layer.tier == TierName::Leaf)
    }
}

impl SpineOption {
    /// The links of its switches, and those that join it to leafs, given as (how many, ports of
    /// each).
    #[must_use]
    pub fn occupancy(&self, skus: &[SwitchModel], width: u32, leafs: &[(u64, u32)]) -> Occupancy {
        let mut this_occupancy = Occupancy::default();
        let width = width.max(1);
        match &self.layers[..] {
            [only] => {
                let leafs = leafs.iter().map(|(count, ports)| (*count, ports / width));
                add_striped_links(&mut this_occupancy, leafs, only.count);
            }
            [spine, core] => {
                let count = leafs.iter().map(|(count, _)| count).sum();
                let up = leafs.first().map_or(0, |(_, ports)| ports / width);
                if let Some(upper) =
                    add_links_of_upper_layers(skus, width, count, up, [spine, core])
                {
                    upper.add_links_of_tiers(&mut this_occupancy, count, up);
                }
            }
            _ => {}
        }
        this_occupancy
    }
}

impl Assembly<'_> {
    /// The links of all switches.
    pub(super) fn occupancy(&self) -> Occupancy {
        let mut all = Occupancy::default();
        let mut left = u64::from(self.rails) * u64::from(self.planes);
        for (build, times) in self.builds {
            let rails = u64::from(build.rails.max(1));
            let full = (left / rails).min(*times);
            all.add(&build.occupancy(self.skus, self.width, build.rails), full);
            left -= full * rails;
            if full < *times {
                // The last of them serves fewer rails than it could.
                all.add(&build.occupancy(self.skus, self.width, left as u32), 1);
                left = 0;
                all.add(&build.occupancy(self.skus, self.width, 0), times - full - 1);
            }
        }
        if let Some((spine, times)) = self.spine.filter(|(_, times)| *times > 0) {
            let leafs = |(build, copies): &(&Build, u64)| {
                let copies = copies / times;
                let leafs = build.across_ports().filter(|(_, ports)| *ports > 0);
                leafs.map(|(count, ports)| (count * copies, ports)).collect::<Vec<_>>()
            };
            let leafs: Vec<(u64, u32)> = self.builds.iter().flat_map(leafs).collect();
            all.add(&spine.occupancy(self.skus, self.width, &leafs), times);
        }
        all
    }
}

/// Leafs, given as (how many, uplinks of each), below so many spines, each with as many links to
/// every one.
fn add_striped_links(
    occupancy: &mut Occupancy,
    leafs: impl Iterator<Item = (u64, u32)>,
    spines: u64,
) {
    let mut each = 0;
    for (count, uplinks) in leafs {
        let links = u64::from(uplinks).checked_div(spines).unwrap_or(0);
        occupancy.add_trunks(count * spines, links);
        each += count * links;
    }
    occupancy.add_switches(spines, 0, each);
}

/// The two layers above so many leafs with so many uplinks each.
fn add_links_of_upper_layers(
    skus: &[SwitchModel],
    width: u32,
    leafs: u64,
    uplinks: u32,
    [spine, core]: [&BuildLayer; 2],
) -> Option<UpperTiers> {
    let radix = [spine.down + spine.up, skus[core.sku].radix].map(|ports| ports / width);
    three_tiers(leafs, uplinks, radix[0], radix[1], Ratio::ONE)
}

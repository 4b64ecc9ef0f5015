//! One layer of alike switches, joined among each other: what these fabrics have in common.

use crate::fabric::{Counts, FabricKind, LinkGroup, Medium, Request, SwitchTier, TierName};
use crate::units::Bandwidth;

/// What links inside a group or between rows are made of.
pub(super) const fn local_medium(request: &Request<'_>) -> Medium {
    if request.all_optical { Medium::Optical } else { Medium::Copper }
}

/// What these fabrics have in common: one layer of alike anonymous switches.
pub(super) struct SwitchLayer {
    pub(super) kind: FabricKind,
    pub(super) endpoints: u64,
    pub(super) rails: u32,
    pub(super) link: Bandwidth,
    pub(super) switches: u64,
    /// Ports of a switch, those towards endpoints among them.
    pub(super) radix: u32,
    pub(super) down: u32,
    pub(super) host_links: u64,
    pub(super) host_medium: Medium,
    pub(super) other_links: Vec<LinkGroup>,
}

impl SwitchLayer {
    /// Counts, with both ends of every link between switches at a port. `across` is what any
    /// two halves of the endpoints have between them at worst, over their NIC bandwidth.
    pub(super) fn into_counts(self, across: f64) -> Counts {
        let between: u64 = self.other_links.iter().map(|group| group.count).sum();
        let tier = SwitchTier {
            name: TierName::Leaf,
            model: String::new(),
            radix: self.radix,
            count: self.switches,
            down: self.down,
            // Links to other switches, which stand for those to a layer above.
            up: (2 * between).div_ceil(self.switches.max(1)) as u32,
            ports_used: self.host_links + 2 * between,
        };
        let tiers = if self.switches > 0 { vec![tier] } else { Vec::new() };
        Counts {
            kind: self.kind,
            planes: 1,
            rails: self.rails,
            endpoints: self.endpoints,
            link: self.link,
            uplink: self.link,
            tiers,
            host_links: self.host_links,
            host_medium: self.host_medium,
            leaf_spine_links: 0,
            spine_core_links: 0,
            other_links: self.other_links.into_iter().filter(|group| group.count > 0).collect(),
            within_rail: across,
            across_rails: across,
            leaf_domains: None,
            occupancy: None,
        }
    }
}

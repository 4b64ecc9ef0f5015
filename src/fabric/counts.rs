//! The counts of one complete fabric, as they are bought. Counts come in finished: the rules
//! that make them are in the modules beside this one.

use super::{FabricKind, Occupancy, TierName};
use crate::units::Bandwidth;

/// Alike switches of one layer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SwitchTier {
    pub name: TierName,
    /// Model in the catalogue; empty in a fabric of anonymous switches.
    pub model: String,
    /// Ports k of one switch at the link rate.
    pub radix: u32,
    pub count: u64,
    /// Ports towards endpoints that each has, used or not.
    pub down: u32,
    /// Ports towards the layer above that each uses.
    pub up: u32,
    /// Ports in use over all of them.
    pub ports_used: u64,
}

impl SwitchTier {
    /// Ports that no link takes, over all switches.
    #[must_use]
    pub fn ports_free(&self) -> u64 {
        (self.count * u64::from(self.radix)).saturating_sub(self.ports_used)
    }
}

/// What a link is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Medium {
    /// Fibre with a transceiver at each end.
    Optical,
    /// A copper cable; it needs no transceivers.
    Copper,
}

/// What a link joins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LinkClass {
    /// A NIC, or another host, and a switch.
    Host,
    /// Leafs and spines.
    LeafSpine,
    /// Spines and cores.
    SpineCore,
    /// Cores and super-cores of a tree with four tiers.
    CoreSuperCore,
    /// Switches of one group, row or board.
    Local,
    /// Switches of different groups.
    Global,
    /// Endpoints to endpoints, without a switch.
    Direct,
}

impl LinkClass {
    /// All of them, nearest to the NICs first.
    pub const ALL: [Self; 7] = [
        Self::Host,
        Self::LeafSpine,
        Self::SpineCore,
        Self::CoreSuperCore,
        Self::Local,
        Self::Global,
        Self::Direct,
    ];

    /// Name in reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Host => "nic-leaf",
            Self::LeafSpine => "leaf-spine",
            Self::SpineCore => "spine-core",
            Self::CoreSuperCore => "core-super-core",
            Self::Local => "local",
            Self::Global => "global",
            Self::Direct => "direct",
        }
    }
}

/// Alike links.
#[derive(Clone, Debug, PartialEq)]
pub struct LinkGroup {
    pub class: LinkClass,
    pub count: u64,
    /// Rate of each.
    pub rate: Bandwidth,
    /// What they are made of.
    pub medium: Medium,
}

/// A complete fabric in numbers, all planes together.
#[derive(Clone, Debug, PartialEq)]
pub struct Counts {
    pub kind: FabricKind,
    /// Separate copies of the fabric, each with a share of the NIC's bandwidth.
    pub planes: u32,
    /// Rails: NICs of an HB domain.
    pub rails: u32,
    /// NICs that the fabric joins.
    pub endpoints: u64,
    /// Rate of every link between endpoints and leafs.
    pub link: Bandwidth,
    /// Rate of every link above the leafs: a multiple of `link` where switches join ports.
    pub uplink: Bandwidth,
    /// Switches, lowest layer first; a layer of mixed models has an entry for each.
    pub tiers: Vec<SwitchTier>,
    /// Links between endpoints and leafs.
    pub host_links: u64,
    /// What those are made of; all links between leafs, spines and cores are optical.
    pub host_medium: Medium,
    /// Links between leafs and spines.
    pub leaf_spine_links: u64,
    /// Links between spines and cores.
    pub spine_core_links: u64,
    /// Links of other classes: none in a tree of up to three tiers.
    pub other_links: Vec<LinkGroup>,
    /// Bandwidth within a rail that leaves a leaf, over what enters it (ρ); 1 never blocks.
    pub within_rail: f64,
    /// Bandwidth across rails over NIC bandwidth (σ).
    pub across_rails: f64,
    /// Domains under one leaf, where a rail has several leafs.
    pub leaf_domains: Option<u32>,
    /// Links of each switch; none where that is not known in closed form.
    pub occupancy: Option<Occupancy>,
}

impl Counts {
    /// All switches.
    #[must_use]
    pub fn switch_count(&self) -> u64 {
        self.tiers.iter().map(|tier| tier.count).sum()
    }

    /// Share of the NICs' bandwidth that it carries wherever it has a way, between rails too where
    /// it joins them: below 1 it is oversubscribed.
    #[must_use]
    pub fn least_bandwidth_share(&self) -> f64 {
        if self.kind.joins_rails() {
            self.within_rail.min(self.across_rails)
        } else {
            self.within_rail
        }
    }

    /// Its rails meet in no switch.
    #[must_use]
    pub fn keeps_rails_apart(&self) -> bool {
        !self.kind.joins_rails() && self.rails > 1
    }

    /// Ports of all switches that no link takes.
    #[must_use]
    pub fn ports_free(&self) -> u64 {
        self.tiers.iter().map(SwitchTier::ports_free).sum()
    }

    /// Switches of one layer.
    #[must_use]
    pub fn switches_in_tier(&self, name: TierName) -> u64 {
        self.tiers.iter().filter(|tier| tier.name == name).map(|tier| tier.count).sum()
    }

    /// Ports that a link between switches takes at either end.
    #[must_use]
    pub fn ports_per_uplink(&self) -> u32 {
        if self.link > Bandwidth::ZERO {
            (self.uplink / self.link).round().max(1.0) as u32
        } else {
            1
        }
    }

    /// Ports of a NIC, each with its share of the NIC's rate: one in each plane of a tree, two in
    /// each of a ZCube.
    #[must_use]
    pub fn ports_of_a_nic(&self) -> u32 {
        if self.kind.is_tree() {
            return self.planes;
        }
        let ports = self.host_links.checked_div(self.endpoints);
        ports.and_then(|ports| u32::try_from(ports).ok()).unwrap_or(1).max(1)
    }

    /// Switches of one model, whatever their layer.
    #[must_use]
    pub fn switches_of(&self, model: &str) -> u64 {
        self.tiers.iter().filter(|tier| tier.model == model).map(|tier| tier.count).sum()
    }

    /// Layers that hold switches.
    #[must_use]
    pub fn tier_count(&self) -> usize {
        TierName::ALL.into_iter().filter(|name| self.switches_in_tier(*name) > 0).count()
    }

    /// All links.
    #[must_use]
    pub fn link_count(&self) -> u64 {
        let other: u64 = self.other_links.iter().map(|group| group.count).sum();
        self.host_links + self.leaf_spine_links + self.spine_core_links + other
    }

    /// Links of one class.
    #[must_use]
    pub fn links_of(&self, class: LinkClass) -> u64 {
        let named = match class {
            LinkClass::Host => self.host_links,
            LinkClass::LeafSpine => self.leaf_spine_links,
            LinkClass::SpineCore => self.spine_core_links,
            _ => 0,
        };
        let other = self.other_links.iter().filter(|group| group.class == class);
        named + other.map(|group| group.count).sum::<u64>()
    }

    /// Links of copper, whatever they join.
    #[must_use]
    pub fn copper_links(&self) -> u64 {
        let host = if self.host_medium == Medium::Copper { self.host_links } else { 0 };
        let other = self.other_links.iter().filter(|group| group.medium == Medium::Copper);
        host + other.map(|group| group.count).sum::<u64>()
    }

    /// Transceivers: one at each end of every optical link, whatever its rate.
    #[must_use]
    pub fn transceiver_count(&self) -> u64 {
        2 * (self.link_count() - self.copper_links())
    }

    /// Transceivers by rate, slowest first: the bill names each rate on a line of its own.
    #[must_use]
    pub fn transceivers_by_rate(&self) -> Vec<(Bandwidth, u64)> {
        let mut ends: Vec<(Bandwidth, u64)> = Vec::new();
        let mut add = |rate: Bandwidth, links: u64| {
            if links == 0 {
                return;
            }
            match ends.iter_mut().find(|(known, _)| *known == rate) {
                Some((_, count)) => *count += 2 * links,
                None => ends.push((rate, 2 * links)),
            }
        };
        if self.host_medium == Medium::Optical {
            add(self.link, self.host_links);
        }
        add(self.uplink, self.leaf_spine_links + self.spine_core_links);
        for group in self.other_links.iter().filter(|group| group.medium == Medium::Optical) {
            add(group.rate, group.count);
        }
        ends.sort_by(|a, b| a.0.total_cmp(&b.0));
        ends
    }
}

#[cfg(test)]
mod tests {
    use super::{Counts, LinkClass, LinkGroup, Medium};
    use crate::fabric::kind::FabricKind;
    use crate::units::quantity::Bandwidth;

    #[test]
    fn copper_needs_no_transceivers_and_each_rate_has_its_own_line() {
        let slow = Bandwidth::from_gigabits(200.0);
        let fast = Bandwidth::from_gigabits(400.0);
        let local =
            LinkGroup { class: LinkClass::Local, count: 7, rate: slow, medium: Medium::Copper };
        let counts = Counts {
            kind: FabricKind::Clos,
            planes: 1,
            rails: 1,
            endpoints: 10,
            link: slow,
            uplink: fast,
            tiers: Vec::new(),
            host_links: 10,
            host_medium: Medium::Optical,
            leaf_spine_links: 5,
            spine_core_links: 0,
            other_links: vec![local],
            within_rail: 1.0,
            across_rails: 1.0,
            leaf_domains: None,
            occupancy: None,
        };
        assert_eq!(counts.link_count(), 22);
        assert_eq!(counts.copper_links(), 7);
        assert_eq!(counts.transceiver_count(), 30);
        assert_eq!(counts.transceivers_by_rate(), vec![(slow, 20), (fast, 10)]);
    }
}

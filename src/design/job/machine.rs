//! `Machine`, `Level`, `FamilyMember`: product with NIC, bandwidth promise.

use std::fmt;

use crate::fabric::{FabricKind, FabricShape};
use crate::hardware::{Cage, Nic, Node};
use crate::parallel::Seats;
use crate::scenario::Cluster;
use crate::timing::{NetworkModel, UplinkBalance};
use crate::units::Bandwidth;

/// A product with an interface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Machine<'a> {
    pub(crate) node: &'a Node,
    pub(crate) nic: &'a Nic,
    /// How the fabric around it spreads messages.
    pub(crate) balance: UplinkBalance,
}

/// What a fabric promises: the part of [`NetworkModel`] that its switches decide.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Level {
    /// Domains under one leaf of a rail; `None` where no leaf border matters.
    pub leaf_domains: Option<u32>,
    /// Bandwidth within a rail that leaves a leaf over what enters it (ρ).
    pub within: f64,
    /// Bandwidth across rails over that of the NICs (σ).
    pub across: f64,
    /// Planes whose leaf switches are all waited for; 1 where the planes do not matter, as all
    /// links of a leaf switch are equally full.
    pub planes: u32,
    /// The fabric itself, where a step is timed on its cables; the bandwidths above then are those
    /// that any two halves of its NICs have between them at least, and the clock takes none of them
    /// for granted.
    pub member: Option<FamilyMember>,
}

/// Share that is left of so many alike pieces when one is lost; nothing of one.
pub(crate) fn all_but_one(count: u32) -> f64 {
    f64::from(count.saturating_sub(1)) / f64::from(count.max(1))
}

impl Level {
    /// A full-bisection Clos.
    pub const FULL: Self =
        Self { leaf_domains: None, within: 1.0, across: 1.0, planes: 1, member: None };

    /// What the clock takes it for: a fabric that is timed on its cables never blocks until they
    /// say so.
    pub(super) const fn level_for_clock(self) -> Self {
        if self.member.is_some() { Self::FULL } else { self }
    }

    /// Where a share of the links above leafs is left, which hold so many domains where a border
    /// matters then and not before.
    pub(crate) fn with_uplink_share(self, leaf: Option<u32>, share: f64) -> Self {
        let leaf_domains = self.leaf_domains.or(leaf);
        Self { leaf_domains, within: self.within * share, across: self.across * share, ..self }
    }

    /// Of leafs with so many domains each, whose border matters only where uplinks can be fuller
    /// than downlinks: there are fewer of them than of those, or some are fuller than others.
    pub(crate) fn with_leaf_border(
        leaf: Option<u32>,
        [within, across]: [f64; 2],
        balance: UplinkBalance,
        planes: u32,
    ) -> Self {
        let free = within >= 1.0 && balance.is_even();
        let leaf_domains = if free { None } else { leaf };
        Self {
            leaf_domains,
            within: within.min(1.0),
            across,
            planes: balance.planes_that_wait(planes),
            member: None,
        }
    }
}

impl Machine<'_> {
    /// The network of these machines on a fabric of that level.
    pub(super) fn network_at_level(&self, level: Level) -> NetworkModel {
        let level = level.level_for_clock();
        NetworkModel {
            domain: self.node.gpus,
            hb: self.node.hb_bandwidth,
            nics: self.node.nics,
            nic: self.nic.bandwidth,
            leaf_domains: level.leaf_domains,
            within_rail: level.within,
            across_rails: level.across,
            planes: level.planes,
            forwards: self.node.forwards,
            has_summing_switches: self.node.hb_reduces,
            seats: Seats::Even,
            balance: self.balance,
        }
    }

    /// GPUs of a tray, where an HB domain has several.
    pub(super) fn gpus_per_tray(&self) -> Option<u32> {
        let node = self.node;
        node.tray.filter(|count| *count < node.gpus && node.gpus.is_multiple_of(*count))
    }

    /// GPUs of a tray, where another tray can do what a broken one did: its interfaces are on other
    /// rails, so the domain has to forward messages to them.
    pub(crate) fn replaceable_tray(&self) -> Option<u32> {
        self.gpus_per_tray().filter(|_| self.node.forwards)
    }

    /// GPUs of an HB domain that may be left to spare: none, and those of each number of trays that
    /// leaves another.
    pub(in crate::design) fn spare_gpu_options(self) -> impl Iterator<Item = u32> {
        let gpus = self.node.gpus;
        (0..gpus).step_by(self.replaceable_tray().unwrap_or(gpus).max(1) as usize)
    }

    /// Share of the NICs of an HB domain that carries what all did, where so many are cut off;
    /// `None` where none can take their place.
    pub(crate) fn nic_share_after_cutoff(&self, lost: u32) -> Option<f64> {
        let nics = self.node.nics;
        (self.node.forwards && lost < nics).then(|| f64::from(nics - lost) / f64::from(nics))
    }

    /// Rate of a link where the interface's bandwidth is split over `planes`.
    pub(crate) fn link_rate(&self, planes: u32) -> Bandwidth {
        self.nic.bandwidth / f64::from(planes.max(1))
    }

    /// Cage that a link ends in where the interface is split over `planes`; `None` where nobody
    /// says.
    pub(crate) fn link_cage(&self, planes: u32) -> Option<Cage> {
        let own = self.node.nic_cage.filter(|_| self.nic.name == self.node.nic.name);
        let several = self.nic.plane_cage.filter(|_| planes > 1);
        let card = several.or(self.nic.cage);
        own.or(card)
    }

    /// Numbers of ports of an interface to try: one in each plane, or as many as the family of
    /// fabric takes, halving the link each time. None where the interface has too few.
    pub(crate) fn plane_options(&self, cluster: &Cluster) -> Vec<u32> {
        let each = cluster.fabric.nic_ports_per_plane();
        let most = cluster.max_planes.saturating_mul(each).min(self.nic.max_planes.max(1));
        std::iter::successors(Some(each), |planes| planes.checked_mul(2))
            .take_while(|planes| *planes <= most)
            .collect()
    }
}

/// Every product with every interface that may be chosen, in the order of the scenario.
pub(crate) fn list_machines(cluster: &Cluster) -> Vec<Machine<'_>> {
    let mut all = Vec::new();
    let balance = UplinkBalance::from_cluster(cluster);
    for node in &cluster.nodes {
        if cluster.nics.is_empty() {
            all.push(Machine { node, nic: &node.nic, balance });
        }
        all.extend(cluster.nics.iter().map(|nic| Machine { node, nic, balance }));
    }
    all
}

/// A member of a family of fabric, as far as its cables follow from it and the NICs that it joins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FamilyMember {
    pub kind: FabricKind,
    /// Of a dragonfly the switches of a group, the links of each to other groups and the groups; of
    /// a ZCube the switches of a row; of a tree the ports of a leaf switch down and up, and those
    /// of a spine that lead up where there are cores.
    pub sides: [u32; 4],
    /// Ports of a switch of a tree, on which its layers depend; 0 of the others.
    pub radix: u32,
    pub planes: u32,
}

impl fmt::Display for FamilyMember {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [first, second, third, _] = self.sides;
        match self.kind {
            FabricKind::Dragonfly if third == 1 => {
                write!(f, "one group of {first} fully joined switches")
            }
            FabricKind::Dragonfly => {
                write!(
                    f,
                    "{third} groups of {first} switches, fully joined where those are several, and \
                     {second} links of each to other groups"
                )
            }
            FabricKind::ZCube => write!(
                f,
                "two rows of {first} switches, each joined to every one of the other row; every \
                 NIC has a port on one of each"
            ),
            _ => write!(
                f,
                "leaf switches of {first} ports down and {second} up; where there are cores, \
                 {third} of a spine's ports lead up"
            ),
        }
    }
}

impl FamilyMember {
    /// Its sides, as `planner fabric --shape` takes them; `None` of a tree.
    #[must_use]
    pub fn shape(self) -> Option<FabricShape> {
        let [first, second, third, _] = self.sides;
        match self.kind {
            FabricKind::Dragonfly => FabricShape::new(&[first, second, third]),
            FabricKind::ZCube => FabricShape::new(&[first]),
            _ => None,
        }
    }

    /// Whether its switches also send messages by another one drawn at random: the shortest ways of
    /// a fabric that is no tree are few.
    #[must_use]
    pub const fn takes_detours(self) -> bool {
        !self.kind.is_tree()
    }
}

//! What the loss of one piece leaves of a fabric, kind by kind: as it is wired, or by its counts where it
//! is not wired. Times nothing.

use crate::fabric::{
    Aftermath, Counts, FabricGraph, LinkClass, Piece, PieceGroup, SwitchTier, TierName,
};

/// What is left when one piece of a kind is lost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PieceLoss {
    pub(crate) piece: Piece,
    /// Pieces of the kind.
    pub(super) pieces: u64,
    /// HB domains with NICs that no longer reach the others.
    pub(super) stopped: u64,
    /// NICs that each of those lost, at most.
    pub(super) nics_of_each: u64,
    /// HB domains with NICs that lost a part of their ports.
    pub(super) slowed: u64,
    /// Least ports that such a NIC has left, and how many it had.
    pub(super) ports: (u64, u64),
    /// Least uplinks that a leaf switch has left, and how many it had.
    pub(super) uplinks: (u64, u64),
}

impl PieceLoss {
    /// What is left of a fabric, when so many of a kind of piece are there and one is out of service.
    pub(crate) fn from_aftermath(piece: Piece, pieces: u64, left: &Aftermath) -> Self {
        let stopped = left.stopped.len() as u64;
        Self {
            piece,
            pieces,
            stopped,
            nics_of_each: (left.cut_off + left.separated).div_ceil(stopped.max(1)),
            slowed: left.weakened.len() as u64,
            ports: left.least_ports,
            uplinks: left.least_uplinks,
        }
    }
}

/// Of a wired fabric: one piece of each kind is taken out of it.
pub(super) fn losses_of_wired_fabric(graph: &FabricGraph) -> Vec<PieceLoss> {
    let left = |PieceGroup { piece, count, first }: PieceGroup| {
        PieceLoss::from_aftermath(piece, count, &graph.aftermath_of_loss(first))
    };
    graph.failable_pieces().into_iter().map(left).collect()
}

/// Of a fabric that is only counted: leaf switches are taken to be alike, each with links to as many
/// switches above it as it has uplinks.
pub(super) fn losses_from_counts(counts: &Counts, domains: u32) -> Vec<PieceLoss> {
    let planes = u64::from(counts.planes.max(1));
    let rails = u64::from(counts.rails.max(1));
    let intact = |piece, pieces| PieceLoss {
        piece,
        pieces,
        stopped: 0,
        nics_of_each: 0,
        slowed: 0,
        ports: (planes, planes),
        uplinks: (1, 1),
    };
    // A NIC loses one of its ports, or the only one.
    let ports_lost = |loss: PieceLoss, nics: u64| {
        let each = if counts.kind.has_rails() { 1 } else { rails };
        let hit = nics.div_ceil(each).min(domains.into());
        match planes {
            1 => PieceLoss {
                stopped: hit,
                nics_of_each: nics.div_ceil(hit.max(1)).min(rails),
                ..loss
            },
            _ => PieceLoss { slowed: hit, ports: (planes - 1, planes), ..loss },
        }
    };
    let nic = intact(Piece::Nic, counts.endpoints);
    let mut all = vec![
        PieceLoss { stopped: 1, nics_of_each: 1, ..nic },
        ports_lost(intact(Piece::Link(LinkClass::Host), counts.host_links), 1),
    ];
    let leafs = counts.switches_in_tier(TierName::Leaf).max(1);
    let fewest =
        counts.tiers.iter().filter(|tier| tier.name == TierName::Leaf).map(|tier| tier.up).min();
    let uplinks = u64::from(fewest.unwrap_or(0) / counts.ports_per_uplink());
    for SwitchTier { name, count, .. } in &counts.tiers {
        let loss = intact(Piece::Switch(*name), *count);
        all.push(match name {
            TierName::Leaf => ports_lost(loss, counts.host_links.div_ceil(leafs)),
            _ if uplinks > 0 => PieceLoss { uplinks: (uplinks - 1, uplinks), ..loss },
            _ => loss,
        });
    }
    let upper = [
        (LinkClass::LeafSpine, counts.leaf_spine_links),
        (LinkClass::SpineCore, counts.spine_core_links),
    ];
    for (class, links) in upper.into_iter().filter(|(_, links)| *links > 0 && uplinks > 0) {
        all.push(PieceLoss {
            uplinks: (uplinks - 1, uplinks),
            ..intact(Piece::Link(class), links)
        });
    }
    let others = counts.other_links.iter();
    all.extend(others.map(|group| intact(Piece::Link(group.class), group.count)));
    all
}

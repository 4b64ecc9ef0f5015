//! Bytes of a step on each class of link, by symmetry: all endpoints of a rail send alike.

use std::fmt;

use crate::fabric::{Counts, TierName};
use crate::parallel::Placement;
use crate::units::Bytes;

/// Bytes that a step sends between GPUs, by where they go. Sums over all GPUs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RailDemand {
    /// Inside HB domains.
    pub inside: Bytes,
    /// To another domain on the same rail.
    pub along_rail: Bytes,
    /// To another domain on another rail.
    pub across_rails: Bytes,
    /// Part of the last that can't be forwarded inside a domain: jobs that own parts of domains
    /// on unlike rails, ordinary IP.
    pub unforwardable: Bytes,
}

/// Bytes on links, one way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RailLoads {
    /// Bytes across rails that are forwarded inside a domain.
    pub forwarded: Bytes,
    /// Bytes across rails that take a spine.
    pub by_spine: Bytes,
    /// On one GPU's link into its HB domain.
    pub hb_link: Bytes,
    /// On one link between a NIC and a leaf.
    pub host_link: Bytes,
    /// On one link between a leaf and a spine, where partners are spread evenly.
    pub leaf_uplink: Bytes,
}

/// Why traffic can't be carried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RoutingProblem {
    /// There are bytes that only a spine across rails could carry, and there is none.
    NoSpine {
        /// Those bytes.
        bytes: Bytes,
    },
    /// The fabric joins no endpoints.
    NoEndpoints,
}

impl fmt::Display for RoutingProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSpine { bytes } => write!(
                f,
                "`{}` bytes of a step can't be forwarded inside a domain and no spine joins the \
                 rails: add a spine, or give jobs whole domains or like rails",
                bytes.count()
            ),
            Self::NoEndpoints => f.write_str("a fabric without endpoints carries nothing"),
        }
    }
}

impl std::error::Error for RoutingProblem {}

/// Puts a step's bytes on links.
///
/// A spine takes [its share](Placement::spine_share_of_bytes) of the bytes across rails, those that can't be forwarded
/// first; the rest is forwarded at the source. Along a rail of n
/// endpoints over leafs of d, the share (n − d) / (n − 1) of bytes leaves its leaf where
/// partners are spread evenly; bytes that take the spine leave theirs unless it holds both
/// rails.
///
/// # Errors
/// Where bytes can't be carried at all.
pub fn loads(
    demand: &RailDemand,
    counts: &Counts,
    machine: Placement,
) -> Result<RailLoads, RoutingProblem> {
    if counts.endpoints == 0 || counts.host_links == 0 {
        return Err(RoutingProblem::NoEndpoints);
    }
    if counts.across_rails <= 0.0 && !demand.unforwardable.is_zero() {
        return Err(RoutingProblem::NoSpine { bytes: demand.unforwardable });
    }
    let share = machine.spine_share_of_bytes(counts.across_rails);
    let taken = Bytes::from_elements(1, (demand.across_rails.as_f64() * share).floor());
    let by_spine =
        taken.min(demand.across_rails).max(demand.unforwardable).min(demand.across_rails);
    let forwarded = demand.across_rails.saturating_sub(by_spine);
    let domains = u128::from(counts.endpoints) / u128::from(counts.rails.max(1));
    let gpus = (domains * u128::from(machine.domain_gpus())).max(1);
    let leaving = demand.along_rail + demand.across_rails;
    let uplinks = counts.leaf_spine_links.max(1);
    Ok(RailLoads {
        forwarded,
        by_spine,
        hb_link: (demand.inside + forwarded).equal_share(gpus),
        host_link: leaving.equal_share(u128::from(counts.host_links)),
        leaf_uplink: uplink_bytes(demand, counts, forwarded, by_spine)
            .equal_share(u128::from(uplinks)),
    })
}

/// Bytes of all leafs that leave their leaf.
fn uplink_bytes(demand: &RailDemand, counts: &Counts, forwarded: Bytes, by_spine: Bytes) -> Bytes {
    if counts.leaf_spine_links == 0 {
        return Bytes::ZERO;
    }
    let rails = u64::from(counts.rails.max(1));
    let rail = counts.endpoints.div_ceil(rails);
    let along = match counts.leaf_domains {
        Some(under) if rail > 1 => {
            let under = u64::from(under).min(rail);
            (rail - under) as f64 / (rail - 1) as f64
        }
        _ => 0.0,
    };
    let leafs = (counts.switches_in_tier(TierName::Leaf) / u64::from(counts.planes.max(1))).max(1);
    // Whole rails that share a leaf: what goes to one of those stays below it.
    let together = if counts.leaf_domains.is_none() { rails.div_ceil(leafs) } else { 1 };
    let across = if rails > 1 { (rails - together) as f64 / (rails - 1) as f64 } else { along };
    let bytes = (demand.along_rail + forwarded).as_f64() * along + by_spine.as_f64() * across;
    Bytes::from_elements(1, bytes)
}

#[cfg(test)]
mod tests {
    use super::{RailDemand, RoutingProblem, loads};
    use crate::fabric::{Counts, FabricKind, Ratio, Request, Split, SwitchChoice, tree_counts};
    use crate::parallel::Placement;
    use crate::units::Bandwidth;
    use crate::units::bytes::Bytes;

    const DOMAINS: u64 = 16;
    const RAILS: u32 = 4;

    /// So many GPUs on each rail.
    fn machine(sharing: u32) -> Placement {
        Placement::with_packed_domains(RAILS * sharing, RAILS)
    }

    fn fabric(kind: FabricKind, radix: u32, share: (u32, u32)) -> Counts {
        let link = Bandwidth::from_gigabits(400.0);
        let switch = SwitchChoice::Radix(radix);
        let share = Ratio::new(share.0, share.1).expect("not over zero");
        let request = Request::new(kind, DOMAINS * u64::from(RAILS), RAILS, switch, link);
        tree_counts(&request.with_split(Split::AtLeast(share))).expect("64 endpoints fit")
    }

    /// One byte from every GPU to every other, routed pair by pair: (inside, along, across) and
    /// bytes that leave their leaf, where a leaf holds `under` domains of one rail.
    fn walked(under: u64, spine: bool, sharing: u32) -> (RailDemand, u128, u128) {
        let (mut demand, mut hb, mut up) = (RailDemand::default(), 0_u128, 0_u128);
        let size = u64::from(RAILS * sharing);
        let gpus = DOMAINS * size;
        let one = Bytes::new(1);
        for source in 0..gpus {
            for target in (0..gpus).filter(|target| *target != source) {
                let place = |gpu: u64| (gpu / size, gpu % size / u64::from(sharing));
                let ((domain, rail), (other, to)) = (place(source), place(target));
                let same_leaf = domain / under == other / under;
                if domain == other {
                    demand.inside += one;
                    hb += 1;
                } else if rail == to {
                    demand.along_rail += one;
                    up += u128::from(!same_leaf);
                } else {
                    demand.across_rails += one;
                    // By the spine every leaf is another rail's; forwarded, the leaf is that of
                    // the same rail.
                    up += u128::from(spine || !same_leaf);
                    hb += u128::from(!spine);
                }
            }
        }
        (demand, hb, up)
    }

    #[test]
    fn loads_equal_those_of_routing_every_pair() {
        let kinds = [(FabricKind::RailOnly, false), (FabricKind::RailOptimized, true)];
        for ((kind, spine), sharing) in kinds.into_iter().flat_map(|pair| [(pair, 1), (pair, 3)]) {
            // Leafs of four endpoints, four uplinks.
            let counts = fabric(kind, 8, (1, 1));
            assert_eq!(counts.leaf_domains, Some(4));
            let (demand, hb, up) = walked(4, spine, sharing);
            let found =
                loads(&demand, &counts, machine(sharing)).expect("everything can be carried");
            let gpus = u128::from(DOMAINS * u64::from(RAILS * sharing));
            assert_eq!(found.hb_link, Bytes::new(hb.div_ceil(gpus)), "{kind}, {sharing}");
            assert_eq!(
                found.host_link,
                Bytes::new(60 * u128::from(sharing).pow(2)),
                "{kind}, {sharing}"
            );
            let uplinks = u128::from(counts.leaf_spine_links);
            assert_eq!(found.leaf_uplink, Bytes::new(up.div_ceil(uplinks)), "{kind}, {sharing}");
        }
    }

    #[test]
    fn a_partial_spine_takes_its_share_and_what_can_not_be_forwarded() {
        let counts = fabric(FabricKind::RailOptimized, 10, (1, 4));
        let demand = RailDemand { across_rails: Bytes::new(3000), ..RailDemand::default() };
        let found = loads(&demand, &counts, machine(1)).expect("there is a spine");
        let share = counts.across_rails / 0.75;
        assert_eq!(found.by_spine, Bytes::new((3000.0 * share).floor() as u128));
        assert_eq!(found.forwarded + found.by_spine, demand.across_rails);
        let stubborn = RailDemand { unforwardable: Bytes::new(2000), ..demand };
        let found = loads(&stubborn, &counts, machine(1)).expect("there is a spine");
        assert_eq!(found.by_spine, Bytes::new(2000));
        let none = loads(&stubborn, &fabric(FabricKind::RailOnly, 8, (1, 1)), machine(1));
        assert_eq!(none, Err(RoutingProblem::NoSpine { bytes: Bytes::new(2000) }));
    }
}

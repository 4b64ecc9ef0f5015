//! Link loads by symmetry; all-to-all over rails.

use std::fmt;

use crate::fabric::{Counts, TierName};
use crate::parallel::Placement;
use crate::units::{Bandwidth, Bytes, Seconds};

/// Bytes that a step sends between GPUs, by where they go. Sums over all GPUs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RailDemand {
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
            Self::NoEndpoints => f.write_str("a fabric without NICs carries nothing"),
        }
    }
}

impl std::error::Error for RoutingProblem {}

/// Puts a step's bytes on links.
///
/// A spine takes [its share](Placement::spine_share_of_bytes) of the bytes across rails, those that
/// can't be forwarded first; the rest is forwarded at the source. Along a rail of n endpoints over
/// leafs of d, the share (n − d) / (n − 1) of bytes leaves its leaf where partners are spread
/// evenly; bytes that take the spine leave theirs unless it holds both rails.
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

// A uniform all-to-all over HB domains that are joined by rails, with or without a spine
// across them. docs/equations.md §8.2, §8.3.
//
// A message to a GPU on another rail is forwarded: inside the sender's domain to the GPU on the
// destination's rail, then along that rail; or it takes the spine, as far as there is one.

/// The machines of an all-to-all; all rates are one way, of one GPU.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AllToAll {
    pub domains: u32,
    /// GPUs K of a domain, and the rails that they are on, alike many on each.
    pub machine: Placement,
    /// Rate B_F into the HB domain.
    pub hb: Bandwidth,
    /// Part h of it that other traffic takes.
    pub hb_busy: Bandwidth,
    /// Rate B_S of the NIC.
    pub nic: Bandwidth,
    /// Bandwidth across rails over the NIC's (σ): 0 for rail-only, 1 for a full spine.
    pub across: f64,
}

impl AllToAll {
    /// The time in which each GPU sends `bytes` in equal parts to all others, where chunks are
    /// pipelined and routes are chosen best: max of X / B_S, (I + φ·X) / (B_F − h + σ·B_S) and I /
    /// (B_F − h), with X leaving the domain, I staying inside and φ of
    /// [`Placement::cross_rail_share`].
    ///
    /// Special cases: one domain takes I / (B_F − h); domains of one GPU take X / B_S.
    #[must_use]
    pub fn pipelined_time(&self, bytes: Bytes) -> Seconds {
        let (leaving, staying) = self.leaving_and_staying_bytes(bytes);
        let free = self.hb - self.hb_busy;
        let spine = self.nic * self.across;
        let inside = staying + leaving * self.machine.cross_rail_share();
        transfer_time(leaving, self.nic)
            .max(transfer_time(inside, free + spine))
            .max(transfer_time(staying, free))
    }

    /// The time where a message is forwarded whole before it is sent (arXiv 2307.12169 v5, with
    /// the factor φ that it leaves out): X / B_S · (1 + B_S / B_F · max(0, φ − σ)), and no less
    /// than what stays inside needs.
    #[must_use]
    pub fn store_and_forward_time(&self, bytes: Bytes) -> Seconds {
        let (leaving, staying) = self.leaving_and_staying_bytes(bytes);
        let forwarded = leaving * (self.machine.cross_rail_share() - self.across).max(0.0);
        let free = self.hb - self.hb_busy;
        (transfer_time(leaving, self.nic) + transfer_time(forwarded, free))
            .max(transfer_time(staying, free))
    }

    /// Bytes X that leave the domain and I that stay inside, of those of one GPU.
    fn leaving_and_staying_bytes(&self, bytes: Bytes) -> (f64, f64) {
        let size = f64::from(self.machine.domain_gpus());
        let others = f64::from(self.domains) * size - 1.0;
        if others < 1.0 {
            return (0.0, 0.0);
        }
        let each = bytes.as_f64() / others;
        (each * size * (f64::from(self.domains) - 1.0), each * (size - 1.0))
    }
}

/// Time of a fractional number of bytes; none take none.
fn transfer_time(bytes: f64, rate: Bandwidth) -> Seconds {
    if bytes <= 0.0 {
        Seconds::ZERO
    } else if rate <= Bandwidth::ZERO {
        Seconds::from_f64(f64::INFINITY)
    } else {
        Seconds::from_f64(bytes / rate.get())
    }
}

#[cfg(test)]
mod tests {
    use super::{RailDemand, RoutingProblem, loads};
    use crate::fabric::{Counts, FabricKind, Ratio, Request, Split, SwitchChoice, tree_counts};
    use crate::parallel::Placement;
    use crate::units::Bandwidth;
    use crate::units::quantity::Bytes;

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

#[cfg(test)]
mod all_to_all_tests {
    use super::AllToAll;
    use crate::parallel::placement::Placement;
    use crate::units::quantity::{Bandwidth, Bytes};

    fn machines(domain: u32, hb: f64, nic: f64) -> AllToAll {
        AllToAll {
            domains: 2048,
            machine: Placement::with_packed_domains(domain, domain),
            hb: Bandwidth::from_gigabytes(hb),
            hb_busy: Bandwidth::ZERO,
            nic: Bandwidth::from_gigabytes(nic),
            across: 0.0,
        }
    }

    /// Overhead in percent of forwarding whole messages over a full spine.
    #[track_caller]
    fn overhead(machines: AllToAll, percent: f64) {
        let full = AllToAll { across: 1.0, ..machines };
        let bytes = Bytes::from_gib(1);
        let found = (machines.store_and_forward_time(bytes) / full.store_and_forward_time(bytes)
            - 1.0)
            * 100.0;
        assert!((found - percent).abs() < 0.06, "{found} instead of {percent}");
    }

    #[test]
    fn forwarding_costs_the_ratio_of_nic_to_domain() {
        // The paper's 8.3 % and 11.1 %, times 7/8.
        overhead(machines(8, 300.0, 25.0), 8.333 * 0.875);
        overhead(machines(8, 450.0, 50.0), 11.111 * 0.875);
        overhead(machines(8, 160.0, 50.0), 27.3);
        overhead(machines(72, 900.0, 50.0), 5.5);
        overhead(machines(72, 900.0, 100.0), 11.0);
    }

    #[test]
    fn a_slow_domain_is_faster_with_a_spine() {
        let slow = machines(8, 25.0, 50.0);
        let full = AllToAll { across: 1.0, ..slow };
        let bytes = Bytes::from_gib(1);
        assert!(slow.pipelined_time(bytes) / full.pipelined_time(bytes) > 1.7);
    }

    #[test]
    fn one_domain_uses_no_nic() {
        let alone = AllToAll { domains: 1, ..machines(8, 450.0, 50.0) };
        let bytes = Bytes::new(450_000_000_000);
        assert!((alone.pipelined_time(bytes).get() - 1.0).abs() < 1e-12);
        assert!((alone.store_and_forward_time(bytes).get() - 1.0).abs() < 1e-12);
        let single = AllToAll { machine: Placement::with_packed_domains(1, 1), ..alone };
        assert_eq!(single.pipelined_time(bytes).get(), 0.0);
    }
}

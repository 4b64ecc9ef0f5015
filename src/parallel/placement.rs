//! Where ranks sit: which HB domain, which place in it, which rail. Knows no switches.

use std::collections::BTreeSet;

use super::{Group, Rank, RankGrid};

/// Where the two GPUs of a pair stand to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Locality {
    /// In the same HB domain.
    InsideDomain,
    /// In different domains, on the same rail.
    AlongRail,
    /// In different domains, on different rails.
    AcrossRails,
}

impl Locality {
    /// All of them, nearest first.
    pub const ALL: [Self; 3] = [Self::InsideDomain, Self::AlongRail, Self::AcrossRails];

    /// The contract's name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::InsideDomain => "inside_domain",
            Self::AlongRail => "along_rail",
            Self::AcrossRails => "across_rails",
        }
    }
}

/// How many GPUs of an HB domain hold ranks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Seats {
    /// As many as are cut evenly by the domain's borders, where more than half of them are.
    #[default]
    Even,
    /// As many as there is room for: groups may straddle.
    Most,
    /// As many as leave so many GPUs to spare: groups may straddle.
    Sparing(u32),
}

impl Seats {
    /// The ways that leave none to spare on purpose.
    pub const ALL: [Self; 2] = [Self::Even, Self::Most];
}

/// Share min(1, σ / φ) of the bytes across rails that a spine of σ takes (docs/equations.md §8.6).
#[must_use]
pub fn share_by_spine(across: f64, elsewhere: f64) -> f64 {
    if elsewhere > 0.0 { (across / elsewhere).min(1.0) } else { 1.0 }
}

/// The rule that lays consecutive ranks on the GPUs of HB domains.
///
/// Rank r sits in domain ⌊r/u⌋ at index r mod u, where u of a domain's K GPUs are used. A domain's
/// interfaces are its rails; where they are fewer than its GPUs, neighbours share one:
/// rail = ⌊index · nics / K⌋.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Placement {
    domain: u32, // Invariant: at least 1.
    used: u32,   // Invariant: 1 to `domain`.
    nics: u32,   // Invariant: 1 to `domain`.
}

impl Placement {
    /// Every GPU of a domain is used, so groups may straddle its border. Zeros count as 1, and
    /// more interfaces than GPUs as one for each.
    #[must_use]
    pub fn with_packed_domains(domain: u32, nics: u32) -> Self {
        let domain = domain.max(1);
        Self { domain, used: domain, nics: nics.clamp(1, domain) }
    }

    /// GPUs of a domain stay idle where that lets domain borders cut all groups alike.
    ///
    /// Of the most blocks that fit (as [`Placement::place_groups_whole`]) down to more than half a
    /// domain, the first number whose borders every digit meets evenly: 1,024 ranks in tensor
    /// groups of 4 use 64 of 72 GPUs, 1,080 use all. Where no number does, as many blocks are used
    /// as fit.
    #[must_use]
    pub fn with_aligned_domains(grid: &RankGrid, domain: u32, nics: u32) -> Self {
        Self::place_groups_whole(grid, domain, nics, Seats::Even)
    }

    /// Tensor, expert and context groups stay whole, on so many GPUs of a domain.
    ///
    /// Of those groups' digits that fit into a domain, the outermost one closes a block of
    /// consecutive ranks; only whole blocks are used. 72 GPUs hold nine blocks of 8 and none idle,
    /// but one block of 64 and 8 idle.
    #[must_use]
    pub fn place_groups_whole(grid: &RankGrid, domain: u32, nics: u32, seats: Seats) -> Self {
        let packed = Self::with_packed_domains(domain, nics);
        let block = Self::ranks_per_domain_block(grid, packed.domain);
        let whole = |gpus: u32| Self { used: (gpus / block * block).max(1), ..packed };
        let even = |gpus: &u32| grid.split_at(*gpus).is_some();
        let most = whole(packed.domain);
        match seats {
            Seats::Most => most,
            // A block that has no room beside them leaves none.
            Seats::Sparing(spare) if block > packed.domain.saturating_sub(spare) => most,
            Seats::Sparing(spare) => whole(packed.domain.saturating_sub(spare)),
            Seats::Even => {
                let mut fewer =
                    (packed.domain / 2 + 1..=most.used).rev().filter(|u| u % block == 0);
                fewer.find(even).map_or(most, whole)
            }
        }
    }

    /// Consecutive ranks that stay in one domain.
    fn ranks_per_domain_block(grid: &RankGrid, domain: u32) -> u32 {
        grid.digits()
            .iter()
            .filter(|digit| {
                [Group::Tensor, Group::Expert, Group::Context].iter().any(|g| g.has_digit(digit))
            })
            .map(|digit| digit.stride.saturating_mul(digit.size))
            .filter(|block| *block <= domain)
            .max()
            .unwrap_or(1)
    }

    /// GPUs K of a domain, used or not.
    #[must_use]
    pub const fn domain_gpus(self) -> u32 {
        self.domain
    }

    /// GPUs u of a domain that hold ranks.
    #[must_use]
    pub const fn used_gpus_per_domain(self) -> u32 {
        self.used
    }

    /// Rails: interfaces of a domain.
    #[must_use]
    pub const fn rails(self) -> u32 {
        self.nics
    }

    /// Share φ of the bytes from one domain to another, spread evenly over the used GPUs of both,
    /// whose receiver is on another rail (docs/equations.md §8.2): 1 − Σ over rails of the square
    /// of the rail's share of the GPUs, (K − 1)/K where each GPU has a rail of its own.
    #[must_use]
    pub fn cross_rail_share(self) -> f64 {
        let mut on_rail = vec![0_u32; self.nics as usize];
        for index in 0..self.used {
            on_rail[self.rail_at(index) as usize] += 1;
        }
        let share = |gpus: &u32| f64::from(*gpus) / f64::from(self.used);
        1.0 - on_rail.iter().map(|gpus| share(gpus).powi(2)).sum::<f64>()
    }

    /// GPUs that hold ranks on the rail that has most of them.
    #[must_use]
    pub fn max_ranks_per_rail(self) -> u32 {
        let mut on_rail = vec![0_u32; self.nics as usize];
        for index in 0..self.used {
            on_rail[self.rail_at(index) as usize] += 1;
        }
        on_rail.into_iter().max().unwrap_or(1)
    }

    /// Share of the bytes across rails that a spine of σ takes: min(1, σ / φ), so that what the
    /// domain forwards is φ − σ of what leaves it (docs/equations.md §8.6).
    #[must_use]
    pub fn spine_share_of_bytes(self, across: f64) -> f64 {
        share_by_spine(across, self.cross_rail_share())
    }

    /// True where every GPU has an interface, and so a rail, of its own.
    #[must_use]
    pub const fn has_nic_per_gpu(self) -> bool {
        self.nics == self.domain
    }

    /// Domains that `ranks` ranks take.
    #[must_use]
    pub const fn domains_for_ranks(self, ranks: u32) -> u32 {
        ranks.div_ceil(self.used)
    }

    /// GPUs of those domains that hold no rank.
    #[must_use]
    pub fn idle_gpus(self, ranks: u32) -> u64 {
        u64::from(self.domains_for_ranks(ranks)) * u64::from(self.domain) - u64::from(ranks)
    }

    /// HB domain of a rank.
    #[must_use]
    pub const fn domain_of(self, rank: Rank) -> u32 {
        rank.0 / self.used
    }

    /// Place of a rank in its domain.
    #[must_use]
    pub const fn index_of(self, rank: Rank) -> u32 {
        rank.0 % self.used
    }

    /// Rail of the GPU at a place in its domain.
    #[must_use]
    pub const fn rail_at(self, index: u32) -> u32 {
        // The product of two u32 fits a u64, and the quotient is below `nics`.
        (index as u64 * self.nics as u64 / self.domain as u64) as u32
    }

    /// Rail of a rank.
    #[must_use]
    pub const fn rail_of(self, rank: Rank) -> u32 {
        self.rail_at(self.index_of(rank))
    }

    /// How two ranks stand to each other.
    #[must_use]
    pub fn pair_locality(self, a: Rank, b: Rank) -> Locality {
        if self.domain_of(a) == self.domain_of(b) {
            Locality::InsideDomain
        } else if self.rail_of(a) == self.rail_of(b) {
            Locality::AlongRail
        } else {
            Locality::AcrossRails
        }
    }
}

/// A grid of ranks on its GPUs.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Placed {
    grid: RankGrid, // Invariant: split at the domain border wherever `aligned`.
    placement: Placement,
    aligned: bool,
}

impl Placed {
    /// Lays the ranks of `grid` out. A digit that a domain border divides evenly is split there.
    #[must_use]
    pub fn new(grid: &RankGrid, placement: Placement) -> Self {
        match grid.split_at(placement.used) {
            Some(grid) => Self { grid, placement, aligned: true },
            None => Self { grid: grid.clone(), placement, aligned: false },
        }
    }

    /// The ranks; with one digit more than the layout's where a domain border splits one.
    #[must_use]
    pub const fn grid(&self) -> &RankGrid {
        &self.grid
    }

    /// The rule that they are laid out by.
    #[must_use]
    pub const fn placement(&self) -> Placement {
        self.placement
    }

    /// True where every digit lies wholly inside domains or wholly across them, so that all
    /// groups of a kind meet the domain borders alike.
    #[must_use]
    pub const fn is_aligned(&self) -> bool {
        self.aligned
    }

    /// HB domains that hold members of the group of the first rank.
    #[must_use]
    pub fn domains_of_first_group(&self, group: Group) -> u32 {
        let members = (0..self.grid.group_size(group))
            .map(|position| self.grid.group_member(Rank(0), group, position));
        members.map(|rank| self.placement.domain_of(rank)).collect::<BTreeSet<_>>().len() as u32
    }
}

#[cfg(test)]
mod tests {
    use super::{Locality, Placement, Seats};
    use crate::parallel::grid::{Rank, RankGrid};
    use crate::parallel::{Layout, Order, Schedule, Zero};

    fn layout(tensor: u32, data: u32, pipeline: u32) -> Layout {
        Layout {
            tensor,
            pipeline,
            data,
            context: 1,
            expert: 1,
            expert_tensor: 1,
            interleave: 1,
            micro_batch: 1,
            sequence_parallel: false,
            zero: Zero::None,
            shard: None,
            recompute: crate::workload::Recompute::None,
            order: Order::DP_INSIDE_PP,
            schedule: Schedule::OneFOneB,
        }
    }

    #[test]
    fn neighbours_share_a_rail_where_interfaces_are_few() {
        let placement = Placement::with_packed_domains(8, 4);
        let rails: Vec<u32> = (0..10).map(|r| placement.rail_of(Rank(r))).collect();
        assert_eq!(rails, [0, 0, 1, 1, 2, 2, 3, 3, 0, 0]);
        assert_eq!(placement.pair_locality(Rank(0), Rank(7)), Locality::InsideDomain);
        assert_eq!(placement.pair_locality(Rank(0), Rank(9)), Locality::AlongRail);
        assert_eq!(placement.pair_locality(Rank(0), Rank(10)), Locality::AcrossRails);
    }

    /// Against every pair of a GPU of one domain and a GPU of the next.
    #[test]
    fn elsewhere_is_the_share_of_pairs_of_two_domains_on_unlike_rails() {
        for (domain, used, nics) in
            [(8, 8, 8), (8, 8, 4), (6, 6, 2), (6, 6, 4), (72, 64, 72), (4, 3, 2), (5, 5, 1)]
        {
            let placement = Placement { used, ..Placement::with_packed_domains(domain, nics) };
            let pairs = (0..used).flat_map(|one| (used..2 * used).map(move |other| (one, other)));
            let unlike = pairs.filter(|(one, other)| {
                placement.pair_locality(Rank(*one), Rank(*other)) == Locality::AcrossRails
            });
            let counted = unlike.count() as f64 / f64::from(used * used);
            assert!(
                (placement.cross_rail_share() - counted).abs() < 1e-12,
                "{placement:?}: {counted}"
            );
        }
    }

    /// Borders every 64 ranks cut rings of 256 members, 4 apart, evenly; every 72 they do not.
    #[test]
    fn gpus_stay_idle_where_that_cuts_all_groups_alike() {
        let used = |tensor, data, pipeline, domain, seats| {
            let grid = RankGrid::new(&layout(tensor, data, pipeline)).expect("degrees nest");
            Placement::place_groups_whole(&grid, domain, domain, seats).used_gpus_per_domain()
        };
        assert_eq!(used(4, 256, 1, 72, Seats::Even), 64);
        assert_eq!(used(4, 256, 1, 72, Seats::Most), 72);
        assert_eq!(used(4, 270, 1, 72, Seats::Even), 72);
        assert_eq!(used(4, 270, 1, 72, Seats::Sparing(4)), 68);
        assert_eq!(used(8, 135, 1, 72, Seats::Sparing(4)), 64);
        assert_eq!(used(8, 135, 1, 8, Seats::Sparing(4)), 8);
        assert_eq!(used(4, 240, 1, 72, Seats::Even), 64);
        assert_eq!(used(1, 16, 2, 6, Seats::Even), 4);
        // Nothing between 5 and 8 divides 250 ranks of a stage.
        assert_eq!(used(2, 125, 4, 8, Seats::Even), 8);
        // A job within one domain meets no border.
        assert_eq!(used(4, 15, 1, 72, Seats::Even), 72);
    }

    /// Ranks 0 to 63 of a rack of 72 keep their own interfaces where eight GPUs stand idle.
    #[test]
    fn idle_gpus_move_no_other_to_another_rail() {
        let rack = Placement { used: 64, ..Placement::with_packed_domains(72, 72) };
        assert!((0..64).all(|index| rack.rail_at(index) == index));
        assert_eq!(
            (rack.max_ranks_per_rail(), rack.domains_for_ranks(65), rack.idle_gpus(65)),
            (1, 2, 2 * 72 - 65)
        );
        // Six GPUs on four interfaces: 0, 0, 1, 2, 2, 3.
        assert_eq!(Placement::with_packed_domains(6, 4).max_ranks_per_rail(), 2);
    }

    /// A context group of 4 · 4 ranks is not cut: a domain of 24 holds one of them.
    #[test]
    fn a_domain_holds_whole_context_groups() {
        let layout = Layout { context: 4, ..layout(4, 3, 1) };
        let grid = RankGrid::new(&layout).expect("degrees nest");
        assert_eq!(
            Placement::place_groups_whole(&grid, 24, 24, Seats::Most).used_gpus_per_domain(),
            16
        );
    }

    #[test]
    fn nonsense_sizes_still_place_every_rank() {
        let placement = Placement::with_packed_domains(0, 0);
        assert_eq!(placement.domains_for_ranks(5), 5);
        assert_eq!(placement.rail_of(Rank(4)), 0);
        assert_eq!(placement.idle_gpus(5), 0);
    }
}

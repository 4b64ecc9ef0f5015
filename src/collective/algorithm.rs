//! Which algorithm a collective runs. Picks by place alone; sends nothing itself.

use super::GroupSpread;
use super::nccl::{NcclAlgorithm, NcclCall};
use crate::step::Collective;
use crate::units::Bytes;
use crate::workload::{Algorithms, DemoGather};

/// How equal members, near or far, work together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FlatAlgorithm {
    /// Each sends to the next only, n−1 times a share (Patarasuk and Yuan 2009).
    Ring,
    /// Each sends its share to every other at once.
    Direct,
    /// Vector halving with distance doubling (Thakur, Rabenseifner and Gropp 2005, §4.3, §4.5);
    /// powers of two only.
    HalvingDoubling,
    /// Two binary trees that carry half of the vector each, no member an inner node of both
    /// (Sanders, Speck and Träff 2009); all-reduce only.
    DoubleTree,
    /// Parallel aggregated trees (NCCL's PAT): distances that double, the farthest first; gathers
    /// and scatters only.
    Pat,
}

/// How a whole group works together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Algorithm {
    /// Without regard to domains.
    Flat(FlatAlgorithm),
    /// Inside the domain first, then members of equal place across domains, each on its share,
    /// so that every rail carries 1/x of the data.
    Hierarchical(FlatAlgorithm),
    /// One ring through all members for each place in a domain: it enters and leaves every domain
    /// at that place, so that every rail carries 1/x of the data (NCCL's rings).
    RailRings,
    /// All-reduce by double trees between the members of equal place, and chains inside that start
    /// and end there (NCCL's trees).
    RailTrees,
    /// All-reduce by the switches inside a domain: each member sends its vector once and receives
    /// the sum.
    Nvls,
    /// [`Algorithm::RailTrees`] with [`Algorithm::Nvls`] in the place of the chains (NCCL's NVLSTree).
    NvlsTrees,
    /// All-reduce level by level, summed by the switches of the network between domains: each
    /// interface sends its share once and receives the sum.
    Sharp,
    /// All-to-all whose messages to another rail go to the member of the own domain on that
    /// rail first (NCCL's PXN), and then along the rail.
    Forwarded,
    /// Among the members of each domain only.
    Inside(FlatAlgorithm),
    /// Among members of different domains only, those of equal place on their share.
    Across(FlatAlgorithm),
    /// Messages that the collective itself prescribes.
    Fixed,
}

impl FlatAlgorithm {
    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ring => "ring",
            Self::Direct => "direct",
            Self::HalvingDoubling => "halving-doubling",
            Self::DoubleTree => "double-tree",
            Self::Pat => "pat",
        }
    }
}

impl Algorithm {
    /// Its name in a ledger.
    #[must_use]
    pub fn name(self) -> String {
        match self {
            Self::Flat(flat) => flat.name().to_owned(),
            Self::Hierarchical(flat) => format!("hierarchical {}", flat.name()),
            Self::RailRings => "rings along rails".to_owned(),
            Self::RailTrees => "trees along rails".to_owned(),
            Self::Nvls => "nvls".to_owned(),
            Self::NvlsTrees => "nvls trees".to_owned(),
            Self::Sharp => "sharp".to_owned(),
            Self::Forwarded => "forwarded".to_owned(),
            Self::Inside(flat) => format!("{} inside domains", flat.name()),
            Self::Across(flat) => format!("{} across domains", flat.name()),
            Self::Fixed => "point-to-point".to_owned(),
        }
    }
}

/// What decides between algorithms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Policy {
    /// Algorithm among equal members, where it can run what is asked; a ring where it can't.
    pub flat: FlatAlgorithm,
    /// Reductions and gathers of groups with several members in several domains go inside
    /// first.
    pub hierarchical: bool,
    /// All-to-alls show the hops that forwarding through the domain takes, instead of who
    /// speaks to whom in the end.
    pub forwards: bool,
    /// What leaves a domain goes as NCCL's tuner chooses, by bytes, members and domains; the above
    /// hold inside domains.
    pub tuned: bool,
    /// Switches that sum what all-reduces send through them, where NCCL's tuner chooses the rest.
    pub sums: SwitchReduction,
}

/// Which switches sum what all-reduces send through them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum SwitchReduction {
    /// None: GPUs do.
    #[default]
    Nowhere,
    /// Those inside HB domains.
    Inside,
    /// Those between domains.
    Across,
}

impl Default for Policy {
    /// Rings, hierarchical where a group has several members in several domains; all-to-alls
    /// end to end.
    fn default() -> Self {
        Self {
            flat: FlatAlgorithm::Ring,
            hierarchical: true,
            forwards: false,
            tuned: false,
            sums: SwitchReduction::Nowhere,
        }
    }
}

impl From<Algorithms> for Policy {
    /// What a spec names.
    fn from(by: Algorithms) -> Self {
        let read = |flat, hierarchical| Self { flat, hierarchical, ..Self::default() };
        match by {
            Algorithms::Nccl => Self { tuned: true, ..Self::default() },
            Algorithms::Nvls => {
                Self { tuned: true, sums: SwitchReduction::Inside, ..Self::default() }
            }
            Algorithms::Sharp => {
                Self { tuned: true, sums: SwitchReduction::Across, ..Self::default() }
            }
            Algorithms::Hierarchical => Self::default(),
            Algorithms::HierarchicalDirect => read(FlatAlgorithm::Direct, true),
            Algorithms::Ring => read(FlatAlgorithm::Ring, false),
            Algorithms::Direct => read(FlatAlgorithm::Direct, false),
            Algorithms::HalvingDoubling => read(FlatAlgorithm::HalvingDoubling, false),
            Algorithms::DoubleTree => read(FlatAlgorithm::DoubleTree, false),
        }
    }
}

impl Policy {
    /// The algorithm of a collective of so many bytes on groups that lie like `spread`.
    #[must_use]
    pub fn choose_algorithm(
        &self,
        collective: Collective,
        payload: Bytes,
        spread: GroupSpread,
    ) -> Algorithm {
        let nested = matches!(spread, GroupSpread::Nested { .. });
        match collective {
            Collective::AllToAll if self.forwards && nested => Algorithm::Forwarded,
            Collective::AllToAll => Algorithm::Flat(FlatAlgorithm::Direct),
            Collective::AllReduce | Collective::ReduceScatter | Collective::AllGather => {
                let several =
                    matches!(spread, GroupSpread::Nested { .. } | GroupSpread::Apart { .. });
                let sums = collective == Collective::AllReduce && self.tuned;
                if sums
                    && several
                    && self.sums == SwitchReduction::Across
                    && is_summed_in_switches(payload, spread)
                {
                    Algorithm::Sharp
                } else if sums
                    && self.sums == SwitchReduction::Inside
                    && matches!(spread, GroupSpread::Inside { .. })
                {
                    Algorithm::Nvls
                } else if self.tuned && several {
                    match nccl_tuned_algorithm(collective == Collective::AllReduce, payload, spread)
                    {
                        Algorithm::RailTrees if self.sums == SwitchReduction::Inside => {
                            Algorithm::NvlsTrees
                        }
                        tuned => tuned,
                    }
                } else if self.hierarchical && nested {
                    Algorithm::Hierarchical(self.flat)
                } else {
                    Algorithm::Flat(self.flat)
                }
            }
            Collective::ReduceScatterInside | Collective::AllGatherInside => {
                Algorithm::Inside(self.flat)
            }
            Collective::GatherEach { by, apart } => {
                let flat = match by {
                    DemoGather::Hierarchical => self.flat,
                    DemoGather::Ring => FlatAlgorithm::Ring,
                    DemoGather::Direct => FlatAlgorithm::Direct,
                };
                match by {
                    _ if apart => Algorithm::Across(flat),
                    DemoGather::Hierarchical if self.hierarchical && nested => {
                        Algorithm::Hierarchical(flat)
                    }
                    _ => Algorithm::Flat(flat),
                }
            }
            Collective::ShiftUp
            | Collective::ShiftDown
            | Collective::EndsAllReduce
            | Collective::TokenExchange { .. } => Algorithm::Fixed,
        }
    }
}

/// Whether NCCL lets the switches between domains sum an all-reduce of so many bytes.
fn is_summed_in_switches(payload: Bytes, spread: GroupSpread) -> bool {
    let (inside, nodes) = spread.members_and_domains();
    NcclCall { inside, nodes, both: true, payload }.prefers_switch_sums()
}

/// What NCCL's tuner takes for an all-reduce, or one of its halves, on several domains. Bytes are
/// named before machines are: the tuner is asked as on H100 boards, or Blackwell racks.
fn nccl_tuned_algorithm(both: bool, payload: Bytes, spread: GroupSpread) -> Algorithm {
    let (inside, nodes) = spread.members_and_domains();
    match (NcclCall { inside, nodes, both, payload }.tuned_algorithm(), inside) {
        (NcclAlgorithm::Pat, _) => Algorithm::Flat(FlatAlgorithm::Pat),
        (NcclAlgorithm::Ring, 1) => Algorithm::Flat(FlatAlgorithm::Ring),
        (NcclAlgorithm::Ring, _) => Algorithm::RailRings,
        (_, 1) => Algorithm::Flat(FlatAlgorithm::DoubleTree),
        _ => Algorithm::RailTrees,
    }
}

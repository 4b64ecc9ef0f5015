//! What the clock sees of how ranks sit on HB domains, so that a search times layouts that sit
//! alike once. Times nothing itself.

use super::NetworkModel;
use crate::parallel::{Digit, Group, Placed, RankGrid};

/// All that the time of a step takes from the order of its ranks.
///
/// Where no border of a leaf is in the way and digits meet the borders of domains, a message is
/// either inside a domain or leaves it: then only the digits inside a domain matter, in their
/// order, and those outside may stand in any. Elsewhere every digit counts.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Seating {
    used: u32, // GPUs of a domain that hold ranks; at least 1
    digits: Vec<Digit>,
    even: bool, // borders of domains cut all groups alike
    /// Groups inside a stage see nothing of the digits that they do not span.
    separable: bool,
}

/// The groups that talk inside the blocks of a stage.
const INSIDE_A_STAGE: [Group; 4] =
    [Group::Tensor, Group::Context, Group::Expert, Group::ExpertTensor];

impl Seating {
    /// How the ranks of `grid` sit on the domains of `network`.
    #[must_use]
    pub fn new(network: &NetworkModel, grid: &RankGrid) -> Self {
        let placement = network.place_ranks(grid);
        let placed = Placed::new(grid, placement);
        let used = placement.used_gpus_per_domain();
        let short = !network.can_queue_at_leaf() && placed.is_aligned();
        let digits = placed.grid().digits().iter();
        Self {
            used,
            even: placed.is_aligned(),
            digits: digits.filter(|digit| !short || digit.stride < used).copied().collect(),
            separable: short && placement.has_nic_per_gpu(),
        }
    }

    /// True where borders of domains cut all groups alike: no interface carries more than another.
    #[must_use]
    pub const fn is_even(&self) -> bool {
        self.even
    }

    /// HB domains that so many ranks take.
    #[must_use]
    pub const fn domains_for_ranks(&self, ranks: u32) -> u32 {
        ranks.div_ceil(self.used)
    }

    /// What blocks see of it: equal for layouts of equal tensor, context and expert degrees whose
    /// groups inside a stage sit alike, wherever the stages and the replicas sit.
    #[must_use]
    pub fn block_seating(&self) -> Self {
        let seen = |digit: &&Digit| {
            INSIDE_A_STAGE.iter().any(|group| group.has_digit(digit)) || !self.separable
        };
        Self { digits: self.digits.iter().filter(seen).copied().collect(), ..self.clone() }
    }
}

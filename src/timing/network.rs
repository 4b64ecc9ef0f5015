//! `NetworkModel`, `Seating`: what the clock sees of fabric and placement; fullest uplink over the
//! mean (ECMP hashing).

use crate::hardware::{Nic, Node};
use crate::parallel::{Digit, Group, Placed, Placement, RankGrid, Seats};
use crate::scenario::{Cluster, LoadBalancing};
use crate::units::Bandwidth;

/// Bandwidths and ratios of a network, alike for all its GPUs. Line rates; what collectives
/// reach of them is the GPU generation's calibration.
#[derive(Clone, Debug, PartialEq)]
pub struct NetworkModel {
    /// GPUs K of an HB domain.
    pub domain: u32,
    /// Line rate of a GPU into its HB domain, one way.
    pub hb: Bandwidth,
    /// Interfaces of a domain: its rails.
    pub nics: u32,
    /// Line rate of one interface over all planes, one way.
    pub nic: Bandwidth,
    /// Domains under one leaf of a rail; `None` where a rail is a single switch, or never blocks
    /// and spreads messages evenly, so that no leaf border matters.
    pub leaf_domains: Option<u32>,
    /// Uplink over downlink bandwidth of a leaf within its rail (ρ): 1 never blocks.
    pub within_rail: f64,
    /// Bandwidth across rails over NIC bandwidth (σ): 0 for rail-only, 1 for a full spine.
    pub across_rails: f64,
    /// Planes, each with leaf switches of its own, that share a NIC's bandwidth and are waited for;
    /// read where flows are drawn.
    pub planes: u32,
    /// Messages across rails are forwarded through the HB domain.
    pub forwards: bool,
    /// The switches of a domain sum (NVLink SHARP).
    pub has_summing_switches: bool,
    /// How many GPUs of a domain hold ranks.
    pub seats: Seats,
    /// How messages are spread over the uplinks of a leaf.
    pub balance: UplinkBalance,
}

impl NetworkModel {
    /// A product with an interface on a full-bisection Clos.
    #[must_use]
    pub const fn non_blocking(node: &Node, nic: &Nic) -> Self {
        Self {
            domain: node.gpus,
            hb: node.hb_bandwidth,
            nics: node.nics,
            nic: nic.bandwidth,
            leaf_domains: None,
            within_rail: 1.0,
            across_rails: 1.0,
            planes: 1,
            forwards: node.forwards,
            has_summing_switches: node.hb_reduces,
            seats: Seats::Even,
            balance: UplinkBalance::SPRAY,
        }
    }

    /// The ranks of a grid on the domains.
    #[must_use]
    pub fn place_ranks(&self, grid: &RankGrid) -> Placement {
        Placement::place_groups_whole(grid, self.domain, self.nics, self.seats)
    }

    /// True where messages can queue at the border of a leaf: there are fewer uplinks than
    /// downlinks, or some are fuller than others.
    #[must_use]
    pub fn can_queue_at_leaf(&self) -> bool {
        self.leaf_domains.is_some() && (self.within_rail < 1.0 || !self.balance.is_even())
    }

    /// These machines on a full-bisection Clos.
    #[must_use]
    pub fn full_bisection(&self) -> Self {
        Self { leaf_domains: None, within_rail: 1.0, across_rails: 1.0, ..self.clone() }
    }
}

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

/// How messages are spread over links that lead to the same place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct UplinkBalance {
    /// Who chooses the link, and of what.
    pub by: LoadBalancing,
    /// Flows of a message between two GPUs (queue pairs), each on a link of its own choice; at
    /// least 1.
    pub flows: u32,
}

impl UplinkBalance {
    /// Packets go wherever there is room: all links are equally full.
    pub const SPRAY: Self = Self { by: LoadBalancing::Spray, flows: 1 };

    /// What a cluster's fabric does.
    #[must_use]
    pub const fn from_cluster(cluster: &Cluster) -> Self {
        Self { by: cluster.load_balancing, flows: cluster.flows_per_message }
    }

    /// True where links are equally full whatever flows there are.
    #[must_use]
    pub fn is_even(self) -> bool {
        self.by == LoadBalancing::Spray
    }

    /// Of so many planes those whose leaf switches make a difference to the fullest link of all:
    /// flows that are drawn are drawn in each of them.
    #[must_use]
    pub fn planes_that_wait(self, planes: u32) -> u32 {
        if self.by == LoadBalancing::Ecmp { planes.max(1) } else { 1 }
    }

    /// Bytes of the fullest link over the mean, where `messages` of equal size leave each of
    /// `leafs` leaf switches by `links` links and all of them are waited for (docs/equations.md
    /// §8.7); at least 1.
    #[must_use]
    pub fn fullest_over_mean(self, messages: u64, links: u32, leafs: u32) -> f64 {
        let flows = messages.max(1).saturating_mul(u64::from(self.flows.max(1)));
        let links = links.max(1);
        let mean = flows as f64 / f64::from(links);
        let fullest = match self.by {
            LoadBalancing::Spray => return 1.0,
            LoadBalancing::Adaptive => flows.div_ceil(u64::from(links)) as f64,
            LoadBalancing::Ecmp => expected_max_load(flows, links, leafs),
        };
        (fullest / mean).max(1.0)
    }
}

/// More flows than these are not counted one by one: what the fullest link has beyond the mean then
/// grows with the square root of the mean, as the spread of a sum does.
const EXACT: u64 = 1024;
/// A probability that is proven to be below this, or as near to 1, is taken as 0, or as 1.
const CERTAIN: f64 = 1e-10;
/// Chance of e to the power of minus this is below the last digit of a probability.
const DIGITS: f64 = 37.0;
/// Halvings after which a tilt is known well enough: any tilt gives the same probability.
const HALVINGS: u32 = 40;

/// Flows on the fullest of `links` links of any of `leafs` leaf switches, where each switch has
/// `flows` flows and every flow is on a link drawn by itself, all alike: the expectation, as far
/// from the exact one as [`CERTAIN`] for each number of flows that the fullest link may have.
///
/// Only numbers that are in doubt are counted. More than m flows are on some link with a
/// probability of at most the sum of those of all links; at most m on all of them with at most
/// their product, as flows on one link are missing on others (negative association; Joag-Dev and
/// Proschan 1983).
#[must_use]
pub fn expected_max_load(flows: u64, links: u32, leafs: u32) -> f64 {
    let links = links.max(1);
    if flows == 0 || links == 1 {
        return flows as f64;
    }
    if flows > EXACT {
        let [mean, counted] = [flows, EXACT].map(|flows| flows as f64 / f64::from(links));
        let beyond = expected_max_load(EXACT, links, leafs) - counted;
        return beyond.mul_add((mean / counted).sqrt(), mean);
    }
    let least = flows.div_ceil(u64::from(links));
    let leafs = leafs.max(1);
    let all = f64::from(links) * f64::from(leafs);
    let beyond = tail_probabilities(flows, links);
    let mut expected = least as f64;
    for most in least..flows {
        let one = beyond[most as usize];
        if one * all < CERTAIN {
            break;
        }
        let all_below = if all * (-one).ln_1p() < CERTAIN.ln() {
            0.0
        } else {
            chance_that_fullest_is_at_most(flows, links, most).powf(leafs.into())
        };
        expected += 1.0 - all_below;
    }
    expected
}

/// Entry m: probability that one of `links` links has more than m of `flows` flows.
fn tail_probabilities(flows: u64, links: u32) -> Vec<f64> {
    let others = f64::from(links - 1);
    let mut exactly = flows as f64 * (others / f64::from(links)).ln();
    let mut chances = vec![exactly.exp()];
    for count in 1..=flows {
        exactly += ((flows - count + 1) as f64 / (count as f64 * others)).ln();
        chances.push(exactly.exp());
    }
    let mut above = 0.0;
    for chance in chances.iter_mut().rev() {
        above += std::mem::replace(chance, above);
    }
    chances
}

/// Probability that none of `links` links has more than `most` of `flows` flows: that of so many
/// independent Poisson numbers, none above `most`, given that their sum is `flows`.
///
/// The numbers are tilted such that their mean is that of a link, and the probability of their sum
/// is a mean over points of the unit circle. That many points count sums so far apart as one. Cut
/// Poisson numbers are ultra-log-concave, so that their sum is no more spread than a Poisson number
/// of its mean (Johnson 2007): a sum so far from its mean has a chance below the last digit.
fn chance_that_fullest_is_at_most(flows: u64, links: u32, most: u64) -> f64 {
    let mean = flows as f64 / f64::from(links);
    let mut chances = Vec::with_capacity(most as usize + 1);
    let mut chance = (-mean).exp();
    for count in 0..=most {
        chances.push(chance);
        chance *= mean / (count + 1) as f64;
    }
    let log_all = if most * u64::from(links) == flows {
        // All links are full, in one way.
        f64::from(links) * chances[most as usize].ln()
    } else {
        let tilt = chance_growth_factor(&chances, mean);
        let mut power = 1.0;
        for chance in &mut chances {
            *chance *= power;
            power *= tilt;
        }
        let sum: f64 = chances.iter().sum();
        chances.iter_mut().for_each(|chance| *chance /= sum);
        let of_sum = sum_is(&chances, links, flows);
        f64::from(links).mul_add(sum.ln(), of_sum.ln()) - flows as f64 * tilt.ln()
    };
    (log_all - log_poisson(flows)).exp().clamp(0.0, 1.0)
}

/// Factor by which each next chance has to grow for numbers of that mean.
fn chance_growth_factor(chances: &[f64], mean: f64) -> f64 {
    let is_below = |tilt: f64| {
        let (mut sum, mut above) = (0.0_f64, 0.0_f64);
        // Horner's rule, from the largest number down.
        for (count, chance) in chances.iter().enumerate().rev() {
            sum = sum.mul_add(tilt, *chance);
            above = above.mul_add(tilt, chance * (count as f64 - mean));
        }
        above < 0.0
    };
    let (mut low, mut high) = (1.0, 2.0);
    while is_below(high) {
        low = high;
        high *= 2.0;
    }
    for _ in 0..HALVINGS {
        let middle = f64::midpoint(low, high);
        if is_below(middle) { low = middle } else { high = middle }
    }
    low
}

/// Probability that so many independent numbers with those chances, whose mean is that of the sum
/// over their count, have that sum.
fn sum_is(chances: &[f64], numbers: u32, sum: u64) -> f64 {
    let largest = (chances.len() as u64 - 1) * u64::from(numbers);
    let third = DIGITS / 3.0;
    let far = third + third.mul_add(third, 2.0 * DIGITS * sum as f64).sqrt();
    let points = (far.ceil() as u64 + 1).min(largest + 1);
    // Points below the axis mirror those above.
    let half: f64 = (1..points.div_ceil(2))
        .map(|point| generating_function_at_point(chances, numbers, sum, point, points))
        .sum();
    let opposite = if points.is_multiple_of(2) {
        generating_function_at_point(chances, numbers, sum, 1, 2)
    } else {
        0.0
    };
    (1.0 + opposite + 2.0 * half) / points as f64
}

/// Real part of the generating function of the sum at one of so many points of the unit circle,
/// turned back by the sum.
fn generating_function_at_point(
    chances: &[f64],
    numbers: u32,
    sum: u64,
    point: u64,
    points: u64,
) -> f64 {
    let angle = std::f64::consts::TAU * point as f64 / points as f64;
    let (sin, cos) = angle.sin_cos();
    let (mut real, mut imaginary) = (0.0_f64, 0.0_f64);
    for chance in chances.iter().rev() {
        (real, imaginary) = (real * cos - imaginary * sin + chance, real * sin + imaginary * cos);
    }
    let size = real.hypot(imaginary).powf(numbers.into());
    // Whole turns are taken off before the sum is large.
    let back = (sum % points * point % points) as f64 / points as f64;
    size * (f64::from(numbers) * imaginary.atan2(real) - std::f64::consts::TAU * back).cos()
}

/// Logarithm of the probability that a Poisson number of mean n is n.
fn log_poisson(n: u64) -> f64 {
    (1..=n).map(|count| (n as f64 / count as f64).ln()).sum::<f64>() - n as f64
}

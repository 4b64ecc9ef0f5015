//! How full the fullest uplink of a leaf switch is over the mean, by how a fabric spreads flows.
//! Knows flows, links and leaf switches as numbers only.

use crate::scenario::{Cluster, LoadBalancing};

/// How messages are spread over links that lead to the same place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Balance {
    /// Who chooses the link, and of what.
    pub by: LoadBalancing,
    /// Flows of a message between two GPUs (queue pairs), each on a link of its own choice; at least 1.
    pub flows: u32,
}

/// More flows than these are not counted one by one: what the fullest link has beyond the mean then
/// grows with the square root of the mean, as the spread of a sum does.
const EXACT: u64 = 1024;
/// Probabilities below this are left out.
const NEGLIGIBLE: f64 = 1e-22;
/// Where the fullest links of a fabric have so many flows for certain.
const CERTAIN: f64 = 1e-10;

impl Balance {
    /// Packets go wherever there is room: all links are equally full.
    pub const SPRAY: Self = Self { by: LoadBalancing::Spray, flows: 1 };

    /// What a cluster's fabric does.
    #[must_use]
    pub const fn of(cluster: &Cluster) -> Self {
        Self { by: cluster.load_balancing, flows: cluster.flows_per_message }
    }

    /// True where links are equally full whatever flows there are.
    #[must_use]
    pub fn is_even(self) -> bool {
        self.by == LoadBalancing::Spray
    }

    /// Bytes of the fullest link over the mean, where `messages` of equal size leave each of `leafs`
    /// leaf switches by `links` links and all of them are waited for (docs/equations.md §8.7); at
    /// least 1.
    #[must_use]
    pub fn fullest_over_mean(self, messages: u64, links: u32, leafs: u32) -> f64 {
        let flows = messages.max(1).saturating_mul(u64::from(self.flows.max(1)));
        let links = links.max(1);
        let mean = flows as f64 / f64::from(links);
        let fullest = match self.by {
            LoadBalancing::Spray => return 1.0,
            LoadBalancing::Adaptive => flows.div_ceil(u64::from(links)) as f64,
            LoadBalancing::Ecmp => expected_fullest(flows, links, leafs),
        };
        (fullest / mean).max(1.0)
    }
}

/// Flows on the fullest of `links` links of any of `leafs` leaf switches, where each switch has `flows`
/// flows and every flow is on a link drawn by itself, all alike: the expectation, from the exact
/// distribution of the fullest of so many bins (docs/equations.md §8.7).
#[must_use]
pub fn expected_fullest(flows: u64, links: u32, leafs: u32) -> f64 {
    let links = links.max(1);
    if flows == 0 || links == 1 {
        return flows as f64;
    }
    if flows > EXACT {
        let [mean, counted] = [flows, EXACT].map(|flows| flows as f64 / f64::from(links));
        let beyond = expected_fullest(EXACT, links, leafs) - counted;
        return beyond.mul_add((mean / counted).sqrt(), mean);
    }
    let least = flows.div_ceil(u64::from(links));
    let mut expected = least as f64;
    for most in least..flows {
        let all_below = at_most(flows, links, most).powi(leafs.max(1).min(i32::MAX as u32) as i32);
        expected += 1.0 - all_below;
        if 1.0 - all_below < CERTAIN {
            break;
        }
    }
    expected
}

/// Probability that none of `links` links has more than `most` of `flows` flows: that of so many
/// independent Poisson numbers, none above `most`, given that their sum is `flows`.
fn at_most(flows: u64, links: u32, most: u64) -> f64 {
    let mean = flows as f64 / f64::from(links);
    let mut one = Vec::with_capacity(most as usize + 1);
    let mut weight = (-mean).exp();
    for count in 0..=most {
        one.push(weight);
        weight *= mean / (count + 1) as f64;
    }
    let one = Weights { first: 0, of: one };
    let top = flows as usize;
    let half = one.times(links / 2, top);
    let rest = if links.is_multiple_of(2) { half.clone() } else { half.and(&one, top) };
    half.of_sum(&rest, top) / poisson(flows)
}

/// Probability that a Poisson number of mean n is n.
fn poisson(n: u64) -> f64 {
    let each = (1..=n).map(|of| (n as f64 / of as f64).ln());
    (each.sum::<f64>() - n as f64).exp()
}

/// Probabilities of a sum's values from `first` on; what is negligible at either end is left out.
#[derive(Clone)]
struct Weights {
    first: usize,
    of: Vec<f64>,
}

impl Weights {
    fn at(&self, value: usize) -> f64 {
        value.checked_sub(self.first).and_then(|place| self.of.get(place)).copied().unwrap_or(0.0)
    }

    /// So many of it together, as far as `top`; at least one of it.
    fn times(&self, links: u32, top: usize) -> Self {
        if links < 2 {
            return self.clone();
        }
        let half = self.times(links / 2, top);
        let both = half.and(&half, top);
        if links.is_multiple_of(2) { both } else { both.and(self, top) }
    }

    /// Probability that this and another sum together are `value`.
    fn of_sum(&self, other: &Self, value: usize) -> f64 {
        let each = self.of.iter().enumerate();
        let both = each.filter_map(|(place, weight)| {
            Some(weight * other.at(value.checked_sub(self.first + place)?))
        });
        both.sum()
    }

    /// The sum of both, as far as `top`.
    fn and(&self, other: &Self, top: usize) -> Self {
        let first = self.first + other.first;
        let values = (self.of.len() + other.of.len() - 1).min((top + 1).saturating_sub(first));
        let mut of = vec![0.0; values];
        for (place, weight) in self.of.iter().enumerate() {
            for (sum, add) in of.iter_mut().skip(place).zip(&other.of) {
                *sum += weight * add;
            }
        }
        let before = of.iter().take_while(|weight| **weight < NEGLIGIBLE).count();
        let after = of.iter().rev().take_while(|weight| **weight < NEGLIGIBLE).count();
        of.truncate(of.len().saturating_sub(after).max(before));
        of.drain(..before);
        Self { first: first + before, of }
    }
}

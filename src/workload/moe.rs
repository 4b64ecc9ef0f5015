//! `Moe`: routed experts, load imbalance of experts, ranges of model sizes.

use crate::keys::{Field, Key, Kind, LAYERS_OR_NONE, Values, key, table};

table! {
    /// Mixture-of-experts feed-forward blocks.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Moe, "mixture-of-experts feed-forward blocks" {
        /// Routed experts E of a layer.
        experts: u64, in EXPERTS, "routed experts of a layer".required;
        /// Experts that each token visits.
        top_k: u64, in EXPERTS, "experts that each token visits".required;
        /// Experts that every token visits.
        shared_experts: u64 = 0, in Kind::Count { min: 0, max: 100_000 }, "experts of every token";
        ffn: u64, in WIDTH, "width of one expert" or "the model's ffn" else dense;
        /// Width of an expert that every token visits; `None` for that of a routed one.
        shared_ffn: Option<u64>, in WIDTH, "width of an expert of every token" or "ffn";
        /// Width to which tokens are projected before they go to their experts, and in which those
        /// read and write; `None` for the hidden width.
        latent: Option<u64>, in WIDTH,
            "width to which tokens are projected before they go to their experts" or "hidden";
        /// Routed experts have biases, those of their outputs added apart (GPT-OSS).
        biases: bool = false, "routed experts have biases, those of their outputs added apart";
        /// Layers at the bottom that stay dense, with the model's own `ffn`.
        dense_layers: u32 = 0, in LAYERS_OR_NONE, "layers at the bottom that stay dense";
        /// Tokens that the fullest rank receives, over the even share; 1 where the load is even.
        capacity_factor: f64 = 1.0, in Kind::Number { min: 1.0, max: 1000.0 },
            "tokens of the fullest rank over the even share";
        /// Tokens that each expert receives, in any unit, in the order of the experts; empty where
        /// that is not known.
        loads: Vec<f64>, in LOADS,
            "tokens that each expert receives, in any unit, in the order of the experts" or "even"
            => by_expert;
        /// Standard deviation of the load of an expert over the mean load, where loads are not
        /// known.
        load_deviation: f64 = 0.0, in Kind::Number { min: 0.0, max: 100.0 },
            "standard deviation of the experts' loads over their mean, where `loads` are not known";
        /// Groups of experts of which a token visits only some; `None` where it may visit all.
        limit: Option<GroupLimit> as "groups" = 1, in EXPERTS,
            "equal groups of experts, of which a token visits only some";
    } given { dense: u64, by_expert: Vec<f64> }
    last [GROUPS_PER_TOKEN]
}

/// The second key of a limit on groups.
const GROUPS_PER_TOKEN: Key =
    key("groups_per_token", EXPERTS, "groups that a token visits at most")
        .with_default_words("all");

/// Read at the key of the groups; one group is no limit. Those that a token visits stand beside
/// them.
impl Field for GroupLimit {
    const KIND: Kind = EXPERTS;

    fn read_value(values: &impl Values, key: &Key) -> Option<Self> {
        let groups = u32::read_value(values, key).filter(|groups| *groups > 1)?;
        Some(Self { groups, most: u32::read_value(values, &GROUPS_PER_TOKEN).unwrap_or(groups) })
    }
}

/// A limit on the places that the experts of one token lie in: experts are in equal groups, one
/// after the other, and a token visits experts of the best groups only (DeepSeek-V2's
/// device-limited and DeepSeek-V3's node-limited routing).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct GroupLimit {
    /// Groups of a layer's experts; they divide the experts.
    pub groups: u32,
    /// Groups that a token visits at most.
    pub most: u32,
}

/// What decides how many places the experts of a token lie in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Routing {
    /// Routed experts of a layer.
    pub experts: u32,
    /// Different experts that each token visits.
    pub top_k: u32,
    /// Groups of which it visits only some.
    pub limit: Option<GroupLimit>,
}

impl Moe {
    /// Width of all experts that every token visits, together.
    #[must_use]
    pub fn shared_width(&self) -> u64 {
        self.shared_experts * self.shared_ffn.unwrap_or(self.ffn)
    }

    /// Width of a token on its way to its experts and inside them, on a model of width `hidden`.
    #[must_use]
    pub fn token_width(&self, hidden: u64) -> u64 {
        self.latent.unwrap_or(hidden)
    }

    /// How a token's experts are drawn.
    #[must_use]
    pub fn routing(&self) -> Routing {
        let small = |count: u64| u32::try_from(count).unwrap_or(u32::MAX);
        Routing { experts: small(self.experts), top_k: small(self.top_k), limit: self.limit }
    }
}

/// Deviations beyond which a normal number is not looked for, and points for each deviation.
const FARTHEST: u32 = 8;
const POINTS: u32 = 128;

impl Moe {
    /// True where ranks with experts receive unlike numbers of tokens, as far as is stated.
    #[must_use]
    pub fn is_uneven(&self) -> bool {
        !self.loads.is_empty() || self.load_deviation > 0.0 || self.capacity_factor > 1.0
    }

    /// These experts, evenly loaded.
    #[must_use]
    pub fn evenly_loaded(&self) -> Self {
        Self { loads: Vec::new(), load_deviation: 0.0, capacity_factor: 1.0, ..self.clone() }
    }

    /// Tokens of the fullest of so many ranks over the mean of the ranks, which hold as many
    /// experts each, one after the other; 1 where loads are even, or one rank holds all experts.
    #[must_use]
    pub fn max_over_mean_load(&self, ranks: u32) -> f64 {
        let ranks = ranks.max(1);
        let stated = if !self.loads.is_empty() {
            fullest_rank_load(&self.loads, ranks)
        } else if self.load_deviation > 0.0 {
            self.expected_fullest_load(ranks)
        } else {
            1.0
        };
        stated * self.capacity_factor
    }

    /// Loads of experts as independent normal numbers about their mean: the expected maximum of the
    /// ranks' means. No rank receives more than one copy of a token for each of its experts.
    fn expected_fullest_load(&self, ranks: u32) -> f64 {
        let held = (self.experts as f64 / f64::from(ranks)).max(1.0);
        let all = f64::from(ranks) * (held / self.top_k.max(1) as f64).min(1.0);
        let beyond = self.load_deviation / held.sqrt() * expected_maximum(ranks);
        (1.0 + beyond).min(all.max(1.0))
    }
}

/// The fullest of so many ranks by the loads of all experts.
fn fullest_rank_load(loads: &[f64], ranks: u32) -> f64 {
    let held = loads.len().div_ceil(ranks as usize).max(1);
    let all: f64 = loads.iter().sum();
    let of_ranks = loads.chunks(held).map(|values| values.iter().sum::<f64>());
    let fullest = of_ranks.fold(0.0, f64::max);
    if all > 0.0 { fullest * f64::from(ranks) / all } else { 1.0 }
}

/// Expected maximum of so many independent normal numbers of mean 0 and deviation 1: with Φ their
/// distribution, ∫₀^∞ 1 − Φⁿ − (1 − Φ)ⁿ. The integrand is flat at both ends, so that the trapezoid
/// rule is exact to many digits; Φ is summed up by Simpson's rule on the way.
fn expected_maximum(count: u32) -> f64 {
    let count = f64::from(count);
    let density = |x: f64| (-x * x / 2.0).exp() / std::f64::consts::TAU.sqrt();
    let width = 1.0 / f64::from(POINTS);
    let height = |below: f64| 1.0 - below.powf(count) - (1.0 - below).max(0.0).powf(count);
    let (mut below, mut area) = (0.5, height(0.5) / 2.0);
    for point in 1..=FARTHEST * POINTS {
        let to = f64::from(point) * width;
        let mean = density(to - width) + 4.0 * density(to - width / 2.0) + density(to);
        below = f64::min(below + mean * width / 6.0, 1.0);
        area += height(below);
    }
    area * width
}

/// Largest count of layers: three times ten thousand is beyond any published model, and stage
/// lists are as long as this.
pub(super) const LAYERS: Kind = Kind::Count { min: 1, max: 10_000 };
/// Widths of matrices, heads, experts: bounded so that products of a few stay exact.
pub(super) const WIDTH: Kind = Kind::Count { min: 1, max: 10_000_000 };
/// Ranks of compressed forms.
pub(super) const RANK_OR_NONE: Kind = Kind::Count { min: 0, max: 10_000_000 };
/// Heads of a mixer.
pub(super) const HEADS: Kind = Kind::Count { min: 1, max: 100_000 };
/// Experts of a layer.
const EXPERTS: Kind = Kind::Count { min: 1, max: 100_000 };
/// Loads of experts in any unit.
const LOADS: Kind = Kind::Some(&Kind::Number { min: 0.0, max: 1e18 });
/// Tokens of a sequence or a window.
pub(super) const TOKENS: Kind = Kind::Count { min: 1, max: 1_000_000_000 };
/// Tokens that a convolution sees.
pub(super) const TAPS: Kind = Kind::Count { min: 1, max: 1024 };

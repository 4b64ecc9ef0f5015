//! Routed experts: how many, how wide, and how a token's experts are drawn.

use super::ranges::{EXPERTS, LOADS, WIDTH};
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
        /// Width of one expert.
        ffn: u64, in WIDTH, "width of one expert" or "the model's ffn" else dense;
        /// Width of an expert that every token visits; `None` for that of a routed one.
        shared_ffn: Option<u64>, in WIDTH, "width of an expert of every token" or "ffn";
        /// Width to which tokens are projected before they go to their experts, and in which those
        /// read and write; `None` for the hidden width.
        latent: Option<u64>, in WIDTH,
            "width to which tokens are projected before they go to their experts" or "hidden";
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
        /// Standard deviation of the load of an expert over the mean load, where loads are not known.
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

/// Read at the key of the groups; one group is no limit. Those that a token visits stand beside them.
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

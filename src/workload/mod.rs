//! What is trained and how: nouns and their invariants. No bytes on wires, no seconds.

mod layer_pattern;
mod model;
pub(crate) mod moe;
mod parameters;
mod recompute;
mod recurrent;
mod technique;
mod training;

pub use layer_pattern::{FeedForward, Layer, Mixer, Pattern, PatternProblem};
pub(crate) use model::InnerTables;
pub use model::{LatentAttention, Model, SlidingWindow};
pub use moe::{GroupLimit, Moe, Routing};
pub use parameters::Parameters;
pub use recompute::{ModelPart, Recompute, RecomputeModule, RecomputeModules};
pub use recurrent::{Delta, Mamba};
pub use technique::{
    Demo, DemoGather, DemoScope, HandOver, MultiLevel, Offload, Sil, SilTurns, Swap, Swapped,
    Technique, Techniques,
};
pub use training::{
    Algorithms, Collectives, ContextExchange, Dispatcher, Framework, Graphs, Precision, Training,
};

//! What is trained and how: nouns and their invariants. No bytes on wires, no seconds.

mod collectives;
mod elements;
mod framework;
mod load;
mod model;
pub(crate) mod moe;
mod parameters;
mod pattern;
mod ranges;
mod recurrent;
mod technique;
mod training;

pub use collectives::{Algorithms, Collectives};
pub use framework::{ContextExchange, Dispatcher, Framework, Graphs};
pub(crate) use model::InnerTables;
pub use model::{LatentAttention, Model, SlidingWindow};
pub use moe::{GroupLimit, Moe, Routing};
pub use parameters::Parameters;
pub use pattern::{FeedForward, Layer, Mixer, Pattern, PatternProblem};
pub use recurrent::{Delta, Mamba};
pub use technique::{
    Demo, DemoGather, DemoScope, HandOver, MultiLevel, Offload, Sil, SilTurns, Swap, Swapped,
    Technique, Techniques,
};
pub use training::{Precision, Recompute, Training};

//! What is trained and how: nouns and their invariants. No bytes on wires, no seconds.

mod collectives;
mod framework;
mod load;
mod model;
mod parameters;
mod technique;
mod training;

pub use collectives::{Algorithms, Collectives};
pub use framework::{ContextExchange, Dispatcher, Framework, Graphs};
pub use model::{GroupLimit, LatentAttention, Model, Moe, Routing, SlidingWindow};
pub use parameters::Parameters;
pub use technique::{
    Demo, Gather, HandOver, MultiLevel, Offload, Scope, Sil, Swap, Swapped, Technique, Techniques,
    Turns,
};
pub use training::{Precision, Recompute, Training};

//! Training techniques as functions from a step to a step: each changes who says how much, what
//! is kept, or what may hide, and nothing else. Matrix, clock and memory read the result as they
//! read any step, so that what a technique saves is computed and never quoted.
//!
//! A [`Recipe`] is all that a step follows from; [`Recipe::step`] makes it and passes it through
//! every technique that is on. The multi-level cycle makes several steps of one run instead:
//! [`Recipe::phases`]. Knows no hardware: what a byte or a FLOP takes is the clock's business.

mod demo;
mod fused_tensor;
mod multilevel;
mod narrow_pipeline;
mod notes;
mod offload;
mod recipe;
mod rules;
mod sil;
mod swap;
mod tensors;

pub use demo::{break_even_replicas, own_payload};
pub use multilevel::{Phase, smaller};
pub use notes::notes;
pub use recipe::{Recipe, schedule, switched};
pub use tensors::{Tensor, matrices};

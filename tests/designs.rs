//! What is decided: designs, their proofs and what stands beside them.

mod cases;
mod clusters;
mod compare;
mod design;
mod feasible_set;
mod program;
mod refuted;
mod support;

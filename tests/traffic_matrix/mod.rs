//! The traffic matrix against simulations that send every message, and against papers.

mod case;
mod copies;
mod idle;
mod leaf;
mod megatron;
mod narayanan;
mod oracle;
mod paper;
mod recorded;
mod simulation;
mod wire;

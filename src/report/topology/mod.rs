//! Writes a fabric's graph for other programs: Graphviz, GraphML readers, JSON, and the people
//! who pull the cables. Counts nothing.
//!
//! Names of nodes are made of letters, digits, dots and dashes; names of models are keys of a
//! catalogue, from which each format drops what it would have to escape.

pub(super) mod drawing;
pub(super) mod export;
mod failures;
mod graph_files;
mod json;
mod summary;

pub use drawing::draw_fabric;
pub use export::{Drawn, TopologyFormat, draw_fabrics, topologies_text, topology_text};
pub use failures::FailureSheet;
pub use summary::{TopologySheet, render_topologies};

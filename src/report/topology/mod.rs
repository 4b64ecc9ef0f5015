//! Writes a fabric's graph for other programs: Graphviz, GraphML readers, JSON, and the people
//! who pull the cables. Counts nothing.
//!
//! Names of nodes are made of letters, digits, dots and dashes; names of models are keys of a
//! catalogue, from which each format drops what it would have to escape.

mod cabling;
mod dot;
pub(super) mod drawing;
mod failures;
mod format;
mod graphml;
mod json;
mod names;
pub(super) mod several;
mod summary;

pub use self::drawing::draw_fabric;
pub use failures::FailureSheet;
pub use format::{TopologyFormat, topology_text};
pub use several::{Drawn, draw_fabrics, topologies_text};
pub use summary::{TopologySheet, render_topologies};

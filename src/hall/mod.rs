//! A hall: where each machine and switch of a fabric stands, and how long each of its cables is. Buys
//! nothing and chooses no fabric.
//!
//! Rules of placing are in [`placed`], those of lengths in [`way`] (docs/equations.md §7.16, docs/halls.md).

mod beside;
mod cabling;
mod colour;
mod device;
mod draft;
mod group;
mod kinds;
mod pieces;
mod place;
mod ports;
mod problem;
mod rack;
mod spot;
mod way;

pub use beside::{Beside, Others};
pub use cabling::{Cabling, Run, cabling};
pub use colour::{COLOURS, Colour};
pub use device::{Device, End, Port};
pub use kinds::{Joined, Kinds};
pub use pieces::Pieces;
pub use place::{Body, Floor, Machines, Sharing, Site, placed};
pub use problem::HallProblem;
pub(crate) use problem::more_of;
pub use rack::{RackPlace, RackRole, Seat};
pub use spot::Spot;
pub use way::{RACK_UNIT, way};

//! A hall: where each machine and switch of a fabric stands, and how long each of its cables is. Buys
//! nothing and chooses no fabric.
//!
//! Rules of placing are in [`place_racks`], those of lengths in [`way`] (docs/equations.md §7.16, docs/halls.md).

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

pub use beside::{DeviceGroup, OtherDevices};
pub use cabling::{CableRun, Cabling, lay_fabric_cables};
pub use colour::{COLOURS, Colour};
pub use device::{Device, End, Port};
pub use kinds::{LinkKindInHall, LinkKinds};
pub use pieces::CableOrder;
pub use place::{DeviceBody, Floor, HallSite, MachineBodies, Sharing, place_racks};
pub use problem::HallProblem;
pub(crate) use problem::more_of;
pub use rack::{RackPlace, RackRole, RackSeat};
pub use spot::Spot;
pub use way::{RACK_UNIT, cable_length};

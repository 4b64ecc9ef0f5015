//! A hall: where each machine and switch of a fabric stands, and how long each of its cables is.
//! Buys nothing and chooses no fabric.
//!
//! Rules of placing are in [`place_racks`], those of lengths in [`cable_route`] (docs/equations.md
//! §7.16, docs/halls.md).

mod cable_route;
mod cabling;
mod placement;
mod rack;
mod rack_filling;

pub use cable_route::{COLOURS, Colour, LinkKindInHall, LinkKinds, RACK_UNIT, cable_length};
pub use cabling::{CableOrder, CableRun, Cabling, lay_fabric_cables};
pub use placement::{DeviceBody, Floor, HallSite, MachineBodies, Sharing, place_racks};
pub(crate) use rack::more_of;
pub use rack::{Device, End, HallProblem, Port, RackPlace, RackRole, RackSeat, Spot};
pub use rack_filling::{DeviceGroup, OtherDevices};

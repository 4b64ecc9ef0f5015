//! What can be bought: GPUs, nodes (HB-domain products), NICs, switches, optics, and their
//! prices. Nouns only; counts are the fabric's, sums of money are `cost`'s.

mod cage;
mod calibration;
mod catalogue;
mod exchange;
mod link;
mod month;
mod node;
mod parts;
mod peaks;
mod price;
mod rack;

pub use cage::Cage;
pub use calibration::Calibration;
pub use catalogue::Catalogue;
pub use exchange::Exchange;
pub use link::{Cable, CableKind, LinkKind, LinkPricing};
pub use month::Month;
pub use node::{Gpu, Inside, Node};
pub use parts::{Nic, Optic, OpticGrade, Protocol, Switch};
pub use peaks::Peaks;
pub use price::{Basis, Item, Price, PriceBook};
pub use rack::{RACK_POWER, Rack, Space};

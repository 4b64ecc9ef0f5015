//! What can be bought: GPUs, nodes (HB-domain products), NICs, switches, optics, and their
//! prices. Nouns only; counts are the fabric's, sums of money are `cost`'s.

mod appliance;
mod cage;
mod calibration;
mod catalogue;
mod exchange;
mod family;
mod link;
mod month;
mod node;
mod parts;
mod peaks;
pub(crate) mod price;
mod quote;
mod rack;

pub use appliance::Appliance;
pub use cage::Cage;
pub use calibration::Calibration;
pub use catalogue::Catalogue;
pub use exchange::Exchange;
pub use family::{Family, HbKind, HbRate, Striping};
pub use link::{Cable, CableKind, LinkKind, LinkPricing};
pub use month::Month;
pub use node::{DomainInside, Gpu, Node};
pub use parts::{Nic, Optic, OpticGrade, Protocol, Switch};
pub use peaks::Peaks;
pub use price::{FamilyPrices, Price, PriceBasis, PriceBook, PricedItem};
pub use quote::{Included, PriceLevel, Quote, Tier};
pub use rack::{RACK_POWER, Rack, RackSpace};

//! What can be bought: GPUs, nodes (HB-domain products), NICs, switches, optics, and their
//! prices. Nouns only; counts are the fabric's, sums of money are `cost`'s.

mod calibration;
mod catalogue;
mod month;
mod network_parts;
mod node;
pub(crate) mod price;
mod quote;
mod rack;

pub use calibration::{Calibration, Peaks};
pub use catalogue::{Cable, CableKind, Catalogue, LinkKind, LinkPricing};
pub use month::Month;
pub use network_parts::{Cage, Nic, Optic, OpticGrade, Protocol, Switch};
pub use node::{
    Appliance, DomainInside, Family, Gpu, HbKind, HbRate, NcclGeneration, Node, Striping,
};
pub use price::{FamilyPrices, Price, PriceBasis, PriceBook, PricedItem};
pub use quote::{Exchange, Included, PriceLevel, Quote, Tier};
pub use rack::{RACK_POWER, Rack, RackSpace};

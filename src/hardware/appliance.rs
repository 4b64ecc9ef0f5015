//! Switches and servers that stand beside the compute network. A design chooses none of them.

use crate::keys::{DATE, Kind, NOTE, PRICE, SOURCE, table};
use crate::units::Watts;

table! {
    /// A switch or a server of the other networks.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Appliance, "a switch or a server of the other networks" {
        /// Ports for what hangs on it; none of a server.
        ports: u32 = 0, in Kind::Count { min: 0, max: 65_536 }, "ports for what hangs on it";
        /// Power.
        power: Watts, "power".required;
        /// Height in rack units.
        rack_units: u32 = 1, in Kind::Count { min: 1, max: 1_000 }, "height in rack units";
    } besides {
        /// Name in the catalogue; the key of its price.
        name: String,
    }
    last [PRICE, SOURCE, DATE, NOTE]
}

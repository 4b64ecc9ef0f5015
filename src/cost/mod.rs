//! Money and watts: the only place where a price is multiplied. Counts come from elsewhere.

mod beside;
mod bill;
mod chain;
mod family;
mod installation;
mod joint;
mod links;
mod lookup;
mod network;
mod quote_share;
mod spares;
mod terms;
mod total;
mod whole;

pub use beside::beside;
pub use bill::{
    BillLine, Bought, Parts, Role, bill, change_range, grown, joined, of_standby, paid, repriced,
};
pub use chain::{Stock, least_weights, paid_after};
pub use family::{HbCost, domain_price, hb_cost};
pub use installation::{Work, installation};
pub use joint::{Joint, joint};
pub use links::{Between, LinkPart, LinkParts};
pub use lookup::{
    built_in_nic_price, covering_price, electricity, host_memory_price, nic_price, node_price,
    optic_price, part_price, switch_price, with_ports_at,
};
pub use network::network;
pub use quote_share::{MachineQuote, are_comparable, machine_quotes};
pub use spares::spares;
pub use terms::{Terms, at_later_prices};
pub use total::{Cost, HOURS_PER_YEAR, Running, Whole, energy_of_one_watt, range_of_sum, total};
pub use whole::whole;

//! Money and watts: the only place where a price is multiplied. Counts come from elsewhere.

mod bill;
mod chain;
mod links;
mod lookup;
mod network;
mod spares;
mod terms;
mod total;

pub use bill::{BillLine, Bought, Parts, Role, bill, change_range, grown, joined, paid, repriced};
pub use chain::{Stock, least_weights, paid_after};
pub use links::{Between, Joint, LinkPart, LinkParts};
pub use lookup::{
    electricity, host_memory_price, nic_price, node_price, optic_price, part_price, switch_price,
    with_ports_at,
};
pub use network::network;
pub use spares::spares;
pub use terms::{Terms, at_later_prices};
pub use total::{Cost, HOURS_PER_YEAR, Running, energy_of_one_watt, range_of_sum, total};

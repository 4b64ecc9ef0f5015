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

pub use beside::other_network_lines;
pub use bill::{
    BillLine, BillParts, PurchasedPart, Role, bill, change_range, grown, merge_bills, paid,
    repriced, standby_cost,
};
pub use chain::{SharedStock, least_weights, paid_after};
pub use family::{HbCost, domain_price, hb_cost};
pub use installation::{InstallationWork, installation};
pub use joint::{LinkWithCable, joint};
pub use links::{LinkEndParts, LinkPart, LinkParts};
pub use lookup::{
    built_in_nic_price, covering_price, electricity, host_memory_price, nic_price, node_price,
    optic_price, part_price, price_by_port_count, switch_price,
};
pub use network::network;
pub use quote_share::{MachineQuote, are_comparable, machine_quotes};
pub use spares::spares;
pub use terms::{BuyerTerms, scale_prices};
pub use total::{
    Cost, GrandTotal, HOURS_PER_YEAR, OperatingTime, energy_of_one_watt, range_of_sum, total,
};
pub use whole::grand_total;

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
    BillLine, BillParts, PurchasedPart, Role, bill_lines, change_range, merge_bills,
    merge_stage_bills, paid_for_roles, reprice_part, standby_cost,
};
pub use chain::{SharedStock, least_weights, paid_after};
pub use family::{HbCost, domain_price, hb_cost};
pub use installation::{InstallationWork, installation_lines};
pub use joint::{LinkWithCable, cheapest_link_with_cable};
pub use links::{LinkEndParts, LinkPart, LinkParts};
pub use lookup::{
    built_in_nic_price, covering_price, electricity_price, host_memory_price, nic_price,
    node_price, optic_price, part_price, price_by_port_count, switch_price,
};
pub use network::fabric_bill;
pub use quote_share::{MachineQuote, are_comparable, machine_quotes};
pub use spares::spare_stock;
pub use terms::{BuyerTerms, scale_prices};
pub use total::{
    Cost, GrandTotal, HOURS_PER_YEAR, OperatingTime, energy_of_one_watt, range_of_sum, sum_bill,
};
pub use whole::grand_total;

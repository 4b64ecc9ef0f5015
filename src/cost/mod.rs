//! Money and watts: the only place where a price is multiplied. Counts come from elsewhere.

mod bill;
mod bill_sums;
mod link_cable;
mod link_parts;
mod other_costs;
mod price_lookup;
mod total;

pub use bill::{BillLine, BillParts, PurchasedPart, Role, bill_lines, spare_stock};
pub use bill_sums::{
    MachineQuote, SharedStock, are_comparable, change_range, least_weights, machine_quotes,
    merge_bills, merge_stage_bills, paid_after, paid_for_roles, reprice_part, standby_cost,
};
pub use link_cable::{LinkDemand, LinkWithCable, cheapest_link_with_cable};
pub use link_parts::{LinkEndParts, LinkPart, LinkParts};
pub use other_costs::{
    HbCost, InstallationWork, domain_price, fabric_bill, grand_total, hb_cost, installation_lines,
    other_network_lines,
};
pub use price_lookup::{
    BuyerTerms, built_in_nic_price, covering_price, electricity_price, host_memory_price,
    nic_price, node_price, optic_price, part_price, price_by_port_count, scale_prices,
    switch_price,
};
pub use total::{
    Cost, GrandTotal, HOURS_PER_YEAR, OperatingTime, energy_of_one_watt, range_of_sum, sum_bill,
};

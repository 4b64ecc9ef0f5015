//! Everything that is chosen before a network: machines, layouts, rank orders, planes, protocols.

pub(super) mod candidates;
pub(super) mod kept_layouts;
pub(super) mod layouts;
pub(super) mod machine_cost;
pub(super) mod other_networks;
pub(super) mod priced_links;
pub(super) mod product_listing;
pub(super) mod standby;

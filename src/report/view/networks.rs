//! The networks beside the compute network, in words.

use super::super::document::Section;
use super::super::number;
use super::super::table::{Cell, Column, Table};
use crate::cost::BillLine;
use crate::design::OtherNetworks;
use crate::units::Usd;

/// The section; empty where none was asked for.
pub(super) fn other_networks_section(networks: Option<&OtherNetworks>) -> Section {
    let Some(networks) = networks else { return Section::new("", "") };
    let lead = format!(
        "{}, in the grand total alone; draws {}, {}",
        number::money(networks.capex),
        number::power(networks.power),
        number::count_with_noun(networks.rack_units, "rack unit", "rack units"),
    );
    let mut section =
        Section::new("OTHER NETWORKS", lead).add_table(network_bill_table(&networks.bill));
    for line in network_counts_lines(networks) {
        section = section.add_line(line);
    }
    section
}

/// The installation; empty where none was asked for.
pub(super) fn installation_section(bill: &[BillLine]) -> Section {
    if bill.is_empty() {
        return Section::new("", "");
    }
    let sum: Usd = bill.iter().map(|line| line.total).sum();
    let lead = format!("{}, in the grand total alone", number::money(sum));
    let section = Section::new("INSTALLATION", lead).add_table(network_bill_table(bill));
    let unpriced: Vec<&str> =
        bill.iter().filter(|line| line.unit.is_none()).map(|line| line.part.as_str()).collect();
    match unpriced.is_empty() {
        true => section,
        false => section.add_line(format!("without a price: {}", unpriced.join(", "))),
    }
}

/// What each network is made of.
fn network_counts_lines(networks: &OtherNetworks) -> Vec<String> {
    let mut all = Vec::new();
    let switches = |count: u64| number::count_with_noun(count, "switch", "switches");
    let count = |count: u64| number::count(count);
    if let Some((model, counts)) = &networks.storage {
        all.push(format!(
            "storage: {} {model}: {} for machines, {} for storage, {} spines; links: {} of machines, {} \
             of storage, {} between switches",
            switches(counts.switch_count()),
            count(counts.node_leafs),
            count(counts.storage_leafs),
            count(counts.spines),
            count(counts.node_links),
            count(counts.storage_links),
            count(counts.uplinks),
        ));
    }
    if let Some((model, counts)) = &networks.in_band {
        all.push(format!(
            "in-band: {} {model}: {} in pairs, {} cores; links: {} of hosts, {} up, {} in pairs, {} \
             outside",
            switches(counts.switch_count()),
            count(counts.leafs),
            count(counts.cores),
            count(counts.host_links),
            count(counts.uplinks),
            count(counts.peer_links),
            count(counts.outside),
        ));
    }
    if let Some((model, counts)) = &networks.out_of_band {
        all.push(format!(
            "out-of-band: {} {model}; links: {} of controllers, {} up",
            switches(counts.switches),
            count(counts.host_links),
            count(counts.uplinks),
        ));
    }
    if let Some((machines, others)) = networks.racks {
        all.push(format!(
            "control: {}, {}; {} of machines, {} of switches and servers",
            number::count_with_noun(networks.managers, "fabric manager", "fabric managers"),
            number::count_with_noun(networks.servers, "management server", "management servers"),
            number::count_with_noun(machines, "rack", "racks"),
            count(others),
        ));
    }
    for name in &networks.impossible {
        all.push(format!(
            "networks.{name} can't be built: its switch has too few ports for so many machines"
        ));
    }
    let unpriced: Vec<&str> = networks
        .bill
        .iter()
        .filter(|line| line.unit.is_none())
        .map(|line| line.part.as_str())
        .collect();
    if !unpriced.is_empty() {
        all.push(format!("without a price: {}", unpriced.join(", ")));
    }
    all.push("copper and management cables are counted and not priced".to_owned());
    all
}

/// What is bought.
fn network_bill_table(bill: &[BillLine]) -> Table {
    let mut table = Table::new(vec![
        Column::words("part", "part"),
        Column::words("", "role"),
        Column::numbers("count", "count"),
        Column::numbers("each", "unit_usd"),
        Column::numbers("total", "total_usd"),
        Column::numbers("draws", "draw_w"),
        Column::words("basis", "basis"),
        Column::words("dated", "date"),
    ]);
    for line in bill {
        let price = line.unit.as_ref();
        table.push_row(vec![
            Cell::words(&line.part),
            Cell::words(line.role.name()),
            Cell::count(line.count),
            price.map_or_else(Cell::no_value, |price| Cell::money(price.amount)),
            price.map_or_else(Cell::no_value, |_| Cell::money(line.total)),
            Cell::with_text_and_value(number::power(line.power_draw()), line.power_draw().get()),
            price.map_or_else(|| Cell::words("unpriced"), |price| Cell::words(price.basis.name())),
            price.map_or_else(Cell::no_value, |price| Cell::words(&price.date)),
        ]);
    }
    table
}

//! How many pieces there are to install in a design and the networks beside it. The choice of the
//! design sees none of it.

use super::networks::OtherNetworks;
use crate::cost::{BillLine, Role, installation_lines as priced};
use crate::design::candidate::job::Job;
use crate::design::fabric::racks::RackReport;
use crate::fabric::Counts;

/// The lines of the installation; empty where the spec asks for none.
pub(super) fn installation_lines(
    job: &Job<'_>,
    counts: &Counts,
    bill: &[BillLine],
    networks: Option<&OtherNetworks>,
    racks: Option<&RackReport>,
) -> Vec<BillLine> {
    let Some(asked) = &job.scenario.installation else { return Vec::new() };
    let of_bill: u64 =
        bill.iter().filter(|line| line.role == Role::Cable).map(BillLine::powered_count).sum();
    // Links that are counted by their ends have no cable on the bill.
    let links = if of_bill == 0 { counts.link_count() } else { 0 };
    let cables = of_bill + links + networks.map_or(0, links_of_other_networks);
    let switches = counts.switch_count() + networks.map_or(0, switches_of_other_networks);
    let machines = job.domains_to_buy()
        + networks.map_or(0, |other_networks| other_networks.managers + other_networks.servers);
    let racks = racks.map_or(0, RackReport::total_racks);
    let work = [
        ("cables", cables, asked.cable),
        ("switches", switches, asked.switch),
        ("machines and servers", machines, asked.machine),
        ("racks", racks, asked.rack),
    ];
    priced(&work, links, &job.scenario.prices)
}

/// Links of the other networks. Those between the two management networks are ports of in-band where
/// there is one.
fn links_of_other_networks(networks: &OtherNetworks) -> u64 {
    let storage = networks.storage.as_ref();
    let storage =
        storage.map_or(0, |(_, counts)| counts.node_links + counts.storage_links + counts.uplinks);
    let in_band = networks.in_band.as_ref();
    let in_band = in_band.map_or(0, |(_, counts)| {
        counts.host_links + counts.uplinks + counts.peer_links + counts.outside
    });
    let between = networks.in_band.is_none();
    let out_of_band = networks.out_of_band.as_ref();
    let out_of_band = out_of_band
        .map_or(0, |(_, counts)| counts.host_links + if between { counts.uplinks } else { 0 });
    storage + in_band + out_of_band
}

/// Switches of the other networks.
fn switches_of_other_networks(networks: &OtherNetworks) -> u64 {
    networks.storage.as_ref().map_or(0, |(_, counts)| counts.switch_count())
        + networks.in_band.as_ref().map_or(0, |(_, counts)| counts.switch_count())
        + networks.out_of_band.as_ref().map_or(0, |(_, counts)| counts.switches)
}

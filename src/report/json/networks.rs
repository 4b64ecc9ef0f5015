//! The networks beside the compute network as programs read them.

use serde::Serialize;

use super::super::number::exact_number;
use super::bill::BillLineJson;
use crate::design::OtherNetworks;

/// The networks that were asked for.
#[derive(Serialize)]
pub(super) struct Networks {
    #[serde(skip_serializing_if = "Option::is_none")]
    storage: Option<Storage>,
    #[serde(skip_serializing_if = "Option::is_none")]
    in_band: Option<InBand>,
    #[serde(skip_serializing_if = "Option::is_none")]
    out_of_band: Option<OutOfBand>,
    managers: u64,
    servers: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    racks: Option<Racks>,
    bom: Vec<BillLineJson>,
    capex_usd: f64,
    power_w: f64,
    rack_units: u64,
    impossible: Vec<&'static str>,
}

#[derive(Serialize)]
struct Storage {
    switch: String,
    switches: u64,
    node_leafs: u64,
    storage_leafs: u64,
    spines: u64,
    node_links: u64,
    storage_links: u64,
    uplinks: u64,
}

#[derive(Serialize)]
struct InBand {
    switch: String,
    switches: u64,
    leafs: u64,
    cores: u64,
    host_links: u64,
    uplinks: u64,
    peer_links: u64,
    outside_links: u64,
}

#[derive(Serialize)]
struct OutOfBand {
    switch: String,
    switches: u64,
    host_links: u64,
    uplinks: u64,
}

#[derive(Serialize)]
struct Racks {
    machines: u64,
    switches_and_servers: u64,
}

impl Networks {
    pub(super) fn new(networks: &OtherNetworks) -> Self {
        Self {
            storage: networks.storage.as_ref().map(|(switch, counts)| Storage {
                switch: switch.clone(),
                switches: counts.switch_count(),
                node_leafs: counts.node_leafs,
                storage_leafs: counts.storage_leafs,
                spines: counts.spines,
                node_links: counts.node_links,
                storage_links: counts.storage_links,
                uplinks: counts.uplinks,
            }),
            in_band: networks.in_band.as_ref().map(|(switch, counts)| InBand {
                switch: switch.clone(),
                switches: counts.switch_count(),
                leafs: counts.leafs,
                cores: counts.cores,
                host_links: counts.host_links,
                uplinks: counts.uplinks,
                peer_links: counts.peer_links,
                outside_links: counts.outside,
            }),
            out_of_band: networks.out_of_band.as_ref().map(|(switch, counts)| OutOfBand {
                switch: switch.clone(),
                switches: counts.switches,
                host_links: counts.host_links,
                uplinks: counts.uplinks,
            }),
            managers: networks.managers,
            servers: networks.servers,
            racks: networks
                .racks
                .map(|(machines, switches_and_servers)| Racks { machines, switches_and_servers }),
            bom: networks.bill.iter().map(BillLineJson::new).collect(),
            capex_usd: exact_number(networks.capex.get()),
            power_w: exact_number(networks.power.get()),
            rack_units: networks.rack_units,
            impossible: networks.impossible.clone(),
        }
    }
}

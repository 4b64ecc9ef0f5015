//! Each network beside the compute network is switched and billed by its own table. What published
//! architectures have of them is in `published_bills`.

use planner::cost::BillLine;
use planner::design::{NetworkSite, OtherNetworks, other_networks};
use planner::scenario::Scenario;
use planner::spec::{self, SpecText};
use planner::units::Bandwidth;

/// A spec that asks for all other networks, with `more` lines in it.
pub(crate) fn scenario(more: &str) -> Scenario {
    let all =
        "[networks.storage]\n[networks.in_band]\n[networks.out_of_band]\n[networks.control]\n";
    scenario_of(&format!("{all}{more}"))
}

/// A spec with those tables.
pub(crate) fn scenario_of(tables: &str) -> Scenario {
    let text = format!(
        "[model]\npreset = \"llama3-8b\"\n[training]\nglobal_batch = 512\n[cluster]\ngpus = 256\n\
         node = \"dgx-h100\"\n{tables}"
    );
    spec::read_scenario(&SpecText::new("networks.toml", text), &[]).expect("it is sound")
}

pub(crate) fn pieces(networks: &OtherNetworks, part: &str) -> u64 {
    networks.bill.iter().find(|line| line.part == part).map_or(0, |line| line.count)
}

/// Each network is asked for by its own table, and what it costs is beside the totals.
#[test]
fn each_network_is_switched_by_its_table() {
    let site = NetworkSite { nodes: 32, switches: 12, infiniband: false, racks: Some((8, 1)) };
    let base = "[model]\npreset = \"llama3-8b\"\n[training]\nglobal_batch = 512\n[cluster]\ngpus = 256\n\
                node = \"dgx-h100\"\n";
    for (table, part) in [
        ("storage", "qm9700"),
        ("in_band", "sn4600c"),
        ("out_of_band", "sn2201"),
        ("control", "management-server"),
    ] {
        let text = format!("{base}[networks.{table}]\n");
        let asked =
            spec::read_scenario(&SpecText::new("one.toml", text), &[]).expect("it is sound");
        let networks = other_networks(&asked, &site);
        assert!(pieces(&networks, part) > 0, "{table}: {:?}", networks.bill);
        let has = [
            networks.storage.is_some(),
            networks.in_band.is_some(),
            networks.out_of_band.is_some(),
            networks.servers > 0,
        ];
        assert_eq!(has.iter().filter(|has| **has).count(), 1, "{table}");
        let sum: f64 = networks.bill.iter().map(|line: &BillLine| line.total.get()).sum();
        assert!((sum - networks.capex.get()).abs() < 1e-6);
    }
    // No InfiniBand, no managers; a bandwidth in place of ports: 500 GB/s over 45 GB/s a port is 12.
    let mut asked = scenario("");
    let storage = asked.networks.storage.as_mut().expect("asked for");
    storage.bandwidth = Some(Bandwidth::from_gigabytes(500.0));
    let networks = other_networks(&asked, &NetworkSite { nodes: 127, ..site });
    assert_eq!(networks.storage.as_ref().map(|(_, counts)| counts.storage_links), Some(12));
    assert_eq!(networks.managers, 2);
}

/// One network for in-band and storage, and switches for so many machines, as newer references have them:
/// 64 machines of 2 ports, 4 servers of 2, 8 file ports, 6.4 Tb/s over 360 Gb/s a port is 18, and 2 uplinks
/// of each of 8 out-of-band switches: 178 ports, more than the 126 that a pair of 128 ports has beside its own
/// uplinks and the 2 links inside it.
#[test]
fn one_network_may_serve_management_and_storage() {
    let tables = "[networks.in_band]\nswitch = \"mine\"\nlink = \"400 Gb/s\"\nuplink_share = 1\n\
                  storage_bandwidth = \"6.4 Tb/s\"\n[networks.out_of_band]\nnodes_per_switch = 8\n\
                  [networks.control]\n[hardware.appliances.mine]\nports = 128\npower = \"940 W\"\nrack_units = 2\n";
    let site = NetworkSite { nodes: 64, switches: 24, infiniband: false, racks: None };
    let networks = other_networks(&scenario_of(tables), &site);
    let in_band = &networks.in_band.as_ref().expect("asked for").1;
    let out_of_band = &networks.out_of_band.as_ref().expect("asked for").1;
    assert_eq!((out_of_band.switches, out_of_band.uplinks), (8, 16));
    assert_eq!(in_band.host_links, 64 * 2 + 4 * 2 + 8 + 18 + 16);
    assert_eq!((in_band.leafs, in_band.cores, in_band.uplinks), (4, 2, 252));
}

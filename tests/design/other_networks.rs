//! Each network beside the compute network is switched and billed by its own table. What published
//! architectures have of them is in `published_bills`.

use planner::cost::BillLine;
use planner::design::{OtherNetworks, Site, beside_compute};
use planner::scenario::Scenario;
use planner::spec::{self, Source};
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
    spec::read(&Source::new("networks.toml", text), &[]).expect("it is sound")
}

pub(crate) fn pieces(of: &OtherNetworks, part: &str) -> u64 {
    of.bill.iter().find(|line| line.part == part).map_or(0, |line| line.count)
}

/// Each network is asked for by its own table, and what it costs is beside the totals.
#[test]
fn each_network_is_switched_by_its_table() {
    let site = Site { nodes: 32, switches: 12, infiniband: false, racks: Some((8, 1)) };
    let base = "[model]\npreset = \"llama3-8b\"\n[training]\nglobal_batch = 512\n[cluster]\ngpus = 256\n\
                node = \"dgx-h100\"\n";
    for (table, part) in [
        ("storage", "qm9700"),
        ("in_band", "sn4600c"),
        ("out_of_band", "sn2201"),
        ("control", "management-server"),
    ] {
        let text = format!("{base}[networks.{table}]\n");
        let asked = spec::read(&Source::new("one.toml", text), &[]).expect("it is sound");
        let of = beside_compute(&asked, &site);
        assert!(pieces(&of, part) > 0, "{table}: {:?}", of.bill);
        let has =
            [of.storage.is_some(), of.in_band.is_some(), of.out_of_band.is_some(), of.servers > 0];
        assert_eq!(has.iter().filter(|has| **has).count(), 1, "{table}");
        let sum: f64 = of.bill.iter().map(|line: &BillLine| line.total.get()).sum();
        assert!((sum - of.capex.get()).abs() < 1e-6);
    }
    // No InfiniBand, no managers; a bandwidth in place of ports: 500 GB/s over 45 GB/s a port is 12.
    let mut asked = scenario("");
    let storage = asked.networks.storage.as_mut().expect("asked for");
    storage.bandwidth = Some(Bandwidth::gigabytes(500.0));
    let of = beside_compute(&asked, &Site { nodes: 127, ..site });
    assert_eq!(of.storage.as_ref().map(|(_, counts)| counts.storage_links), Some(12));
    assert_eq!(of.managers, 2);
}

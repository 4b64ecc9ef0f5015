//! What may fail in machines, whatever their network. Knows no job.

use super::fleet::Fleet;
use crate::reliability::{Failures, Fault, NO_SPARE_TRAY, PerYear, Trays, mean_broken_domains};
use crate::units::Seconds;

/// What breaks on any network: machines, and NICs that their domain can't do without.
pub(super) fn machine_faults(fleet: &Fleet<'_>) -> Vec<Fault> {
    let rates = &fleet.scenario.failures;
    [faults_of_machines(fleet, rates), nic_faults(fleet, rates)].concat()
}

/// HB domains that are out at once, on average, whatever the network.
pub(crate) fn broken_domains_of_fleet(fleet: &Fleet<'_>) -> f64 {
    mean_broken_domains(&machine_faults(fleet))
}

/// Faults of machines and of what runs on them.
pub(crate) fn faults_of_machines(fleet: &Fleet<'_>, rates: &Failures) -> Vec<Fault> {
    let domain = u64::from(fleet.machine.node.gpus);
    let gpus = u64::from(fleet.scenario.cluster.gpus);
    let machine = |part: &str, pieces: u64, rate: f64| Fault {
        part: part.to_owned(),
        pieces,
        rate: PerYear::from_events(rate),
        repair: rates.repair_time(),
        network: false,
        stops: true,
        domains: 1,
        gpus: domain,
        kept: 0.0,
    };
    let of_trays =
        [("GPU", rates.gpu), ("GPU memory", rates.memory), ("host, per GPU", rates.host)];
    let back = fleet.trays().map_or(rates.repair_time(), |trays| rates.tray_repair(trays.tray));
    let of_trays = of_trays.map(|(part, rate)| Fault { repair: back, ..machine(part, gpus, rate) });
    let software = machine("software", gpus, rates.software);
    let spare = fleet.spare_trays();
    let mut all: Vec<Fault> = match fleet.trays().filter(|_| spare > 0) {
        Some(trays) => {
            let alone: f64 = of_trays
                .iter()
                .map(|fault| fault.rate_of_any().expected_events(fault.repair))
                .sum();
            let short = too_few(fleet, &trays, spare) / alone;
            let short = if short.is_finite() { short.clamp(0.0, 1.0) } else { 0.0 };
            of_trays
                .into_iter()
                .flat_map(|fault| split_fault_by_spare_trays(fault, (&trays, spare), short))
                .collect()
        }
        None => of_trays.into(),
    };
    all.push(machine("HB domain", fleet.domains.into(), rates.domain));
    // Nothing is broken: it starts again where it was.
    all.push(Fault { repair: Seconds::ZERO, domains: 0, kept: 1.0, ..software });
    all
}

/// Trays that are out when too few of their domain are left, over all domains, on average: each such time is
/// counted once for each of the `spare` trays and the one that is missing (docs/equations.md §11.7).
fn too_few(fleet: &Fleet<'_>, trays: &Trays, spare: u32) -> f64 {
    let missing = (1.0 - trays.share_of_time_with_gpus(fleet.used)).max(0.0);
    f64::from(fleet.domains) * f64::from(spare + 1) * missing
}

/// A fault of a tray in two: where a spare one of the domain takes over, after a restart, and the share of
/// them for which none is left. Then the domain is out until the first of those trays is back.
fn split_fault_by_spare_trays(
    fault: Fault,
    (trays, spare): (&Trays, u32),
    short: f64,
) -> [Fault; 2] {
    let part = format!("{}{NO_SPARE_TRAY}", fault.part);
    let rate = |share: f64| PerYear::from_events(fault.rate.events() * share);
    let repair = fault.repair / f64::from(spare + 1);
    let none_left = Fault { part, rate: rate(short), repair, ..fault.clone() };
    let replaced = Fault {
        rate: rate(1.0 - short),
        repair: Seconds::ZERO,
        domains: 0,
        gpus: trays.tray.into(),
        kept: 1.0,
        ..fault
    };
    [replaced, none_left]
}

/// Faults of NICs that their HB domain can't do without: the machine is out, whatever the network.
fn nic_faults(fleet: &Fleet<'_>, rates: &Failures) -> Vec<Fault> {
    if fleet.domains < 2 || fleet.machine.nic_share_after_cutoff(1).is_some() {
        return Vec::new();
    }
    vec![Fault {
        part: "NIC".to_owned(),
        pieces: fleet.endpoints(),
        rate: PerYear::from_events(rates.nic),
        repair: rates.repair_time(),
        network: true,
        stops: true,
        domains: 1,
        gpus: fleet.machine.node.gpus.into(),
        kept: 0.0,
    }]
}

//! What may fail in a cluster whatever its network, and the most of a year that any network leaves to
//! training. Counts no fabric.

use std::sync::Arc;

use super::fleet::Fleet;
use super::job::Job;
use super::machine::{Level, all_but_one};
use super::slower::on_slower_nics;
use crate::reliability::{Failures, Fault, NO_SPARE_TRAY, PerYear, Trays, most};
use crate::units::Seconds;

/// Faults of machines and of what runs on them.
pub(crate) fn of_machines(fleet: &Fleet<'_>, rates: &Failures) -> Vec<Fault> {
    let domain = u64::from(fleet.machine.node.gpus);
    let gpus = u64::from(fleet.scenario.cluster.gpus);
    let machine = |part: &str, pieces: u64, rate: f64| Fault {
        part: part.to_owned(),
        pieces,
        rate: PerYear::of(rate),
        repair: rates.repair(),
        network: false,
        stops: true,
        domains: 1,
        gpus: domain,
        kept: 0.0,
    };
    let of_trays =
        [("GPU", rates.gpu), ("GPU memory", rates.memory), ("host, per GPU", rates.host)];
    let back = fleet.trays().map_or(rates.repair(), |trays| rates.tray_repair(trays.tray));
    let of_trays = of_trays.map(|(part, rate)| Fault { repair: back, ..machine(part, gpus, rate) });
    let software = machine("software", gpus, rates.software);
    let mut all: Vec<Fault> = match fleet.spare_trays() {
        Some((trays, spare)) => {
            let alone: f64 = of_trays.iter().map(|of| of.all().during(of.repair)).sum();
            let short = too_few(fleet, &trays, spare) / alone;
            let short = if short.is_finite() { short.clamp(0.0, 1.0) } else { 0.0 };
            of_trays.into_iter().flat_map(|of| beside_spares(of, (&trays, spare), short)).collect()
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
    let used = trays.domain - spare * trays.tray;
    f64::from(fleet.domains) * f64::from(spare + 1) * (1.0 - trays.at_least(used)).max(0.0)
}

/// A fault of a tray in two: where a spare one of the domain takes over, after a restart, and the share of
/// them for which none is left. Then the domain is out until the first of those trays is back.
fn beside_spares(fault: Fault, (trays, spare): (&Trays, u32), short: f64) -> [Fault; 2] {
    let part = format!("{}{NO_SPARE_TRAY}", fault.part);
    let rate = |share: f64| PerYear::of(fault.rate.get() * share);
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
pub(crate) fn of_nics(fleet: &Fleet<'_>, rates: &Failures) -> Vec<Fault> {
    if fleet.domains < 2 || fleet.machine.carried_without(1).is_some() {
        return Vec::new();
    }
    vec![Fault {
        part: "NIC".to_owned(),
        pieces: fleet.endpoints(),
        rate: PerYear::of(rates.nic),
        repair: rates.repair(),
        network: true,
        stops: true,
        domains: 1,
        gpus: fleet.machine.node.gpus.into(),
        kept: 0.0,
    }]
}

/// Clusters of which less than this share of the time trains count as if it were so much: what they train has a
/// price still, and any other is better.
pub(crate) const LEAST_GOODPUT: f64 = 1e-9;

/// No network of so many planes leaves a larger share of a year to training on which a NIC with a port less
/// keeps no more than that of the pace: machines fail, and so do NICs and the links that they have. In one
/// plane the loss of such a link stops a job on any network; in more it goes on with what is kept, or
/// restarts. What other losses take is left out.
pub(crate) fn most_goodput(fleet: &Fleet<'_>, planes: u32, kept: f64) -> f64 {
    let rates = &fleet.scenario.failures;
    let mut certain = of_machines(fleet, rates);
    let mut either = Vec::new();
    if fleet.domains > 1 {
        let of_one = |part: &str, (pieces, rate): (u64, f64), repair: Seconds| Fault {
            part: part.to_owned(),
            pieces,
            rate: PerYear::of(rate),
            repair,
            network: true,
            stops: true,
            domains: 1,
            gpus: fleet.machine.node.gpus.into(),
            kept: 1.0,
        };
        certain.push(of_one("NIC", (fleet.endpoints(), rates.nic), rates.repair()));
        let ports = fleet.endpoints() * u64::from(planes);
        let link = of_one("link", (ports, rates.link), rates.link_repair());
        if planes == 1 {
            certain.push(link);
        } else {
            either.push(Fault { stops: false, kept, ..link });
        }
    }
    most(&certain, &either, rates, fleet.standby).max(LEAST_GOODPUT)
}

/// The least time that a step takes on any network of so many planes, with its share of the time that does
/// not train. Step over goodput grows with the step, so the shortest step has the least.
pub(crate) fn least_trained(job: &Job<'_>, planes: u32) -> Seconds {
    job.full() / most_goodput(&job.fleet(), planes, kept_of(job, planes, job.full()))
}

/// The most that a step of some time keeps of its pace where a NIC has a port less, whatever the network.
pub(crate) fn kept_of(job: &Job<'_>, planes: u32, step: Seconds) -> f64 {
    kept_where(job, planes, step, || job.lead.on_ports(planes - 1, planes))
}

/// Likewise of a step on networks of a level.
pub(crate) fn kept_at(job: &Job<'_>, planes: u32, step: Seconds, level: Level) -> f64 {
    let share = all_but_one(planes);
    kept_where(job, planes, step, || {
        on_slower_nics(&job.lead, level, share, &Arc::new(job.lead.cache.beside()))
    })
}

/// All of it where nothing is known of what a missing port takes.
fn kept_where(job: &Job<'_>, planes: u32, step: Seconds, after: impl Fn() -> Seconds) -> f64 {
    let known = planes > 1 && job.others.is_empty() && !job.scenario.cluster.fabric.is_routed();
    if known { (step / after()).min(1.0) } else { 1.0 }
}

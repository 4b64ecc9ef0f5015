//! What may fail in a cluster whatever its network, and the most of a year that any network leaves to
//! training. Counts no fabric.

use super::job::Job;
use crate::reliability::{Failures, Fault, PerYear, most};
use crate::units::Seconds;

/// Faults of machines and of what runs on them.
pub(crate) fn of_machines(job: &Job<'_>, rates: &Failures) -> Vec<Fault> {
    let domain = u64::from(job.machine.node.gpus);
    let gpus = u64::from(job.scenario.cluster.gpus);
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
    let software = machine("software", gpus, rates.software);
    vec![
        machine("GPU", gpus, rates.gpu),
        machine("GPU memory", gpus, rates.memory),
        machine("host, per GPU", gpus, rates.host),
        machine("HB domain", job.domains.into(), rates.domain),
        // Nothing is broken: it starts again where it was.
        Fault { repair: Seconds::ZERO, domains: 0, kept: 1.0, ..software },
    ]
}

/// Faults of NICs that their HB domain can't do without: the machine is out, whatever the network.
pub(crate) fn of_nics(job: &Job<'_>, rates: &Failures) -> Vec<Fault> {
    if job.domains < 2 || job.machine.carried_without(1).is_some() {
        return Vec::new();
    }
    vec![Fault {
        part: "NIC".to_owned(),
        pieces: job.endpoints(),
        rate: PerYear::of(rates.nic),
        repair: rates.repair(),
        network: true,
        stops: true,
        domains: 1,
        gpus: job.machine.node.gpus.into(),
        kept: 0.0,
    }]
}

/// Clusters of which less than this share of the time trains count as if it were so much: what they train has a
/// price still, and any other is better.
pub(crate) const LEAST_GOODPUT: f64 = 1e-9;

/// No network of so many planes leaves a larger share of a year to training: machines fail, and so do NICs
/// and, in one plane, the links that they have, whose loss stops a job on any network. What other
/// losses take, and what a slower pace does until a repair, is left out.
pub(crate) fn most_goodput(job: &Job<'_>, planes: u32) -> f64 {
    let rates = &job.scenario.failures;
    let mut certain = of_machines(job, rates);
    if job.domains > 1 {
        let stops = |part: &str, rate| Fault {
            part: part.to_owned(),
            pieces: job.endpoints(),
            rate: PerYear::of(rate),
            repair: rates.repair(),
            network: true,
            stops: true,
            domains: 1,
            gpus: job.machine.node.gpus.into(),
            kept: 1.0,
        };
        certain.push(stops("NIC", rates.nic));
        if planes == 1 {
            certain.push(stops("link", rates.link));
        }
    }
    most(&certain, rates, job.standby)
}

//! The bill of a fabric that is wired: its links are bought piece by piece, as the cable list has them.
//! Prices nothing itself.

use super::housed::Tenants;
use super::installed::{joined, laid as in_hall};
use crate::cost::{BillLine, Bought, Joint, Role};
use crate::design::candidate::job::Job;
use crate::design::candidate::known_pieces::LaidFabric;
use crate::design::candidate::linking::Linking;
use crate::design::candidate::money::{bill_with, linking_of};
use crate::fabric::{Blueprint, Counts, FabricGraph};
use crate::hall::{Cabling, Floor, Joined, Kinds, Pieces, cabling};
use crate::hardware::Catalogue;

/// The bill of a job with a network, link by link where that is wired; else its links are counted in closed
/// form, alike switches filled as evenly as they can.
pub(crate) fn bill_on(
    job: &Job<'_>,
    counts: &Counts,
    graph: Option<&FabricGraph>,
) -> Vec<BillLine> {
    bill_of_pieces(job, counts, graph.and_then(|graph| laid(job, counts, graph)?.pieces()))
}

/// The bill where links take such pieces, if that is known.
fn bill_of_pieces(job: &Job<'_>, counts: &Counts, pieces: Option<Vec<Pieces>>) -> Vec<BillLine> {
    let catalogue = &job.scenario.catalogue;
    bill_with(job, Some(counts), pieces.and_then(|all| bought(catalogue, &all)))
}

/// Likewise of a fabric that is not wired yet.
pub(crate) fn bill_built(job: &Job<'_>, counts: &Counts, of: &Blueprint) -> Vec<BillLine> {
    let parts = matches!(linking_of(&job.fleet(), counts), Linking::Parts(..));
    if !parts {
        return bill_of_pieces(job, counts, None);
    }
    let fabric = LaidFabric {
        blueprint: of.clone(),
        counts: counts.clone(),
        domains: job.domains,
        standby: job.scenario.lengths.is_some().then_some(job.standby),
    };
    let lay = || laid(job, counts, &of.graph().ok()?)?.pieces();
    bill_of_pieces(job, counts, job.lead.pieces.of(fabric, lay))
}

/// Its cables: in the hall where they were routed through it, else all as long as the spec states.
fn laid(job: &Job<'_>, counts: &Counts, graph: &FabricGraph) -> Option<Cabling> {
    let scenario = job.scenario;
    let Linking::Parts(parts, _) = linking_of(&job.fleet(), counts) else { return None };
    if scenario.lengths.is_some() {
        let domains = (job.cabled(), job.apart());
        let tenants = Tenants { scenario, machine: job.machine, domains, counts, graph };
        return in_hall(&tenants).ok().map(|(_, cabling)| cabling);
    }
    let only = |of: &[(Joint<'_>, u64)]| of.first().map(|(joint, _)| joined(joint));
    let stated = Stated { host: only(&parts.host), uplink: only(&parts.uplink) };
    // Where they stand is no matter.
    let floor = Floor { nodes: vec![None; graph.nodes().count()], ..Floor::default() };
    Some(cabling(&scenario.hall, graph, &floor, &stated))
}

/// Kinds of link that do not depend on lengths.
struct Stated {
    host: Option<Joined>,
    uplink: Option<Joined>,
}

impl Kinds for Stated {
    fn joined(&self, host: bool, _: u32, _: u32) -> Option<Joined> {
        if host { self.host.clone() } else { self.uplink.clone() }
    }
}

/// Pieces as parts of the catalogue; `None` where it has not all of them.
fn bought<'a>(catalogue: &'a Catalogue, all: &[Pieces]) -> Option<Vec<Bought<'a>>> {
    let each = all.iter().map(|of| {
        let (name, role, power) = match of.is_module {
            true => {
                let optic = catalogue.optic_named(&of.name)?;
                (optic.name.as_str(), Role::Optic, optic.power)
            }
            false => {
                let cable = catalogue.cables.iter().find(|cable| cable.name == of.name)?;
                (cable.name.as_str(), Role::Cable, cable.power)
            }
        };
        Some(Bought { name, role, count: of.count, power })
    });
    each.collect()
}

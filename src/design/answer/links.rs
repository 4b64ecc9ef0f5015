//! The bill of a fabric: modules and cables are whole in every switch, as the cable list has them. Prices nothing
//! itself.

use super::housed::Tenants;
use super::installed::laid as in_hall;
use crate::cost::{BillLine, Bought, Role};
use crate::design::candidate::job::Job;
use crate::design::candidate::known_pieces::LaidFabric;
use crate::design::candidate::linking::Linking;
use crate::design::candidate::money::{bill_with, linking_of};
use crate::fabric::{Blueprint, Counts, FabricGraph};
use crate::hall::{Cabling, Pieces};
use crate::hardware::Catalogue;

/// The bill of a job with a network, cable by cable where it was routed through a hall; else its links are counted
/// in closed form, switch by switch.
pub(crate) fn bill_on(
    job: &Job<'_>,
    counts: &Counts,
    graph: Option<&FabricGraph>,
) -> Vec<BillLine> {
    let pieces = graph.and_then(|graph| laid(job, counts, graph)?.pieces());
    bill_of_pieces(job, counts, graph, pieces)
}

/// The bill where routed cables take such pieces, if that is known.
fn bill_of_pieces(
    job: &Job<'_>,
    counts: &Counts,
    graph: Option<&FabricGraph>,
    pieces: Option<Vec<Pieces>>,
) -> Vec<BillLine> {
    let catalogue = &job.scenario.catalogue;
    let known = counts.occupancy.clone();
    let occupancy = known.or_else(|| graph.map(FabricGraph::occupancy));
    let counts = Counts { occupancy, ..counts.clone() };
    bill_with(job, Some(&counts), pieces.and_then(|all| bought(catalogue, &all)))
}

/// The bill of a fabric that is not wired yet. It is wired where its cables are routed, once for each fabric, or
/// where its counts do not say how full its switches are.
pub(crate) fn bill_built(job: &Job<'_>, counts: &Counts, blueprint: &Blueprint) -> Vec<BillLine> {
    let parts = matches!(linking_of(&job.fleet(), counts), Linking::Parts(..));
    if !parts {
        return bill_on(job, counts, None);
    }
    if job.scenario.lengths.is_none() {
        let graph = counts.occupancy.is_none().then(|| blueprint.graph().ok()).flatten();
        return bill_on(job, counts, graph.as_ref());
    }
    let fabric = LaidFabric {
        blueprint: blueprint.clone(),
        counts: counts.clone(),
        domains: job.cabled(),
        standby: job.apart(),
    };
    let lay = || laid(job, counts, &blueprint.graph().ok()?)?.pieces();
    match job.lead.pieces.of(fabric, lay) {
        Some(pieces) => bill_of_pieces(job, counts, None, Some(pieces)),
        None => bill_on(job, counts, blueprint.graph().ok().as_ref()),
    }
}

/// Its cables in the hall; `None` where none were routed.
fn laid(job: &Job<'_>, counts: &Counts, graph: &FabricGraph) -> Option<Cabling> {
    let scenario = job.scenario;
    scenario.lengths.as_ref()?;
    let Linking::Parts(..) = linking_of(&job.fleet(), counts) else { return None };
    let domains = (job.cabled(), job.apart());
    let tenants = Tenants { scenario, machine: job.machine, domains, counts, graph };
    in_hall(&tenants).ok().map(|(_, cabling)| cabling)
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

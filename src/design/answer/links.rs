//! The bill of a fabric: modules and cables are whole in every switch, as the cable list has them. Prices nothing
//! itself.

use super::housed::HallContents;
use super::installed::place_and_lay_cables as in_hall;
use crate::cost::{BillLine, PurchasedPart, Role};
use crate::design::candidate::job::Job;
use crate::design::candidate::linking::LinkPurchase;
use crate::design::candidate::money::{bill_with_network, links_of_fabric};
use crate::fabric::{Blueprint, Counts, FabricGraph};
use crate::hall::{CableOrder, Cabling};
use crate::hardware::Catalogue;

/// The bill of a job with a network, cable by cable where it was routed through a hall; else its links are counted
/// in closed form, switch by switch.
pub(crate) fn bill_of_wired_fabric(
    job: &Job<'_>,
    counts: &Counts,
    graph: Option<&FabricGraph>,
) -> Vec<BillLine> {
    let catalogue = &job.scenario.catalogue;
    let pieces = graph.and_then(|graph| lay_cables(job, counts, graph)?.cable_orders());
    let wired = graph.filter(|_| counts.occupancy.is_none());
    let completed =
        wired.map(|graph| Counts { occupancy: Some(graph.occupancy()), ..counts.clone() });
    let counts = completed.as_ref().unwrap_or(counts);
    bill_with_network(
        job,
        Some(counts),
        pieces.and_then(|all| cable_orders_as_parts(catalogue, &all)),
    )
}

/// The bill of a fabric that is not wired yet. It is wired where its cables are routed, or where its counts do not say
/// how full its switches are.
pub(crate) fn bill_of_network(
    job: &Job<'_>,
    counts: &Counts,
    blueprint: &Blueprint,
) -> Vec<BillLine> {
    let parts = matches!(links_of_fabric(&job.fleet(), counts), LinkPurchase::Parts(..));
    let wires = parts && (job.scenario.lengths.is_some() || counts.occupancy.is_none());
    let graph = wires.then(|| blueprint.build_fabric_graph().ok()).flatten();
    bill_of_wired_fabric(job, counts, graph.as_ref())
}

/// Its cables in the hall; `None` where none were routed.
fn lay_cables(job: &Job<'_>, counts: &Counts, graph: &FabricGraph) -> Option<Cabling> {
    let scenario = job.scenario;
    scenario.lengths.as_ref()?;
    let LinkPurchase::Parts(..) = links_of_fabric(&job.fleet(), counts) else { return None };
    let domains = (job.networked_domains(), job.standby_domains_without_ports());
    let tenants = HallContents { scenario, machine: job.machine, domains, counts, graph };
    in_hall(&tenants).ok().map(|(_, cabling)| cabling)
}

/// Pieces as parts of the catalogue; `None` where it has not all of them.
fn cable_orders_as_parts<'a>(
    catalogue: &'a Catalogue,
    all: &[CableOrder],
) -> Option<Vec<PurchasedPart<'a>>> {
    let each = all.iter().map(|order| {
        let (name, role, power) = match order.is_module {
            true => {
                let optic = catalogue.optic_named(&order.name)?;
                (optic.name.as_str(), Role::Optic, optic.power)
            }
            false => {
                let cable = catalogue.cables.iter().find(|cable| cable.name == order.name)?;
                (cable.name.as_str(), Role::Cable, cable.power)
            }
        };
        Some(PurchasedPart { name, role, count: order.count, power })
    });
    each.collect()
}

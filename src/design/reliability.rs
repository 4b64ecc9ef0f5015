//! What failures mean for a design: the step that goes on after some, and a year of them beside
//! the other ways to join the same GPUs. Designs nothing.

use super::other::job;
use super::plan::Plan;
use super::trees::level_of_counts;
use crate::fabric::{Aftermath, Counts, FabricKind, Request, SwitchChoice, TierName, tree};
use crate::reliability::{Conduct, Exposure, Rates, Year, standby, year};
use crate::scenario::Scenario;
use crate::search::NoLayout;
use crate::timing::{Network, StepTime, step_time};
use crate::units::Seconds;

/// A year of failures on several fabrics for the same GPUs.
#[derive(Clone, Debug, PartialEq)]
pub struct Reliability {
    /// How the cluster is run.
    pub conduct: Conduct,
    /// GPUs that are swapped together when one breaks: those of an HB domain.
    pub unit: u32,
    /// The design first.
    pub fabrics: Vec<FabricYear>,
}

/// A year on one fabric.
#[derive(Clone, Debug, PartialEq)]
pub struct FabricYear {
    /// What it is.
    pub name: String,
    /// Switches.
    pub switches: u64,
    /// Spare switches that suffice 99 % of the time until new ones come.
    pub spare_switches: u64,
    /// NICs that the loss of a leaf cuts off, or slows down where there are several planes.
    pub nics_of_a_leaf: u64,
    /// The year.
    pub year: Year,
}

/// Time that training stands still for a checkpoint: written in the background, an assumption.
const SAVE: Seconds = Seconds::of(5.0);
/// Time from a stop until training goes on: an assumption for tens of thousands of GPUs.
const RESTART: Seconds = Seconds::of(600.0);
/// Time until a broken domain is back: an assumption, a day for a repair on site.
const REPAIR: Seconds = Seconds::of(86_400.0);
/// Time until a new switch comes: an assumption, eight weeks.
const LEAD: Seconds = Seconds::of(8.0 * 7.0 * 86_400.0);
/// Share of the time for which spares should suffice.
const FILL: f64 = 0.99;

/// A year of the design beside rail-only and a full-bisection Clos of the same switches, planes
/// and GPUs; a fabric that can't be built is left out.
#[must_use]
pub fn reliability(plan: &Plan) -> Reliability {
    let rates = Rates::published();
    let gpus = u64::from(plan.nodes.gpus);
    let broken = rates.gpu.times(gpus).during(REPAIR);
    let conduct =
        Conduct { save: SAVE, restart: RESTART, repair: REPAIR, standby: standby(broken, FILL) };
    let of = |name: String, counts: &Counts| FabricYear {
        name,
        switches: counts.switches(),
        spare_switches: standby(rates.switch.times(counts.switches()).during(LEAD), FILL),
        nics_of_a_leaf: counts.host_links.div_ceil(counts.layer(TierName::Leaf).max(1)),
        year: year(&Exposure::of(counts, gpus), &rates, &conduct),
    };
    let mut fabrics = vec![of("design".to_owned(), &plan.fabric)];
    for kind in [FabricKind::RailOnly, FabricKind::Clos] {
        let full = matches!(kind, FabricKind::Clos);
        if let Some(counts) = alike(&plan.fabric, kind)
            && counts.switches() != plan.fabric.switches()
        {
            let name = if full { "full-bisection Clos" } else { "rail-only, non-blocking" };
            fabrics.push(of(name.to_owned(), &counts));
        }
    }
    Reliability { conduct, unit: plan.nodes.node.gpus, fabrics }
}

/// A non-blocking fabric of another family for the same NICs, of the design's largest switch.
fn alike(counts: &Counts, kind: FabricKind) -> Option<Counts> {
    let radix = counts.tiers.iter().map(|tier| tier.radix).max()?;
    let switch = SwitchChoice::Radix(radix);
    let request = Request::new(kind, counts.endpoints, counts.rails, switch, counts.link);
    tree(&Request { planes: counts.planes, ..request }).ok()
}

/// The step after failures: the leaf that lost most uplinks and the NIC that lost most links set
/// the pace. For jobs that no failure stops; those that it does go on elsewhere at the old pace.
///
/// # Errors
/// Why the plan's layout can't run: it can where the plan is of this scenario.
pub fn step_after(
    scenario: &Scenario,
    plan: &Plan,
    left: &Aftermath,
) -> Result<StepTime, NoLayout> {
    let job = job(scenario, plan)?;
    let run = &job.lead;
    let share = |(alive, of): (u64, u64)| alive as f64 / of.max(1) as f64;
    let uplinks = share(left.least_uplinks);
    let network = run.machine.network(level_of_counts(&plan.fabric));
    let network = Network {
        nic: network.nic * share(left.least_ports),
        within_rail: plan.fabric.within_rail * uplinks,
        across_rails: network.across_rails * uplinks,
        leaf_domains: if uplinks < 1.0 { plan.fabric.leaf_domains } else { network.leaf_domains },
        ..network
    };
    Ok(step_time(&run.step, &run.machine.node.gpu, &network, &run.workload.framework))
}

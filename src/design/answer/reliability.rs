//! A year of failures on a design, beside the other ways to join the same GPUs. Designs nothing.

use super::plan::Plan;
use crate::fabric::{Blueprint, Counts, FabricKind, Request, SwitchChoice, TierName};
use crate::reliability::{Conduct, Exposure, Rates, Year, fewest, year};
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
const REPAIR: Seconds = Seconds::DAY;
/// Time until a new switch comes: an assumption, eight weeks.
const LEAD: Seconds = Seconds::days(8.0 * 7.0);
/// Share of the time for which spares should suffice.
const FILL: f64 = 0.99;

/// Part of a year that trains on a fabric for so many GPUs.
pub(super) fn goodput(counts: &Counts, gpus: u64) -> f64 {
    a_year(counts, gpus).1.goodput
}

/// A year of failures on a design alone, and how its cluster is taken to be run.
#[must_use]
pub fn year_of(plan: &Plan) -> (Conduct, Year) {
    a_year(&plan.fabric, u64::from(plan.nodes.gpus))
}

fn a_year(counts: &Counts, gpus: u64) -> (Conduct, Year) {
    let rates = Rates::published();
    let conduct = conduct(gpus, &rates);
    (conduct, year(&Exposure::of(counts, gpus), &rates, &conduct))
}

/// How a cluster of so many GPUs is taken to be run.
fn conduct(gpus: u64, rates: &Rates) -> Conduct {
    let broken = rates.gpu.times(gpus).during(REPAIR);
    Conduct { save: SAVE, restart: RESTART, repair: REPAIR, standby: fewest(broken, FILL) }
}

/// A year of the design beside rail-only and a full-bisection Clos of the same switches, planes
/// and GPUs; a fabric that can't be built is left out.
#[must_use]
pub fn reliability(plan: &Plan) -> Reliability {
    let rates = Rates::published();
    let gpus = u64::from(plan.nodes.gpus);
    let conduct = conduct(gpus, &rates);
    let of = |name: String, counts: &Counts| FabricYear {
        name,
        switches: counts.switches(),
        spare_switches: fewest(rates.switch.times(counts.switches()).during(LEAD), FILL),
        nics_of_a_leaf: counts.host_links.div_ceil(counts.layer(TierName::Leaf).max(1)),
        year: year(&Exposure::of(counts, gpus), &rates, &conduct),
    };
    let mut fabrics = vec![of("design".to_owned(), &plan.fabric)];
    fabrics
        .extend(beside(plan).into_iter().map(|(name, of_it)| of(name.to_owned(), &of_it.counts)));
    Reliability { conduct, unit: plan.nodes.node.gpus, fabrics }
}

/// Another fabric for the same NICs.
pub(crate) struct Beside {
    pub(crate) counts: Counts,
    pub(crate) blueprint: Blueprint,
}

/// Rail-only and a full-bisection Clos of the design's largest switch, where they can be built and
/// are not what was designed.
pub(crate) fn beside(plan: &Plan) -> Vec<(&'static str, Beside)> {
    let names = [
        (FabricKind::RailOnly, "rail-only, non-blocking"),
        (FabricKind::Clos, "full-bisection Clos"),
    ];
    let unlike = |(_, of): &(&str, Beside)| of.counts.switches() != plan.fabric.switches();
    names
        .into_iter()
        .filter_map(|(kind, name)| Some((name, alike(&plan.fabric, kind)?)))
        .filter(unlike)
        .collect()
}

/// A non-blocking fabric of another family for the same NICs, of the design's largest switch.
fn alike(counts: &Counts, kind: FabricKind) -> Option<Beside> {
    let radix = counts.tiers.iter().map(|tier| tier.radix).max()?;
    let switch = SwitchChoice::Radix(radix);
    let request = Request::new(kind, counts.endpoints, counts.rails, switch, counts.link);
    let blueprint = Blueprint::of_tree(&Request { planes: counts.planes, ..request });
    Some(Beside { counts: blueprint.counts().ok()?, blueprint })
}

//! Trees over all rails at once, each of one model: those that take four tiers, and the level and
//! column of any finished fabric.

use super::after_loss::tree_survives;
use super::cache::Cache;
use super::column::{Column, Fabric, What};
use super::context::Context;
use super::dominance::burdens;
use super::market::parts_cost;
use crate::design::candidate::machine::Level;
use crate::fabric::{
    Blueprint, Counts, FabricKind, Occupancy, Ratio, Request, Split, SwitchChoice, levels, tree,
};
use crate::sizing::Column as Coefficients;
use crate::timing::Balance;
use crate::units::Seconds;

/// Tiers of the trees that are made here: builds have up to three.
const TIERS: u32 = 4;

/// Full bisection for a Clos, every level of uplinks for the other families; what is fast enough.
pub(super) fn four_tiers(
    context: &Context<'_>,
    kind: FabricKind,
    cache: &mut Cache,
) -> Vec<Column> {
    let node = context.job.machine.node;
    let mut found = Vec::new();
    for switch in &context.parts.switches {
        let choice = SwitchChoice::Model(switch);
        let nic = context.job.machine.nic.bandwidth;
        let plain = Request::new(kind, context.job.endpoints(), node.nics, choice, nic);
        let request = Request { tiers: Some(TIERS), ..plain.in_planes(context.planes) };
        let splits: Vec<Split> = if kind == FabricKind::Clos {
            vec![Split::AtLeast(Ratio::ONE)]
        } else {
            let up = levels(switch.radix(context.parts.link)).map(|(_, up)| up);
            up.filter(|up| *up > 0).map(Split::Uplinks).collect()
        };
        let built = splits.into_iter().filter_map(|split| {
            let request = request.with_split(split);
            let counts = tree(&request).ok()?;
            Some(Fabric { counts, blueprint: Blueprint::of_tree(&request) })
        });
        let mut untimed: Vec<Whole> = built.map(|fabric| Whole::new(context, fabric)).collect();
        // Step time falls as uplinks are added, so the slow ones come first.
        let slow = untimed.partition_point(|whole| !context.admits(whole.time(context, cache)));
        untimed.drain(..slow);
        untimed.retain(|whole| tree_survives(context, cache, &whole.fabric.counts, whole.level));
        found.extend(timed(context, cache, untimed));
    }
    found
}

/// Times the cheapest first, and none that one which is fast enough makes needless.
pub(super) fn timed(context: &Context<'_>, cache: &mut Cache, untimed: Vec<Whole>) -> Vec<Column> {
    let mut weighed: Vec<(Vec<f64>, Whole)> =
        untimed.into_iter().map(|whole| (burdens(context, &whole.coefficients), whole)).collect();
    weighed.sort_by(|(a, x), (b, y)| {
        a[0].total_cmp(&b[0]).then(y.coefficients.bisection.total_cmp(&x.coefficients.bisection))
    });
    let mut kept: Vec<(Vec<f64>, Column)> = Vec::new();
    for (burden, whole) in weighed {
        let needless = kept.iter().any(|(other, column)| {
            other.iter().zip(&burden).all(|(a, b)| a <= b)
                && (column.coefficients.bisection >= whole.coefficients.bisection
                    || other[0] < burden[0])
        });
        if needless {
            continue;
        }
        let time = whole.time(context, cache);
        if context.admits(time) {
            kept.push((burden, whole.column(time)));
        }
    }
    kept.into_iter().map(|(_, column)| column).collect()
}

/// A finished fabric whose step time is not known yet.
pub(super) struct Whole {
    fabric: Fabric,
    coefficients: Coefficients,
    level: Level,
}

impl Whole {
    pub(super) fn new(context: &Context<'_>, fabric: Fabric) -> Self {
        let counts = &fabric.counts;
        let level = level_of_counts(counts, context.job.machine.balance);
        let ports = (counts.endpoints * u64::from(context.planes)) as f64;
        let coefficients = Coefficients {
            rails: u64::from(context.job.machine.node.nics) * u64::from(context.planes),
            switches: context.parts.taken(
                context.skus.iter().map(|sku| counts.switches_of(&sku.name)).collect(),
                counts.host_links,
                counts.links(),
                counts.occupancy.as_ref().unwrap_or(&Occupancy::default()),
            ),
            links: counts.links(),
            bisection: (level.within + level.across) * ports,
        };
        Self { fabric, coefficients, level }
    }

    /// What it costs were parts in stock free, in the units of the objective: no answer with it costs less.
    pub(super) fn least(&self, context: &Context<'_>) -> f64 {
        parts_cost(context, &self.coefficients, 0.0)
    }

    /// The fabric, timed at that level: the one of its slowest leaf switch.
    pub(super) fn at(self, level: Level) -> Self {
        Self { level, ..self }
    }

    fn time(&self, context: &Context<'_>, cache: &mut Cache) -> Seconds {
        cache.time(context, self.level)
    }

    pub(super) fn column(self, time: Seconds) -> Column {
        let what = What::Whole(Box::new(self.fabric));
        Column { what, coefficients: self.coefficients, level: self.level, time }
    }
}

/// Level of a finished fabric that spreads messages so. A Clos at full bisection has no border that
/// matters where it spreads them evenly.
pub(crate) fn level_of_counts(counts: &Counts, balance: Balance) -> Level {
    let free = counts.within_rail >= 1.0 && counts.across_rails >= 1.0 && balance.is_even();
    Level {
        leaf_domains: if free { None } else { counts.leaf_domains },
        within: counts.within_rail,
        across: counts.across_rails,
        planes: balance.waits_for(counts.planes),
        member: None,
    }
}

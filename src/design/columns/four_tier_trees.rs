//! Trees over all rails at once, each of one model: those that take four tiers, and the level and
//! column of any finished fabric.

use super::cache::SizingCache;
use super::column::{BuiltFabric, ColumnSource, FabricColumn, column_burdens};
use super::context::{ColumnContext, cost_of_parts};
use super::leaf_shapes::tree_survives;
use crate::design::job::machine::Level;
use crate::fabric::{
    Blueprint, Counts, FabricKind, Occupancy, Ratio, Request, Split, SwitchChoice,
    oversubscription_levels, tree_counts,
};
use crate::sizing::Column;
use crate::timing::UplinkBalance;
use crate::units::Seconds;

/// Tiers of the trees that are made here: builds have up to three.
const TIERS: u32 = 4;

/// Full bisection for a Clos, every level of uplinks for the other families; what is fast enough.
pub(in crate::design) fn four_tier_columns(
    context: &ColumnContext<'_>,
    kind: FabricKind,
    cache: &mut SizingCache,
) -> Vec<FabricColumn> {
    let node = context.job.machine.node;
    let mut found = Vec::new();
    for switch in &context.parts.switches {
        let choice = SwitchChoice::Model(switch);
        let nic = context.job.machine.nic.bandwidth;
        let plain = Request::new(kind, context.job.endpoints(), node.nics, choice, nic);
        let request = Request { tiers: Some(TIERS), ..plain.split_into_planes(context.planes) };
        let splits: Vec<Split> = if kind == FabricKind::Clos {
            vec![Split::AtLeast(Ratio::ONE)]
        } else {
            let up = oversubscription_levels(switch.radix(context.parts.link)).map(|(_, up)| up);
            up.filter(|up| *up > 0).map(Split::Uplinks).collect()
        };
        let built = splits.into_iter().filter_map(|split| {
            let request = request.with_split(split);
            let counts = tree_counts(&request).ok()?;
            Some(BuiltFabric { counts, blueprint: Blueprint::from_tree(&request) })
        });
        let mut untimed: Vec<UntimedFabric> =
            built.map(|fabric| UntimedFabric::new(context, fabric)).collect();
        // Step time falls as uplinks are added, so the slow ones come first.
        let slow = untimed
            .partition_point(|whole| !context.is_fast_enough(whole.step_time(context, cache)));
        untimed.drain(..slow);
        untimed.retain(|whole| tree_survives(context, cache, &whole.fabric.counts, whole.level));
        found.extend(fabrics_as_columns(context, cache, untimed));
    }
    found
}

/// Times the cheapest first, and none that one which is fast enough makes needless.
pub(super) fn fabrics_as_columns(
    context: &ColumnContext<'_>,
    cache: &mut SizingCache,
    untimed: Vec<UntimedFabric>,
) -> Vec<FabricColumn> {
    let mut weighed: Vec<(Vec<f64>, UntimedFabric)> = untimed
        .into_iter()
        .map(|whole| (column_burdens(context, &whole.coefficients), whole))
        .collect();
    weighed.sort_by(|(a, x), (b, y)| {
        a[0].total_cmp(&b[0]).then(y.coefficients.bisection.total_cmp(&x.coefficients.bisection))
    });
    let mut kept: Vec<(Vec<f64>, FabricColumn)> = Vec::new();
    for (burden, whole) in weighed {
        let needless = kept.iter().any(|(other, column)| {
            other.iter().zip(&burden).all(|(a, b)| a <= b)
                && (column.coefficients.bisection >= whole.coefficients.bisection
                    || other[0] < burden[0])
        });
        if needless {
            continue;
        }
        let time = whole.step_time(context, cache);
        if context.is_fast_enough(time) {
            kept.push((burden, whole.into_column(time)));
        }
    }
    kept.into_iter().map(|(_, column)| column).collect()
}

/// A finished fabric whose step time is not known yet.
pub(in crate::design) struct UntimedFabric {
    fabric: BuiltFabric,
    coefficients: Column,
    level: Level,
}

impl UntimedFabric {
    pub(in crate::design) fn new(context: &ColumnContext<'_>, fabric: BuiltFabric) -> Self {
        let counts = &fabric.counts;
        let level = level_of_counts(counts, context.job.machine.balance);
        let ports = (counts.endpoints * u64::from(context.planes)) as f64;
        let coefficients = Column {
            rails: u64::from(context.job.machine.node.nics) * u64::from(context.planes),
            pieces: context.parts.parts_used(
                context.skus.iter().map(|sku| counts.switches_of(&sku.name)).collect(),
                counts.host_links,
                counts.link_count(),
                counts.occupancy.as_ref().unwrap_or(&Occupancy::default()),
            ),
            links: counts.link_count(),
            bisection: (level.within + level.across) * ports,
        };
        Self { fabric, coefficients, level }
    }

    /// What it costs were parts in stock free, in the units of the objective: no answer with it
    /// costs less.
    pub(in crate::design) fn cost_with_free_stock(&self, context: &ColumnContext<'_>) -> f64 {
        cost_of_parts(context, &self.coefficients, 0.0)
    }

    /// The fabric, timed at that level: the one of its slowest leaf switch.
    pub(in crate::design) fn with_level(self, level: Level) -> Self {
        Self { level, ..self }
    }

    fn step_time(&self, context: &ColumnContext<'_>, cache: &mut SizingCache) -> Seconds {
        cache.blended_step_time(context, self.level)
    }

    pub(in crate::design) fn into_column(self, time: Seconds) -> FabricColumn {
        let what = ColumnSource::Whole(Box::new(self.fabric));
        FabricColumn { source: what, coefficients: self.coefficients, level: self.level, time }
    }
}

/// Level of a finished fabric that spreads messages so. A Clos at full bisection has no border that
/// matters where it spreads them evenly.
pub(crate) fn level_of_counts(counts: &Counts, balance: UplinkBalance) -> Level {
    let free = counts.within_rail >= 1.0 && counts.across_rails >= 1.0 && balance.is_even();
    Level {
        leaf_domains: if free { None } else { counts.leaf_domains },
        within: counts.within_rail,
        across: counts.across_rails,
        planes: balance.planes_that_wait(counts.planes),
        member: None,
    }
}

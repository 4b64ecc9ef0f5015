//! `FabricColumn`, `BuiltFabric`, `RailGroup`; dominated columns.
//!
//! What a fabric can be put together from, one at a time: a build or a finished fabric as a column
//! of the integer program. Makes none.

use std::cmp::Ordering;

use super::context::ColumnContext;
use crate::design::job::machine::Level;
use crate::fabric::{
    Assembly, Blueprint, Build, Counts, Filling, IdleLanes, Occupancy, Ratio, SpineOption,
};
use crate::sizing::{Column, SizingProblem};
use crate::units::Seconds;

/// A column of the integer program: one thing that may carry rails.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct FabricColumn {
    pub(in crate::design) source: ColumnSource,
    /// Its entries in the rows of the program.
    pub(crate) coefficients: Column,
    pub(in crate::design) level: Level,
    /// Time of a step where all rails are like this.
    pub(in crate::design) time: Seconds,
}

impl FabricColumn {
    /// Lanes of its cages and cables that stay idle.
    pub(in crate::design) fn idle_lanes(&self, context: &ColumnContext<'_>) -> IdleLanes<u64> {
        let lanes = &context.parts.lanes;
        match &self.source {
            _ if lanes.are_own() => IdleLanes::default(),
            ColumnSource::Rails(builds) => {
                let builds: Vec<(&Build, u64)> =
                    builds.iter().map(|(build, times)| (build, *times)).collect();
                occupancy_of_builds(context, &builds).idle_lanes(lanes)
            }
            ColumnSource::Whole(fabric) => fabric
                .counts
                .occupancy
                .as_ref()
                .map(|occupancy| occupancy.idle_lanes(lanes))
                .unwrap_or_default(),
        }
    }
}

/// What a column is made of.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::design) enum ColumnSource {
    /// Builds with how many of each. One build serves a rail, or some that share a switch or a
    /// tree, and others may be built otherwise; where networks are regular these serve all rails of
    /// all planes.
    Rails(Vec<(Build, u64)>),
    /// All rails of all planes at once.
    Whole(Box<BuiltFabric>),
}

/// A finished fabric and what it was counted from.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct BuiltFabric {
    pub(crate) counts: Counts,
    pub(crate) blueprint: Blueprint,
}

impl BuiltFabric {
    /// So many copies of each build, below a spine where there is one.
    pub(in crate::design) fn from_builds(
        context: &ColumnContext<'_>,
        builds: &[(&Build, u64)],
        spine: Option<(&SpineOption, u64)>,
    ) -> Self {
        let assembly = Assembly {
            rails: context.job.machine.node.nics,
            endpoints: context.job.endpoints(),
            planes: context.planes,
            link: context.parts.link,
            width: context.parts.width,
            skus: context.skus,
            builds,
            spine,
        };
        Self { counts: assembly.assembly_counts(), blueprint: Blueprint::from_assembly(&assembly) }
    }
}

/// Rails that builds serve, and the switches and links that they take.
pub(in crate::design) fn coefficients_of_builds(
    context: &ColumnContext<'_>,
    builds: &[(&Build, u64)],
) -> Column {
    let sum = |each: &dyn Fn(&Build) -> u64| -> u64 {
        builds.iter().map(|(build, times)| each(build) * times).sum()
    };
    let links = sum(&Build::link_count);
    let switches = (0..context.skus.len()).map(|sku| sum(&|build| build.switches_of(sku)));
    let occupancy = occupancy_of_builds(context, builds);
    Column {
        rails: sum(&|build| build.rails.into()),
        pieces: context.parts.parts_used(
            switches.collect(),
            sum(&|build| build.host_links),
            links,
            &occupancy,
        ),
        links,
        bisection: 0.0,
    }
}

/// The links of the switches of builds.
pub(super) fn occupancy_of_builds(
    context: &ColumnContext<'_>,
    builds: &[(&Build, u64)],
) -> Occupancy {
    let mut all = Occupancy::default();
    for (build, times) in builds {
        all.add(&build.occupancy(context.skus, context.parts.width, build.rails), *times);
    }
    all
}

/// Rails that one tree serves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::design) struct RailGroup {
    pub(in crate::design) rails: u32,
    pub(in crate::design) filling: Filling,
}

impl RailGroup {
    /// A rail by itself.
    pub(in crate::design) const RAIL: Self = Self { rails: 1, filling: Filling::OneRail };

    /// Ports of a unit that a leaf holds: an endpoint, or a whole rail.
    pub(in crate::design) fn ports_per_unit(self, context: &ColumnContext<'_>) -> u32 {
        if self.filling == Filling::WholeRails { context.job.networked_domains() } else { 1 }
    }

    /// What the leafs of one part of the tree hold together, in units.
    pub(super) fn units_per_tree_part(self, context: &ColumnContext<'_>) -> u64 {
        match self.filling {
            Filling::OneRail => context.job.networked_domains().into(),
            Filling::WholeRails => self.rails.into(),
            Filling::InOrder => u64::from(self.rails) * u64::from(context.job.networked_domains()),
        }
    }

    /// True where the tree joins every rail of the cluster.
    fn is_whole(self, context: &ColumnContext<'_>) -> bool {
        let nics = context.job.machine.node.nics;
        self.rails >= nics && (nics > 1 || self.filling == Filling::InOrder)
    }

    /// Level of a tree whose leafs hold so many endpoints of a rail each, at that ratio of uplinks.
    pub(super) fn level_at_uplink_ratio(
        self,
        context: &ColumnContext<'_>,
        own: u32,
        ratio: Ratio,
    ) -> Level {
        let across = if self.is_whole(context) { ratio.to_f64() } else { 0.0 };
        if self.filling == Filling::WholeRails {
            return Level { across, ..Level::FULL };
        }
        let spread = (context.job.machine.balance, context.planes);
        Level::with_leaf_border(Some(own), [ratio.to_f64(), across], spread.0, spread.1)
    }

    /// Level of the leaf that holds `units` beside `up` uplinks, each of one port or more.
    pub(super) fn level_of_leaf(self, context: &ColumnContext<'_>, units: u32, up: u32) -> Level {
        let down = units * self.ports_per_unit(context);
        let ports = up * context.parts.width;
        self.level_at_ratio(context, units, Ratio::uplinks_per_downlink(ports, down))
    }

    /// Level of the leaf that holds `units` at that ratio of uplinks.
    pub(super) fn level_at_ratio(
        self,
        context: &ColumnContext<'_>,
        units: u32,
        ratio: Ratio,
    ) -> Level {
        let own = match self.filling {
            Filling::InOrder => (units / self.rails.max(1)).max(1),
            Filling::OneRail | Filling::WholeRails => units * self.ports_per_unit(context),
        };
        self.level_at_uplink_ratio(context, own, ratio)
    }

    /// NICs of one HB domain on a leaf switch that holds so many units, at most.
    pub(super) fn nics_of_domain_per_leaf(self, units: u32) -> u32 {
        match self.filling {
            Filling::OneRail => 1,
            Filling::WholeRails => units,
            Filling::InOrder => units.min(self.rails),
        }
    }
}

/// The shapes that leafs of a group may have at a pace.
#[derive(Debug)]
pub(in crate::design) struct Shapes {
    /// The fewest uplinks beside one unit, beside two, and so on; `None` where a leaf that never
    /// blocks is too slow.
    pub(super) fewest_uplinks: Vec<Option<u32>>,
    /// By model and by uplinks the most units of a leaf; what `TreeRequest::widest` asks for.
    pub(in crate::design) widest: Vec<Vec<u32>>,
}

impl Shapes {
    /// The fewest uplinks beside so many units; `None` where none are enough.
    pub(super) fn min_uplinks_for_units(&self, units: u32) -> Option<u32> {
        self.fewest_uplinks.get(units as usize - 1).copied().flatten()
    }
}

/// Drops every column that another one beats: as many rails, and no more of anything that could
/// make it dearer. All are fast enough. What is dropped can cost no less, and its bisection would
/// only break a tie; of equal columns the one with more bisection stays, then the faster one.
pub(in crate::design) fn drop_dominated_columns(
    context: &ColumnContext<'_>,
    columns: Vec<FabricColumn>,
) -> Vec<FabricColumn> {
    let mut weighed: Vec<(Vec<f64>, FabricColumn)> = columns
        .into_iter()
        .map(|column| (column_burdens(context, &column.coefficients), column))
        .collect();
    weighed.sort_by(|(a, x), (b, y)| {
        let burdens = a.iter().zip(b).map(|(a, b)| a.total_cmp(b)).find(|order| order.is_ne());
        x.coefficients
            .rails
            .cmp(&y.coefficients.rails)
            .then(burdens.unwrap_or(Ordering::Equal))
            .then(y.coefficients.bisection.total_cmp(&x.coefficients.bisection))
            .then(x.time.total_cmp(&y.time))
    });
    let mut kept: Vec<(Vec<f64>, FabricColumn)> = Vec::new();
    for (burden, column) in weighed {
        let beaten = kept.iter().any(|(other_burden, other)| {
            other.coefficients.rails == column.coefficients.rails
                && other_burden.iter().zip(&burden).all(|(a, b)| a <= b)
                && (other.coefficients.bisection >= column.coefficients.bisection
                    || other_burden[0] < burden[0])
        });
        if !beaten {
            kept.push((burden, column));
        }
    }
    kept.into_iter().map(|(_, column)| column).collect()
}

/// All that can make a column dearer than another. Where everything is bought and can be had in
/// any number that is its price, and its power or money where those are limited; else links and
/// switches of each model, as nobody knows which of them stock will make free.
pub(super) fn column_burdens(context: &ColumnContext<'_>, coefficients: &Column) -> Vec<f64> {
    let (offers, ends) = (&context.parts.offers, &context.parts.ends);
    if !context.parts.all_bought() || context.limits.racks.is_some() {
        let switches = coefficients.pieces.iter().map(|count| *count as f64);
        return [coefficients.links as f64].into_iter().chain(switches).collect();
    }
    let optics = (SizingProblem::ENDS_PER_LINK * coefficients.links) as f64;
    let switches =
        || offers.iter().zip(&coefficients.pieces).map(|(offer, count)| (offer, *count as f64));
    let price = switches().map(|(offer, count)| offer.price.get() * count).sum::<f64>()
        + ends.price.get() * optics;
    let power = switches().map(|(offer, count)| offer.power.get() * count).sum::<f64>()
        + ends.power.get() * optics;
    let money = if context.counts_money { price } else { 0.0 };
    let mut burdens = vec![money + context.energy_per_watt.get() * power];
    burdens.extend(
        context
            .limit_coefficients
            .iter()
            .map(|coefficient| coefficient.money * price + coefficient.watts * power),
    );
    burdens
}

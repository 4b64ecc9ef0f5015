//! What a fabric can be put together from: every build that a candidate may use, with its column
//! of the integer program and the time of a step on it. Drops only what is too slow or beaten.

use crate::design::columns::cache::SizingCache;
use crate::design::columns::ceilings::Ceilings;
use crate::design::columns::column::{
    ColumnSource, FabricColumn, RailGroup, coefficients_of_builds, drop_dominated_columns,
};
use crate::design::columns::context::ColumnContext;
use crate::design::columns::cross_rail_spine::partial_spine_columns;
use crate::design::columns::four_tier_trees::four_tier_columns;
use crate::design::columns::leaf_shapes::{
    is_leaf_fast_enough, level_and_time, max_endpoints_after_loss, shapes_at_pace, switch_survives,
};
use crate::fabric::{
    Build, FabricKind, Filling, TierName, TreeRequest, WeightCeiling, joined_switches,
    shared_switches, tree_may_be,
};
use crate::scenario::FabricChoice;
use crate::sizing::Column;

/// Every column that is fast enough and may be in a best answer, in a fixed order.
pub(crate) fn generate_columns(
    context: &ColumnContext<'_>,
    choice: FabricChoice,
    cache: &mut SizingCache,
) -> Vec<FabricColumn> {
    generate_columns_below(context, choice, Ceilings::default(), cache)
}

/// The columns that are fast enough and that ceilings admit.
pub(super) fn generate_columns_below(
    context: &ColumnContext<'_>,
    choice: FabricChoice,
    ceilings: Ceilings,
    cache: &mut SizingCache,
) -> Vec<FabricColumn> {
    let mut found = ColumnPool { columns: Vec::new(), ceilings };
    let nics = context.job.machine.node.nics;
    let auto = choice == FabricChoice::Auto;
    let regular = context.is_regular();
    if auto || choice == FabricChoice::RailOnly {
        let domains = u64::from(context.job.networked_domains());
        let ceiling = found.ceilings.ceiling_for_rails(context, 1);
        found.add(context, cache, shared_switches(domains, context.skus, &ceiling));
        found.add_tree_columns(context, cache, RailGroup::RAIL);
    }
    if auto && !regular {
        for rails in part_of_all(nics) {
            found.add_tree_columns(context, cache, RailGroup { rails, filling: Filling::InOrder });
        }
    }
    if choice != FabricChoice::RailOnly {
        let domains = u64::from(context.job.networked_domains());
        found.add(context, cache, joined_switches(nics, domains, context.skus));
    }
    // In a Clos rails share leaf switches.
    if auto && (!regular || nics == 1) || choice == FabricChoice::Clos {
        found.add_tree_columns(
            context,
            cache,
            RailGroup { rails: nics, filling: Filling::InOrder },
        );
        found.four_tiers(context, cache, FabricKind::Clos);
    }
    if auto || choice == FabricChoice::RailOptimized {
        // One rail by itself is joined however its leaf switches are filled.
        let filling = if nics > 1 { Filling::OneRail } else { Filling::InOrder };
        found.add_tree_columns(context, cache, RailGroup { rails: nics, filling });
        found.add_tree_columns(
            context,
            cache,
            RailGroup { rails: nics, filling: Filling::WholeRails },
        );
        found.four_tiers(context, cache, FabricKind::RailOptimized);
    }
    // Which losses leave what of a spine across rails is not known before it is wired; and such
    // spines are made of alike links only.
    let auto = auto && context.survival.is_none() && context.parts.width == 1;
    // What is kept for later makes thousands of these worth weighing: then they are tried only
    // where nothing else is fast enough.
    if auto && (!context.parts.keeps || found.columns.is_empty()) {
        let ceiling = found.ceiling_of_a_plane(context);
        found.add_admitted_columns(context, partial_spine_columns(context, ceiling, cache));
    }
    let columns = drop_dominated_columns(context, found.columns);
    if !regular {
        return columns;
    }
    let whole = columns.into_iter().map(|column| column_for_all_rails(context, column)).collect();
    drop_dominated_columns(context, whole)
}

/// Most rails of which every smaller number is tried as a group; above it those that divide them.
const EVERY_GROUP: u32 = 16;

/// The numbers of rails, more than one and fewer than all, that may share a tree.
fn part_of_all(nics: u32) -> impl Iterator<Item = u32> {
    (2..nics).filter(move |rails| nics <= EVERY_GROUP || nics.is_multiple_of(*rails))
}

/// Pieces so far, and what those of as many rails may weigh at most.
struct ColumnPool {
    columns: Vec<FabricColumn>,
    ceilings: Ceilings,
}

impl ColumnPool {
    /// Trees of two or three tiers over a group of rails.
    fn add_tree_columns(
        &mut self,
        context: &ColumnContext<'_>,
        cache: &mut SizingCache,
        group: RailGroup,
    ) {
        let ceiling = self.ceilings.ceiling_for_rails(context, group.rails);
        let endpoints = u64::from(group.rails) * u64::from(context.job.networked_domains());
        if !tree_may_be(endpoints, context.skus, &ceiling) {
            return;
        }
        let make = |cache: &mut SizingCache, beside| shapes_at_pace(context, group, cache, beside);
        let shapes = cache.leaf_shapes(context, group, make);
        let losses = cache.survived_losses(context, group, |cache| {
            max_endpoints_after_loss(context, group, cache)
        });
        let request = TreeRequest {
            rails: group.rails,
            endpoints: context.job.networked_domains().into(),
            filling: group.filling,
            skus: context.skus,
            widest: &shapes.widest,
            losses: losses.as_deref(),
            max_models: context.limits.models_per_rail,
            across: 0,
            width: context.parts.width,
            alike: context.is_regular(),
        };
        let builds = cache.tree_builds(&request, &ceiling);
        for build in builds.iter().cloned() {
            let even = with_even_units(context, group, cache, build.clone());
            // Filled leafs may have fewer cages in use than even ones.
            let filled = !context.is_regular() && !context.parts.lanes.are_own() && even != build;
            self.add(context, cache, [even].into_iter().chain(filled.then_some(build)));
        }
    }

    /// The ceiling of all rails of a plane: where the lightest fabric alone counts, what the
    /// columns so far give at most.
    fn ceiling_of_a_plane(&self, context: &ColumnContext<'_>) -> WeightCeiling {
        let nics = context.job.machine.node.nics;
        let planes = u64::from(context.planes);
        if let Ceilings::AtMost(..) = self.ceilings {
            // A fabric takes all rails of all planes at once.
            let mut ceiling = self.ceilings.ceiling_for_rails(context, nics * context.planes);
            ceiling.bound.iter_mut().for_each(|bound| bound.known_weight /= planes as f64);
            return ceiling;
        }
        let mut ceiling = self.ceilings.ceiling_for_rails(context, nics);
        if ceiling.only_scale().is_none() {
            return ceiling;
        }
        for scale in &mut ceiling.scales {
            for column in &self.columns {
                let (other_column, idle) = (&column.coefficients, column.idle_lanes(context));
                let copies = (u64::from(nics) * planes).div_ceil(other_column.rails.max(1));
                let each = scale.build_weight(&other_column.pieces, other_column.links)
                    + idle.weighted_sum(&scale.idle);
                let weight = each * copies as f64;
                scale.known_weight = scale.known_weight.min(weight / planes as f64);
            }
        }
        ceiling
    }

    /// Trees of four tiers, where fewer do not reach: alike switches in alike shapes.
    fn four_tiers(
        &mut self,
        context: &ColumnContext<'_>,
        cache: &mut SizingCache,
        kind: FabricKind,
    ) {
        let of_kind = |column: &FabricColumn| match &column.source {
            ColumnSource::Rails(builds) => builds.iter().any(|(build, _)| build.joins_rails()),
            ColumnSource::Whole(fabric) => fabric.counts.kind == kind,
        };
        if context.parts.width == 1 && !self.columns.iter().any(of_kind) {
            self.add_admitted_columns(context, four_tier_columns(context, kind, cache));
        }
    }

    fn add(
        &mut self,
        context: &ColumnContext<'_>,
        cache: &mut SizingCache,
        builds: impl IntoIterator<Item = Build>,
    ) {
        // One at a time: many models make more than are worth holding.
        for build in builds {
            let made = rail_column(context, cache, build);
            self.add_admitted_columns(context, made.into_iter().collect());
        }
    }

    fn add_admitted_columns(&mut self, context: &ColumnContext<'_>, columns: Vec<FabricColumn>) {
        for column in columns {
            if self.ceilings.admit_build(context, &column) {
                self.columns.push(column);
            }
        }
    }
}

fn rail_column(
    context: &ColumnContext<'_>,
    cache: &mut SizingCache,
    build: Build,
) -> Option<FabricColumn> {
    let (level, time) = level_and_time(context, &build, cache);
    if build.is_single_switch() && !switch_survives(context, cache, level, build.rails) {
        return None;
    }
    let ports = (u64::from(build.rails) * u64::from(context.job.networked_domains())) as f64;
    let coefficients = Column {
        bisection: (level.within + level.across) * ports,
        ..coefficients_of_builds(context, &[(&build, 1)])
    };
    context.is_fast_enough(time).then_some(FabricColumn {
        source: ColumnSource::Rails(vec![(build, 1)]),
        coefficients,
        level,
        time,
    })
}

/// The column that serves all rails of all planes by copies of its build. A switch that holds
/// several whole rails may have fewer of them at last.
fn column_for_all_rails(context: &ColumnContext<'_>, column: FabricColumn) -> FabricColumn {
    let ColumnSource::Rails(builds) = &column.source else { return column };
    let [(build, 1)] = builds.as_slice() else { return column };
    let rails = context.job.machine.node.nics * context.planes;
    let (full, rest) = (rails / build.rails.max(1), rails % build.rails.max(1));
    let last = if rest > 0 { build.with_rails(rest) } else { None };
    let copies = match last {
        None if rest > 0 => full + 1,
        _ => full,
    };
    let all: Vec<(Build, u64)> = [(build.clone(), u64::from(copies))]
        .into_iter()
        .chain(last.map(|last| (last, 1)))
        .filter(|(_, copies)| *copies > 0)
        .collect();
    let refer: Vec<(&Build, u64)> = all.iter().map(|(build, copies)| (build, *copies)).collect();
    let share = f64::from(rails) / f64::from(build.rails.max(1));
    let coefficients = Column {
        rails: rails.into(),
        bisection: column.coefficients.bisection * share,
        ..coefficients_of_builds(context, &refer)
    };
    FabricColumn { source: ColumnSource::Rails(all), coefficients, ..column }
}

/// A tree with as many machines below each of its alike leaf switches as they have on average:
/// where networks are regular if it is fast enough so, else if it is no slower. Otherwise the tree
/// as it is.
fn with_even_units(
    context: &ColumnContext<'_>,
    group: RailGroup,
    cache: &mut SizingCache,
    build: Build,
) -> Build {
    let leafs: Vec<_> = build.layers.iter().filter(|layer| layer.tier == TierName::Leaf).collect();
    let [leaf] = leafs.as_slice() else { return build };
    if build.filling != Filling::OneRail || leaf.count < u64::from(build.rails.max(1)) {
        return build;
    }
    let each = leaf.count / u64::from(build.rails.max(1));
    let even = u64::from(context.job.networked_domains()).div_ceil(each) as u32;
    let uplinks = leaf.up / context.parts.width.max(1);
    if even >= leaf.down || !is_leaf_fast_enough(context, group, cache, even, uplinks) {
        return build;
    }
    let evened = build.clone().with_leafs_of(even);
    let time = level_and_time(context, &build, cache).1;
    let slower = level_and_time(context, &evened, cache).1 > time;
    if slower && !context.is_regular() { build } else { evened }
}

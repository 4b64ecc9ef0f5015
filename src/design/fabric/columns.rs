//! What a fabric can be put together from: every build that a candidate may use, with its column
//! of the integer program and the time of a step on it. Drops only what is too slow or beaten.

use super::after_loss::{switch_survives, widest_after};
use super::cache::Cache;
use super::ceilings::Ceilings;
use super::column::{Column, What, taken};
use super::context::Context;
use super::dominance::undominated;
use super::group::Group;
use super::partial::partial_spines;
use super::regular::{on_all_rails, with_even_units};
use super::shapes::{level_and_time, shapes};
use super::trees::four_tiers;
use crate::fabric::{
    Build, Ceiling, FabricKind, Filling, TreeRequest, joined_switches, shared_switches, tree_may_be,
};
use crate::scenario::FabricChoice;
use crate::sizing::Column as Coefficients;

/// Every column that is fast enough and may be in a best answer, in a fixed order.
pub(crate) fn columns(
    context: &Context<'_>,
    choice: FabricChoice,
    cache: &mut Cache,
) -> Vec<Column> {
    columns_below(context, choice, Ceilings::default(), cache)
}

/// The columns that are fast enough and that ceilings admit.
pub(super) fn columns_below(
    context: &Context<'_>,
    choice: FabricChoice,
    ceilings: Ceilings,
    cache: &mut Cache,
) -> Vec<Column> {
    let mut found = Found { columns: Vec::new(), ceilings };
    let nics = context.job.machine.node.nics;
    let auto = choice == FabricChoice::Auto;
    let regular = context.is_regular();
    if auto || choice == FabricChoice::RailOnly {
        let domains = u64::from(context.job.cabled());
        let ceiling = found.ceilings.of(context, 1);
        found.add(context, cache, shared_switches(domains, context.skus, &ceiling));
        found.trees(context, cache, Group::RAIL);
    }
    if auto && !regular {
        for rails in part_of_all(nics) {
            found.trees(context, cache, Group { rails, filling: Filling::InOrder });
        }
    }
    if choice != FabricChoice::RailOnly {
        let domains = u64::from(context.job.cabled());
        found.add(context, cache, joined_switches(nics, domains, context.skus));
    }
    // In a Clos rails share leaf switches.
    if auto && (!regular || nics == 1) || choice == FabricChoice::Clos {
        found.trees(context, cache, Group { rails: nics, filling: Filling::InOrder });
        found.four_tiers(context, cache, FabricKind::Clos);
    }
    if auto || choice == FabricChoice::RailOptimized {
        // One rail by itself is joined however its leaf switches are filled.
        let filling = if nics > 1 { Filling::OneRail } else { Filling::InOrder };
        found.trees(context, cache, Group { rails: nics, filling });
        found.trees(context, cache, Group { rails: nics, filling: Filling::WholeRails });
        found.four_tiers(context, cache, FabricKind::RailOptimized);
    }
    // Which losses leave what of a spine across rails is not known before it is wired; and such spines
    // are made of alike links only.
    let auto = auto && context.survival.is_none() && context.parts.width == 1;
    // What is kept for later makes thousands of these worth weighing: then they are tried only where
    // nothing else is fast enough.
    if auto && (!context.parts.keeps || found.columns.is_empty()) {
        let ceiling = found.ceiling_of_a_plane(context);
        found.take(context, partial_spines(context, ceiling, cache));
    }
    let columns = undominated(context, found.columns);
    if !regular {
        return columns;
    }
    let whole = columns.into_iter().map(|column| on_all_rails(context, column)).collect();
    undominated(context, whole)
}

/// Most rails of which every smaller number is tried as a group; above it those that divide them.
const EVERY_GROUP: u32 = 16;

/// The numbers of rails, more than one and fewer than all, that may share a tree.
fn part_of_all(nics: u32) -> impl Iterator<Item = u32> {
    (2..nics).filter(move |rails| nics <= EVERY_GROUP || nics.is_multiple_of(*rails))
}

/// Pieces so far, and what those of as many rails may weigh at most.
struct Found {
    columns: Vec<Column>,
    ceilings: Ceilings,
}

impl Found {
    /// Trees of two or three tiers over a group of rails.
    fn trees(&mut self, context: &Context<'_>, cache: &mut Cache, group: Group) {
        let ceiling = self.ceilings.of(context, group.rails);
        let endpoints = u64::from(group.rails) * u64::from(context.job.cabled());
        if !tree_may_be(endpoints, context.skus, &ceiling) {
            return;
        }
        let make = |cache: &mut Cache, beside| shapes(context, group, cache, beside);
        let shapes = cache.shapes(context, group, make);
        let losses = cache.losses(context, group, |cache| widest_after(context, group, cache));
        let request = TreeRequest {
            rails: group.rails,
            endpoints: context.job.cabled().into(),
            filling: group.filling,
            skus: context.skus,
            widest: &shapes.widest,
            losses: losses.as_deref(),
            models: context.limits.models_per_rail,
            across: 0,
            width: context.parts.width,
            alike: context.is_regular(),
        };
        let builds = cache.trees(&request, &ceiling);
        for build in builds.iter().cloned() {
            let even = with_even_units(context, group, cache, build.clone());
            // Filled leafs may have fewer cages in use than even ones.
            let filled = !context.is_regular() && !context.parts.lanes.are_own() && even != build;
            self.add(context, cache, [even].into_iter().chain(filled.then_some(build)));
        }
    }

    /// The ceiling of all rails of a plane: where the lightest fabric alone counts, what the columns so
    /// far give at most.
    fn ceiling_of_a_plane(&self, context: &Context<'_>) -> Ceiling {
        let nics = context.job.machine.node.nics;
        let planes = u64::from(context.planes);
        if let Ceilings::AtMost(..) = self.ceilings {
            // A fabric takes all rails of all planes at once.
            let mut ceiling = self.ceilings.of(context, nics * context.planes);
            ceiling.bound.iter_mut().for_each(|bound| bound.most /= planes as f64);
            return ceiling;
        }
        let mut ceiling = self.ceilings.of(context, nics);
        if ceiling.only_scale().is_none() {
            return ceiling;
        }
        for scale in &mut ceiling.scales {
            for column in &self.columns {
                let (of, idle) = (&column.coefficients, column.idle(context));
                let copies = (u64::from(nics) * planes).div_ceil(of.rails.max(1));
                let each = scale.weight(&of.switches, of.links) + idle.weight(&scale.idle);
                let weight = each * copies as f64;
                scale.most = scale.most.min(weight / planes as f64);
            }
        }
        ceiling
    }

    /// Trees of four tiers, where fewer do not reach: alike switches in alike shapes.
    fn four_tiers(&mut self, context: &Context<'_>, cache: &mut Cache, kind: FabricKind) {
        let of_kind = |column: &Column| match &column.what {
            What::Rails(builds) => builds.iter().any(|(build, _)| build.joins_rails()),
            What::Whole(fabric) => fabric.counts.kind == kind,
        };
        if context.parts.width == 1 && !self.columns.iter().any(of_kind) {
            self.take(context, four_tiers(context, kind, cache));
        }
    }

    fn add(
        &mut self,
        context: &Context<'_>,
        cache: &mut Cache,
        builds: impl IntoIterator<Item = Build>,
    ) {
        // One at a time: many models make more than are worth holding.
        for build in builds {
            let made = rail_column(context, cache, build);
            self.take(context, made.into_iter().collect());
        }
    }

    fn take(&mut self, context: &Context<'_>, columns: Vec<Column>) {
        for column in columns {
            if self.ceilings.admit(context, &column) {
                self.columns.push(column);
            }
        }
    }
}

fn rail_column(context: &Context<'_>, cache: &mut Cache, build: Build) -> Option<Column> {
    let (level, time) = level_and_time(context, &build, cache);
    if build.is_one_switch() && !switch_survives(context, cache, level, build.rails) {
        return None;
    }
    let ports = (u64::from(build.rails) * u64::from(context.job.cabled())) as f64;
    let coefficients = Coefficients {
        bisection: (level.within + level.across) * ports,
        ..taken(context, &[(&build, 1)])
    };
    context.admits(time).then_some(Column {
        what: What::Rails(vec![(build, 1)]),
        coefficients,
        level,
        time,
    })
}

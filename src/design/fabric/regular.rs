//! Columns of regular networks: all rails of all planes are built alike, and units hold as many machines.

use super::cache::SizingCache;
use super::column::{ColumnSource, FabricColumn, coefficients_of_builds};
use super::context::ColumnContext;
use super::group::RailGroup;
use super::shapes::{is_leaf_fast_enough, level_and_time};
use crate::fabric::{Build, Filling, TierName};
use crate::sizing::Column as Coefficients;

/// The column that serves all rails of all planes by copies of its build. A switch that holds several whole
/// rails may have fewer of them at last.
pub(super) fn column_for_all_rails(
    context: &ColumnContext<'_>,
    column: FabricColumn,
) -> FabricColumn {
    let ColumnSource::Rails(builds) = &column.what else { return column };
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
    let coefficients = Coefficients {
        rails: rails.into(),
        bisection: column.coefficients.bisection * share,
        ..coefficients_of_builds(context, &refer)
    };
    FabricColumn { what: ColumnSource::Rails(all), coefficients, ..column }
}

/// A tree with as many machines below each of its alike leaf switches as they have on average: where networks
/// are regular if it is fast enough so, else if it is no slower. Otherwise the tree as it is.
pub(super) fn with_even_units(
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
    if even >= leaf.down || !is_leaf_fast_enough(context, group, cache, (even, uplinks)) {
        return build;
    }
    let evened = build.clone().with_leafs_of(even);
    let time = level_and_time(context, &build, cache).1;
    let slower = level_and_time(context, &evened, cache).1 > time;
    if slower && !context.is_regular() { build } else { evened }
}

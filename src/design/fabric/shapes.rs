//! Which shapes a leaf may have: for every number of uplinks the most endpoints beside it with
//! which each workload is fast enough and the stated bandwidth is kept. Counts no switches.

use std::rc::Rc;

use super::after_loss::survives_nic_loss;
use super::cache::SizingCache;
use super::context::ColumnContext;
use super::group::{RailGroup, Shapes};
use crate::design::candidate::machine::Level;
use crate::fabric::{Build, Ratio};
use crate::units::Seconds;

/// Level of a build and the time of a step on it: that of its slowest leaf.
pub(super) fn level_and_time(
    context: &ColumnContext<'_>,
    build: &Build,
    cache: &mut SizingCache,
) -> (Level, Seconds) {
    let group = RailGroup { rails: build.rails, filling: build.filling };
    let apart = Level { across: 0.0, ..Level::FULL };
    if !build.has_borders() && !build.joins_rails() {
        return (apart, cache.blended_step_time(context, apart));
    }
    if build.is_single_switch() {
        let level =
            group.level_at_uplink_ratio(context, context.job.networked_domains(), Ratio::ONE);
        return (level, cache.blended_step_time(context, level));
    }
    let shapes =
        build.leaf_shapes().map(|(own, ratio)| group.level_at_uplink_ratio(context, own, ratio));
    let timed = shapes.map(|level| (level, cache.blended_step_time(context, level)));
    timed.max_by(|a, b| a.1.total_cmp(&b.1)).unwrap_or((apart, Seconds::ZERO))
}

/// The shapes of a group at a pace, where those at a shorter and a longer one may be known.
///
/// Step time does not rise as uplinks are added, so for each number of endpoints there is a least
/// number of uplinks, which is no larger where a step may take longer. It need not rise with the endpoints: leafs may
/// fall on the borders of groups.
pub(super) fn shapes_at_pace(
    context: &ColumnContext<'_>,
    group: RailGroup,
    cache: &mut SizingCache,
    [shorter, longer]: [Option<Rc<Shapes>>; 2],
) -> Shapes {
    let unit = group.ports_per_unit(context);
    let radix = context.skus.iter().map(|sku| sku.radix).max().unwrap_or(0);
    // A leaf that holds everything needs no layer above it.
    let most = u64::from(radix / unit.max(1))
        .min(group.units_per_tree_part(context).saturating_sub(1)) as u32;
    let mut tables: Vec<Vec<u32>> =
        context.skus.iter().map(|sku| vec![0; sku.radix as usize]).collect();
    let mut guess = 1;
    let mut fewest = Vec::new();
    for units in 1..=most {
        let enough = shorter.as_ref().and_then(|shapes| shapes.min_uplinks_for_units(units));
        let needed = longer.as_ref().map(|shapes| shapes.min_uplinks_for_units(units));
        let found = match needed {
            Some(None) => None,
            _ => {
                let known = KnownUplinks { needed: needed.flatten().unwrap_or(1), guess, enough };
                least_uplinks(context, group, cache, units, known)
            }
        };
        fewest.push(found);
        let Some(least) = found else { continue };
        guess = least;
        for (table, sku) in tables.iter_mut().zip(context.skus) {
            let free = context.parts.uplinks_beside(sku.radix, units * unit);
            for entry in table.iter_mut().take(free as usize + 1).skip(least as usize) {
                *entry = units;
            }
        }
    }
    // A level that routing corrected may be too slow where fewer uplinks are not.
    for (up, entry) in tables.iter_mut().flat_map(|table| (0_u32..).zip(table)) {
        let level = |units: u32| group.level_of_leaf(context, units, up);
        while *entry > 0
            && context.job.is_strained(level(*entry))
            && !is_leaf_fast_enough(context, group, cache, (*entry, up))
        {
            *entry -= 1;
        }
    }
    Shapes { fewest, widest: tables }
}

/// True where a leaf that holds so many units beside so many uplinks is fast enough, also after each loss
/// below it that has to be survived.
pub(super) fn is_leaf_fast_enough(
    context: &ColumnContext<'_>,
    group: RailGroup,
    cache: &mut SizingCache,
    (units, up): (u32, u32),
) -> bool {
    let level = group.level_of_leaf(context, units, up);
    cache.is_level_sufficient(context, level)
        && survives_nic_loss(context, cache, level, group.nics_of_domain_per_leaf(units))
}

/// What is known of the fewest uplinks beside so many units before they are searched.
struct KnownUplinks {
    /// Fewer are too few.
    needed: u32,
    /// Where the search begins.
    guess: u32,
    /// So many are enough; `None` where nothing is known.
    enough: Option<u32>,
}

/// The fewest uplinks beside so many units; `None` where even a leaf that never blocks is too slow.
fn least_uplinks(
    context: &ColumnContext<'_>,
    group: RailGroup,
    cache: &mut SizingCache,
    units: u32,
    KnownUplinks { needed, guess, enough }: KnownUplinks,
) -> Option<u32> {
    let full = (units * group.ports_per_unit(context)).div_ceil(context.parts.width);
    let mut fits = |up: u32| is_leaf_fast_enough(context, group, cache, (units, up));
    if enough.is_none() && !fits(full) {
        return None;
    }
    // Invariant: `high` uplinks fit, fewer than `low` do not.
    let (mut low, mut high) = (needed, enough.unwrap_or(full));
    let mut guess = guess.min(full);
    let mut reach = 1;
    while low < high {
        let middle = if guess >= low && guess < high { guess } else { low.midpoint(high) };
        if fits(middle) {
            high = middle;
            guess = middle.saturating_sub(reach);
        } else {
            low = middle + 1;
            guess = middle + reach;
        }
        reach *= 2;
    }
    Some(high)
}

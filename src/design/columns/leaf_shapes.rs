//! Leaf shapes that are fast enough, also after a loss.

use std::rc::Rc;

use super::binary_search::first_that_holds_near;
use super::cache::SizingCache;
use super::column::{BuiltFabric, RailGroup, Shapes};
use super::context::{ColumnContext, SurvivalRequirement};
use crate::design::job::machine::{Level, all_but_one};
use crate::design::job::run::{JobRun, pace_at_link_rate_share, pace_at_nic_rate_share};
use crate::fabric::{
    Build, Counts, FabricKind, Piece, Ratio, SurvivedLosses, SwitchTier, TierName,
};
use crate::units::Seconds;

/// Level of a build and the time of a step on it: that of its slowest leaf.
pub(in crate::design) fn level_and_time(
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
/// number of uplinks, which is no larger where a step may take longer. It need not rise with the
/// endpoints: leafs may fall on the borders of groups.
pub(in crate::design) fn shapes_at_pace(
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
            && !is_leaf_fast_enough(context, group, cache, *entry, up)
        {
            *entry -= 1;
        }
    }
    Shapes { fewest_uplinks: fewest, widest: tables }
}

/// True where a leaf that holds so many units beside so many uplinks is fast enough, also after
/// each loss below it that has to be survived.
pub(in crate::design) fn is_leaf_fast_enough(
    context: &ColumnContext<'_>,
    group: RailGroup,
    cache: &mut SizingCache,
    units: u32,
    up: u32,
) -> bool {
    let level = group.level_of_leaf(context, units, up);
    cache.is_level_sufficient(context, level)
        && survives_nic_loss(context, cache, level, group.nics_of_domain_per_leaf(units))
}

/// What is known of the fewest uplinks beside so many units before they are searched.
struct KnownUplinks {
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
    let mut fits = |up: u32| is_leaf_fast_enough(context, group, cache, units, up);
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

/// How a step goes on after a loss on the side of the NICs.
#[derive(Clone, Copy, Debug, PartialEq)]
enum RemainingAfterLoss {
    /// NICs have that share of their rate, leaf switches all of their uplinks.
    Nics(f64),
    /// NICs and uplinks have that share of their rate.
    Planes(f64),
}

impl SurvivalRequirement {
    /// What is left of the NICs after each loss on their side, where a leaf switch has so many NICs
    /// of one HB domain; `None` where one of these losses stops the job.
    ///
    /// A NIC of several planes keeps its other ports. One of a single plane is cut off: what it
    /// carried the others of its domain do, where machines forward.
    fn remaining_after_losses(
        &self,
        context: &ColumnContext<'_>,
        lost: u32,
    ) -> Option<Vec<RemainingAfterLoss>> {
        let spread = (context.planes > 1).then(|| all_but_one(context.planes));
        let after = |lost| spread.or_else(|| context.job.machine.nic_share_after_cutoff(lost));
        let mut left = Vec::new();
        if self.links {
            left.push(RemainingAfterLoss::Nics(after(1)?));
        }
        if self.switches {
            left.push(RemainingAfterLoss::Nics(after(lost)?));
        }
        if self.planes {
            left.push(RemainingAfterLoss::Planes(spread?));
        }
        left.dedup();
        Some(left)
    }
}

/// True where the job goes on fast enough after every loss on the side of the NICs that it has to
/// survive, on a fabric of a level with so many NICs of one HB domain on a leaf switch.
fn survives_nic_loss(
    context: &ColumnContext<'_>,
    cache: &mut SizingCache,
    level: Level,
    lost: u32,
) -> bool {
    let Some(survival) = context.survival else { return true };
    let Some(all) = survival.remaining_after_losses(context, lost) else { return false };
    all.into_iter().all(|left| is_fast_after(context, cache, survival, left, level))
}

/// As `survives_nic_loss`, where so many rails hang on one switch. Rails of several planes may:
/// more of them than an HB domain has NICs are more than one port of a NIC.
pub(in crate::design) fn switch_survives(
    context: &ColumnContext<'_>,
    cache: &mut SizingCache,
    level: Level,
    rails: u32,
) -> bool {
    let nics = context.job.machine.node.nics;
    let twice = context.survival.is_some_and(|requirement| requirement.switches) && rails > nics;
    !twice && survives_nic_loss(context, cache, level, rails)
}

/// True where every workload is fast enough on a fabric of a level after a loss: what needs a share
/// of bandwidth across rails may have less of it then.
fn is_fast_after(
    context: &ColumnContext<'_>,
    cache: &mut SizingCache,
    survival: &SurvivalRequirement,
    left: RemainingAfterLoss,
    level: Level,
) -> bool {
    let (share, planes) = match left {
        RemainingAfterLoss::Nics(share) => (share, false),
        RemainingAfterLoss::Planes(share) => (share, true),
    };
    let job = context.job;
    if let Some(known) = cache.get_step_times_after_loss(job, level, (share, planes)) {
        return survival.are_fast_enough(known);
    }
    let time = |run: &JobRun<'_>| match planes {
        _ if share >= 1.0 => run.effective_step_time_by_clock(level),
        true => pace_at_link_rate_share(run, level, share),
        false => pace_at_nic_rate_share(run, level, share),
    };
    let found: Vec<Seconds> = job.runs_at_level(level).into_iter().map(time).collect();
    let fast = survival.are_fast_enough(&found);
    cache.put_step_times_after_loss(job, level, (share, planes), found);
    fast
}

/// What leaf switches of a group may hold where some of their uplinks are out of service: entry v
/// is the most units beside v / planes uplinks in service. `None` where no loss above leaf switches
/// has to be survived.
pub(in crate::design) fn max_endpoints_after_loss(
    context: &ColumnContext<'_>,
    group: RailGroup,
    cache: &mut SizingCache,
) -> Option<SurvivedLosses> {
    let survival =
        context.survival.filter(|requirement| requirement.links || requirement.switches)?;
    let planes = context.planes;
    let radix = context.skus.iter().map(|sku| sku.radix).max().unwrap_or(0);
    let most = u64::from(radix / group.ports_per_unit(context).max(1))
        .min(group.units_per_tree_part(context)) as u32;
    let others = |units: u32| {
        // A switch may be all that joins the tree; a link is one of a leaf.
        let lost =
            if survival.switches { group.rails } else { group.nics_of_domain_per_leaf(units) };
        context.job.machine.nic_share_after_cutoff(lost).map(RemainingAfterLoss::Nics)
    };
    let mut fast = |level, left| is_fast_after(context, cache, survival, left, level);
    let cut_off = match planes {
        1 => most_beside(
            radix,
            most,
            |units| units * group.ports_per_unit(context),
            |units, up| {
                let level = group.level_of_leaf(context, units, up);
                others(units).is_some_and(|left| fast(level, left))
            },
        ),
        _ => Vec::new(),
    };
    let ports = |units: u32| units * group.ports_per_unit(context) * planes;
    let widest = most_beside(radix * planes + 1, most, ports, |units, left| {
        let ratio = Ratio::uplinks_per_downlink(left * context.parts.width, ports(units));
        fast(group.level_at_ratio(context, units, ratio), RemainingAfterLoss::Nics(1.0))
    });
    Some(SurvivedLosses { switches: survival.switches, planes, widest, cut_off })
}

/// By uplinks below a number of entries the most units, of `most`, beside which as many are enough:
/// `full` is a number above which more make no difference.
fn most_beside(
    entries: u32,
    most: u32,
    full: impl Fn(u32) -> u32,
    mut will_do: impl FnMut(u32, u32) -> bool,
) -> Vec<u32> {
    let mut table = vec![0; entries as usize];
    let mut guess = 1;
    for units in 1..=most {
        // Hardly fewer are enough beside one unit more.
        let Some(least) = first_that_holds_near(guess, full(units), |up| will_do(units, up)) else {
            continue;
        };
        guess = least;
        for entry in table.iter_mut().skip(least as usize) {
            *entry = units;
        }
    }
    table
}

impl SizingCache {
    /// True where a job keeps its pace on a fabric that is timed on its cables, after every loss
    /// that it has to survive: of the first piece of each kind.
    pub(in crate::design) fn member_survives(
        &mut self,
        context: &ColumnContext<'_>,
        level: Level,
        fabric: &BuiltFabric,
    ) -> bool {
        let Some(survival) = context.survival else { return true };
        let job = context.job;
        let paces: Vec<Seconds> = job
            .runs_at_level(level)
            .into_iter()
            .map(|run| run.effective_step_time(level))
            .collect();
        let losses = self.losses_left(job, &fabric.counts, level, &fabric.blueprint);
        let named = |piece: Piece| match piece {
            Piece::Nic => false,
            Piece::Link(_) => survival.links,
            Piece::Switch(_) => survival.switches,
        };
        let fast = |kept: &[f64]| {
            let after = paces.iter().zip(kept).map(|(pace, kept)| *pace / *kept);
            kept.iter().all(|value| *value > 0.0)
                && survival.are_fast_enough(&after.collect::<Vec<_>>())
        };
        let planes = !survival.planes
            || match all_but_one(fabric.counts.planes) {
                share if share > 0.0 => {
                    let runs = job.runs_at_level(level).into_iter();
                    let after = runs.map(|run| pace_at_link_rate_share(run, level, share));
                    survival.are_fast_enough(&after.collect::<Vec<_>>())
                }
                _ => false,
            };
        planes && losses.iter().filter(|(left, _)| named(left.piece)).all(|(_, kept)| fast(kept))
    }
}

/// True where a finished tree survives what it has to: leaf switches are taken to have each of
/// their uplinks to another switch.
pub(super) fn tree_survives(
    context: &ColumnContext<'_>,
    cache: &mut SizingCache,
    counts: &Counts,
    level: Level,
) -> bool {
    let Some(survival) = context.survival else { return true };
    let leafs = || counts.tiers.iter().filter(|tier| tier.name == TierName::Leaf);
    let nics = context.job.machine.node.nics;
    let joined = counts.kind == FabricKind::Clos;
    let held = leafs().map(|tier: &SwitchTier| tier.down).max().unwrap_or(1);
    let lost = if joined { nics.min(held) } else { 1 };
    if !survives_nic_loss(context, cache, level, lost) {
        return false;
    }
    let up = leafs().map(|tier| tier.up / context.parts.width).min().unwrap_or(0);
    if up == 0 || !(survival.links || survival.switches) {
        return true;
    }
    let share = all_but_one(up).max(all_but_one(context.planes));
    let thinner = level.with_uplink_share(counts.leaf_domains, share);
    share > 0.0 && is_fast_after(context, cache, survival, RemainingAfterLoss::Nics(1.0), thinner)
}

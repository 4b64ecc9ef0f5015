//! What a fabric keeps after a loss, shape by shape of its leaf switches. Wires nothing.

use super::cache::SizingCache;
use super::column::BuiltFabric;
use super::context::ColumnContext;
use super::group::RailGroup;
use super::halving::first_that_holds_near;
use super::survival::SurvivalRequirement;
use crate::design::candidate::machine::{Level, all_but_one};
use crate::design::candidate::run::JobRun;
use crate::design::candidate::slower::{pace_at_link_rate_share, pace_at_nic_rate_share};
use crate::fabric::{Counts, FabricKind, Piece, Ratio, SurvivedLosses, SwitchTier, TierName};
use crate::units::Seconds;

/// How a step goes on after a loss on the side of the NICs.
#[derive(Clone, Copy, Debug, PartialEq)]
enum RemainingAfterLoss {
    /// NICs have that share of their rate, leaf switches all of their uplinks.
    Nics(f64),
    /// NICs and uplinks have that share of their rate.
    Planes(f64),
}

impl SurvivalRequirement {
    /// What is left of the NICs after each loss on their side, where a leaf switch has so many NICs of one
    /// HB domain; `None` where one of these losses stops the job.
    ///
    /// A NIC of several planes keeps its other ports. One of a single plane is cut off: what it carried
    /// the others of its domain do, where machines forward.
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

/// True where the job goes on fast enough after every loss on the side of the NICs that it has to survive,
/// on a fabric of a level with so many NICs of one HB domain on a leaf switch.
pub(super) fn survives_nic_loss(
    context: &ColumnContext<'_>,
    cache: &mut SizingCache,
    level: Level,
    lost: u32,
) -> bool {
    let Some(survival) = context.survival else { return true };
    let Some(all) = survival.remaining_after_losses(context, lost) else { return false };
    all.into_iter().all(|left| is_fast_after(context, cache, (survival, left), level))
}

/// Likewise where so many rails hang on one switch. Rails of several planes may: more of them than an HB domain
/// has NICs are more than one port of a NIC.
pub(super) fn switch_survives(
    context: &ColumnContext<'_>,
    cache: &mut SizingCache,
    level: Level,
    rails: u32,
) -> bool {
    let nics = context.job.machine.node.nics;
    let twice = context.survival.is_some_and(|requirement| requirement.switches) && rails > nics;
    !twice && survives_nic_loss(context, cache, level, rails)
}

/// True where every workload is fast enough on a fabric of a level after a loss: what needs a share of bandwidth
/// across rails may have less of it then.
fn is_fast_after(
    context: &ColumnContext<'_>,
    cache: &mut SizingCache,
    (survival, left): (&SurvivalRequirement, RemainingAfterLoss),
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

/// What leaf switches of a group may hold where some of their uplinks are out of service: entry v is the
/// most units beside v / planes uplinks in service. `None` where no loss above leaf switches has to be
/// survived.
pub(super) fn max_endpoints_after_loss(
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
    let mut fast = |level, left| is_fast_after(context, cache, (survival, left), level);
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

/// By uplinks below a number of entries the most units, of `most`, beside which as many are enough: `full` is a
/// number above which more make no difference.
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
    /// True where a job keeps its pace on a fabric that is timed on its cables, after every loss that it has to
    /// survive: of the first piece of each kind.
    pub(super) fn member_survives(
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

/// True where a finished tree survives what it has to: leaf switches are taken to have each of their
/// uplinks to another switch.
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
    share > 0.0 && is_fast_after(context, cache, (survival, RemainingAfterLoss::Nics(1.0)), thinner)
}

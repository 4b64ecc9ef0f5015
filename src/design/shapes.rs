//! Which shapes a leaf may have: for every number of uplinks the most endpoints beside it with
//! which each workload is fast enough and the stated bandwidth is kept. Counts no switches.

use super::machine::Level;
use super::pieces::Site;
use super::yard::Yard;
use crate::fabric::{Build, Filling, Ratio};
use crate::units::Seconds;

/// Rails that one tree serves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Group {
    pub(super) rails: u32,
    pub(super) filling: Filling,
}

impl Group {
    /// A rail by itself.
    pub(super) const RAIL: Self = Self { rails: 1, filling: Filling::OneRail };

    /// Ports of a unit that a leaf holds: an endpoint, or a whole rail.
    fn unit(self, site: &Site<'_>) -> u32 {
        if self.filling == Filling::WholeRails { site.job.domains } else { 1 }
    }

    /// What the leafs of one part of the tree hold together, in units.
    fn units(self, site: &Site<'_>) -> u64 {
        match self.filling {
            Filling::OneRail => site.job.domains.into(),
            Filling::WholeRails => self.rails.into(),
            Filling::InOrder => u64::from(self.rails) * u64::from(site.job.domains),
        }
    }

    /// True where the tree joins every rail of the cluster.
    fn is_whole(self, site: &Site<'_>) -> bool {
        let nics = site.job.machine.node.nics;
        self.rails >= nics && (nics > 1 || self.filling == Filling::InOrder)
    }

    /// Level of a tree whose leafs hold so many endpoints of a rail each, at that ratio of uplinks.
    fn level(self, site: &Site<'_>, own: u32, ratio: Ratio) -> Level {
        let across = if self.is_whole(site) { ratio.as_f64() } else { 0.0 };
        if self.filling == Filling::WholeRails || ratio >= Ratio::ONE {
            return Level { leaf_domains: None, within: 1.0, across };
        }
        Level { leaf_domains: Some(own), within: ratio.as_f64(), across }
    }

    /// Level of the leaf that holds `units` beside `up` uplinks.
    fn of_leaf(self, site: &Site<'_>, units: u32, up: u32) -> Level {
        let down = units * self.unit(site);
        let own = match self.filling {
            Filling::InOrder => (units / self.rails.max(1)).max(1),
            Filling::OneRail | Filling::WholeRails => down,
        };
        self.level(site, own, Ratio::uplinks_per_downlink(up, down))
    }
}

/// Level of a build and the time of a step on it: that of its slowest leaf.
pub(super) fn level_and_time(site: &Site<'_>, build: &Build, yard: &mut Yard) -> (Level, Seconds) {
    let group = Group { rails: build.rails, filling: build.filling };
    let apart = Level { leaf_domains: None, within: 1.0, across: 0.0 };
    if !build.has_borders() && !build.joins_rails() {
        return (apart, yard.time(site, apart));
    }
    if build.layers.len() == 1 && build.layers[0].count == 1 {
        let level = group.level(site, site.job.domains, Ratio::ONE);
        return (level, yard.time(site, level));
    }
    let shapes = build.leaf_shapes().map(|(own, ratio)| group.level(site, own, ratio));
    let timed = shapes.map(|level| (level, yard.time(site, level)));
    timed.max_by(|a, b| a.1.total_cmp(&b.1)).unwrap_or((apart, Seconds::ZERO))
}

/// By model and by uplinks the most units of a leaf; what `TreeRequest::widest` asks for.
///
/// Step time does not rise as uplinks are added, so for each number of endpoints there is a least
/// number of uplinks. It need not rise with the endpoints: leafs may fall on the borders of groups.
pub(super) fn widest(site: &Site<'_>, group: Group, yard: &mut Yard) -> Vec<Vec<u32>> {
    let unit = group.unit(site);
    let radix = site.skus.iter().map(|sku| sku.radix).max().unwrap_or(0);
    // A leaf that holds everything needs no layer above it.
    let most = u64::from(radix / unit.max(1)).min(group.units(site).saturating_sub(1)) as u32;
    let mut tables: Vec<Vec<u32>> =
        site.skus.iter().map(|sku| vec![0; sku.radix as usize]).collect();
    let mut guess = 1;
    for units in 1..=most {
        let Some(least) = least_uplinks(site, group, yard, units, guess) else { continue };
        guess = least;
        for (table, sku) in tables.iter_mut().zip(site.skus) {
            let free = sku.radix.saturating_sub(units * unit);
            for entry in table.iter_mut().take(free as usize + 1).skip(least as usize) {
                *entry = units;
            }
        }
    }
    // A level that routing corrected may be too slow where fewer uplinks are not.
    for (up, entry) in tables.iter_mut().flat_map(|table| (0_u32..).zip(table)) {
        let level = |units: u32| group.of_leaf(site, units, up);
        while *entry > 0 && site.job.is_strained(level(*entry)) && !yard.fits(site, level(*entry)) {
            *entry -= 1;
        }
    }
    tables
}

/// The fewest uplinks beside so many units; `None` where even a leaf that never blocks is too slow.
fn least_uplinks(
    site: &Site<'_>,
    group: Group,
    yard: &mut Yard,
    units: u32,
    guess: u32,
) -> Option<u32> {
    let full = units * group.unit(site);
    let mut fits = |up: u32| yard.fits(site, group.of_leaf(site, units, up));
    if !fits(full) {
        return None;
    }
    // Invariant: `high` uplinks fit, fewer than `low` do not.
    let (mut low, mut high) = (1, full);
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

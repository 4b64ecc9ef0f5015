//! The least amount of tiny instances by trying every design in turn, planes alike: no table, no
//! bound, nothing left out. It holds the enumeration's short cuts to account.

use crate::feasible_set::clock::{Clock, Holds};
use crate::feasible_set::cost::{Use, allowed, to_be_had, totals};
use crate::feasible_set::instance::{Family, Goal, Instance, MODELS};
use crate::feasible_set::second::Second;
use crate::feasible_set::site::{Freedom, Site};
use crate::feasible_set::trees::{Spines, one};

/// The least amount of a goal.
pub(crate) fn least(instance: &Instance, goal: Goal) -> f64 {
    let mut least = f64::INFINITY;
    if instance.second.as_ref().is_some_and(Second::is_too_large) {
        return least;
    }
    let counts = instance.plane_counts().into_iter();
    for (planes, infiniband) in counts.flat_map(|count| [(count, false), (count, true)]) {
        let mut site = Site::new(instance, planes, Freedom::Alike, infiniband, f64::INFINITY);
        site.clock = Clock::for_instance(instance);
        plane(&site, Use::default(), 0, &mut |counts| {
            let totals = totals(instance, planes, &counts);
            if allowed(instance, &totals) && to_be_had(instance, &counts) {
                least = least.min(totals.amount(goal));
            }
        });
    }
    least
}

/// Every plane from here on, where trees serve so many blocks.
fn plane(site: &Site<'_>, counts: Use, served: u32, done: &mut dyn FnMut(Use)) {
    let (blocks, planes) = (site.blocks(), site.planes);
    if site.shares() {
        singles(site, counts.times(planes), planes * (blocks - served), done);
    } else if served == 0 {
        singles(site, counts, blocks, &mut |counts| done(counts.times(planes)));
    }
    if served == blocks {
        if !site.shares() {
            done(counts.times(planes));
        }
        return;
    }
    let most = if site.instance.family == Family::RailOnly { 1 } else { blocks - served };
    for group in 1..=most {
        for (model, count) in every_spines(site) {
            let spines = Spines { model, count };
            let start = counts.plus(spines.counts());
            let mut next = |counts| plane(site, counts, served + group, done);
            let links = spines.count * site.radix[model];
            match site.instance.family {
                Family::RailOptimized => rails(site, spines, (start, links), 0, &mut next),
                Family::Auto if site.instance.across > 0 => {
                    let any = group * site.ends();
                    let held = (any, Holds::InOrder(site.instance.rails));
                    leafs(site, spines, (start, links), held, (0, 0), &mut next);
                    rails(site, spines, (start, links), 0, &mut next);
                }
                family => {
                    let held = (group * site.ends(), Holds::InOrder(site.rails_of(group)));
                    leafs(site, spines, (start, links), held, (0, 0), &mut next);
                    if family == Family::Auto && group == blocks && site.clock.is_some() {
                        rails(site, spines, (start, links), 0, &mut next);
                    }
                }
            }
        }
    }
}

/// Every choice of spines.
fn every_spines(site: &Site<'_>) -> Vec<(usize, u32)> {
    let most = *site.radix.iter().max().expect("there are models");
    (0..MODELS)
        .filter(|model| site.radix[*model] > 0)
        .flat_map(|model| (1..most).map(move |count| (model, count)))
        .collect()
}

/// Every choice of single switches for so many blocks.
fn singles(site: &Site<'_>, counts: Use, blocks: u32, done: &mut dyn FnMut(Use)) {
    if blocks == 0 {
        return done(counts);
    }
    for model in 0..MODELS {
        for count in 1..=blocks.min(site.radix[model] / site.ends()) {
            if !site.fast(Holds::All(count), (1, 1)) {
                continue;
            }
            singles(site, counts.plus(one(model, 1, 0)), blocks - count, done);
        }
    }
}

/// Every choice of leafs for so many endpoints on spines that take so many links more, each no
/// earlier in the order of models and ports down than the last.
fn leafs(
    site: &Site<'_>,
    spines: Spines,
    (counts, links): (Use, u32),
    (ends, holds): (u32, Holds),
    (first, least): (usize, u32),
    done: &mut dyn FnMut(Use),
) {
    if ends == 0 {
        return done(counts);
    }
    let (within, across) = site.instance.floors();
    let floor = within.max(across);
    for model in first..MODELS {
        for down in 1..site.radix[model].min(ends + 1) {
            if model == first && down < least {
                continue;
            }
            for up in 1..=(site.radix[model] - down).min(links) {
                let fast = || site.fast(holds, (down, up));
                if up.is_multiple_of(spines.count) && up * 1000 >= down * floor && fast() {
                    let next = (counts.plus(one(model, 1, up)), links - up);
                    leafs(site, spines, next, (ends - down, holds), (model, down), done);
                }
            }
        }
    }
}

/// Every choice of leafs by rail: of one rail, all rails alike, or of whole rails from this rail
/// on.
fn rails(
    site: &Site<'_>,
    spines: Spines,
    (counts, links): (Use, u32),
    rail: u32,
    done: &mut dyn FnMut(Use),
) {
    let instance = site.instance;
    if rail == instance.rails {
        return done(counts);
    }
    if rail == 0 {
        let start = (Use::default(), links / instance.rails);
        let held = (instance.domains, Holds::OneRail);
        leafs(site, spines, start, held, (0, 0), &mut |of_rail| {
            done(counts.plus(of_rail.times(instance.rails)));
        });
    }
    for whole in 1..=instance.rails - rail {
        let down = whole * instance.domains;
        for model in 0..MODELS {
            for up in 1..=site.radix[model].saturating_sub(down).min(links) {
                let fast = || site.fast(Holds::WholeRails, (down, up));
                let floor = up * 1000 >= down * instance.across;
                if up.is_multiple_of(spines.count) && floor && fast() {
                    let next = (counts.plus(one(model, 1, up)), links - up);
                    rails(site, spines, next, rail + whole, done);
                }
            }
        }
    }
}

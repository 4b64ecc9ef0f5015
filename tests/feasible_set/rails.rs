//! Trees of all rails whose leafs serve one rail only, or whole rails; all rails are built alike.
//!
//! Traffic of a rail that one leaf serves whole does not leave the leaf, so that only the floor
//! across rails holds for such a leaf. A rail of several leafs may have spines of its own beside
//! those that all rails share.

use crate::feasible_set::clock::Holds;
use crate::feasible_set::cost::Use;
use crate::feasible_set::front::{Book, Offer, Part, Step, least, merge};
use crate::feasible_set::instance::MODELS;
use crate::feasible_set::site::{Freedom, Site};
use crate::feasible_set::trees::{Kept, Spines, Ties, cover, one, spines};

/// Trees of all rails with these spines shared by all, leafs of these models.
pub(crate) fn aligned(
    site: &Site<'_>,
    (shared, models): (Spines, [bool; MODELS]),
    book: &mut Book,
) -> Vec<Part> {
    let (within, across) = (site.instance.within, site.instance.across);
    // A leaf of one rail leaves each of its domains all other NICs.
    if Kept::of_all_rails(site, shared, u32::MAX).is_none() {
        return Vec::new();
    }
    let (kept, holds) = (Kept::ALL, Holds::OneRail);
    let ties = Ties { kept, holds, own: None, shared: Some(shared), models, within, across };
    let rail = rail(site, (shared, ties), book);
    let start = book.begin(shared.counts(), shared.step());
    let mut trees = if site.freedom == Freedom::Shared {
        mixed(site, (shared, models), (start, &rail), book)
    } else {
        // All rails alike: each has leafs of its own, or all are on leafs of whole rails.
        let mut all = mixed(site, (shared, models), (start, &[]), book);
        all.extend(rail.iter().filter_map(|leafs| alike(site, shared, (start, leafs), book)));
        all
    };
    for tree in &mut trees {
        tree.counts.shared = 0; // all are tied: what counts from here on is links
    }
    let mut best = Vec::new();
    merge(&mut best, &trees);
    best
}

/// The tree of which every rail has these leafs; none where the spines lack the ports, or where
/// it is not worth finding.
fn alike(
    site: &Site<'_>,
    shared: Spines,
    (start, leafs): (Part, &Part),
    book: &mut Book,
) -> Option<Part> {
    let instance = site.instance;
    let counts = start.counts.plus(leafs.counts.times(instance.rails));
    let fits = counts.shared <= site.radix[shared.model];
    if !fits || site.hopeless(&counts, instance.endpoints()) {
        return None;
    }
    let step = Step::Rail { leafs: leafs.trace };
    let trace = (0..instance.rails).fold(start.trace, |before, _| book.note(before, step));
    Some(Part { counts, trace })
}

/// Trees of which every rail has one of these sets of leafs or is on a leaf of whole rails.
fn mixed(
    site: &Site<'_>,
    (shared, models): (Spines, [bool; MODELS]),
    (start, rail): (Part, &[Part]),
    book: &mut Book,
) -> Vec<Part> {
    let (instance, ports) = (site.instance, site.radix[shared.model]);
    let mut all = vec![vec![start]];
    for rails in 1..=instance.rails {
        let served = rails * instance.domains;
        let mut offers = Vec::new();
        let mut offer = |counts: Use, before, step| {
            if counts.shared <= ports && !site.hopeless(&counts, served) {
                offers.push(Offer { counts, before, step });
            }
        };
        for part in &all[rails as usize - 1] {
            for leafs in rail {
                let step = Step::Rail { leafs: leafs.trace };
                offer(part.counts.plus(leafs.counts), part.trace, step);
            }
        }
        for whole in 1..=rails {
            let down = whole * instance.domains;
            let least = (down * instance.across).div_ceil(1000 * shared.count).max(1);
            let most = ports / shared.count.max(1) + least;
            let fast = |each: &u32| site.fast(Holds::WholeRails, (down, each * shared.count));
            let Some(each) = (least..=most).find(fast) else { continue };
            let up = each * shared.count;
            let spared = Kept::of_all_rails(site, shared, instance.rails - 1);
            let spared =
                spared.map_or(
                    0,
                    |kept| if up == 1 { kept.most.min(kept.on_one_link) } else { kept.most },
                );
            if whole > spared {
                continue;
            }
            for model in (0..MODELS).filter(|at| models[*at] && site.radix[*at] >= down + up) {
                for part in &all[(rails - whole) as usize] {
                    let leaf = Use { shared: each, ..one(model, 1, up) };
                    let step = Step::Leaf { model, down, up, rails: whole };
                    offer(part.counts.plus(leaf), part.trace, step);
                }
            }
        }
        all.push(least(offers, book));
    }
    last(all)
}

/// Leafs of one rail, with spines of its own or without.
fn rail(site: &Site<'_>, (shared, plain): (Spines, Ties), book: &mut Book) -> Vec<Part> {
    let start = book.empty();
    let mut all = last(cover(site, &plain, (start, site.instance.domains), book));
    if site.freedom >= Freedom::Split && plain.across < plain.within && site.instance.rails > 1 {
        for own in spines(site) {
            let with_shared = own.counts().plus(shared.counts());
            if site.hopeless(&with_shared, 0) {
                continue;
            }
            let start = book.begin(own.counts(), own.step());
            let ties = Ties { own: Some(own), ..plain };
            let leafs = last(cover(site, &ties, (start, site.instance.domains), book));
            merge(&mut all, &leafs);
        }
    }
    all
}

/// The leafs that serve all.
fn last(mut sets: Vec<Vec<Part>>) -> Vec<Part> {
    sets.pop().expect("there is a set for every number")
}

//! Trees that carry a group of rails: every choice of switches, ports and uplinks.
//!
//! Two tiers: a leaf with d ports down and u up, d + u at most its radix, u a multiple of the
//! number of spines; spines of one model. A leaf's d is what it serves: ports that serve nothing
//! stay dark. Of shapes of one model on the same spines, one with no fewer links up and no more
//! endpoints than another is left out: the other may leave ports dark.

use crate::cost::Use;
use crate::front::{Book, Offer, Part, Step, least};
use crate::instance::MODELS;
use crate::site::Site;

/// A leaf on given spines.
#[derive(Debug, Clone, Copy)]
struct Shape {
    model: usize,
    down: u32,
    /// Links to each spine.
    each: u32,
}

/// Spines of a tree.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Spines {
    /// Place of their model.
    pub(crate) model: usize,
    /// How many.
    pub(crate) count: u32,
}

impl Spines {
    /// Their counts.
    pub(crate) fn counts(self) -> Use {
        one(self.model, self.count, 0)
    }

    /// Their step.
    pub(crate) fn step(self) -> Step {
        Step::Spines { model: self.model, count: self.count }
    }
}

/// So many switches of a model, and links.
pub(crate) fn one(model: usize, count: u32, links: u32) -> Use {
    let mut switches = [0; MODELS];
    switches[model] = count;
    Use { switches, links }
}

/// All numbers and models of spines that are worth a look.
pub(crate) fn spines(site: &Site<'_>) -> Vec<Spines> {
    let most = *site.radix.iter().max().expect("there are models");
    let mut all = Vec::new();
    for model in (0..MODELS).filter(|model| site.radix[*model] > 0) {
        let counts = 1..most;
        let spines = counts.map(|count| Spines { model, count });
        all.extend(spines.take_while(|spines| !site.hopeless(&spines.counts(), 0)));
    }
    all
}

/// Shapes of leafs on these spines that keep a floor in thousandths, the better ones of each
/// model.
fn shapes(site: &Site<'_>, spines: Spines, floor: u32) -> Vec<Shape> {
    let mut all = Vec::new();
    for model in 0..MODELS {
        let mut best = 0;
        for each in 1.. {
            let up = each * spines.count;
            if up >= site.radix[model] {
                break;
            }
            let kept = (up * 1000).checked_div(floor).unwrap_or(u32::MAX); // up / down >= floor
            let down = (site.radix[model] - up).min(kept);
            if down > best {
                best = down;
                all.push(Shape { model, down, each });
            }
        }
    }
    all
}

/// For each number of endpoints up to `most` the leafs that serve at least so many, after a
/// start that serves none.
pub(crate) fn cover(
    site: &Site<'_>,
    spines: Spines,
    floor: u32,
    (start, most): (Part, u32),
    book: &mut Book,
) -> Vec<Vec<Part>> {
    let shapes = shapes(site, spines, floor);
    let ports = site.radix[spines.model];
    let mut all = vec![vec![start]];
    for served in 1..=most {
        let mut offers = Vec::new();
        for shape in &shapes {
            let up = shape.each * spines.count;
            let from = served.saturating_sub(shape.down) as usize;
            for part in &all[from] {
                let counts = part.counts.plus(one(shape.model, 1, up));
                if counts.links <= ports * spines.count && !site.hopeless(&counts, served) {
                    let down = served.min(shape.down);
                    let step = Step::Leaf { model: shape.model, down, up, rails: 0 };
                    offers.push(Offer { counts, before: part.trace, step });
                }
            }
        }
        all.push(least(offers, book));
    }
    all
}

/// For each number of blocks up to `most` the single switches that serve at least so many, none
/// with links between switches.
pub(crate) fn alone(site: &Site<'_>, most: u32, copies: u32, book: &mut Book) -> Vec<Vec<Part>> {
    let ends = site.ends();
    let mut all = vec![vec![book.empty()]];
    for served in 1..=most {
        let mut offers = Vec::new();
        for model in 0..MODELS {
            let blocks = (site.radix[model] / ends).min(served);
            if blocks == 0 {
                continue;
            }
            for part in &all[(served - blocks) as usize] {
                let counts = part.counts.plus(one(model, 1, 0));
                if !site.lost(&counts.times(copies), copies * served * ends) {
                    let step = Step::Alone { model, blocks };
                    offers.push(Offer { counts, before: part.trace, step });
                }
            }
        }
        all.push(least(offers, book));
    }
    all
}

/// Trees of all rails on these spines with leafs of one rail or of whole rails.
///
/// Traffic of a rail that one leaf serves whole does not leave the leaf, so that only the floor
/// across rails holds for such a leaf.
pub(crate) fn aligned(
    site: &Site<'_>,
    spines: Spines,
    floor: u32,
    across: u32,
    book: &mut Book,
) -> Vec<Part> {
    let (instance, ports) = (site.instance, site.radix[spines.model]);
    let empty = book.empty();
    let rail = cover(site, spines, floor, (empty, instance.domains), book)
        .pop()
        .expect("there is a set for every number");
    let mut all = vec![vec![book.begin(spines.counts(), spines.step())]];
    for rails in 1..=instance.rails {
        let served = rails * instance.domains;
        let mut offers = Vec::new();
        let mut offer = |counts: Use, before, step| {
            if counts.links <= ports * spines.count && !site.hopeless(&counts, served) {
                offers.push(Offer { counts, before, step });
            }
        };
        for part in &all[rails as usize - 1] {
            for leafs in &rail {
                let step = Step::Rail { leafs: leafs.trace };
                offer(part.counts.plus(leafs.counts), part.trace, step);
            }
        }
        for whole in 1..=rails {
            let down = whole * instance.domains;
            let each = (down * across).div_ceil(1000 * spines.count).max(1);
            let up = each * spines.count;
            for model in (0..MODELS).filter(|model| site.radix[*model] >= down + up) {
                for part in &all[(rails - whole) as usize] {
                    let counts = part.counts.plus(one(model, 1, up));
                    offer(counts, part.trace, Step::Leaf { model, down, up, rails: whole });
                }
            }
        }
        all.push(least(offers, book));
    }
    all.pop().expect("there is a set for every number")
}

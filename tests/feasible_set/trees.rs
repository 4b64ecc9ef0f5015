//! Trees that carry a group of rails: every choice of switches, ports and uplinks.
//!
//! Two tiers: a leaf with d ports down and u up, d + u at most its radix, u a multiple of the
//! number of spines; spines of one model. A leaf's d is what it serves: ports that serve nothing
//! stay dark. Of shapes of one model on the same spines, one with no fewer links up and no more
//! endpoints than another is left out: the other may leave ports dark.

use crate::feasible_set::clock::Holds;
use crate::feasible_set::cost::Use;
use crate::feasible_set::front::{Book, Offer, Part, Step, least};
use crate::feasible_set::instance::{MODELS, Survive};
use crate::feasible_set::site::{Freedom, Site};

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
    Use { switches, links, shared: 0 }
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

/// What the leafs of a tree, or of one rail of it, are tied to, and what they keep.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ties {
    /// What may be lost.
    pub(crate) kept: Kept,
    /// What they hold.
    pub(crate) holds: Holds,
    /// Spines of their own.
    pub(crate) own: Option<Spines>,
    /// Spines that they share with leafs of other rails.
    pub(crate) shared: Option<Spines>,
    /// Models that they may be of.
    pub(crate) models: [bool; MODELS],
    /// Floor within rails in thousandths.
    pub(crate) within: u32,
    /// Floor across rails in thousandths.
    pub(crate) across: u32,
}

/// What of a leaf's endpoints may be lost at once: with the leaf, and with its only link up.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Kept {
    /// Most endpoints of a leaf.
    pub(crate) most: u32,
    /// Most endpoints of a leaf with one link up.
    pub(crate) on_one_link: u32,
}

impl Kept {
    /// Nothing is lost.
    pub(crate) const ALL: Self = Self { most: u32::MAX, on_one_link: u32::MAX };

    /// Where all rails are joined below these spines, and a leaf with so many endpoints leaves each of
    /// its domains a NIC; none where the only spine may be lost.
    pub(crate) fn of_all_rails(site: &Site<'_>, spines: Spines, spared: u32) -> Option<Self> {
        let Survive { link, switch } = site.survive();
        let bound = |bound: bool| if bound { spared } else { u32::MAX };
        let kept = Self { most: bound(switch), on_one_link: bound(link) };
        (!switch || spines.count > 1).then_some(kept)
    }
}

/// A leaf on given spines.
#[derive(Debug, Clone, Copy)]
struct Shape {
    model: usize,
    down: u32,
    /// Links to each spine of its own.
    own: u32,
    /// Links to each shared spine.
    shared: u32,
}

impl Ties {
    /// Ports up of a shape: to spines of its own, and to shared ones.
    fn up(&self, shape: &Shape) -> (u32, u32) {
        let times =
            |spines: Option<Spines>, each| spines.map_or(0, |this_spines| this_spines.count * each);
        (times(self.own, shape.own), times(self.shared, shape.shared))
    }

    /// Most ports down that a number of ports up allows: all floors kept.
    fn down(&self, site: &Site<'_>, own: u32, shared: u32) -> u32 {
        let kept = |up: u32, floor: u32| (up * 1000).checked_div(floor).unwrap_or(u32::MAX);
        match (self.own, self.shared) {
            (Some(_), Some(_)) => {
                let both = site.freedom >= Freedom::Shared;
                let within = if both { own + shared } else { own };
                kept(within, self.within).min(kept(shared, self.across))
            }
            // A leaf on one kind of spines has the same links within rails and across.
            _ => kept(own + shared, self.within.max(self.across)),
        }
    }

    /// Shapes of leafs, the better ones of each model.
    fn shapes(&self, site: &Site<'_>, most: u32) -> Vec<Shape> {
        if site.clock.is_some() {
            return self.fast_shapes(site, most);
        }
        let links = |spines: Option<Spines>, most: u32| match spines {
            Some(spines) => 1..most / spines.count + 1,
            None => 0..1,
        };
        let mut all: Vec<Shape> = Vec::new();
        for model in (0..MODELS).filter(|model| self.models[*model] && site.radix[*model] > 1) {
            let ports = site.radix[model];
            for own in links(self.own, ports - 1) {
                for shared in links(self.shared, ports - 1) {
                    let mut shape = Shape { model, down: 0, own, shared };
                    let up = self.up(&shape);
                    if up.0 + up.1 >= ports {
                        break;
                    }
                    shape.down = self.down(site, up.0, up.1).min(ports - up.0 - up.1);
                    let Kept { most, on_one_link } = self.kept;
                    let most = if up.0 + up.1 == 1 { most.min(on_one_link) } else { most };
                    shape.down = shape.down.min(most);
                    let better = |this_shape: &Shape| {
                        this_shape.model == model
                            && this_shape.own <= own
                            && this_shape.shared <= shared
                            && this_shape.down >= shape.down
                    };
                    if shape.down > 0 && !all.iter().any(better) {
                        all.push(shape);
                    }
                }
            }
        }
        all
    }

    /// For each model and number of endpoints the shape with the fewest links up that is fast enough. More
    /// links never make a step longer; more endpoints may make it shorter.
    fn fast_shapes(&self, site: &Site<'_>, most: u32) -> Vec<Shape> {
        let mut all = Vec::new();
        for model in (0..MODELS).filter(|model| self.models[*model]) {
            for down in 1..site.radix[model].min(most.saturating_add(1)) {
                let shape = |each: u32| {
                    let (own, shared) =
                        (self.own.map_or(0, |_| each), self.shared.map_or(0, |_| each));
                    Shape { model, down, own, shared }
                };
                let ports = |shape: &Shape| self.up(shape).0 + self.up(shape).1;
                let kept = |up: u32| match up {
                    1 => down <= self.kept.most.min(self.kept.on_one_link),
                    _ => down <= self.kept.most,
                };
                let shapes = (1..).map(shape);
                let mut fitting =
                    shapes.take_while(|shape| down + ports(shape) <= site.radix[model]);
                all.extend(fitting.find(|shape| {
                    let up = ports(shape);
                    let floor = up * 1000 >= down * self.within.max(self.across);
                    floor && kept(up) && site.fast(self.holds, (down, up))
                }));
            }
        }
        all
    }

    /// Whether the spines have the ports for what is tied to them.
    fn fits(&self, site: &Site<'_>, counts: &Use) -> bool {
        let shared = self.shared.is_none_or(|spines| counts.shared <= site.radix[spines.model]);
        let to_shared = self.shared.map_or(0, |spines| spines.count * counts.shared);
        let to_own = counts.links - to_shared;
        shared && self.own.is_none_or(|spines| to_own <= spines.count * site.radix[spines.model])
    }
}

/// For each number of endpoints up to `most` the leafs that serve at least so many, after a
/// start that serves none.
pub(crate) fn cover(
    site: &Site<'_>,
    ties: &Ties,
    (start, most): (Part, u32),
    book: &mut Book,
) -> Vec<Vec<Part>> {
    let shapes = ties.shapes(site, most);
    // What a leaf holds makes it fast or slow, so that it serves all that it is timed for.
    let exact = site.clock.is_some();
    let mut all = vec![vec![start]];
    for served in 1..=most {
        let mut offers = Vec::new();
        for shape in &shapes {
            let (own, shared) = ties.up(shape);
            if exact && shape.down > served {
                continue;
            }
            let from = served.saturating_sub(shape.down) as usize;
            let down = served.min(shape.down);
            let model = shape.model;
            let step = match ties.own.and(ties.shared) {
                Some(_) => Step::SplitLeaf { model, down, own, shared },
                None => Step::Leaf { model, down, up: own + shared, rails: 0 },
            };
            for part in &all[from] {
                let mut counts = part.counts.plus(one(model, 1, own + shared));
                counts.shared += shape.shared;
                if ties.fits(site, &counts) && !site.hopeless(&counts, served) {
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
            let blocks = (site.radix[model] / ends).min(served).min(site.blocks_of_a_switch());
            if blocks == 0 || !site.fast(Holds::All(blocks), (1, 1)) {
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

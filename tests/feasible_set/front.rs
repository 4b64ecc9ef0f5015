//! Sets of counts of which none is at most another, each with a trace of how it is built.

use crate::feasible_set::cost::Use;

/// A part of a design and the place of its last step in the book.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Part {
    /// Counts of one plane.
    pub(crate) counts: Use,
    /// Its last step.
    pub(crate) trace: usize,
}

/// A step of building.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Step {
    /// Nothing yet.
    Nothing,
    /// So many spines of a model.
    Spines {
        /// Place of the model.
        model: usize,
        /// Spines.
        count: u32,
    },
    /// A leaf more.
    Leaf {
        /// Place of the model.
        model: usize,
        /// Ports down.
        down: u32,
        /// Ports up.
        up: u32,
        /// Whole rails that it serves; 0: endpoints of one rail, or of any.
        rails: u32,
    },
    /// A leaf more with links to spines of its rail and to spines that all rails share.
    SplitLeaf {
        /// Place of the model.
        model: usize,
        /// Ports down.
        down: u32,
        /// Ports up to the rail's own spines.
        own: u32,
        /// Ports up to the shared ones.
        shared: u32,
    },
    /// Whole blocks on one switch.
    Alone {
        /// Place of the model.
        model: usize,
        /// Blocks: rails or planes.
        blocks: u32,
    },
    /// A tree of two tiers is complete.
    Tree {
        /// Blocks that it carries.
        blocks: u32,
        /// Last step of the tree.
        tree: usize,
    },
    /// A plane, or so many alike, is complete.
    Plane {
        /// How many.
        copies: u32,
        /// Last step of the plane.
        plane: usize,
    },
    /// Single switches beside it.
    Beside {
        /// Last step of these.
        alone: usize,
    },
    /// A further rail of a tree with leafs of one rail; the second trace holds its leafs.
    Rail {
        /// Last of its leafs.
        leafs: usize,
    },
}

/// All steps; each names the one before it.
#[derive(Default)]
pub(crate) struct Book(Vec<(usize, Step)>);

impl Book {
    /// Writes a step down.
    pub(crate) fn note(&mut self, before: usize, step: Step) -> usize {
        self.0.push((before, step));
        self.0.len() - 1
    }

    /// Steps up to this one, first first.
    pub(crate) fn steps(&self, mut trace: usize) -> Vec<Step> {
        let mut steps = Vec::new();
        loop {
            let (before, step) = self.0[trace];
            if let Step::Nothing = step {
                break;
            }
            steps.push(step);
            if before == trace {
                break;
            }
            trace = before;
        }
        steps.reverse();
        steps
    }

    /// An empty part.
    pub(crate) fn empty(&mut self) -> Part {
        Part { counts: Use::default(), trace: self.note(usize::MAX, Step::Nothing) }
    }

    /// A part of one step.
    pub(crate) fn begin(&mut self, counts: Use, step: Step) -> Part {
        let trace = self.0.len();
        Part { counts, trace: self.note(trace, step) }
    }
}

/// A part that may be added, not yet in the book.
pub(crate) struct Offer {
    /// Counts with the step.
    pub(crate) counts: Use,
    /// Step before.
    pub(crate) before: usize,
    /// The step.
    pub(crate) step: Step,
}

/// Keeps those of which no other has every count at most as high, and writes them down.
///
/// Sound, because every total and every rule of supply grows with every count, so that a design
/// with the smaller counts in place of the larger ones is as good and allowed wherever it was.
pub(crate) fn least(mut offers: Vec<Offer>, book: &mut Book) -> Vec<Part> {
    offers.sort_by_key(|offer| offer.counts);
    let mut kept: Vec<Part> = Vec::new();
    for offer in offers {
        // What is at most another in every count comes no later in this order.
        if !kept.iter().any(|part| part.counts.within(&offer.counts)) {
            let trace = book.note(offer.before, offer.step);
            kept.push(Part { counts: offer.counts, trace });
        }
    }
    kept
}

/// Both sets as one.
pub(crate) fn merge(one: &mut Vec<Part>, two: &[Part]) {
    one.extend_from_slice(two);
    one.sort_by_key(|part| part.counts);
    let mut kept: Vec<Part> = Vec::new();
    for part in one.iter() {
        if !kept.iter().any(|this_part| this_part.counts.within(&part.counts)) {
            kept.push(*part);
        }
    }
    *one = kept;
}

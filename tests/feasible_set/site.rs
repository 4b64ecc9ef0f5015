//! An instance with a given number of planes: ports, what may share a switch, and when a part of
//! a design can be given up.

use std::rc::Rc;

use crate::feasible_set::bound::Bounds;
use crate::feasible_set::clock::Clock;
use crate::feasible_set::cost::{Use, allowed, to_be_had, totals};
use crate::feasible_set::instance::{Family, Instance, MODELS, Survive};

/// What planes and rails may do beyond the plain rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd)]
pub(crate) enum Freedom {
    /// All planes are built alike, and so are all rails of a rail-aligned tree; a switch that is
    /// a whole network by itself serves rails of several planes only where rails are networks of
    /// their own.
    Alike,
    /// Besides, rails may have spines of their own beside those that all rails share; what a leaf
    /// has to the rail's own keeps the floor within rails. Where rails are networks of their own,
    /// those of all planes are counted together, so that planes may be built differently.
    Split,
    /// A bound from below, not part of the set: besides, planes and rails may be built
    /// differently everywhere, links to shared spines count within rails too, and planes may
    /// share switches.
    Shared,
}

/// Most models among the leafs of a tree.
pub(crate) const LEAF_MODELS: usize = 2;

/// A network to be built.
pub(crate) struct Site<'a> {
    /// The problem.
    pub(crate) instance: &'a Instance,
    /// Copies of the network.
    pub(crate) planes: u32,
    /// What planes and rails may do.
    pub(crate) freedom: Freedom,
    /// Links that a switch of each model ends; 0: slower than the link, or of the other protocol.
    pub(crate) radix: [u32; MODELS],
    /// No design whose first goal exceeds this amount is looked for.
    pub(crate) bound: f64,
    /// How long steps take, where that decides anything.
    pub(crate) clock: Option<Rc<Clock>>,
    /// Least totals by part; none while the site is being made.
    bounds: Option<Bounds>,
}

impl<'a> Site<'a> {
    /// An instance with so many planes, of switches that speak InfiniBand or of those that do not.
    pub(crate) fn new(
        instance: &'a Instance,
        planes: u32,
        freedom: Freedom,
        infiniband: bool,
        bound: f64,
    ) -> Self {
        let mut radix = [0; MODELS];
        for (radix, switch) in radix.iter_mut().zip(&instance.switches) {
            // speed / split >= rate / planes, in whole numbers
            let split = (1..=switch.split)
                .rev()
                .find(|split| switch.speed * planes >= instance.rate * split);
            let ports = split.map_or(0, |split| split * switch.ports);
            *radix = if switch.infiniband == infiniband { ports } else { 0 };
        }
        let clock = None;
        let mut site = Self { instance, planes, freedom, radix, bound, clock, bounds: None };
        site.bounds = Some(Bounds::new(&site));
        site
    }

    /// Whether rails may be networks of their own.
    pub(crate) fn rails_alone(&self) -> bool {
        matches!(self.instance.family, Family::Auto | Family::RailOnly) && self.instance.across == 0
    }

    /// What has to survive losses in one plane; nothing where other planes carry what one loses, and
    /// where the network is only a bound.
    pub(crate) fn survive(&self) -> Survive {
        let alone = self.planes == 1 && self.freedom == Freedom::Alike;
        if alone { self.instance.survive } else { Survive::default() }
    }

    /// Most blocks that one switch may serve.
    pub(crate) fn blocks_of_a_switch(&self) -> u32 {
        // Of several planes a switch may have every NIC once.
        let twice = self.instance.survive.switch && self.freedom == Freedom::Alike;
        match self.survive().switch {
            false if twice && self.rails_alone() => self.instance.rails,
            true if self.rails_alone() => self.instance.rails - 1,
            true => 0,
            false => u32::MAX,
        }
    }

    /// Blocks of a plane, or of all planes where they share switches. A block is what a network
    /// carries whole: a rail where rails may stand alone, else a plane.
    pub(crate) fn blocks(&self) -> u32 {
        let of_plane = if self.rails_alone() { self.instance.rails } else { 1 };
        of_plane * self.planes / self.rounds()
    }

    /// Rails of a tree that carries so many blocks.
    pub(crate) fn rails_of(&self, blocks: u32) -> u32 {
        if self.rails_alone() { blocks } else { self.instance.rails }
    }

    /// Planes that are built one after another: all, or one where planes share switches.
    pub(crate) fn rounds(&self) -> u32 {
        if self.freedom == Freedom::Shared { 1 } else { self.planes }
    }

    /// Endpoints of a block.
    pub(crate) fn ends(&self) -> u32 {
        if self.rails_alone() { self.instance.domains } else { self.instance.endpoints() }
    }

    /// Whether a switch may serve blocks of several planes.
    pub(crate) fn shares(&self) -> bool {
        self.rails_alone() || self.freedom == Freedom::Shared
    }

    /// How often a part of a plane stands in the network at least.
    pub(crate) fn copies(&self) -> u32 {
        if self.unlike() { 1 } else { self.planes }
    }

    /// Sets of models that the leafs of a tree may be of: no more than two models in a tree.
    pub(crate) fn leaf_models(&self) -> Vec<[bool; MODELS]> {
        let usable = self.radix.iter().filter(|radix| **radix > 1).count();
        if usable <= LEAF_MODELS || self.freedom == Freedom::Shared {
            return vec![[true; MODELS]];
        }
        (0..MODELS).map(|without| std::array::from_fn(|at| at != without)).collect()
    }

    /// Whether planes may be built differently.
    pub(crate) fn unlike(&self) -> bool {
        match self.freedom {
            Freedom::Alike => false,
            Freedom::Split => self.rails_alone(),
            Freedom::Shared => true,
        }
    }

    /// Whether no design that has this part of a plane, in every plane where planes are alike,
    /// is worth finding; the part serves so many endpoints of the plane.
    pub(crate) fn hopeless(&self, part: &Use, served: u32) -> bool {
        self.lost(&part.times(self.copies()), self.copies() * served)
    }

    /// Whether no design that has this part is worth finding, where the part serves so many
    /// endpoints and switches that it lacks serve all others.
    pub(crate) fn lost(&self, part: &Use, served: u32) -> bool {
        if !to_be_had(self.instance, part) {
            return true;
        }
        let rest = (self.planes * self.instance.endpoints()).saturating_sub(served);
        let bounds = self.bounds.as_ref().expect("a site is made with bounds");
        let mut least = bounds.least(part, rest);
        least.racks = totals(self.instance, self.planes, part).racks;
        let goal = self.instance.goals[0];
        !allowed(self.instance, &least) || least.amount(goal) > self.bound * (1.0 + 1e-9)
    }
}

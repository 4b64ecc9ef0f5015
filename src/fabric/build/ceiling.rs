//! How heavy a build may be: lets a caller that knows a good build skip those that are worse.

use super::nouns::SwitchModel;
use crate::fabric::occupancy::{Idle, Lanes};

/// Weights of switches and links, and the most that a build may weigh by them. What a weight
/// means is the caller's business.
#[derive(Clone, Debug, PartialEq)]
pub struct WeightScale {
    /// Weight of a switch, by model of the request; models beyond the list weigh nothing.
    pub switches: Vec<f64>,
    /// Weight of a link.
    pub link: f64,
    /// Weight of a lane that stays idle, of cages and cables in use.
    pub idle: Idle<f64>,
    /// What the known build weighs.
    pub most: f64,
}

/// The scales by which a build has to be no heavier than the known one on at least one: those
/// heavier on every scale are left out. Without scales every build is admitted.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WeightCeiling {
    /// The scales.
    pub scales: Vec<WeightScale>,
    /// A scale by which every build has to be no heavier than it says, whatever the others say.
    pub bound: Option<WeightScale>,
    /// Links that share cages and cables.
    pub lanes: Lanes,
    /// Nothing else than its weight can speak for a build: the caller owns no part and can have
    /// any number of each.
    pub all: bool,
    /// So many rails like that of a build are joined by a spine above them, whose switches and links weigh too; 0
    /// where it is not weighed.
    pub joined: u64,
}

impl WeightScale {
    /// Weight of a switch.
    pub(super) fn switch_weight(&self, sku: usize) -> f64 {
        self.switches.get(sku).copied().unwrap_or(0.0)
    }

    /// Weight of so many switches of each model and so many links.
    #[must_use]
    pub fn build_weight(&self, switches: &[u64], links: u64) -> f64 {
        let each = self.switches.iter().zip(switches);
        each.map(|(weight, count)| weight * *count as f64).sum::<f64>() + self.link * links as f64
    }

    /// What a port of some models weighs at least; nothing where there are none.
    #[must_use]
    pub fn lightest_port(&self, skus: &[SwitchModel]) -> f64 {
        let each = skus.iter().enumerate();
        let each = each.map(|(sku, model)| self.switch_weight(sku) / f64::from(model.radix.max(1)));
        each.reduce(f64::min).unwrap_or(0.0)
    }

    /// Weight of the lightest of so many models.
    pub(super) fn lightest_switch(&self, models: usize) -> f64 {
        (0..models).map(|sku| self.switch_weight(sku)).fold(f64::INFINITY, f64::min)
    }
}

impl WeightCeiling {
    /// The scale that alone decides between builds of equal bandwidth; `None` where there are
    /// several, or where models that weigh little may be scarce.
    #[must_use]
    pub fn only_scale(&self) -> Option<&WeightScale> {
        self.scales.first().filter(|_| self.all && self.scales.len() == 1)
    }

    /// True where every build that `other` admits is admitted here too, by the same weights.
    #[must_use]
    pub fn admits_all_of(&self, other: &Self) -> bool {
        let wider = |own: &WeightScale, other: &WeightScale| {
            (&own.switches, own.link, own.idle) == (&other.switches, other.link, other.idle)
                && own.most >= other.most
        };
        let bound = match (&self.bound, &other.bound) {
            (None, _) => true,
            (Some(_), None) => false,
            (Some(own), Some(other)) => wider(own, other),
        };
        let mut pairs = self.scales.iter().zip(&other.scales);
        bound
            && (self.all, self.joined, self.lanes) == (other.all, other.joined, other.lanes)
            && self.scales.len() == other.scales.len()
            && pairs.all(|(own, other)| wider(own, other))
    }

    /// All scales: those of which one is enough, and the one that always holds.
    pub(super) fn weight_scales(&self) -> impl Iterator<Item = &WeightScale> {
        self.scales.iter().chain(&self.bound)
    }

    /// True unless a build is too heavy on every scale; `weigh` gives its weight, or one that it
    /// can't stay below. Rounding of sums is forgiven.
    pub fn can_admit_build(&self, weigh: impl Fn(&WeightScale) -> f64) -> bool {
        self.admits_at(|_, scale| weigh(scale))
    }

    /// Likewise, by the place of a scale among [all](Self::scales).
    pub(super) fn admits_at(&self, weigh: impl Fn(usize, &WeightScale) -> f64) -> bool {
        const ROUNDING: f64 = 1e-9;
        let light = |place: usize, scale: &WeightScale| {
            weigh(place, scale) <= scale.most * (1.0 + ROUNDING)
        };
        if self.bound.as_ref().is_some_and(|bound| !light(self.scales.len(), bound)) {
            return false;
        }
        let mut scales = self.scales.iter().enumerate();
        self.scales.is_empty() || scales.any(|(place, scale)| light(place, scale))
    }
}

//! `WeightCeiling`, `ModelWorth`, `BuildEffort`: what keeps a build from being made.

use super::build::SwitchModel;
use crate::fabric::occupancy::{IdleLanes, Lanes};
use crate::units::ROUNDING;

/// Weights of switches and links, and the most that a build may weigh by them. What a weight
/// means is the caller's business.
#[derive(Clone, Debug, PartialEq)]
pub struct WeightScale {
    /// Weight of a switch, by model of the request; models beyond the list weigh nothing.
    pub switches: Vec<f64>,
    pub link: f64,
    /// Weight of a lane that stays idle, of cages and cables in use.
    pub idle: IdleLanes<f64>,
    pub known_weight: f64,
}

/// The scales by which a build has to be no heavier than the known one on at least one: those
/// heavier on every scale are left out. Without scales every build is admitted.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WeightCeiling {
    pub scales: Vec<WeightScale>,
    /// A scale by which every build has to be no heavier than it says, whatever the others say.
    pub bound: Option<WeightScale>,
    /// Links that share cages and cables.
    pub lanes: Lanes,
    /// Nothing else than its weight can speak for a build: the caller owns no part and can have
    /// any number of each.
    pub only_weight: bool,
    /// So many rails like that of a build are joined by a spine above them, whose switches and
    /// links weigh too; 0 where it is not weighed.
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
        self.scales.first().filter(|_| self.only_weight && self.scales.len() == 1)
    }

    /// True where every build that `other` admits is admitted here too, by the same weights.
    #[must_use]
    pub fn admits_all_of(&self, other: &Self) -> bool {
        let wider = |own: &WeightScale, other: &WeightScale| {
            (&own.switches, own.link, own.idle) == (&other.switches, other.link, other.idle)
                && own.known_weight >= other.known_weight
        };
        let bound = match (&self.bound, &other.bound) {
            (None, _) => true,
            (Some(_), None) => false,
            (Some(own), Some(other)) => wider(own, other),
        };
        let mut pairs = self.scales.iter().zip(&other.scales);
        bound
            && (self.only_weight, self.joined, self.lanes)
                == (other.only_weight, other.joined, other.lanes)
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

    /// As `can_admit_build`, by the place of a scale among [all](Self::scales).
    pub(super) fn admits_at(&self, weigh: impl Fn(usize, &WeightScale) -> f64) -> bool {
        let light = |place: usize, scale: &WeightScale| {
            weigh(place, scale) <= scale.known_weight * (1.0 + ROUNDING)
        };
        if self.bound.as_ref().is_some_and(|bound| !light(self.scales.len(), bound)) {
            return false;
        }
        let mut scales = self.scales.iter().enumerate();
        self.scales.is_empty() || scales.any(|(place, scale)| light(place, scale))
    }
}

/// Models by the ports that a place needs.
///
/// Where nothing but its weight speaks for a switch, of all models that have the ports only those
/// are worth it that no other one of them stays below by every scale: in any build the other can
/// stand in their place, with ports left dark. Else all are, as stock may make any of them free.
#[derive(Debug)]
pub struct ModelWorth {
    /// (ports, models that are worth a place of no more ports but more than those of the entry
    /// before), in the order of the models.
    steps: Vec<(u32, Vec<usize>)>,
}

impl ModelWorth {
    /// Of models in the order of a request. A limit on `models` in a build makes any of them worth
    /// it: the lightest may be one too many.
    #[must_use]
    pub fn new(skus: &[SwitchModel], ceiling: &WeightCeiling, models: Option<u32>) -> Self {
        let weight_alone = ceiling.only_weight && !ceiling.scales.is_empty() && models.is_none();
        let scales: Vec<&WeightScale> = ceiling.scales.iter().chain(&ceiling.bound).collect();
        let lighter = |one: usize, other: usize| {
            let pairs = || {
                scales.iter().map(|scale| (scale.switch_weight(one), scale.switch_weight(other)))
            };
            pairs().all(|(one, other)| one <= other)
                && (one < other || pairs().any(|(one, other)| one < other))
        };
        let mut by_ports: Vec<usize> = (0..skus.len()).filter(|sku| skus[*sku].radix > 0).collect();
        by_ports.sort_by_key(|sku| std::cmp::Reverse(skus[*sku].radix));
        let mut worth: Vec<usize> = Vec::new();
        let mut steps: Vec<(u32, Vec<usize>)> = Vec::new();
        for alike in by_ports.chunk_by(|one, other| skus[*one].radix == skus[*other].radix) {
            for sku in alike {
                if weight_alone {
                    if worth.iter().any(|other| lighter(*other, *sku)) {
                        continue;
                    }
                    worth.retain(|other| !lighter(*sku, *other));
                }
                worth.push(*sku);
            }
            worth.sort_unstable();
            steps.push((skus[alike[0]].radix, worth.clone()));
        }
        steps.reverse();
        Self { steps }
    }

    /// Models that are worth a place of so many ports, in the order of the request.
    pub(super) fn models_with_ports(&self, ports: u64) -> &[usize] {
        let first = self.steps.partition_point(|(most, _)| u64::from(*most) < ports);
        self.steps.get(first).map_or(&[], |(_, models)| models)
    }

    /// Whether a model is worth a place of so many ports.
    pub(super) fn is_worth_ports(&self, sku: usize, ports: u64) -> bool {
        self.models_with_ports(ports).binary_search(&sku).is_ok()
    }
}

/// What is left of a number of steps; each is a sum and a comparison or so.
#[derive(Clone, Copy, Debug, Default)]
pub struct BuildEffort {
    steps_left: u64,
    cut: bool,
}

impl BuildEffort {
    /// Without an end.
    #[must_use]
    pub const fn with_unlimited_steps() -> Self {
        Self::with_steps(u64::MAX)
    }

    /// So many steps.
    #[must_use]
    pub const fn with_steps(steps: u64) -> Self {
        Self { steps_left: steps, cut: false }
    }

    /// Takes steps; false where there are not as many left, and from then on.
    pub const fn has_spent_steps(&mut self, steps: u64) -> bool {
        if self.steps_left < steps {
            (self.steps_left, self.cut) = (0, true);
        } else {
            self.steps_left -= steps;
        }
        !self.cut
    }

    /// A part of what is left, of no more than so many steps. [`Self::give_back`] takes in what it
    /// leaves.
    #[must_use]
    pub fn split_off_steps(&mut self, most: u64) -> Self {
        let part = most.min(self.steps_left);
        self.steps_left -= part;
        Self { steps_left: part, cut: self.cut }
    }

    /// Takes in what a [part](Self::split_off_steps) leaves. Where nothing is left at all the end
    /// of the part is its own.
    pub const fn give_back(&mut self, part: Self) {
        self.steps_left += part.steps_left;
        self.cut |= part.cut && self.steps_left == 0;
    }

    /// Whether it came to its end, so that builds may have been left out.
    #[must_use]
    pub const fn is_spent(&self) -> bool {
        self.cut
    }
}

#[cfg(test)]
mod tests {
    use super::{BuildEffort, ModelWorth};
    use crate::fabric::IdleLanes;
    use crate::fabric::build::{SwitchModel, WeightCeiling, WeightScale};

    fn skus(ports: &[u32]) -> Vec<SwitchModel> {
        ports.iter().map(|radix| SwitchModel { name: format!("k{radix}"), radix: *radix }).collect()
    }

    fn by(weights: &[&[f64]], all: bool) -> WeightCeiling {
        let scale = |values: &&[f64]| WeightScale {
            switches: values.to_vec(),
            link: 1.0,
            idle: IdleLanes::default(),
            known_weight: 100.0,
        };
        WeightCeiling {
            scales: weights.iter().map(scale).collect(),
            only_weight: all,
            ..WeightCeiling::default()
        }
    }

    #[test]
    fn of_all_models_with_the_ports_the_lightest_is_worth_it() {
        let skus = skus(&[8, 16, 32, 64]);
        let worth = ModelWorth::new(&skus, &by(&[&[3.0, 2.0, 4.0, 4.0]], true), None);
        let found = [1, 8, 9, 17, 33, 65].map(|ports| worth.models_with_ports(ports).to_vec());
        assert_eq!(found, [vec![1], vec![1], vec![1], vec![2], vec![3], vec![]]);
        assert!(worth.is_worth_ports(2, 20) && !worth.is_worth_ports(3, 20));
    }

    #[test]
    fn every_scale_counts() {
        let skus = skus(&[16, 32]);
        let weights: [&[f64]; 2] = [&[2.0, 1.0], &[1.0, 2.0]];
        assert_eq!(ModelWorth::new(&skus, &by(&weights, true), None).models_with_ports(4), [0, 1]);
    }

    #[test]
    fn stock_or_a_limit_on_models_makes_all_worth_it() {
        let skus = skus(&[16, 32]);
        let weights: [&[f64]; 1] = [&[2.0, 1.0]];
        assert_eq!(ModelWorth::new(&skus, &by(&weights, false), None).models_with_ports(4), [0, 1]);
        assert_eq!(
            ModelWorth::new(&skus, &by(&weights, true), Some(1)).models_with_ports(4),
            [0, 1]
        );
        assert_eq!(
            ModelWorth::new(&skus, &WeightCeiling::default(), None).models_with_ports(17),
            [1]
        );
    }

    #[test]
    fn the_end_of_a_part_is_the_end_of_all_where_nothing_is_left() {
        let mut effort = BuildEffort::with_steps(10);
        let mut part = effort.split_off_steps(4);
        assert!(!part.has_spent_steps(5));
        effort.give_back(part);
        assert!(!effort.is_spent());
        let mut rest = effort.split_off_steps(9);
        assert!(rest.has_spent_steps(1) && !rest.has_spent_steps(6));
        effort.give_back(rest);
        assert!(effort.is_spent());
    }

    #[test]
    fn nothing_is_taken_beyond_the_end() {
        let mut effort = BuildEffort::with_steps(10);
        assert!(effort.has_spent_steps(7) && effort.has_spent_steps(3) && !effort.is_spent());
        assert!(!effort.has_spent_steps(1) && effort.is_spent() && !effort.has_spent_steps(0));
    }
}

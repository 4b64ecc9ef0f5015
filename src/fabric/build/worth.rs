//! Which models are worth a place that needs so many ports. Knows no tree.

use super::{SwitchModel, WeightCeiling, WeightScale};

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
        let weight_alone = ceiling.all && !ceiling.scales.is_empty() && models.is_none();
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

#[cfg(test)]
mod tests {
    use super::ModelWorth;
    use crate::fabric::Idle;
    use crate::fabric::build::{SwitchModel, WeightCeiling, WeightScale};

    fn skus(ports: &[u32]) -> Vec<SwitchModel> {
        ports.iter().map(|radix| SwitchModel { name: format!("k{radix}"), radix: *radix }).collect()
    }

    fn by(weights: &[&[f64]], all: bool) -> WeightCeiling {
        let scale = |values: &&[f64]| WeightScale {
            switches: values.to_vec(),
            link: 1.0,
            idle: Idle::default(),
            most: 100.0,
        };
        WeightCeiling {
            scales: weights.iter().map(scale).collect(),
            all,
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
}

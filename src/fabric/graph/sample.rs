//! Failures drawn at random: every part fails by itself with a given probability. The same seed
//! draws the same failures; where the probabilities come from is not known here.

use super::{FabricGraph, FabricNode, Failure};

/// Probability that a piece fails in the time that is looked at, each by itself.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FailureChances {
    /// A GPU.
    pub gpu: f64,
    /// A link.
    pub link: f64,
    /// A switch.
    pub switch: f64,
}

impl FabricGraph {
    /// The failures of one draw, in the order of the graph's nodes and then of its cables.
    #[must_use]
    pub fn sample_failures(&self, chances: &FailureChances, seed: u64) -> Vec<Failure> {
        let mut dice = FailureDice(seed);
        let mut failures = Vec::new();
        for node in self.nodes() {
            match node {
                FabricNode::Endpoint { domain, rail } if dice.is_roll_below(chances.gpu) => {
                    failures.push(Failure::Gpu { domain, rail });
                }
                FabricNode::Switch { .. } if dice.is_roll_below(chances.switch) => {
                    failures.push(Failure::Switch(node.name()));
                }
                _ => {}
            }
        }
        for (low, high, cable) in self.cables() {
            let name = |number| self.node(number).map(FabricNode::name).unwrap_or_default();
            for _ in 0..cable.links {
                if dice.is_roll_below(chances.link) {
                    failures.push(Failure::Cable(name(low), name(high)));
                }
            }
        }
        failures
    }
}

/// SplitMix64 (Steele, Lea and Flood 2014).
struct FailureDice(u64);

impl FailureDice {
    fn is_roll_below(&mut self, chance: f64) -> bool {
        const BITS: u32 = 53; // of a float's fraction, its leading one included
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^= x >> 31;
        ((x >> (u64::BITS - BITS)) as f64) < chance * (1_u64 << BITS) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::FailureChances;
    use crate::fabric::{FabricGraph, FabricKind, Failure, Request, SwitchChoice};
    use crate::units::Bandwidth;

    #[test]
    fn as_many_fail_as_the_chances_say_and_a_seed_draws_the_same() {
        let link = Bandwidth::from_gigabits(400.0);
        let switch = SwitchChoice::Radix(32);
        let request = Request::new(FabricKind::Clos, 4096, 8, switch, link);
        let graph = FabricGraph::new(&request).expect("three tiers");
        let chances = FailureChances { gpu: 0.1, link: 0.01, switch: 0.05 };
        let drawn = graph.sample_failures(&chances, 1);
        assert_eq!(drawn, graph.sample_failures(&chances, 1));
        assert_ne!(drawn, graph.sample_failures(&chances, 2));
        let count =
            |read: fn(&Failure) -> bool| drawn.iter().filter(|failure| read(failure)).count();
        // Within four standard deviations of 410, 123 and 32.
        assert!(
            count(|this_failure| matches!(this_failure, Failure::Gpu { .. })).abs_diff(410) < 77
        );
        assert!(
            count(|this_failure| matches!(this_failure, Failure::Cable(..))).abs_diff(123) < 45
        );
        assert!(count(|this_failure| matches!(this_failure, Failure::Switch(_))).abs_diff(32) < 23);
        assert!(graph.sample_failures(&FailureChances::default(), 1).is_empty());
        assert!(graph.aftermath_of_failures(&drawn).is_ok(), "what is drawn exists");
    }
}

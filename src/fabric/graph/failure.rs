//! `Failure` names; failures drawn at random.

use std::fmt;

use super::{FabricGraph, FabricNode};

/// Something that fails, by the names of [`super::FabricNode::name`].
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Failure {
    /// A switch with all its cables.
    Switch(String),
    /// All links between two nodes.
    Link(String, String),
    /// One of the links between two nodes.
    Cable(String, String),
    /// A GPU with its NIC.
    Gpu {
        /// HB domain, from 0.
        domain: u32,
        /// Rail, from 0.
        rail: u32,
    },
    /// An HB domain with all its NICs.
    Domain(u32),
    /// All switches of a plane.
    Plane(u32),
    /// Every link between a rail's NICs and their leafs.
    Rail(u32),
}

/// Why a failure can't be tried.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FailureProblem {
    /// The text is none of the known forms.
    Unreadable(String),
    /// The fabric has no such switch.
    NoSuchSwitch(String),
    /// The fabric has no link between the two.
    NoSuchLink(String, String),
    /// The fabric has no such GPU, domain, plane or rail.
    NoSuch {
        /// What, such as `domain 7`.
        what: String,
        /// How many there are, such as `4 domains`.
        has: String,
    },
}

impl fmt::Display for FailureProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable(text) => write!(
                f,
                "`{text}` is not a failure: write `switch:leaf-3`, `link:leaf-3/spine-1`, \
                 `cable:leaf-3/spine-1` for one of several, `gpu:3.1`, `domain:3`, `plane:1` or \
                 `rail:2`"
            ),
            Self::NoSuchSwitch(name) => write!(
                f,
                "the fabric has no switch `{name}`: switches are named by layer and number from \
                 0, like `leaf-3`"
            ),
            Self::NoSuchLink(a, b) => write!(
                f,
                "no cable joins `{a}` and `{b}`: name the two ends of one, like `leaf-3/spine-1` \
                 or `gpu-0.1/leaf-1`"
            ),
            Self::NoSuch { what, has } => {
                write!(f, "there is no `{what}`: the fabric has {has}, numbered from 0")
            }
        }
    }
}

impl std::error::Error for FailureProblem {}

impl Failure {
    /// Reads `switch:leaf-3`, `link:leaf-3/spine-1`, `cable:leaf-3/spine-1`, `gpu:3.1`,
    /// `domain:3`, `plane:1` or `rail:2`.
    ///
    /// # Errors
    /// Where the text is none of these.
    pub fn parse(text: &str) -> Result<Self, FailureProblem> {
        let unreadable = || FailureProblem::Unreadable(text.to_owned());
        let (kind, rest) = text.split_once(':').ok_or_else(unreadable)?;
        let number = |digits: &str| digits.parse::<u32>().map_err(|_| unreadable());
        match (kind, rest.split_once('/')) {
            ("switch", None) if !rest.is_empty() => Ok(Self::Switch(rest.to_owned())),
            ("link", Some((a, b))) => Ok(Self::Link(a.to_owned(), b.to_owned())),
            ("cable", Some((a, b))) => Ok(Self::Cable(a.to_owned(), b.to_owned())),
            ("gpu", None) => {
                let place = rest.strip_prefix("gpu-").unwrap_or(rest);
                let (domain, rail) = place.split_once('.').ok_or_else(unreadable)?;
                Ok(Self::Gpu { domain: number(domain)?, rail: number(rail)? })
            }
            ("domain", None) => Ok(Self::Domain(number(rest)?)),
            ("plane", None) => Ok(Self::Plane(number(rest)?)),
            ("rail", None) => Ok(Self::Rail(number(rest)?)),
            _ => Err(unreadable()),
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Switch(name) => write!(f, "switch:{name}"),
            Self::Link(a, b) => write!(f, "link:{a}/{b}"),
            Self::Cable(a, b) => write!(f, "cable:{a}/{b}"),
            Self::Gpu { domain, rail } => write!(f, "gpu:{domain}.{rail}"),
            Self::Domain(number) => write!(f, "domain:{number}"),
            Self::Plane(number) => write!(f, "plane:{number}"),
            Self::Rail(number) => write!(f, "rail:{number}"),
        }
    }
}

/// Probability that a piece fails in the time that is looked at, each by itself.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FailureChances {
    pub gpu: f64,
    pub link: f64,
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

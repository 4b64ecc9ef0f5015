//! Which fabrics a design can be compared with, by name; and in which layout. Builds none of them.

use std::fmt;
use std::str::FromStr;

use crate::design;
use crate::fabric::{FabricKind, Ratio};
use crate::parallel::{LayoutProblem, LayoutRequest};
use crate::scenario::{FabricChoice, Scenario, Workload};
use crate::technique::Recipe;

/// A fabric to compare with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Baseline {
    /// Full bisection: the rail-only paper's Clos (the design's switch, one plane) and the best
    /// with models and planes free.
    Clos,
    /// A Clos with so many uplinks per downlink, whose leafs serve all rails: what is built where
    /// full bisection is too dear.
    OversubscribedClos {
        /// 1/7 for an oversubscription of 7:1.
        share: Ratio,
    },
    /// Full bisection in at least two planes.
    MultiPlane,
    /// Separate rails that never block.
    RailOnly,
    /// Leafs per rail below a joint spine, with so many uplinks per downlink.
    RailOptimized {
        /// 1/7 for an oversubscription of 7:1.
        share: Ratio,
    },
    /// A fabric that is timed on its cables, as a design has it of which the spec asks for that
    /// family.
    Routed(FabricChoice),
    /// A family that is no tree and that no design chooses: counted, at its own routing.
    Flat(FabricKind),
}

/// Why a text names no baseline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BaselineProblem {
    /// No fabric has that name.
    Unknown { name: String },
    /// The oversubscription is not a pair of whole numbers with the larger one first.
    Oversubscription {
        /// The text after `@`.
        text: String,
    },
    /// The fabric has no oversubscription to set.
    NotOversubscribed {
        /// The name before `@`.
        name: String,
    },
}

/// A fabric that a baseline stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Variant {
    /// Of the design's own switch, in one plane.
    SameSwitch,
    /// Of the model and in the planes that cost least.
    Best,
}

impl Baseline {
    /// Every fabric that it stands for.
    pub(super) const fn variants(self) -> &'static [Variant] {
        match self {
            Self::Clos => &[Variant::SameSwitch, Variant::Best],
            _ => &[Variant::Best],
        }
    }

    /// Names that can be given, for messages and completion.
    pub const NAMES: [&'static str; 11] = [
        "clos",
        "multi-plane",
        "rail-only",
        "rail-optimized",
        "tapered-clos",
        "dragonfly",
        "slim-fly",
        "hyperx",
        "zcube",
        "torus",
        "hamming-mesh",
    ];
}

impl FromStr for Baseline {
    type Err = BaselineProblem;

    /// Reads `clos`, `rail-optimized@7:1` and the like; without `@`, rail-optimized is 1:1.
    fn from_str(text: &str) -> Result<Self, BaselineProblem> {
        let (name, level) = match text.split_once('@') {
            Some((name, level)) => (name, Some(level)),
            None => (text, None),
        };
        let found = match name {
            "clos" => Self::Clos,
            "multi-plane" => Self::MultiPlane,
            "rail-only" => Self::RailOnly,
            "rail-optimized" => Self::RailOptimized { share: Ratio::ONE },
            "tapered-clos" => Self::Routed(FabricChoice::TaperedClos),
            "dragonfly" => Self::Routed(FabricChoice::Dragonfly),
            "zcube" => Self::Routed(FabricChoice::ZCube),
            _ => match FabricKind::parse(name) {
                Some(kind) => Self::Flat(kind),
                None => return Err(BaselineProblem::Unknown { name: name.to_owned() }),
            },
        };
        let Some(level) = level else { return Ok(found) };
        let at = |share| match found {
            Self::RailOptimized { .. } => Some(Self::RailOptimized { share }),
            Self::Clos => Some(Self::OversubscribedClos { share }),
            _ => None,
        };
        if at(Ratio::ONE).is_none() {
            return Err(BaselineProblem::NotOversubscribed { name: name.to_owned() });
        }
        parse_oversubscription(level)
            .and_then(at)
            .ok_or_else(|| BaselineProblem::Oversubscription { text: level.to_owned() })
    }
}

/// Uplinks per downlink of `7:1`: 1/7.
fn parse_oversubscription(text: &str) -> Option<Ratio> {
    let (down, up) = text.split_once(':')?;
    let (down, up): (u32, u32) = (down.trim().parse().ok()?, up.trim().parse().ok()?);
    (up > 0 && up <= down).then(|| Ratio::new(up, down)).flatten()
}

impl fmt::Display for Baseline {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Clos => f.write_str("clos"),
            Self::OversubscribedClos { share } => match share.inverse() {
                Some(inverse) => write!(f, "clos@{inverse}"),
                None => f.write_str("clos"),
            },
            Self::MultiPlane => f.write_str("multi-plane"),
            Self::RailOnly => f.write_str("rail-only"),
            Self::RailOptimized { share } => match share.inverse() {
                Some(inverse) if inverse != Ratio::ONE => write!(f, "rail-optimized@{inverse}"),
                _ => f.write_str("rail-optimized"),
            },
            Self::Routed(family) => f.write_str(family.name()),
            Self::Flat(kind) => write!(f, "{kind}"),
        }
    }
}

impl fmt::Display for BaselineProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown { name } => {
                write!(f, "no baseline is called `{name}`: use {}", Baseline::NAMES.join(", "))
            }
            Self::Oversubscription { text } => write!(
                f,
                "`{text}` is no oversubscription: write two whole numbers, the larger one \
                 first, such as `7:1`"
            ),
            Self::NotOversubscribed { name } => {
                write!(f, "`{name}` takes no oversubscription: only clos and rail-optimized do")
            }
        }
    }
}

impl std::error::Error for BaselineProblem {}

/// What of a stated layout a case leaves to the planner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Freed {
    /// Nothing: it has the layout of the spec.
    Nothing,
    /// The number of stages.
    Stages,
    /// The sharding of states, as the technique does not allow the stated one.
    Sharding,
    /// Stages, recomputation and sequences of a micro-batch besides.
    Memory,
    /// All degrees.
    Degrees,
}

impl Freed {
    /// Name in JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Nothing => "nothing",
            Self::Stages => "stages",
            Self::Sharding => "sharding",
            Self::Memory => "memory",
            Self::Degrees => "degrees",
        }
    }

    /// True where the stated layout breaks a rule of the technique or does not fit under it.
    #[must_use]
    pub const fn is_nearest(self) -> bool {
        matches!(self, Self::Sharding | Self::Memory | Self::Degrees)
    }

    /// A workload of which so much is left to the planner.
    pub(super) fn free_workload(self, mut workload: Workload) -> Workload {
        workload.layout = self.open_layout(workload.layout);
        workload
    }

    fn open_layout(self, stated: LayoutRequest) -> LayoutRequest {
        match self {
            Self::Nothing => stated,
            Self::Stages => LayoutRequest { pipeline: None, data: None, ..stated },
            Self::Sharding => LayoutRequest { zero: None, shard: None, ..stated },
            Self::Memory => {
                let staged = Self::Stages.open_layout(Self::Sharding.open_layout(stated));
                LayoutRequest { recompute: None, micro_batch: None, interleave: None, ..staged }
            }
            Self::Degrees => {
                let open = Self::Memory.open_layout(stated);
                LayoutRequest { tensor: None, context: None, expert: None, order: None, ..open }
            }
        }
    }
}

/// The workload of a scenario as it is stated where its technique allows that; else with as little
/// left to the planner as gives it a layout that fits.
///
/// # Errors
/// The rules that the stated layout breaks, where no layout keeps them.
pub(super) fn nearest_workload(
    scenario: &Scenario,
    workload: Workload,
) -> Result<(Workload, Freed), Vec<LayoutProblem>> {
    let problems = broken_technique_rules(&workload);
    if problems.is_empty() {
        return Ok((workload, Freed::Nothing));
    }
    let fits = |freed: &Freed| {
        let workload = freed.free_workload(workload.clone());
        let scenario = scenario.with_lead_workload(workload.clone());
        broken_technique_rules(&workload).is_empty() && design::plan_step(&scenario).is_ok()
    };
    let found = [Freed::Sharding, Freed::Memory, Freed::Degrees].into_iter().find(fits);
    found.map(|freed| (freed.free_workload(workload.clone()), freed)).ok_or(problems)
}

/// The rules of techniques that the stated layout breaks, whatever is open in it.
fn broken_technique_rules(workload: &Workload) -> Vec<LayoutProblem> {
    let request = &workload.layout;
    let pipeline = request.pipeline.or(Some(2));
    let layout = LayoutRequest { pipeline, ..request.clone() }.simplest_layout(None);
    Recipe::from_workload(workload).rules_broken_by_layout(&layout)
}

#[cfg(test)]
mod tests {
    use super::{Baseline, BaselineProblem};

    #[track_caller]
    fn round_trip(text: &str) {
        let baseline: Baseline = text.parse().expect("the name is known");
        assert_eq!(baseline.to_string(), text);
    }

    #[test]
    fn names_round_trip() {
        Baseline::NAMES.into_iter().for_each(round_trip);
        round_trip("clos@7:1");
        round_trip("rail-optimized@7:1");
        round_trip("rail-optimized@15:2");
    }

    #[test]
    fn nonsense_is_told_apart() {
        let problem = |text: &str| text.parse::<Baseline>().expect_err("it is nonsense");
        assert!(matches!(problem("close"), BaselineProblem::Unknown { .. }));
        assert!(matches!(problem("zcube@7:1"), BaselineProblem::NotOversubscribed { .. }));
        for text in ["rail-optimized@1:7", "rail-optimized@7", "rail-optimized@7:0"] {
            assert!(matches!(problem(text), BaselineProblem::Oversubscription { .. }), "{text}");
        }
    }
}

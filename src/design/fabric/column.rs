//! What a fabric can be put together from, one at a time: a build or a finished fabric as a column of
//! the integer program. Makes none.

use super::context::ColumnContext;
use crate::design::candidate::machine::Level;
use crate::fabric::{Assembly, Blueprint, Build, Counts, Idle, Occupancy, SpineOption};
use crate::sizing::Column as Coefficients;
use crate::units::Seconds;

/// A column of the integer program: one thing that may carry rails.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct FabricColumn {
    pub(super) what: ColumnSource,
    /// Its entries in the rows of the program.
    pub(crate) coefficients: Coefficients,
    pub(super) level: Level,
    /// Time of a step where all rails are like this.
    pub(super) time: Seconds,
}

impl FabricColumn {
    /// Lanes of its cages and cables that stay idle.
    pub(super) fn idle_lanes(&self, context: &ColumnContext<'_>) -> Idle<u64> {
        let lanes = &context.parts.lanes;
        match &self.what {
            _ if lanes.are_own() => Idle::default(),
            ColumnSource::Rails(builds) => {
                let builds: Vec<(&Build, u64)> =
                    builds.iter().map(|(build, times)| (build, *times)).collect();
                occupancy_of_builds(context, &builds).idle_lanes(lanes)
            }
            ColumnSource::Whole(fabric) => fabric
                .counts
                .occupancy
                .as_ref()
                .map(|occupancy| occupancy.idle_lanes(lanes))
                .unwrap_or_default(),
        }
    }
}

/// What a column is made of.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum ColumnSource {
    /// Builds with how many of each. One build serves a rail, or some that share a switch or a tree, and
    /// others may be built otherwise; where networks are regular these serve all rails of all planes.
    Rails(Vec<(Build, u64)>),
    /// All rails of all planes at once.
    Whole(Box<BuiltFabric>),
}

/// A finished fabric and what it was counted from.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct BuiltFabric {
    pub(crate) counts: Counts,
    pub(crate) blueprint: Blueprint,
}

impl BuiltFabric {
    /// So many copies of each build, below a spine where there is one.
    pub(super) fn from_builds(
        context: &ColumnContext<'_>,
        builds: &[(&Build, u64)],
        spine: Option<(&SpineOption, u64)>,
    ) -> Self {
        let assembly = Assembly {
            rails: context.job.machine.node.nics,
            endpoints: context.job.endpoints(),
            planes: context.planes,
            link: context.parts.link,
            width: context.parts.width,
            skus: context.skus,
            builds,
            spine,
        };
        Self { counts: assembly.assembly_counts(), blueprint: Blueprint::from_assembly(&assembly) }
    }
}

/// Rails that builds serve, and the switches and links that they take.
pub(super) fn coefficients_of_builds(
    context: &ColumnContext<'_>,
    builds: &[(&Build, u64)],
) -> Coefficients {
    let sum = |each: &dyn Fn(&Build) -> u64| -> u64 {
        builds.iter().map(|(build, times)| each(build) * times).sum()
    };
    let links = sum(&Build::link_count);
    let switches = (0..context.skus.len()).map(|sku| sum(&|build| build.switches_of(sku)));
    let occupancy = occupancy_of_builds(context, builds);
    Coefficients {
        rails: sum(&|build| build.rails.into()),
        switches: context.parts.parts_used(
            switches.collect(),
            sum(&|build| build.host_links),
            links,
            &occupancy,
        ),
        links,
        bisection: 0.0,
    }
}

/// The links of the switches of builds.
pub(super) fn occupancy_of_builds(
    context: &ColumnContext<'_>,
    builds: &[(&Build, u64)],
) -> Occupancy {
    let mut all = Occupancy::default();
    for (build, times) in builds {
        all.add(&build.occupancy(context.skus, context.parts.width, build.rails), *times);
    }
    all
}

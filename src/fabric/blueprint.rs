//! What a fabric was counted from, owned and without prices: enough to count it again and to wire
//! it cable by cable. Decides nothing.

use super::{
    Assembly, Build, Counts, FabricGraph, FabricProblem, Request, SpineOption, SwitchModel, flat,
};
use crate::units::Bandwidth;

/// How to build a fabric.
#[derive(Clone, Debug, PartialEq)]
pub enum Blueprint {
    /// Alike switches: a tree, or a family that is none.
    Tree {
        /// What was asked for, of a switch known by its ports alone.
        request: Request<'static>,
        /// Model of the switch; empty for an anonymous one.
        model: String,
    },
    /// Rails that were put together from builds: models and kinds of leaf may mix.
    Rails(RailPlan),
}

/// An [`Assembly`] that owns its parts.
#[derive(Clone, Debug, PartialEq)]
pub struct RailPlan {
    /// Rails of the cluster.
    pub rails: u32,
    /// NICs of the cluster.
    pub endpoints: u64,
    /// Separate copies of the fabric.
    pub planes: u32,
    /// Rate of a link to an endpoint, and so of a port.
    pub link: Bandwidth,
    /// Ports that a link between switches takes at either end.
    pub width: u32,
    /// The models that builds point to.
    pub skus: Vec<SwitchModel>,
    /// Builds with how many of each, over all planes.
    pub builds: Vec<(Build, u64)>,
    /// What joins the rails, over all planes.
    pub spine: Option<(SpineOption, u64)>,
}

impl Blueprint {
    /// The blueprint of a tree.
    #[must_use]
    pub fn from_tree(request: &Request<'_>) -> Self {
        Self::Tree {
            request: request.without_switch_model(),
            model: request.switch_model().to_owned(),
        }
    }

    /// The blueprint of an assembly.
    #[must_use]
    pub fn from_assembly(assembly: &Assembly<'_>) -> Self {
        Self::Rails(RailPlan {
            rails: assembly.rails,
            endpoints: assembly.endpoints,
            planes: assembly.planes,
            link: assembly.link,
            width: assembly.width,
            skus: assembly.skus.to_vec(),
            builds: assembly
                .builds
                .iter()
                .map(|(build, times)| ((*build).clone(), *times))
                .collect(),
            spine: assembly.spine.map(|(spine, times)| (spine.clone(), times)),
        })
    }

    /// Switches and links, by the closed form.
    ///
    /// # Errors
    /// Where the request of a tree is impossible.
    pub fn network_counts(&self) -> Result<Counts, FabricProblem> {
        match self {
            Self::Tree { request, model } => {
                let mut counts = Counts { rails: request.rails, ..flat::fabric_counts(request)? };
                counts.tiers.iter_mut().for_each(|tier| tier.model.clone_from(model));
                Ok(counts)
            }
            Self::Rails(plan) => Ok(plan.with_assembly(|assembly| assembly.assembly_counts())),
        }
    }

    /// The fabric, cable by cable.
    ///
    /// # Errors
    /// Where it can't be built, or is too large to hold.
    pub fn build_fabric_graph(&self) -> Result<FabricGraph, FabricProblem> {
        match self {
            Self::Tree { request, model } => {
                Ok(FabricGraph::new(request)?.rename_models(std::slice::from_ref(model)))
            }
            Self::Rails(plan) => plan.with_assembly(FabricGraph::from_assembly),
        }
    }
}

impl RailPlan {
    pub(super) fn with_assembly<T>(&self, made: impl FnOnce(&Assembly<'_>) -> T) -> T {
        let builds: Vec<(&Build, u64)> =
            self.builds.iter().map(|(build, times)| (build, *times)).collect();
        made(&Assembly {
            rails: self.rails,
            endpoints: self.endpoints,
            planes: self.planes,
            link: self.link,
            width: self.width,
            skus: &self.skus,
            builds: &builds,
            spine: self.spine.as_ref().map(|(spine, times)| (spine, *times)),
        })
    }
}

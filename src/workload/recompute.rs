//! `Recompute` and `RecomputeModules`: what a backward pass computes again.

use super::Model;
use crate::keys::{Field, Key, Kind, Values, choices};

choices! {
    /// What the backward pass computes again (Korthikanti 2022, arXiv 2205.05198).
    pub enum Recompute {
        /// Everything is kept.
        None = "none",
        /// The attention scores are computed again, or what [`RecomputeModules`] names.
        Selective = "selective",
        /// Each layer's forward pass runs again from its input.
        Full = "full",
    }
}

choices! {
    /// A part of a layer that selective recomputation computes again, by the names of
    /// Megatron-Core's `--recompute-modules` (`transformer_config.py`, 0.16).
    pub enum RecomputeModule {
        /// Attention between its projections.
        CoreAttention = "core_attn",
        /// Up-projections and rotation of latent attention.
        MlaUpProjection = "mla_up_proj",
        /// Norms before attention and before the feed-forward block.
        LayerNorm = "layernorm",
        /// Activation function of routed experts.
        MoeActivation = "moe_act",
        /// Shared experts.
        SharedExperts = "shared_experts",
        /// Dense feed-forward blocks.
        Mlp = "mlp",
        /// Router, exchange of tokens and experts.
        Moe = "moe",
    }
}

choices! {
    /// A part that not every model has.
    pub enum ModelPart {
        LatentAttention = "latent attention",
        Experts = "experts",
        SharedExperts = "shared experts",
    }
}

impl RecomputeModule {
    /// The part of a model that it is in; `None` for one that every model has.
    #[must_use]
    pub const fn needed_part(self) -> Option<ModelPart> {
        match self {
            Self::CoreAttention | Self::LayerNorm | Self::Mlp => None,
            Self::MlaUpProjection => Some(ModelPart::LatentAttention),
            Self::MoeActivation | Self::Moe => Some(ModelPart::Experts),
            Self::SharedExperts => Some(ModelPart::SharedExperts),
        }
    }
}

/// The modules that selective recomputation computes again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RecomputeModules(u8);

impl RecomputeModules {
    /// Of those modules.
    #[must_use]
    pub fn from_list(modules: &[RecomputeModule]) -> Self {
        Self(modules.iter().fold(0, |all, module| all | 1 << *module as u8))
    }

    /// Those of a step, none but where its recomputation is selective: the stated ones, else the
    /// up-projections of latent attention, and scores where they are stored or nothing else is to
    /// recompute.
    #[must_use]
    pub fn for_step(
        recompute: Recompute,
        stated: Option<Self>,
        model: &Model,
        flash_attention: bool,
    ) -> Self {
        let up = RecomputeModule::MlaUpProjection;
        let scores = RecomputeModule::CoreAttention;
        match (recompute, stated, &model.latent_attention, flash_attention) {
            (Recompute::None | Recompute::Full, ..) => Self::default(),
            (Recompute::Selective, Some(stated), ..) => stated,
            (Recompute::Selective, None, None, _) => Self::from_list(&[scores]),
            (Recompute::Selective, None, Some(_), true) => Self::from_list(&[up]),
            (Recompute::Selective, None, Some(_), false) => Self::from_list(&[scores, up]),
        }
    }

    /// True where that module is one of them.
    #[must_use]
    pub const fn has_module(self, module: RecomputeModule) -> bool {
        self.0 & 1 << module as u8 != 0
    }

    /// Those of them that kernels make again piece by piece, so that a block never holds all of
    /// it: scores and the up-projections of latent attention.
    #[must_use]
    pub fn piecewise_modules(self) -> Self {
        let pieces = [RecomputeModule::CoreAttention, RecomputeModule::MlaUpProjection];
        Self(self.0 & Self::from_list(&pieces).0)
    }

    /// Their names in a spec, in the order of the documentation.
    pub fn module_names(self) -> impl Iterator<Item = &'static str> {
        let own = RecomputeModule::ALL.into_iter().filter(move |module| self.has_module(*module));
        own.map(RecomputeModule::name)
    }
}

impl Field for RecomputeModules {
    const KIND: Kind = Kind::Some(&Kind::Choice(RecomputeModule::NAMES));

    fn read_value(values: &impl Values, key: &Key) -> Option<Self> {
        let names = values.text_values(key);
        let modules: Vec<_> =
            names.iter().filter_map(|name| RecomputeModule::parse(name)).collect();
        (!modules.is_empty()).then(|| Self::from_list(&modules))
    }
}

//! Training techniques that change what the network must carry, with their settings. What each
//! does to a step is not decided here.

/// A technique, by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Technique {
    /// Decoupled momentum: replicas exchange its largest components in place of gradients.
    Demo,
    /// Optimizer states on the host.
    Offload,
    /// Activations or weights wait on the host until they are needed.
    Swap,
    /// A stage runs whatever message has arrived.
    MessageDriven,
    /// Stages trained on their own against synthetic labels.
    Sil,
    /// A smaller model trained for part of the run.
    MultiLevel,
    /// Tensor-parallel communication inside the matrix multiplications.
    FusedTensor,
    /// Messages between stages in 8 bits.
    NarrowPipeline,
}

impl Technique {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::Demo,
        Self::Offload,
        Self::Swap,
        Self::MessageDriven,
        Self::Sil,
        Self::MultiLevel,
        Self::FusedTensor,
        Self::NarrowPipeline,
    ];

    /// Its table in a spec, below `technique`.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Self::Demo => "demo",
            Self::Offload => "offload",
            Self::Swap => "swap",
            Self::MessageDriven => "message_driven",
            Self::Sil => "sil",
            Self::MultiLevel => "multilevel",
            Self::FusedTensor => "fused_tensor",
            Self::NarrowPipeline => "narrow_pipeline",
        }
    }

    /// The technique of that key; dashes count as underscores.
    #[must_use]
    pub fn parse(key: &str) -> Option<Self> {
        let key = key.replace('-', "_");
        Self::ALL.into_iter().find(|technique| technique.key() == key)
    }
}

/// Techniques and their settings. Settings of one that is off are kept, so that a comparison can
/// switch it on.
#[derive(Clone, Debug, PartialEq)]
pub struct Techniques {
    /// Those that are on, in the order of [`Technique::ALL`].
    pub on: Vec<Technique>,
    /// Settings of DeMo.
    pub demo: Demo,
    /// Settings of the offload.
    pub offload: Offload,
    /// Settings of the swapping of activations and weights.
    pub swap: Swap,
    /// Settings of synthetic labels.
    pub sil: Sil,
    /// Settings of the multi-level cycle.
    pub multilevel: MultiLevel,
}

impl Techniques {
    /// None on, default settings.
    pub const NONE: Self = Self {
        on: Vec::new(),
        demo: Demo::DEFAULT,
        offload: Offload::DEFAULT,
        swap: Swap::DEFAULT,
        sil: Sil::DEFAULT,
        multilevel: MultiLevel::DEFAULT,
    };

    /// True where the technique is on.
    #[must_use]
    pub fn has(&self, technique: Technique) -> bool {
        self.on.contains(&technique)
    }

    /// These settings with exactly these techniques on.
    #[must_use]
    pub fn with_only(&self, on: &[Technique]) -> Self {
        let on = Technique::ALL.into_iter().filter(|of| on.contains(of)).collect();
        Self { on, ..self.clone() }
    }
}

/// Which replicas exchange components of the momentum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Scope {
    /// All of them (DeMo, arXiv 2411.19870).
    Replicas,
    /// Those in different HB domains, each for its shard of the gradients, which are summed in
    /// full inside the domain (FlexDeMo, arXiv 2502.06728).
    Domains,
}

/// How the components of all replicas reach all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Gather {
    /// Along the rail first, then inside the domain: nothing crosses an interface twice.
    Hierarchical,
    /// A ring over all members.
    Ring,
    /// Every member to every other.
    Direct,
}

/// Settings of DeMo.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Demo {
    /// Who exchanges.
    pub scope: Scope,
    /// Largest components k that are kept of a chunk.
    pub top_k: u64,
    /// Side s of a chunk; a dimension that it does not divide takes its largest divisor below.
    pub chunk: u64,
    /// Bytes of a component's index.
    pub index_bytes: u64,
    /// Bytes of a component's value.
    pub value_bytes: u64,
    /// How they are gathered.
    pub gather: Gather,
    /// Chunks are cut from flat vectors, as FSDP shards them: k of s elements are kept, not k of
    /// s². `None`: as the scope does, flat across domains only.
    pub flat: Option<bool>,
    /// Ranks of a domain that share states under ZeRO; across domains only.
    pub shards: Option<u32>,
}

impl Demo {
    /// The authors' code: 64-bit indices, fp32 values, chunks of 64, and of their published
    /// settings the one of the largest model's main run.
    pub const DEFAULT: Self = Self {
        scope: Scope::Replicas,
        top_k: 32,
        chunk: 64,
        index_bytes: 8,
        value_bytes: 4,
        gather: Gather::Hierarchical,
        flat: None,
        shards: None,
    };

    /// Bytes b_e of a component.
    #[must_use]
    pub const fn component_bytes(&self) -> u64 {
        self.index_bytes + self.value_bytes
    }

    /// Chunks are cut from flat vectors.
    #[must_use]
    pub fn is_flat(&self) -> bool {
        self.flat.unwrap_or(self.scope == Scope::Domains)
    }
}

/// Settings of the offload of optimizer states to the host (AxoNN, arXiv 2110.13005 §IV-C).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Offload {
    /// Parameters whose states are on the GPU at a time.
    pub bucket: u64,
    /// Buckets whose gradients are reduced in one message.
    pub coalescing: u64,
}

impl Offload {
    /// Buckets of 4 Mi parameters, four to a message (assumed).
    pub const DEFAULT: Self = Self { bucket: 4 << 20, coalescing: 4 };
}

/// What waits on the host until it is needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Swapped {
    /// What layers keep from their forward to their backward pass.
    Activations,
    /// Weights in the compute format, fetched for every pass.
    Parameters,
    /// Both.
    Both,
}

/// Settings of swapping to the host (KARMA, arXiv 2008.11421).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Swap {
    /// What is swapped.
    pub what: Swapped,
    /// Share of the kept activations that is swapped; the rest stays on the GPU.
    pub share: f64,
}

impl Swap {
    /// All activations, no weights.
    pub const DEFAULT: Self = Self { what: Swapped::Activations, share: 1.0 };

    /// Share of the kept activations that waits on the host.
    #[must_use]
    pub fn activations(&self) -> f64 {
        if self.what == Swapped::Parameters { 0.0 } else { self.share }
    }

    /// Weights wait on the host.
    #[must_use]
    pub fn parameters(&self) -> bool {
        self.what != Swapped::Activations
    }
}

/// Order in which parts of a network are trained on their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Turns {
    /// All at once.
    Parallel,
    /// One after the other.
    Sequential,
}

/// What the right part of a network is fed with while it trains on its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum HandOver {
    /// Synthetic labels: nothing crosses.
    Labels,
    /// What the trained left part makes of the samples: sent on once.
    Activations,
}

/// Settings of synthetic intermediate labels (arXiv 2403.11204). Each pipeline stage is a part.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sil {
    /// Who trains when.
    pub turns: Turns,
    /// What feeds the right part.
    pub hand_over: HandOver,
    /// Share of the samples that the whole network sees afterwards, end to end.
    pub recovery: f64,
    /// The reader knows that no source shows this to work for a transformer.
    pub accept_unverified: bool,
}

impl Sil {
    /// All parts at once on labels, no recovery; not accepted.
    pub const DEFAULT: Self = Self {
        turns: Turns::Parallel,
        hand_over: HandOver::Labels,
        recovery: 0.0,
        accept_unverified: false,
    };
}

/// Settings of the multi-level cycle (arXiv 2404.07999): down to smaller models and up again.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MultiLevel {
    /// Levels; 1 is the whole model alone.
    pub levels: u32,
    /// What width and depth are divided by from one level to the next.
    pub factor: u64,
    /// Steps of each level on the way down, over those of the run without the cycle.
    pub before: f64,
    /// Steps at the smallest level, likewise.
    pub small: f64,
    /// Steps of each level on the way up, likewise.
    pub after: f64,
    /// GPUs that train the smaller models, in fewer replicas; `None` for all.
    pub gpus: Option<u32>,
}

impl MultiLevel {
    /// The authors' GPT-2 script: 100k steps without the cycle; with it 5k, 50k at half width
    /// and depth, 50k.
    pub const DEFAULT: Self =
        Self { levels: 2, factor: 2, before: 0.05, small: 0.5, after: 0.5, gpus: None };
}

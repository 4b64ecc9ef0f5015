//! `Technique`, `Techniques` and the settings of each (DeMo, multi-level, offload, SIL, swap).

use crate::keys::{GPUS, Kind, SHARE, Section, Values, choices, key, table};

/// What a technique without settings has: an empty table switches it on.
const NO_SETTINGS: Section =
    Section { doc: "a technique without settings: an empty table switches it on", keys: &[] };

/// Declares the techniques: variant, table in a spec below `technique`, meaning there, and the
/// settings of those that have any.
macro_rules! techniques {
    ($(
        $(#[$doc:meta])*
        $variant:ident = $key:literal, $means:literal $(, $field:ident: $settings:ident)?;
    )*) => {
        /// A technique, by name.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Technique { $($(#[$doc])* $variant),* }

        impl Technique {
            /// All of them.
            pub const ALL: [Self; [$($key),*].len()] = [$(Self::$variant),*];

            /// The table of techniques in a spec.
            pub const SECTION: Section = Section {
                doc: "training techniques that change the step; a table that is present switches \
                      one on",
                keys: &[$(key($key, Kind::Table(techniques!(@section $($settings)?)), $means)),*],
            };

            /// Its table in a spec, below `technique`.
            #[must_use]
            pub const fn key(self) -> &'static str {
                match self { $(Self::$variant => $key),* }
            }
        }

        /// Techniques and their settings. Settings of one that is off are kept, so that a
        /// comparison can switch it on.
        #[derive(Clone, Debug, PartialEq)]
        pub struct Techniques {
            /// Those that are on, in the order of [`Technique::ALL`].
            pub on: Vec<Technique>,
            $($(
                #[doc = concat!("Settings of `technique.", $key, "`.")]
                pub $field: $settings,
            )?)*
        }

        impl Techniques {
            /// None on, default settings.
            pub const NONE: Self = Self { on: Vec::new(), $($($field: $settings::DEFAULT,)?)* };

            /// Those whose table is there; `None` where one of them can't be read.
            pub(crate) fn read<V: Values>(table: impl Fn(Technique) -> Option<V>) -> Option<Self> {
                let on = Technique::ALL.into_iter().filter(|technique| table(*technique).is_some()).collect();
                Some(Self {
                    on,
                    $($($field: match table(Technique::$variant) {
                        Some(values) => $settings::read(&values)?,
                        None => $settings::DEFAULT,
                    },)?)*
                })
            }
        }
    };
    (@section) => { &NO_SETTINGS };
    (@section $settings:ident) => { &$settings::SECTION };
}

techniques! {
    /// Decoupled momentum: replicas exchange its largest components in place of gradients.
    Demo = "demo", "largest components of the momentum instead of gradients", demo: Demo;
    /// Optimizer states on the host.
    Offload = "offload", "optimizer states on the host (AxoNN)", offload: Offload;
    /// Activations or weights wait on the host until they are needed.
    Swap = "swap", "activations or weights on the host (KARMA)", swap: Swap;
    /// A stage runs whatever message has arrived.
    MessageDriven = "message_driven", "stages run whatever message has arrived";
    /// Stages trained on their own against synthetic labels.
    Sil = "sil", "stages trained on their own against synthetic labels", sil: Sil;
    /// A smaller model trained for part of the run.
    MultiLevel = "multilevel", "a smaller model for part of the run", multilevel: MultiLevel;
    /// Tensor-parallel communication inside the matrix multiplications.
    FusedTensor = "fused_tensor", "tensor communication inside GEMMs (FLUX)";
    /// Messages between stages in 8 bits.
    NarrowPipeline = "narrow_pipeline", "8-bit messages between stages (SWARM)";
}

impl Technique {
    /// The technique of that key; dashes count as underscores.
    #[must_use]
    pub fn parse(key: &str) -> Option<Self> {
        let key = key.replace('-', "_");
        Self::ALL.into_iter().find(|technique| technique.key() == key)
    }
}

impl Techniques {
    /// True where the technique is on.
    #[must_use]
    pub fn has_technique(&self, technique: Technique) -> bool {
        self.on.contains(&technique)
    }

    /// These settings with exactly these techniques on.
    #[must_use]
    pub fn enable_only(&self, on: &[Technique]) -> Self {
        let on = Technique::ALL.into_iter().filter(|technique| on.contains(technique)).collect();
        Self { on, ..self.clone() }
    }
}

/// Widths in bytes of a number.
const NUMBER_BYTES: Kind = Kind::Count { min: 1, max: 8 };

choices! {
    /// Which replicas exchange components of the momentum.
    pub enum DemoScope {
        /// All of them (DeMo, arXiv 2411.19870).
        Replicas = "replicas",
        /// Those in different HB domains, each for its shard of the gradients, which are summed in
        /// full inside the domain (FlexDeMo, arXiv 2502.06728).
        Domains = "domains",
    }
}

choices! {
    /// How the components of all replicas reach all of them.
    pub enum DemoGather {
        /// Along the rail first, then inside the domain: nothing crosses an interface twice.
        Hierarchical = "hierarchical",
        /// A ring over all members.
        Ring = "ring",
        /// Every member to every other.
        Direct = "direct",
    }
}

table! {
    defaults;
    /// Settings of DeMo.
    ///
    /// The defaults are the authors' code: 64-bit indices, fp32 values, chunks of 64, and of their
    /// published settings the one of the largest model's main run.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Demo, "decoupled momentum (arXiv 2411.19870, 2502.06728); shown up to 1.2B \
                      parameters" {
        scope: DemoScope = (DemoScope::Replicas), "all replicas, or those of different HB domains \
                                                   (FlexDeMo)";
        /// Largest components k that are kept of a chunk.
        top_k: u64 = 32, in Kind::Count { min: 1, max: 1_000_000 }, "components kept of a chunk";
        /// Side s of a chunk; a dimension that it does not divide takes its largest divisor below.
        chunk: u64 = 64, in Kind::Count { min: 1, max: 4096 }, "side of a chunk";
        /// Bytes of a component's index.
        index_bytes: u64 = 8, in NUMBER_BYTES, "bytes of a component's index";
        /// Bytes of a component's value.
        value_bytes: u64 = 4, in NUMBER_BYTES, "bytes of its value";
        gather: DemoGather = (DemoGather::Hierarchical), "how components are gathered";
        /// Chunks are cut from flat vectors, as FSDP shards them: k of s elements are kept, not k
        /// of s². `None`: as the scope does, flat across domains only.
        flat: Option<bool>,
            "chunks cut from flat vectors: top_k of chunk elements, not of its square" or "true \
             across domains, else false";
        /// Ranks of a domain that share states under ZeRO; across domains only.
        shards: Option<u32>, in GPUS, "ranks of a domain that share states under ZeRO" or "none";
    }
}

impl Demo {
    /// Bytes b_e of a component.
    #[must_use]
    pub const fn component_bytes(&self) -> u64 {
        self.index_bytes + self.value_bytes
    }

    /// Chunks are cut from flat vectors.
    #[must_use]
    pub fn is_flat(&self) -> bool {
        self.flat.unwrap_or(self.scope == DemoScope::Domains)
    }
}

/// Steps over those of the run without the technique.
const STEPS: Kind = Kind::Number { min: 0.0, max: 100.0 };

table! {
    defaults;
    /// Settings of the multi-level cycle (arXiv 2404.07999): down to smaller models and up again.
    ///
    /// The defaults are the authors' GPT-2 script, 100k steps without the cycle and with it 5k,
    /// then 50k at half width and depth; but after it what the paper's runs took, see
    /// [`MultiLevel::steps_after`].
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct MultiLevel, "the multi-level cycle (arXiv 2404.07999): down to smaller models and \
                            up again" {
        /// Levels; 1 is the whole model alone.
        levels: u32 = 2, in Kind::Count { min: 2, max: 8 }, "levels, the whole model included";
        /// What width and depth are divided by from one level to the next.
        factor: u64 = 2, in Kind::Count { min: 2, max: 64 },
            "what width and depth are divided by a level";
        /// Steps of each level on the way down, over those of the run without the cycle.
        before: f64 = 0.05, in STEPS,
            "steps of each level on the way down, over those of an ordinary run";
        /// Steps at the smallest level, likewise.
        small: f64 = 0.5, in STEPS, "steps at the smallest level, likewise";
        /// Steps of each level on the way up, likewise.
        after: Option<f64>, in STEPS, "steps of each level on the way up, likewise"
            or "0.62, with three levels 0.35";
        /// GPUs that train the smaller models, in fewer replicas; `None` for all.
        gpus: Option<u32>, in GPUS, "GPUs that train the smaller models, in fewer \
                                     replicas" or "all";
    }
}

/// Of an ordinary run's steps what the paper's runs of two levels took after the cycle: the middle
/// of 0.59 to 0.66.
const AFTER_TWO_LEVELS: f64 = 0.62;
/// Of an ordinary run's steps what its run of three levels took after the cycle, BERT-Large: so
/// many steps on either level save the 51.6 % of the FLOPs that it saved.
const AFTER_THREE_LEVELS: f64 = 0.35;

impl MultiLevel {
    /// Steps of each level on the way up over those of an ordinary run: where none are stated,
    /// those of the paper's runs of as many levels, and of two where it has none.
    #[must_use]
    pub fn steps_after(&self) -> f64 {
        let published = if self.levels == 3 { AFTER_THREE_LEVELS } else { AFTER_TWO_LEVELS };
        self.after.unwrap_or(published)
    }
}

table! {
    defaults;
    /// Settings of the offload of optimizer states to the host (AxoNN, arXiv 2110.13005 §IV-C).
    ///
    /// By default buckets of 4 Mi parameters, four to a message (assumed).
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Offload, "optimizer states on the host (arXiv 2110.13005); needs ZeRO 0" {
        /// Parameters whose states are on the GPU at a time.
        bucket: u64 = 4194304, in Kind::Count { min: 1, max: 1_000_000_000_000 },
            "parameters whose states are on the GPU at a time";
        /// Buckets whose gradients are reduced in one message.
        coalescing: u64 = 4, in Kind::Count { min: 1, max: 1_000_000 },
            "buckets whose gradients are reduced in one message";
    }
}

choices! {
    /// Order in which parts of a network are trained on their own.
    pub enum SilTurns {
        /// All at once.
        Parallel = "parallel",
        /// One after the other.
        Sequential = "sequential",
    }
}

choices! {
    /// What the right part of a network is fed with while it trains on its own.
    pub enum HandOver {
        /// Synthetic labels: nothing crosses.
        Labels = "labels",
        /// What the trained left part makes of the samples: sent on once.
        Activations = "activations",
    }
}

table! {
    defaults;
    /// Settings of synthetic intermediate labels (arXiv 2403.11204). Each pipeline stage is a part.
    ///
    /// By default all parts at once on labels, no recovery; not accepted.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Sil, "synthetic intermediate labels (arXiv 2403.11204); each pipeline stage is a \
                     part" {
        turns: SilTurns = (SilTurns::Parallel), "who trains when";
        /// What feeds the right part.
        hand_over: HandOver = (HandOver::Labels), "what feeds the right part";
        /// Share of the samples that the whole network sees afterwards, end to end.
        recovery: f64 = 0.0, in SHARE, "share of the samples that the whole network sees \
                                        afterwards";
        /// The reader knows that no source shows this to work for a transformer.
        accept_unverified: bool = false, "must be true: no source shows it for a transformer";
    }
}

choices! {
    /// What waits on the host until it is needed.
    pub enum Swapped {
        /// What layers keep from their forward to their backward pass.
        Activations = "activations",
        /// Weights in the compute format, fetched for every pass.
        Parameters = "parameters",
        /// Both.
        Both = "both",
    }
}

table! {
    defaults;
    /// Settings of swapping to the host (KARMA, arXiv 2008.11421).
    ///
    /// By default all activations, no weights.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Swap, "activations or weights on the host until they are needed (arXiv 2008.11421)" {
        what: Swapped = (Swapped::Activations), "what waits there";
        /// Share of the kept activations that is swapped; the rest stays on the GPU.
        share: f64 = 1.0, in SHARE, "share of the activations that waits there; the rest stays";
    }
}

impl Swap {
    /// Share of the kept activations that waits on the host.
    #[must_use]
    pub fn swapped_activation_share(&self) -> f64 {
        if self.what == Swapped::Parameters { 0.0 } else { self.share }
    }

    /// Weights wait on the host.
    #[must_use]
    pub fn has_swapped_parameters(&self) -> bool {
        self.what != Swapped::Activations
    }
}

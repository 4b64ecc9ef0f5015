//! Training techniques that change what the network must carry, with their settings: one row each.
//! What each does to a step is not decided here.

mod demo;
mod multilevel;
mod offload;
mod sil;
mod swap;

pub use demo::{Demo, DemoGather, DemoScope};
pub use multilevel::MultiLevel;
pub use offload::Offload;
pub use sil::{HandOver, Sil, SilTurns};
pub use swap::{Swap, Swapped};

use crate::keys::{Kind, Section, Values, key};

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

        /// Techniques and their settings. Settings of one that is off are kept, so that a comparison
        /// can switch it on.
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

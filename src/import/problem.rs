//! Why a file makes no spec. Where it stands and how it is printed is the caller's business.

use std::fmt;

/// Why a file makes no spec.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ImportProblem {
    /// The text is in none of the known formats.
    Format {
        /// What its reader says, where one was tried.
        reason: String,
    },
    /// A family of models whose configuration is not known.
    Family {
        /// Its `model_type`.
        name: String,
    },
    /// A model that a spec can't describe.
    Refused {
        /// Its `model_type`.
        name: String,
        /// What it has that a spec can't say.
        reason: &'static str,
    },
    /// Neither the file nor the default of its family has a number that is needed.
    Missing {
        /// The keys that may hold it, the usual one first.
        key: String,
    },
    /// A key does not hold what it has to.
    Value {
        /// The key.
        key: String,
        /// What it holds.
        value: String,
        /// What it has to hold.
        wanted: &'static str,
    },
}

impl ImportProblem {
    /// What to do about it; may be empty.
    #[must_use]
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Format { .. } => {
                "`planner import` reads a `config.json` of Hugging Face transformers, arguments of \
                 Megatron-LM, overrides of Megatron-Bridge, a TOML of torchtitan, a JSON of DeepSpeed"
            }
            Self::Family { .. } => {
                "write its shape into [model] by hand: `planner init` makes a spec, \
                 `planner schema` has the keys"
            }
            Self::Refused { .. } => {
                "a spec knows attention, windows, latent attention, feed-forward blocks and experts"
            }
            Self::Missing { .. } => "add the key to the file",
            Self::Value { .. } => "",
        }
    }
}

impl fmt::Display for ImportProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Format { reason } => write!(f, "this is no configuration that is known{reason}"),
            Self::Family { name } => {
                write!(f, "models of type `{name}` are not known to the import")
            }
            Self::Refused { name, reason } => {
                write!(f, "a spec can't describe a model of type `{name}`: {reason}")
            }
            Self::Missing { key } => write!(f, "the configuration has no `{key}`"),
            Self::Value { key, value, wanted } => {
                write!(f, "`{key}` is {value}, and has to be {wanted}")
            }
        }
    }
}

impl std::error::Error for ImportProblem {}

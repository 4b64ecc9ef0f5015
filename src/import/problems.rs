//! Why a file makes no spec, and what to do about it.

use std::fmt;

use super::questions::Question;

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
    /// A model that a spec describes but for some parts.
    Approximate {
        /// Its `model_type`.
        name: String,
    },
    /// A spec that leaves out too much of a model.
    TooFar {
        /// By how much the elements differ, in percent of the model's.
        percent: String,
    },
    /// Neither the file nor the default of its family has a number that is needed.
    Missing {
        /// The keys that may hold it, the usual one first.
        key: String,
    },
    /// A key does not hold what it has to.
    Value {
        key: String,
        value: String,
        /// What it has to hold.
        wanted: &'static str,
    },
    /// A flag that is none, and nearly another.
    Misspelt { flag: String, near: String },
    /// A program that trains no language model.
    Purpose {
        /// Its file or module.
        name: String,
        /// What it does instead.
        reason: &'static str,
    },
    /// What only whoever starts the file can say.
    Questions {
        /// All of them; at least one.
        list: Vec<Question>,
    },
}

impl ImportProblem {
    /// What to do about it, a line for each thing; may be empty.
    #[must_use]
    pub fn hint(&self) -> String {
        let text = match self {
            Self::Format { .. } => {
                "`planner import` reads a `config.json` of Hugging Face transformers, scripts, \
                 recipes and logs of Megatron-LM, overrides of Megatron-Bridge, a TOML of \
                 torchtitan, a JSON of DeepSpeed"
            }
            Self::Family { .. } => {
                "write its shape into [model] by hand: `planner init` makes a spec, \
                 `planner generate schema` has the keys"
            }
            Self::Refused { .. } => {
                "a spec knows attention, windows, latent attention, feed-forward blocks and experts"
            }
            Self::Approximate { .. } => {
                "`planner import FILE --approximate` writes the rest, and says what is lost"
            }
            Self::TooFar { .. } => "write its shape into [model] by hand",
            Self::Missing { .. } => "add the key to the file",
            Self::Value { .. } => "",
            Self::Misspelt { near, .. } => return format!("did you mean `{near}`?"),
            Self::Purpose { .. } => "name the script or the list of flags of the training job",
            Self::Questions { list } => {
                return list.iter().map(Question::to_string).collect::<Vec<_>>().join("\n");
            }
        };
        text.to_owned()
    }
}

impl From<Question> for ImportProblem {
    fn from(question: Question) -> Self {
        Self::Questions { list: vec![question] }
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
            Self::Approximate { name } => {
                write!(f, "a spec describes a model of type `{name}` but for some parts")
            }
            Self::TooFar { percent } => write!(
                f,
                "a spec without the parts that it has no word for is {percent} % of the model's \
                 elements off"
            ),
            Self::Misspelt { flag, .. } => write!(f, "no training stack has a flag `{flag}`"),
            Self::Purpose { name, reason } => write!(f, "`{name}` {reason}"),
            Self::Questions { list } => {
                let things = if list.len() == 1 { "thing" } else { "things" };
                write!(f, "it leaves {} {things} open", list.len())
            }
            Self::Missing { key } => write!(f, "the configuration has no `{key}`"),
            Self::Value { key, value, wanted } => {
                write!(f, "`{key}` is {value}, and has to be {wanted}")
            }
        }
    }
}

impl std::error::Error for ImportProblem {}

//! What ships, as far as a report needs to know: names, origins, texts.

use crate::workload::Parameters;

/// One preset, as far as a report needs to know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Preset {
    /// What it describes, such as `node`.
    pub kind: &'static str,
    /// Its name in specs.
    pub name: String,
    /// Where its numbers come from; may be empty.
    pub source: String,
    /// When they held; may be empty.
    pub date: String,
    /// How large it is, where it is a model.
    pub parameters: Option<Parameters>,
    /// Its text as it ships.
    pub text: String,
}

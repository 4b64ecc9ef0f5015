//! An entry of what ships that rests on little.

/// An entry of what ships that rests on little, as far as a report needs to know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Doubtful {
    /// What it describes.
    pub kind: String,
    /// Its name.
    pub name: String,
    /// Why it is listed.
    pub doubts: Vec<&'static str>,
    /// When it held.
    pub date: String,
    /// What is said of it.
    pub note: String,
}

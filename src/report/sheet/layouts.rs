//! A ranking of layouts and what was asked.

use crate::search::{Breadth, Layouts};

/// What `planner search` shows.
#[derive(Clone, Copy, Debug)]
pub struct LayoutSheet<'a> {
    /// Name of the scenario.
    pub name: &'a str,
    /// GPUs of the cluster.
    pub gpus: u32,
    /// The ranking.
    pub found: &'a Layouts,
    /// How much was asked to be searched.
    pub asked: Breadth,
}

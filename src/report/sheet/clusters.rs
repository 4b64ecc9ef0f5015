//! What a command found of every cluster of a scenario: one, parts side by side, or stages one after
//! another.

use crate::design::ClusterName;

/// A sheet for each cluster.
#[derive(Clone, Debug)]
pub struct ClusterSheets<'a, T> {
    /// Name of the scenario.
    pub name: &'a str,
    /// At least one.
    pub each: Vec<(&'a ClusterName, T)>,
}

impl<T> ClusterSheets<'_, T> {
    /// The sheet of the only cluster; `None` where there are several.
    pub(in super::super) fn single_sheet(&self) -> Option<&T> {
        match self.each.as_slice() {
            [(_, only)] => Some(only),
            _ => None,
        }
    }

    /// Whether the clusters are stages of one.
    pub(in super::super) fn is_staged(&self) -> bool {
        self.each.iter().any(|(name, _)| matches!(name, ClusterName::Stage { .. }))
    }
}

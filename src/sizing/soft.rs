//! The limits that may clash, each with its place: an elastic program says of each by how much it is
//! exceeded.

use super::problem::SizingProblem;

/// Limits that may clash, in a fixed order: the supply of each model, power,
/// budget, cost of ownership, racks.
pub(super) fn limit_count(problem: &SizingProblem) -> usize {
    problem.models.len() + 4
}

/// Places of the limits after the models.
#[derive(Clone, Copy)]
pub(super) enum LimitPlaces {
    Power = 0,
    Budget = 1,
    Tco = 2,
    Racks = 3,
}

/// Place of a limit in the order of [`limit_count`].
pub(super) fn limit_index(problem: &SizingProblem, limit: LimitPlaces) -> usize {
    problem.models.len() + limit as usize
}

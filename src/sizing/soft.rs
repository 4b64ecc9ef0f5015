//! The limits that may clash, each with its place: an elastic program says of each by how much it is
//! exceeded.

use super::problem::Problem;

/// Limits that may clash, in a fixed order: the supply of each model, power,
/// budget, cost of ownership, racks.
pub(super) fn limit_count(problem: &Problem) -> usize {
    problem.models.len() + 4
}

/// Places of the limits after the models.
#[derive(Clone, Copy)]
pub(super) enum After {
    Power = 0,
    Budget = 1,
    Tco = 2,
    Racks = 3,
}

/// Place of a limit in the order of [`limit_count`].
pub(super) fn place(problem: &Problem, limit: After) -> usize {
    problem.models.len() + limit as usize
}

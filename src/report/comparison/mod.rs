//! Reports that hold designs against each other.

pub(super) mod baselines;
pub(super) mod check;
mod screen;
pub(super) mod side_by_side;
mod specs_screen;
pub(super) mod sweep;
mod sweep_plots;
mod technique_screen;
pub(super) mod techniques;
pub(super) mod test_cases;
mod verdict;

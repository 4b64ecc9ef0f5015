//! What is computed once of one step and holds on every fabric: kernels, bytes, and what crosses leafs
//! of one size. It follows from the ranks and the machines, not from any bandwidth of the fabric.

use std::sync::OnceLock;

use super::counted::Counted;
use super::fixed::Fixed;

/// What was computed so far of one step of one framework on machines of one kind. Mixing steps,
/// frameworks or machines in one cache gives wrong times.
#[derive(Debug, Default)]
pub struct StepCache {
    pub(super) counted: Counted,
    fixed: OnceLock<Fixed>,
}

impl StepCache {
    /// What no fabric changes; `make` makes it where it is not there.
    pub(super) fn fixed(&self, make: impl FnOnce() -> Fixed) -> &Fixed {
        self.fixed.get_or_init(make)
    }
}

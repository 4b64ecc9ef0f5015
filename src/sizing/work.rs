//! What it took to answer programs, in counts: alike on every machine. Measures no time.

/// Programs and what the solver did for them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// Programs that were posed.
    pub programs: u64,
    /// Those of them that were sent to a solver.
    pub to_solver: u64,
    /// Nodes of the solver's search trees, over all of them; 0 where a solver does not tell.
    pub nodes: u64,
    /// Steps of comparing and pricing, a nanosecond or two each; those of a solver by its nodes.
    pub steps: u64,
}

impl Work {
    /// A program that no solver has seen yet.
    pub(super) const ONE: Self = Self { programs: 1, to_solver: 0, nodes: 0, steps: 0 };

    /// With a run of the solver that took so many nodes.
    pub(super) const fn add_run(self, nodes: u64) -> Self {
        Self { to_solver: 1, nodes: self.nodes + nodes, ..self }
    }

    /// With so many steps more.
    pub(super) const fn with_steps(self, steps: u64) -> Self {
        Self { steps: self.steps + steps, ..self }
    }
}

impl std::ops::Add for Work {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            programs: self.programs + other.programs,
            to_solver: self.to_solver + other.to_solver,
            nodes: self.nodes + other.nodes,
            steps: self.steps + other.steps,
        }
    }
}

impl std::ops::AddAssign for Work {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

//! Which solver runs; `Watch`: who looks on and may stop it.

use std::fmt;
use std::num::NonZeroUsize;
use std::sync::Arc;

use good_lp::{Constraint, Expression, ProblemVariables, SolverModel as _};
use microlp::SolveOptions;

use crate::units::Amount;

/// A solver.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum BackEnd {
    /// Pure Rust, always there.
    #[default]
    Microlp,
    /// C++, behind the cargo feature of its name: for programs that the other gives up on.
    #[cfg(feature = "highs")]
    Highs,
}

impl BackEnd {
    /// Name for reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Microlp => "microlp",
            #[cfg(feature = "highs")]
            Self::Highs => "highs",
        }
    }

    /// The solvers of this build.
    pub const ALL: &'static [Self] = &[
        Self::Microlp,
        #[cfg(feature = "highs")]
        Self::Highs,
    ];
}

/// How to solve. Every limit is a count, not a time: the same problem has the same answer on
/// every machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    pub back_end: BackEnd,
    /// Most nodes of its search tree for one program.
    pub nodes: u64,
    /// Most comparisons of partial answers in the exact enumeration that stands in where the
    /// solver gives up.
    pub comparisons: u64,
    /// Most steps, of a nanosecond or two each, to make the builds that programs choose among and
    /// to choose; counted by who makes them. Fifty times what the ready specs take: only hundreds
    /// of switch models of which none replaces another, or many of them in stock in a large
    /// cluster, come near to it.
    pub builds: u64,
    /// Threads that share what is looked at before programs are posed. The answer is the same on
    /// any number.
    pub threads: NonZeroUsize,
    /// Find out which limits clash where there is no answer, and what those that bind are worth
    /// where there is one: that takes more programs.
    pub reasons: bool,
    /// Who looks on, and may have the best design so far taken as it is.
    pub watch: WatchHandle,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            back_end: BackEnd::Microlp,
            nodes: 2_000,
            comparisons: 20_000_000,
            builds: 1 << 32,
            threads: NonZeroUsize::MIN,
            reasons: true,
            watch: WatchHandle::default(),
        }
    }
}

/// A program, ready to be solved.
pub(super) struct ReadyModel {
    pub(super) variables: ProblemVariables,
    pub(super) objective: Expression,
    pub(super) constraints: Vec<Constraint>,
}

/// Values of the variables in the order of their declaration.
pub(super) struct Values {
    pub(super) values: Vec<f64>,
    /// The solver closed its search.
    pub(super) proven: bool,
    /// No point is better than this; `None` where the solver has no bound.
    pub(super) bound: Option<f64>,
    /// Nodes of its search tree; 0 where the solver does not tell.
    pub(super) nodes: u64,
}

/// Minimises; `None` where the solver gave no point, for whatever reason it states: a failure
/// is not a proof of anything, so the reasons are not told apart.
pub(super) fn minimise_model(ready: ReadyModel, options: &Options) -> Option<Values> {
    match options.back_end {
        BackEnd::Microlp => {
            let mut model = ready.variables.minimise(ready.objective).using(good_lp::microlp);
            for constraint in ready.constraints {
                model.add_constraint(constraint);
            }
            let mut limits = SolveOptions::default();
            limits.node_limit = Some(options.nodes);
            let outcome = model.as_inner().solve_with(limits).ok()?;
            let (proven, stats) = (outcome.is_optimal(), outcome.stats());
            let (bound, nodes) = (stats.best_bound, stats.nodes_solved);
            let solution = outcome.into_solution().ok()?;
            let values = solution.iter().map(|(_, value)| value).collect();
            Some(Values { values, proven, bound, nodes })
        }
        #[cfg(feature = "highs")]
        BackEnd::Highs => minimise_with_highs(ready, options),
    }
}

/// One thread and a limit on nodes, so that the answer does not depend on the machine.
#[cfg(feature = "highs")]
fn minimise_with_highs(ready: ReadyModel, options: &Options) -> Option<Values> {
    use good_lp::solvers::SolutionStatus;
    use good_lp::{Solution as _, Variable};

    let wanted: Vec<Variable> =
        ready.variables.iter_variables_with_def().map(|(variable, _)| variable).collect();
    let nodes = i32::try_from(options.nodes).unwrap_or(i32::MAX);
    let mut model = ready.variables.minimise(ready.objective).using(good_lp::highs);
    model = model.set_threads(1).set_option("mip_max_nodes", nodes);
    model = model.set_option("mip_rel_gap", 0.0);
    for constraint in ready.constraints {
        model.add_constraint(constraint);
    }
    let solution = model.solve().ok()?;
    let proven = matches!(solution.status(), SolutionStatus::Optimal);
    let values = wanted.iter().map(|variable| solution.value(*variable)).collect();
    Some(Values { values, proven, bound: None, nodes: 0 })
}

/// Somebody who looks on while a design is found.
pub trait Watch: Send + Sync {
    /// How far it is. Said after every piece of work, so whoever shows it does so now and then
    /// only.
    fn show_progress(&self, state: &DesignProgress);

    /// Whether the best design so far is enough. Law: once true, it stays true.
    fn is_stopped(&self) -> bool;
}

/// How far the choice of a design is.
#[derive(Clone, Debug, PartialEq)]
pub struct DesignProgress {
    /// How many of them were looked at.
    pub done: u64,
    /// How many there are; bounds may rule out the last of them at once.
    pub all: u64,
    /// The best design so far; `None` before there is one.
    pub best: Option<BestSoFar>,
}

/// The best design so far, and what may still be better.
#[derive(Clone, Debug, PartialEq)]
pub struct BestSoFar {
    /// What it takes of what is minimised.
    pub value: Amount,
    /// No design takes less, of those sized or not sized.
    pub bound: Amount,
    /// Distance of the bound from the value, as a share of the value.
    pub gap: f64,
    /// What is minimised, in words behind an amount: `to buy`; empty where the unit says it.
    pub text: &'static str,
    /// What it is, in a few words.
    pub words: String,
}

/// Who looks on; nobody by default.
#[derive(Clone, Default)]
pub struct WatchHandle(Option<Arc<dyn Watch>>);

impl WatchHandle {
    /// Nobody looks on.
    pub const NOBODY: Self = Self(None);

    /// Looked at by that one.
    #[must_use]
    pub fn new(watch: Arc<dyn Watch>) -> Self {
        Self(Some(watch))
    }

    /// Tells how far the choice is, where somebody listens; nothing is worked out else.
    pub fn report_progress(&self, state: impl FnOnce() -> DesignProgress) {
        if let Some(watch) = &self.0 {
            watch.show_progress(&state());
        }
    }

    /// Whether the best design so far is enough. Once true, it stays true.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.0.as_ref().is_some_and(|watch| watch.is_stopped())
    }
}

impl fmt::Debug for WatchHandle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "Watched(somebody)" } else { "Watched(nobody)" })
    }
}

/// Equal where the same one looks on.
impl PartialEq for WatchHandle {
    fn eq(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (Some(one), Some(other)) => Arc::ptr_eq(one, other),
            (None, None) => true,
            _ => false,
        }
    }
}

impl Eq for WatchHandle {}

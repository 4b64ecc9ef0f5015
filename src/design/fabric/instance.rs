//! An instance of the integer program of a candidate: what its columns draw on, and its answer as a
//! fabric. Makes no column.

use std::sync::Arc;

use super::cache::Cache;
use super::column::{Column, Fabric, What};
use super::context::{Context, skus};
use super::limits::{Counted, counted};
use super::offers::{Parts, parts};
use super::program::{explain, problem};
use super::sized::{ROUNDING, Sized};
use super::survival::Survival;
use super::terms::{Demand, Terms};
use crate::design::candidate::infeasible::Infeasible;
use crate::design::candidate::job::Job;
use crate::design::candidate::machine::Level;
use crate::design::candidate::money::{Machines, energy_price, machines};
use crate::fabric::{Build, Sku};
use crate::scenario::Minimize;
use crate::sizing::{self, Options, Problem, Reached, Solution, Work, tally};
use crate::units::{Seconds, Usd};

/// The effort of a design over that of a study beside it, of which there are many.
const STUDY: u64 = 4;

/// What sizing needs besides its question.
#[derive(Debug)]
pub(crate) struct Tools<'a> {
    pub(crate) options: &'a Options,
    pub(crate) cache: Cache,
    /// Programs that were posed so far.
    pub(crate) work: Work,
    /// What is sized is part of a study, and not the design itself.
    studies: bool,
}

impl<'a> Tools<'a> {
    /// For a study: nobody is told of it, and it has no answer any more once the best design so far is
    /// enough.
    pub(crate) fn new(options: &'a Options) -> Self {
        let cache = Cache::new(options.builds / STUDY);
        Self { options, cache, work: Work::default(), studies: true }
    }

    /// For a design, of which whoever looks on is told.
    pub(crate) fn watched(options: &'a Options) -> Self {
        Self { studies: false, cache: Cache::new(options.builds), ..Self::new(options) }
    }

    /// From here on it is a study.
    pub(crate) const fn study(&mut self) {
        self.studies = true;
    }

    /// Whether it is a study.
    pub(super) const fn is_study(&self) -> bool {
        self.studies
    }

    /// Whether the best design so far is enough.
    pub(crate) fn is_stopped(&self) -> bool {
        self.options.watch.is_stopped()
    }

    /// Whether a study is to end without an answer.
    pub(super) fn ends_study(&self) -> bool {
        self.studies && self.is_stopped()
    }

    /// Tells whoever looks on how far the design is.
    pub(crate) fn tell(&self, state: impl FnOnce() -> Reached) {
        if !self.studies {
            self.options.watch.tell(state);
        }
    }
}

/// What the contexts of a candidate borrow.
pub(crate) struct Instance<'a> {
    parts: Parts<'a>,
    skus: Vec<Sku>,
    demand: Demand,
    survival: Option<Survival>,
    machines: Machines,
    counted: Vec<Counted>,
}

impl<'a> Instance<'a> {
    pub(crate) fn new(job: &Job<'a>, planes: u32, terms: &Terms<'_>, demand: Demand) -> Self {
        let parts = parts(job.scenario, job.machine, planes, terms);
        let counted = counted(terms, job.scenario);
        let survival = Survival::of(job, terms);
        Self {
            skus: skus(&parts),
            parts,
            demand,
            survival,
            machines: machines(&job.fleet()),
            counted,
        }
    }

    /// What can be bought for it.
    pub(crate) const fn parts(&self) -> &Parts<'a> {
        &self.parts
    }

    /// What no token costs less than on a fabric no cheaper than a proven bound and no faster than a
    /// step of that time; in the units of a design's value.
    pub(super) fn least_per_token(&self, bound: Usd, time: f64) -> f64 {
        self.machines.least(Minimize::UsdPerToken, bound, Seconds::of(time))
    }

    /// What a network may cost where a cluster on it, with steps no faster than `fast`, is to take no
    /// more than `below`, in the units of a design's value.
    pub(super) fn most(&self, quantity: Minimize, below: f64, fast: Seconds) -> f64 {
        let pace = if quantity == Minimize::UsdPerToken { fast.get() } else { 1.0 };
        below * (1.0 + ROUNDING) / pace - self.machines.alone(quantity)
    }

    /// What columns are made for.
    pub(crate) fn context<'s>(
        &'s self,
        job: &'s Job<'s>,
        planes: u32,
        terms: &Terms<'s>,
    ) -> Context<'s> {
        let most = |below| self.most(terms.minimize, below, job.full());
        Context {
            job,
            planes,
            parts: &self.parts,
            skus: &self.skus,
            demand: &self.demand,
            survival: self.survival.as_ref(),
            pace: self.demand.blended,
            counts_money: terms.minimize != Minimize::Power,
            energy_per_watt: energy_price(job.scenario, terms.minimize),
            limits: terms.limits,
            counted: &self.counted,
            most: terms.below.map_or(f64::INFINITY, most),
        }
    }

    /// The program that chooses among columns, where an earlier objective allows what clusters of a
    /// pace may cost.
    ///
    /// # Errors
    /// Where the machines alone exceed a limit.
    pub(super) fn problem(
        &self,
        context: &Context<'_>,
        terms: &Terms<'_>,
        columns: &[Column],
        pace: Seconds,
    ) -> Result<Problem, Infeasible> {
        let allowed: Vec<&Column> = columns.iter().collect();
        problem(context, &allowed, &self.machines, terms, pace)
    }

    /// The best fabric of columns, where an earlier objective allows what clusters of a pace may cost.
    ///
    /// # Errors
    /// Why there is none.
    pub(super) fn solve(
        &self,
        context: &Context<'_>,
        terms: &Terms<'_>,
        columns: &[Column],
        pace: Seconds,
        (options, work): (&Options, &mut Work),
    ) -> Result<Sized, Infeasible> {
        let sizing = Sizing { context, machines: &self.machines, terms, options };
        let solved = sizing.solve(columns, pace);
        let posed = Work { programs: 1, ..Work::default() };
        *work += solved.as_ref().map_or(posed, |sized| sized.solution.work);
        solved
    }
}

/// One candidate with everything but its columns.
struct Sizing<'a> {
    context: &'a Context<'a>,
    machines: &'a Machines,
    terms: &'a Terms<'a>,
    options: &'a Options,
}

impl Sizing<'_> {
    /// The best fabric of columns, where an earlier objective allows what clusters of that pace may
    /// cost.
    fn solve(&self, columns: &[Column], pace: Seconds) -> Result<Sized, Infeasible> {
        let allowed: Vec<&Column> = columns.iter().collect();
        let problem = problem(self.context, &allowed, self.machines, self.terms, pace)?;
        let options = Options { reasons: !self.terms.silent, ..self.options.clone() };
        let solution = sizing::solve(&problem, &options)
            .map_err(|failed| explain(failed, self.context, self.machines, self.terms))?;
        Ok(self.sized(&allowed, problem, solution))
    }

    fn sized(&self, columns: &[&Column], problem: Problem, solution: Solution) -> Sized {
        let (context, machines) = (self.context, self.machines);
        let used: Vec<(&Column, u64)> = columns
            .iter()
            .zip(&solution.copies[0])
            .filter(|(_, copies)| **copies > 0)
            .map(|(column, copies)| (*column, *copies))
            .collect();
        let Built { level, time, fabric } = built(context, &used);
        let value = machines.value(self.terms.minimize, &solution, time, context.job.scenario);
        let proven = solution.bound;
        let Fabric { counts, blueprint } = fabric;
        let sized = Sized {
            planes: context.planes,
            protocol: self.terms.protocol,
            counts,
            blueprint,
            level,
            time,
            value,
            bound: value,
            // The bound of a cost per token is that of this pace alone.
            weighs_time: self.terms.minimize == Minimize::UsdPerToken,
            goodput: None,
            of_most: 1.0,
            only_goodput: false,
            bisection: tally(&problem, &solution.copies).bisection,
            solution,
            program: Arc::new(problem),
        };
        sized.proven(proven)
    }
}

/// What used columns make.
pub(crate) struct Built {
    pub(crate) level: Level,
    pub(crate) time: Seconds,
    pub(crate) fabric: Fabric,
}

/// The fabric of the used columns, of which the slowest sets the pace.
pub(crate) fn built(context: &Context<'_>, used: &[(&Column, u64)]) -> Built {
    let slowest = used.iter().map(|(column, _)| *column).max_by(|a, b| a.time.total_cmp(&b.time));
    let (level, time) =
        slowest.map_or((Level::FULL, context.job.full()), |column| (column.level, column.time));
    Built { level, time, fabric: fabric(context, used) }
}

/// The fabric that the used columns make.
fn fabric(context: &Context<'_>, used: &[(&Column, u64)]) -> Fabric {
    let whole = used.iter().find_map(|(column, _)| match &column.what {
        What::Whole(fabric) => Some((**fabric).clone()),
        What::Rails(_) => None,
    });
    if let Some(whole) = whole {
        return whole;
    }
    let mut builds: Vec<(&Build, u64)> = Vec::new();
    for (column, copies) in used {
        if let What::Rails(own) = &column.what {
            builds.extend(own.iter().map(|(build, times)| (build, times * copies)));
        }
    }
    // What serves all rails of a plane comes first, so that it stands in one plane.
    builds.sort_by_key(|(build, _)| std::cmp::Reverse(build.rails));
    Fabric::assembled(context, &builds, None)
}

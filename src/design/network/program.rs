//! An instance of the integer program: what its columns draw on, and its answer as a fabric.

use std::sync::Arc;

use super::sized_fabric::SizedFabric;
use crate::design::candidate::machine_cost::{MachineCost, cost_of_machines, energy_price};
use crate::design::columns::cache::SizingCache;
use crate::design::columns::column::{BuiltFabric, ColumnSource, FabricColumn};
use crate::design::columns::context::{ColumnContext, SurvivalRequirement, switch_models_on_offer};
use crate::design::columns::limits::{
    LimitCoefficient, limit_coefficients, limits_left_to_network,
};
use crate::design::columns::offers::{PartsOnOffer, parts_on_offer};
use crate::design::columns::terms::{Demand, Terms};
use crate::design::effort;
use crate::design::job::infeasible::Infeasible;
use crate::design::job::job::Job;
use crate::design::job::machine::Level;
use crate::fabric::{Build, SwitchModel};
use crate::scenario::{FabricChoice, Minimize};
use crate::sizing::{
    self, Class, DesignProgress, LimitNeed, Options, SizingProblem, Solution, Work, tally_parts,
};
use crate::units::{ROUNDING, Seconds, Usd};

/// The program that chooses among `columns`. The limits of the cluster, less what its machines
/// take, are those of the network.
///
/// # Errors
/// Where the machines alone exceed a limit.
fn build_integer_program(
    context: &ColumnContext<'_>,
    columns: &[&FabricColumn],
    machines: &MachineCost,
    terms: &Terms<'_>,
    pace: Seconds,
) -> Result<SizingProblem, Infeasible> {
    let node = context.job.machine.node;
    let (job, per_rack) = (context.job, &context.parts.per_rack);
    let scenario = job.scenario;
    let limits =
        limits_left_to_network(terms, scenario, machines, std::iter::once(job), pace, per_rack)?;
    check_machine_limits(machines, terms)?;
    Ok(SizingProblem {
        classes: vec![Class {
            name: format!("rails of {}", node.name),
            rails: u64::from(node.nics) * u64::from(context.planes),
            columns: columns.iter().map(|column| column.coefficients.clone()).collect(),
        }],
        offers: context.parts.offers.clone(),
        ends: context.parts.ends.clone(),
        limits,
        counts_money: context.counts_money,
        energy_per_watt: context.energy_per_watt,
    })
}

/// Whether the machines alone exceed a limit: what the network adds is then left out of the sum.
pub(crate) fn check_machine_limits(
    machines: &MachineCost,
    terms: &Terms<'_>,
) -> Result<(), Infeasible> {
    let budget = terms.limits.budget.map(|limit| (limit, machines.capex));
    let power = terms.limits.power.map(|limit| (limit, machines.power));
    let budget = budget.filter(|(limit, used)| used > limit);
    let power = power.filter(|(limit, used)| used > limit);
    if budget.is_some() || power.is_some() {
        return Err(Infeasible::Limits { budget, power, network: Vec::new() });
    }
    Ok(())
}

/// Limits of the network become limits of the cluster.
fn restate_as_cluster_limits(
    failed: sizing::SizingInfeasible,
    context: &ColumnContext<'_>,
    machines: &MachineCost,
    terms: &Terms<'_>,
) -> Infeasible {
    match failed {
        sizing::SizingInfeasible::NoBuild { .. } => no_switch_reason(context),
        sizing::SizingInfeasible::Unknown => Infeasible::Unknown,
        sizing::SizingInfeasible::Clash { needs } => clashing_limits(needs, machines, terms),
    }
}

/// The reason where limits clash.
pub(crate) fn clashing_limits(
    needs: Vec<LimitNeed>,
    machines: &MachineCost,
    terms: &Terms<'_>,
) -> Infeasible {
    let (mut budget, mut power, mut network) = (None, None, Vec::new());
    for need in needs {
        match need {
            LimitNeed::Budget { needs, .. } => {
                budget = terms.limits.budget.map(|has| (has, machines.capex + needs));
            }
            LimitNeed::Power { needs, .. } => {
                power = terms.limits.power.map(|has| (has, machines.power + needs));
            }
            other => network.push(other),
        }
    }
    Infeasible::Limits { budget, power, network }
}

/// No model on offer makes a member of a family.
pub(super) fn no_family_member_reason(
    context: &ColumnContext<'_>,
    family: FabricChoice,
) -> Infeasible {
    Infeasible::NoMember {
        family: family.name(),
        endpoints: context.job.endpoints(),
        gigabits: context.parts.link.as_gigabits().round() as u64,
    }
}

/// No model on offer joins a rail.
pub(super) fn no_switch_reason(context: &ColumnContext<'_>) -> Infeasible {
    Infeasible::NoSwitch {
        endpoints: u64::from(context.job.networked_domains()),
        gigabits: context.parts.link.as_gigabits().round() as u64,
    }
}

/// What sizing needs besides its question.
#[derive(Debug)]
pub(crate) struct SizingTools<'a> {
    pub(crate) options: &'a Options,
    pub(crate) cache: SizingCache,
    /// Programs that were posed so far.
    pub(crate) work: Work,
    /// Interfaces of the fabrics that were routed so far.
    pub(in crate::design) interfaces_routed: u64,
    /// What is sized is part of a study, and not the design itself.
    studies: bool,
}

impl<'a> SizingTools<'a> {
    /// For a study: nobody is told of it, and it has no answer any more once the best design so far
    /// is enough.
    pub(crate) fn new(options: &'a Options) -> Self {
        let cache = SizingCache::new(options.builds / effort::STUDY_SHARE);
        Self { options, cache, work: Work::default(), interfaces_routed: 0, studies: true }
    }

    /// For a design, of which whoever looks on is told.
    pub(crate) fn with_watch(options: &'a Options) -> Self {
        Self { studies: false, cache: SizingCache::new(options.builds), ..Self::new(options) }
    }

    /// From here on it is a study.
    pub(crate) const fn for_study(&mut self) {
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
    pub(crate) fn report_design_progress(&self, state: impl FnOnce() -> DesignProgress) {
        if !self.studies {
            self.options.watch.report_progress(state);
        }
    }
}

/// What the contexts of a candidate borrow.
pub(crate) struct ProgramInstance<'a> {
    parts: PartsOnOffer<'a>,
    skus: Vec<SwitchModel>,
    demand: Demand,
    survival: Option<SurvivalRequirement>,
    machines: MachineCost,
    counted: Vec<LimitCoefficient>,
}

impl<'a> ProgramInstance<'a> {
    pub(crate) fn new(job: &Job<'a>, planes: u32, terms: &Terms<'_>, demand: Demand) -> Self {
        let parts = parts_on_offer(job.scenario, job.machine, planes, terms);
        let counted = limit_coefficients(terms, job.scenario);
        let survival = SurvivalRequirement::from_terms(job, terms);
        Self {
            skus: switch_models_on_offer(&parts),
            parts,
            demand,
            survival,
            machines: cost_of_machines(&job.fleet()),
            counted,
        }
    }

    /// What can be bought for it.
    pub(crate) const fn parts_on_offer(&self) -> &PartsOnOffer<'a> {
        &self.parts
    }

    /// What no token costs less than on a fabric no cheaper than a proven bound and no faster than
    /// a step of that time; in the units of a design's value.
    pub(super) fn least_per_token(&self, bound: Usd, time: f64) -> f64 {
        self.machines.value_lower_bound(Minimize::UsdPerToken, bound, Seconds::from_f64(time))
    }

    /// What a network may cost where a cluster on it, with steps no faster than `fast`, is to take
    /// no more than `below`, in the units of a design's value.
    pub(super) fn max_network_cost(&self, quantity: Minimize, below: f64, fast: Seconds) -> f64 {
        let pace = if quantity == Minimize::UsdPerToken { fast.get() } else { 1.0 };
        below * (1.0 + ROUNDING) / pace - self.machines.value_without_network(quantity)
    }

    /// What columns are made for.
    pub(crate) fn column_context<'s>(
        &'s self,
        job: &'s Job<'s>,
        planes: u32,
        terms: &Terms<'s>,
    ) -> ColumnContext<'s> {
        let most =
            |below| self.max_network_cost(terms.minimize, below, job.full_bisection_step_time());
        ColumnContext {
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
            limit_coefficients: &self.counted,
            max_cost: terms.below.map_or(f64::INFINITY, most),
        }
    }

    /// The program that chooses among columns, where an earlier objective allows what clusters of a
    /// pace may cost.
    ///
    /// # Errors
    /// Where the machines alone exceed a limit.
    pub(super) fn program_over_columns(
        &self,
        context: &ColumnContext<'_>,
        terms: &Terms<'_>,
        columns: &[FabricColumn],
        pace: Seconds,
    ) -> Result<SizingProblem, Infeasible> {
        let allowed: Vec<&FabricColumn> = columns.iter().collect();
        build_integer_program(context, &allowed, &self.machines, terms, pace)
    }

    /// The best fabric of columns, where an earlier objective allows what clusters of a pace may
    /// cost.
    ///
    /// # Errors
    /// Why there is none.
    pub(super) fn solve_over_columns(
        &self,
        context: &ColumnContext<'_>,
        terms: &Terms<'_>,
        columns: &[FabricColumn],
        pace: Seconds,
        options: &Options,
        work: &mut Work,
    ) -> Result<SizedFabric, Infeasible> {
        let sizing = ReadyProgram { context, machines: &self.machines, terms, options };
        let solved = sizing.solve_program(columns, pace);
        let posed = Work { programs: 1, ..Work::default() };
        *work += solved.as_ref().map_or(posed, |sized| sized.solution.work);
        solved
    }
}

/// One candidate with everything but its columns.
struct ReadyProgram<'a> {
    context: &'a ColumnContext<'a>,
    machines: &'a MachineCost,
    terms: &'a Terms<'a>,
    options: &'a Options,
}

impl ReadyProgram<'_> {
    /// The best fabric of columns, where an earlier objective allows what clusters of that pace may
    /// cost.
    fn solve_program(
        &self,
        columns: &[FabricColumn],
        pace: Seconds,
    ) -> Result<SizedFabric, Infeasible> {
        let allowed: Vec<&FabricColumn> = columns.iter().collect();
        let problem =
            build_integer_program(self.context, &allowed, self.machines, self.terms, pace)?;
        let options =
            Options { reasons: self.options.reasons && !self.terms.silent, ..self.options.clone() };
        let solution = sizing::solve_sizing_problem(&problem, &options).map_err(|failed| {
            restate_as_cluster_limits(failed, self.context, self.machines, self.terms)
        })?;
        Ok(self.sized_fabric(&allowed, problem, solution))
    }

    fn sized_fabric(
        &self,
        columns: &[&FabricColumn],
        problem: SizingProblem,
        solution: Solution,
    ) -> SizedFabric {
        let (context, machines) = (self.context, self.machines);
        let used: Vec<(&FabricColumn, u64)> = columns
            .iter()
            .zip(&solution.copies[0])
            .filter(|(_, copies)| **copies > 0)
            .map(|(column, copies)| (*column, *copies))
            .collect();
        let AssembledNetwork { level, time, fabric } = fabric_from_copies(context, &used);
        let value =
            machines.value_with_network(self.terms.minimize, &solution, time, context.job.scenario);
        let proven = solution.bound;
        let BuiltFabric { counts, blueprint } = fabric;
        let sized = SizedFabric {
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
            bisection: tally_parts(&problem, &solution.copies).bisection,
            solution,
            program: Arc::new(problem),
        };
        sized.with_bound(proven)
    }
}

/// What used columns make.
pub(crate) struct AssembledNetwork {
    pub(crate) level: Level,
    pub(crate) time: Seconds,
    pub(crate) fabric: BuiltFabric,
}

/// The fabric of the used columns, of which the slowest sets the pace.
pub(crate) fn fabric_from_copies(
    context: &ColumnContext<'_>,
    used: &[(&FabricColumn, u64)],
) -> AssembledNetwork {
    let slowest = used.iter().map(|(column, _)| *column).max_by(|a, b| a.time.total_cmp(&b.time));
    let (level, time) = slowest
        .map_or((Level::FULL, context.job.full_bisection_step_time()), |column| {
            (column.level, column.time)
        });
    AssembledNetwork { level, time, fabric: fabric_of_columns(context, used) }
}

/// The fabric that the used columns make.
fn fabric_of_columns(context: &ColumnContext<'_>, used: &[(&FabricColumn, u64)]) -> BuiltFabric {
    let whole = used.iter().find_map(|(column, _)| match &column.source {
        ColumnSource::Whole(fabric) => Some((**fabric).clone()),
        ColumnSource::Rails(_) => None,
    });
    if let Some(whole) = whole {
        return whole;
    }
    let mut builds: Vec<(&Build, u64)> = Vec::new();
    for (column, copies) in used {
        if let ColumnSource::Rails(own) = &column.source {
            builds.extend(own.iter().map(|(build, times)| (build, times * copies)));
        }
    }
    // What serves all rails of a plane comes first, so that it stands in one plane.
    builds.sort_by_key(|(build, _)| std::cmp::Reverse(build.rails));
    BuiltFabric::from_builds(context, &builds, None)
}

//! The best fabric of one candidate: the integer program over its pieces.

use super::infeasible::Infeasible;
use super::job::Job;
use super::machine::Level;
use super::money::{Machines, machines};
use super::offer::{Parts, parts};
use super::open::left_open;
use super::paces::at_every_pace;
use super::pieces::{Fabric, Limited, Piece, Site, What, pieces, skus};
use super::priced::at_shadow_prices;
use super::program::{explain, no_switch, problem};
use super::terms::{Demand, Terms, energy_price};
use super::yard::Yard;
use crate::fabric::{Blueprint, Build, Counts, Sku};
use crate::hardware::Protocol;
use crate::scenario::{FabricChoice, Minimize};
use crate::sizing::{self, Options, Problem, Solution, tally};
use crate::units::{Seconds, Usd};

/// What a cluster takes of a quantity, in the units of a design's value.
pub(super) fn value_of(quantity: Minimize, job: &Job<'_>, sized: &Sized) -> f64 {
    machines(job).value(quantity, &sized.solution, sized.time, job.scenario)
}

/// A sized fabric for a job.
#[derive(Clone, Debug)]
pub(super) struct Sized {
    pub(super) planes: u32,
    pub(super) protocol: Protocol,
    pub(super) counts: Counts,
    pub(super) blueprint: Blueprint,
    pub(super) level: Level,
    pub(super) time: Seconds,
    /// What the objective minimises, in dollars (cost per token: dollars times seconds a step).
    pub(super) value: f64,
    /// No fabric of the candidate takes less, in the same units.
    pub(super) bound: f64,
    /// The objective counts the time of a step.
    pub(super) weighs_time: bool,
    pub(super) bisection: f64,
    pub(super) solution: Solution,
}

impl Sized {
    /// The answer with what is proven of all others: no network costs less, in dollars.
    pub(super) fn proven(self, bound: Usd) -> Self {
        let open = (self.solution.cost - bound).get().max(0.0);
        let pace = if self.weighs_time { self.time.get() } else { 1.0 };
        let solution = Solution { bound, ..self.solution };
        Self { bound: self.value - open * pace, solution, ..self }
    }
}

/// What sizing needs besides its question.
#[derive(Debug)]
pub(super) struct Tools<'a> {
    pub(super) options: &'a Options,
    pub(super) yard: Yard,
}

impl<'a> Tools<'a> {
    pub(super) fn new(options: &'a Options) -> Self {
        Self { options, yard: Yard::new(options.builds) }
    }
}

/// What the sites of a candidate borrow.
pub(super) struct Bench<'a> {
    parts: Parts<'a>,
    skus: Vec<Sku>,
    demand: Demand,
    machines: Machines,
}

impl<'a> Bench<'a> {
    pub(super) fn new(job: &Job<'a>, planes: u32, terms: &Terms<'_>, demand: Demand) -> Self {
        let link = job.machine.link(planes);
        let parts = parts(job.scenario, link, terms);
        Self { skus: skus(&parts), parts, demand, machines: machines(job) }
    }

    /// What can be bought for it.
    pub(super) const fn parts(&self) -> &Parts<'a> {
        &self.parts
    }

    /// What no token costs less than on a fabric no cheaper than a proven bound and no faster than a
    /// step of that time; in the units of a design's value.
    pub(super) fn least_per_token(&self, bound: Usd, time: f64) -> f64 {
        (self.machines.tco + bound).get() * time
    }

    /// What a network may cost where a cluster on it, with steps no faster than `fast`, is to take no
    /// more than `below`, in the units of a design's value.
    pub(super) fn most(&self, quantity: Minimize, below: f64, fast: Seconds) -> f64 {
        let pace = if quantity == Minimize::UsdPerToken { fast.get() } else { 1.0 };
        below * (1.0 + ROUNDING) / pace - self.machines.alone(quantity)
    }

    /// What pieces are made for.
    pub(super) fn site<'s>(&'s self, job: &'s Job<'s>, planes: u32, terms: &Terms<'_>) -> Site<'s> {
        let most = |below| self.most(terms.minimize, below, job.full());
        Site {
            job,
            planes,
            parts: &self.parts,
            skus: &self.skus,
            demand: &self.demand,
            pace: self.demand.blended,
            counts_money: terms.minimize != Minimize::Power,
            energy_per_watt: energy_price(job.scenario, terms.minimize),
            limited: Limited {
                power: terms.limits.power.is_some() || terms.caps.power.is_some(),
                budget: terms.limits.budget.is_some() || terms.caps.capex.is_some(),
                tco: terms.caps.bound_tco().then(|| energy_price(job.scenario, Minimize::Tco)),
                racks: terms.limits.racks.is_some(),
                models_per_rail: terms.limits.models_per_rail,
            },
            most: terms.below.map_or(f64::INFINITY, most),
        }
    }

    /// The program that chooses among pieces, where an earlier objective allows what clusters of a
    /// pace may cost.
    ///
    /// # Errors
    /// Where the machines alone exceed a limit.
    pub(super) fn problem(
        &self,
        site: &Site<'_>,
        terms: &Terms<'_>,
        pieces: &[Piece],
        pace: Seconds,
    ) -> Result<Problem, Infeasible> {
        let allowed: Vec<&Piece> = pieces.iter().collect();
        problem(site, &allowed, &self.machines, terms, pace)
    }

    /// The best fabric of pieces, where an earlier objective allows what clusters of a pace may cost.
    ///
    /// # Errors
    /// Why there is none.
    pub(super) fn solve(
        &self,
        site: &Site<'_>,
        terms: &Terms<'_>,
        pieces: &[Piece],
        pace: Seconds,
        options: &Options,
    ) -> Result<Sized, Infeasible> {
        let sizing = Sizing { site, machines: &self.machines, terms, options };
        sizing.solve(pieces, pace)
    }
}

/// The best fabric for a job in so many planes.
///
/// # Errors
/// Why there is none.
pub(super) fn size(
    job: &Job<'_>,
    planes: u32,
    terms: &Terms<'_>,
    tools: &mut Tools<'_>,
) -> Result<Sized, Infeasible> {
    let bench = Bench::new(job, planes, terms, Demand::of(job, terms));
    let site = bench.site(job, planes, terms);
    let sized = if terms.minimize == Minimize::UsdPerToken || terms.caps.weigh_time() {
        at_every_pace(&bench, &site, terms, tools)?
    } else {
        within(&bench, &site, site.pace, terms, tools)?
    };
    let Some(below) = terms.below else { return Ok(sized) };
    // Builds that only dearer fabrics have were not made: of those nothing is known.
    let bound = sized.bound.min(below);
    if sized.value > below * (1.0 + ROUNDING) && bound >= below {
        return Err(Infeasible::Dearer);
    }
    Ok(Sized { bound, ..sized })
}

/// Relative rounding of sums of money.
const ROUNDING: f64 = 1e-9;

/// The best fabric that is no slower than the pace of a site, where an earlier objective leaves what
/// it leaves to clusters of the pace `capped`.
///
/// # Errors
/// Why there is none.
pub(super) fn within(
    bench: &Bench<'_>,
    site: &Site<'_>,
    capped: Seconds,
    terms: &Terms<'_>,
    tools: &mut Tools<'_>,
) -> Result<Sized, Infeasible> {
    let found = of_all_builds(bench, site, capped, terms, tools);
    // Where builds were left out, that none of the others will do proves nothing.
    if tools.yard.effort.is_spent() { found.map_err(|_| Infeasible::Unknown) } else { found }
}

/// The best of all builds that the effort suffices for.
fn of_all_builds(
    bench: &Bench<'_>,
    site: &Site<'_>,
    capped: Seconds,
    terms: &Terms<'_>,
    tools: &mut Tools<'_>,
) -> Result<Sized, Infeasible> {
    let scarce = !site.parts.all_bought() && !site.parts.keeps;
    if scarce && let Some(found) = at_shadow_prices(bench, site, capped, terms, tools) {
        return found;
    }
    let found = pieces(site, terms.fabric, &mut tools.yard);
    if found.is_empty() && (terms.silent || tools.yard.effort.is_spent()) {
        return Err(no_switch(site));
    }
    if found.is_empty() {
        return Err(nothing_fast(site, terms, &mut tools.yard));
    }
    let sized = bench.solve(site, terms, &found, capped, tools.options)?;
    Ok(if tools.yard.effort.is_spent() { left_open(sized, site, Usd::ZERO) } else { sized })
}

/// One candidate with everything but its pieces.
struct Sizing<'a> {
    site: &'a Site<'a>,
    machines: &'a Machines,
    terms: &'a Terms<'a>,
    options: &'a Options,
}

impl Sizing<'_> {
    /// The best fabric of pieces, where an earlier objective allows what clusters of that pace may
    /// cost.
    fn solve(&self, pieces: &[Piece], pace: Seconds) -> Result<Sized, Infeasible> {
        let allowed: Vec<&Piece> = pieces.iter().collect();
        let problem = problem(self.site, &allowed, self.machines, self.terms, pace)?;
        let options = Options { reasons: !self.terms.silent, ..*self.options };
        let solution = sizing::solve(&problem, &options)
            .map_err(|failed| explain(failed, self.site, self.machines, self.terms))?;
        Ok(self.sized(&allowed, &problem, solution))
    }

    fn sized(&self, pieces: &[&Piece], problem: &Problem, solution: Solution) -> Sized {
        let (site, machines) = (self.site, self.machines);
        let used: Vec<(&Piece, u64)> = pieces
            .iter()
            .zip(&solution.copies[0])
            .filter(|(_, copies)| **copies > 0)
            .map(|(piece, copies)| (*piece, *copies))
            .collect();
        let Built { level, time, fabric } = built(site, &used);
        let value = machines.value(self.terms.minimize, &solution, time, site.job.scenario);
        let proven = solution.bound;
        let Fabric { counts, blueprint } = fabric;
        let sized = Sized {
            planes: site.planes,
            protocol: self.terms.protocol,
            counts,
            blueprint,
            level,
            time,
            value,
            bound: value,
            // The bound of a cost per token is that of this pace alone.
            weighs_time: self.terms.minimize == Minimize::UsdPerToken,
            bisection: tally(problem, &solution.copies).bisection,
            solution,
        };
        sized.proven(proven)
    }
}

/// What used pieces make.
pub(super) struct Built {
    pub(super) level: Level,
    pub(super) time: Seconds,
    pub(super) fabric: Fabric,
}

/// The fabric of the used pieces, of which the slowest sets the pace.
pub(super) fn built(site: &Site<'_>, used: &[(&Piece, u64)]) -> Built {
    let slowest = used.iter().map(|(piece, _)| *piece).max_by(|a, b| a.time.total_cmp(&b.time));
    let (level, time) =
        slowest.map_or((Level::FULL, site.job.full()), |piece| (piece.level, piece.time));
    Built { level, time, fabric: fabric(site, used) }
}

/// The fabric that the used pieces make.
fn fabric(site: &Site<'_>, used: &[(&Piece, u64)]) -> Fabric {
    let whole = used.iter().find_map(|(piece, _)| match &piece.what {
        What::Whole(fabric) => Some((**fabric).clone()),
        What::Rails(_) => None,
    });
    if let Some(whole) = whole {
        return whole;
    }
    let mut builds: Vec<(&Build, u64)> = used
        .iter()
        .filter_map(|(piece, copies)| match &piece.what {
            What::Rails(build) => Some((build, *copies)),
            What::Whole(_) => None,
        })
        .collect();
    // What serves all rails of a plane comes first, so that it stands in one plane.
    builds.sort_by_key(|(build, _)| std::cmp::Reverse(build.rails));
    Fabric::assembled(site, &builds, None)
}

/// True where the first answer is better: value, then bisection, then step time.
pub(super) fn preferred(one: &Sized, other: &Sized) -> bool {
    let differ = |a: f64, b: f64| (a - b).abs() > ROUNDING * a.abs().max(b.abs());
    if differ(one.value, other.value) {
        return one.value < other.value;
    }
    if differ(one.bisection, other.bisection) {
        return one.bisection > other.bisection;
    }
    differ(one.time.get(), other.time.get()) && one.time < other.time
}

/// Why no piece is fast enough: how fast the fastest is.
fn nothing_fast(site: &Site<'_>, terms: &Terms<'_>, yard: &mut Yard) -> Infeasible {
    // Where even a network that never blocks is too slow, no fabric has to be tried.
    let limits = || site.demand.each.iter().zip(&site.demand.names);
    let hopeless = site.job.each().zip(limits()).find(|(run, (has, _))| run.reference > **has);
    if let Some((run, (has, limit))) = hopeless {
        let slow = Infeasible::Slow { limit, has: *has, best: run.reference };
        return slow.of(site.job.scenario, run.workload);
    }
    let needs = site.job.each().map(|run| run.least_across).fold(0.0, f64::max);
    if needs > 0.0 && terms.fabric == FabricChoice::RailOnly {
        return Infeasible::Across { needs };
    }
    let none = Demand::at_any_pace(site.job, terms);
    let anything = Site { demand: &none, pace: Seconds::ENDLESS, ..*site };
    let some = pieces(&anything, terms.fabric, yard);
    // The fastest is one that never blocks, where such a one can be built.
    let apart = Level { across: 0.0, ..Level::FULL };
    let free = if terms.fabric == FabricChoice::RailOnly { apart } else { Level::FULL };
    let pace = yard.time(&anything, free);
    let found = pieces(&Site { pace, ..anything }, terms.fabric, yard);
    let fastest = found.iter().chain(&some).min_by(|a, b| a.time.total_cmp(&b.time));
    let Some(fastest) = fastest else { return no_switch(site) };
    let paces = yard.paces(site.job, fastest.level).to_vec();
    if fastest.level.across < needs {
        return Infeasible::Across { needs };
    }
    // The workload that misses its limit by most.
    let missed = site.job.each().zip(paces).zip(limits());
    let worst =
        missed.max_by(|((_, a), (x, _)), ((_, b), (y, _))| (*a / **x).total_cmp(&(*b / **y)));
    worst.map_or(Infeasible::Unknown, |((run, best), (has, limit))| {
        Infeasible::Slow { limit, has: *has, best }.of(site.job.scenario, run.workload)
    })
}

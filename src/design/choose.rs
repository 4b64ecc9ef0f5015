//! The best fabric of one candidate: the integer program over its pieces.

use super::infeasible::Infeasible;
use super::job::Job;
use super::machine::Level;
use super::money::{Machines, machines};
use super::offer::{Parts, parts};
use super::pieces::{Fabric, Limited, Piece, Site, What, pieces, skus, trial_pieces};
use super::program::{explain, no_switch, problem};
use super::terms::{Demand, Terms, energy_price};
use super::yard::Yard;
use crate::fabric::{Blueprint, Build, Counts, Sku};
use crate::hardware::Protocol;
use crate::scenario::Minimize;
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
    pub(super) bisection: f64,
    pub(super) solution: Solution,
}

/// What sizing needs besides its question.
#[derive(Debug)]
pub(super) struct Tools<'a> {
    pub(super) options: &'a Options,
    pub(super) yard: Yard,
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

    /// What pieces are made for.
    pub(super) fn site<'s>(&'s self, job: &'s Job<'s>, planes: u32, terms: &Terms<'_>) -> Site<'s> {
        Site {
            job,
            planes,
            parts: &self.parts,
            skus: &self.skus,
            demand: &self.demand,
            all_levels: terms.minimize == Minimize::UsdPerToken || terms.caps.weigh_time(),
            most_cost: None,
            counts_money: terms.minimize != Minimize::Power,
            energy_per_watt: energy_price(job.scenario, terms.minimize),
            limited: Limited {
                power: terms.limits.power.is_some() || terms.caps.power.is_some(),
                budget: terms.limits.budget.is_some() || terms.caps.capex.is_some(),
                tco: terms.caps.bound_tco().then(|| energy_price(job.scenario, Minimize::Tco)),
                racks: terms.limits.racks.is_some(),
                models_per_rail: terms.limits.models_per_rail,
            },
        }
    }

    /// The question that pieces answer.
    pub(super) fn sizing<'s>(
        &'s self,
        site: &'s Site<'s>,
        terms: &'s Terms<'s>,
        options: &'s Options,
    ) -> Sizing<'s> {
        Sizing { site, machines: &self.machines, terms, options }
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
    let mut site = bench.site(job, planes, terms);
    if site.all_levels && terms.minimize == Minimize::UsdPerToken {
        // A first answer among whole trees bounds what other levels may cost.
        let trees = trial_pieces(&site, terms.fabric, &mut tools.yard);
        let known = bench.sizing(&site, terms, tools.options).at_every_pace(&trees);
        if terms.trees_only {
            return known;
        }
        if let Ok(known) = known {
            let fastest = job.full().get();
            site.most_cost = Some(Usd::of(known.value / fastest) - bench.machines.tco);
        }
    }
    let found = pieces(&site, terms.fabric, &mut tools.yard);
    if found.is_empty() && terms.silent {
        return Err(Infeasible::Unknown);
    }
    if found.is_empty() {
        return Err(nothing_fast(&site, terms, &mut tools.yard));
    }
    let sizing = bench.sizing(&site, terms, tools.options);
    if site.all_levels {
        sizing.at_every_pace(&found)
    } else {
        sizing.solve(&found, bench.demand.blended)
    }
}

/// One candidate with everything but its pieces.
pub(super) struct Sizing<'a> {
    site: &'a Site<'a>,
    machines: &'a Machines,
    terms: &'a Terms<'a>,
    options: &'a Options,
}

impl Sizing<'_> {
    /// The best fabric of pieces that are no slower than `limit`.
    pub(super) fn solve(&self, pieces: &[Piece], limit: Seconds) -> Result<Sized, Infeasible> {
        let allowed: Vec<&Piece> = pieces.iter().filter(|piece| piece.time <= limit).collect();
        let problem = problem(self.site, &allowed, self.machines, self.terms, limit)?;
        let options = Options { reasons: !self.terms.silent, ..*self.options };
        let solution = sizing::solve(&problem, &options)
            .map_err(|failed| explain(failed, self.site, self.machines, self.terms))?;
        Ok(self.sized(&allowed, &problem, solution))
    }

    /// The least over every step time that a piece has, where that time weighs on cost: cost falls
    /// as the step may take longer, so the least cost per token may lie at any. None beats the best
    /// known whose time alone, with the cheapest fabric of all, does not.
    fn at_every_pace(&self, pieces: &[Piece]) -> Result<Sized, Infeasible> {
        let slowest = self.solve(pieces, self.site.demand.blended);
        let mut times: Vec<Seconds> = pieces.iter().map(|piece| piece.time).collect();
        times.sort_by(Seconds::total_cmp);
        times.dedup();
        // What an earlier objective allows may shrink with the pace: then every one is tried.
        let capped = self.terms.caps.weigh_time();
        let least = match &slowest {
            Ok(known) if !capped => (self.machines.tco + known.solution.bound).get(),
            Err(_) if !capped => return slowest,
            _ => 0.0,
        };
        let mut best = slowest;
        for time in times {
            if best.as_ref().is_ok_and(|known| least * time.get() >= known.value) && !capped {
                break;
            }
            if let Ok(found) = self.solve(pieces, time)
                && best.as_ref().ok().is_none_or(|known| preferred(&found, known))
            {
                best = Ok(found);
            }
        }
        best
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
        let Fabric { counts, blueprint } = fabric;
        Sized {
            planes: site.planes,
            protocol: self.terms.protocol,
            counts,
            blueprint,
            level,
            time,
            value,
            bisection: tally(problem, &solution.copies).bisection,
            solution,
        }
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
    let builds: Vec<(&Build, u64)> = used
        .iter()
        .filter_map(|(piece, copies)| match &piece.what {
            What::Rails(build) => Some((build, *copies)),
            What::Whole(_) => None,
        })
        .collect();
    Fabric::assembled(site, &builds, None)
}

/// True where the first answer is better: value, then bisection, then step time.
pub(super) fn preferred(one: &Sized, other: &Sized) -> bool {
    /// Relative rounding of sums of money.
    const EQUAL: f64 = 1e-9;
    let differ = |a: f64, b: f64| (a - b).abs() > EQUAL * a.abs().max(b.abs());
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
    let none = Demand::at_any_pace(site.job, terms);
    let anything = Site { demand: &none, all_levels: true, ..*site };
    let found = pieces(&anything, terms.fabric, yard);
    let fastest = found.iter().min_by(|a, b| a.time.total_cmp(&b.time));
    let Some(fastest) = fastest else { return no_switch(site) };
    let paces = yard.paces(site.job, fastest.level).to_vec();
    let needs = site.job.each().map(|run| run.least_across).fold(0.0, f64::max);
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

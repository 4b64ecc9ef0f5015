//! Candidates ready for a joint program; shared parts.

use std::collections::BTreeMap;

use crate::design::assemble::routing_check::{
    RoutingRound, correct_clock_by_routing, route_and_report,
};
use crate::design::candidate::candidates::{Candidate, list_candidates};
use crate::design::columns::column::{BuiltFabric, FabricColumn};
use crate::design::columns::terms::{Demand, Terms};
use crate::design::job::infeasible::Infeasible;
use crate::design::job::job::Job;
use crate::design::network::best_network::size_network_by_step_time;
use crate::design::network::columns::generate_columns;
use crate::design::network::program::{
    AssembledNetwork, ProgramInstance, SizingTools, fabric_from_copies,
};
use crate::design::plan::plan::{Plan, SolverReport};
use crate::design::plan::plan_values::PlanInputs;
use crate::design::study::infeasible_limits::reason_for_no_design;
use crate::scenario::{ClusterQuestion, Limits, Scenario};
use crate::sizing::{Class, Column, DesignProgress, Offer, SizingProblem};
use crate::units::Seconds;

/// A candidate with all that its rows of the program need.
pub(super) struct ReadyCandidate<'a> {
    pub(super) candidate: Candidate<'a>,
    pub(super) instance: ProgramInstance<'a>,
    columns: Vec<FabricColumn>,
    /// What it takes alone, with all the stock and every limit to itself.
    pub(super) value_alone: f64,
    /// Time of its step there, all workloads blended.
    time: Seconds,
    /// What it takes at least: that, less what its program has not ruled out.
    pub(super) lower_bound: f64,
    /// Builds that may be better were left out, as they took too much work to make.
    pub(super) is_open: bool,
}

/// Of each cluster every candidate that has a design when all is left to it. Where the clusters are
/// stages of one, it `keeps` parts for the others: [`Terms::keeps`].
///
/// # Errors
/// Why the first cluster that has none has none.
pub(super) fn ready_candidates<'a>(
    clusters: &'a [ClusterQuestion],
    keeps: bool,
    tools: &mut SizingTools<'_>,
) -> Result<Vec<Vec<ReadyCandidate<'a>>>, Infeasible> {
    let mut next = 0;
    let each = clusters.iter().map(|ClusterQuestion { name, scenario: cluster, .. }| {
        let terms = Terms { silent: true, keeps, ..Terms::from_scenario(cluster) };
        let (candidates, failed) = list_candidates(cluster, tools.options);
        let mut all: Vec<ReadyCandidate<'a>> = Vec::new();
        for (done, candidate) in (1..).zip(&candidates) {
            if tools.is_stopped() {
                return Err(Infeasible::Interrupted);
            }
            all.extend(size_candidate_alone(candidate, &mut next, &terms, tools));
            let count = candidates.len() as u64;
            tools.report_design_progress(|| DesignProgress { done, all: count, best: None });
        }
        // Of those that take as much the fastest leads.
        all.sort_by(|a, b| a.time.total_cmp(&b.time));
        if !all.is_empty() {
            return Ok(all);
        }
        // Designed alone it fails for the same reason, which is then told in full.
        let alone = reason_for_no_design(cluster, tools.options);
        let reason = alone.or(failed).unwrap_or(Infeasible::Unknown);
        Err(if clusters.len() > 1 { reason.for_cluster(name) } else { reason })
    });
    let mut all: Vec<Vec<ReadyCandidate<'a>>> = each.collect::<Result<_, _>>()?;
    // One that was dropped for want of builds may have been the best.
    if tools.cache.effort.is_spent() {
        all.iter_mut().flatten().for_each(|ready| ready.is_open = true);
    }
    Ok(all)
}

/// Routes the steps of some clusters over the fabrics that were chosen; true where one takes longer
/// than it was timed.
pub(super) fn any_slower_when_routed(
    clusters: &[&ReadyCandidate<'_>],
    built: &[AssembledNetwork],
    round: RoutingRound,
) -> bool {
    let one = |(ready, built): (&&ReadyCandidate<'_>, &AssembledNetwork)| {
        correct_clock_by_routing(&ready.candidate.job, built.level, &built.fabric.blueprint, round)
    };
    clusters.iter().zip(built).fold(false, |any, pair| one(pair) | any)
}

/// Candidates timed anew, as routing found some of them slower than they were; those that
/// have no design any more drop out.
pub(super) fn retime_candidates<'a>(
    all: Vec<Vec<ReadyCandidate<'a>>>,
    keeps: bool,
    tools: &mut SizingTools<'_>,
) -> Vec<Vec<ReadyCandidate<'a>>> {
    let id = |candidate: &ReadyCandidate<'_>| candidate.candidate.job.id;
    let mut next = all.iter().flatten().map(id).max().unwrap_or(0) + 1;
    let mut anew = |candidate: &ReadyCandidate<'a>| {
        let terms =
            Terms { silent: true, keeps, ..Terms::from_scenario(candidate.candidate.job.scenario) };
        size_candidate_alone(&candidate.candidate, &mut next, &terms, tools)
    };
    all.iter().map(|cluster| cluster.iter().filter_map(&mut anew).collect()).collect()
}

/// A candidate that has a design when all is left to it; `None` where it has none, as with others
/// beside it there is not more.
fn size_candidate_alone<'a>(
    candidate: &Candidate<'a>,
    next: &mut usize,
    terms: &Terms<'_>,
    tools: &mut SizingTools<'_>,
) -> Option<ReadyCandidate<'a>> {
    // Step times are kept by job: those of different clusters are different jobs.
    let job = Job { id: *next, ..candidate.job.clone() };
    *next += 1;
    let candidate = Candidate { job, ..candidate.clone() };
    let (job, planes) = (&candidate.job, candidate.planes);
    let terms = Terms { protocol: candidate.protocol, ..*terms };
    let sized =
        size_network_by_step_time(job, planes, &Terms { keeps: false, ..terms }, tools).ok()?;
    let least = sized.value * (1.0 - sized.solution.proof_status().gap);
    let (alone, time) = (sized.value, sized.time);
    let instance = ProgramInstance::new(job, planes, &terms, Demand::from_terms(job, &terms));
    let context = instance.column_context(job, planes, &terms);
    let columns = generate_columns(&context, terms.fabric, &mut tools.cache);
    Some(ReadyCandidate {
        candidate,
        instance,
        columns,
        value_alone: alone,
        time,
        lower_bound: least,
        is_open: false,
    })
}

impl ReadyCandidate<'_> {
    /// The fabric of so many copies of each column.
    pub(super) fn assemble_network(&self, copies: &[u64]) -> AssembledNetwork {
        let used: Vec<_> = self
            .columns
            .iter()
            .zip(copies)
            .filter(|(_, copies)| **copies > 0)
            .map(|(column, copies)| (column, *copies))
            .collect();
        let Candidate { job, planes, protocol } = &self.candidate;
        let terms = Terms { protocol: *protocol, ..Terms::from_scenario(job.scenario) };
        fabric_from_copies(&self.instance.column_context(job, *planes, &terms), &used)
    }

    /// The plan of that fabric, with the stock and at the prices of a scenario that asks for the
    /// same cluster.
    pub(super) fn plan_of_network(
        &self,
        given_scenario: &Scenario,
        built: &AssembledNetwork,
        solver: &SolverReport,
    ) -> Plan {
        let job = Job { scenario: given_scenario, ..self.candidate.job.clone() };
        let finding = PlanInputs::new_without_study(solver.clone());
        let BuiltFabric { counts, blueprint } = &built.fabric;
        route_and_report(&job, counts, built.level, blueprint, finding)
    }

    /// Rails of all planes.
    fn rails_of_all_planes(&self) -> u64 {
        let Candidate { job, planes, .. } = &self.candidate;
        u64::from(job.machine.node.nics) * u64::from(*planes)
    }

    /// The product.
    pub(super) fn product(&self) -> &str {
        &self.candidate.job.machine.node.name
    }
}

/// Switch models and transceivers of all clusters.
pub(super) struct SharedParts {
    pub(super) offers: Vec<Offer>,
    /// Place of each by name.
    places: BTreeMap<String, usize>,
    /// Switches of each that one rack holds; 0 for what takes no room of its own.
    pub(super) per_rack: Vec<u64>,
}

impl SharedParts {
    pub(super) fn from_candidates(all: &[&ReadyCandidate<'_>], limits: &Limits) -> Self {
        let mut pool = Self { offers: Vec::new(), places: BTreeMap::new(), per_rack: Vec::new() };
        for ready in all {
            let parts = ready.instance.parts_on_offer();
            for (place, offer) in parts.offers.iter().enumerate() {
                let fit = parts.per_rack.get(place).copied().unwrap_or(0);
                let supply = limits.supply.get(&offer.name).copied().or(offer.supply);
                pool.add(Offer { supply, ..offer.clone() }, fit);
            }
        }
        for ready in all.iter().filter(|ready| buys_transceivers_by_end(ready)) {
            let ends = &ready.instance.parts_on_offer().ends;
            let offer = Offer {
                name: transceiver_name(ready),
                price: ends.price,
                power: ends.power,
                stock: ends.stock,
                supply: None,
            };
            pool.add(offer, 0);
        }
        pool
    }

    /// Where links of several rates end at ports of one model, a rack holds what the thirstier of
    /// them allow.
    fn add(&mut self, offer: Offer, fit: u64) {
        if let Some(place) = self.places.get(&offer.name) {
            self.per_rack[*place] = self.per_rack[*place].min(fit);
            return;
        }
        self.places.insert(offer.name.clone(), self.offers.len());
        self.offers.push(offer);
        self.per_rack.push(fit);
    }

    /// The rails of a cluster.
    pub(super) fn rail_class(&self, ready: &ReadyCandidate<'_>) -> Class {
        let parts = ready.instance.parts_on_offer();
        let place = |name: &str| self.places[name];
        let columns = ready.columns.iter().map(|column| {
            let mut switches = vec![0; self.offers.len()];
            for (offer, count) in parts.offers.iter().zip(&column.coefficients.pieces) {
                switches[place(&offer.name)] += count;
            }
            if buys_transceivers_by_end(ready) {
                switches[place(&transceiver_name(ready))] +=
                    SizingProblem::ENDS_PER_LINK * column.coefficients.links;
            }
            Column { pieces: switches, ..column.coefficients.clone() }
        });
        Class {
            name: ready.candidate.job.lead_run().workload.name.clone(),
            rails: ready.rails_of_all_planes(),
            columns: columns.collect(),
        }
    }
}

/// True where each end of a link is a transceiver; else modules and cables are offers already.
fn buys_transceivers_by_end(ready: &ReadyCandidate<'_>) -> bool {
    ready.instance.parts_on_offer().links.is_empty()
}

/// Name of the transceivers of a candidate; of one rate where the catalogue has none.
fn transceiver_name(ready: &ReadyCandidate<'_>) -> String {
    let parts = ready.instance.parts_on_offer();
    let anonymous = || format!("transceiver {:.0}G", parts.link.as_gigabits());
    parts.optic.map_or_else(anonymous, |optic| optic.name.clone())
}

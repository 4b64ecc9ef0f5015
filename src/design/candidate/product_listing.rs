//! Products listed by bound; candidates without routing factors.

use std::num::NonZeroUsize;
use std::sync::Arc;

use super::candidates::{Candidate, ListingRun, list_candidates_on_machines};
use super::machine_cost::cost_of_machines;
use super::priced_links::{drop_unpriced, priced_machines};
use super::standby::candidate_goodput_upper_bound;
use crate::design::job::fleet::{Fleet, broken_domains_of_fleet};
use crate::design::job::infeasible::Infeasible;
use crate::design::job::layout_search::kernel_step_bound;
use crate::design::job::machine::{Machine, list_machines};
use crate::design::job::run::JobRun;
use crate::design::job::step_times::LevelCorrections;
use crate::scenario::{Minimize, Scenario};
use crate::search::map_on_threads;
use crate::sizing::Options;

/// Numbers beside each candidate, and beside all, that other jobs may take in the place of theirs.
const BESIDE: usize = 32;

/// The products of a scenario, of which some are listed.
pub(crate) struct ProductListing<'a, 'o> {
    scenario: &'a Scenario,
    options: &'o Options,
    quantity: Option<Minimize>,
    products: Vec<Product<'a>>,
    /// All machines, where some have no price and others do.
    unpriced: Vec<Machine<'a>>,
    /// A number that no job has.
    next: usize,
}

/// A product with each interface that may be chosen.
struct Product<'a> {
    machines: Vec<Machine<'a>>,
    /// What no design with it takes less of, in the units of a design's value.
    lower_bound: f64,
    listed: Option<ListedCandidates<'a>>,
}

/// What is listed of a product, and the furthest failure among the jobs that do not fit.
type ListedCandidates<'a> = (Vec<Candidate<'a>>, Option<Infeasible>);

impl<'a, 'o> ProductListing<'a, 'o> {
    /// The products of a scenario, none of which is listed: those with a price first. They are
    /// bounded by one
    /// `quantity`; where there is none, all are listed at once.
    pub(crate) fn new(
        scenario: &'a Scenario,
        quantity: Option<Minimize>,
        options: &'o Options,
    ) -> Self {
        let all = list_machines(&scenario.cluster);
        let priced = priced_machines(scenario, &all);
        let unpriced = if priced.len() < all.len() { all } else { Vec::new() };
        let mut listing =
            Self { scenario, options, quantity, products: Vec::new(), unpriced, next: 0 };
        listing.products = listing.group_by_product(&priced);
        listing
    }

    /// Machines by product, each with what it takes at least: nothing where that is not worked out,
    /// as there is one product or several workloads share it.
    fn group_by_product(&self, machines: &[Machine<'a>]) -> Vec<Product<'a>> {
        let mut all: Vec<Product<'a>> = Vec::new();
        for machine in machines {
            let read =
                |product: &&mut Product<'_>| product.machines[0].node.name == machine.node.name;
            match all.iter_mut().find(read) {
                Some(product) => product.machines.push(*machine),
                None => {
                    let machines = vec![*machine];
                    all.push(Product { machines, lower_bound: 0.0, listed: None });
                }
            }
        }
        let one =
            self.scenario.workloads.len() == 1 && self.scenario.lead_workload().layout.is_open();
        let Some(quantity) = self.quantity.filter(|_| all.len() > 1 && one) else { return all };
        let least_of = |place: usize| {
            let product: &Product<'_> = &all[place];
            let each = product
                .machines
                .iter()
                .map(|this_machine| machine_lower_bound(self.scenario, *this_machine, quantity));
            if self.is_stopped() { 0.0 } else { each.fold(f64::INFINITY, f64::min) }
        };
        let bounds = map_on_threads(all.len(), self.options.threads, least_of);
        for (product, least) in all.iter_mut().zip(bounds) {
            product.lower_bound = least;
        }
        all
    }

    fn is_stopped(&self) -> bool {
        self.options.watch.is_stopped()
    }

    /// Lists products whose designs may take no more than so much; true where there was any that
    /// was not listed.
    pub(crate) fn list_products_below(&mut self, most: f64) -> bool {
        let is_open =
            |product: &Product<'_>| product.listed.is_none() && product.lower_bound <= most;
        let places: Vec<usize> =
            (0..self.products.len()).filter(|place| is_open(&self.products[*place])).collect();
        let (outer, inner) = match places.len() {
            1 => (NonZeroUsize::MIN, self.options.threads),
            _ => (self.options.threads, NonZeroUsize::MIN),
        };
        let found = map_on_threads(places.len(), outer, |place| {
            let machines = &self.products[places[place]].machines;
            let is_stopped = || self.is_stopped();
            let run = ListingRun { is_stopped: &is_stopped, ..ListingRun::new(0, inner) };
            list_candidates_on_machines(self.scenario, machines, None, run)
        });
        if self.is_stopped() {
            return false; // some of them may not have been looked at
        }
        for (place, (mut all, failed)) in places.iter().zip(found) {
            for candidate in &mut all {
                candidate.job.id += self.next;
                candidate.job.kin += self.next;
            }
            self.next =
                all.iter().map(|candidate| candidate.job.id + 1).fold(self.next, usize::max);
            self.products[*place].listed = Some((all, failed));
        }
        self.next += BESIDE * (self.listed_candidates().count() + BESIDE);
        if !places.is_empty() || most < f64::INFINITY || self.unpriced.is_empty() {
            return !places.is_empty();
        }
        // Where no job fits what has a price, the others count.
        let all = std::mem::take(&mut self.unpriced);
        if self.listed_candidates().next().is_some() {
            return false;
        }
        self.products = self.group_by_product(&all);
        self.list_products_below(most)
    }

    /// As `list_products_below`, the nearest one alone, and what takes no more.
    pub(crate) fn list_next_product(&mut self, most: f64) -> bool {
        self.nearest_products()
            .is_some_and(|(next, _)| next <= most && self.list_products_below(next))
    }

    /// Lists the products that may be no dearer than the nearest times `share`, by what their
    /// machines take with the layouts that are found.
    pub(crate) fn list_nearest_products(&mut self, share: f64) {
        while !self.is_stopped() {
            let known = self.listed_candidates().filter_map(|candidate| {
                Some(candidate.lower_bound_without_network(self.quantity?))
            });
            let known = known.fold(f64::INFINITY, f64::min);
            if !self.list_next_product(known * share) {
                return;
            }
        }
    }

    /// Forgets what routing said of what is listed.
    pub(crate) fn drop_routing_factors(&mut self) {
        for (all, _) in self.products.iter_mut().filter_map(|product| product.listed.as_mut()) {
            *all = without_routing_factors(all);
        }
    }

    fn listed_candidates(&self) -> impl Iterator<Item = &Candidate<'a>> {
        self.products.iter().filter_map(|product| product.listed.as_ref()).flat_map(|(all, _)| all)
    }

    /// What is listed, in the order of the scenario, and the furthest failure among the jobs of it
    /// that do not fit.
    pub(crate) fn candidates_in_order(&self) -> (Vec<Candidate<'a>>, Option<Infeasible>) {
        let mut all: Vec<Candidate<'a>> = self.listed_candidates().cloned().collect();
        drop_unpriced(self.scenario, &mut all, |candidate| {
            (candidate.job.machine, candidate.planes, candidate.protocol)
        });
        let failed = self.products.iter().filter_map(|product| product.listed.as_ref()?.1.clone());
        (all, failed.fold(None, |one, other| Some(Infeasible::pick_further(one, other))))
    }

    /// The nearest product that is not listed.
    pub(crate) fn nearest_products(&self) -> Option<(f64, &'a str)> {
        self.unlisted_bounds().min_by(|a, b| a.0.total_cmp(&b.0))
    }

    /// The products that are not listed, each with what no design with it takes less of.
    pub(crate) fn unlisted_bounds(&self) -> impl Iterator<Item = (f64, &'a str)> {
        let left = self.products.iter().filter(|product| product.listed.is_none());
        left.map(|product| (product.lower_bound, product.machines[0].node.name.as_str()))
    }
}

/// Relative rounding of shares of the time.
const ROUNDING: f64 = 1e-6;

/// What no design on a machine takes less of, in the units of a design's value: of machines those
/// that have as many GPUs as are wanted, of a step its kernels, of a network nothing.
///
/// For a token of the time that trains, with as many machines on standby as make the least of it:
/// more of them cost more, and more that train fail more often.
fn machine_lower_bound(scenario: &Scenario, machine: Machine<'_>, quantity: Minimize) -> f64 {
    let fleet = Fleet::fewest_machines(scenario, machine);
    let alone = |fleet: &Fleet<'_>| cost_of_machines(fleet).value_without_network(quantity);
    if quantity != Minimize::UsdPerToken {
        return alone(&fleet);
    }
    let planes = machine.plane_options(&scenario.cluster).into_iter().max().unwrap_or(1);
    let each = fleet.options_by_standby(broken_domains_of_fleet(&fleet));
    let each = each.map(|this_fleet| {
        alone(&this_fleet) / candidate_goodput_upper_bound(&this_fleet, planes, 1.0)
    });
    let step = kernel_step_bound(scenario, scenario.lead_workload(), machine);
    each.fold(f64::INFINITY, f64::min) * (1.0 - ROUNDING) * step.get()
}

/// The candidates as they were before routing said anything about their steps.
pub(crate) fn without_routing_factors<'a>(all: &[Candidate<'a>]) -> Vec<Candidate<'a>> {
    with_other_corrections(all.iter(), |_| LevelCorrections::default())
}

/// The candidates with what routing said of their steps, of which what it says later is kept apart.
pub(crate) fn with_copied_factors<'c, 'a: 'c>(
    all: impl Iterator<Item = &'c Candidate<'a>>,
) -> Vec<Candidate<'a>> {
    with_other_corrections(all, LevelCorrections::copy_corrections)
}

/// The candidates with other corrections; runs that shared theirs share the other ones.
fn with_other_corrections<'c, 'a: 'c>(
    all: impl Iterator<Item = &'c Candidate<'a>>,
    other: impl Fn(&LevelCorrections) -> LevelCorrections,
) -> Vec<Candidate<'a>> {
    let mut known: Vec<(Arc<LevelCorrections>, Arc<LevelCorrections>)> = Vec::new();
    let mut fresh = |run: &JobRun<'a>| {
        let new = known.iter().find(|(old, _)| Arc::ptr_eq(old, &run.strains));
        let new = new.map(|(_, new)| Arc::clone(new)).unwrap_or_else(|| {
            let new = Arc::new(other(&run.strains));
            known.push((Arc::clone(&run.strains), Arc::clone(&new)));
            new
        });
        JobRun { strains: new, ..run.clone() }
    };
    let mut anew = |candidate: &Candidate<'a>| {
        let job = candidate.job.with_runs(&mut fresh);
        Candidate { job, ..candidate.clone() }
    };
    all.map(&mut anew).collect()
}

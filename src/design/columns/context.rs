//! `ColumnContext`, `SurvivalRequirement`, market prices.
//!
//! What columns are made for: a job in so many planes, what can be bought for it, and what a step
//! may take. Makes none.

use super::limits::LimitCoefficient;
use super::offers::PartsOnOffer;
use super::terms::{Demand, Terms};
use crate::design::job::job::Job;
use crate::fabric::{SwitchModel, WeightScale};
use crate::scenario::{Limits, Loss};
use crate::sizing::{Column, Offer, SizingProblem};
use crate::units::{Seconds, Usd, Watts};

/// What columns are made for.
#[derive(Clone, Copy)]
pub(crate) struct ColumnContext<'a> {
    pub(in crate::design) job: &'a Job<'a>,
    pub(in crate::design) planes: u32,
    pub(in crate::design) parts: &'a PartsOnOffer<'a>,
    pub(in crate::design) skus: &'a [SwitchModel],
    /// What a fabric has to give.
    pub(in crate::design) demand: &'a Demand,
    /// What it has to keep after a loss; `None` where nothing is asked.
    pub(in crate::design) survival: Option<&'a SurvivalRequirement>,
    /// The longest step, all workloads blended; no longer than the demand's.
    pub(crate) pace: Seconds,
    /// The objective counts money, and not power alone.
    pub(in crate::design) counts_money: bool,
    /// Cost of drawing a watt over the years that the objective counts.
    pub(in crate::design) energy_per_watt: Usd,
    pub(in crate::design) limits: &'a Limits,
    /// What those on money and power count: a cheaper build might exceed them where a dearer one
    /// does not.
    pub(in crate::design) limit_coefficients: &'a [LimitCoefficient],
    /// Networks that cost more are of no use, in dollars of the objective; infinite where all are.
    pub(in crate::design) max_cost: f64,
}

impl ColumnContext<'_> {
    /// True where networks are to be regular (`limits.regular`).
    pub(in crate::design) fn is_regular(&self) -> bool {
        self.limits.regular == Some(true)
    }

    /// True where a step of that time is fast enough; one that never ends is not, however long it
    /// may take.
    pub(in crate::design) fn is_fast_enough(&self, time: Seconds) -> bool {
        time <= self.pace && time < Seconds::ENDLESS
    }
}

/// The models on offer, as the build generator sees them.
pub(in crate::design) fn switch_models_on_offer(parts: &PartsOnOffer<'_>) -> Vec<SwitchModel> {
    let sku = |switch: &&crate::hardware::Switch| SwitchModel {
        name: switch.name.clone(),
        radix: switch.radix(parts.link),
    };
    parts.switches.iter().map(sku).collect()
}

/// What is asked of a fabric after a loss.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::design) struct SurvivalRequirement {
    /// Any one link may be lost.
    pub(in crate::design) links: bool,
    pub(in crate::design) switches: bool,
    /// All switches of any one plane.
    pub(in crate::design) planes: bool,
    /// The longest step after a loss of every workload, the leading one first.
    longest: Vec<Seconds>,
}

impl SurvivalRequirement {
    /// What the limits ask for; `None` where that is nothing.
    pub(in crate::design) fn from_terms(job: &Job<'_>, terms: &Terms<'_>) -> Option<Self> {
        let asked = |loss| terms.limits.has_to_survive(loss);
        let [links, switches, planes] = [Loss::Link, Loss::Switch, Loss::Plane].map(asked);
        let longest =
            job.one_run_per_workload().map(|run| run.full / terms.limits.survive_pace).collect();
        (links || switches || planes).then_some(Self { links, switches, planes, longest })
    }

    /// Everything that it asks for, to be told apart from others.
    pub(super) fn cache_key_bits(&self) -> Vec<u64> {
        let asked = [self.links, self.switches, self.planes].map(u64::from);
        asked.into_iter().chain(self.longest.iter().map(|time| time.get().to_bits())).collect()
    }

    /// True where every workload is fast enough after a loss.
    pub(in crate::design) fn are_fast_enough(&self, paces: &[Seconds]) -> bool {
        let mut each = paces.iter().zip(&self.longest);
        each.all(|(pace, longest)| pace <= longest && *pace < Seconds::ENDLESS)
    }
}

/// Market prices of what is bought, and a share of them for what is in stock; energy in full. The
/// weight of a link is that of one between switches.
pub(in crate::design) fn price_scale(context: &ColumnContext<'_>, owned: f64) -> WeightScale {
    let market = PriceWeights { context, owned };
    let models = context.parts.offers.iter().take(context.skus.len());
    let switches = models.map(|offer| market.offer_weight(offer)).collect();
    let idle = context.parts.idle_weights(|offer, _| market.offer_weight(offer));
    WeightScale {
        switches,
        link: market.host_and_switch_link_weights().1,
        idle,
        known_weight: f64::INFINITY,
    }
}

/// Prices of parts in the units of the objective.
struct PriceWeights<'c> {
    context: &'c ColumnContext<'c>,
    /// Share of the price of what is in stock.
    owned: f64,
}

impl PriceWeights<'_> {
    fn price_weight(&self, stock: u64, price: Usd, power: Watts) -> f64 {
        let money = if self.context.counts_money { 1.0 } else { 0.0 };
        let share = if stock > 0 { self.owned } else { 1.0 };
        money * share * price.get() + self.context.energy_per_watt.get() * power.get()
    }

    fn offer_weight(&self, offer: &Offer) -> f64 {
        self.price_weight(offer.stock, offer.price, offer.power)
    }

    /// Of a link of an interface, and of one between switches.
    fn host_and_switch_link_weights(&self) -> (f64, f64) {
        let ends = &self.context.parts.ends;
        let end = self.price_weight(ends.stock, ends.price, ends.power);
        self.context.parts.link_weights(|offer, _| self.offer_weight(offer), end)
    }
}

/// What the parts of a column cost at market prices, and a share of them where they are in stock;
/// energy in full.
pub(super) fn cost_of_parts(context: &ColumnContext<'_>, column: &Column, owned: f64) -> f64 {
    let market = PriceWeights { context, owned };
    let (offers, ends) = (&context.parts.offers, &context.parts.ends);
    let parts = offers
        .iter()
        .zip(&column.pieces)
        .map(|(offer, count)| market.offer_weight(offer) * *count as f64);
    let end = market.price_weight(ends.stock, ends.price, ends.power);
    parts.sum::<f64>() + end * (SizingProblem::ENDS_PER_LINK * column.links) as f64
}

/// What no network costs less than: every interface has a link in every plane, and a port of a
/// switch at its end. Parts in stock cost nothing.
pub(in crate::design) fn min_network_cost(context: &ColumnContext<'_>) -> Usd {
    min_endpoint_cost(context, context.job.endpoints())
}

/// As `min_network_cost`, of a cluster with so many interfaces.
pub(in crate::design) fn min_endpoint_cost(context: &ColumnContext<'_>, endpoints: u64) -> Usd {
    let links = (endpoints * u64::from(context.planes)) as f64;
    let (host, _) = PriceWeights { context, owned: 0.0 }.host_and_switch_link_weights();
    let market = price_scale(context, 0.0);
    let ports = market.switches.iter().zip(context.skus).filter(|(_, sku)| sku.radix > 0);
    let port = ports.map(|(price, sku)| price / f64::from(sku.radix)).fold(f64::INFINITY, f64::min);
    let each = host + if port.is_finite() { port } else { 0.0 };
    Usd::from_f64(links * each)
}

//! The exchange argument: what a build may weigh at most, by what is known to carry as many rails.
//! Generates nothing.
//!
//! Replacing a build by known ones that can be had in any number adds at most their full price, and
//! saves at least what the replaced one costs were owned parts free. So no best answer has a build
//! for which the second exceeds the first. Where power or money is limited, the known builds must
//! not draw or cost more either, so that the others may be lighter on any of these scales.
//!
//! Racks hold whole switches of one model, so that an exchange may take a rack more; and parts that
//! are kept may be there already, or be used again. Where either is so, nothing is ruled out.

use std::collections::BTreeMap;

use super::column::FabricColumn;
use super::context::{ColumnContext, min_network_cost};
use super::offers::PartsOnOffer;
use crate::fabric::{IdleLanes, WeightCeiling, WeightScale};
use crate::sizing::{Column, LinkEndOffer, Offer};
use crate::units::{ROUNDING, Usd};

/// What decides which builds are made.
#[derive(Clone, Debug)]
pub(in crate::design) enum Ceilings {
    /// What the lightest known builds weigh by scale, were all of them bought, by rails.
    Exchange(BTreeMap<u64, Vec<f64>>),
    /// At these prices of parts the cheapest alone.
    Cheapest(WeightScale),
    /// At these prices no more than so much, by rails less one.
    AtMost(WeightScale, Vec<f64>),
}

impl Default for Ceilings {
    fn default() -> Self {
        Self::Exchange(BTreeMap::new())
    }
}

impl Ceilings {
    /// The ceiling of a build for so many rails.
    pub(in crate::design) fn ceiling_for_rails(
        &self,
        context: &ColumnContext<'_>,
        rails: u32,
    ) -> WeightCeiling {
        let lanes = context.parts.lanes;
        let known = match self {
            Self::Exchange(known) => known,
            Self::Cheapest(scale) => {
                let scales = vec![scale.clone()];
                return WeightCeiling {
                    scales,
                    only_weight: true,
                    lanes,
                    ..WeightCeiling::default()
                };
            }
            Self::AtMost(scale, most) => {
                let place = (rails as usize).saturating_sub(1);
                let most = most.get(place).copied().unwrap_or(f64::INFINITY);
                let bound = Some(WeightScale { known_weight: most, ..scale.clone() });
                return WeightCeiling { bound, lanes, ..WeightCeiling::default() };
            }
        };
        let scales = ObjectiveScales::for_context(context);
        let bound = scales.build_cost_upper_bound(context, rails);
        if keeps_every_build(context) {
            return WeightCeiling { bound, lanes, ..WeightCeiling::default() };
        }
        let most = min_known_weights(known, rails.into());
        let most = most.unwrap_or_else(|| vec![f64::INFINITY; scales.0.len()]);
        let scale = |(weights, most): (&WeightRange, f64)| WeightScale {
            switches: weights.least.clone(),
            link: weights.least_link,
            idle: weights.least_idle,
            known_weight: most,
        };
        let scales = scales.0.iter().zip(most).map(scale).collect();
        WeightCeiling { scales, bound, lanes, only_weight: context.parts.all_bought(), joined: 0 }
    }

    /// False where a known build makes this one needless; else it is known from now on, if all of
    /// it can be had in any number.
    pub(in crate::design) fn admit_build(
        &mut self,
        context: &ColumnContext<'_>,
        column: &FabricColumn,
    ) -> bool {
        let Self::Exchange(known) = self else { return true };
        if keeps_every_build(context) {
            return true;
        }
        let scales = ObjectiveScales::for_context(context);
        let (coefficients, idle) = (&column.coefficients, column.idle_lanes(context));
        let least = scales.weights_with_free_stock(coefficients, &idle);
        let heavy = min_known_weights(known, coefficients.rails).is_some_and(|known| {
            least.iter().zip(&known).all(|(least, known)| *least > known * (1.0 + ROUNDING))
        });
        if heavy {
            return false;
        }
        let limited = context.parts.offers.iter().map(|offer| offer.supply.is_some());
        if coefficients.pieces.iter().zip(limited).all(|(count, limited)| *count == 0 || !limited) {
            let most = scales.weights_if_all_bought(coefficients, &idle);
            let known = known.entry(coefficients.rails).or_insert_with(|| most.clone());
            if most[0] < known[0] {
                *known = most;
            }
        }
        true
    }
}

/// What so many rails weigh by scale on copies of the known build that is cheapest for them.
fn min_known_weights(known: &BTreeMap<u64, Vec<f64>>, rails: u64) -> Option<Vec<f64>> {
    let copies = |(count, weights): (&u64, &Vec<f64>)| -> Vec<f64> {
        let copies = rails.div_ceil((*count).max(1)) as f64;
        weights.iter().map(|weight| weight * copies).collect()
    };
    known.iter().map(copies).min_by(|a, b| a[0].total_cmp(&b[0]))
}

fn keeps_every_build(context: &ColumnContext<'_>) -> bool {
    context.limits.racks.is_some() || context.parts.keeps
}

/// What the objective and each limit counts.
struct ObjectiveScales(Vec<WeightRange>); // Invariant: the objective first.

impl ObjectiveScales {
    fn for_context(context: &ColumnContext<'_>) -> Self {
        let energy = context.energy_per_watt.get();
        let money = if context.counts_money { 1.0 } else { 0.0 };
        let models = context.skus.len();
        let mut all = vec![WeightRange::from_parts(context.parts, models, money, energy)];
        // What is the objective itself decides nothing twice.
        let others = context
            .limit_coefficients
            .iter()
            .filter(|coefficient| (coefficient.money, coefficient.watts) != (money, energy));
        all.extend(others.map(|coefficient| {
            WeightRange::from_parts(context.parts, models, coefficient.money, coefficient.watts)
        }));
        Self(all)
    }

    /// What a build for so many rails may cost where networks above some cost are of no use: what
    /// the other rails take at least is left.
    fn build_cost_upper_bound(
        &self,
        context: &ColumnContext<'_>,
        rails: u32,
    ) -> Option<WeightScale> {
        if context.parts.keeps || context.max_cost.is_infinite() {
            return None;
        }
        let all = u64::from(context.job.machine.node.nics) * u64::from(context.planes);
        let others = all.saturating_sub(rails.into()) as f64 / all.max(1) as f64;
        let WeightRange { least, least_link, least_idle, less, .. } = &self.0[0];
        let hosts = u64::from(rails) * u64::from(context.job.networked_domains());
        let most =
            context.max_cost - min_network_cost(context).get() * others + less * hosts as f64;
        Some(WeightScale {
            switches: least.clone(),
            link: *least_link,
            idle: *least_idle,
            known_weight: most,
        })
    }

    /// Weights by scale, were owned parts free.
    fn weights_with_free_stock(&self, column: &Column, idle: &IdleLanes<u64>) -> Vec<f64> {
        let read = |range: &WeightRange| {
            let links = range.least_link * column.links as f64;
            sum(&range.least, &column.pieces) + links + idle.weighted_sum(&range.least_idle)
        };
        self.0.iter().map(read).collect()
    }

    /// Weights by scale, were all parts bought.
    fn weights_if_all_bought(&self, column: &Column, idle: &IdleLanes<u64>) -> Vec<f64> {
        let read = |range: &WeightRange| {
            let links = range.most_link * column.links as f64;
            sum(&range.most, &column.pieces) + links + idle.weighted_sum(&range.most_idle)
        };
        self.0.iter().map(read).collect()
    }
}

fn sum(weights: &[f64], switches: &[u64]) -> f64 {
    weights.iter().zip(switches).map(|(weight, count)| weight * *count as f64).sum()
}

/// What builds weigh at least, were owned parts free, and at most, were all parts bought.
struct WeightRange {
    least: Vec<f64>,
    least_link: f64,
    least_idle: IdleLanes<f64>,
    /// What a link of an interface weighs less than one between switches.
    less: f64,
    most: Vec<f64>,
    most_link: f64,
    most_idle: IdleLanes<f64>,
}

impl WeightRange {
    /// Weights of `money` per dollar and `watt` per watt; of so many models of switches. A link
    /// weighs what one between switches does: all builds for as many rails have as many of the
    /// others.
    fn from_parts(parts: &PartsOnOffer<'_>, models: usize, money: f64, watt: f64) -> Self {
        let free = |stock: u64, price: Usd| if stock > 0 { 0.0 } else { money * price.get() };
        let least = |offer: &Offer| free(offer.stock, offer.price) + watt * offer.power.get();
        let most = |offer: &Offer| money * offer.price.get() + watt * offer.power.get();
        let LinkEndOffer { price, power, stock } = parts.ends;
        let power = watt * power.get();
        let (least_host, least_link) =
            parts.link_weights(|offer, _| least(offer), free(stock, price) + power);
        let (_, most_link) =
            parts.link_weights(|offer, _| most(offer), money * price.get() + power);
        let offers = || parts.offers.iter().take(models);
        Self {
            least: offers().map(least).collect(),
            least_link,
            least_idle: parts.idle_weights(|offer, _| least(offer)),
            less: (least_link - least_host).max(0.0),
            most: offers().map(most).collect(),
            most_link,
            most_idle: parts.idle_weights(|offer, _| most(offer)),
        }
    }
}

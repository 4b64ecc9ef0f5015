//! Parts at market prices, in the units of the objective, and what no network costs less than.

use super::context::ColumnContext;
use crate::fabric::WeightScale;
use crate::sizing::{Column as Coefficients, Offer, SizingProblem};
use crate::units::{Usd, Watts};

/// Market prices of what is bought, and a share of them for what is in stock; energy in full. The
/// weight of a link is that of one between switches.
pub(super) fn price_scale(context: &ColumnContext<'_>, owned: f64) -> WeightScale {
    let market = PriceWeights { context, owned };
    let models = context.parts.offers.iter().take(context.skus.len());
    let switches = models.map(|offer| market.offer_weight(offer)).collect();
    let idle = context.parts.idle_weights(|offer, _| market.offer_weight(offer));
    WeightScale {
        switches,
        link: market.host_and_switch_link_weights().1,
        idle,
        most: f64::INFINITY,
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

/// What the parts of a column cost at market prices, and a share of them where they are in stock; energy in full.
pub(super) fn cost_of_parts(context: &ColumnContext<'_>, column: &Coefficients, owned: f64) -> f64 {
    let market = PriceWeights { context, owned };
    let (offers, ends) = (&context.parts.offers, &context.parts.ends);
    let parts = offers
        .iter()
        .zip(&column.switches)
        .map(|(offer, count)| market.offer_weight(offer) * *count as f64);
    let end = market.price_weight(ends.stock, ends.price, ends.power);
    parts.sum::<f64>() + end * (SizingProblem::ENDS_PER_LINK * column.links) as f64
}

/// What no network costs less than: every interface has a link in every plane, and a port of a
/// switch at its end. Parts in stock cost nothing.
pub(super) fn min_network_cost(context: &ColumnContext<'_>) -> Usd {
    min_endpoint_cost(context, context.job.endpoints())
}

/// Likewise of a cluster with so many interfaces.
pub(super) fn min_endpoint_cost(context: &ColumnContext<'_>, endpoints: u64) -> Usd {
    let links = (endpoints * u64::from(context.planes)) as f64;
    let (host, _) = PriceWeights { context, owned: 0.0 }.host_and_switch_link_weights();
    let market = price_scale(context, 0.0);
    let ports = market.switches.iter().zip(context.skus).filter(|(_, sku)| sku.radix > 0);
    let port = ports.map(|(price, sku)| price / f64::from(sku.radix)).fold(f64::INFINITY, f64::min);
    let each = host + if port.is_finite() { port } else { 0.0 };
    Usd::from_f64(links * each)
}

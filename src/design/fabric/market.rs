//! Parts at market prices, in the units of the objective, and what no network costs less than.

use super::context::Context;
use crate::fabric::Scale;
use crate::sizing::Problem;
use crate::units::Usd;

/// Market prices of what is bought, and a share of them for what is in stock; energy in full.
pub(super) fn at_market(context: &Context<'_>, owned: f64) -> Scale {
    let energy = context.energy_per_watt.get();
    let money = if context.counts_money { 1.0 } else { 0.0 };
    let share = |stock: u64| if stock > 0 { owned } else { 1.0 };
    let switches = context
        .parts
        .offers
        .iter()
        .map(|of| money * share(of.stock) * of.price.get() + energy * of.power.get());
    let ends = &context.parts.ends;
    let end = money * share(ends.stock) * ends.price.get() + energy * ends.power.get();
    let most = f64::INFINITY;
    Scale { switches: switches.collect(), link: Problem::ENDS_PER_LINK as f64 * end, most }
}

/// What no network costs less than: every interface has a link in every plane, and a port of a
/// switch at its end. Parts in stock cost nothing.
pub(super) fn least_network(context: &Context<'_>) -> Usd {
    let links = (context.job.endpoints() * u64::from(context.planes)) as f64;
    let market = at_market(context, 0.0);
    let ports = market.switches.iter().zip(context.skus).filter(|(_, sku)| sku.radix > 0);
    let port = ports.map(|(price, sku)| price / f64::from(sku.radix)).fold(f64::INFINITY, f64::min);
    let each = market.link + if port.is_finite() { port } else { 0.0 };
    Usd::of(links * each)
}

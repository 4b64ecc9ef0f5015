//! Drops columns that another one makes needless. Prices them only to compare.

use std::cmp::Ordering;

use super::column::FabricColumn;
use super::context::ColumnContext;
use crate::sizing::{Column as Coefficients, SizingProblem};

/// Drops every column that another one beats: as many rails, and no more of anything that could make
/// it dearer. All are fast enough. What is dropped can cost no less, and its bisection would only
/// break a tie; of equal columns the one with more bisection stays, then the faster one.
pub(super) fn drop_dominated_columns(
    context: &ColumnContext<'_>,
    columns: Vec<FabricColumn>,
) -> Vec<FabricColumn> {
    let mut weighed: Vec<(Vec<f64>, FabricColumn)> = columns
        .into_iter()
        .map(|column| (column_burdens(context, &column.coefficients), column))
        .collect();
    weighed.sort_by(|(a, x), (b, y)| {
        let burdens = a.iter().zip(b).map(|(a, b)| a.total_cmp(b)).find(|order| order.is_ne());
        x.coefficients
            .rails
            .cmp(&y.coefficients.rails)
            .then(burdens.unwrap_or(Ordering::Equal))
            .then(y.coefficients.bisection.total_cmp(&x.coefficients.bisection))
            .then(x.time.total_cmp(&y.time))
    });
    let mut kept: Vec<(Vec<f64>, FabricColumn)> = Vec::new();
    for (burden, column) in weighed {
        let beaten = kept.iter().any(|(other_burden, other)| {
            other.coefficients.rails == column.coefficients.rails
                && other_burden.iter().zip(&burden).all(|(a, b)| a <= b)
                && (other.coefficients.bisection >= column.coefficients.bisection
                    || other_burden[0] < burden[0])
        });
        if !beaten {
            kept.push((burden, column));
        }
    }
    kept.into_iter().map(|(_, column)| column).collect()
}

/// All that can make a column dearer than another. Where everything is bought and can be had in
/// any number that is its price, and its power or money where those are limited; else links and
/// switches of each model, as nobody knows which of them stock will make free.
pub(super) fn column_burdens(context: &ColumnContext<'_>, coefficients: &Coefficients) -> Vec<f64> {
    let (offers, ends) = (&context.parts.offers, &context.parts.ends);
    if !context.parts.all_bought() || context.limits.racks.is_some() {
        let switches = coefficients.switches.iter().map(|count| *count as f64);
        return [coefficients.links as f64].into_iter().chain(switches).collect();
    }
    let optics = (SizingProblem::ENDS_PER_LINK * coefficients.links) as f64;
    let switches =
        || offers.iter().zip(&coefficients.switches).map(|(offer, count)| (offer, *count as f64));
    let price = switches().map(|(offer, count)| offer.price.get() * count).sum::<f64>()
        + ends.price.get() * optics;
    let power = switches().map(|(offer, count)| offer.power.get() * count).sum::<f64>()
        + ends.power.get() * optics;
    let money = if context.counts_money { price } else { 0.0 };
    let mut burdens = vec![money + context.energy_per_watt.get() * power];
    burdens.extend(
        context
            .counted
            .iter()
            .map(|coefficient| coefficient.money * price + coefficient.watts * power),
    );
    burdens
}

//! Drops pieces that another one makes needless. Prices them only to compare.

use std::cmp::Ordering;

use super::pieces::{Piece, Site};
use crate::sizing::{Column, Problem};

/// Drops every piece that another one beats: as many rails, and no more of anything that could make
/// it dearer. All are fast enough. What is dropped can cost no less, and its bisection would only
/// break a tie; of equal pieces the one with more bisection stays, then the faster one.
pub(super) fn undominated(site: &Site<'_>, pieces: Vec<Piece>) -> Vec<Piece> {
    let mut weighed: Vec<(Vec<f64>, Piece)> =
        pieces.into_iter().map(|piece| (burdens(site, &piece.column), piece)).collect();
    weighed.sort_by(|(a, x), (b, y)| {
        let burdens = a.iter().zip(b).map(|(a, b)| a.total_cmp(b)).find(|order| order.is_ne());
        x.column
            .rails
            .cmp(&y.column.rails)
            .then(burdens.unwrap_or(Ordering::Equal))
            .then(y.column.bisection.total_cmp(&x.column.bisection))
            .then(x.time.total_cmp(&y.time))
    });
    let mut kept: Vec<(Vec<f64>, Piece)> = Vec::new();
    for (burden, piece) in weighed {
        let beaten = kept.iter().any(|(other_burden, other)| {
            other.column.rails == piece.column.rails
                && other_burden.iter().zip(&burden).all(|(a, b)| a <= b)
                && (other.column.bisection >= piece.column.bisection || other_burden[0] < burden[0])
        });
        if !beaten {
            kept.push((burden, piece));
        }
    }
    kept.into_iter().map(|(_, piece)| piece).collect()
}

/// All that can make a piece dearer than another. Where everything is bought and can be had in
/// any number that is its price, and its power or money where those are limited; else links and
/// switches of each model, as nobody knows which of them stock will make free.
pub(super) fn burdens(site: &Site<'_>, column: &Column) -> Vec<f64> {
    let (offers, ends) = (&site.parts.offers, &site.parts.ends);
    if !site.parts.all_bought() || site.limited.racks {
        let switches = column.switches.iter().map(|count| *count as f64);
        return [column.links as f64].into_iter().chain(switches).collect();
    }
    let optics = (Problem::ENDS_PER_LINK * column.links) as f64;
    let switches = || offers.iter().zip(&column.switches).map(|(of, count)| (of, *count as f64));
    let price = switches().map(|(of, count)| of.price.get() * count).sum::<f64>()
        + ends.price.get() * optics;
    let power = switches().map(|(of, count)| of.power.get() * count).sum::<f64>()
        + ends.power.get() * optics;
    let money = if site.counts_money { price } else { 0.0 };
    let mut burdens = vec![money + site.energy_per_watt.get() * power];
    burdens.extend(site.limited.power.then_some(power));
    burdens.extend(site.limited.budget.then_some(price));
    burdens.extend(site.limited.tco.map(|energy| price + energy.get() * power));
    burdens
}

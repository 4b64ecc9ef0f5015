//! What is computed once and asked for often: builds by request, step times by level. And the
//! ceiling that keeps hopeless builds from being generated at all.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::job::Job;
use super::machine::Level;
use super::offer::Parts;
use super::pieces::{Piece, Site};
use crate::fabric::{Build, Ceiling, RailRequest, Ratio, Scale, rail_builds_below};
use crate::sizing::Problem;
use crate::units::{Seconds, Usd};

/// Builds that were generated before: several rank orders, objectives and limits ask for the
/// same ones.
#[derive(Debug, Default)]
pub(super) struct Yard {
    known: BTreeMap<Order, Rc<Vec<Build>>>,
    paces: BTreeMap<(usize, Option<u32>, u64, u64), Vec<Seconds>>,
}

/// What builds are asked for: endpoints, models, the two least shares, models in a rail, and the
/// bits of the ceiling's numbers.
type Order = (u64, Vec<(String, u32)>, Ratio, Ratio, Option<u32>, Vec<u64>);

impl Yard {
    /// Time of a step on a fabric of that level, all workloads blended; endless where the
    /// fabric does not give what is demanded.
    pub(super) fn time(&mut self, site: &Site<'_>, level: Level) -> Seconds {
        let paces = self.paces(site.job, level);
        if !site.demand.met(level, paces) {
            return Seconds::ENDLESS;
        }
        site.job.blended(paces)
    }

    /// Time of a step of every workload on a fabric of that level.
    pub(super) fn paces(&mut self, job: &Job<'_>, level: Level) -> &[Seconds] {
        let Level { leaf_domains, within, across } = level;
        let key = (job.id, leaf_domains, within.to_bits(), across.to_bits());
        self.paces.entry(key).or_insert_with(|| job.paces(level))
    }

    pub(super) fn builds(
        &mut self,
        site: &Site<'_>,
        within: Ratio,
        across: Ratio,
        ceiling: &Ceiling,
    ) -> Rc<Vec<Build>> {
        let endpoints = u64::from(site.job.domains);
        let models_per_rail = site.limited.models_per_rail;
        let models = site.skus.iter().map(|sku| (sku.name.clone(), sku.radix)).collect();
        let numbers = ceiling
            .scales
            .iter()
            .flat_map(|scale| scale.switches.iter().chain([&scale.link, &scale.most]));
        let bits = numbers.map(|number| number.to_bits()).collect();
        let order = (endpoints, models, within, across, models_per_rail, bits);
        let make = || {
            let skus = site.skus;
            let request = RailRequest { endpoints, skus, within, across, models_per_rail };
            Rc::new(rail_builds_below(&request, ceiling))
        };
        Rc::clone(self.known.entry(order).or_insert_with(make))
    }
}

/// The ceiling that builds which can be had in any number set for others of one rail.
///
/// Replacing a build by a known one adds at most the known one's full price, and saves at least
/// what the replaced one costs were owned parts free. So no best answer has a build for which
/// the second exceeds the first: an exchange argument. Where power or budget is limited, the
/// known build must not draw or cost more either, so the others may be lighter on any of these
/// scales.
///
/// Racks hold whole switches of one model, so that an exchange may take a rack more; and parts that
/// are kept may be there already, or be used again. Where either is so, nothing is ruled out.
pub(super) fn ceiling(site: &Site<'_>, known: &[Build]) -> Ceiling {
    if site.limited.racks || site.parts.keeps {
        return Ceiling::default();
    }
    let scales = Scales::of(site);
    let most = |build: &Build| {
        let switches = (0..site.skus.len()).map(|sku| build.switches_of(sku));
        scales.most(&switches.collect::<Vec<u64>>(), build.links())
    };
    let all = known.iter().map(most);
    let Some(best) = all.min_by(|a, b| a[0].total_cmp(&b[0])) else { return Ceiling::default() };
    let scale = |(weights, most): (&Weights, f64)| Scale {
        switches: weights.least.clone(),
        link: weights.least_link,
        most,
    };
    let scales = scales.0.iter().zip(best).map(scale).collect();
    Ceiling { scales, all: site.parts.all_bought() }
}

/// Drops every piece that the exchange argument of [`ceiling`] rules out, by pieces of as many
/// rails that are no slower and can be had in any number.
pub(super) fn without_dear_ones(site: &Site<'_>, mut pieces: Vec<Piece>) -> Vec<Piece> {
    /// Relative rounding of sums of money.
    const ROUNDING: f64 = 1e-9;
    if site.limited.racks || site.parts.keeps {
        return pieces;
    }
    let scales = Scales::of(site);
    let limited: Vec<bool> = site.parts.offers.iter().map(|of| of.supply.is_some()).collect();
    let anytime = |piece: &Piece| {
        piece.column.switches.iter().zip(&limited).all(|(count, limited)| *count == 0 || !limited)
    };
    pieces.sort_by(|a, b| a.time.total_cmp(&b.time));
    let mut cheapest: BTreeMap<u64, Vec<f64>> = BTreeMap::new();
    let mut kept = Vec::with_capacity(pieces.len());
    for piece in pieces {
        let column = &piece.column;
        let least = scales.least(&column.switches, column.links);
        let dear = cheapest.get(&column.rails).is_some_and(|known| {
            least.iter().zip(known).all(|(least, known)| *least > known * (1.0 + ROUNDING))
        });
        if dear {
            continue;
        }
        if anytime(&piece) {
            let most = scales.most(&column.switches, column.links);
            let known = cheapest.entry(column.rails).or_insert_with(|| most.clone());
            if most[0] < known[0] {
                *known = most;
            }
        }
        kept.push(piece);
    }
    kept
}

/// What the objective and each limit counts.
struct Scales(Vec<Weights>); // Invariant: the objective first.

impl Scales {
    fn of(site: &Site<'_>) -> Self {
        let energy = site.energy_per_watt.get();
        let money = if site.counts_money { 1.0 } else { 0.0 };
        let mut all = vec![Weights::of(site.parts, money, energy)];
        if site.limited.power {
            all.push(Weights::of(site.parts, 0.0, 1.0));
        }
        if site.limited.budget && energy > 0.0 {
            all.push(Weights::of(site.parts, 1.0, 0.0));
        }
        if let Some(energy) = site.limited.tco {
            all.push(Weights::of(site.parts, 1.0, energy.get()));
        }
        Self(all)
    }

    /// Weights by scale, were owned parts free.
    fn least(&self, switches: &[u64], links: u64) -> Vec<f64> {
        self.0.iter().map(|of| sum(&of.least, switches) + of.least_link * links as f64).collect()
    }

    /// Weights by scale, were all parts bought.
    fn most(&self, switches: &[u64], links: u64) -> Vec<f64> {
        self.0.iter().map(|of| sum(&of.most, switches) + of.most_link * links as f64).collect()
    }
}

fn sum(weights: &[f64], switches: &[u64]) -> f64 {
    weights.iter().zip(switches).map(|(weight, count)| weight * *count as f64).sum()
}

/// What no network of separate rails of several tiers, all with so many uplinks per downlink or
/// more, stays below; nothing where a rail may fit one switch.
pub(super) fn least_cost(site: &Site<'_>, within: Ratio) -> Usd {
    let endpoints = f64::from(site.job.domains);
    let widest = site.skus.iter().map(|sku| sku.radix).max().unwrap_or(0);
    if site.job.domains <= widest {
        return Usd::ZERO;
    }
    let weights = Weights::of(site.parts, 1.0, site.energy_per_watt.get());
    let links = endpoints * (1.0 + within.as_f64());
    // Every link below a spine ends at a leaf's port.
    let port = site
        .skus
        .iter()
        .zip(&weights.least)
        .map(|(sku, weight)| weight / f64::from(sku.radix.max(1)))
        .fold(f64::INFINITY, f64::min);
    let rails = f64::from(site.job.machine.node.nics) * f64::from(site.planes);
    Usd::of(rails * links * (weights.least_link + port))
}

/// What builds weigh at least, were owned parts free, and at most, were all parts bought.
struct Weights {
    least: Vec<f64>,
    least_link: f64,
    most: Vec<f64>,
    most_link: f64,
}

impl Weights {
    /// Weights of `money` per dollar and `watt` per watt.
    fn of(parts: &Parts<'_>, money: f64, watt: f64) -> Self {
        let free = |stock: u64, price: Usd| if stock > 0 { 0.0 } else { money * price.get() };
        let ends = Problem::ENDS_PER_LINK as f64;
        let power = watt * parts.ends.power.get();
        let offers = || parts.offers.iter();
        Self {
            least: offers().map(|of| free(of.stock, of.price) + watt * of.power.get()).collect(),
            least_link: ends * (free(parts.ends.stock, parts.ends.price) + power),
            most: offers().map(|of| money * of.price.get() + watt * of.power.get()).collect(),
            most_link: ends * (money * parts.ends.price.get() + power),
        }
    }
}

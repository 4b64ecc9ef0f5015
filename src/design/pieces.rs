//! What a fabric can be put together from: every build that a candidate may use, with its column
//! of the integer program and the time of a step on it. Drops only what is too slow or beaten.

use std::cmp::Ordering;

use super::job::Job;
use super::machine::Level;
use super::offer::Parts;
use super::yard::{Yard, ceiling, least_cost};
use crate::fabric::{
    Assembly, Build, Ceiling, Counts, FabricKind, RailRequest, Ratio, Request, Sku, Split,
    SwitchChoice, levels, rail_builds, spine_options, tree,
};
use crate::scenario::FabricChoice;
use crate::sizing::{Column, Problem};
use crate::units::{Seconds, Usd};

/// One thing that may carry rails.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Piece {
    pub(super) what: What,
    pub(super) column: Column,
    pub(super) level: Level,
    /// Time of a step where all rails are like this.
    pub(super) time: Seconds,
}

/// What a piece is made of.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum What {
    /// One rail, or some that share a switch; others may be built otherwise.
    Rails(Build),
    /// All rails of all planes at once.
    Whole(Counts),
}

/// What pieces are made for.
#[derive(Clone, Copy)]
pub(super) struct Site<'a> {
    pub(super) job: &'a Job<'a>,
    pub(super) planes: u32,
    pub(super) parts: &'a Parts<'a>,
    pub(super) skus: &'a [Sku],
    /// Longest step that is allowed.
    pub(super) limit: Seconds,
    /// Every level of oversubscription is wanted, not only those that just meet the limit.
    pub(super) all_levels: bool,
    /// What a network may cost, energy included, so as not to be worse than a known one whatever
    /// its step time; `None` where nothing is known.
    pub(super) most_cost: Option<Usd>,
    /// Cost of drawing a watt over the years that the objective counts.
    pub(super) energy_per_watt: Usd,
    /// Limits that a cheaper build might exceed where a dearer one does not.
    pub(super) limited: Limited,
}

/// Which limits there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Limited {
    pub(super) power: bool,
    pub(super) budget: bool,
}

/// The models on offer, as the build generator sees them.
pub(super) fn skus(parts: &Parts<'_>) -> Vec<Sku> {
    let sku = |switch: &&crate::hardware::Switch| Sku {
        name: switch.name.clone(),
        radix: switch.radix(parts.link),
    };
    parts.switches.iter().map(sku).collect()
}

/// Every piece that meets the time limit, in a fixed order.
pub(super) fn pieces(site: &Site<'_>, choice: FabricChoice, yard: &mut Yard) -> Vec<Piece> {
    let mut found = Vec::new();
    let auto = choice == FabricChoice::Auto;
    if auto || choice == FabricChoice::RailOnly {
        found.extend(rails(site, yard));
    }
    found.extend(whole_pieces(site, choice, yard));
    if auto && !found.iter().any(|piece| piece.level.across <= 0.0) {
        found.extend(partial_spines(site, yard));
    }
    undominated(site, found)
}

/// Trees over all rails of every family that may be chosen: quickly made, to have a first answer.
pub(super) fn trial_pieces(site: &Site<'_>, choice: FabricChoice, yard: &mut Yard) -> Vec<Piece> {
    let mut found = whole_pieces(site, choice, yard);
    if matches!(choice, FabricChoice::Auto | FabricChoice::RailOnly) {
        found.extend(trees(site, FabricKind::RailOnly, yard));
    }
    undominated(site, found)
}

/// The pieces of [`pieces`] that are trees over all rails.
fn whole_pieces(site: &Site<'_>, choice: FabricChoice, yard: &mut Yard) -> Vec<Piece> {
    let mut found = Vec::new();
    let auto = choice == FabricChoice::Auto;
    if auto || choice == FabricChoice::Clos {
        found.extend(trees(site, FabricKind::Clos, yard));
    }
    if auto || choice == FabricChoice::RailOptimized {
        found.extend(trees(site, FabricKind::RailOptimized, yard));
    }
    found
}

/// Rails without anything across them, at every level that is wanted.
fn rails(site: &Site<'_>, yard: &mut Yard) -> Vec<Piece> {
    let mut found = Vec::new();
    let wanted = within_levels(site, yard, Ratio::ZERO);
    let known = plain_builds(site, yard, &wanted);
    let ceiling = ceiling(site, &known);
    for within in wanted {
        if site.most_cost.is_some_and(|most| least_cost(site, within) > most) {
            continue;
        }
        for build in yard.builds(site, within, Ratio::ZERO, &ceiling).iter() {
            found.extend(rail_piece(site, yard, build.clone()));
        }
    }
    found
}

/// Builds of a single model that can be had in any number, to measure others by: at the levels
/// that are wanted, or only without blocking where every level of step time counts.
fn plain_builds(site: &Site<'_>, yard: &mut Yard, wanted: &[Ratio]) -> Vec<Build> {
    let levels = if site.all_levels { &[Ratio::ONE] } else { wanted };
    let mut found = Vec::new();
    for (place, sku) in site.skus.iter().enumerate() {
        if site.parts.offers[place].supply.is_some() {
            continue;
        }
        for within in levels {
            let mut alone = rail_builds(&RailRequest {
                endpoints: u64::from(site.job.domains),
                skus: std::slice::from_ref(sku),
                within: *within,
                across: Ratio::ZERO,
                models_per_rail: None,
            });
            alone.retain(|build| {
                build.rails == 1 && yard.time(site.job, level_of(build)) <= site.limit
            });
            for layer in alone.iter_mut().flat_map(|build| &mut build.layers) {
                layer.sku = place;
            }
            found.extend(alone);
        }
    }
    found
}

/// Levels within a rail that are worth asking for: of each model the least that is fast enough
/// (step time falls as uplinks are added), and those above it that are faster still where all
/// are wanted.
fn within_levels(site: &Site<'_>, yard: &mut Yard, across: Ratio) -> Vec<Ratio> {
    let mut wanted = vec![Ratio::ONE];
    for sku in site.skus {
        let ascending: Vec<(u32, u32)> = levels(sku.radix).filter(|(_, up)| *up > 0).collect();
        let mut time = |(down, up): (u32, u32)| {
            let within = Ratio::uplinks_per_downlink(up, down).as_f64();
            let level = Level { leaf_domains: Some(down), within, across: across.as_f64() };
            yard.time(site.job, level)
        };
        let first = ascending.partition_point(|level| time(*level) > site.limit);
        // No level above the first of the shortest steps is worth its uplinks.
        let shortest = ascending.last().map_or(Seconds::ZERO, |level| time(*level));
        let last = if site.all_levels {
            ascending.partition_point(|level| time(*level) > shortest)
        } else {
            first
        };
        let worth = ascending.iter().take(last + 1).skip(first);
        wanted.extend(worth.map(|(down, up)| Ratio::uplinks_per_downlink(*up, *down)));
    }
    wanted.sort_unstable();
    wanted.dedup();
    wanted
}

fn level_of(build: &Build) -> Level {
    Level {
        leaf_domains: build.has_borders().then_some(build.leaf_endpoints),
        within: if build.has_borders() { build.within.as_f64() } else { 1.0 },
        across: build.across.as_f64(),
    }
}

fn rail_piece(site: &Site<'_>, yard: &mut Yard, build: Build) -> Option<Piece> {
    let level = level_of(&build);
    let time = yard.time(site.job, level);
    let rails = u64::from(build.rails);
    let column = Column {
        rails,
        switches: (0..site.skus.len()).map(|sku| build.switches_of(sku)).collect(),
        links: build.links(),
        across_links: build.across_links,
        bisection: level.within * (rails * u64::from(site.job.domains)) as f64,
    };
    (time <= site.limit).then_some(Piece { what: What::Rails(build), column, level, time })
}

/// Trees over all rails, each of one model: full bisection for a Clos, every level of uplinks
/// for a rail-optimized fabric.
fn trees(site: &Site<'_>, kind: FabricKind, yard: &mut Yard) -> Vec<Piece> {
    let mut found = Vec::new();
    let node = site.job.machine.node;
    for switch in &site.parts.switches {
        let choice = SwitchChoice::Model(switch);
        let nic = site.job.machine.nic.bandwidth;
        let request =
            Request::new(kind, site.job.endpoints(), node.nics, choice, nic).in_planes(site.planes);
        let splits: Vec<Split> = if kind == FabricKind::Clos {
            vec![Split::AtLeast(Ratio::ONE)]
        } else {
            levels(switch.radix(site.parts.link))
                .filter(|(_, up)| *up > 0)
                .map(|(_, up)| Split::Uplinks(up))
                .collect()
        };
        for split in splits {
            if let Ok(counts) = tree(&request.with_split(split)) {
                found.extend(whole_piece(site, yard, counts));
            }
        }
    }
    found
}

fn whole_piece(site: &Site<'_>, yard: &mut Yard, counts: Counts) -> Option<Piece> {
    let level = level_of_counts(&counts);
    let time = yard.time(site.job, level);
    let switches = site
        .skus
        .iter()
        .map(|sku| {
            counts.tiers.iter().filter(|tier| tier.model == sku.name).map(|tier| tier.count).sum()
        })
        .collect();
    let ports = (counts.endpoints * u64::from(site.planes)) as f64;
    let column = Column {
        rails: u64::from(site.job.machine.node.nics) * u64::from(site.planes),
        switches,
        links: counts.links(),
        across_links: 0,
        bisection: (level.within + level.across) * ports,
    };
    (time <= site.limit).then_some(Piece { what: What::Whole(counts), column, level, time })
}

/// Level of a finished fabric. A Clos at full bisection has no border that matters.
pub(super) fn level_of_counts(counts: &Counts) -> Level {
    let free = counts.within_rail >= 1.0 && counts.across_rails >= 1.0;
    Level {
        leaf_domains: if free { None } else { counts.leaf_domains },
        within: counts.within_rail,
        across: counts.across_rails,
    }
}

/// Rails joined by a spine that carries only a part of what they could send across: tried where
/// nothing without a spine is fast enough. The least share that is, at each model's levels.
fn partial_spines(site: &Site<'_>, yard: &mut Yard) -> Vec<Piece> {
    let mut shares: Vec<Ratio> = site
        .skus
        .iter()
        .flat_map(|sku| levels(sku.radix))
        .filter(|(_, up)| *up > 0)
        .map(|(down, up)| Ratio::uplinks_per_downlink(up, down))
        .collect();
    shares.sort_unstable();
    shares.dedup();
    let least = shares.partition_point(|share| {
        let level = Level { leaf_domains: None, within: 1.0, across: share.as_f64() };
        yard.time(site.job, level) > site.limit
    });
    let Some(across) = shares.get(least).copied() else { return Vec::new() };
    let mut found = Vec::new();
    for within in within_levels(site, yard, across) {
        for build in yard.builds(site, within, across, &Ceiling::default()).iter() {
            found.extend(
                joined(site, build)
                    .into_iter()
                    .filter_map(|counts| whole_piece(site, yard, counts)),
            );
        }
    }
    found
}

/// The fabrics that have this build on all rails, one for each way to build the spine.
fn joined(site: &Site<'_>, build: &Build) -> Vec<Counts> {
    let node = site.job.machine.node;
    if !node.nics.is_multiple_of(build.rails.max(1)) {
        return Vec::new();
    }
    let copies = u64::from(node.nics / build.rails.max(1));
    let leafs: Vec<(u64, u32)> =
        build.across_ports().map(|(count, ports)| (count * copies, ports)).collect();
    let planes = u64::from(site.planes);
    spine_options(&leafs, site.skus)
        .iter()
        .map(|spine| {
            let assembly = Assembly {
                rails: node.nics,
                endpoints: site.job.endpoints(),
                planes: site.planes,
                link: site.parts.link,
                skus: site.skus,
                builds: &[(build, copies * planes)],
                spine: Some((spine, planes)),
            };
            assembly.counts()
        })
        .collect()
}

/// Drops every piece that another one beats: as many rails, no longer step, and no more of
/// anything that could make it dearer. What is dropped can cost no less, and its bisection would
/// only break a tie; of equal pieces the one with more bisection stays.
fn undominated(site: &Site<'_>, pieces: Vec<Piece>) -> Vec<Piece> {
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
                && other.time <= piece.time
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
fn burdens(site: &Site<'_>, column: &Column) -> Vec<f64> {
    let (offers, ends) = (&site.parts.offers, &site.parts.ends);
    if !site.parts.all_bought() {
        let switches = column.switches.iter().map(|count| *count as f64);
        return [column.links as f64].into_iter().chain(switches).collect();
    }
    let optics = (Problem::ENDS_PER_LINK * column.links) as f64;
    let switches = || offers.iter().zip(&column.switches).map(|(of, count)| (of, *count as f64));
    let price = switches().map(|(of, count)| of.price.get() * count).sum::<f64>()
        + ends.price.get() * optics;
    let power = switches().map(|(of, count)| of.power.get() * count).sum::<f64>()
        + ends.power.get() * optics;
    let mut burdens = vec![price + site.energy_per_watt.get() * power];
    burdens.extend(site.limited.power.then_some(power));
    burdens.extend(site.limited.budget.then_some(price));
    burdens
}

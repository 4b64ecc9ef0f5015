//! What a fabric can be put together from: every build that a candidate may use, with its column
//! of the integer program and the time of a step on it. Drops only what is too slow or beaten.

use super::dominance::undominated;
use super::job::Job;
use super::machine::Level;
use super::offer::Parts;
use super::partial::partial_spines;
use super::terms::Demand;
use super::trees::trees;
use super::yard::{Yard, ceiling, least_cost, without_dear_ones};
use crate::fabric::{
    Assembly, Blueprint, Build, Counts, FabricKind, RailRequest, Ratio, Sku, SpineOption, levels,
    rail_builds,
};
use crate::scenario::FabricChoice;
use crate::sizing::Column;
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
    Whole(Box<Fabric>),
}

/// A finished fabric and what it was counted from.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Fabric {
    pub(super) counts: Counts,
    pub(super) blueprint: Blueprint,
}

impl Fabric {
    /// So many copies of each build, below a spine where there is one.
    pub(super) fn assembled(
        site: &Site<'_>,
        builds: &[(&Build, u64)],
        spine: Option<(&SpineOption, u64)>,
    ) -> Self {
        let assembly = Assembly {
            rails: site.job.machine.node.nics,
            endpoints: site.job.endpoints(),
            planes: site.planes,
            link: site.parts.link,
            skus: site.skus,
            builds,
            spine,
        };
        Self { counts: assembly.counts(), blueprint: Blueprint::of_rails(&assembly) }
    }
}

/// What pieces are made for.
#[derive(Clone, Copy)]
pub(super) struct Site<'a> {
    pub(super) job: &'a Job<'a>,
    pub(super) planes: u32,
    pub(super) parts: &'a Parts<'a>,
    pub(super) skus: &'a [Sku],
    /// What a fabric has to give.
    pub(super) demand: &'a Demand,
    /// Every level of oversubscription is wanted, not only those that just meet the limit.
    pub(super) all_levels: bool,
    /// What a network may cost, energy included, so as not to be worse than a known one whatever
    /// its step time; `None` where nothing is known.
    pub(super) most_cost: Option<Usd>,
    /// The objective counts money, and not power alone.
    pub(super) counts_money: bool,
    /// Cost of drawing a watt over the years that the objective counts.
    pub(super) energy_per_watt: Usd,
    /// Limits that a cheaper build might exceed where a dearer one does not.
    pub(super) limited: Limited,
}

/// Which limits there are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Limited {
    pub(super) power: bool,
    pub(super) budget: bool,
    /// Cost of drawing a watt where an earlier objective caps what a cluster costs to own.
    pub(super) tco: Option<Usd>,
    pub(super) racks: bool,
    /// Most switch models in one rail.
    pub(super) models_per_rail: Option<u32>,
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
    undominated(site, without_dear_ones(site, found))
}

/// Trees over all rails of every family that may be chosen: quickly made, to have a first answer.
pub(super) fn trial_pieces(site: &Site<'_>, choice: FabricChoice, yard: &mut Yard) -> Vec<Piece> {
    let mut found = whole_pieces(site, choice, yard);
    if matches!(choice, FabricChoice::Auto | FabricChoice::RailOnly) {
        found.extend(trees(site, FabricKind::RailOnly, yard));
    }
    undominated(site, without_dear_ones(site, found))
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
                build.rails == 1 && yard.time(site, level_of(build)) <= site.demand.blended
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
pub(super) fn within_levels(site: &Site<'_>, yard: &mut Yard, across: Ratio) -> Vec<Ratio> {
    let mut wanted = vec![Ratio::ONE];
    for sku in site.skus {
        let ascending: Vec<(u32, u32)> = levels(sku.radix).filter(|(_, up)| *up > 0).collect();
        let mut time = |(down, up): (u32, u32)| {
            let within = Ratio::uplinks_per_downlink(up, down).as_f64();
            let level = Level { leaf_domains: Some(down), within, across: across.as_f64() };
            yard.time(site, level)
        };
        let first = ascending.partition_point(|level| time(*level) > site.demand.blended);
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
    let time = yard.time(site, level);
    let rails = u64::from(build.rails);
    let column = Column {
        rails,
        switches: (0..site.skus.len()).map(|sku| build.switches_of(sku)).collect(),
        links: build.links(),
        across_links: build.across_links,
        bisection: level.within * (rails * u64::from(site.job.domains)) as f64,
    };
    (time <= site.demand.blended).then_some(Piece { what: What::Rails(build), column, level, time })
}

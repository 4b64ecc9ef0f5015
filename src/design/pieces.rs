//! What a fabric can be put together from: every build that a candidate may use, with its column
//! of the integer program and the time of a step on it. Drops only what is too slow or beaten.

use super::ceilings::Ceilings;
use super::dominance::undominated;
use super::job::Job;
use super::machine::Level;
use super::offer::Parts;
use super::partial::partial_spines;
use super::shapes::{Group, level_and_time};
use super::terms::Demand;
use super::trees::four_tiers;
use super::yard::Yard;
use crate::fabric::{
    Assembly, Blueprint, Build, Counts, FabricKind, Filling, Sku, SpineOption, TreeRequest,
    joined_switches, shared_switches, tree_may_be,
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
    /// One rail, or some that share a switch or a tree; others may be built otherwise.
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
    /// The longest step, all workloads blended; no longer than the demand's.
    pub(super) pace: Seconds,
    /// The objective counts money, and not power alone.
    pub(super) counts_money: bool,
    /// Cost of drawing a watt over the years that the objective counts.
    pub(super) energy_per_watt: Usd,
    /// Limits that a cheaper build might exceed where a dearer one does not.
    pub(super) limited: Limited,
    /// Networks that cost more are of no use, in dollars of the objective; infinite where all are.
    pub(super) most: f64,
}

impl Site<'_> {
    /// True where a step of that time is fast enough; one that never ends is not, however long it may
    /// take.
    pub(super) fn admits(&self, time: Seconds) -> bool {
        time <= self.pace && time < Seconds::ENDLESS
    }
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

/// Every piece that is fast enough and may be in a best answer, in a fixed order.
pub(super) fn pieces(site: &Site<'_>, choice: FabricChoice, yard: &mut Yard) -> Vec<Piece> {
    pieces_below(site, choice, Ceilings::default(), yard)
}

/// The pieces that are fast enough and that ceilings admit.
pub(super) fn pieces_below(
    site: &Site<'_>,
    choice: FabricChoice,
    ceilings: Ceilings,
    yard: &mut Yard,
) -> Vec<Piece> {
    let mut found = Found { pieces: Vec::new(), ceilings };
    let nics = site.job.machine.node.nics;
    let auto = choice == FabricChoice::Auto;
    if auto || choice == FabricChoice::RailOnly {
        let domains = u64::from(site.job.domains);
        let ceiling = found.ceilings.of(site, 1);
        found.add(site, yard, shared_switches(domains, site.skus, &ceiling));
        found.trees(site, yard, Group::RAIL);
    }
    if auto {
        for rails in part_of_all(nics) {
            found.trees(site, yard, Group { rails, filling: Filling::InOrder });
        }
    }
    if choice != FabricChoice::RailOnly {
        let domains = u64::from(site.job.domains);
        found.add(site, yard, joined_switches(nics, domains, site.skus));
    }
    if auto || choice == FabricChoice::Clos {
        found.trees(site, yard, Group { rails: nics, filling: Filling::InOrder });
        found.four_tiers(site, yard, FabricKind::Clos);
    }
    if auto || choice == FabricChoice::RailOptimized {
        found.trees(site, yard, Group { rails: nics, filling: Filling::OneRail });
        found.trees(site, yard, Group { rails: nics, filling: Filling::WholeRails });
        found.four_tiers(site, yard, FabricKind::RailOptimized);
    }
    // What is in stock makes thousands of these worth weighing, so they are tried where all is
    // bought, or where nothing else is fast enough.
    if auto && (site.parts.all_bought() || found.pieces.is_empty()) {
        let ceiling = found.ceilings.of(site, nics);
        found.take(site, partial_spines(site, &ceiling, yard));
    }
    undominated(site, found.pieces)
}

/// Most rails of which every smaller number is tried as a group; above it those that divide them.
const EVERY_GROUP: u32 = 16;

/// The numbers of rails, more than one and fewer than all, that may share a tree.
fn part_of_all(nics: u32) -> impl Iterator<Item = u32> {
    (2..nics).filter(move |rails| nics <= EVERY_GROUP || nics.is_multiple_of(*rails))
}

/// Pieces so far, and what those of as many rails may weigh at most.
struct Found {
    pieces: Vec<Piece>,
    ceilings: Ceilings,
}

impl Found {
    /// Trees of two or three tiers over a group of rails.
    fn trees(&mut self, site: &Site<'_>, yard: &mut Yard, group: Group) {
        let ceiling = self.ceilings.of(site, group.rails);
        let endpoints = u64::from(group.rails) * u64::from(site.job.domains);
        if !tree_may_be(endpoints, site.skus, &ceiling) {
            return;
        }
        let widest = yard.shapes(site, group);
        let request = TreeRequest {
            rails: group.rails,
            endpoints: site.job.domains.into(),
            filling: group.filling,
            skus: site.skus,
            widest: &widest,
            models: site.limited.models_per_rail,
        };
        let builds = yard.trees(&request, &ceiling);
        self.add(site, yard, builds.iter().cloned());
    }

    /// Trees of four tiers, where fewer do not reach: alike switches in alike shapes.
    fn four_tiers(&mut self, site: &Site<'_>, yard: &mut Yard, kind: FabricKind) {
        let of_kind = |piece: &Piece| match &piece.what {
            What::Rails(build) => build.joins_rails(),
            What::Whole(fabric) => fabric.counts.kind == kind,
        };
        if !self.pieces.iter().any(of_kind) {
            self.take(site, four_tiers(site, kind, yard));
        }
    }

    fn add(&mut self, site: &Site<'_>, yard: &mut Yard, builds: impl IntoIterator<Item = Build>) {
        // One at a time: many models make more than are worth holding.
        for build in builds {
            let made = rail_piece(site, yard, build);
            self.take(site, made.into_iter().collect());
        }
    }

    fn take(&mut self, site: &Site<'_>, pieces: Vec<Piece>) {
        for piece in pieces {
            if self.ceilings.admit(site, &piece.column) {
                self.pieces.push(piece);
            }
        }
    }
}

fn rail_piece(site: &Site<'_>, yard: &mut Yard, build: Build) -> Option<Piece> {
    let (level, time) = level_and_time(site, &build, yard);
    let rails = u64::from(build.rails);
    let ports = (rails * u64::from(site.job.domains)) as f64;
    let column = Column {
        rails,
        switches: (0..site.skus.len()).map(|sku| build.switches_of(sku)).collect(),
        links: build.links(),
        across_links: build.across_links,
        bisection: (level.within + level.across) * ports,
    };
    site.admits(time).then_some(Piece { what: What::Rails(build), column, level, time })
}

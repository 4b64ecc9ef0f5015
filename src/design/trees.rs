//! Trees over all rails at once, each of one model: those that take four tiers, and the level and
//! column of any finished fabric.

use super::dominance::burdens;
use super::machine::Level;
use super::pieces::{Fabric, Piece, Site, What};
use super::yard::Yard;
use crate::fabric::{
    Blueprint, Counts, FabricKind, Ratio, Request, Split, SwitchChoice, levels, tree,
};
use crate::sizing::Column;
use crate::units::Seconds;

/// Tiers of the trees that are made here: builds have up to three.
const TIERS: u32 = 4;

/// Full bisection for a Clos, every level of uplinks for the other families; what is fast enough.
pub(super) fn four_tiers(site: &Site<'_>, kind: FabricKind, yard: &mut Yard) -> Vec<Piece> {
    let node = site.job.machine.node;
    let mut found = Vec::new();
    for switch in &site.parts.switches {
        let choice = SwitchChoice::Model(switch);
        let nic = site.job.machine.nic.bandwidth;
        let plain = Request::new(kind, site.job.endpoints(), node.nics, choice, nic);
        let request = Request { tiers: Some(TIERS), ..plain.in_planes(site.planes) };
        let splits: Vec<Split> = if kind == FabricKind::Clos {
            vec![Split::AtLeast(Ratio::ONE)]
        } else {
            let up = levels(switch.radix(site.parts.link)).map(|(_, up)| up);
            up.filter(|up| *up > 0).map(Split::Uplinks).collect()
        };
        let built = splits.into_iter().filter_map(|split| {
            let request = request.with_split(split);
            let counts = tree(&request).ok()?;
            Some(Fabric { counts, blueprint: Blueprint::of_tree(&request) })
        });
        let mut untimed: Vec<Whole> = built.map(|fabric| Whole::new(site, fabric)).collect();
        // Step time falls as uplinks are added, so the slow ones come first.
        let slow = untimed.partition_point(|whole| !site.admits(whole.time(site, yard)));
        untimed.drain(..slow);
        found.extend(timed(site, yard, untimed));
    }
    found
}

/// Times the cheapest first, and none that one which is fast enough makes needless.
pub(super) fn timed(site: &Site<'_>, yard: &mut Yard, untimed: Vec<Whole>) -> Vec<Piece> {
    let mut weighed: Vec<(Vec<f64>, Whole)> =
        untimed.into_iter().map(|whole| (burdens(site, &whole.column), whole)).collect();
    weighed.sort_by(|(a, x), (b, y)| {
        a[0].total_cmp(&b[0]).then(y.column.bisection.total_cmp(&x.column.bisection))
    });
    let mut kept: Vec<(Vec<f64>, Piece)> = Vec::new();
    for (burden, whole) in weighed {
        let needless = kept.iter().any(|(other, piece)| {
            other.iter().zip(&burden).all(|(a, b)| a <= b)
                && (piece.column.bisection >= whole.column.bisection || other[0] < burden[0])
        });
        if needless {
            continue;
        }
        let time = whole.time(site, yard);
        if site.admits(time) {
            kept.push((burden, whole.piece(time)));
        }
    }
    kept.into_iter().map(|(_, piece)| piece).collect()
}

/// A finished fabric whose step time is not known yet.
pub(super) struct Whole {
    fabric: Fabric,
    column: Column,
    level: Level,
}

impl Whole {
    pub(super) fn new(site: &Site<'_>, fabric: Fabric) -> Self {
        let counts = &fabric.counts;
        let level = level_of_counts(counts);
        let ports = (counts.endpoints * u64::from(site.planes)) as f64;
        let column = Column {
            rails: u64::from(site.job.machine.node.nics) * u64::from(site.planes),
            switches: site.skus.iter().map(|sku| counts.switches_of(&sku.name)).collect(),
            links: counts.links(),
            across_links: 0,
            bisection: (level.within + level.across) * ports,
        };
        Self { fabric, column, level }
    }

    fn time(&self, site: &Site<'_>, yard: &mut Yard) -> Seconds {
        yard.time(site, self.level)
    }

    fn piece(self, time: Seconds) -> Piece {
        let what = What::Whole(Box::new(self.fabric));
        Piece { what, column: self.column, level: self.level, time }
    }
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

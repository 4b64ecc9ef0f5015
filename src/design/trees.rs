//! Trees over all rails at once, each of one model, and fabrics whose rails a partial spine joins.

use super::dominance::burdens;
use super::machine::Level;
use super::pieces::{Fabric, Piece, Site, What, within_levels};
use super::yard::Yard;
use crate::fabric::{
    Assembly, Blueprint, Build, Ceiling, Counts, FabricKind, Ratio, Request, Split, SwitchChoice,
    levels, spine_options, tree,
};
use crate::sizing::Column;
use crate::units::Seconds;

/// Full bisection for a Clos, every level of uplinks for the other families; what is fast enough.
pub(super) fn trees(site: &Site<'_>, kind: FabricKind, yard: &mut Yard) -> Vec<Piece> {
    let node = site.job.machine.node;
    let mut found = Vec::new();
    for switch in &site.parts.switches {
        let choice = SwitchChoice::Model(switch);
        let nic = site.job.machine.nic.bandwidth;
        let request =
            Request::new(kind, site.job.endpoints(), node.nics, choice, nic).in_planes(site.planes);
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
        if !site.all_levels {
            // Step time falls as uplinks are added, so the slow ones come first.
            let slow =
                untimed.partition_point(|whole| whole.time(site, yard) > site.demand.blended);
            untimed.drain(..slow);
        }
        found.extend(timed(site, yard, untimed));
    }
    found
}

/// Times the cheapest first, and none that one which is fast enough makes needless: where no
/// level of step time counts but the limit, a dearer piece needs no time.
fn timed(site: &Site<'_>, yard: &mut Yard, untimed: Vec<Whole>) -> Vec<Piece> {
    let mut weighed: Vec<(Vec<f64>, Whole)> =
        untimed.into_iter().map(|whole| (burdens(site, &whole.column), whole)).collect();
    weighed.sort_by(|(a, x), (b, y)| {
        a[0].total_cmp(&b[0]).then(y.column.bisection.total_cmp(&x.column.bisection))
    });
    let mut kept: Vec<(Vec<f64>, Piece)> = Vec::new();
    for (burden, whole) in weighed {
        let needless = !site.all_levels
            && kept.iter().any(|(other, piece)| {
                other.iter().zip(&burden).all(|(a, b)| a <= b)
                    && (piece.column.bisection >= whole.column.bisection || other[0] < burden[0])
            });
        if needless {
            continue;
        }
        let time = whole.time(site, yard);
        if time <= site.demand.blended {
            kept.push((burden, whole.piece(time)));
        }
    }
    kept.into_iter().map(|(_, piece)| piece).collect()
}

/// A finished fabric whose step time is not known yet.
struct Whole {
    fabric: Fabric,
    column: Column,
    level: Level,
}

impl Whole {
    fn new(site: &Site<'_>, fabric: Fabric) -> Self {
        let counts = &fabric.counts;
        let level = level_of_counts(counts);
        let of = |name: &str| {
            let alike = counts.tiers.iter().filter(|tier| tier.model == name);
            alike.map(|tier| tier.count).sum()
        };
        let ports = (counts.endpoints * u64::from(site.planes)) as f64;
        let column = Column {
            rails: u64::from(site.job.machine.node.nics) * u64::from(site.planes),
            switches: site.skus.iter().map(|sku| of(&sku.name)).collect(),
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

/// Rails joined by a spine that carries only a part of what they could send across: tried where
/// nothing without a spine is fast enough. The least share that is, at each model's levels.
pub(super) fn partial_spines(site: &Site<'_>, yard: &mut Yard) -> Vec<Piece> {
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
        yard.time(site, level) > site.demand.blended
    });
    let Some(across) = shares.get(least).copied() else { return Vec::new() };
    let mut untimed = Vec::new();
    for within in within_levels(site, yard, across) {
        for build in yard.builds(site, within, across, &Ceiling::default()).iter() {
            let whole = |fabric| Whole::new(site, fabric);
            untimed.extend(joined(site, build).into_iter().map(whole));
        }
    }
    timed(site, yard, untimed)
}

/// The fabrics that have this build on all rails, one for each way to build the spine.
fn joined(site: &Site<'_>, build: &Build) -> Vec<Fabric> {
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
            Fabric { counts: assembly.counts(), blueprint: Blueprint::of_rails(&assembly) }
        })
        .collect()
}

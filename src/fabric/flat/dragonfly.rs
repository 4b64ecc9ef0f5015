//! Dragonfly (Kim et al., ISCA 2008): fully joined groups of switches, with links between every
//! two groups.

use petgraph::graph::NodeIndex;

use super::family::{Cabling, Family, attach};
use super::joined::Flat;
use crate::fabric::Request;
use crate::fabric::request::MOST_PORTS;
use crate::fabric::{Counts, FabricKind, FabricProblem, LinkClass, LinkGroup, Medium};
use crate::units::Bandwidth;

/// How many groups to build.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Groups {
    /// As few as hold the endpoints; all global ports are used nevertheless.
    Fewest,
    /// All that the switch can join by one link between every two.
    Full,
}

/// A balanced dragonfly: p endpoints on each of the a switches of a group, h links of each to
/// other groups, a = 2p = 2h, so that no class of links is the narrow one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dragonfly {
    /// NICs to join.
    pub endpoints: u64,
    /// Ports of a switch: the largest balanced group with p + (a − 1) + h of them is built.
    pub radix: u32,
    /// How many groups.
    pub groups: Groups,
    /// Rate of every link.
    pub link: Bandwidth,
    /// What host links are made of; links inside a group are copper, those between are optical.
    pub host_medium: Medium,
}

impl Dragonfly {
    /// Switches and links. Needs p + a − 1 + h = 4h − 1 ports; at most a·h + 1 groups.
    ///
    /// # Errors
    /// No endpoints, a radix below 3, or more endpoints than all groups hold.
    pub fn counts(&self) -> Result<Counts, FabricProblem> {
        if self.endpoints == 0 {
            return Err(FabricProblem::NoEndpoints);
        }
        let global = (u64::from(self.radix) + 1) / 4;
        if global == 0 || self.radix > MOST_PORTS {
            return Err(FabricProblem::Radix { radix: self.radix });
        }
        let switches = 2 * global;
        let most = switches * global + 1;
        let needed = self.endpoints.div_ceil(switches * global);
        if needed > most {
            let (endpoints, radix) = (self.endpoints, self.radix);
            return Err(FabricProblem::TooManyEndpoints { endpoints, radix, tiers: 1 });
        }
        let groups = if self.groups == Groups::Full { most } else { needed };
        let between = if groups == 1 { 0 } else { groups * switches * global / 2 };
        let local = groups * switches * (switches - 1) / 2;
        let link_group = |class, count, medium| LinkGroup { class, count, rate: self.link, medium };
        let flat = Flat {
            kind: FabricKind::Dragonfly,
            endpoints: self.endpoints,
            rails: 1,
            link: self.link,
            switches: groups * switches,
            radix: self.radix,
            down: global as u32,
            host_links: self.endpoints,
            host_medium: self.host_medium,
            other_links: vec![
                link_group(LinkClass::Local, local, Medium::Copper),
                link_group(LinkClass::Global, between, Medium::Optical),
            ],
        };
        Ok(flat.counts(self.bisection(groups, global)))
    }

    /// What any two halves of the endpoints have between them at least, over their bandwidth.
    ///
    /// If every switch can send D to every other one at once, a cut with s of n switches on one side
    /// has D·s·(n − s) links or more, and endpoints that are on the wrong side cost a link each.
    /// With P endpoints on a switch at most, s is N/2P or more, else those cost more. D is what the
    /// links of shortest ways carry: one between groups 4h²·D/m of m links, one inside a group its
    /// own D and, for h links to other groups at either end, 2·2h·D·h/m.
    fn bisection(&self, groups: u64, global: u64) -> f64 {
        let (size, group) = (2 * global, 2 * global * global);
        let switches = (groups * size) as f64;
        let most = self.endpoints.div_ceil(groups * size) as f64;
        let each = match groups {
            1 => 1.0,
            _ => {
                let between = (group / (groups - 1)) as f64;
                between / (between + (size * size) as f64)
            }
        };
        let far = switches - self.endpoints as f64 / (2.0 * most);
        (each * far / most).min(1.0)
    }
}

impl Family for Dragonfly {
    fn counts(&self) -> Result<Counts, FabricProblem> {
        self.counts()
    }

    /// Groups of fully joined switches; every group has as many links to each other group, or one
    /// more to some: those at the same distances round the circle of groups, so that what leads to
    /// the right of one comes from the left of another.
    fn wire(&self, plane: &mut dyn Cabling) -> Result<(), FabricProblem> {
        let global = (self.radix + 1) / 4;
        let size = 2 * global; // switches of a group
        let all = plane.switches(Self::counts(self)?.switches());
        attach(plane, self.endpoints, &all);
        let groups: Vec<&[NodeIndex]> = all.chunks(size as usize).collect();
        for group in &groups {
            for (place, low) in group.iter().enumerate() {
                for high in &group[place + 1..] {
                    plane.join(*low, *high, 1, LinkClass::Local, Medium::Copper);
                }
            }
        }
        let count = groups.len();
        let ports = (size * global) as usize; // global ports of a group
        for (group, mine) in groups.iter().enumerate() {
            for (port, distance) in distances(count, ports).into_iter().enumerate() {
                let other = (group + distance) % count;
                // The same link as seen from there: as often before it at the opposite distance.
                let back = opposite(count, ports, port);
                if (group, port) < (other, back) {
                    let low = mine[port / global as usize];
                    let high = groups[other][back / global as usize];
                    plane.join(low, high, 1, LinkClass::Global, Medium::Optical);
                }
            }
        }
        Ok(())
    }
}

/// Balanced groups, as few as possible.
pub(super) fn member(request: &Request<'_>) -> Result<Box<dyn Family>, FabricProblem> {
    let radix = request.radix()?;
    request.sides()?; // it has none: refused, not overlooked
    let (endpoints, link) = (request.endpoints, request.link);
    let (groups, host_medium) = (Groups::Fewest, Medium::Optical);
    Ok(Box::new(Dragonfly { endpoints, radix, groups, link, host_medium }))
}

/// How far round the circle of groups each global port of a group leads: all distances as often
/// as they fit, then the shortest both ways, and half the circle where an odd one is left.
fn distances(groups: usize, ports: usize) -> Vec<usize> {
    let others = groups.saturating_sub(1);
    if others == 0 {
        return Vec::new();
    }
    let mut distances: Vec<usize> = (0..ports / others).flat_map(|_| 1..=others).collect();
    let rest = ports % others;
    let half = rest / 2;
    distances.extend(1..=half);
    // Odd only where the number of groups is even, as the ports of a group are.
    distances.extend((rest % 2 == 1).then_some(groups / 2));
    distances.extend(groups - half..groups);
    distances
}

/// The port at the other end of the link at `port`.
fn opposite(groups: usize, ports: usize, port: usize) -> usize {
    let others = groups - 1;
    let round = port / others;
    // The distances of a round, the last and shorter one too, are the same read backwards.
    let length = others.min(ports - round * others);
    round * others + length - 1 - port % others
}

//! The Dragonfly and other networks of grouped switches.

use petgraph::graph::NodeIndex;

use super::family::{Cabling, NonTreeFamily, SwitchLayer, attach_endpoints, local_medium};
use crate::fabric::request::MOST_PORTS;
use crate::fabric::{Counts, FabricKind, FabricProblem, LinkClass, LinkGroup, Medium, Request};
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
    pub endpoints: u64,
    /// Ports of a switch: the largest balanced group with p + (a − 1) + h of them is built.
    pub radix: u32,
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
    pub fn closed_form_counts(&self) -> Result<Counts, FabricProblem> {
        self.switch_groups(Medium::Copper)?.plane_counts()
    }

    /// Its groups, with links inside them of a medium.
    fn switch_groups(&self, local_medium: Medium) -> Result<SwitchGroups, FabricProblem> {
        if self.endpoints == 0 {
            return Err(FabricProblem::NoEndpoints);
        }
        let global = (u64::from(self.radix) + 1) / 4;
        if global == 0 || self.radix > MOST_PORTS {
            return Err(FabricProblem::Radix { radix: self.radix });
        }
        let size = 2 * global;
        let most = size * global + 1;
        let needed = self.endpoints.div_ceil(size * global);
        if needed > most {
            let (endpoints, radix) = (self.endpoints, self.radix);
            return Err(FabricProblem::TooManyEndpoints { endpoints, radix, tiers: 1 });
        }
        Ok(SwitchGroups {
            endpoints: self.endpoints,
            radix: self.radix,
            size,
            global,
            groups: if self.groups == Groups::Full { most } else { needed },
            down: global,
            link: self.link,
            host_medium: self.host_medium,
            local_medium,
        })
    }
}

/// A group that the request's shape states: a switches, h links of each to other groups, g groups.
fn switch_groups_from_sides(
    request: &Request<'_>,
    radix: u32,
    sides: &[u32],
) -> Result<SwitchGroups, FabricProblem> {
    let refused = |reason| Err(FabricProblem::NoSuchSize { reason });
    let [size, global, groups] = *sides else {
        return refused(
            "a dragonfly has three sides: switches of a group, links of each to other groups, \
             groups",
        );
    };
    let [size, global, groups] = [size, global, groups].map(u64::from);
    if groups > size * global + 1 {
        return refused(
            "a group of a dragonfly joins no more others than its switches have links to other \
             groups",
        );
    }
    let down = request.endpoints.div_ceil(size * groups);
    let outward = if groups > 1 { global } else { 0 };
    if down + size - 1 + outward > u64::from(radix) {
        return refused("the switches of this dragonfly have too few ports for its NICs and links");
    }
    Ok(SwitchGroups {
        endpoints: request.endpoints,
        radix,
        size,
        global,
        groups,
        down,
        link: request.link,
        host_medium: Medium::Optical,
        local_medium: local_medium(request),
    })
}

/// Groups as the request states them; else balanced ones, as few as possible.
pub(super) fn dragonfly_for_request(
    request: &Request<'_>,
) -> Result<Box<dyn NonTreeFamily>, FabricProblem> {
    let radix = request.checked_switch_radix()?;
    if let Some(sides) = request.requested_sides()? {
        return Ok(Box::new(switch_groups_from_sides(request, radix, sides)?));
    }
    let (endpoints, link) = (request.endpoints, request.link);
    let (groups, host_medium) = (Groups::Fewest, Medium::Optical);
    let balanced = Dragonfly { endpoints, radix, groups, link, host_medium };
    Ok(Box::new(balanced.switch_groups(local_medium(request))?))
}

/// g groups of a switches, h links of each to other groups.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct SwitchGroups {
    pub(super) endpoints: u64,
    pub(super) radix: u32,
    /// Switches a of a group; at least 1.
    pub(super) size: u64,
    /// Links h of a switch to other groups.
    global: u64,
    /// Groups g, at most a·h + 1.
    pub(super) groups: u64,
    /// Ports p of a switch towards endpoints.
    pub(super) down: u64,
    /// Rate of every link.
    pub(super) link: Bandwidth,
    /// What links of endpoints are made of.
    pub(super) host_medium: Medium,
    /// What links inside a group are made of.
    pub(super) local_medium: Medium,
}

impl SwitchGroups {
    /// Links of a group to others: those of all its switches, one less where an odd number of
    /// groups has an odd number each, as a link has two ends.
    const fn outward_links(&self) -> u64 {
        let all = self.size * self.global;
        if self.groups <= 1 {
            0
        } else if self.groups % 2 == 1 && all % 2 == 1 {
            all - 1
        } else {
            all
        }
    }

    /// What any two halves of the endpoints have between them at least, over their bandwidth.
    ///
    /// If every switch can send D to every other one at once, a cut with s of n switches on one
    /// side has D·s·(n − s) links or more, and endpoints that are on the wrong side cost a link
    /// each. With P endpoints on a switch at most, s is N/2P or more, else those cost more. D is
    /// what the links of shortest ways carry: one between groups a²·D/m of m links, one inside a
    /// group its own D and, for h links to other groups at either end, 2·a·D·h/m.
    fn bisection_share(&self) -> f64 {
        if self.groups * self.size == 1 {
            return 1.0;
        }
        let switches = (self.groups * self.size) as f64;
        let most = self.endpoints.div_ceil(self.groups * self.size) as f64;
        let each = match self.groups {
            1 => 1.0,
            groups => {
                let between = (self.outward_links() / (groups - 1)) as f64;
                let (size, global) = (self.size as f64, self.global as f64);
                let local = between / (between + 2.0 * size * global);
                if self.size == 1 { between } else { local.min(between / (size * size)) }
            }
        };
        let far = switches - self.endpoints as f64 / (2.0 * most);
        (each * far / most).min(1.0)
    }
}

impl NonTreeFamily for SwitchGroups {
    fn plane_counts(&self) -> Result<Counts, FabricProblem> {
        let between = self.groups * self.outward_links() / 2;
        let local = self.groups * self.size * (self.size - 1) / 2;
        let link_group = |class, count, medium| LinkGroup { class, count, rate: self.link, medium };
        let flat = SwitchLayer {
            kind: FabricKind::Dragonfly,
            endpoints: self.endpoints,
            rails: 1,
            link: self.link,
            switches: self.groups * self.size,
            radix: self.radix,
            down: self.down as u32,
            host_links: self.endpoints,
            host_medium: self.host_medium,
            other_links: vec![
                link_group(LinkClass::Local, local, self.local_medium),
                link_group(LinkClass::Global, between, Medium::Optical),
            ],
        };
        Ok(flat.into_counts(self.bisection_share()))
    }

    /// Groups of fully joined switches; every group has as many links to each other group, or one
    /// more to some: those at the same distances round the circle of groups, so that what leads to
    /// the right of one comes from the left of another.
    fn wire_plane(&self, plane: &mut dyn Cabling) -> Result<(), FabricProblem> {
        let all = plane.add_switches(self.groups * self.size);
        attach_endpoints(plane, self.endpoints, &all);
        let groups: Vec<&[NodeIndex]> = all.chunks(self.size as usize).collect();
        for group in &groups {
            for (place, low) in group.iter().enumerate() {
                for high in &group[place + 1..] {
                    plane.link_switches(*low, *high, 1, LinkClass::Local, self.local_medium);
                }
            }
        }
        let count = groups.len();
        let ports = self.outward_links() as usize;
        let global = self.global.max(1) as usize;
        for (group, mine) in groups.iter().enumerate() {
            for (port, distance) in global_port_distances(count, ports).into_iter().enumerate() {
                let other = (group + distance) % count;
                // The same link as seen from there: as often before it at the opposite distance.
                let back = opposite_port(count, ports, port);
                if (group, port) < (other, back) {
                    let low = mine[port / global];
                    let high = groups[other][back / global];
                    plane.link_switches(low, high, 1, LinkClass::Global, Medium::Optical);
                }
            }
        }
        Ok(())
    }
}

/// How far round the circle of groups each global port of a group leads: all distances as often
/// as they fit, then the shortest both ways, and half the circle where an odd one is left.
fn global_port_distances(groups: usize, ports: usize) -> Vec<usize> {
    let others = groups.saturating_sub(1);
    if others == 0 {
        return Vec::new();
    }
    let mut distances: Vec<usize> = (0..ports / others).flat_map(|_| 1..=others).collect();
    let rest = ports % others;
    let half = rest / 2;
    distances.extend(1..=half);
    // Odd only where the number of groups is even: groups and ports are not both odd.
    distances.extend((rest % 2 == 1).then_some(groups / 2));
    distances.extend(groups - half..groups);
    distances
}

/// The port at the other end of the link at `port`.
fn opposite_port(groups: usize, ports: usize, port: usize) -> usize {
    let others = groups - 1;
    let round = port / others;
    // The distances of a round, the last and shorter one too, are the same read backwards.
    let length = others.min(ports - round * others);
    round * others + length - 1 - port % others
}

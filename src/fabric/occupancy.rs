//! How many links every switch of a network has, and which lanes of the cages and cables that these
//! light stay idle. Prices nothing.

/// The links of a network, switch by switch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Occupancy {
    /// Switches, as many as have the same links together.
    pub switches: Vec<AlikeSwitches>,
    /// Switches that are joined to each other, pair by pair.
    pub trunks: Vec<Trunks>,
}

/// Switches with as many links each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AlikeSwitches {
    pub switches: u64,
    /// Links of each to interfaces.
    pub hosts: u64,
    /// Links of each to other switches.
    pub uplinks: u64,
}

/// Pairs of switches with as many links between them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trunks {
    pub pairs: u64,
    /// Links of each.
    pub links: u64,
}

/// Links that share a cage of a switch, and those that share a cable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Lanes {
    /// Links to interfaces of one cage.
    pub host: u32,
    /// Links between switches of one cage.
    pub uplink: u32,
    /// Links of both kinds may share a cage.
    pub mixed: bool,
    /// Links to interfaces of one cable.
    pub host_cable: u32,
    /// Links between two switches of one cable.
    pub uplink_cable: u32,
}

/// Lanes that no link takes, of cages and cables that others do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct IdleLanes<T> {
    /// Of cages with links to interfaces.
    pub host: T,
    /// Of cages with links between switches alone.
    pub uplink: T,
    pub host_cable: T,
    pub uplink_cable: T,
}

impl<T: Copy> IdleLanes<T> {
    /// All of them, one by one.
    pub const fn lane_kinds(&self) -> [T; 4] {
        [self.host, self.uplink, self.host_cable, self.uplink_cable]
    }

    /// Each as `to` makes it.
    pub fn map_lanes<U>(self, to: impl Fn(T) -> U) -> IdleLanes<U> {
        IdleLanes {
            host: to(self.host),
            uplink: to(self.uplink),
            host_cable: to(self.host_cable),
            uplink_cable: to(self.uplink_cable),
        }
    }
}

impl IdleLanes<f64> {
    /// The sum of both.
    #[must_use]
    pub fn add_lanes(self, other: Self) -> Self {
        Self {
            host: self.host + other.host,
            uplink: self.uplink + other.uplink,
            host_cable: self.host_cable + other.host_cable,
            uplink_cable: self.uplink_cable + other.uplink_cable,
        }
    }
}

impl IdleLanes<u64> {
    /// All lanes that are lit, those of links to interfaces left out: idle ones, and those of
    /// links. Networks for as many interfaces compare by them.
    #[must_use]
    pub fn lit_lanes_above_hosts(self, links: u64, lanes: &Lanes) -> Self {
        let read = |idle: u64, lanes: u32, ends: u64| if lanes > 1 { idle + ends } else { 0 };
        Self {
            host: read(self.host, lanes.host, if lanes.mixed { 2 * links } else { 0 }),
            uplink: read(self.uplink, lanes.uplink, 2 * links),
            host_cable: read(self.host_cable, lanes.host_cable, 0),
            uplink_cable: read(self.uplink_cable, lanes.uplink_cable, links),
        }
    }

    /// The fewest and the most of both.
    #[must_use]
    pub fn fewest_and_most(self, other: Self) -> [Self; 2] {
        let both = |read: fn(u64, u64) -> u64| Self {
            host: read(self.host, other.host),
            uplink: read(self.uplink, other.uplink),
            host_cable: read(self.host_cable, other.host_cable),
            uplink_cable: read(self.uplink_cable, other.uplink_cable),
        };
        [both(u64::min), both(u64::max)]
    }

    /// What they weigh, a lane of each kind so much.
    #[must_use]
    pub fn weighted_sum(&self, lanes: &IdleLanes<f64>) -> f64 {
        let pairs = self.lane_kinds().into_iter().zip(lanes.lane_kinds());
        pairs.map(|(count, weight)| count as f64 * weight).sum()
    }
}

impl Default for Lanes {
    fn default() -> Self {
        Self::OWN
    }
}

impl Lanes {
    /// Every link has a cage and a cable of its own.
    pub const OWN: Self = Self { host: 1, uplink: 1, mixed: true, host_cable: 1, uplink_cable: 1 };

    /// True where no lane can be idle.
    #[must_use]
    pub fn are_own(&self) -> bool {
        *self == Self { mixed: self.mixed, ..Self::OWN }
    }
}

/// Lanes that so many links leave idle, so many a piece.
const fn lanes_left_by_links(links: u64, lanes: u32) -> u64 {
    let lanes = if lanes == 0 { 1 } else { lanes as u64 };
    links.next_multiple_of(lanes) - links
}

impl Occupancy {
    /// Adds switches with so many links each.
    pub(super) fn add_switches(&mut self, switches: u64, hosts: u64, uplinks: u64) {
        if switches == 0 || hosts + uplinks == 0 {
            return;
        }
        let alike = |like_switches: &&mut AlikeSwitches| {
            (like_switches.hosts, like_switches.uplinks) == (hosts, uplinks)
        };
        match self.switches.iter_mut().find(alike) {
            Some(known) => known.switches += switches,
            None => self.switches.push(AlikeSwitches { switches, hosts, uplinks }),
        }
    }

    /// Adds leafs with room for `down` endpoints, which so many fill one after the other.
    pub(super) fn add_leafs(&mut self, leafs: u64, down: u64, endpoints: u64, uplinks: u64) {
        let full = endpoints.checked_div(down).unwrap_or(0).min(leafs);
        self.add_switches(full, down, uplinks);
        let rest = (endpoints - full * down).min(down);
        let partly = u64::from(full < leafs && rest > 0);
        self.add_switches(partly, rest, uplinks);
        self.add_switches(leafs - full - partly, 0, uplinks);
    }

    /// Adds pairs of switches with so many links between them.
    pub(super) fn add_trunks(&mut self, pairs: u64, links: u64) {
        if pairs == 0 || links == 0 {
            return;
        }
        match self.trunks.iter_mut().find(|trunks| trunks.links == links) {
            Some(known) => known.pairs += pairs,
            None => self.trunks.push(Trunks { pairs, links }),
        }
    }

    /// Adds another network so many times.
    pub fn add(&mut self, other: &Self, times: u64) {
        for alike in &other.switches {
            self.add_switches(alike.switches * times, alike.hosts, alike.uplinks);
        }
        for trunks in &other.trunks {
            self.add_trunks(trunks.pairs * times, trunks.links);
        }
    }

    /// Links to interfaces.
    #[must_use]
    pub fn host_links(&self) -> u64 {
        self.switches.iter().map(|alike| alike.switches * alike.hosts).sum()
    }

    /// Links between switches.
    #[must_use]
    pub fn switch_links(&self) -> u64 {
        self.trunks.iter().map(|trunks| trunks.pairs * trunks.links).sum()
    }

    /// Lanes that stay idle. A module or a cable is whole in one cage of one switch: links fill the
    /// cages of each switch one after the other, and a cable joins one switch to interfaces or to
    /// one other switch.
    #[must_use]
    pub fn idle_lanes(&self, lanes: &Lanes) -> IdleLanes<u64> {
        let mut idle = IdleLanes::default();
        for alike in &self.switches {
            if lanes.mixed {
                idle.host +=
                    alike.switches * lanes_left_by_links(alike.hosts + alike.uplinks, lanes.host);
            } else {
                idle.host += alike.switches * lanes_left_by_links(alike.hosts, lanes.host);
                idle.uplink += alike.switches * lanes_left_by_links(alike.uplinks, lanes.uplink);
            }
            idle.host_cable += alike.switches * lanes_left_by_links(alike.hosts, lanes.host_cable);
        }
        for trunks in &self.trunks {
            idle.uplink_cable +=
                trunks.pairs * lanes_left_by_links(trunks.links, lanes.uplink_cable);
        }
        idle
    }
}

#[cfg(test)]
mod tests {
    use super::{IdleLanes, Lanes, Occupancy};

    /// Three leafs of 8 ports for 19 endpoints, each with 3 links to one spine.
    #[test]
    fn each_switch_rounds_up_by_itself() {
        let mut occupancy = Occupancy::default();
        occupancy.add_leafs(3, 8, 19, 3);
        occupancy.add_switches(1, 0, 9);
        occupancy.add_trunks(3, 3);
        assert_eq!((occupancy.host_links(), occupancy.switch_links()), (19, 9));
        let twin = Lanes { host: 2, uplink: 2, mixed: true, host_cable: 1, uplink_cable: 1 };
        // 11, 11, 6 and 9 ports.
        assert_eq!(occupancy.idle_lanes(&twin), IdleLanes { host: 3, ..IdleLanes::default() });
        let apart = Lanes { mixed: false, host_cable: 2, uplink_cable: 2, ..twin };
        let all = IdleLanes { host: 1, uplink: 4, host_cable: 1, uplink_cable: 3 };
        assert_eq!(occupancy.idle_lanes(&apart), all);
        assert_eq!(occupancy.idle_lanes(&Lanes::OWN), IdleLanes::default());
    }
}

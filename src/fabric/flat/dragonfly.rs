//! Dragonfly (Kim et al., ISCA 2008): fully joined groups of switches, with links between every
//! two groups. Which member of the family serves a request.

use super::family::NonTreeFamily;
use super::groups::SwitchGroups;
use super::joined::local_medium;
use crate::fabric::Request;
use crate::fabric::request::MOST_PORTS;
use crate::fabric::{Counts, FabricProblem, Medium};
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
            "a dragonfly has three sides: switches of a group, links of each to other groups, groups",
        );
    };
    let [size, global, groups] = [size, global, groups].map(u64::from);
    if groups > size * global + 1 {
        return refused(
            "a group of a dragonfly joins no more others than its switches have links to other groups",
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

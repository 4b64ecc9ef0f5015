//! `NonTreeFamily` and `Cabling` traits; one layer of alike switches.

use petgraph::graph::NodeIndex;

use crate::fabric::{
    Counts, FabricKind, FabricProblem, LinkClass, LinkGroup, Medium, Request, SwitchTier, TierName,
};
use crate::units::Bandwidth;

/// One plane of a fabric that is no tree.
pub(in crate::fabric) trait NonTreeFamily {
    /// Switches and links of the plane, in closed form.
    ///
    /// # Errors
    /// Whatever makes it impossible.
    fn plane_counts(&self) -> Result<Counts, FabricProblem>;

    /// Lays every cable, switch by switch, by the rule of its paper: the check on the counts.
    ///
    /// # Errors
    /// Where the rule has no such fabric.
    fn wire_plane(&self, plane: &mut dyn Cabling) -> Result<(), FabricProblem>;

    /// Links of an endpoint that its bandwidth is counted from.
    fn ports_per_endpoint(&self) -> u64 {
        1
    }

    /// Endpoints in orders whose first half has a narrow cut to the second, besides those that are
    /// tried of any family: docs/equations.md §7.15.
    fn narrow_cut_orders(&self) -> Vec<Vec<usize>> {
        Vec::new()
    }
}

/// Endpoints by ascending key; of equal ones in order.
pub(super) fn sort_endpoints_by_key(endpoints: u64, key: impl Fn(u64) -> u64) -> Vec<usize> {
    let mut order: Vec<u64> = (0..endpoints).collect();
    order.sort_by_key(|end| key(*end));
    order.into_iter().map(|end| end as usize).collect()
}

/// A plane in the making. Endpoints are there from the start, by number.
pub(in crate::fabric) trait Cabling {
    /// So many alike switches.
    fn add_switches(&mut self, count: u64) -> Vec<NodeIndex>;
    /// A link from an endpoint to a switch.
    fn link_endpoint_to_switch(&mut self, endpoint: u64, switch: NodeIndex);
    /// A link between two endpoints without a switch.
    fn link_endpoints(&mut self, from: u64, to: u64, medium: Medium);
    /// Parallel links between two switches.
    fn link_switches(
        &mut self,
        low: NodeIndex,
        high: NodeIndex,
        links: u32,
        class: LinkClass,
        medium: Medium,
    );
    /// Trees of their own; `nic` is the endpoint that the request's endpoint of a number is.
    ///
    /// # Errors
    /// Whatever makes the trees impossible.
    fn wire_trees(
        &mut self,
        request: &Request<'_>,
        radix: u32,
        nic: &dyn Fn(u64) -> u64,
    ) -> Result<(), FabricProblem>;
}

/// Endpoints on switches in order, as evenly as whole endpoints allow.
pub(super) fn attach_endpoints(plane: &mut dyn Cabling, endpoints: u64, switches: &[NodeIndex]) {
    let count = switches.len() as u64;
    for order in 0..endpoints {
        let place = u128::from(order) * u128::from(count) / u128::from(endpoints);
        plane.link_endpoint_to_switch(order, switches[place as usize]);
    }
}

/// Refuses a shape that has too few places.
pub(super) fn check_capacity(
    endpoints: u64,
    sides: impl Iterator<Item = u64>,
) -> Result<(), FabricProblem> {
    let places = sides.fold(1_u64, u64::saturating_mul);
    if places >= endpoints {
        return Ok(());
    }
    Err(FabricProblem::NoSuchSize { reason: "the shape has fewer places than there are NICs" })
}

/// The least whole number whose `power`-th power is no less than `value`.
pub(super) fn ceil_root(value: u64, power: u32) -> u64 {
    (1..).find(|root: &u64| root.saturating_pow(power) >= value).unwrap_or(u64::MAX)
}

/// What links inside a group or between rows are made of.
pub(super) const fn local_medium(request: &Request<'_>) -> Medium {
    if request.all_optical { Medium::Optical } else { Medium::Copper }
}

/// What these fabrics have in common: one layer of alike anonymous switches.
pub(super) struct SwitchLayer {
    pub(super) kind: FabricKind,
    pub(super) endpoints: u64,
    pub(super) rails: u32,
    pub(super) link: Bandwidth,
    pub(super) switches: u64,
    /// Ports of a switch, those towards endpoints among them.
    pub(super) radix: u32,
    pub(super) down: u32,
    pub(super) host_links: u64,
    pub(super) host_medium: Medium,
    pub(super) other_links: Vec<LinkGroup>,
}

impl SwitchLayer {
    /// Counts, with both ends of every link between switches at a port. `across` is what any
    /// two halves of the endpoints have between them at worst, over their NIC bandwidth.
    pub(super) fn into_counts(self, across: f64) -> Counts {
        let between: u64 = self.other_links.iter().map(|group| group.count).sum();
        let tier = SwitchTier {
            name: TierName::Leaf,
            model: String::new(),
            radix: self.radix,
            count: self.switches,
            down: self.down,
            // Links to other switches, which stand for those to a layer above.
            up: (2 * between).div_ceil(self.switches.max(1)) as u32,
            ports_used: self.host_links + 2 * between,
        };
        let tiers = if self.switches > 0 { vec![tier] } else { Vec::new() };
        Counts {
            kind: self.kind,
            planes: 1,
            rails: self.rails,
            endpoints: self.endpoints,
            link: self.link,
            uplink: self.link,
            tiers,
            host_links: self.host_links,
            host_medium: self.host_medium,
            leaf_spine_links: 0,
            spine_core_links: 0,
            other_links: self.other_links.into_iter().filter(|group| group.count > 0).collect(),
            within_rail: across,
            across_rails: across,
            leaf_domains: None,
            occupancy: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::ceil_root;

    #[test]
    fn roots_are_rounded_up() {
        assert_eq!([0, 1, 8, 9].map(|value| ceil_root(value, 3)), [1, 1, 2, 3]);
    }
}

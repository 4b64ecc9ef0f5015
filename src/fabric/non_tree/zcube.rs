//! ZCube (Yan et al., From ATOP to ZCube, SIGCOMM 2025): every NIC has a port on one switch of
//! each of two rows, and every switch of one row has a link to every switch of the other.

use super::family::{Cabling, NonTreeFamily, SwitchLayer, local_medium, sort_endpoints_by_key};
use crate::fabric::{Counts, FabricKind, FabricProblem, LinkClass, LinkGroup, Medium, Request};
use crate::units::Bandwidth;

/// ZCube(n, 2): up to n² NICs of two ports on 2n switches of 2n ports, with n² links between
/// switches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ZCube {
    /// NICs to join; each has two ports.
    pub endpoints: u64,
    /// Ports of a switch at the rate of a link.
    pub radix: u32,
    /// Rate of every link: half of the NIC's.
    pub link: Bandwidth,
    /// Switches n of a row; `None` for the least that serve.
    pub side: Option<u32>,
    /// What links between switches are made of: copper, where the two rows stand in the same racks
    /// (table 7 of the paper).
    pub local_medium: Medium,
}

impl ZCube {
    /// Switches and links of the smallest n with n² NICs or more, or of the one that is stated.
    ///
    /// # Errors
    /// No endpoints, or more than n² or (k/2)² of them.
    pub fn closed_form_counts(&self) -> Result<Counts, FabricProblem> {
        if self.endpoints == 0 {
            return Err(FabricProblem::NoEndpoints);
        }
        let (endpoints, radix) = (self.endpoints, self.radix);
        let side = self.switches_per_row();
        if 2 * side > u64::from(radix) || side.saturating_mul(side) < endpoints {
            return Err(FabricProblem::TooManyEndpoints { endpoints, radix, tiers: 1 });
        }
        let between = LinkGroup {
            class: LinkClass::Local,
            count: side * side,
            rate: self.link,
            medium: self.local_medium,
        };
        let flat = SwitchLayer {
            kind: FabricKind::ZCube,
            endpoints,
            rails: 2,
            link: self.link,
            switches: 2 * side,
            radix,
            down: side as u32,
            host_links: 2 * endpoints,
            host_medium: Medium::Optical,
            other_links: vec![between],
        };
        Ok(flat.into_counts(self.bisection_share()))
    }

    /// What any two halves of the NICs have between them at least, over their bandwidth.
    ///
    /// A cut has α·n switches of one row and β·n of the other on one side. NICs with a port on
    /// either side cost a link each, links between the rows likewise: n²·2(α + β − 2αβ) in all,
    /// least where one half of the NICs has both ports on one side, αβ = 1/2: α = β = 1/√2, and of
    /// the n² links of a half 2(√2 − 1) remain. Of n² places without a NIC each would add one link
    /// on average over all divisions, so N NICs keep no less than 1 − (3 − 2√2)·n²/N.
    fn bisection_share(&self) -> f64 {
        const LOST: f64 = 3.0 - 2.0 * std::f64::consts::SQRT_2;
        let side = self.switches_per_row() as f64;
        (1.0 - LOST * side * side / self.endpoints as f64).max(0.0)
    }

    /// Switches n of a row: as stated, else the least number whose square is no less than the NICs.
    fn switches_per_row(&self) -> u64 {
        if let Some(side) = self.side {
            return side.into();
        }
        let side = self.endpoints.isqrt();
        if side * side < self.endpoints { side + 1 } else { side }
    }
}

impl NonTreeFamily for ZCube {
    fn plane_counts(&self) -> Result<Counts, FabricProblem> {
        self.closed_form_counts()
    }

    /// The NIC of number e stands on switch ⌊e / n⌋ of the first row and e mod n of the second.
    fn wire_plane(&self, plane: &mut dyn Cabling) -> Result<(), FabricProblem> {
        let side = self.switches_per_row();
        let first = plane.add_switches(side);
        let second = plane.add_switches(side);
        for order in 0..self.endpoints {
            plane.link_endpoint_to_switch(order, first[(order / side) as usize]);
            plane.link_endpoint_to_switch(order, second[(order % side) as usize]);
        }
        for low in &first {
            for high in &second {
                plane.link_switches(*low, *high, 1, LinkClass::Local, self.local_medium);
            }
        }
        Ok(())
    }

    fn ports_per_endpoint(&self) -> u64 {
        2
    }

    /// Square after square from the corner where both rows begin: both ports of one half lie on the
    /// first 0.707 of either row.
    fn narrow_cut_orders(&self) -> Vec<Vec<usize>> {
        let side = self.switches_per_row();
        vec![sort_endpoints_by_key(self.endpoints, |order| (order / side).max(order % side))]
    }
}

/// Two ports of half the rate from each NIC, and twice the ports of a switch.
pub(super) fn zcube_for_request(
    request: &Request<'_>,
) -> Result<Box<dyn NonTreeFamily>, FabricProblem> {
    let radix = request.checked_switch_radix()?.saturating_mul(2);
    let side = match request.requested_sides()? {
        None => None,
        Some([side]) => Some(*side),
        Some(_) => {
            let reason = "a zcube has one side: the switches of a row";
            return Err(FabricProblem::NoSuchSize { reason });
        }
    };
    let (endpoints, link) = (request.endpoints, request.link / 2.0);
    let local_medium = local_medium(request);
    Ok(Box::new(ZCube { endpoints, radix, link, side, local_medium }))
}

#[cfg(test)]
mod tests {
    use super::ZCube;
    use crate::fabric::TierName;
    use crate::fabric::counts::Medium;
    use crate::units::quantity::Bandwidth;

    #[test]
    fn sixteen_thousand_nics_take_256_switches() {
        let link = Bandwidth::from_gigabits(200.0);
        let (side, local_medium) = (None, Medium::Copper);
        let zcube = |endpoints| ZCube { endpoints, radix: 256, link, side, local_medium };
        let counts = zcube(16_384).closed_form_counts().expect("n = 128");
        assert_eq!(counts.switches_in_tier(TierName::Leaf), 256);
        assert_eq!(counts.transceivers_by_rate(), vec![(link, 65_536)]);
        assert_eq!(counts.copper_links(), 16_384);
        assert!(zcube(16_385).closed_form_counts().is_err());
    }
}

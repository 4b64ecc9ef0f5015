//! ZCube (Yan et al., From ATOP to ZCube, SIGCOMM 2025): every NIC has a port on one switch of
//! each of two rows, and every switch of one row has a link to every switch of the other.

use super::family::{Cabling, Family, sorted};
use super::joined::Flat;
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
}

impl ZCube {
    /// Switches and links of the smallest n with n² NICs or more. Links between switches are
    /// copper, as the two rows can stand in the same racks (table 7 of the paper).
    ///
    /// # Errors
    /// No endpoints, or more than (k/2)² of them.
    pub fn counts(&self) -> Result<Counts, FabricProblem> {
        if self.endpoints == 0 {
            return Err(FabricProblem::NoEndpoints);
        }
        let (endpoints, radix) = (self.endpoints, self.radix);
        let side = self.side();
        if 2 * side > u64::from(radix) {
            return Err(FabricProblem::TooManyEndpoints { endpoints, radix, tiers: 1 });
        }
        let between = LinkGroup {
            class: LinkClass::Local,
            count: side * side,
            rate: self.link,
            medium: Medium::Copper,
        };
        let flat = Flat {
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
        Ok(flat.counts(self.bisection()))
    }

    /// What any two halves of the NICs have between them at least, over their bandwidth.
    ///
    /// A cut has α·n switches of one row and β·n of the other on one side. NICs with a port on
    /// either side cost a link each, links between the rows likewise: n²·2(α + β − 2αβ) in all,
    /// least where one half of the NICs has both ports on one side, αβ = 1/2: α = β = 1/√2, and of
    /// the n² links of a half 2(√2 − 1) remain. Of n² places without a NIC each would add one link
    /// on average over all divisions, so N NICs keep no less than 1 − (3 − 2√2)·n²/N.
    fn bisection(&self) -> f64 {
        const LOST: f64 = 3.0 - 2.0 * std::f64::consts::SQRT_2;
        let side = self.side() as f64;
        (1.0 - LOST * side * side / self.endpoints as f64).max(0.0)
    }

    /// Switches n of a row: the least number whose square is no less than the NICs.
    const fn side(&self) -> u64 {
        let side = self.endpoints.isqrt();
        if side * side < self.endpoints { side + 1 } else { side }
    }
}

impl Family for ZCube {
    fn counts(&self) -> Result<Counts, FabricProblem> {
        self.counts()
    }

    /// The NIC of number e stands on switch ⌊e / n⌋ of the first row and e mod n of the second.
    fn wire(&self, plane: &mut dyn Cabling) -> Result<(), FabricProblem> {
        let side = self.side();
        let first = plane.switches(side);
        let second = plane.switches(side);
        for order in 0..self.endpoints {
            plane.host(order, first[(order / side) as usize]);
            plane.host(order, second[(order % side) as usize]);
        }
        for low in &first {
            for high in &second {
                plane.join(*low, *high, 1, LinkClass::Local, Medium::Copper);
            }
        }
        Ok(())
    }

    fn ports(&self) -> u64 {
        2
    }

    /// Square after square from the corner where both rows begin: both ports of one half lie on the
    /// first 0.707 of either row.
    fn halves(&self) -> Vec<Vec<usize>> {
        let side = self.side();
        vec![sorted(self.endpoints, |order| (order / side).max(order % side))]
    }
}

/// Two ports of half the rate from each NIC, and twice the ports of a switch.
pub(super) fn member(request: &Request<'_>) -> Result<Box<dyn Family>, FabricProblem> {
    let radix = request.radix()?.saturating_mul(2);
    request.sides()?; // it has none: refused, not overlooked
    Ok(Box::new(ZCube { endpoints: request.endpoints, radix, link: request.link / 2.0 }))
}

#[cfg(test)]
mod tests {
    use super::{Bandwidth, ZCube};
    use crate::fabric::TierName;

    #[test]
    fn sixteen_thousand_nics_take_256_switches() {
        let link = Bandwidth::gigabits(200.0);
        let counts = ZCube { endpoints: 16_384, radix: 256, link }.counts().expect("n = 128");
        assert_eq!(counts.layer(TierName::Leaf), 256);
        assert_eq!(counts.transceivers_by_rate(), vec![(link, 65_536)]);
        assert_eq!(counts.copper_links(), 16_384);
        assert!(ZCube { endpoints: 16_385, radix: 256, link }.counts().is_err());
    }
}

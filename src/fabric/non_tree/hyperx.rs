//! HyperX (Ahn et al., SC 2009): a grid of switches, fully joined along each dimension.

use super::family::{Cabling, NonTreeFamily, SwitchLayer, attach_endpoints, sort_endpoints_by_key};
use crate::fabric::{Counts, FabricKind, FabricProblem, LinkClass, LinkGroup, Medium, Request};
use crate::units::Bandwidth;

/// A HyperX of given shape.
#[derive(Clone, Debug, PartialEq)]
pub struct HyperX {
    pub endpoints: u64,
    /// Switches S along each dimension, and parallel links K between any two of a line.
    pub dimensions: Vec<(u32, u32)>,
    /// Ports of a switch; those that no other switch takes are for endpoints.
    pub radix: u32,
    /// Rate of every link.
    pub link: Bandwidth,
}

impl HyperX {
    /// Switches Π S and links Π S · Σ (S − 1)·K / 2.
    ///
    /// # Errors
    /// No endpoints, no dimensions, or more endpoints than the free ports.
    pub fn closed_form_counts(&self) -> Result<Counts, FabricProblem> {
        if self.endpoints == 0 {
            return Err(FabricProblem::NoEndpoints);
        }
        if self.dimensions.is_empty() || self.dimensions.iter().any(|(s, k)| *s == 0 || *k == 0) {
            let reason = "a hyperx needs one or more dimensions, each of `1` switch or more and \
                          `1` link or more between two switches";
            return Err(FabricProblem::NoSuchSize { reason });
        }
        let (endpoints, radix) = (self.endpoints, self.radix);
        let too_many = FabricProblem::TooManyEndpoints { endpoints, radix, tiers: 1 };
        let switches = self
            .dimensions
            .iter()
            .try_fold(1_u64, |all, (size, _)| all.checked_mul(u64::from(*size)))
            .filter(|switches| *switches <= MOST_SWITCHES)
            .ok_or(FabricProblem::NoSuchSize { reason: "the hyperx has too many switches" })?;
        let ports: u64 =
            self.dimensions.iter().map(|(size, k)| u64::from(size - 1) * u64::from(*k)).sum();
        let down = u64::from(radix).saturating_sub(ports);
        if down * switches < endpoints {
            return Err(too_many);
        }
        let links = LinkGroup {
            class: LinkClass::Local,
            count: switches * ports / 2,
            rate: self.link,
            medium: Medium::Optical,
        };
        let flat = SwitchLayer {
            kind: FabricKind::HyperX,
            endpoints,
            rails: 1,
            link: self.link,
            switches,
            radix,
            down: down as u32,
            host_links: endpoints,
            host_medium: Medium::Optical,
            other_links: vec![links],
        };
        Ok(flat.into_counts(self.bisection_share(endpoints.div_ceil(switches))))
    }

    /// Links across the middle of the narrowest dimension over the endpoints of one half: a
    /// line of S switches has (S/2)² · K of them, which are S·K / 4 for each of its switches.
    fn bisection_share(&self, per_switch: u64) -> f64 {
        let wide = self.dimensions.iter().filter(|(size, _)| *size > 1);
        let narrowest = wide.map(|(size, k)| f64::from(*size) * f64::from(*k) / 2.0);
        narrowest.fold(f64::INFINITY, f64::min).min(per_switch as f64) / per_switch as f64
    }
}

/// Largest grid that is counted; low enough that no count overflows.
const MOST_SWITCHES: u64 = 1 << 24;

impl NonTreeFamily for HyperX {
    fn plane_counts(&self) -> Result<Counts, FabricProblem> {
        self.closed_form_counts()
    }

    /// Switches, joined to all others of each of their lines.
    fn wire_plane(&self, plane: &mut dyn Cabling) -> Result<(), FabricProblem> {
        let sizes: Vec<u64> = self.dimensions.iter().map(|(size, _)| u64::from(*size)).collect();
        let all = plane.add_switches(sizes.iter().product());
        attach_endpoints(plane, self.endpoints, &all);
        let mut stride = 1;
        for (size, parallel) in &self.dimensions {
            let size = u64::from(*size);
            for place in 0..all.len() as u64 {
                let own = place / stride % size;
                for other in own + 1..size {
                    let [low, high] = [place, place + (other - own) * stride];
                    let ends = (all[low as usize], all[high as usize]);
                    plane.link_switches(
                        ends.0,
                        ends.1,
                        *parallel,
                        LinkClass::Local,
                        Medium::Optical,
                    );
                }
            }
            stride *= size;
        }
        Ok(())
    }

    /// Along each dimension of switches.
    fn narrow_cut_orders(&self) -> Vec<Vec<usize>> {
        let sizes = || self.dimensions.iter().map(|(size, _)| u64::from(*size));
        let switches: u64 = sizes().product();
        let strides = sizes().scan(1, |stride, size| {
            let own = *stride;
            *stride *= size;
            Some((own, size))
        });
        let switch = |order: u64| order * switches / self.endpoints; // as `attach_endpoints` has it
        let along = |(stride, size): (u64, u64)| {
            sort_endpoints_by_key(self.endpoints, |order| switch(order) / stride % size)
        };
        strides.map(along).collect()
    }
}

/// Dimensions: two, or three where two hold too few endpoints.
const DIMENSIONS: [u32; 2] = [2, 3];

/// The smallest regular HyperX with full bisection: S switches along each dimension, at most
/// S/2 endpoints on each, as an endpoint of one half faces S/2 links per switch to the other.
/// A given shape is taken as it is, with endpoints on all ports that are left.
pub(super) fn hyperx_for_request(
    request: &Request<'_>,
) -> Result<Box<dyn NonTreeFamily>, FabricProblem> {
    let radix = request.checked_switch_radix()?;
    let (endpoints, link) = (request.endpoints, request.link);
    if let Some(sides) = request.requested_sides()? {
        let dimensions = sides.iter().map(|side| (*side, 1)).collect();
        return Ok(Box::new(HyperX { endpoints, dimensions, radix, link }));
    }
    let found = DIMENSIONS
        .into_iter()
        .flat_map(|dimensions| (2..=radix).map(move |size| (dimensions, size)))
        .find_map(|(dimensions, size)| {
            let down = (radix.checked_sub(dimensions * (size - 1))?).min(size / 2);
            let seats = u64::from(size).checked_pow(dimensions)?.checked_mul(u64::from(down))?;
            let dimensions = vec![(size, 1); dimensions as usize];
            (seats >= endpoints).then_some(HyperX { endpoints, dimensions, radix, link })
        })
        .ok_or(FabricProblem::TooManyEndpoints { endpoints, radix, tiers: 1 })?;
    Ok(Box::new(found))
}

#[cfg(test)]
mod tests {
    use super::HyperX;
    use crate::units::quantity::Bandwidth;

    fn hyperx(endpoints: u64, dimensions: &[(u32, u32)], radix: u32) -> HyperX {
        let link = Bandwidth::from_gigabits(400.0);
        HyperX { endpoints, dimensions: dimensions.to_vec(), radix, link }
    }

    /// Links found by walking over all pairs of switches.
    fn walked(dimensions: &[(u32, u32)]) -> u64 {
        let switches: u32 = dimensions.iter().map(|(size, _)| size).product();
        let place = |mut index: u32| -> Vec<u32> {
            let digit = |(size, _): &(u32, u32)| {
                let digit = index % size;
                index /= size;
                digit
            };
            dimensions.iter().map(digit).collect()
        };
        let mut links = 0;
        for a in 0..switches {
            for b in 0..a {
                let (a, b) = (place(a), place(b));
                let apart: Vec<usize> = (0..a.len()).filter(|d| a[*d] != b[*d]).collect();
                if let [dimension] = apart[..] {
                    links += u64::from(dimensions[dimension].1);
                }
            }
        }
        links
    }

    #[test]
    fn links_are_those_of_all_lines() {
        for dimensions in [&[(4, 1)][..], &[(4, 2), (5, 1)], &[(2, 3), (3, 1), (4, 2)]] {
            let counts = hyperx(8, dimensions, 32).closed_form_counts().expect("ports suffice");
            assert_eq!(counts.link_count() - 8, walked(dimensions), "{dimensions:?}");
        }
    }

    #[test]
    fn odd_shapes_are_refused() {
        assert!(hyperx(0, &[(4, 1)], 8).closed_form_counts().is_err());
        assert!(hyperx(4, &[], 8).closed_form_counts().is_err());
        assert!(hyperx(4, &[(0, 1)], 8).closed_form_counts().is_err());
        assert!(hyperx(21, &[(4, 1)], 8).closed_form_counts().is_err());
        assert!(hyperx(20, &[(4, 1)], 8).closed_form_counts().is_ok());
        assert!(hyperx(4, &[(u32::MAX, u32::MAX); 3], 8).closed_form_counts().is_err());
    }
}

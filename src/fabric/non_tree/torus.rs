//! Torus: a grid of endpoints, each joined to its neighbours; every line closes to a ring.

use super::family::{
    Cabling, NonTreeFamily, SwitchLayer, ceil_root, check_capacity, sort_endpoints_by_key,
};
use crate::fabric::{Counts, FabricKind, FabricProblem, LinkClass, LinkGroup, Medium, Request};
use crate::units::Bandwidth;

/// A torus without switches.
#[derive(Clone, Debug, PartialEq)]
pub struct Torus {
    /// Endpoints along each dimension.
    pub sizes: Vec<u32>,
    /// Rate of every link.
    pub link: Bandwidth,
}

impl Torus {
    /// Endpoints and links: a ring of s endpoints has s links, of two has one, of one none.
    ///
    /// # Errors
    /// No dimensions, or one of size zero.
    pub fn closed_form_counts(&self) -> Result<Counts, FabricProblem> {
        let endpoints = self
            .sizes
            .iter()
            .try_fold(1_u64, |all, size| all.checked_mul(u64::from(*size)))
            .filter(|endpoints| *endpoints <= MOST_ENDPOINTS)
            .ok_or(FabricProblem::NoSuchSize { reason: "the torus has too many NICs" })?;
        if endpoints == 0 || self.sizes.is_empty() {
            return Err(FabricProblem::NoEndpoints);
        }
        let ring = |size: u32| match size {
            1 => 0,
            2 => 1,
            more => u64::from(more),
        };
        let links: u64 =
            self.sizes.iter().map(|size| endpoints / u64::from(*size) * ring(*size)).sum();
        let direct = LinkGroup {
            class: LinkClass::Direct,
            count: links,
            rate: self.link,
            medium: Medium::Optical,
        };
        let flat = SwitchLayer {
            kind: FabricKind::Torus,
            endpoints,
            rails: 1,
            link: self.link,
            switches: 0,
            radix: 0,
            down: 0,
            host_links: 0,
            host_medium: Medium::Optical,
            other_links: vec![direct],
        };
        Ok(flat.into_counts(self.bisection_share(endpoints)))
    }

    /// Links across the middle of the longest dimension, over the endpoints of one half.
    fn bisection_share(&self, endpoints: u64) -> f64 {
        let longest = self.sizes.iter().copied().max().unwrap_or(1);
        let rings = endpoints / u64::from(longest);
        let cut = if longest > 2 { 2 * rings } else { rings };
        if longest == 1 { 1.0 } else { (2.0 * cut as f64 / endpoints as f64).min(1.0) }
    }
}

/// Largest torus that is counted; low enough that no count overflows.
const MOST_ENDPOINTS: u64 = 1 << 32;

impl NonTreeFamily for Torus {
    fn plane_counts(&self) -> Result<Counts, FabricProblem> {
        self.closed_form_counts()
    }

    /// Endpoints, joined to the next one of each of their rings.
    fn wire_plane(&self, plane: &mut dyn Cabling) -> Result<(), FabricProblem> {
        let endpoints: u64 = self.sizes.iter().map(|size| u64::from(*size)).product();
        let mut stride = 1;
        for size in self.sizes.iter().map(|size| u64::from(*size)) {
            for place in 0..endpoints {
                let own = place / stride % size;
                let next = (own + 1) % size;
                // A ring of two has one link, one of one has none.
                if next != own && (size > 2 || own == 0) {
                    plane.link_endpoints(
                        place,
                        place - own * stride + next * stride,
                        Medium::Optical,
                    );
                }
            }
            stride *= size;
        }
        Ok(())
    }

    /// Along each dimension: two places of a ring are where it is cut.
    fn narrow_cut_orders(&self) -> Vec<Vec<usize>> {
        let sizes = || self.sizes.iter().map(|size| u64::from(*size));
        let strides = sizes().scan(1, |stride, size| {
            let own = *stride;
            *stride *= size;
            Some((own, size))
        });
        let endpoints = sizes().product();
        strides
            .map(|(stride, size)| sort_endpoints_by_key(endpoints, |place| place / stride % size))
            .collect()
    }
}

/// Three dimensions, as near to a cube as possible, or those of the request. It needs no switch, so
/// none can be wrong.
pub(super) fn torus_for_request(
    request: &Request<'_>,
) -> Result<Box<dyn NonTreeFamily>, FabricProblem> {
    match request.checked_switch_radix() {
        Ok(_) | Err(FabricProblem::Radix { .. } | FabricProblem::TooSlow { .. }) => {}
        Err(other) => return Err(other),
    }
    let (endpoints, link) = (request.endpoints, request.link);
    let Some(sizes) = request.requested_sides()? else {
        let first = ceil_root(endpoints, 3);
        let second = ceil_root(endpoints.div_ceil(first), 2);
        let third = endpoints.div_ceil(first * second);
        let sizes = [first, second, third].map(|size| size as u32).to_vec();
        return Ok(Box::new(Torus { sizes, link }));
    };
    check_capacity(endpoints, sizes.iter().map(|size| u64::from(*size)))?;
    Ok(Box::new(Torus { sizes: sizes.to_vec(), link }))
}

#[cfg(test)]
mod tests {
    use super::Torus;
    use crate::units::quantity::Bandwidth;

    #[test]
    fn links_are_those_of_all_rings() {
        let torus = |sizes: &[u32]| {
            let link = Bandwidth::from_gigabits(400.0);
            Torus { sizes: sizes.to_vec(), link }
                .closed_form_counts()
                .map(|c| (c.endpoints, c.link_count()))
        };
        assert_eq!(torus(&[4, 4]), Ok((16, 32)));
        assert_eq!(torus(&[4, 4, 4]), Ok((64, 192)));
        assert_eq!(torus(&[2, 3, 1]), Ok((6, 9)));
        assert_eq!(torus(&[1]), Ok((1, 0)));
        assert!(torus(&[]).is_err());
        assert!(torus(&[4, 0]).is_err());
        assert!(torus(&[u32::MAX, u32::MAX]).is_err());
    }

    #[test]
    fn the_middle_of_a_square_torus_is_four_links_for_each_row_of_two_halves() {
        let link = Bandwidth::from_gigabits(400.0);
        let counts = Torus { sizes: vec![8, 8], link }.closed_form_counts().expect("a torus");
        assert_eq!(counts.across_rails, 0.5);
    }
}

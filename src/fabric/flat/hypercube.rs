//! Hypercube: 2^n endpoints, each joined to the n whose numbers differ from its own in one binary digit.

use super::family::{Cabling, Family};
use super::joined::Flat;
use crate::fabric::{Counts, FabricKind, FabricProblem, LinkClass, LinkGroup, Medium, Request};
use crate::units::Bandwidth;

/// A hypercube without switches.
struct Hypercube {
    dimensions: u32,
    link: Bandwidth,
}

/// Most dimensions that are counted: low enough that no count overflows.
const MOST: u32 = 32;

impl Family for Hypercube {
    /// 2^n endpoints and n·2^(n−1) links; half of the endpoints have one link each to the other half.
    fn counts(&self) -> Result<Counts, FabricProblem> {
        if self.dimensions > MOST {
            return Err(FabricProblem::NoSuchSize { reason: "the hypercube has too many endpoints" });
        }
        let endpoints = 1_u64 << self.dimensions;
        let direct = LinkGroup {
            class: LinkClass::Direct,
            count: endpoints / 2 * u64::from(self.dimensions),
            rate: self.link,
            medium: Medium::Optical,
        };
        let flat = Flat {
            kind: FabricKind::Hypercube,
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
        Ok(flat.counts(1.0))
    }

    fn wire(&self, plane: &mut dyn Cabling) -> Result<(), FabricProblem> {
        for place in 0..1_u64 << self.dimensions {
            for digit in (0..self.dimensions).filter(|digit| place >> digit & 1 == 0) {
                plane.direct(place, place | 1 << digit, Medium::Optical);
            }
        }
        Ok(())
    }
}

/// The smallest that holds the endpoints.
pub(super) fn member(request: &Request<'_>) -> Result<Box<dyn Family>, FabricProblem> {
    let dimensions = request.endpoints.max(1).next_power_of_two().trailing_zeros();
    Ok(Box::new(Hypercube { dimensions, link: request.link }))
}

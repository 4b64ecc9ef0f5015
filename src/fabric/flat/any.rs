//! Counts of any family from one request, with usual shapes where a family needs one.

use super::{Dragonfly, Groups, HammingMesh, HyperX, SlimFly, Torus, ZCube};
use crate::fabric::{Counts, FabricKind, FabricProblem, Medium, Request, tree};

/// Dimensions of a HyperX: two, or three where two hold too few endpoints.
const HYPERX_DIMENSIONS: [u32; 2] = [2, 3];
/// Endpoints of a HammingMesh board along each side: the Hx2Mesh of its authors.
const BOARD_SIDE: u32 = 2;

/// Switches and links of any family: [`tree`] for trees; for the others the smallest member that
/// holds the endpoints, in as many copies as there are planes.
///
/// - A dragonfly has as few balanced groups as possible.
/// - A HyperX is a square or a cube of switches with full bisection.
/// - A ZCube takes two ports of half the rate from each NIC and twice the ports of a switch.
/// - A torus has three dimensions, as near to a cube as possible; it needs no switches.
/// - A HammingMesh has boards of two by two in a square.
///
/// These families have no rails, no oversubscription and no tiers: such settings are not read.
///
/// # Errors
/// Whatever makes the request impossible: see [`FabricProblem`].
pub fn counts(request: &Request<'_>) -> Result<Counts, FabricProblem> {
    let (endpoints, link) = (request.endpoints, request.link);
    let radix = match request.kind {
        FabricKind::RailOnly | FabricKind::RailOptimized | FabricKind::Clos => {
            return tree(request);
        }
        FabricKind::Torus => request.radix().or_else(|problem| match problem {
            FabricProblem::Radix { .. } | FabricProblem::TooSlow { .. } => Ok(0),
            other => Err(other),
        })?,
        _ => request.radix()?,
    };
    let plane = match request.kind {
        FabricKind::Dragonfly => {
            let groups = Groups::Fewest;
            let host_medium = Medium::Optical;
            Dragonfly { endpoints, radix, groups, link, host_medium }.counts()?
        }
        FabricKind::SlimFly => SlimFly { endpoints, radix, link }.counts()?,
        FabricKind::ZCube => {
            ZCube { endpoints, radix: radix.saturating_mul(2), link: link / 2.0 }.counts()?
        }
        FabricKind::HyperX => {
            let mut counts = hyperx(request, radix)?.counts()?;
            counts.tiers.iter_mut().for_each(|tier| tier.radix = radix);
            counts
        }
        FabricKind::Torus => {
            let first = root(endpoints, 3);
            let second = root(endpoints.div_ceil(first), 2);
            let third = endpoints.div_ceil(first * second);
            let sizes = [first, second, third].map(|size| size as u32).to_vec();
            Torus { sizes, link }.counts()?
        }
        _ => {
            let boards = endpoints.div_ceil(u64::from(BOARD_SIDE * BOARD_SIDE));
            let columns = root(boards, 2);
            let rows = boards.div_ceil(columns);
            let side = |boards: u64| u32::try_from(boards).unwrap_or(u32::MAX);
            let boards = (side(columns), side(rows));
            HammingMesh { board: (BOARD_SIDE, BOARD_SIDE), boards, radix, link }.counts()?
        }
    };
    Ok(copies(plane, request))
}

/// The smallest regular HyperX with full bisection: S switches along each dimension, at most
/// S/2 endpoints on each, as an endpoint of one half faces S/2 links per switch to the other.
fn hyperx(request: &Request<'_>, radix: u32) -> Result<HyperX, FabricProblem> {
    let (endpoints, link) = (request.endpoints, request.link);
    HYPERX_DIMENSIONS
        .into_iter()
        .flat_map(|dimensions| (2..=radix).map(move |size| (dimensions, size)))
        .filter_map(|(dimensions, size)| {
            let down = (radix.checked_sub(dimensions * (size - 1))?).min(size / 2);
            let seats = u64::from(size).checked_pow(dimensions)?.checked_mul(u64::from(down))?;
            let dimensions = vec![(size, 1); dimensions as usize];
            let radix = down + dimensions.len() as u32 * (size - 1);
            (seats >= endpoints).then_some(HyperX { endpoints, dimensions, radix, link })
        })
        .next()
        .ok_or(FabricProblem::TooManyEndpoints { endpoints, radix, tiers: 1 })
}

/// All planes together, with the switches named.
fn copies(mut counts: Counts, request: &Request<'_>) -> Counts {
    let planes = u64::from(request.planes);
    counts.planes = request.planes;
    for tier in &mut counts.tiers {
        tier.model = request.model().to_owned();
        tier.count *= planes;
        tier.ports_used *= planes;
    }
    counts.host_links *= planes;
    counts.leaf_spine_links *= planes;
    counts.spine_core_links *= planes;
    counts.other_links.iter_mut().for_each(|group| group.count *= planes);
    counts
}

/// The least whole number whose `power`-th power is no less than `value`.
fn root(value: u64, power: u32) -> u64 {
    (1..).find(|root: &u64| root.saturating_pow(power) >= value).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::{FabricKind, Request, counts, root};
    use crate::fabric::SwitchChoice;
    use crate::units::Bandwidth;

    fn request(kind: FabricKind, endpoints: u64) -> Request<'static> {
        let switch = SwitchChoice::Radix(64);
        Request::new(kind, endpoints, 8, switch, Bandwidth::gigabits(400.0))
    }

    #[test]
    fn every_family_holds_a_thousand_endpoints_within_its_ports() {
        for kind in FabricKind::ALL {
            let counts = counts(&request(kind, 1000)).expect("a thousand endpoints fit");
            assert_eq!(counts.kind, kind);
            assert!(counts.endpoints >= 1000, "{kind}");
            for tier in &counts.tiers {
                let ports = u64::from(tier.radix) * tier.count;
                assert!(tier.ports_used <= ports, "{kind}: {tier:?}");
            }
            let twice = super::counts(&request(kind, 1000).in_planes(2)).expect("two planes");
            assert_eq!(twice.planes, 2, "{kind}");
            assert_eq!(twice.endpoints, counts.endpoints, "{kind}");
        }
    }

    #[test]
    fn too_many_endpoints_are_refused_and_not_counted_wrongly() {
        for kind in FabricKind::ALL {
            assert!(counts(&request(kind, 0)).is_err(), "{kind}");
            assert!(counts(&request(kind, u64::MAX)).is_err(), "{kind}");
        }
        assert_eq!([0, 1, 8, 9].map(|value| root(value, 3)), [1, 1, 2, 3]);
    }

    #[test]
    fn the_hyperx_has_full_bisection() {
        let counts = counts(&request(FabricKind::HyperX, 4096)).expect("two dimensions");
        assert!(counts.across_rails >= 1.0, "{counts:?}");
    }
}

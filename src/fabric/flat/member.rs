//! The member of a family that serves a request, with usual sides where none are given.

use super::{Dragonfly, Groups, HammingMesh, HyperX, SlimFly, Torus, ZCube};
use crate::fabric::{Counts, FabricKind, FabricProblem, Medium, Request};

/// Dimensions of a HyperX: two, or three where two hold too few endpoints.
const HYPERX_DIMENSIONS: [u32; 2] = [2, 3];
/// Endpoints of a HammingMesh board along each side: the Hx2Mesh of its authors.
const BOARD_SIDE: u32 = 2;

/// One plane of a fabric that is no tree.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::fabric) enum Member {
    /// Groups of switches.
    Dragonfly(Dragonfly),
    /// Switches two links apart.
    SlimFly(SlimFly),
    /// A grid of switches, fully joined along each dimension.
    HyperX(HyperX),
    /// Two rows of switches.
    ZCube(ZCube),
    /// Rings of endpoints.
    Torus(Torus),
    /// Boards joined by switches.
    HammingMesh(HammingMesh),
}

impl Member {
    /// The smallest member of the request's family that holds its endpoints, or the one of its
    /// shape.
    pub(in crate::fabric) fn of(request: &Request<'_>) -> Result<Self, FabricProblem> {
        let (endpoints, link) = (request.endpoints, request.link);
        let radix = match request.kind {
            FabricKind::Torus => request.radix().or_else(|problem| match problem {
                FabricProblem::Radix { .. } | FabricProblem::TooSlow { .. } => Ok(0),
                other => Err(other),
            })?,
            _ => request.radix()?,
        };
        let shape = request.sides()?;
        match request.kind {
            FabricKind::Dragonfly => {
                let groups = Groups::Fewest;
                let host_medium = Medium::Optical;
                Ok(Self::Dragonfly(Dragonfly { endpoints, radix, groups, link, host_medium }))
            }
            FabricKind::SlimFly => Ok(Self::SlimFly(SlimFly { endpoints, radix, link })),
            FabricKind::ZCube => {
                let radix = radix.saturating_mul(2);
                Ok(Self::ZCube(ZCube { endpoints, radix, link: link / 2.0 }))
            }
            FabricKind::HyperX => hyperx(request, radix, shape).map(Self::HyperX),
            FabricKind::Torus => torus(request, shape).map(Self::Torus),
            FabricKind::HammingMesh => mesh(request, radix, shape).map(Self::HammingMesh),
            FabricKind::RailOnly | FabricKind::RailOptimized | FabricKind::Clos => {
                Err(FabricProblem::NoSuchSize { reason: "trees of switches are counted as trees" })
            }
        }
    }

    /// Switches and links of one plane.
    pub(in crate::fabric) fn counts(&self) -> Result<Counts, FabricProblem> {
        match self {
            Self::Dragonfly(of) => of.counts(),
            Self::SlimFly(of) => of.counts(),
            Self::HyperX(of) => of.counts(),
            Self::ZCube(of) => of.counts(),
            Self::Torus(of) => of.counts(),
            Self::HammingMesh(of) => of.counts(),
        }
    }
}

/// The smallest regular HyperX with full bisection: S switches along each dimension, at most
/// S/2 endpoints on each, as an endpoint of one half faces S/2 links per switch to the other.
/// A given shape is taken as it is, with endpoints on all ports that are left.
fn hyperx(
    request: &Request<'_>,
    radix: u32,
    shape: Option<&[u32]>,
) -> Result<HyperX, FabricProblem> {
    let (endpoints, link) = (request.endpoints, request.link);
    if let Some(sides) = shape {
        let dimensions = sides.iter().map(|side| (*side, 1)).collect();
        return Ok(HyperX { endpoints, dimensions, radix, link });
    }
    HYPERX_DIMENSIONS
        .into_iter()
        .flat_map(|dimensions| (2..=radix).map(move |size| (dimensions, size)))
        .find_map(|(dimensions, size)| {
            let down = (radix.checked_sub(dimensions * (size - 1))?).min(size / 2);
            let seats = u64::from(size).checked_pow(dimensions)?.checked_mul(u64::from(down))?;
            let dimensions = vec![(size, 1); dimensions as usize];
            (seats >= endpoints).then_some(HyperX { endpoints, dimensions, radix, link })
        })
        .ok_or(FabricProblem::TooManyEndpoints { endpoints, radix, tiers: 1 })
}

/// Three dimensions, as near to a cube as possible.
fn torus(request: &Request<'_>, shape: Option<&[u32]>) -> Result<Torus, FabricProblem> {
    let (endpoints, link) = (request.endpoints, request.link);
    let Some(sizes) = shape else {
        let first = root(endpoints, 3);
        let second = root(endpoints.div_ceil(first), 2);
        let third = endpoints.div_ceil(first * second);
        let sizes = [first, second, third].map(|size| size as u32).to_vec();
        return Ok(Torus { sizes, link });
    };
    holds(endpoints, sizes.iter().map(|size| u64::from(*size)))?;
    Ok(Torus { sizes: sizes.to_vec(), link })
}

/// Boards of two by two in a square. A given shape is boards in a row and in a column, or the two
/// sides of a board before those.
fn mesh(
    request: &Request<'_>,
    radix: u32,
    shape: Option<&[u32]>,
) -> Result<HammingMesh, FabricProblem> {
    let (endpoints, link) = (request.endpoints, request.link);
    let (board, boards) = match shape {
        None => {
            let boards = endpoints.div_ceil(u64::from(BOARD_SIDE * BOARD_SIDE));
            let columns = root(boards, 2);
            let rows = boards.div_ceil(columns);
            let side = |boards: u64| u32::try_from(boards).unwrap_or(u32::MAX);
            ((BOARD_SIDE, BOARD_SIDE), (side(columns), side(rows)))
        }
        Some([columns, rows]) => ((BOARD_SIDE, BOARD_SIDE), (*columns, *rows)),
        Some([width, height, columns, rows]) => ((*width, *height), (*columns, *rows)),
        Some(_) => {
            let reason = "a hamming-mesh has two sides in boards, after two of a board in NICs \
                          where those are not `2x2`: write `16x16` or `4x4x8x8`";
            return Err(FabricProblem::NoSuchSize { reason });
        }
    };
    holds(endpoints, [board.0, board.1, boards.0, boards.1].map(u64::from).into_iter())?;
    Ok(HammingMesh { board, boards, radix, link })
}

/// Refuses a shape that has too few places.
fn holds(endpoints: u64, sides: impl Iterator<Item = u64>) -> Result<(), FabricProblem> {
    let places = sides.fold(1_u64, u64::saturating_mul);
    if places >= endpoints {
        return Ok(());
    }
    Err(FabricProblem::NoSuchSize { reason: "the shape has fewer places than there are endpoints" })
}

/// The least whole number whose `power`-th power is no less than `value`.
fn root(value: u64, power: u32) -> u64 {
    (1..).find(|root: &u64| root.saturating_pow(power) >= value).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::root;

    #[test]
    fn roots_are_rounded_up() {
        assert_eq!([0, 1, 8, 9].map(|value| root(value, 3)), [1, 1, 2, 3]);
    }
}

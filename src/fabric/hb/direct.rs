//! Domains without chips: full mesh, square of rows and columns, torus, ring (docs/equations.md
//! §12.4 to 15.7).

use super::nouns::{HbCounts, HbRequest};
use super::problem::HbProblem;
use crate::fabric::striping::ascending_divisors;

/// A domain in which every GPU has `lanes` links to each of so many neighbours.
fn count_direct_domain(request: &HbRequest, neighbours: u64) -> Result<HbCounts, HbProblem> {
    let HbRequest { gpus, links, .. } = *request;
    let most = u64::from(links).checked_div(neighbours).unwrap_or(u64::from(links));
    let asked = request.lanes.map_or(most, u64::from);
    if most == 0 || asked == 0 || asked > most {
        return Err(HbProblem::Neighbours { gpus, neighbours, links });
    }
    let lanes = u32::try_from(asked).unwrap_or(u32::MAX);
    // Each link has two ends.
    let gpu_links = asked * neighbours * u64::from(gpus) / 2;
    let usable = (asked * neighbours) as f64 / f64::from(links);
    Ok(HbCounts {
        request: *request,
        levels: 0,
        leaf_chips: 0,
        spine_chips: 0,
        planes: 1,
        lanes,
        pod: gpus,
        gpu_links,
        long_links: 0,
        free_ports: 0,
        all_to_all: usable,
        neighbours: usable,
    })
}

/// Every GPU joined to every other one, m = ⌊ℓ/(K−1)⌋ links to each.
pub(super) fn full_mesh(request: &HbRequest) -> Result<HbCounts, HbProblem> {
    count_direct_domain(request, u64::from(request.gpus - 1))
}

/// a×a GPUs, each joined to the others of its row and of its column: an all-to-all goes 2a/(a+1)
/// links far on average.
pub(super) fn mesh_2d(request: &HbRequest) -> Result<HbCounts, HbProblem> {
    let side = request.gpus.isqrt();
    if side < 2 || side * side != request.gpus {
        return Err(HbProblem::Square { gpus: request.gpus });
    }
    let counts = count_direct_domain(request, 2 * u64::from(side - 1))?;
    let far = 2.0 * f64::from(side) / f64::from(side + 1);
    Ok(HbCounts { all_to_all: counts.all_to_all / far, ..counts })
}

/// A grid as cubic as it can be, closed to rings: 6 neighbours. A message goes h = s/4 links far on
/// average along a ring of s GPUs, (s² − 1)/(4s) where s is odd, and the longest ring binds.
pub(super) fn count_torus_domain(request: &HbRequest) -> Result<HbCounts, HbProblem> {
    let [.., longest] = torus_sides(request.gpus).ok_or(HbProblem::Grid { gpus: request.gpus })?;
    let counts = count_direct_domain(request, 6)?;
    let side = f64::from(longest);
    let far = if longest % 2 == 0 { side / 4.0 } else { (side * side - 1.0) / (4.0 * side) };
    let share = (1.0 / (3.0 * far)).min(1.0);
    Ok(HbCounts { all_to_all: counts.all_to_all * share, ..counts })
}

/// The sides of the grid of least difference, shortest first; `None` where a side would be 1.
pub(super) fn torus_sides(gpus: u32) -> Option<[u32; 3]> {
    let each = ascending_divisors(gpus).into_iter().filter(|first| *first >= 2).flat_map(|first| {
        let rest = gpus / first;
        let pairs =
            ascending_divisors(rest).into_iter().map(move |second| [first, second, rest / second]);
        pairs.filter(|[first, second, third]| first <= second && second <= third)
    });
    each.min_by_key(|[shortest, _, longest]| longest - shortest)
}

/// A ring on which each GPU has h neighbours on either side. A cut in half is crossed by h(h+1)/2
/// pairs of neighbours at either end, and half of an all-to-all crosses it.
pub(super) fn count_ring_domain(request: &HbRequest) -> Result<HbCounts, HbProblem> {
    let HbRequest { gpus, hops, .. } = *request;
    if hops == 0 || u64::from(gpus) <= 2 * u64::from(hops) {
        return Err(HbProblem::Ring { gpus, hops });
    }
    let counts = count_direct_domain(request, 2 * u64::from(hops))?;
    let share = 2.0 * f64::from(hops + 1) / f64::from(gpus);
    Ok(HbCounts { all_to_all: counts.all_to_all * share.min(1.0), ..counts })
}

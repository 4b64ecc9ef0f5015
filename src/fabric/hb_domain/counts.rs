//! Parts of HB domains, switched or wired directly, counted.

use super::request::{HbCounts, HbProblem, HbRequest};
use crate::fabric::ratio::ascending_divisors;
use crate::hardware::Striping;

pub(super) fn count_switched_domain(request: &HbRequest) -> Result<HbCounts, HbProblem> {
    if request.ports == 0 || request.taper == 0 {
        return Err(HbProblem::Nothing);
    }
    if request.twin {
        return count_twin_domain(request);
    }
    match request.levels {
        Some(2) => count_two_levels(request),
        Some(_) => count_one_level(request),
        None if request.gpus <= request.ports => count_one_level(request),
        None => count_two_levels(request),
    }
}

/// What holds of every domain of chips: each GPU's links end at chips, at full rate.
const fn base_counts(request: &HbRequest) -> HbCounts {
    HbCounts {
        request: *request,
        levels: 1,
        leaf_chips: 0,
        spine_chips: 0,
        planes: 1,
        lanes: 1,
        pod: request.gpus,
        gpu_links: request.gpus as u64 * request.links as u64,
        long_links: 0,
        free_ports: 0,
        all_to_all: 1.0,
        neighbours: 1.0,
    }
}

/// c = ⌈ℓ/m⌉ chips, m = ⌊k/K⌋ links of each GPU to one of them.
fn count_one_level(request: &HbRequest) -> Result<HbCounts, HbProblem> {
    let HbRequest { gpus, links, ports, .. } = *request;
    let most = ports / gpus;
    if most == 0 || request.lanes.is_some_and(|lanes| lanes > most || lanes == 0) {
        return Err(HbProblem::OneLevel { gpus, ports });
    }
    let lanes = request.lanes.unwrap_or(most).min(links);
    let all = base_counts(request).gpu_links;
    let chips = match request.striping {
        Striping::Ports => all.div_ceil(u64::from(ports)),
        Striping::Even | Striping::Uneven => u64::from(links.div_ceil(lanes)),
    };
    let planes = u32::try_from(chips).unwrap_or(u32::MAX);
    let lanes = lanes.max(links.div_ceil(planes.max(1)));
    let free_ports = chips * u64::from(ports) - all;
    Ok(HbCounts { leaf_chips: chips, planes, lanes, free_ports, ..base_counts(request) })
}

/// Two halves, each with chips of its own, half of whose ports face the chip's twin.
fn count_twin_domain(request: &HbRequest) -> Result<HbCounts, HbProblem> {
    let HbRequest { gpus, links, ports, .. } = *request;
    let half = gpus / 2;
    let most = (ports / 2).checked_div(half).unwrap_or(0);
    if !gpus.is_multiple_of(2) || most == 0 || request.lanes.is_some_and(|m| m == 0 || m > most) {
        return Err(HbProblem::Twin { gpus, ports });
    }
    let lanes = request.lanes.unwrap_or(most).min(links);
    let planes = links.div_ceil(lanes);
    let chips = 2 * u64::from(planes);
    // A chip has as many links to its twin as to GPUs: what its GPUs send can all go across.
    let long_links = u64::from(half) * u64::from(links);
    let free_ports = chips * u64::from(ports) - base_counts(request).gpu_links - 2 * long_links;
    Ok(HbCounts {
        leaf_chips: chips,
        planes,
        lanes,
        pod: half,
        long_links,
        free_ports,
        ..base_counts(request)
    })
}

/// The two levels of fewest chips, then of largest pods, over all pods and lanes that are allowed.
fn count_two_levels(request: &HbRequest) -> Result<HbCounts, HbProblem> {
    let pods = ascending_divisors(request.gpus).into_iter().filter(|pod| *pod < request.gpus);
    let pods = pods.filter(|pod| request.pod.is_none_or(|asked| asked == *pod));
    let lanes = ascending_divisors(request.links);
    let lanes = || lanes.iter().filter(|count| request.lanes.is_none_or(|asked| asked == **count));
    let each = pods.flat_map(|pod| {
        let even = lanes().filter_map(move |lanes| count_striped_domain(request, pod, *lanes));
        let by_ports = (request.striping == Striping::Ports).then(|| counts_by_ports(request, pod));
        even.filter(|_| request.striping != Striping::Ports).chain(by_ports.flatten())
    });
    let best = each.min_by_key(|counts| {
        (counts.chips_needed(), std::cmp::Reverse((counts.pod, counts.lanes)))
    });
    best.ok_or(HbProblem::TwoLevels {
        gpus: request.gpus,
        ports: request.ports,
        taper: request.taper,
    })
}

/// Pods of p GPUs with m links of each to one chip: s = ℓ/m planes of K/p chips, each with d = m·p
/// links down and u = d/ω up, and q chips above.
fn count_striped_domain(request: &HbRequest, pod: u32, lanes: u32) -> Option<HbCounts> {
    let ports = u64::from(request.ports);
    let down = u64::from(lanes) * u64::from(pod);
    let up = down / u64::from(request.taper);
    if up == 0 || up * u64::from(request.taper) != down || down + up > ports {
        return None;
    }
    let planes = request.links / lanes;
    let leafs = u64::from(request.gpus / pod);
    let least = (leafs * up).div_ceil(ports);
    let spines = match request.striping {
        // A chip of the second level has as many links to one below as to another.
        Striping::Even => {
            let divisors = ascending_divisors(u32::try_from(up).ok()?).into_iter().map(u64::from);
            divisors.into_iter().find(|count| *count >= least)?
        }
        Striping::Uneven | Striping::Ports => least,
    };
    if spines > up {
        return None;
    }
    let long_links = u64::from(planes) * leafs * up;
    let (leaf_chips, spine_chips) = (u64::from(planes) * leafs, u64::from(planes) * spines);
    let gpu_links = base_counts(request).gpu_links;
    let used = gpu_links + 2 * long_links;
    Some(HbCounts {
        levels: 2,
        leaf_chips,
        spine_chips,
        planes,
        lanes,
        pod,
        long_links,
        free_ports: (leaf_chips + spine_chips) * ports - used,
        all_to_all: 1.0 / f64::from(request.taper),
        ..base_counts(request)
    })
}

/// Pods whose chips are as few as their ports allow, and as few chips above.
fn counts_by_ports(request: &HbRequest, pod: u32) -> Option<HbCounts> {
    let ports = u64::from(request.ports);
    let down = u64::from(pod) * u64::from(request.links);
    let up = down / u64::from(request.taper);
    if up == 0 || up * u64::from(request.taper) != down {
        return None;
    }
    let pods = u64::from(request.gpus / pod);
    let (each, long_links) = ((down + up).div_ceil(ports), pods * up);
    let (leaf_chips, spine_chips) = (pods * each, long_links.div_ceil(ports));
    // A chip of each pod to a plane, where that comes out even; else every chip of the first level
    // reaches every one above, or a message would have no way.
    let apart = spine_chips.is_multiple_of(each) && up.is_multiple_of(each);
    let planes = if apart { each } else { 1 };
    if up / each < spine_chips / planes {
        return None;
    }
    let gpu_links = base_counts(request).gpu_links;
    let lanes = u64::from(request.links).div_ceil(each);
    Some(HbCounts {
        levels: 2,
        leaf_chips,
        spine_chips,
        planes: u32::try_from(planes).unwrap_or(u32::MAX),
        lanes: u32::try_from(lanes).unwrap_or(u32::MAX),
        pod,
        long_links,
        free_ports: (leaf_chips + spine_chips) * ports - gpu_links - 2 * long_links,
        all_to_all: 1.0 / f64::from(request.taper),
        ..base_counts(request)
    })
}

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

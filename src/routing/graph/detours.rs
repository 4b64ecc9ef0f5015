//! Detours: a share of every message goes by a switch drawn at random, all switches alike often
//! (Valiant, SIAM J. Comput. 11, 1982), the rest by the shortest ways. Adaptive routing chooses the
//! share packet by packet (UGAL; Kim et al., ISCA 2008); here all messages of a call have the one
//! that leaves the slowest link the fastest.

use std::collections::BTreeMap;

use super::GeneralGraph;
use super::distances::{Distances, ShortestPathLoads, seat_places};
use crate::units::ROUNDING;

/// Bytes on links, one by one.
pub(super) struct DetourLoads {
    /// On all links of each cable, forth and back.
    pub(super) cables: Vec<[f64; 2]>,
    /// On ports of NICs, out and in, by NIC and place.
    pub(super) ports: BTreeMap<(u32, usize), [f64; 2]>,
}

impl DetourLoads {
    /// Nothing yet.
    pub(super) fn new_without_bytes(web: &GeneralGraph) -> Self {
        Self { cables: vec![[0.0; 2]; web.cables.len()], ports: BTreeMap::new() }
    }

    /// The share of detours, from 0 to 1, with which the slowest link takes least, and what links
    /// carry then; these bytes are those of the shortest ways. Of equal shares the least.
    pub(super) fn best_detour_mix(self, web: &GeneralGraph, around: &Self) -> (Self, f64) {
        let mut lines: Vec<(f64, f64)> = Vec::new();
        let mut add = |[a, b]: [f64; 2], [c, d]: [f64; 2], rate: f64| {
            lines.extend([(a / rate, c / rate), (b / rate, d / rate)]);
        };
        for ((.., cable), (own, other)) in
            web.cables.iter().zip(self.cables.iter().zip(&around.cables))
        {
            add(*own, *other, web.link_rate(cable).get() * f64::from(cable.links));
        }
        for (_, own, other) in merge_port_bytes(&self.ports, &around.ports) {
            add(own, other, web.link.get());
        }
        let share = least_slowest(&lines);
        if share <= 0.0 {
            return (self, 0.0);
        }
        let mix = |own: [f64; 2], other: [f64; 2]| {
            [0, 1].map(|way| own[way] * (1.0 - share) + other[way] * share)
        };
        let cables = self.cables.iter().zip(&around.cables).map(|(own, values)| mix(*own, *values));
        let ports = merge_port_bytes(&self.ports, &around.ports)
            .map(|(port, own, values)| (port, mix(own, values)));
        (Self { cables: cables.collect(), ports: ports.collect() }, share)
    }
}

/// A port with what it carries of each of two.
type Port = ((u32, usize), [f64; 2], [f64; 2]);

/// All ports of either.
fn merge_port_bytes<'a>(
    one: &'a BTreeMap<(u32, usize), [f64; 2]>,
    other: &'a BTreeMap<(u32, usize), [f64; 2]>,
) -> impl Iterator<Item = Port> + 'a {
    let get = |table: &BTreeMap<(u32, usize), [f64; 2]>, port| table.get(port).copied();
    let first = one.iter().map(move |(port, own)| {
        let around = get(other, port).unwrap_or_default();
        (*port, *own, around)
    });
    let rest = other.iter().filter(move |(port, _)| !one.contains_key(port));
    first.chain(rest.map(|(port, around)| (*port, [0.0; 2], *around)))
}

/// The v from 0 to 1 at which the largest of (1 − v)·a + v·b over all lines is least. The largest
/// is a convex function of v, so thirds close in on it.
fn least_slowest(lines: &[(f64, f64)]) -> f64 {
    const STEPS: u32 = 80;
    // A line that is nowhere above what some line never falls below is never the largest.
    let floor = lines.iter().map(|(a, b)| a.min(*b)).fold(0.0, f64::max);
    let mut lines: Vec<(f64, f64)> =
        lines.iter().copied().filter(|(a, b)| a.max(*b) >= floor).collect();
    lines.sort_by(|x, y| x.0.total_cmp(&y.0).then(x.1.total_cmp(&y.1)));
    lines.dedup();
    let slowest = |v: f64| lines.iter().map(|(a, b)| a + (b - a) * v).fold(0.0, f64::max);
    let (mut low, mut high) = (0.0_f64, 1.0_f64);
    for _ in 0..STEPS {
        let third = (high - low) / 3.0;
        let (left, right) = (low + third, high - third);
        if slowest(left) <= slowest(right) { high = right } else { low = left }
    }
    let found = low.midpoint(high);
    if slowest(found) < slowest(0.0) * (1.0 - ROUNDING) { found } else { 0.0 }
}

/// What classes of NICs send to others and receive from them.
pub(super) struct NicTotals {
    /// By class: out and in.
    pub(super) classes: BTreeMap<u32, [f64; 2]>,
    pub(super) nics: BTreeMap<u32, [f64; 2]>,
}

/// What links carry where everything goes by a switch drawn at random: to it, and back from it, by
/// ways that are shortest, spread evenly.
pub(super) fn loads_with_detours(web: &GeneralGraph, totals: &NicTotals) -> DetourLoads {
    let mut carried = DetourLoads::new_without_bytes(web);
    let mut reach = Distances::new(web);
    // Switches that each class reaches, and by which of its ports, with how many of them.
    let mut doors: BTreeMap<u32, BTreeMap<u64, u32>> = BTreeMap::new();
    let mut reached: BTreeMap<u32, u32> = BTreeMap::new();
    for middle in web.switch_nodes() {
        reach.walk_all(web, *middle);
        let classes = totals.classes.keys();
        let here = classes.filter(|class| reach.nearest_seats(web, **class).is_some());
        here.for_each(|class| *reached.entry(*class).or_default() += 1);
        let all = web.switch_nodes().iter().all(|count| reach.hop_distance(*count).is_some());
        if all && reached.len() == totals.classes.len() {
            // In one piece: each class reaches every switch.
            reached.values_mut().for_each(|count| *count = web.switch_nodes().len() as u32);
            break;
        }
    }
    let each: BTreeMap<u32, f64> =
        reached.iter().map(|(count, switches)| (*count, 1.0 / f64::from(*switches))).collect();
    let mut descent = ShortestPathLoads::new(web);
    for middle in web.switch_nodes() {
        reach.walk_all(web, *middle);
        for (class, bytes) in &totals.classes {
            let Some((mask, _)) = reach.nearest_seats(web, *class) else { continue };
            *doors.entry(*class).or_default().entry(mask).or_default() += 1;
            let share = each[class] / f64::from(mask.count_ones());
            for place in seat_places(mask) {
                let seat = web.seats[*class as usize][place];
                descent.add_arriving_bytes(&reach, seat, bytes.map(|value| value * share));
            }
        }
        descent.carry_to_start(web, &reach, |hop, [out, back]| {
            let cable = &mut carried.cables[hop.cable as usize];
            cable[usize::from(!hop.forth)] += out;
            cable[usize::from(hop.forth)] += back;
        });
    }
    for (nic, bytes) in &totals.nics {
        let class = web.nic_class(*nic as usize);
        for (mask, middles) in doors.get(&class).into_iter().flatten() {
            let share = f64::from(*middles) * each[&class] / f64::from(mask.count_ones());
            for place in seat_places(*mask) {
                let port = carried.ports.entry((*nic, place)).or_default();
                port[0] += bytes[0] * share;
                port[1] += bytes[1] * share;
            }
        }
    }
    carried
}

#[cfg(test)]
mod tests {
    use super::least_slowest;

    /// By hand: (1 − v)·2 and 2·v cross at 1/2; a share that gains nothing is none.
    #[test]
    fn the_share_is_where_the_slowest_of_both_is_least() {
        let half = least_slowest(&[(2.0, 0.0), (0.0, 2.0)]);
        assert!((half - 0.5).abs() < 1e-9, "{half}");
        let two_thirds = least_slowest(&[(2.0, 1.0), (0.0, 2.0)]);
        assert!((two_thirds - 2.0 / 3.0).abs() < 1e-9, "{two_thirds}");
        assert_eq!(least_slowest(&[(1.0, 1.0), (0.5, 2.0)]), 0.0);
        assert_eq!(least_slowest(&[]), 0.0);
    }
}

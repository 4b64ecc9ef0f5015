//! Dragonfly (Kim et al., ISCA 2008), its global links laid round in circles.

use petgraph::graph::NodeIndex;

use super::super::wiring::Wiring;
use super::place::{attach, switches};
use crate::fabric::{Counts, Dragonfly, LinkClass, Medium};

/// Groups of fully joined switches; every group has as many links to each other group, or one
/// more to some: those at the same distances round the circle of groups, so that what leads to
/// the right of one comes from the left of another.
pub(super) fn wire(wiring: &mut Wiring, of: &Dragonfly, counts: &Counts, planes: u32) {
    let global = (of.radix + 1) / 4;
    let size = 2 * global; // switches of a group
    let all = switches(wiring, counts.switches() / u64::from(planes));
    attach(wiring, of.endpoints, &all);
    let groups: Vec<&[NodeIndex]> = all.chunks(size as usize).collect();
    for group in &groups {
        for (place, low) in group.iter().enumerate() {
            for high in &group[place + 1..] {
                wiring.join(*low, *high, 1, LinkClass::Local, Medium::Copper);
            }
        }
    }
    let count = groups.len();
    let ports = (size * global) as usize; // global ports of a group
    for (group, mine) in groups.iter().enumerate() {
        for (port, distance) in distances(count, ports).into_iter().enumerate() {
            let other = (group + distance) % count;
            // The same link as seen from there: as often before it at the opposite distance.
            let back = opposite(count, ports, port);
            if (group, port) < (other, back) {
                let low = mine[port / global as usize];
                let high = groups[other][back / global as usize];
                wiring.join(low, high, 1, LinkClass::Global, Medium::Optical);
            }
        }
    }
}

/// How far round the circle of groups each global port of a group leads: all distances as often
/// as they fit, then the shortest both ways, and half the circle where an odd one is left.
fn distances(groups: usize, ports: usize) -> Vec<usize> {
    let others = groups.saturating_sub(1);
    if others == 0 {
        return Vec::new();
    }
    let mut distances: Vec<usize> = (0..ports / others).flat_map(|_| 1..=others).collect();
    let rest = ports % others;
    let half = rest / 2;
    distances.extend(1..=half);
    // Odd only where the number of groups is even, as the ports of a group are.
    distances.extend((rest % 2 == 1).then_some(groups / 2));
    distances.extend(groups - half..groups);
    distances
}

/// The port at the other end of the link at `port`.
fn opposite(groups: usize, ports: usize, port: usize) -> usize {
    let others = groups - 1;
    let round = port / others;
    // The distances of a round, the last and shorter one too, are the same read backwards.
    let length = others.min(ports - round * others);
    round * others + length - 1 - port % others
}

#[cfg(test)]
mod tests {
    use super::{distances, opposite};

    #[test]
    fn a_link_is_the_same_from_either_end() {
        for groups in 2..40 {
            for global in 1..6 {
                let ports = 2 * global * global;
                if groups > ports + 1 {
                    continue;
                }
                let there = distances(groups, ports);
                assert_eq!(there.len(), ports, "{groups} {ports}");
                for (port, distance) in there.iter().enumerate() {
                    let back = opposite(groups, ports, port);
                    assert_eq!(there[back], groups - distance, "{groups} {ports} {port}");
                    assert_eq!(opposite(groups, ports, back), port);
                }
                for other in 1..groups {
                    let links = there.iter().filter(|distance| **distance == other).count();
                    let least = ports / (groups - 1);
                    assert!((least..=least + 1).contains(&links), "{groups} {ports} {other}");
                }
            }
        }
        assert!(distances(1, 8).is_empty());
    }
}

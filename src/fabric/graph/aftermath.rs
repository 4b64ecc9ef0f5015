//! What is left of a fabric after failures: who is cut off, and how much bandwidth remains.

use petgraph::unionfind::UnionFind;

use super::failed_parts::OutOfService;
use super::{FabricGraph, FabricNode, Failure, FailureProblem};
use crate::fabric::TierName;

/// What is left after failures.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Aftermath {
    /// Endpoints without any port left.
    pub cut_off: u64,
    /// Endpoints that lost some of their ports.
    pub degraded: u64,
    /// Endpoints that kept a port, but can't reach most of those that they could reach before.
    pub separated: u64,
    /// HB domains with a NIC that is cut off or separated, ascending: a job on them stops.
    pub stopped: Vec<u32>,
    /// HB domains with a NIC that lost some of its ports, ascending.
    pub weakened: Vec<u32>,
    /// The least share of its links that any NIC in service has left, as (left, of).
    pub least_ports: (u64, u64),
    /// The least share of uplinks that any leaf in service has left, as (left, of).
    pub least_uplinks: (u64, u64),
}

impl Aftermath {
    /// What is left, from the links away from NICs and from switches in service, as (left, of): in
    /// the order of the fabric's nodes, of all that lost some at least. A NIC may also be separated
    /// from the others.
    pub(super) fn from_reachable(
        nics: impl Iterator<Item = (FabricNode, (u64, u64), bool)>,
        switches: impl Iterator<Item = (FabricNode, (u64, u64))>,
    ) -> Self {
        let mut left = Self {
            cut_off: 0,
            degraded: 0,
            separated: 0,
            stopped: Vec::new(),
            weakened: Vec::new(),
            least_ports: (1, 1),
            least_uplinks: (1, 1),
        };
        for (node, (alive, all), separated) in nics {
            left.cut_off += u64::from(alive == 0);
            left.degraded += u64::from(alive > 0 && alive < all);
            left.separated += u64::from(separated);
            if alive > 0 {
                left.least_ports = lesser_share(left.least_ports, (alive, all));
            }
            let FabricNode::Endpoint { domain, .. } = node else { continue };
            if alive == 0 || separated {
                left.stopped.push(domain);
            }
            if alive > 0 && alive < all {
                left.weakened.push(domain);
            }
        }
        left.stopped.dedup();
        left.weakened.dedup();
        for (node, (alive, all)) in switches {
            if matches!(node, FabricNode::Switch { tier: TierName::Leaf, .. }) && all > 0 {
                left.least_uplinks = lesser_share(left.least_uplinks, (alive, all));
            }
        }
        left
    }
}

/// The lesser of two shares, as (left, of); the first of equal ones.
const fn lesser_share(one: (u64, u64), other: (u64, u64)) -> (u64, u64) {
    if other.0 * one.1 < one.0 * other.1 { other } else { one }
}

impl FabricGraph {
    /// What is left when all of the failures hold at once.
    ///
    /// # Errors
    /// A failure that names something this fabric does not have.
    pub fn aftermath_of_failures(&self, failures: &[Failure]) -> Result<Aftermath, FailureProblem> {
        Ok(self.aftermath_of_broken(&self.parts_out_of_service(failures)?))
    }

    /// What is left when these parts are out of service.
    #[must_use]
    pub fn aftermath_of_broken(&self, OutOfService { dead, torn }: &OutOfService) -> Aftermath {
        let nodes = self.graph.node_count();
        let mut before = UnionFind::<usize>::new(nodes);
        let mut after = UnionFind::<usize>::new(nodes);
        let mut ports = vec![(0_u64, 0_u64); nodes];
        for (number, (low, high, cable)) in self.cables().enumerate() {
            let links = u64::from(cable.links);
            let alive = if dead[low] || dead[high] { 0 } else { links - u64::from(torn[number]) };
            before.union(low, high);
            // Of a node's own cables, only those to the layer above lead away from it.
            ports[low].1 += links;
            ports[low].0 += alive;
            if alive > 0 {
                after.union(low, high);
            }
        }
        let separated =
            self.separated_endpoints(before.into_labeling(), after.into_labeling(), &ports);
        let nics = self.endpoints.iter().zip(separated);
        let nics = nics.map(|(node, apart)| (self.graph[*node], ports[node.index()], apart));
        let alive = self.nodes().zip(ports.iter().zip(dead)).filter(|(_, (_, dead))| !**dead);
        Aftermath::from_reachable(nics, alive.map(|(node, (ports, _))| (node, *ports)))
    }

    /// Which endpoints have a port but are not in the largest part that is left of theirs.
    fn separated_endpoints(
        &self,
        before: Vec<usize>,
        after: Vec<usize>,
        ports: &[(u64, u64)],
    ) -> Vec<bool> {
        let mut members = vec![0_u64; after.len()];
        let mut largest = vec![0_u64; before.len()];
        let alive = || {
            let numbers = self.endpoints.iter().map(|node| node.index());
            numbers.filter(|number| ports[*number].0 > 0)
        };
        for number in alive() {
            members[after[number]] += 1;
            let part = &mut largest[before[number]];
            *part = (*part).max(members[after[number]]);
        }
        // Of parts of equal size, all but one are separated from it.
        let mut kept: Vec<Option<usize>> = vec![None; before.len()];
        for number in alive() {
            let home = &mut kept[before[number]];
            let whole = members[after[number]] == largest[before[number]];
            if home.is_none() && whole {
                *home = Some(after[number]);
            }
        }
        let apart = |number: usize| kept[before[number]] != Some(after[number]);
        let numbers = self.endpoints.iter().map(|node| node.index());
        numbers.map(|number| ports[number].0 > 0 && apart(number)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::Aftermath;
    use crate::fabric::graph::fabric_graph::FabricGraph;
    use crate::fabric::graph::failure::{Failure, FailureProblem};
    use crate::fabric::{FabricKind, Request, SwitchChoice};
    use crate::units::Bandwidth;

    fn graph(kind: FabricKind, endpoints: u64, rails: u32, radix: u32, planes: u32) -> FabricGraph {
        let link = Bandwidth::from_gigabits(400.0);
        let switch = SwitchChoice::Radix(radix);
        let request = Request { planes, ..Request::new(kind, endpoints, rails, switch, link) };
        FabricGraph::new(&request).expect("the fabric can be wired")
    }

    #[track_caller]
    fn case(graph: &FabricGraph, failures: &[&str], expected: Aftermath) {
        let failures: Vec<Failure> =
            failures.iter().map(|text| Failure::parse(text).expect("readable")).collect();
        assert_eq!(graph.aftermath_of_failures(&failures), Ok(expected));
    }

    const WHOLE: Aftermath = Aftermath {
        cut_off: 0,
        degraded: 0,
        separated: 0,
        stopped: Vec::new(),
        weakened: Vec::new(),
        least_ports: (1, 1),
        least_uplinks: (1, 1),
    };

    #[test]
    fn a_leaf_cuts_off_its_endpoints_and_a_spine_only_costs_bandwidth() {
        for kind in [FabricKind::Clos, FabricKind::RailOnly] {
            // 32 endpoints of two rails on 8-port switches: leafs of four, four spines or two.
            let graph = graph(kind, 32, 2, 8, 1);
            case(&graph, &[], WHOLE);
            // A leaf holds both rails of two domains, or one rail of four.
            let stopped = if kind == FabricKind::Clos { vec![2, 3] } else { vec![4, 5, 6, 7] };
            case(&graph, &["switch:leaf-1"], Aftermath { cut_off: 4, stopped, ..WHOLE });
            let spines = if kind == FabricKind::Clos { 4 } else { 2 };
            let left = (4 - 4 / spines, 4);
            case(&graph, &["switch:spine-0"], Aftermath { least_uplinks: left, ..WHOLE });
        }
    }

    #[test]
    fn a_second_plane_keeps_endpoints_in_service() {
        let graph = graph(FabricKind::RailOnly, 16, 2, 8, 2);
        let half = Aftermath { least_ports: (1, 2), ..WHOLE };
        let weakened = |degraded, domains: std::ops::Range<u32>| Aftermath {
            degraded,
            weakened: domains.collect(),
            ..half.clone()
        };
        case(&graph, &["switch:leaf-0"], weakened(8, 0..8));
        case(&graph, &["plane:1"], weakened(16, 0..8));
        case(&graph, &["link:gpu-0.0/leaf-0"], weakened(1, 0..1));
        case(
            &graph,
            &["link:leaf-2/gpu-0.0", "switch:leaf-0"],
            Aftermath { cut_off: 1, stopped: vec![0], ..weakened(7, 1..8) },
        );
    }

    #[test]
    fn gpus_domains_and_rails_fail_by_name() {
        let graph = graph(FabricKind::RailOnly, 16, 2, 8, 1);
        let stopped =
            |domains: &[u32], cut_off| Aftermath { cut_off, stopped: domains.to_vec(), ..WHOLE };
        case(&graph, &["gpu:3.1"], stopped(&[3], 1));
        case(&graph, &["gpu:gpu-3.1", "domain:5"], stopped(&[3, 5], 3));
        case(&graph, &["rail:1"], stopped(&[0, 1, 2, 3, 4, 5, 6, 7], 8));
        case(&graph, &["cable:gpu-2.0/leaf-0"], stopped(&[2], 1));
        for (text, what, has) in [
            ("gpu:8.0", "gpu-8.0", "8 domains of 2 rails"),
            ("domain:8", "domain:8", "8 domains"),
            ("plane:1", "plane:1", "1 plane"),
            ("rail:2", "rail:2", "2 rails"),
        ] {
            let failure = Failure::parse(text).expect("readable");
            let problem = FailureProblem::NoSuch { what: what.into(), has: has.into() };
            assert_eq!(graph.aftermath_of_failures(&[failure]), Err(problem));
        }
    }

    #[test]
    fn one_of_several_cables_costs_its_share() {
        // Four leafs of four NICs below two spines: two links to each.
        let graph = graph(FabricKind::Clos, 16, 1, 8, 1);
        let left = Aftermath { least_uplinks: (3, 4), ..WHOLE };
        case(&graph, &["cable:leaf-0/spine-0"], left);
        let left = Aftermath { least_uplinks: (2, 4), ..WHOLE };
        case(&graph, &["cable:leaf-0/spine-0", "cable:spine-0/leaf-0"], left.clone());
        case(&graph, &["link:leaf-0/spine-0"], left);
    }

    #[test]
    fn leafs_without_spines_are_separated() {
        let graph = graph(FabricKind::Clos, 12, 1, 8, 1);
        let all: Vec<String> = (0..2).map(|spine| format!("switch:spine-{spine}")).collect();
        let all: Vec<&str> = all.iter().map(String::as_str).collect();
        let stopped = (4..12).collect();
        let least_uplinks = (0, 4);
        case(&graph, &all, Aftermath { separated: 8, stopped, least_uplinks, ..WHOLE });
    }

    #[test]
    fn what_does_not_exist_can_not_fail() {
        let graph = graph(FabricKind::Clos, 12, 1, 8, 1);
        let fails =
            |text| Failure::parse(text).and_then(|failure| graph.aftermath_of_failures(&[failure]));
        let name = |text: &str| text.to_owned();
        assert_eq!(fails("leaf-3"), Err(FailureProblem::Unreadable(name("leaf-3"))));
        assert_eq!(fails("switch:"), Err(FailureProblem::Unreadable(name("switch:"))));
        assert_eq!(fails("switch:leaf-3"), Err(FailureProblem::NoSuchSwitch(name("leaf-3"))));
        let link = FailureProblem::NoSuchLink(name("leaf-0"), name("leaf-1"));
        assert_eq!(fails("link:leaf-0/leaf-1"), Err(link));
        assert_eq!(fails("switch:gpu-0.0"), Err(FailureProblem::NoSuchSwitch(name("gpu-0.0"))));
    }
}

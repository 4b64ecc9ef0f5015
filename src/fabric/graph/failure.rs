//! What is left of a fabric after failures. How likely they are is not known here.

use std::fmt;

use petgraph::unionfind::UnionFind;

use super::{FabricGraph, Node};
use crate::fabric::TierName;

/// Something that fails, by the names of [`Node::name`].
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Failure {
    /// A switch with all its cables.
    Switch(String),
    /// All links between two nodes.
    Link(String, String),
}

/// Why a failure can't be tried.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FailureProblem {
    /// The text is none of the known forms.
    Unreadable(String),
    /// The fabric has no such switch.
    NoSuchSwitch(String),
    /// The fabric has no link between the two.
    NoSuchLink(String, String),
}

impl fmt::Display for FailureProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable(text) => write!(
                f,
                "`{text}` is not a failure: write `switch:leaf-3` or `link:leaf-3/spine-1`"
            ),
            Self::NoSuchSwitch(name) => write!(
                f,
                "the fabric has no switch `{name}`: switches are named by layer and number from \
                 0, like `leaf-3`"
            ),
            Self::NoSuchLink(a, b) => write!(
                f,
                "no cable joins `{a}` and `{b}`: name the two ends of one, like `leaf-3/spine-1` \
                 or `gpu-0.1/leaf-1`"
            ),
        }
    }
}

impl std::error::Error for FailureProblem {}

impl Failure {
    /// Reads `switch:leaf-3` or `link:leaf-3/spine-1`.
    ///
    /// # Errors
    /// Where the text is neither.
    pub fn parse(text: &str) -> Result<Self, FailureProblem> {
        let unreadable = || FailureProblem::Unreadable(text.to_owned());
        let (kind, rest) = text.split_once(':').ok_or_else(unreadable)?;
        match (kind, rest.split_once('/')) {
            ("switch", None) if !rest.is_empty() => Ok(Self::Switch(rest.to_owned())),
            ("link", Some((a, b))) => Ok(Self::Link(a.to_owned(), b.to_owned())),
            _ => Err(unreadable()),
        }
    }
}

/// What is left after failures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Aftermath {
    /// Endpoints without any port left.
    pub cut_off: u64,
    /// Endpoints that lost some of their ports.
    pub degraded: u64,
    /// Endpoints that kept a port, but can't reach most of those that they could reach before.
    pub separated: u64,
    /// The least share of uplinks that any leaf in service has left, as (left, of).
    pub least_uplinks: (u64, u64),
}

impl FabricGraph {
    /// What is left when all of the failures hold at once.
    ///
    /// # Errors
    /// A failure that names something this fabric does not have.
    pub fn after(&self, failures: &[Failure]) -> Result<Aftermath, FailureProblem> {
        let (dead, torn) = self.find(failures)?;
        let nodes = self.graph.node_count();
        let mut before = UnionFind::<usize>::new(nodes);
        let mut after = UnionFind::<usize>::new(nodes);
        let mut ports = vec![(0_u64, 0_u64); nodes];
        for (number, (low, high, cable)) in self.cables().enumerate() {
            let links = u64::from(cable.links);
            let alive = !dead[low] && !dead[high] && !torn[number];
            before.union(low, high);
            // Of a node's own cables, only those to the layer above lead away from it.
            ports[low].1 += links;
            if alive {
                after.union(low, high);
                ports[low].0 += links;
            }
        }
        let mut left = Aftermath { cut_off: 0, degraded: 0, separated: 0, least_uplinks: (1, 1) };
        for node in &self.endpoints {
            let (alive, all) = ports[node.index()];
            left.cut_off += u64::from(alive == 0);
            left.degraded += u64::from(alive > 0 && alive < all);
        }
        left.separated = self.separated(before.into_labeling(), after.into_labeling(), &ports);
        for (number, node) in self.nodes().enumerate() {
            let leaf = matches!(node, Node::Switch { tier: TierName::Leaf, .. });
            let (alive, all) = ports[number];
            let least = left.least_uplinks;
            if leaf && !dead[number] && all > 0 && alive * least.1 < least.0 * all {
                left.least_uplinks = (alive, all);
            }
        }
        Ok(left)
    }

    /// Nodes that are dead and cables that are torn.
    fn find(&self, failures: &[Failure]) -> Result<(Vec<bool>, Vec<bool>), FailureProblem> {
        let names: Vec<String> = self.nodes().map(Node::name).collect();
        let mut dead = vec![false; names.len()];
        let mut torn = vec![false; self.graph.edge_count()];
        for failure in failures {
            match failure {
                Failure::Switch(name) => {
                    let switch = |(number, known): &(usize, &String)| {
                        known == &name && matches!(self.node(*number), Some(Node::Switch { .. }))
                    };
                    let found = names.iter().enumerate().find(switch);
                    let (number, _) =
                        found.ok_or_else(|| FailureProblem::NoSuchSwitch(name.clone()))?;
                    dead[number] = true;
                }
                Failure::Link(a, b) => {
                    let mut found = false;
                    for (number, (low, high, _)) in self.cables().enumerate() {
                        let ends = [&names[low], &names[high]];
                        if ends == [a, b] || ends == [b, a] {
                            torn[number] = true;
                            found = true;
                        }
                    }
                    if !found {
                        return Err(FailureProblem::NoSuchLink(a.clone(), b.clone()));
                    }
                }
            }
        }
        Ok((dead, torn))
    }

    /// Endpoints with a port that are not in the largest part that is left of theirs.
    fn separated(&self, before: Vec<usize>, after: Vec<usize>, ports: &[(u64, u64)]) -> u64 {
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
        let mut separated = 0;
        for number in alive() {
            let home = &mut kept[before[number]];
            let whole = members[after[number]] == largest[before[number]];
            if home.is_none() && whole {
                *home = Some(after[number]);
            }
        }
        for number in alive() {
            separated += u64::from(kept[before[number]] != Some(after[number]));
        }
        separated
    }
}

#[cfg(test)]
mod tests {
    use super::{Aftermath, FabricGraph, Failure, FailureProblem};
    use crate::fabric::{FabricKind, Request, SwitchChoice};
    use crate::units::Bandwidth;

    fn graph(kind: FabricKind, endpoints: u64, rails: u32, radix: u32, planes: u32) -> FabricGraph {
        let link = Bandwidth::gigabits(400.0);
        let switch = SwitchChoice::Radix(radix);
        let request = Request { planes, ..Request::new(kind, endpoints, rails, switch, link) };
        FabricGraph::new(&request).expect("the fabric can be wired")
    }

    #[track_caller]
    fn case(graph: &FabricGraph, failures: &[&str], expected: Aftermath) {
        let failures: Vec<Failure> =
            failures.iter().map(|text| Failure::parse(text).expect("readable")).collect();
        assert_eq!(graph.after(&failures), Ok(expected));
    }

    const WHOLE: Aftermath =
        Aftermath { cut_off: 0, degraded: 0, separated: 0, least_uplinks: (1, 1) };

    #[test]
    fn a_leaf_cuts_off_its_endpoints_and_a_spine_only_costs_bandwidth() {
        for kind in [FabricKind::Clos, FabricKind::RailOnly] {
            // 32 endpoints of two rails on 8-port switches: leafs of four, four spines or two.
            let graph = graph(kind, 32, 2, 8, 1);
            case(&graph, &[], WHOLE);
            case(&graph, &["switch:leaf-1"], Aftermath { cut_off: 4, ..WHOLE });
            let spines = if kind == FabricKind::Clos { 4 } else { 2 };
            let left = (4 - 4 / spines, 4);
            case(&graph, &["switch:spine-0"], Aftermath { least_uplinks: left, ..WHOLE });
        }
    }

    #[test]
    fn a_second_plane_keeps_endpoints_in_service() {
        let graph = graph(FabricKind::RailOnly, 16, 2, 8, 2);
        case(&graph, &["switch:leaf-0"], Aftermath { degraded: 8, ..WHOLE });
        case(&graph, &["link:gpu-0.0/leaf-0"], Aftermath { degraded: 1, ..WHOLE });
        case(
            &graph,
            &["link:leaf-2/gpu-0.0", "switch:leaf-0"],
            Aftermath { degraded: 7, cut_off: 1, ..WHOLE },
        );
    }

    #[test]
    fn leafs_without_spines_are_separated() {
        let graph = graph(FabricKind::Clos, 12, 1, 8, 1);
        let all: Vec<String> = (0..2).map(|spine| format!("switch:spine-{spine}")).collect();
        let all: Vec<&str> = all.iter().map(String::as_str).collect();
        case(&graph, &all, Aftermath { separated: 8, least_uplinks: (0, 4), ..WHOLE });
    }

    #[test]
    fn what_does_not_exist_can_not_fail() {
        let graph = graph(FabricKind::Clos, 12, 1, 8, 1);
        let fails = |text| Failure::parse(text).and_then(|failure| graph.after(&[failure]));
        let name = |text: &str| text.to_owned();
        assert_eq!(fails("leaf-3"), Err(FailureProblem::Unreadable(name("leaf-3"))));
        assert_eq!(fails("switch:"), Err(FailureProblem::Unreadable(name("switch:"))));
        assert_eq!(fails("switch:leaf-3"), Err(FailureProblem::NoSuchSwitch(name("leaf-3"))));
        let link = FailureProblem::NoSuchLink(name("leaf-0"), name("leaf-1"));
        assert_eq!(fails("link:leaf-0/leaf-1"), Err(link));
        assert_eq!(fails("switch:gpu-0.0"), Err(FailureProblem::NoSuchSwitch(name("gpu-0.0"))));
    }
}

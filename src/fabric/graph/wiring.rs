//! Wires a plan link by link.
//!
//! Leafs stripe their uplinks evenly over the spines of their pod. Links of spines go to cores
//! one after the other, so that no two cores differ by more than one link to the same pod.

use petgraph::graph::{NodeIndex, UnGraph};

use super::{Cable, FabricGraph, Node};
use crate::fabric::plane::Plane;
use crate::fabric::upper::Upper;
use crate::fabric::{Counts, FabricProblem, Request, Sku, TierName, fewest_spines, tree};
use crate::units::Bandwidth;

/// A fabric in the making.
pub(super) struct Wiring {
    graph: UnGraph<Node, Cable>,
    endpoints: Vec<NodeIndex>,
    /// Switches made so far, by layer.
    made: [u32; TierName::ALL.len()],
    /// Plane that is being wired.
    pub(super) plane: u32,
    /// Ports of a link between switches.
    ports: u32,
}

/// The model of a layer above the leafs: its index and how many links it can take.
#[derive(Clone, Copy)]
pub(super) struct Above {
    pub(super) model: u32,
    pub(super) links: u32,
}

impl Wiring {
    /// Nothing but the endpoints. Fails where there would be too much to hold.
    pub(super) fn new(
        counts: &Counts,
        hosts: u64,
        ports_per_uplink: u32,
    ) -> Result<Self, FabricProblem> {
        let nodes = counts.endpoints.saturating_add(hosts).saturating_add(counts.switches());
        if nodes.max(counts.links()) > FabricGraph::MOST_NODES {
            let reason = "the fabric has too many nodes or links to be wired one by one";
            return Err(FabricProblem::NoSuchSize { reason });
        }
        let mut graph = UnGraph::with_capacity(nodes as usize, counts.links() as usize);
        let rails = counts.rails.max(1);
        let endpoints = (0..counts.endpoints as u32)
            .map(|order| {
                graph.add_node(Node::Endpoint { domain: order / rails, rail: order % rails })
            })
            .collect();
        let made = [0; TierName::ALL.len()];
        Ok(Self { graph, endpoints, made, plane: 0, ports: ports_per_uplink })
    }

    /// The graph of what was wired.
    pub(super) fn done(self, models: Vec<Sku>, link: Bandwidth) -> FabricGraph {
        FabricGraph { graph: self.graph, endpoints: self.endpoints, models, link }
    }

    /// Wires all planes of a request.
    pub(super) fn of(request: &Request<'_>) -> Result<FabricGraph, FabricProblem> {
        let counts = tree(request)?;
        let radix = request.radix()?;
        let plan = Plane::of(request, radix)?;
        let width = request.ports_per_uplink.max(1);
        let mut wiring = Self::new(&counts, request.extra_ports, width)?;
        let hosts: Vec<NodeIndex> = (0..request.extra_ports as u32)
            .map(|index| wiring.graph.add_node(Node::Host { index }))
            .collect();
        let above = Above { model: 0, links: radix / width };
        for plane in 0..request.planes {
            wiring.plane = plane;
            let leafs = wiring.switches(TierName::Leaf, plan.trees * plan.leafs, 0);
            wiring.attach(request, &plan, &leafs, &hosts);
            for tree in leafs.chunks(plan.leafs as usize) {
                wiring.above(tree, plan.leaf.uplinks, &plan.upper, [above; 2]);
            }
        }
        let models = vec![Sku { name: request.model().to_owned(), radix }];
        Ok(wiring.done(models, request.link))
    }

    /// Endpoints, then other hosts behind them, each on the leaf that the plan names.
    fn attach(
        &mut self,
        request: &Request<'_>,
        plan: &Plane,
        leafs: &[NodeIndex],
        hosts: &[NodeIndex],
    ) {
        let rails = u64::from(request.rails);
        for order in 0..request.endpoints {
            let leaf = plan.leaf_of(order % rails, order / rails, order);
            self.host(order, leafs[leaf as usize]);
        }
        let behind = request.endpoints.div_ceil(rails);
        for (index, node) in (0_u64..).zip(hosts) {
            let position = behind + index / rails;
            let leaf = plan.leaf_of(index % rails, position, request.endpoints + index);
            self.graph.add_edge(*node, leafs[leaf as usize], Cable { links: 1, ports: 1 });
        }
    }

    /// Everything above the leafs of one tree, of one model for spines and one for the rest.
    pub(super) fn above(
        &mut self,
        leafs: &[NodeIndex],
        uplinks: u32,
        upper: &Upper,
        [spine, core]: [Above; 2],
    ) {
        if upper.spines == 0 {
            return;
        }
        let half = spine.links / 2;
        let mut pods: Vec<Vec<(NodeIndex, u32)>> = Vec::new();
        for pod in leafs.chunks(upper.pod_leafs as usize) {
            let full = pod.len() as u64 == upper.pod_leafs;
            let links = pod.len() as u64 * u64::from(uplinks);
            let spines = if full {
                upper.pod_spines
            } else {
                fewest_spines(uplinks, links, half).expect("a part of a pod has ports enough")
            };
            let spines = self.switches(TierName::Spine, u64::from(spines), spine.model);
            self.stripe(pod, uplinks, &spines);
            let each = uplinks / spines.len() as u32;
            // Nothing is oversubscribed above the leafs: as many links up as down.
            let up = each * pod.len() as u32;
            pods.push(spines.into_iter().map(|spine| (spine, up)).collect());
        }
        if upper.super_cores > 0 {
            let mut below = Vec::new();
            for group in pods.chunks(half as usize) {
                let links: u64 = group.iter().flatten().map(|(_, up)| u64::from(*up)).sum();
                let cores =
                    self.switches(TierName::Core, links.div_ceil(u64::from(half)), core.model);
                let taken = self.spread(&group.concat(), &cores);
                below.extend(cores.into_iter().zip(taken));
            }
            let top = self.switches(TierName::SuperCore, upper.super_cores, core.model);
            self.spread(&below, &top);
        } else if upper.cores > 0 {
            let cores = self.switches(TierName::Core, upper.cores, core.model);
            self.spread(&pods.concat(), &cores);
        }
    }

    /// Spreads links, given as (switch, links up), over the switches above, one after the other.
    /// Returns how many each of those took.
    fn spread(&mut self, below: &[(NodeIndex, u32)], above: &[NodeIndex]) -> Vec<u32> {
        let width = above.len();
        let mut taken = vec![0; width];
        let mut next = 0;
        for (switch, links) in below {
            let rounds = *links / width as u32;
            let rest = *links as usize % width;
            for step in 0..width.min(*links as usize) {
                let target = (next + step) % width;
                let count = rounds + u32::from(step < rest);
                self.join(*switch, above[target], count);
                taken[target] += count;
            }
            next = (next + rest) % width;
        }
        taken
    }

    /// As many links from each leaf to each of the spines.
    pub(super) fn stripe(&mut self, leafs: &[NodeIndex], uplinks: u32, spines: &[NodeIndex]) {
        let each = uplinks / spines.len() as u32;
        for leaf in leafs {
            spines.iter().for_each(|spine| self.join(*leaf, *spine, each));
        }
    }

    /// Alike switches of the plane that is being wired.
    pub(super) fn switches(&mut self, tier: TierName, count: u64, model: u32) -> Vec<NodeIndex> {
        (0..count)
            .map(|_| {
                let made = &mut self.made[tier as usize];
                let index = *made;
                *made += 1;
                self.graph.add_node(Node::Switch { tier, index, plane: self.plane, model })
            })
            .collect()
    }

    /// A link from the endpoint of that number to a leaf.
    pub(super) fn host(&mut self, order: u64, leaf: NodeIndex) {
        self.graph.add_edge(self.endpoints[order as usize], leaf, Cable { links: 1, ports: 1 });
    }

    fn join(&mut self, low: NodeIndex, high: NodeIndex, links: u32) {
        self.graph.add_edge(low, high, Cable { links, ports: self.ports });
    }
}

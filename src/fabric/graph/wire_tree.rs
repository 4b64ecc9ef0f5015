//! Wires a plan link by link.
//!
//! Leaf switches stripe their uplinks evenly over the spines of their pod. Links of a pod go to
//! cores one after the other, for every pod from the first core on, as `upper` counted them.

use petgraph::graph::{NodeIndex, UnGraph};

use super::fabric_graph::{FabricCable, FabricGraph, FabricNode};
use crate::fabric::pods::{PodPlan, UpperTiers};
use crate::fabric::tree::Plane;
use crate::fabric::{
    Counts, FabricProblem, LinkClass, Medium, Request, SwitchModel, TierName, tree_counts,
};
use crate::units::Bandwidth;

/// The cable of a NIC or another host.
const HOST: FabricCable =
    FabricCable { links: 1, ports: 1, class: LinkClass::Host, medium: Medium::Optical };

/// A fabric in the making.
pub(super) struct Wiring {
    graph: UnGraph<FabricNode, FabricCable>,
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
        rails: u32,
        hosts: u64,
        ports_per_uplink: u32,
    ) -> Result<Self, FabricProblem> {
        let nodes = counts.endpoints.saturating_add(hosts).saturating_add(counts.switch_count());
        if nodes.max(counts.link_count()) > FabricGraph::MOST_NODES {
            let reason = "the fabric has too many nodes or links to be wired one by one";
            return Err(FabricProblem::NoSuchSize { reason });
        }
        let mut graph = UnGraph::with_capacity(nodes as usize, counts.link_count() as usize);
        let rails = rails.max(1);
        let endpoints = (0..counts.endpoints as u32)
            .map(|order| {
                graph.add_node(FabricNode::Endpoint { domain: order / rails, rail: order % rails })
            })
            .collect();
        let made = [0; TierName::ALL.len()];
        Ok(Self { graph, endpoints, made, plane: 0, ports: ports_per_uplink })
    }

    /// The graph of what was wired.
    pub(super) fn into_graph(self, models: Vec<SwitchModel>, link: Bandwidth) -> FabricGraph {
        FabricGraph { graph: self.graph, endpoints: self.endpoints, models, link }
    }

    /// Wires all planes of a request.
    pub(super) fn wire_request(request: &Request<'_>) -> Result<FabricGraph, FabricProblem> {
        let counts = tree_counts(request)?;
        let radix = request.checked_switch_radix()?;
        let width = request.ports_per_uplink.max(1);
        let mut wiring = Self::new(&counts, counts.rails, request.extra_ports, width)?;
        let hosts: Vec<NodeIndex> = (0..request.extra_ports as u32)
            .map(|index| wiring.graph.add_node(FabricNode::Host { index }))
            .collect();
        for plane in 0..request.planes {
            wiring.plane = plane;
            wiring.wire_plane_trees(request, radix, &|order| order, &hosts)?;
        }
        let models = vec![SwitchModel { name: request.switch_model().to_owned(), radix }];
        Ok(wiring.into_graph(models, request.link))
    }

    /// The trees of one plane. `nic` is the endpoint that the request's endpoint of a number is:
    /// one may have several ports.
    pub(super) fn wire_plane_trees(
        &mut self,
        request: &Request<'_>,
        radix: u32,
        nic: &dyn Fn(u64) -> u64,
        hosts: &[NodeIndex],
    ) -> Result<(), FabricProblem> {
        let plan = Plane::from_request(request, radix)?;
        let above = Above { model: 0, links: radix / self.ports };
        let leafs = self.add_plane_switches(TierName::Leaf, plan.trees * plan.leafs, 0);
        let rails = u64::from(request.rails);
        for order in 0..request.endpoints {
            let leaf = plan.leaf_of(order % rails, order / rails, order);
            self.link_endpoint_to_leaf(nic(order), leafs[leaf as usize]);
        }
        // Other hosts come behind the endpoints.
        let behind = request.endpoints.div_ceil(rails);
        for (index, node) in (0_u64..).zip(hosts) {
            let position = behind + index / rails;
            let leaf = plan.leaf_of(index % rails, position, request.endpoints + index);
            self.graph.add_edge(*node, leafs[leaf as usize], HOST);
        }
        for tree in leafs.chunks(plan.leafs as usize) {
            self.wire_upper_tiers(tree, plan.leaf.uplinks, &plan.upper, [above; 2]);
        }
        Ok(())
    }

    /// Everything above the leafs of one tree, of one model for spines and one for the rest.
    pub(super) fn wire_upper_tiers(
        &mut self,
        leafs: &[NodeIndex],
        uplinks: u32,
        upper: &UpperTiers,
        [spine, core]: [Above; 2],
    ) {
        if upper.spines == 0 {
            return;
        }
        let layers = [(TierName::Spine, spine), (TierName::Core, core)];
        let pods = self.wire_pods(leafs, uplinks, &upper.pods, layers);
        let Some(groups) = &upper.groups else { return };
        for place in 0..upper.pods.full.switches as usize {
            let alike: Vec<NodeIndex> = pods.iter().map(|pod| pod[place]).collect();
            let layers = [(TierName::Core, core), (TierName::SuperCore, core)];
            self.wire_pods(&alike, upper.pods.full.up, groups, layers);
        }
    }

    /// Pods above the switches of one layer, and the cores that join them. Returns the switches of
    /// each pod.
    fn wire_pods(
        &mut self,
        below: &[NodeIndex],
        uplinks: u32,
        pods: &PodPlan,
        [(middle, spine), (top, core)]: [(TierName, Above); 2],
    ) -> Vec<Vec<NodeIndex>> {
        let chunks = below.chunks(pods.below as usize);
        let count = chunks.len();
        let mut made = Vec::with_capacity(count);
        for (number, pod) in chunks.enumerate() {
            let member = if number + 1 < count { pods.full } else { pods.last };
            let switches = self.add_plane_switches(middle, u64::from(member.switches), spine.model);
            self.stripe_over_spines(pod, uplinks, &switches);
            made.push((switches, member.up));
        }
        for set in 0..pods.sets {
            let cores = self.add_plane_switches(top, pods.cores, core.model);
            for (switches, up) in &made {
                self.spread_over_cores(&pod_switches_of_set(switches, *up, set, pods.sets), &cores);
            }
        }
        made.into_iter().map(|(switches, _)| switches).collect()
    }

    /// Spreads the links of one pod, given as (switch, links up), over cores: one after the other,
    /// from the first core on.
    fn spread_over_cores(&mut self, below: &[(NodeIndex, u32)], cores: &[NodeIndex]) {
        let width = cores.len();
        let mut next = 0;
        for (switch, links) in below.iter().filter(|_| width > 0) {
            let rounds = *links / width as u32;
            let rest = *links as usize % width;
            for step in 0..width.min(*links as usize) {
                let count = rounds + u32::from(step < rest);
                self.link_tiers(*switch, cores[(next + step) % width], count);
            }
            next = (next + rest) % width;
        }
    }

    /// As many links from each leaf to each of the spines.
    pub(super) fn stripe_over_spines(
        &mut self,
        leafs: &[NodeIndex],
        uplinks: u32,
        spines: &[NodeIndex],
    ) {
        let each = uplinks / spines.len() as u32;
        for leaf in leafs {
            for spine in spines {
                self.link_tiers(*leaf, *spine, each);
            }
        }
    }

    /// Links between switches of neighbouring layers.
    fn link_tiers(&mut self, low: NodeIndex, high: NodeIndex, links: u32) {
        let class = match self.graph[low] {
            FabricNode::Switch { tier: TierName::Spine, .. } => LinkClass::SpineCore,
            FabricNode::Switch { tier: TierName::Core, .. } => LinkClass::CoreSuperCore,
            _ => LinkClass::LeafSpine,
        };
        self.link_nodes(low, high, links, class, Medium::Optical);
    }

    /// Alike switches of the plane that is being wired.
    pub(super) fn add_plane_switches(
        &mut self,
        tier: TierName,
        count: u64,
        model: u32,
    ) -> Vec<NodeIndex> {
        (0..count)
            .map(|_| {
                let made = &mut self.made[tier as usize];
                let index = *made;
                *made += 1;
                self.graph.add_node(FabricNode::Switch { tier, index, plane: self.plane, model })
            })
            .collect()
    }

    /// A link from the endpoint of that number to a leaf.
    pub(super) fn link_endpoint_to_leaf(&mut self, order: u64, leaf: NodeIndex) {
        self.graph.add_edge(self.endpoints[order as usize], leaf, HOST);
    }

    /// Links between two endpoints without a switch.
    pub(super) fn link_endpoint_pair(&mut self, from: u64, to: u64, medium: Medium) {
        let [from, to] = [from, to].map(|order| self.endpoints[order as usize]);
        self.link_nodes(from, to, 1, LinkClass::Direct, medium);
    }

    /// Parallel links between two nodes; none where there are to be none.
    pub(super) fn link_nodes(
        &mut self,
        low: NodeIndex,
        high: NodeIndex,
        links: u32,
        class: LinkClass,
        medium: Medium,
    ) {
        if links > 0 {
            // A switch has a few thousand ports at most.
            let ports = u16::try_from(self.ports).unwrap_or(u16::MAX);
            self.graph.add_edge(low, high, FabricCable { links, ports, class, medium });
        }
    }
}

/// The switches of a pod that belong to one of so many sets, each with its links up to the cores of
/// that set. Where there are fewer switches than sets, each belongs to several.
fn pod_switches_of_set(
    switches: &[NodeIndex],
    up: u32,
    set: u32,
    sets: u32,
) -> Vec<(NodeIndex, u32)> {
    let (count, set, sets) = (switches.len(), set as usize, sets as usize);
    if count < sets {
        let each = sets / count;
        return vec![(switches[set / each], up / each as u32)];
    }
    let each = count / sets;
    switches[set * each..(set + 1) * each].iter().map(|switch| (*switch, up)).collect()
}

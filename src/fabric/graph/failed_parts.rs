//! Which nodes and links are out of service when some failures hold at once, and the graph that is
//! left. What that means for anyone is not its business.

use super::{FabricCable, FabricGraph, FabricNode, Failure, FailureProblem};

/// Parts that are out of service.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutOfService {
    /// Nodes, in the order of the graph's.
    pub(super) dead: Vec<bool>,
    /// Torn links of each group of parallel ones, in the order of the graph's cables.
    pub(super) torn: Vec<u32>,
}

impl OutOfService {
    /// Whether the node of that number is out of service.
    #[must_use]
    pub fn is_dead(&self, node: usize) -> bool {
        self.dead.get(node).copied().unwrap_or(false)
    }

    /// Links of the cable of that number, between these two nodes, that still carry something.
    #[must_use]
    pub fn links_left(&self, number: usize, low: usize, high: usize, cable: FabricCable) -> u32 {
        if self.is_dead(low) || self.is_dead(high) {
            return 0;
        }
        cable.links.saturating_sub(self.torn.get(number).copied().unwrap_or(0))
    }
}

impl FabricGraph {
    /// The fabric without what is out of service: nodes keep their numbers, those that are dead
    /// have no cables.
    #[must_use]
    pub fn remove_broken(&self, broken: &OutOfService) -> Self {
        let graph = self.graph.filter_map(
            |_, node| Some(*node),
            |number, cable| {
                let (low, high) = self.graph.edge_endpoints(number)?;
                let ends = (low.index(), high.index(), *cable);
                let links = broken.links_left(number.index(), ends.0, ends.1, ends.2);
                (links > 0).then_some(FabricCable { links, ..*cable })
            },
        );
        Self { graph, ..self.clone() }
    }

    /// Everything is in service.
    pub(super) fn nothing_broken(&self) -> OutOfService {
        let (nodes, cables) = (self.graph.node_count(), self.graph.edge_count());
        OutOfService { dead: vec![false; nodes], torn: vec![0; cables] }
    }

    /// What is out of service when all of the failures hold at once.
    ///
    /// # Errors
    /// A failure that names something this fabric does not have.
    pub fn parts_out_of_service(
        &self,
        failures: &[Failure],
    ) -> Result<OutOfService, FailureProblem> {
        let names: Vec<String> = self.nodes().map(FabricNode::name).collect();
        let mut broken = self.nothing_broken();
        for failure in failures {
            match failure {
                Failure::Switch(name) => {
                    let is = |node: FabricNode| {
                        matches!(node, FabricNode::Switch { .. }) && node.name() == *name
                    };
                    if !self.has_taken_down_nodes(&mut broken, is) {
                        return Err(FailureProblem::NoSuchSwitch(name.clone()));
                    }
                }
                Failure::Link(a, b) => self.tear_links(&mut broken, &names, [a, b], u32::MAX)?,
                Failure::Cable(a, b) => self.tear_links(&mut broken, &names, [a, b], 1)?,
                Failure::Gpu { domain, rail } => {
                    let nic = FabricNode::Endpoint { domain: *domain, rail: *rail };
                    if !self.has_taken_down_nodes(&mut broken, |node| node == nic) {
                        let (domains, rails) =
                            (self.count_endpoint_numbers(|(d, _)| d), self.rail_count());
                        let has = format!("{domains} domains of {rails} rails");
                        return Err(FailureProblem::NoSuch { what: nic.name(), has });
                    }
                }
                Failure::Domain(number) => {
                    let read = |node| matches!(node, FabricNode::Endpoint { domain, .. } if domain == *number);
                    if !self.has_taken_down_nodes(&mut broken, read) {
                        let has = format!(
                            "{} domains",
                            self.count_endpoint_numbers(|(domain, _)| domain)
                        );
                        return Err(FailureProblem::NoSuch { what: failure.to_string(), has });
                    }
                }
                Failure::Plane(number) => {
                    let read =
                        |node| matches!(node, FabricNode::Switch { plane, .. } if plane == *number);
                    if !self.has_taken_down_nodes(&mut broken, read) {
                        let planes = self.nodes().filter_map(|node| match node {
                            FabricNode::Switch { plane, .. } => Some(plane + 1),
                            _ => None,
                        });
                        let has = match planes.max().unwrap_or(0) {
                            1 => "1 plane".to_owned(),
                            planes => format!("{planes} planes"),
                        };
                        return Err(FailureProblem::NoSuch { what: failure.to_string(), has });
                    }
                }
                Failure::Rail(number) => {
                    if *number >= self.rail_count() {
                        let has = format!("{} rails", self.rail_count());
                        return Err(FailureProblem::NoSuch { what: failure.to_string(), has });
                    }
                    for (cable, (low, _, fabric_cable)) in self.cables().enumerate() {
                        let on_it = matches!(
                            self.node(low),
                            Some(FabricNode::Endpoint { rail, .. }) if rail == *number
                        );
                        if on_it {
                            broken.torn[cable] = fabric_cable.links;
                        }
                    }
                }
            }
        }
        Ok(broken)
    }

    /// Takes nodes out of service; false where there are none.
    fn has_taken_down_nodes(
        &self,
        broken: &mut OutOfService,
        is: impl Fn(FabricNode) -> bool,
    ) -> bool {
        let mut found = false;
        for (dead, node) in broken.dead.iter_mut().zip(self.nodes()) {
            if is(node) {
                *dead = true;
                found = true;
            }
        }
        found
    }

    /// Tears at most so many of the links between two nodes.
    fn tear_links(
        &self,
        broken: &mut OutOfService,
        names: &[String],
        between: [&String; 2],
        most: u32,
    ) -> Result<(), FailureProblem> {
        let [a, b] = between;
        let mut found = false;
        for (number, (low, high, cable)) in self.cables().enumerate() {
            let ends = [&names[low], &names[high]];
            if ends == [a, b] || ends == [b, a] {
                let torn = &mut broken.torn[number];
                *torn = torn.saturating_add(most).min(cable.links);
                found = true;
            }
        }
        if found { Ok(()) } else { Err(FailureProblem::NoSuchLink(a.clone(), b.clone())) }
    }

    fn rail_count(&self) -> u32 {
        self.count_endpoint_numbers(|(_, rail)| rail)
    }

    /// One more than the largest of a number of endpoints.
    fn count_endpoint_numbers(&self, number: fn((u32, u32)) -> u32) -> u32 {
        let places = self.nodes().filter_map(|node| match node {
            FabricNode::Endpoint { domain, rail } => Some(number((domain, rail)) + 1),
            _ => None,
        });
        places.max().unwrap_or(0)
    }
}

//! The question that a spec asks, resolved: no text, no defaults left open, no I/O.

mod clusters;
mod fingerprint_text;
mod hall;
mod limits;
mod networks;
pub(crate) mod objective;

pub use clusters::{ClusterName, ClusterQuestion, ClusterShape, Stage};
pub use hall::{Hall, Installation, LeafRacks, Lengths, Stretch};
pub use limits::{Limits, Loss, Spares};
pub use networks::{Control, InBandNetwork, Networks, OutOfBandNetwork, StorageNetwork};
pub use objective::{Assumption, Minimize, Objective, Pace, Robust, RobustPlacement};

use std::collections::BTreeMap;

use super::hardware::{Catalogue, LinkPricing, Nic, Node, PriceBook};
use super::keys::{GPUS, Kind, choices, key, table};
use super::parallel::LayoutRequest;
use super::reliability::Failures;
use super::workload::{Algorithms, Framework, Model, Techniques, Training};

/// Everything that a design depends on.
#[derive(Clone, PartialEq)]
pub struct Scenario {
    pub name: String,
    /// What is trained, at least one; a report leads with the first. Several share the cluster's
    /// time and its fabric, or have a part of it each.
    pub workloads: Vec<Workload>,
    /// GPUs and network to choose from.
    pub cluster: Cluster,
    pub objective: Objective,
    /// What no design may exceed.
    pub limits: Limits,
    /// What else its fabric has to carry; `None` where the spec asks for nothing.
    pub robust: Option<Robust>,
    /// The hall that it stands in.
    pub hall: Hall,
    /// Lengths of the links as they were routed through the hall; `None` before that, and then the
    /// lengths that the cluster states hold.
    pub lengths: Option<Lengths>,
    /// Parts already owned, by name in the catalogue.
    pub inventory: BTreeMap<String, u64>,
    /// Parts to keep in store; `None` where none are bought.
    pub spares: Option<Spares>,
    /// The networks beside the compute network; usually none.
    pub networks: Networks,
    /// Work on site; `None` where it is not counted.
    pub installation: Option<Installation>,
    /// How often parts fail and how a job comes back.
    pub failures: Failures,
    /// What the cluster grows to, the earliest stage first; usually nothing.
    pub later: Vec<Stage>,
    pub catalogue: Catalogue,
    pub prices: PriceBook,
    /// Defaults that the spec left to the planner, for the report.
    pub assumptions: Vec<Assumption>,
    /// Those of products that have other ones than the first product of the cluster, by name.
    pub by_product: BTreeMap<String, Vec<Assumption>>,
    /// Rules that the spec states for checks of its results: no part of the question.
    pub rules: StatedRules,
    /// What the spec states, as it is written: what the question is, is in the rest.
    pub stated: StatedKeys,
}

/// Keys of a spec with their values, both as TOML.
pub type StatedKeys = BTreeMap<String, String>;

/// Rules of `[gate]`, as they are written: a result keeps them, so that a later check sees which
/// went.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StatedRules {
    /// Those whose breach stops a script.
    pub fail_on: Vec<String>,
    /// Those whose breach is told.
    pub warn_on: Vec<String>,
}

impl Scenario {
    /// What a report leads with.
    #[must_use]
    pub fn lead_workload(&self) -> &Workload {
        &self.workloads[0]
    }

    /// The question with another workload in the lead.
    #[must_use]
    pub fn with_lead_workload(&self, workload: Workload) -> Self {
        let mut scenario = self.clone();
        scenario.workloads[0] = workload;
        scenario
    }

    /// The question once a product of the cluster is chosen: all is as if no other were on offer.
    #[must_use]
    pub fn for_product(&self, product: &Node) -> Self {
        let alone = |own_workload: &Workload| Workload {
            by_product: BTreeMap::new(),
            ..own_workload.for_product(product).clone()
        };
        self.map_stages(|_, scenario| Self {
            workloads: scenario.workloads.iter().map(alone).collect(),
            cluster: Cluster { nodes: vec![product.clone()], ..scenario.cluster.clone() },
            assumptions: scenario.assumed_on(product).to_vec(),
            by_product: BTreeMap::new(),
            ..scenario
        })
    }

    /// Defaults that the spec left to the planner, as they are for a product of the cluster.
    #[must_use]
    pub fn assumed_on(&self, product: &Node) -> &[Assumption] {
        self.by_product.get(&product.name).unwrap_or(&self.assumptions)
    }

    /// Defaults that the spec left to the planner, with the names of the products where they
    /// differ.
    #[must_use]
    pub fn collect_assumptions(&self) -> Vec<Assumption> {
        if self.by_product.is_empty() {
            return self.assumptions.clone();
        }
        let nodes = self.cluster.nodes.iter();
        Assumption::merge_by_owner(nodes.map(|node| (node.name.as_str(), self.assumed_on(node))))
    }

    /// Adds what whoever made the spec assumes, whatever product is chosen.
    pub(crate) fn add_assumptions<'a>(&mut self, more: impl Iterator<Item = &'a Assumption>) {
        for assumption in more {
            self.assumptions.push(assumption.clone());
            for assumptions in self.by_product.values_mut() {
                assumptions.push(assumption.clone());
            }
        }
    }
}

impl Scenario {
    /// Lengths of links between an interface and its leaf switch, and between switches: as routed,
    /// or all as the cluster states them.
    #[must_use]
    pub fn link_lengths(&self) -> Lengths {
        let stated = |metres| vec![Stretch { reach_m: metres, cable_m: metres, links: 1 }];
        let or = |read: fn(&Lengths) -> &Vec<Stretch>, metres| {
            let routed = self.lengths.as_ref().map(read).filter(|stretches| !stretches.is_empty());
            routed.cloned().unwrap_or_else(|| stated(metres))
        };
        Lengths {
            host: or(|lengths| &lengths.host, self.cluster.host_cable_m),
            uplink: or(|lengths| &lengths.uplink, self.cluster.uplink_cable_m),
        }
    }

    /// True where switches have to sum what all-reduces of a workload send.
    #[must_use]
    pub fn sums_in_switches(&self) -> bool {
        self.workloads
            .iter()
            .any(|workload| workload.framework.collectives.has_algorithm(Algorithms::Sharp))
    }
}

/// One model in training.
#[derive(Clone, Debug, PartialEq)]
pub struct Workload {
    pub name: String,
    /// GPUs of its own, a part of the cluster that it has to itself; `None` where all workloads
    /// share the whole.
    pub gpus: Option<u32>,
    /// Part of the cluster's time that it gets; the shares of all workloads sum to 1.
    pub share: f64,
    /// Part of what its GPUs send to other domains that has to cross rails and that no GPU of the
    /// job can forward, as jobs on parts of domains have it: the spine has to carry it.
    pub unforwardable: f64,
    pub limits: Pace,
    pub model: Model,
    /// How long and in which batches.
    pub training: Training,
    /// How it is spread, as far as the spec says.
    pub layout: LayoutRequest,
    /// Settings of the training stack.
    pub framework: Framework,
    /// Techniques that are on, and the settings of all.
    pub techniques: Techniques,
    /// The workload as other products of the cluster train it, by name of product: what a spec
    /// leaves open follows the GPU. None for products that train it as the first one does.
    pub by_product: BTreeMap<String, Self>,
}

impl Workload {
    /// The workload as a product of the cluster trains it.
    #[must_use]
    pub fn for_product(&self, product: &Node) -> &Self {
        self.by_product.get(&product.name).unwrap_or(self)
    }

    /// The workload with a change to it on every product.
    #[must_use]
    pub fn map_products(&self, change: impl Fn(Self) -> Self) -> Self {
        let others = self.by_product.iter();
        let by_product =
            others.map(|(name, workload)| (name.clone(), change(workload.clone()))).collect();
        Self { by_product, ..change(self.clone()) }
    }
}

const NAMES: Kind = Kind::Some(&Kind::Name);
const METRES: Kind = Kind::Count { min: 1, max: 100_000 };

table! {
    /// GPUs and the choices around them.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Cluster, "GPUs and the choices around them" {
        gpus: u32, in GPUS, "GPUs of the cluster" or "the product of all degrees".required
            => counted;
        /// HB-domain products to choose from; at least one.
        nodes: Vec<Node> as "node" = "auto", in Kind::Auto(&NAMES), "machines (HB domains) to \
                                                                     choose from"
            => products;
        /// Interfaces to choose from; empty for each product's own.
        nics: Vec<Nic> as "nic", in Kind::Auto(&NAMES),
            "NICs to choose from" or "each machine's own" => interfaces;
        /// Families of fabric to choose from.
        fabric: FabricChoice = (FabricChoice::Auto), "family of fabric: \"auto\" is the best of \
                                                      rail-only, rail-optimized and Clos \
                                                      trees, \"clos\" never \
                                                      blocks; \"tapered-clos\", \"zcube\" \
                                                      and \"dragonfly\" are timed by routing, \
                                                      which takes up to minutes; \"any\" designs \
                                                      for \"auto\" and these three and takes the \
                                                      best";
        /// Most planes that the planner may split the network into.
        max_planes: u32, in Kind::Count { min: 1, max: 64 }, "most copies of the network"
            or "what the NICs support" else planes;
        /// Names of switch models to choose from; empty for all of the catalogue.
        switches: Vec<String>, in NAMES, "switch models to choose from" or "all" => models;
        /// How messages are spread over uplinks that lead to the same place.
        load_balancing: LoadBalancing = (LoadBalancing::Spray),
            "how switches and NICs spread messages over uplinks that lead to the same place";
        /// Flows of a message between two GPUs, each of which goes one way; at least 1.
        flows_per_message: u32 = 1, in Kind::Count { min: 1, max: 1024 },
            "flows (queue pairs) of a message between two GPUs, each on one uplink unless packets \
             are sprayed";
        /// What links are priced as.
        links: LinkPricing = (LinkPricing::Parts),
            "what links are bought as: optics and cables that fit the cages at both ends, or \
             \"by-end\", an optic at each end priced by its rate, as published comparisons count";
        /// Length of a cable between an interface and its leaf switch, in metres (assumed).
        host_cable_m: u32 = 15, in METRES, "metres of a cable between a NIC and its leaf switch";
        /// Length of a cable between switches, in metres (assumed).
        uplink_cable_m: u32 = 30, in METRES, "metres of a cable between switches";
    } given {
        counted: u32,
        products: Vec<Node>,
        interfaces: Vec<Nic>,
        planes: u32,
        models: Vec<String>,
    }
    last [key("prices", Kind::Name, "price book").default("street-2026")]
}

choices! {
    /// Which family of fabric the planner may build.
    pub enum FabricChoice {
        /// Whatever costs least.
        Auto = "auto",
        /// Separate rails, no spine across them.
        RailOnly = "rail-only",
        /// Leafs per rail, a spine across rails.
        RailOptimized = "rail-optimized",
        /// Full bisection between all endpoints.
        Clos = "clos",
        /// A Clos each of whose tiers may be oversubscribed by a ratio of its own; its step is
        /// timed by routing it.
        TaperedClos = "tapered-clos",
        /// Two rows of switches, every interface with a port on one of each; its step is timed by
        /// routing it.
        ZCube = "zcube",
        /// Groups of fully joined switches, links between every two groups; its step is timed by
        /// routing it.
        Dragonfly = "dragonfly",
        /// The best of what "auto" means and of each family that is timed by routing it.
        Any = "any",
    }
}

impl FabricChoice {
    /// True for families whose steps are timed by routing them over the cables: how many uplinks a
    /// leaf switch has says nothing of them.
    #[must_use]
    pub const fn is_routed(self) -> bool {
        matches!(self, Self::TaperedClos | Self::ZCube | Self::Dragonfly)
    }

    /// Ports of an interface in one plane.
    #[must_use]
    pub const fn nic_ports_per_plane(self) -> u32 {
        if matches!(self, Self::ZCube) { 2 } else { 1 }
    }
}

choices! {
    /// How messages are spread over links that lead to the same place.
    pub enum LoadBalancing {
        /// Packet by packet, wherever there is room: all links are equally full.
        Spray = "spray",
        /// Flow by flow, each on the link that has fewest.
        Adaptive = "adaptive",
        /// Flow by flow, each on the link that a hash names.
        Ecmp = "ecmp",
    }
}

//! Flows between NICs put on a fabric by three rules of routing side by side. Who sends them, and
//! why, is not known here.

use std::sync::OnceLock;

use super::graph::{GraphSinglePath, WebSpray};
use super::links::{LinkPick, Load, SlowestLink};
use super::paths::{Paths, RouterGraph};
use super::tree::{Numbered, TreeSinglePath, TreeSpray};
use crate::fabric::LinkClass;
use crate::units::{Bytes, Seconds};

/// How long flows take that all start together, by their slowest link at its full rate.
#[derive(Clone, Debug, PartialEq)]
pub struct TrialOutcome {
    /// Time of the busiest NIC over all its planes: no routing does better.
    pub nic: Seconds,
    /// The slowest link where every flow is spread evenly over all shortest ways, and over detours
    /// where those are taken.
    pub sprayed: SlowestLink,
    /// Where each takes the way that looks emptiest to each switch; `None` where flows were only
    /// spread.
    pub adaptive: Option<SlowestLink>,
    /// Where each is hashed onto one way; `None` likewise.
    pub hashed: Option<SlowestLink>,
    /// Bytes on links by class, spread evenly.
    pub loads: Vec<Load>,
    /// Share of every message that takes a detour where they are spread evenly; 0 where all take
    /// the shortest ways.
    pub detour: f64,
}

impl TrialOutcome {
    /// The slowest link between leafs and spines over the busiest NIC, spread evenly: the
    /// oversubscription that these flows see. Below 1 the NICs are slower.
    #[must_use]
    pub fn seen_oversubscription(&self) -> f64 {
        let leafs = self.loads.iter().filter(|load| load.class == LinkClass::LeafSpine);
        let leafs = SlowestLink::slowest_of(leafs).time;
        if self.nic > Seconds::ZERO { leafs / self.nic } else { 0.0 }
    }
}

impl TrialOutcome {
    /// The slowest link over the busiest NIC, spread evenly: 1 where the NICs alone decide.
    #[must_use]
    pub fn link_to_nic_ratio(&self) -> f64 {
        if self.nic > Seconds::ZERO { self.sprayed.time / self.nic } else { 0.0 }
    }
}

/// Two NICs that no path joins, by their order among the endpoints of a graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoPath {
    pub from: usize,
    pub to: usize,
}

/// Routes flows given as (sender, receiver, bytes), NICs by their order among the endpoints.
///
/// # Errors
/// A pair that no path joins; rail-only fabrics have none across rails.
pub fn route_flows(
    paths: &Paths,
    flows: impl IntoIterator<Item = (usize, usize, Bytes)>,
) -> Result<TrialOutcome, NoPath> {
    let links = OnceLock::new();
    let mut trial = RoutingTrial::new(paths, Some(&links));
    for (from, to, bytes) in flows {
        if from.max(to) >= paths.nic_count() || !trial.add(from, to, bytes.as_f64()) {
            return Err(NoPath { from, to });
        }
    }
    trial.outcome()
}

/// Flows spread evenly, by either means.
pub(super) enum SpreadFlows<'a> {
    Tree(TreeSpray<'a>),
    Web(WebSpray<'a>),
}

/// Flows on single ways, by either means.
enum SinglePathRouter<'a> {
    Tree(Box<[TreeSinglePath<'a>; 2]>),
    Web(GraphSinglePath<'a>),
}

impl<'a> SpreadFlows<'a> {
    pub(super) fn new(paths: &'a Paths) -> Self {
        match &paths.ways {
            RouterGraph::Tree(tree) => Self::Tree(TreeSpray::new(tree)),
            RouterGraph::Web(web) => Self::Web(WebSpray::new(web)),
        }
    }

    /// Bytes that a NIC sends to those of a class.
    pub(super) fn add_sent_bytes(&mut self, nic: usize, class: u32, bytes: f64) {
        match self {
            Self::Tree(spray) => spray.add_sent_bytes(nic, bytes),
            Self::Web(spray) => spray.add_sent_bytes(nic, class, bytes),
        }
    }

    /// Bytes that a NIC receives from those of a class.
    pub(super) fn add_received_bytes(&mut self, nic: usize, class: u32, bytes: f64) {
        match self {
            Self::Tree(spray) => spray.add_received_bytes(nic, bytes),
            Self::Web(spray) => spray.add_received_bytes(nic, class, bytes),
        }
    }

    /// A flow from NIC to NIC; false where it is known already that no way joins the two.
    pub(super) fn add(&mut self, paths: &Paths, from: usize, to: usize, bytes: f64) -> bool {
        self.add_sent_bytes(from, paths.nic_class(to), bytes);
        self.add_received_bytes(to, paths.nic_class(from), bytes);
        self.has_spread_between(from, to, bytes) && paths.can_route(from, to)
    }

    /// Bytes on all links but those of the NICs, which stand for any that are plugged in alike;
    /// false where it is known already that no way joins the two.
    pub(super) fn has_spread_between(&mut self, from: usize, to: usize, bytes: f64) -> bool {
        match self {
            Self::Tree(spray) => spray.has_spread_between(from, to, bytes),
            Self::Web(spray) => {
                spray.add_bytes_between(from, to, bytes);
                true
            }
        }
    }

    /// Every link class's load, those of NICs first, and the share of every message that takes a
    /// detour.
    pub(super) fn link_class_loads(&self) -> Result<(Vec<Load>, f64), NoPath> {
        match self {
            Self::Tree(spray) => Ok((spray.link_class_loads(), 0.0)),
            Self::Web(spray) => spray.link_class_loads().map_err(|(from, to)| NoPath { from, to }),
        }
    }

    fn busiest_nic(&self) -> f64 {
        match self {
            Self::Tree(spray) => spray.busiest_nic(),
            Self::Web(spray) => spray.busiest_nic(),
        }
    }
}

/// Flows on their way by all rules.
pub(super) struct RoutingTrial<'a> {
    paths: &'a Paths,
    spread: SpreadFlows<'a>,
    single: Option<SinglePathRouter<'a>>,
}

impl<'a> RoutingTrial<'a> {
    /// Nothing on its way yet; by all rules, or spread alone where no place for the numbers of the
    /// paths' links is given.
    pub(super) fn new(paths: &'a Paths, links: Option<&'a OnceLock<Numbered>>) -> Self {
        let single = |links: &'a OnceLock<Numbered>| match &paths.ways {
            RouterGraph::Tree(tree) => {
                let links = links.get_or_init(|| Numbered::new(tree));
                SinglePathRouter::Tree(Box::new(
                    LinkPick::BOTH.map(|pick| TreeSinglePath::new(tree, links, pick)),
                ))
            }
            RouterGraph::Web(web) => SinglePathRouter::Web(GraphSinglePath::new(web)),
        };
        Self { paths, spread: SpreadFlows::new(paths), single: links.map(single) }
    }

    /// Puts a flow on the fabric; false where it is known that no path joins the two.
    pub(super) fn add(&mut self, from: usize, to: usize, bytes: f64) -> bool {
        match &mut self.single {
            Some(SinglePathRouter::Tree(rules)) => {
                rules.iter_mut().for_each(|rule| rule.add(from, to, bytes));
            }
            Some(SinglePathRouter::Web(rules)) => rules.add(from, to, bytes),
            None => {}
        }
        self.spread.add(self.paths, from, to, bytes)
    }

    /// What many flows are spread over, for who counts them by the classes of their NICs.
    pub(super) const fn spread_flows(&mut self) -> &mut SpreadFlows<'a> {
        &mut self.spread
    }

    /// What became of the flows.
    pub(super) fn outcome(&self) -> Result<TrialOutcome, NoPath> {
        let (loads, detour) = self.spread.link_class_loads()?;
        let hosts = SlowestLink::slowest_of(&loads[..1]);
        let [adaptive, hashed] = match &self.single {
            Some(SinglePathRouter::Tree(rules)) => {
                [0, 1].map(|rule| Some(hosts.slower_of(rules[rule].slowest_switch_link())))
            }
            Some(SinglePathRouter::Web(rules)) => {
                rules.slowest_links().map(|peak| Some(hosts.slower_of(peak)))
            }
            None => [None, None],
        };
        Ok(TrialOutcome {
            nic: Bytes::from_elements(1, self.spread.busiest_nic()) / self.paths.nic_rate(),
            sprayed: SlowestLink::slowest_of(&loads),
            adaptive,
            hashed,
            loads,
            detour,
        })
    }
}

//! Flows between NICs put on a fabric by three rules of routing side by side. Who sends them, and
//! why, is not known here.

use std::sync::OnceLock;

use super::link::{Load, Peak};
use super::paths::{Paths, Ways};
use super::pick::Pick;
use super::tree::{Numbered, Single, Spray};
use super::web::{Singles, WebSpray};
use crate::fabric::LinkClass;
use crate::units::{Bytes, Seconds};

/// How long flows take that all start together, by their slowest link at its full rate.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// Time of the busiest NIC over all its planes: no routing does better.
    pub nic: Seconds,
    /// The slowest link where every flow is spread evenly over all shortest ways, and over detours where
    /// those are taken.
    pub sprayed: Peak,
    /// Where each takes the way that looks emptiest to each switch; `None` where flows were only
    /// spread.
    pub adaptive: Option<Peak>,
    /// Where each is hashed onto one way; `None` likewise.
    pub hashed: Option<Peak>,
    /// Bytes on links by class, spread evenly.
    pub loads: Vec<Load>,
    /// Share of every message that takes a detour where they are spread evenly; 0 where all take the
    /// shortest ways.
    pub detour: f64,
}

impl Outcome {
    /// The slowest link between leafs and spines over the busiest NIC, spread evenly: the
    /// oversubscription that these flows see. Below 1 the NICs are slower.
    #[must_use]
    pub fn oversubscription(&self) -> f64 {
        let leafs = self.loads.iter().filter(|load| load.class == LinkClass::LeafSpine);
        let leafs = Peak::of(leafs).time;
        if self.nic > Seconds::ZERO { leafs / self.nic } else { 0.0 }
    }
}

impl Outcome {
    /// The slowest link over the busiest NIC, spread evenly: 1 where the NICs alone decide.
    #[must_use]
    pub fn over_nic(&self) -> f64 {
        if self.nic > Seconds::ZERO { self.sprayed.time / self.nic } else { 0.0 }
    }
}

/// Two NICs that no path joins, by their order among the endpoints of a graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoWay {
    /// Sender.
    pub from: usize,
    /// Receiver.
    pub to: usize,
}

/// Routes flows given as (sender, receiver, bytes), NICs by their order among the endpoints.
///
/// # Errors
/// A pair that no path joins; rail-only fabrics have none across rails.
pub fn route_flows(
    paths: &Paths,
    flows: impl IntoIterator<Item = (usize, usize, Bytes)>,
) -> Result<Outcome, NoWay> {
    let links = OnceLock::new();
    let mut trial = Trial::new(paths, Some(&links));
    for (from, to, bytes) in flows {
        if from.max(to) >= paths.endpoints() || !trial.add(from, to, bytes.as_f64()) {
            return Err(NoWay { from, to });
        }
    }
    trial.outcome()
}

/// Flows spread evenly, by either means.
pub(super) enum Spread<'a> {
    Tree(Spray<'a>),
    Web(WebSpray<'a>),
}

/// Flows on single ways, by either means.
enum Singly<'a> {
    Tree(Box<[Single<'a>; 2]>),
    Web(Singles<'a>),
}

impl<'a> Spread<'a> {
    pub(super) fn new(paths: &'a Paths) -> Self {
        match &paths.ways {
            Ways::Tree(tree) => Self::Tree(Spray::new(tree)),
            Ways::Web(web) => Self::Web(WebSpray::new(web)),
        }
    }

    /// Bytes that a NIC sends to those of a class.
    pub(super) fn sends(&mut self, nic: usize, class: u32, bytes: f64) {
        match self {
            Self::Tree(spray) => spray.sends(nic, bytes),
            Self::Web(spray) => spray.sends(nic, class, bytes),
        }
    }

    /// Bytes that a NIC receives from those of a class.
    pub(super) fn receives(&mut self, nic: usize, class: u32, bytes: f64) {
        match self {
            Self::Tree(spray) => spray.receives(nic, bytes),
            Self::Web(spray) => spray.receives(nic, class, bytes),
        }
    }

    /// A flow from NIC to NIC; false where it is known already that no way joins the two.
    pub(super) fn add(&mut self, paths: &Paths, from: usize, to: usize, bytes: f64) -> bool {
        self.sends(from, paths.class(to), bytes);
        self.receives(to, paths.class(from), bytes);
        self.between(from, to, bytes) && paths.admits(from, to)
    }

    /// Bytes on all links but those of the NICs, which stand for any that are plugged in alike;
    /// false where it is known already that no way joins the two.
    pub(super) fn between(&mut self, from: usize, to: usize, bytes: f64) -> bool {
        match self {
            Self::Tree(spray) => spray.between(from, to, bytes),
            Self::Web(spray) => {
                spray.between(from, to, bytes);
                true
            }
        }
    }

    /// Every link class's load, those of NICs first, and the share of every message that takes a detour.
    pub(super) fn loads(&self) -> Result<(Vec<Load>, f64), NoWay> {
        match self {
            Self::Tree(spray) => Ok((spray.loads(), 0.0)),
            Self::Web(spray) => spray.loads().map_err(|(from, to)| NoWay { from, to }),
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
pub(super) struct Trial<'a> {
    paths: &'a Paths,
    spread: Spread<'a>,
    single: Option<Singly<'a>>,
}

impl<'a> Trial<'a> {
    /// Nothing on its way yet; by all rules, or spread alone where no place for the numbers of the paths' links
    /// is given.
    pub(super) fn new(paths: &'a Paths, links: Option<&'a OnceLock<Numbered>>) -> Self {
        let single = |links: &'a OnceLock<Numbered>| match &paths.ways {
            Ways::Tree(tree) => {
                let links = links.get_or_init(|| Numbered::new(tree));
                Singly::Tree(Box::new(Pick::BOTH.map(|pick| Single::new(tree, links, pick))))
            }
            Ways::Web(web) => Singly::Web(Singles::new(web)),
        };
        Self { paths, spread: Spread::new(paths), single: links.map(single) }
    }

    /// Puts a flow on the fabric; false where it is known that no path joins the two.
    pub(super) fn add(&mut self, from: usize, to: usize, bytes: f64) -> bool {
        match &mut self.single {
            Some(Singly::Tree(rules)) => {
                rules.iter_mut().for_each(|rule| rule.add(from, to, bytes));
            }
            Some(Singly::Web(rules)) => rules.add(from, to, bytes),
            None => {}
        }
        self.spread.add(self.paths, from, to, bytes)
    }

    /// What many flows are spread over, for who counts them by the classes of their NICs.
    pub(super) const fn spread(&mut self) -> &mut Spread<'a> {
        &mut self.spread
    }

    /// What became of the flows.
    pub(super) fn outcome(&self) -> Result<Outcome, NoWay> {
        let (loads, detour) = self.spread.loads()?;
        let hosts = Peak::of(&loads[..1]);
        let [adaptive, hashed] = match &self.single {
            Some(Singly::Tree(rules)) => [0, 1].map(|rule| Some(hosts.or(rules[rule].peak()))),
            Some(Singly::Web(rules)) => rules.peaks().map(|peak| Some(hosts.or(peak))),
            None => [None, None],
        };
        Ok(Outcome {
            nic: Bytes::of_elements(1, self.spread.busiest_nic()) / self.paths.nic_rate(),
            sprayed: Peak::of(&loads),
            adaptive,
            hashed,
            loads,
            detour,
        })
    }
}

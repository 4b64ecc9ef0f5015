//! Flows between NICs put on a fabric by three rules of routing side by side. Who sends them, and
//! why, is not known here.

use super::link::{Load, Peak};
use super::paths::Paths;
use super::single::{Pick, Single};
use super::spray::Spray;
use crate::units::{Bytes, Seconds};

/// How long flows take that all start together, by their slowest link at its full rate.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// Time of the busiest NIC over all its planes: no routing does better.
    pub nic: Seconds,
    /// The slowest link where every flow is spread evenly over all shortest ways.
    pub sprayed: Peak,
    /// Where each takes the way that looks emptiest to each switch.
    pub adaptive: Peak,
    /// Where each is hashed onto one way.
    pub hashed: Peak,
    /// Bytes on links by class, spread evenly.
    pub loads: Vec<Load>,
}

impl Outcome {
    /// The slowest link between leafs and spines over the busiest NIC, spread evenly: the
    /// oversubscription that these flows see. Below 1 the NICs are slower.
    #[must_use]
    pub fn oversubscription(&self) -> f64 {
        let leafs = Peak::of(self.loads.get(1..2).unwrap_or_default()).time;
        if self.nic > Seconds::ZERO { leafs / self.nic } else { 0.0 }
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
/// The first pair that no path joins; rail-only fabrics have none across rails.
pub fn route_flows(
    paths: &Paths,
    flows: impl IntoIterator<Item = (usize, usize, Bytes)>,
) -> Result<Outcome, NoWay> {
    let mut trial = Trial::new(paths);
    for (from, to, bytes) in flows {
        let known = from.max(to) < paths.endpoints();
        if !known || !trial.add(from, to, bytes.as_f64()) {
            return Err(NoWay { from, to });
        }
    }
    Ok(trial.outcome())
}

/// Flows on their way by all rules.
pub(super) struct Trial<'a> {
    paths: &'a Paths,
    spray: Spray<'a>,
    adaptive: Single<'a>,
    hashed: Single<'a>,
}

impl<'a> Trial<'a> {
    pub(super) fn new(paths: &'a Paths) -> Self {
        Self {
            paths,
            spray: Spray::new(paths),
            adaptive: Single::new(paths, Pick::Emptiest),
            hashed: Single::new(paths, Pick::Hashed),
        }
    }

    /// Puts a flow on the fabric; false where no path joins the two.
    pub(super) fn add(&mut self, from: usize, to: usize, bytes: f64) -> bool {
        self.adaptive.add(from, to, bytes);
        self.hashed.add(from, to, bytes);
        self.spray.add(from, to, bytes)
    }

    pub(super) fn outcome(&self) -> Outcome {
        let planes = self.paths.planes() as f64;
        let loads = self.spray.loads();
        let hosts = Peak::of(&loads[..1]);
        Outcome {
            nic: Bytes::of_elements(1, self.spray.busiest_nic()) / (self.paths.host * planes),
            sprayed: Peak::of(&loads),
            adaptive: hosts.or(self.adaptive.peak()),
            hashed: hosts.or(self.hashed.peak()),
            loads,
        }
    }
}

//! Fabrics to compare a design with, chosen so that none of them is a man of straw.
//!
//! Counts only: which candidate is cheapest is for whoever knows prices, so those that none of
//! the others beats in both switches and links are all given.

use super::{Counts, FabricKind, FabricProblem, Ratio, Request, Split, SwitchChoice, tree};
use crate::hardware::Switch;
use crate::units::Bandwidth;

/// What all baselines have in common.
#[derive(Clone, Copy, Debug)]
pub struct Baseline<'a> {
    /// NICs of the cluster.
    pub endpoints: u64,
    /// NICs of an HB domain.
    pub rails: u32,
    /// Rate of a NIC over all its ports.
    pub nic: Bandwidth,
    /// Models to choose from.
    pub switches: &'a [Switch],
    /// Most planes that the NIC can be split into.
    pub max_planes: u32,
}

impl<'a> Baseline<'a> {
    /// The Clos that the rail-only paper compares with (arXiv 2307.12169 §5): full bisection,
    /// one plane, all layers of one model.
    ///
    /// # Errors
    /// Where the model can't build it.
    pub fn paper_clos(&self, switch: &'a Switch) -> Result<Counts, FabricProblem> {
        let choice = SwitchChoice::Model(switch);
        tree(&Request::new(FabricKind::Clos, self.endpoints, self.rails, choice, self.nic))
    }

    /// Full bisection between all endpoints with models and planes free: several planes of
    /// slower links often save a tier. Never empty unless no model can build any.
    #[must_use]
    pub fn best_clos(&self) -> Vec<Counts> {
        self.candidates(FabricKind::Clos, |_| vec![Split::AtLeast(Ratio::ONE)])
    }

    /// What people really build: `kind` with at least `share` uplinks per downlink (1/7 for an
    /// oversubscription of 7:1), planes free. More uplinks are tried too: spines have to divide
    /// them, so a few more can save switches.
    #[must_use]
    pub fn oversubscribed(&self, kind: FabricKind, share: Ratio) -> Vec<Counts> {
        self.candidates(kind, |radix| {
            let least = (1..=radix / 2)
                .find(|up| u64::from(*up) >= share.ceil_of(u64::from(radix - up)))
                .unwrap_or(radix / 2);
            (least..=radix / 2).map(Split::Uplinks).collect()
        })
    }

    /// Two planes, the hosts at half their rate below switches that are joined at the whole:
    /// the access layer of Alibaba's HPN (SIGCOMM 2024), any-to-any within a plane.
    ///
    /// # Errors
    /// Where the model can't build it.
    pub fn dual_plane(&self, switch: &'a Switch) -> Result<Counts, FabricProblem> {
        let choice = SwitchChoice::Model(switch);
        let kind = FabricKind::RailOptimized;
        let request = Request::new(kind, self.endpoints, self.rails, choice, self.nic);
        tree(&Request { ports_per_uplink: 2, ..request.in_planes(2) })
    }

    /// Every candidate that no other one beats, by planes and models.
    fn candidates(&self, kind: FabricKind, splits: impl Fn(u32) -> Vec<Split>) -> Vec<Counts> {
        let mut found = Vec::new();
        for planes in 1..=self.max_planes.max(1) {
            for switch in self.switches {
                let choice = SwitchChoice::Model(switch);
                let request = Request::new(kind, self.endpoints, self.rails, choice, self.nic)
                    .in_planes(planes);
                let alike = splits(switch.radix(request.link))
                    .into_iter()
                    .filter_map(|split| tree(&request.with_split(split)).ok())
                    .collect();
                found.extend(unbeaten(alike));
            }
        }
        found
    }
}

/// Those of one model and number of planes that no other one beats in switches and links both.
fn unbeaten(mut counts: Vec<Counts>) -> Vec<Counts> {
    counts.sort_by_key(|counts| (counts.switches(), counts.links()));
    let mut fewest = u64::MAX;
    counts.retain(|counts| {
        let better = counts.links() < fewest;
        fewest = fewest.min(counts.links());
        better
    });
    counts
}

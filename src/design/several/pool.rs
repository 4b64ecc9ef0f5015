//! Parts that several clusters draw on: switch models and transceivers, each once, and what a
//! column of one cluster takes of them. Transceivers are counted as parts of their own, as clusters
//! may differ in link rate. Prices nothing.

use std::collections::BTreeMap;

use super::ready::ReadyCandidate;
use crate::scenario::Limits;
use crate::sizing::{Class, Column as Coefficients, Offer, SizingProblem};

/// Switch models and transceivers of all clusters.
pub(super) struct SharedParts {
    pub(super) offers: Vec<Offer>,
    /// Place of each by name.
    places: BTreeMap<String, usize>,
    /// Switches of each that one rack holds; 0 for what takes no room of its own.
    pub(super) per_rack: Vec<u64>,
}

impl SharedParts {
    pub(super) fn from_candidates(all: &[&ReadyCandidate<'_>], limits: &Limits) -> Self {
        let mut pool = Self { offers: Vec::new(), places: BTreeMap::new(), per_rack: Vec::new() };
        for ready in all {
            let parts = ready.instance.parts_on_offer();
            for (place, offer) in parts.offers.iter().enumerate() {
                let fit = parts.per_rack.get(place).copied().unwrap_or(0);
                let supply = limits.supply.get(&offer.name).copied().or(offer.supply);
                pool.add(Offer { supply, ..offer.clone() }, fit);
            }
        }
        for ready in all.iter().filter(|ready| buys_transceivers_by_end(ready)) {
            let ends = &ready.instance.parts_on_offer().ends;
            let offer = Offer {
                name: transceiver_name(ready),
                price: ends.price,
                power: ends.power,
                stock: ends.stock,
                supply: None,
            };
            pool.add(offer, 0);
        }
        pool
    }

    /// Where links of several rates end at ports of one model, a rack holds what the thirstier of
    /// them allow.
    fn add(&mut self, offer: Offer, fit: u64) {
        if let Some(place) = self.places.get(&offer.name) {
            self.per_rack[*place] = self.per_rack[*place].min(fit);
            return;
        }
        self.places.insert(offer.name.clone(), self.offers.len());
        self.offers.push(offer);
        self.per_rack.push(fit);
    }

    /// The rails of a cluster.
    pub(super) fn rail_class(&self, ready: &ReadyCandidate<'_>) -> Class {
        let parts = ready.instance.parts_on_offer();
        let place = |name: &str| self.places[name];
        let columns = ready.columns.iter().map(|column| {
            let mut switches = vec![0; self.offers.len()];
            for (offer, count) in parts.offers.iter().zip(&column.coefficients.switches) {
                switches[place(&offer.name)] += count;
            }
            if buys_transceivers_by_end(ready) {
                switches[place(&transceiver_name(ready))] +=
                    SizingProblem::ENDS_PER_LINK * column.coefficients.links;
            }
            Coefficients { switches, ..column.coefficients.clone() }
        });
        Class {
            name: ready.candidate.job.lead.workload.name.clone(),
            rails: ready.rails_of_all_planes(),
            columns: columns.collect(),
        }
    }
}

/// True where each end of a link is a transceiver; else modules and cables are offers already.
fn buys_transceivers_by_end(ready: &ReadyCandidate<'_>) -> bool {
    ready.instance.parts_on_offer().links.is_empty()
}

/// Name of the transceivers of a candidate; of one rate where the catalogue has none.
fn transceiver_name(ready: &ReadyCandidate<'_>) -> String {
    let parts = ready.instance.parts_on_offer();
    let anonymous = || format!("transceiver {:.0}G", parts.link.as_gigabits());
    parts.optic.map_or_else(anonymous, |optic| optic.name.clone())
}

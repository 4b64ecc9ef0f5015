//! The integer program over all parts: a class of rails for each, one stock, one supply, one power,
//! one budget, one number of racks. Chooses no candidate.

use std::collections::BTreeMap;

use super::choice::{Choice, Ready};
use crate::design::choose::{Built, built};
use crate::design::infeasible::Infeasible;
use crate::design::money::machines;
use crate::design::terms::{Terms, energy_price};
use crate::scenario::Minimize;
use crate::sizing::{
    self, Class, Column, Ends, Limits, Need, Offer, Options, Problem, Racks, Solution,
};
use crate::units::{Seconds, Usd, Watts};

/// Parts that are sized together.
pub(super) struct Joint<'r, 'a> {
    pub(super) choice: Choice<'r, 'a>,
    pub(super) solution: Solution,
    /// What the objective makes of the whole.
    pub(super) value: f64,
    /// Money for the whole.
    pub(super) capex: Usd,
}

impl Joint<'_, '_> {
    /// The fabric of each part.
    pub(super) fn built(&self) -> Vec<Built> {
        let parts = self.choice.ready.iter().zip(&self.solution.copies);
        parts
            .map(|(ready, copies)| {
                let used: Vec<_> = ready
                    .pieces
                    .iter()
                    .zip(copies)
                    .filter(|(_, copies)| **copies > 0)
                    .map(|(piece, copies)| (piece, *copies))
                    .collect();
                let terms = Terms::of(ready.candidate.job.scenario);
                let terms = Terms { protocol: ready.candidate.protocol, ..terms };
                let (job, planes) = (&ready.candidate.job, ready.candidate.planes);
                built(&ready.bench.site(job, planes, &terms), &used)
            })
            .collect()
    }

    /// Time of a step of the first part.
    pub(super) fn pace(&self) -> Seconds {
        self.built().first().map_or(Seconds::ZERO, |built| built.time)
    }
}

/// Sizes the parts of a choice together.
///
/// # Errors
/// What they need more of than there is.
pub(super) fn solve<'r, 'a>(
    choice: &Choice<'r, 'a>,
    terms: &Terms<'_>,
    options: &Options,
) -> Result<Joint<'r, 'a>, Infeasible> {
    let each: Vec<_> = choice.ready.iter().map(|of| machines(&of.candidate.job)).collect();
    let capex: Usd = each.iter().map(|of| of.capex).sum();
    let power: Watts = each.iter().map(|of| of.power).sum();
    let tco: Usd = each.iter().map(|of| of.tco).sum();
    let budget = terms.limits.budget.map(|limit| (limit, capex));
    let watts = terms.limits.power.map(|limit| (limit, power));
    let (money_short, power_short) =
        (budget.filter(|(limit, used)| used > limit), watts.filter(|(limit, used)| used > limit));
    if money_short.is_some() || power_short.is_some() {
        let network = Vec::new();
        return Err(Infeasible::Limits { budget: money_short, power: power_short, network });
    }
    let counter = Counter::of(choice);
    let problem = Problem {
        classes: choice.ready.iter().map(|ready| counter.class(ready)).collect(),
        models: counter.offers.clone(),
        spine: None,
        // Transceivers are counted as parts of their own: parts of the cluster may differ in rate.
        ends: Ends { price: Usd::ZERO, power: Watts::ZERO, stock: 0 },
        limits: Limits {
            power: watts.map(|(limit, used)| limit - used),
            budget: budget.map(|(limit, used)| limit - used),
            racks: racks(choice, &counter, terms)?,
            ..Limits::default()
        },
        counts_money: terms.minimize != Minimize::Power,
        energy_per_watt: energy_price(choice.ready[0].candidate.job.scenario, terms.minimize),
    };
    let solution = sizing::solve(&problem, options).map_err(|failed| match failed {
        sizing::Infeasible::Clash { needs } => clash(needs, capex, power, terms),
        _ => Infeasible::Unknown,
    })?;
    let value = match terms.minimize {
        Minimize::Capex => (capex + solution.capex).get(),
        Minimize::Tco | Minimize::UsdPerToken => (tco + solution.cost).get(),
        Minimize::Power => (power + solution.power).get(),
    };
    let capex = capex + solution.capex;
    Ok(Joint { choice: choice.clone(), solution, value, capex })
}

/// Needs of the network become needs of the cluster.
fn clash(needs: Vec<Need>, capex: Usd, power: Watts, terms: &Terms<'_>) -> Infeasible {
    let (mut budget, mut watts, mut network) = (None, None, Vec::new());
    for need in needs {
        match need {
            Need::Budget { needs, .. } => {
                budget = terms.limits.budget.map(|has| (has, capex + needs));
            }
            Need::Power { needs, .. } => watts = terms.limits.power.map(|has| (has, power + needs)),
            other => network.push(other),
        }
    }
    Infeasible::Limits { budget, power: watts, network }
}

/// Racks that the machines of all parts leave to switches.
fn racks(
    choice: &Choice<'_, '_>,
    counter: &Counter,
    terms: &Terms<'_>,
) -> Result<Option<Racks>, Infeasible> {
    let Some(most) = terms.limits.racks else { return Ok(None) };
    let mut taken = 0;
    for ready in &choice.ready {
        let job = &ready.candidate.job;
        let node = job.machine.node;
        let rack = terms.limits.rack;
        let Some(space) = node.space else {
            return Err(Infeasible::NoSpace { node: node.name.clone() });
        };
        let Some(racks) = rack.racks_of(space, node.power, u64::from(job.domains)) else {
            let (node, needs) = (node.name.clone(), node.power);
            return Err(Infeasible::RackPower { node, needs, has: rack });
        };
        taken += racks;
    }
    if taken > most {
        return Err(Infeasible::Racks { needs: taken, has: most });
    }
    Ok(Some(Racks { most: most - taken, per_rack: counter.per_rack.clone() }))
}

/// Switch models and transceivers of all parts, each once.
struct Counter {
    offers: Vec<Offer>,
    /// Place of each by name.
    places: BTreeMap<String, usize>,
    /// Switches of each that one rack holds; 0 for what takes no room of its own.
    per_rack: Vec<u64>,
}

impl Counter {
    fn of(choice: &Choice<'_, '_>) -> Self {
        let mut all = Self { offers: Vec::new(), places: BTreeMap::new(), per_rack: Vec::new() };
        for ready in &choice.ready {
            let parts = ready.bench.parts();
            for (place, offer) in parts.offers.iter().enumerate() {
                let fit = parts.per_rack.get(place).copied().unwrap_or(0);
                all.add(offer.clone(), fit);
            }
        }
        for ready in &choice.ready {
            let ends = &ready.bench.parts().ends;
            let offer = Offer {
                name: optic(ready),
                price: ends.price,
                power: ends.power,
                stock: ends.stock,
                supply: None,
            };
            all.add(offer, 0);
        }
        all
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

    /// The rails of a part.
    fn class(&self, ready: &Ready<'_>) -> Class {
        let (job, parts) = (&ready.candidate.job, ready.bench.parts());
        let place = |name: &str| self.places[name];
        let columns = ready.pieces.iter().map(|piece| {
            let mut switches = vec![0; self.offers.len()];
            for (offer, count) in parts.offers.iter().zip(&piece.column.switches) {
                switches[place(&offer.name)] += count;
            }
            switches[place(&optic(ready))] += Problem::ENDS_PER_LINK * piece.column.links;
            Column { switches, ..piece.column.clone() }
        });
        Class {
            name: job.lead.workload.name.clone(),
            rails: u64::from(job.machine.node.nics) * u64::from(ready.candidate.planes),
            columns: columns.collect(),
        }
    }
}

/// Name of the transceivers of a candidate; of one rate where the catalogue has none.
fn optic(ready: &Ready<'_>) -> String {
    let parts = ready.bench.parts();
    let anonymous = || format!("transceiver {:.0}G", parts.link.as_gigabits());
    parts.optic.map_or_else(anonymous, |optic| optic.name.clone())
}

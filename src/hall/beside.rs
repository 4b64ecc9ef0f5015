//! What stands in a hall beside the compute network: switches and servers of the other networks.

use super::draft::{Draft, Item, filled};
use super::problem::HallProblem;
use super::rack::RackRole;
use crate::hardware::Rack;
use crate::units::Watts;

/// So many devices of a model.
#[derive(Clone, Debug, PartialEq)]
pub struct Beside {
    /// What its devices are called, with a number behind it.
    pub name: &'static str,
    /// Model in the catalogue.
    pub model: String,
    /// Height in rack units.
    pub units: u32,
    /// What one draws, every port lit.
    pub power: Watts,
    /// Devices.
    pub count: u64,
}

/// All of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Others {
    /// Large switches: a rack holds one model, and no more than it does of compute switches.
    pub storage: Vec<Beside>,
    /// Management switches and servers, which share racks.
    pub management: Vec<Beside>,
    /// Racks that are kept for these at least.
    pub kept: u64,
}

impl Others {
    /// Every kind, storage first.
    pub fn each(&self) -> impl Iterator<Item = &Beside> {
        self.storage.iter().chain(&self.management)
    }

    /// Every device: its kind, and its number among those of that kind.
    pub fn devices(&self) -> impl Iterator<Item = (&Beside, u64)> {
        self.each().flat_map(|of| (0..of.count).map(move |number| (of, number)))
    }

    /// Racks that it takes.
    ///
    /// # Errors
    /// Where a rack can't hold a part of it.
    pub fn racks(&self, rack: &Rack) -> Result<u64, HallProblem> {
        stacked(rack, self).map(|racks| racks.len() as u64)
    }
}

/// Its racks, in their order: those of large switches first.
pub(super) fn stacked(rack: &Rack, others: &Others) -> Result<Vec<Draft>, HallProblem> {
    let mut numbers = 0..;
    let mut items = |of: &Beside| -> Result<Vec<Item>, HallProblem> {
        let Beside { units, power, .. } = *of;
        if of.count > 0 && rack.holds_switches(units, power) == 0 {
            let part = of.model.clone();
            return Err(HallProblem::TooBig { part, units, power, rack: *rack });
        }
        let all = (0..of.count).zip(&mut numbers);
        Ok(all.map(|(_, number)| Item { number, units, power }).collect())
    };
    let mut racks = Vec::new();
    for of in &others.storage {
        racks.extend(filled(rack, rack.switches, RackRole::Others, items(of)?));
    }
    let mut shared = Vec::new();
    for of in &others.management {
        shared.extend(items(of)?);
    }
    let shared = filled(rack, None, RackRole::Others, shared);
    let free = others.kept.saturating_sub(shared.len() as u64);
    racks.extend(shared);
    let empty = || Draft { role: RackRole::Others, power: Watts::ZERO, holds: Vec::new() };
    racks.extend((0..free).map(|_| empty()));
    Ok(racks)
}

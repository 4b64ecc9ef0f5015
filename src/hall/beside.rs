//! What stands in a hall beside the compute network: switches and servers of the other networks.

use super::draft::{DraftRack, RackItem, fill_racks};
use super::problem::HallProblem;
use super::rack::RackRole;
use crate::hardware::Rack;
use crate::units::Watts;

/// So many devices of a model.
#[derive(Clone, Debug, PartialEq)]
pub struct DeviceGroup {
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
pub struct OtherDevices {
    /// Large switches: a rack holds one model, and no more than it does of compute switches.
    pub storage: Vec<DeviceGroup>,
    /// Management switches and servers, which share racks.
    pub management: Vec<DeviceGroup>,
    /// Racks that are kept for these at least.
    pub kept: u64,
}

impl OtherDevices {
    /// Every kind, storage first.
    pub fn device_kinds(&self) -> impl Iterator<Item = &DeviceGroup> {
        self.storage.iter().chain(&self.management)
    }

    /// Every device: its kind, and its number among those of that kind.
    pub fn numbered_devices(&self) -> impl Iterator<Item = (&DeviceGroup, u64)> {
        self.device_kinds().flat_map(|group| (0..group.count).map(move |number| (group, number)))
    }

    /// Racks that it takes.
    ///
    /// # Errors
    /// Where a rack can't hold a part of it.
    pub fn racks_needed(&self, rack: &Rack) -> Result<u64, HallProblem> {
        stack_in_racks(rack, self).map(|racks| racks.len() as u64)
    }
}

/// Its racks, in their order: those of large switches first.
pub(super) fn stack_in_racks(
    rack: &Rack,
    others: &OtherDevices,
) -> Result<Vec<DraftRack>, HallProblem> {
    let mut numbers = 0..;
    let mut items = |group: &DeviceGroup| -> Result<Vec<RackItem>, HallProblem> {
        let DeviceGroup { units, power, .. } = *group;
        if group.count > 0 && rack.holds_switches(units, power) == 0 {
            let part = group.model.clone();
            return Err(HallProblem::TooBig { part, units, power, rack: *rack });
        }
        let all = (0..group.count).zip(&mut numbers);
        Ok(all.map(|(_, number)| RackItem { number, units, power }).collect())
    };
    let mut racks = Vec::new();
    for group in &others.storage {
        racks.extend(fill_racks(rack, rack.switches, RackRole::Others, items(group)?));
    }
    let mut shared = Vec::new();
    for group in &others.management {
        shared.extend(items(group)?);
    }
    let shared = fill_racks(rack, None, RackRole::Others, shared);
    let free = others.kept.saturating_sub(shared.len() as u64);
    racks.extend(shared);
    let empty = || DraftRack { role: RackRole::Others, power: Watts::ZERO, holds: Vec::new() };
    racks.extend((0..free).map(|_| empty()));
    Ok(racks)
}

//! A design in its hall, for those who order, pull and record its cables: lists, sheets of racks,
//! files for NetBox. Places nothing.

mod cable_list;
mod document;
mod json;
mod netbox;

pub use document::{hall_drawings, render_cables};
pub use netbox::netbox_import_files;

use crate::design::{InstalledPlan, Plan};
use crate::hall::{Device, RackSeat};
use crate::hardware::Switch;

/// A design in its hall.
#[derive(Clone, Copy, Debug)]
pub struct HallSheet<'a> {
    pub plan: &'a Plan,
    /// Where it stands.
    pub installed: &'a InstalledPlan,
    pub switches: &'a [Switch],
    /// Racks whose sheets are asked for; all where none is named.
    pub racks: &'a [String],
}

impl<'a> HallSheet<'a> {
    /// Every device with where it stands: machines, then switches, then the other networks.
    fn device_seats(&self) -> impl Iterator<Item = (Device, &'a RackSeat)> + use<'a> {
        let floor = &self.installed.floor;
        let machines = (0..).map(Device::Machine).zip(&floor.machines);
        let nodes = floor.nodes.iter().enumerate();
        let nodes = nodes.filter_map(|(number, seat)| Some((Device::Node(number), seat.as_ref()?)));
        let beside = (0..).map(Device::Beside).zip(&floor.beside);
        machines.chain(nodes).chain(beside)
    }
}

//! `Hall`, `Lengths`, `Installation`.
//!
//! The hall that a cluster stands in: racks, rows, aisles and trays. Places nothing.

use super::networks::Control;
use crate::hardware::Rack;
use crate::keys::{Kind, choices, table};
use crate::units::{Metres, Watts};

const RACKS: Kind = Kind::Count { min: 1, max: 10_000 };
const UNITS: Kind = Kind::Count { min: 1, max: 1_000 };
/// A step from one rack or row to the next.
const STEP: Kind = Kind::Number { min: 0.01, max: 100.0 };

table! {
    /// The hall of a cluster; lengths of its cables follow (docs/equations.md §7.16).
    #[derive(Clone, Debug, PartialEq)]
    pub struct Hall, "the hall: where racks stand and how cables run; a spec without it has the \
                      defaults in `planner cables`, and cables of stated lengths on the bill"
    {
        /// Usable height of a rack; `None` for that of the limits.
        rack_units: Option<u32>, in UNITS, "usable height of a rack" or "limits.rack_units";
        /// Power that a rack feeds; `None` for that of the limits.
        rack_power: Option<Watts>, "power that a rack can feed and cool; of this and the limit the \
                                    lesser holds"
            or "limits.rack_power";
        /// Machines of a rack; `None` for as many as height and power allow.
        machines_per_rack: Option<u32>, in UNITS, "machines in a rack at most"
            or "networks.control.nodes_per_rack, where that table stands, within height and power";
        /// Switches of a network rack; `None` likewise.
        switches_per_rack: Option<u32>, in UNITS, "switches in a rack at most"
            or "networks.control.switches_per_rack, where that table stands, within height and \
                power";
        racks_per_row: u32 = 20, in RACKS, "racks of a row";
        /// Rows that there are; `None` where that is no limit.
        rows: Option<u32>, in RACKS, "rows that there are" or "as many as it takes";
        /// From the middle of a rack to that of its neighbour.
        rack_pitch: Metres as "rack_pitch_m" = 0.6, in STEP,
            "metres from the middle of a rack to that of its neighbour";
        /// From the front of a rack to its back.
        rack_depth: Metres as "rack_depth_m" = 1.2, in STEP, "metres from the front of a rack to \
                                                              its back";
        /// Between rows that stand back to back.
        hot_aisle: Metres as "hot_aisle_m" = 1.2, "metres between the backs of two rows";
        /// Between rows that stand face to face.
        cold_aisle: Metres as "cold_aisle_m" = 1.2, "metres between the fronts of two rows";
        /// From the top of a rack to the tray above it.
        tray: Metres as "tray_m" = 0.4, "metres from the top of a rack to the cable tray above it";
        /// From a port to the side of its rack, where cables go up.
        side: Metres as "side_m" = 0.3, "metres from a port to the side of its rack, where cables \
                                         go up";
        /// Length that each cable has more than its way.
        slack: Metres as "slack_m" = 0.5, "metres that a cable has more than its way: a service \
                                           loop";
        /// Machines of a scalable unit at least: what shares leaf switches is never parted.
        unit_machines: u32 = 32, in Kind::Count { min: 1, max: 1_000_000 },
            "machines of a scalable unit at least; those that share leaf switches are never parted";
        /// Where network racks of a scalable unit stand.
        leaf_racks: LeafRacks = (LeafRacks::Middle), "where the leaf racks of a scalable unit \
                                                      stand";
    } besides {
        /// The spec has such a table: what is bought follows it.
        stated: bool,
        /// Racks are shared with other clusters and limited: scalable units share them.
        packed: bool,
    }
}

impl Hall {
    /// What a rack of it offers, of one that limits allow: its own height before theirs, the lesser
    /// power of both, and no more machines and switches than it states, or the racks of
    /// `[networks.control]`.
    #[must_use]
    pub fn offered_rack(&self, limits: Rack, control: Option<&Control>) -> Rack {
        Rack {
            units: self.rack_units.unwrap_or(limits.units),
            power: limits.power,
            fed: self.rack_power,
            machines: self
                .machines_per_rack
                .or_else(|| control.map(|fabric_control| fabric_control.nodes_per_rack)),
            switches: self
                .switches_per_rack
                .or_else(|| control.map(|fabric_control| fabric_control.switches_per_rack)),
        }
    }
}

choices! {
    /// Where the leaf racks of a scalable unit stand.
    pub enum LeafRacks {
        /// In the middle of its machines.
        Middle = "middle",
        /// Behind the last of its machines.
        End = "end",
    }
}

/// Links of one length that were routed through a hall.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Stretch {
    /// Whole metres that the kind of link has to reach: the longest of those that share its parts.
    pub reach_m: u32,
    /// Whole metres that the cable is long at least.
    pub cable_m: u32,
    pub links: u64,
}

/// Lengths of a cluster's links. None of a class where it has no such links.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lengths {
    /// Between interfaces and leaf switches.
    pub host: Vec<Stretch>,
    pub uplink: Vec<Stretch>,
}

const HOURS: Kind = Kind::Number { min: 0.0, max: 1000.0 };

table! {
    /// `[installation]`.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Installation, "work on site, and cables of links that are counted by their ends: an \
                              hour and a cable cost what the price book has for `labour` and \
                              `link-cable`" {
        /// Hours to lay, join and label a cable.
        cable: f64 as "hours_per_cable" = 0.0, in HOURS, "hours of work for a cable";
        /// Hours to mount and start a switch.
        switch: f64 as "hours_per_switch" = 0.0, in HOURS, "hours of work for a switch";
        /// Hours to mount and start a machine.
        machine: f64 as "hours_per_machine" = 0.0, in HOURS, "hours of work for a machine";
        /// Hours to place and feed a rack.
        rack: f64 as "hours_per_rack" = 0.0, in HOURS,
            "hours of work for a rack: every rack of the hall";
    }
}

//! What installing a cluster takes beside its parts: hours of work, and the cables of links that are
//! counted by their ends. Nobody publishes hours, so no default is one.

use crate::keys::{Kind, table};

const HOURS: Kind = Kind::Number { min: 0.0, max: 1000.0 };

table! {
    /// `[installation]`.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Installation, "work on site, and cables of links that are counted by their ends: an hour and a cable cost what the price book has for `labour` and `link-cable`" {
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

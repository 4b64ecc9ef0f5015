//! Why a cluster can't be placed in a hall.

use std::fmt;

use crate::hardware::Rack;
use crate::units::{Amount, ExactAmount, Watts};

/// Why a cluster can't be placed in a hall.
#[derive(Clone, Debug, PartialEq)]
pub enum HallProblem {
    /// Nobody says how high a machine is.
    NoMachineSpace {
        /// The machine.
        node: String,
    },
    /// Nobody says how high a switch is.
    NoSwitchSpace {
        /// The model; empty where it is anonymous.
        model: String,
    },
    /// A rack holds not one of them.
    TooBig {
        /// The part.
        part: String,
        /// Its height in rack units; 0 where it takes whole racks.
        units: u32,
        /// What it draws.
        power: Watts,
        /// What a rack offers.
        rack: Rack,
    },
    /// There are fewer rows than it takes.
    Rows {
        /// Rows that it takes.
        needs: u32,
        /// Rows that there are.
        has: u32,
    },
}

impl fmt::Display for HallProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoMachineSpace { node } => write!(
                f,
                "nobody says how much room `{node}` takes: state \
                 `hardware.nodes.{node}.rack_units`, or `racks`"
            ),
            Self::NoSwitchSpace { model } => write!(
                f,
                "nobody says how high the switch `{model}` is: state \
                 `hardware.switches.{model}.rack_units`"
            ),
            Self::TooBig { part, units, power, rack } => {
                let height = match units {
                    0 => String::new(),
                    units => format!("is {units} U high and "),
                };
                let fed = rack.most_power().map_or(String::new(), |most| {
                    format!(" and {}", ExactAmount(&Amount::Power(most)))
                });
                write!(
                    f,
                    "a rack of {} U{fed} can't hold `{part}`, which {height}draws {}: raise {}",
                    rack.units,
                    ExactAmount(&Amount::Power(*power)),
                    more_of(rack)
                )
            }
            Self::Rows { needs, has } => write!(
                f,
                "the cluster takes {needs} rows of racks, and the hall has {has}: raise `hall.rows` \
                 or `hall.racks_per_row`"
            ),
        }
    }
}

/// The keys that give a rack more room.
pub(crate) fn more_of(rack: &Rack) -> &'static str {
    match (rack.power, rack.fed) {
        (Some(limit), Some(fed)) if limit > fed => "`hall.rack_units` or `hall.rack_power`",
        (Some(_), _) => "`limits.rack_power` or `limits.rack_units`",
        _ => "`hall.rack_units` or `hall.rack_power`",
    }
}

impl std::error::Error for HallProblem {}

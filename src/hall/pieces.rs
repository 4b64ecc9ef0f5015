//! What a cable list is ordered as, by part.

use std::collections::{BTreeMap, BTreeSet};

use super::cabling::Cabling;
use super::device::Device;
use crate::fabric::LinkClass;

/// Pieces of one part that a cable list takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CableOrder {
    /// Part by its name in the catalogue.
    pub name: String,
    /// A module; else a cable.
    pub is_module: bool,
    /// How many.
    pub count: u64,
}

impl Cabling {
    /// What all of it takes, by part: a module for each cage in use of a kind that has one, and every cable
    /// once, however many links share it. `None` where some link has no part.
    #[must_use]
    pub fn cable_orders(&self) -> Option<Vec<CableOrder>> {
        let mut modules: BTreeSet<(usize, bool, Device, u32)> = BTreeSet::new();
        let mut cables: BTreeSet<(usize, u32)> = BTreeSet::new();
        for run in &self.runs {
            let joined = run.joined?;
            let switch = usize::from(run.class == LinkClass::Host);
            for (place, end) in run.ends.iter().enumerate() {
                modules.insert((joined, place == switch, end.device, end.port.cage));
            }
            cables.insert((joined, run.cable));
        }
        let mut all: BTreeMap<(bool, &str), u64> = BTreeMap::new();
        // A cage has one module, also where cables of several lengths end in it.
        let mut plugged: BTreeSet<(&str, Device, u32)> = BTreeSet::new();
        for (joined, near, device, cage) in modules {
            let hall = &self.joined[joined];
            let module = if near { &hall.near_module } else { &hall.far_module };
            if !module.is_empty() && plugged.insert((module, device, cage)) {
                *all.entry((false, module)).or_insert(0) += 1;
            }
        }
        for (joined, _) in cables {
            let hall = &self.joined[joined];
            *all.entry((true, &hall.cable)).or_insert(0) += u64::from(hall.cables);
        }
        let each = all.into_iter().map(|((is_cable, name), count)| CableOrder {
            name: name.to_owned(),
            is_module: !is_cable,
            count,
        });
        Some(each.collect())
    }
}

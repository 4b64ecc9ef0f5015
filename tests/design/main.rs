//! Designs of one cluster, held against what knows nothing of how they were found.

#[path = "../support/boxes.rs"]
mod boxes;
#[path = "../support/cases.rs"]
mod cases;
#[path = "../support/dice.rs"]
mod dice;
#[path = "../support/pace.rs"]
mod pace;
#[path = "../support/scenario.rs"]
mod scenario;

mod advice;
mod alternatives;
mod defaults;
mod design;
mod flips;
mod frontier;
mod house_rule;
mod idle_gpus;
mod link_parts;
mod link_table;
mod other_networks;
mod priorities;
mod products;
mod published_bills;
mod quantities;
mod racks;
mod rail_only_paper;
mod ready_specs;
mod regular;
mod reliability;
mod robust;
mod spare_trays;
mod standby;
mod stopped;
mod survival;
mod wide_uplinks;

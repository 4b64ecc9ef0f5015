//! Fabrics: how many switches and links, how they are wired, what they carry.

#[path = "../support/cases.rs"]
mod cases;
#[expect(dead_code, reason = "shared with tests that roll in other ways")]
#[path = "../support/dice.rs"]
mod dice;
#[path = "../support/flow.rs"]
mod flow;

mod all_to_all;
mod ceiling;
mod fabric_cases;
mod fabric_graph;
mod flat_graphs;
mod hb_domains;
mod headroom;
mod published_fabrics;
mod rail_builds;

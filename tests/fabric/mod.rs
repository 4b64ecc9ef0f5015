//! Fabrics: how many switches and links, how they are wired, what they carry.

mod all_to_all;
mod ceiling;
mod fabric_cases;
mod fabric_graph;
mod flat_graphs;
mod flow;
mod hb_domains;
mod headroom;
mod published_fabrics;
mod rail_builds;

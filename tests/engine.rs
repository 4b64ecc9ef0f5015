//! What is computed: steps, bytes, fabrics, routes, layouts and the integer program, each against an
//! oracle of its own or figures that others published.

mod fabric;
mod published;
mod routing;
mod search_layouts;
mod sizing;
mod step;
mod support;
mod technique;
mod traffic_matrix;
mod validation;

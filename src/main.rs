//! The `planner` binary: nothing yet but its place.

fn main() {}

//! Pages: those that ship, their examples run and compared, and those that the program writes.

#[path = "../support/html.rs"]
mod html;
#[path = "../support/plan.rs"]
mod plan;
#[path = "../support/program.rs"]
mod program;

mod algorithms;
mod equations;
mod formulation;
mod gallery;
mod page;
mod readme;
mod report;

//! What reports are made of: the plain data that each command hands over, and the names that people
//! and programs are told alike. Words and JSON both read it; it knows neither.

mod bill;
mod calibration;
mod cause;
mod check;
mod clusters;
mod doubtful;
mod explain;
mod fabric;
mod finding;
mod hb;
mod layouts;
mod names;
mod preset;
mod side_by_side;
mod step;
mod traffic;

pub use bill::BillSheet;
pub(super) use calibration::calibration_lines;
pub(super) use cause::cause_code_and_text;
pub use check::CheckSheet;
pub use clusters::ClusterSheets;
pub use doubtful::Doubtful;
pub use explain::ExplainSheet;
pub(super) use explain::input_origin_text;
pub use fabric::{DomainSheet, FabricSheet};
pub(super) use finding::finding_text;
pub use hb::HbSheet;
pub use layouts::LayoutSheet;
pub(super) use names::{case_name, frontier_axis, frontier_cost, frontier_slowdown};
pub use preset::Preset;
pub use side_by_side::SideBySide;
pub use step::StepSheet;
pub(super) use traffic::PERCENTILES;
pub use traffic::TrafficSheet;

//! Turns results into text: tables for people, JSON for programs, CSV and markdown for the rest.
//!
//! A report computes nothing: it names, rounds, orders and aligns what lower floors found, and at
//! most divides one printed number by another to show a share. It reads no file, no clock and no
//! terminal; the same plan gives the same bytes. It does not know how specs are read.

mod amount;
mod document;
mod format;
pub mod hall;
mod json;
pub mod ledger;
pub mod matrix;
mod number;
mod picture;
mod program;
mod sheet;
mod sketch;
mod span;
mod table;
pub mod topology;
mod view;
mod warning;
mod words;
pub mod workbook;
mod worth;

pub use format::{Detail, Format, RenderOptions, signed};
pub use program::{ProgramFormat, program};
pub use sheet::{
    BillSheet, CheckSheet, ClusterSheets, DomainSheet, Doubtful, ExplainSheet, FabricSheet,
    HbSheet, LayoutSheet, Preset, SideBySide, StepSheet, TrafficSheet,
};
pub use view::audit::audit;
pub use view::calibrate::calibration;
pub use view::compare::compare;
pub use view::design::design;
pub use view::difference::difference;
pub use view::domains::{domains, domains_drawing};
pub use view::explain::{explain, quantities};
pub use view::fabric::fabric;
pub use view::frontier::frontier;
pub use view::gate::check;
pub use view::hb::hb_domain;
pub use view::page::{PageSheet, page};
pub use view::presets::{preset, presets};
pub use view::purchase::purchase;
pub use view::reached::progress_line;
pub use view::refit::refit;
pub use view::search::search;
pub use view::side_by_side::side_by_side;
pub use view::step::step;
pub use view::sweep::{sweep, sweep_drawing, sweep_plotted};
pub use view::technique::{technique_names, techniques};
pub use view::traffic::{traffic, traffic_title};
pub use view::validate::validation;

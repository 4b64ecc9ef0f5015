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

pub use format::{Detail, Format, RenderOptions, add_provenance};
pub use program::{ProgramFormat, program_text};
pub use sheet::{
    BillSheet, CheckSheet, ClusterSheets, DomainSheet, Doubtful, ExplainSheet, FabricSheet,
    HbSheet, LayoutSheet, Preset, SideBySide, StepSheet, TrafficSheet,
};
pub use view::audit::render_audit;
pub use view::calibrate::render_calibration;
pub use view::compare::render_comparison;
pub use view::design::render_design;
pub use view::difference::render_difference;
pub use view::domains::{domains_drawing, render_domains};
pub use view::explain::{render_explanations, render_quantities};
pub use view::fabric::render_fabric;
pub use view::frontier::render_frontier;
pub use view::gate::render_check;
pub use view::hb::hb_domain;
pub use view::page::{PageSheet, render_page};
pub use view::presets::{render_preset, render_presets};
pub use view::purchase::render_bill;
pub use view::reached::progress_line;
pub use view::refit::render_refit;
pub use view::search::render_layouts;
pub use view::side_by_side::side_by_side;
pub use view::step::render_step;
pub use view::sweep::{render_sweep, sweep_drawing, sweep_plotted};
pub use view::technique::{render_techniques, technique_names};
pub use view::traffic::{render_traffic, traffic_title};
pub use view::validate::render_validation;

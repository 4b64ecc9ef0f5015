//! Turns results into text: tables for people, JSON for programs, CSV and markdown for the rest.
//!
//! A report computes nothing: it names, rounds, orders and aligns what lower floors found, and at
//! most divides one printed number by another to show a share. It reads no file, no clock and no
//! terminal; the same plan gives the same bytes. It does not know how specs are read.

mod amount;
pub mod call_export;
mod command;
mod comparison;
mod decision;
mod document;
mod format;
mod glossary;
pub mod hall;
mod json;
mod list;
pub mod matrix;
mod number;
mod picture;
mod program_file;
mod section;
mod sheet;
mod short_number;
mod table;
pub mod topology;
mod warnings;
mod words;
pub mod workbook;

pub use command::bill::render_bill;
pub use command::design::{progress_line, render_design};
pub use command::domain_sizes::{domains_drawing, render_domains};
pub use command::explain::{
    render_audit, render_explanations, render_preset, render_presets, render_quantities,
};
pub use command::frontier::render_frontier;
pub use command::hb_domain::hb_domain;
pub use command::page::{PageSheet, render_page};
pub use command::step_and_search::{render_layouts, render_step};
pub use command::traffic::{render_difference, render_traffic, traffic_title};
pub use command::validate::{
    render_calibration, render_network_calibration, render_refit, render_validation,
};
pub use comparison::baselines::render_comparison;
pub use comparison::check::render_check;
pub use comparison::side_by_side::side_by_side;
pub use comparison::sweep::{render_sweep, sweep_drawing, sweep_plotted};
pub use comparison::techniques::{render_techniques, technique_names};
pub use comparison::test_cases::check_test_cases;
pub use decision::{NoDesignSheet, no_design_sentence, render_no_design};
pub use format::{Detail, Format, RenderOptions, add_provenance, is_section_name};
pub use glossary::{Term, find_term, glossary_page, render_term, term_names};
pub use program_file::{ProgramFormat, program_text};
pub use section::fabric::render_fabric;
pub use sheet::{
    BillSheet, CheckSheet, ClusterSheets, DomainSheet, Doubtful, ExplainSheet, FabricSheet,
    HbSheet, LayoutSheet, Preset, SideBySide, StepSheet, TrafficSheet,
};

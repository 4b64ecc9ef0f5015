//! What reports are made of: the plain data that each command hands over, and the names that people
//! and programs are told alike. Words and JSON both read it; it knows neither.

mod command_input;
mod shared_words;

pub use command_input::{
    BillSheet, CheckSheet, ClusterSheets, DomainSheet, Doubtful, ExplainSheet, FabricSheet,
    HbSheet, LayoutSheet, Preset, SideBySide, StepSheet, TrafficSheet,
};
pub(super) use command_input::{PERCENTILES, calibration_lines, input_origin_text};
pub(super) use shared_words::{
    case_name, cause_code_and_text, finding_text, frontier_axis, frontier_cost, frontier_slowdown,
    question_change_text,
};

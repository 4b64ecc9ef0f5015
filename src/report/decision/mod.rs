//! The decision that a design comes to: what it saves and against what, what its price lacks and
//! rests on, what is left to decide. Text, JSON and pages read the same one.

mod decide;
mod headline;
mod no_design;
mod performance;
mod plan_decision;
mod purchase;
mod rows;
mod trust;
mod verdict;

pub(super) use decide::Decide;
pub(super) use headline::headline_figures;
pub use no_design::{NoDesignSheet, no_design_sentence, render_no_design};
pub(super) use plan_decision::Decision;
pub(super) use purchase::{fabric_name, price_lines};
pub(super) use rows::{design_screen, title_text};
pub(super) use trust::trust_section;
pub(super) use verdict::{Reference, name_without_plane, reference_sentence};

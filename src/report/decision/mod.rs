//! The decision that a design comes to: what it saves and against what, what its price lacks and
//! rests on, what is left to decide. Text, JSON and pages read the same one.

mod decide;
pub use no_design::{NoDesignSheet, no_design_sentence, render_no_design};

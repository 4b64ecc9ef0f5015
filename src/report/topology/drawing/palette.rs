//! Colours of a drawing: one for each rail, few enough to be told apart by all kinds of sight.

/// Colours that Okabe and Ito (2008) chose, the darker of them first; rails beyond them start anew.
const RAILS: [&str; 8] =
    ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8c6d1f", "#5b4a9c"];

pub(super) const INK: &str = "#202020";
pub(super) const QUIET: &str = "#6a6a6a";
pub(super) const PAPER: &str = "#ffffff";
pub(super) const SWITCH: &str = "#4a5560";
pub(super) const PANEL: &str = "#f2f4f6";
pub(super) const FRAME: &str = "#c4cad0";

/// The colour of a rail.
pub(super) fn rail(number: u32) -> &'static str {
    RAILS[number as usize % RAILS.len()]
}

/// The colour of something that serves these rails: that of the only one, or none in particular.
pub(super) fn of_rails(rails: &[u32]) -> &'static str {
    match rails {
        [only] => rail(*only),
        _ => SWITCH,
    }
}

//! A calibration as a spec has it: for people to paste, and for programs alike.

use crate::validate::Calibrated;

/// The table as a spec has it; empty where no constant moved.
pub(in super::super) fn calibration_lines(found: &Calibrated) -> Vec<String> {
    if found.constants.is_empty() {
        return Vec::new();
    }
    let mut lines = vec![format!("[hardware.calibrations.{}]", found.set)];
    for constant in &found.constants {
        let value = &constant.written;
        let value = if constant.unit.is_empty() { value.clone() } else { format!("\"{value}\"") };
        lines.push(format!("{} = {value} # {} steps", constant.key, constant.rows));
    }
    lines
}

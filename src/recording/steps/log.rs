//! What logs have in common: lines with colours and prefixes, times of many steps. Knows no format.

use super::problem::StepsProblem;
use super::run::MeasuredRun;
use crate::units::Seconds;

/// Steps at the start of a run that compile, allocate and fill caches.
const WARM_UP: usize = 3;

/// A run while its lines are read.
#[derive(Default)]
pub(super) struct RunInProgress {
    /// Line at which it begins, from 1.
    pub(super) line: usize,
    pub(super) settings: Vec<(String, String)>,
    /// Seconds of its steps, in order.
    pub(super) times: Vec<f64>,
}

impl RunInProgress {
    /// States a key, unless it is stated.
    pub(super) fn set_key(&mut self, key: &str, value: impl ToString) {
        if !self.settings.iter().any(|(text, _)| text == key) {
            self.settings.push((key.to_owned(), value.to_string()));
        }
    }

    /// The run, with the median of its steps after the warm-up.
    pub(super) fn finish_run(self, name: &str) -> Result<MeasuredRun, StepsProblem> {
        let mut times: Vec<f64> = self.times.into_iter().skip(WARM_UP).collect();
        times.sort_by(f64::total_cmp);
        let Some(last) = times.len().checked_sub(1) else {
            return Err(StepsProblem::NoSteps { file: String::new(), line: self.line });
        };
        let time = Seconds::from_f64(f64::midpoint(times[last / 2], times[times.len() / 2]));
        let (name, place) = (name.to_owned(), format!("line {}", self.line));
        Ok(MeasuredRun { name, place, time, settings: self.settings })
    }
}

/// A line without the escape sequences that colour it.
pub(super) fn strip_prefix_and_colour(line: &str) -> String {
    let mut text = String::with_capacity(line.len());
    let mut rest = line;
    while let Some((before, after)) = rest.split_once("\u{1b}[") {
        text.push_str(before);
        rest = after.find(|c: char| c.is_ascii_alphabetic()).map_or("", |end| &after[end + 1..]);
    }
    text + rest
}

/// The number that follows those words; separators of thousands are left out.
pub(super) fn number_after(line: &str, after: &str) -> Option<f64> {
    let rest = line.split_once(after)?.1.trim_start();
    let end = rest.find(|c: char| !matches!(c, '0'..='9' | '.' | ',' | 'e' | 'E' | '+' | '-'));
    let digits = rest[..end.unwrap_or(rest.len())].trim_end_matches([',', '.']);
    digits.replace(',', "").parse().ok().filter(|value: &f64| value.is_finite() && *value > 0.0)
}

//! How far long work is, and how much longer it will take: one line on a terminal, nothing in a
//! pipe. It prints nothing itself.

use std::time::{Duration, Instant};

/// Shortest time between two lines.
const PAUSE: Duration = Duration::from_millis(200);

/// A line that is written over now and then.
#[derive(Debug)]
pub(super) struct ProgressLine {
    shown: bool,
    /// Those of the terminal, where they are known: a wider line would take two.
    columns: Option<usize>,
    started: Instant,
    told: Option<Instant>,
}

impl ProgressLine {
    /// Shown only where somebody looks at a terminal of so many columns.
    pub(super) fn new(shown: bool, columns: Option<usize>) -> Self {
        Self { shown, columns, started: Instant::now(), told: None }
    }

    /// Whether it is time for the next one, which then has to be written.
    pub(super) fn is_due(&mut self) -> bool {
        let now = Instant::now();
        let early = now.duration_since(self.told.unwrap_or(self.started)) < PAUSE;
        if self.shown && !early {
            self.told = Some(now);
        }
        self.shown && !early
    }

    /// What writes a text over the line that stands there.
    pub(super) fn overwrite_line(&self, text: &str) -> String {
        // A terminal that does not know its width says 0.
        let columns = self.columns.filter(|columns| *columns > 0).unwrap_or(usize::MAX);
        format!("\r\x1b[K{}", text.chars().take(columns - 1).collect::<String>())
    }

    /// What wipes the line, where there is one.
    pub(super) fn wipe_sequence(&self) -> Option<String> {
        self.told.map(|_| "\r\x1b[K".to_owned())
    }
}

/// The state of some work.
pub(super) struct Progress {
    all: usize,
    done: usize,
    unit: &'static str,
    line: ProgressLine,
}

impl Progress {
    /// Work of so many steps, which are called `unit`; `shown` only where somebody looks at a
    /// terminal.
    pub(super) fn new(all: usize, unit: &'static str, shown: bool) -> Self {
        Self { all, done: 0, unit, line: ProgressLine::new(shown, None) }
    }

    /// So many steps are done, of so many; otherwise as [`Self::advance_step`].
    pub(super) fn reach_step(&mut self, done: usize, all: usize) -> Option<String> {
        // Threads may tell of their steps in another order than they made them.
        self.done = self.done.max(done);
        self.all = all;
        self.due_line()
    }

    /// One step more; what to write over the line that stands there, where it is time for it.
    pub(super) fn advance_step(&mut self) -> Option<String> {
        self.done += 1;
        self.due_line()
    }

    fn due_line(&mut self) -> Option<String> {
        if !self.line.is_due() {
            return None;
        }
        let spent = self.line.started.elapsed();
        Some(self.line.overwrite_line(&progress_text(self.done, self.all, self.unit, spent)))
    }

    /// What wipes the line, where there is one.
    pub(super) fn wipe_line(&self) -> Option<String> {
        self.line.wipe_sequence()
    }
}

/// `12 of 40 points, 9 s left`.
fn progress_text(done: usize, all: usize, unit: &str, spent: Duration) -> String {
    let left = spent.as_secs_f64() / done.max(1) as f64 * all.saturating_sub(done) as f64;
    format!("{done} of {all} {unit}, {} left", format_duration(left.round() as u64))
}

fn format_duration(seconds: u64) -> String {
    match (seconds / 3600, seconds / 60 % 60, seconds % 60) {
        (0, 0, seconds) => format!("{seconds} s"),
        (0, minutes, seconds) => format!("{minutes} min {seconds} s"),
        (hours, minutes, _) => format!("{hours} h {minutes} min"),
    }
}

#[cfg(test)]
mod tests {
    use super::{Duration, Progress, ProgressLine, progress_text};

    #[test]
    fn what_is_left_follows_from_what_is_done() {
        let line = |done, all, spent| progress_text(done, all, "points", spent);
        assert_eq!(line(10, 40, Duration::from_secs(5)), "10 of 40 points, 15 s left");
        assert_eq!(line(1, 3, Duration::from_secs(100)), "1 of 3 points, 3 min 20 s left");
        assert_eq!(line(1, 101, Duration::from_secs(72)), "1 of 101 points, 2 h 0 min left");
        assert_eq!(line(0, 0, Duration::ZERO), "0 of 0 points, 0 s left");
    }

    #[test]
    fn a_line_is_no_wider_than_its_terminal() {
        let over = |columns, text| ProgressLine::new(true, columns).overwrite_line(text);
        assert_eq!(over(Some(6), "twelve"), "\r\x1b[Ktwelv");
        assert_eq!(over(Some(0), "twelve"), over(None, "twelve"));
    }

    #[test]
    fn nothing_is_said_where_nobody_looks() {
        let mut progress = Progress::new(1, "points", false);
        assert_eq!((progress.advance_step(), progress.wipe_line()), (None, None));
        assert_eq!((progress.reach_step(3, 9), progress.done, progress.all), (None, 3, 9));
    }
}

//! The line that shows how far a design is, and what Ctrl-C does meanwhile.

use std::io::{IsTerminal as _, stderr};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use terminal_size::terminal_size_of;

use super::args::{Options, ShownProgress};
use super::atomic_write::Interrupt;
use super::output;
use crate::report;
use crate::sizing::{self, DesignProgress, Watch, WatchHandle};

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
    fn is_due(&mut self) -> bool {
        let now = Instant::now();
        let early = now.duration_since(self.told.unwrap_or(self.started)) < PAUSE;
        if self.shown && !early {
            self.told = Some(now);
        }
        self.shown && !early
    }

    /// What writes a text over the line that stands there.
    fn overwrite_line(&self, text: &str) -> String {
        // A terminal that does not know its width says 0.
        let columns = self.columns.filter(|columns| *columns > 0).unwrap_or(usize::MAX);
        format!("\r\x1b[K{}", text.chars().take(columns - 1).collect::<String>())
    }

    /// What wipes the line, where there is one.
    fn wipe_sequence(&mut self) -> Option<String> {
        self.told.take().map(|_| "\r\x1b[K".to_owned())
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
    pub(super) fn wipe_line(&mut self) -> Option<String> {
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

/// Counts of choices one after another, which together only grow: an answer takes several, for the
/// design and for what is held against it.
#[derive(Debug, Default)]
struct ForwardCount {
    /// What was gone through in choices that are over.
    before: u64,
    /// The choice that goes on.
    last: Option<DesignProgress>,
}

impl ForwardCount {
    /// The state with what was gone through before it.
    fn add_state(&mut self, state: &DesignProgress) -> DesignProgress {
        let mut done = state.done;
        if let Some(last) = &self.last {
            let is_next =
                last.all != state.all || (last.done >= last.all && state.done < last.done);
            if is_next {
                self.before += last.done;
            } else {
                // Threads may tell of their work in another order than they did it.
                done = done.max(last.done);
            }
        }
        self.last = Some(DesignProgress { done, ..state.clone() });
        let (done, all) = (self.before + done, self.before + state.all.max(done));
        DesignProgress { done, all, ..state.clone() }
    }
}

/// A line, and how far what it tells of is.
#[derive(Debug)]
struct DesignLine {
    line: ProgressLine,
    count: ForwardCount,
}

/// Who looks on.
#[derive(Debug)]
pub(super) struct DesignWatch {
    line: Mutex<DesignLine>,
    /// `None` where a signal ends the program at once, as always.
    interrupt: Option<Arc<Interrupt>>,
}

impl DesignWatch {
    /// Shows progress, where somebody looks at a terminal; a signal ends the program at once.
    pub(super) fn with_progress_line() -> Arc<Self> {
        Arc::new(Self { line: Mutex::new(design_progress_line()), interrupt: None })
    }

    /// Shows progress, and has the first signal end the choice of a design only.
    pub(super) fn with_signals(options: &Options) -> Arc<Self> {
        Arc::new(Self {
            line: Mutex::new(design_progress_line()),
            interrupt: Some(options.heed_signals()),
        })
    }

    /// Ends the line; what is written from here on is the result. True where a signal came before.
    /// Where no file is written, which can be left half done, a later one ends the program at once.
    pub(super) fn end_watch(&self, options: &Options) -> bool {
        self.wipe_line();
        let to_file = options.output.as_deref().is_some_and(|path| path.as_os_str() != "-");
        self.interrupt.as_ref().is_some_and(|interrupt| {
            if !to_file {
                interrupt.end_on_next_signal();
            }
            interrupt.has_come()
        })
    }
}

impl ShownProgress for DesignWatch {
    fn wipe_line(&self) {
        if let Ok(mut told) = self.line.lock() {
            output::print_progress(told.line.wipe_sequence());
        }
    }

    fn watch_handle(self: Arc<Self>) -> WatchHandle {
        WatchHandle::new(self)
    }
}

/// How the integer program is solved, with a line that shows how far it is until something is
/// written.
pub(super) fn watched_options(options: &Options) -> sizing::Options {
    let shown = options.shown_progress(|| DesignWatch::with_progress_line());
    sizing::Options { watch: Arc::clone(shown).watch_handle(), ..options.solver_options() }
}

impl Watch for DesignWatch {
    fn show_progress(&self, state: &DesignProgress) {
        let Ok(mut told) = self.line.lock() else { return };
        let state = told.count.add_state(state);
        if told.line.is_due() {
            let text = report::progress_line(&state);
            output::print_progress(Some(told.line.overwrite_line(&text)));
        }
    }

    fn is_stopped(&self) -> bool {
        self.interrupt.as_ref().is_some_and(|interrupt| interrupt.has_come())
    }
}

/// The line of a command: as wide as the terminal, as what is wider can't be written over.
fn design_progress_line() -> DesignLine {
    let columns = terminal_size_of(stderr()).map(|(columns, _)| usize::from(columns.0));
    let line = ProgressLine::new(is_watched(), columns);
    DesignLine { line, count: ForwardCount::default() }
}

/// Whether somebody sees how far work is: a terminal is told, however quiet the result is to be.
pub(super) fn is_watched() -> bool {
    stderr().is_terminal()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{ForwardCount, Progress, ProgressLine, progress_text};
    use crate::sizing::DesignProgress;

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
    fn choices_one_after_another_only_go_forward() {
        let mut count = ForwardCount::default();
        let mut told = |done, all| {
            let state = count.add_state(&DesignProgress { done, all, best: None });
            (state.done, state.all)
        };
        assert_eq!(told(2, 4), (2, 4));
        assert_eq!(told(1, 4), (2, 4), "threads overtake one another");
        assert_eq!(told(4, 4), (4, 4));
        assert_eq!(told(1, 4), (5, 8), "the next of as many");
        assert_eq!(told(0, 9), (5, 14));
        assert_eq!(told(1, 2), (6, 7));
    }

    #[test]
    fn nothing_is_said_where_nobody_looks() {
        let mut progress = Progress::new(1, "points", false);
        assert_eq!((progress.advance_step(), progress.wipe_line()), (None, None));
        assert_eq!((progress.reach_step(3, 9), progress.done, progress.all), (None, 3, 9));
    }
}

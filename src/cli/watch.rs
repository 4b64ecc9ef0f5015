//! Who looks on while a design is found: a line on a terminal that says how far it is, and Ctrl-C, which
//! has the best design so far printed. Decides nothing about designs.

use std::io::{IsTerminal as _, stderr};
use std::sync::{Arc, Mutex};

use terminal_size::terminal_size_of;

use super::args::Options;
use super::interrupt::Interrupt;
use super::output;
use super::progress::ProgressLine;
use crate::report;
use crate::sizing::{DesignProgress, Watch, WatchHandle};

/// Who looks on.
#[derive(Debug)]
pub(super) struct DesignWatch {
    line: Mutex<ProgressLine>,
    /// `None` where a signal ends the program at once, as always.
    interrupt: Option<Arc<Interrupt>>,
}

impl DesignWatch {
    /// Shows progress, where somebody looks at a terminal; a signal ends the program at once.
    pub(super) fn with_progress_line(options: &Options) -> Arc<Self> {
        Arc::new(Self { line: Mutex::new(design_progress_line(options)), interrupt: None })
    }

    /// Shows progress, and has the first signal end the choice of a design only.
    pub(super) fn with_signals(options: &Options) -> Arc<Self> {
        Arc::new(Self {
            line: Mutex::new(design_progress_line(options)),
            interrupt: Some(options.heed_signals()),
        })
    }

    /// What options of the solver keep of it.
    pub(super) fn handle(self: &Arc<Self>) -> WatchHandle {
        WatchHandle::new(Arc::<Self>::clone(self))
    }

    /// Ends the line; what is written from here on is the result. True where a signal came before. Where
    /// no file is written, which can be left half done, a later one ends the program at once.
    pub(super) fn end_watch(&self, options: &Options) -> bool {
        if let Ok(line) = self.line.lock() {
            output::print_progress(line.wipe_sequence());
        }
        let to_file = options.output.as_deref().is_some_and(|path| path.as_os_str() != "-");
        self.interrupt.as_ref().is_some_and(|interrupt| {
            if !to_file {
                interrupt.end_on_next_signal();
            }
            interrupt.has_come()
        })
    }
}

impl Watch for DesignWatch {
    fn show_progress(&self, state: &DesignProgress) {
        let Ok(mut line) = self.line.lock() else { return };
        if line.is_due() {
            output::print_progress(Some(line.overwrite_line(&report::progress_line(state))));
        }
    }

    fn is_stopped(&self) -> bool {
        self.interrupt.as_ref().is_some_and(|interrupt| interrupt.has_come())
    }
}

/// The line of a command: as wide as the terminal, as what is wider can't be written over.
fn design_progress_line(options: &Options) -> ProgressLine {
    let columns = terminal_size_of(stderr()).map(|(columns, _)| usize::from(columns.0));
    ProgressLine::new(!options.quiet && stderr().is_terminal(), columns)
}

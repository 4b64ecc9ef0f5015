//! Ctrl-C and `kill` while a file is written or a design is found: noticed between two pieces, so that
//! what is half written can be taken away first, and the best design so far printed. Everywhere else a
//! signal ends the program at once, as always.

use std::fs::File;
use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::{flag, low_level};

/// Signals that are heeded. Not SIGHUP: a program under `nohup` is told to ignore it, and catching
/// it would undo that.
const SIGNALS: [i32; 2] = [SIGINT, SIGTERM];

/// Signals that came since they are caught.
#[derive(Debug)]
pub(super) struct Interrupt {
    /// The number of the last one; 0 where none came.
    came: Arc<AtomicUsize>,
    /// Whether the next one ends the program at once.
    armed: Arc<AtomicBool>,
}

impl Interrupt {
    /// Catches the next signal; a second one ends the program at once.
    pub(super) fn catch_signal() -> Self {
        let came = Arc::new(AtomicUsize::new(0));
        let armed = Arc::new(AtomicBool::new(false));
        for signal in SIGNALS {
            // What can't be caught does as it always does.
            let _ = flag::register_conditional_default(signal, Arc::clone(&armed));
            let _ = flag::register(signal, Arc::clone(&armed));
            let number = usize::try_from(signal).unwrap_or(0);
            let _ = flag::register_usize(signal, Arc::clone(&came), number);
        }
        Self { came, armed }
    }

    fn caught_signal(&self) -> Option<i32> {
        let signal = self.came.load(Ordering::SeqCst);
        i32::try_from(signal).ok().filter(|signal| *signal != 0)
    }

    /// Whether one came.
    pub(super) fn has_come(&self) -> bool {
        self.caught_signal().is_some()
    }

    /// Has the next one end the program at once.
    pub(super) fn end_on_next_signal(&self) {
        self.armed.store(true, Ordering::SeqCst);
    }

    /// Ends the program as the signal that came would have; later ones do so by themselves.
    pub(super) fn end_if_caught(&self) {
        self.end_on_next_signal();
        if let Some(signal) = self.caught_signal() {
            let _ = low_level::emulate_default_handler(signal);
        }
    }
}

/// A file that takes nothing more after a signal.
pub(super) struct InterruptibleWriter<'a> {
    /// The file.
    pub(super) file: &'a File,
    /// What to heed.
    pub(super) interrupt: &'a Interrupt,
}

impl Write for InterruptibleWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.interrupt.caught_signal() {
            // Not the kind of that name, which callers try again.
            Some(signal) => Err(io::Error::other(format!("stopped by signal {signal}"))),
            None => self.file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

//! Whole files; signals.
//!
//! Puts a whole file in the place of another, or leaves what is there. The text goes to a hidden
//! file beside it first, which then takes its name. It knows no terminal and no format.
//!
//! An interrupted write (Ctrl-C, `kill`) takes its part away before it ends the program. What can't
//! be caught (`kill -9`, a lost machine) leaves it, and the next write to the same name takes it
//! away: a part that nobody holds the lock of belongs to nobody. So two programs may write to one
//! name at the same time, also from two machines, and neither touches the part of the other.

use std::fs::File;
use std::io::{BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::{fs, io, process};

use anyhow::Context as _;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::{flag, low_level};

use crate::design::Fingerprint;

/// How the name of a part ends. Nothing else has such names, so it may be taken away.
const ENDING: &str = ".planner-part";

/// How often another name is tried for a part.
const TRIES: u32 = 100;

/// Fills a file that takes the place of `path`.
pub(super) fn replace_file(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    // From here on a signal is noticed by the writer, and no longer ends the program by itself.
    let interrupt = Interrupt::catch_signal();
    let written = PartialFile::create_beside(path)
        .and_then(|part| part.fill_and_rename(path, &interrupt, write));
    interrupt.end_if_caught();
    written
}

/// A file that is not whole yet. It is gone when this is dropped before it took its place.
struct PartialFile {
    file: File,
    at: PathBuf,
    placed: bool,
}

impl PartialFile {
    /// A new one, where nothing was left of earlier ones.
    fn create_beside(path: &Path) -> anyhow::Result<Self> {
        let name = path.file_name().context("it has no file name")?.to_string_lossy();
        let start = partial_prefix(&name);
        remove_forsaken(path, &start);
        for place in 0..TRIES {
            let at = path.with_file_name(format!("{start}{}-{place}{ENDING}", process::id()));
            let file = match File::create_new(&at) {
                Ok(file) => file,
                // Of another machine that shares the folder, or has no locks.
                Err(error) if error.kind() == ErrorKind::AlreadyExists => continue,
                Err(error) => return Err(error.into()),
            };
            // Where there are no locks, nothing is taken away either.
            let locked = file.lock().is_ok();
            let part = Self { file, at, placed: false };
            // Between the two steps it looked forsaken to others.
            if !locked || part.at.exists() {
                return Ok(part);
            }
        }
        anyhow::bail!("too many programs write to it")
    }

    /// Writes it and gives it its name.
    fn fill_and_rename(
        mut self,
        path: &Path,
        interrupt: &Interrupt,
        write: impl FnOnce(&mut dyn Write) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        let file = &self.file;
        if let Ok(there) = fs::metadata(path) {
            // Who could not read the old text can't read the new one.
            file.set_permissions(there.permissions())?;
        }
        let mut out = BufWriter::new(InterruptibleWriter { file, interrupt });
        write(&mut out)?;
        out.flush()?;
        drop(out);
        sync_file(file)?;
        fs::rename(&self.at, path)?;
        self.placed = true;
        // The new name is on the disk only with its folder; what can't do that does it later.
        if let Ok(folder) = File::open(parent_folder(path)) {
            let _ = folder.sync_all();
        }
        Ok(())
    }
}

/// Waits until a file is on the disk: after a lost power supply the name would else stand for a
/// file of zeros. What can't wait for it (some network drives) is trusted.
fn sync_file(file: &File) -> std::io::Result<()> {
    match file.sync_all() {
        Err(error) if matches!(error.kind(), ErrorKind::InvalidInput | ErrorKind::Unsupported) => {
            Ok(())
        }
        done => done,
    }
}

/// How the name of a part begins: as the file's, which may be as long as a name can be, and then
/// stands in it cut and hashed.
fn partial_prefix(name: &str) -> String {
    /// Most bytes of the name: with what follows it, less than the 255 of a file's name.
    const MOST: usize = 150;
    if name.len() <= MOST {
        return format!(".{name}.");
    }
    let mut end = MOST;
    while !name.is_char_boundary(end) {
        end -= 1;
    }
    format!(".{}~{}.", &name[..end], Fingerprint::hash_debug_text(&name))
}

/// The folder that a file stands in.
fn parent_folder(path: &Path) -> &Path {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    folder.unwrap_or(Path::new("."))
}

impl Drop for PartialFile {
    fn drop(&mut self) {
        // Its lock is held until after this.
        if !self.placed {
            let _ = fs::remove_file(&self.at);
        }
    }
}

/// Takes away the parts of this name that nobody writes to. What can't be taken away stays: it
/// would only keep a good result from being written.
fn remove_forsaken(path: &Path, start: &str) {
    let Ok(entries) = fs::read_dir(parent_folder(path)) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let middle = name
            .to_str()
            .and_then(|name| name.strip_prefix(start)?.strip_suffix(ENDING))
            .is_some_and(|middle| {
                middle.bytes().all(|digit| digit.is_ascii_digit() || digit == b'-')
            });
        if !middle || !entry.file_type().is_ok_and(|file_type| file_type.is_file()) {
            continue;
        }
        let held = File::options().write(true).open(entry.path());
        if let Ok(file) = held
            && file.try_lock().is_ok()
        {
            let _ = fs::remove_file(entry.path());
        }
    }
}

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
    pub(super) file: &'a File,
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

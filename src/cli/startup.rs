//! What can be seen only before the standard library starts: it puts `/dev/null` in the place of a
//! standard output that is closed (`planner … >&-`), and from then on every write succeeds and every
//! result is lost. It looks, and changes nothing.
//!
//! On Linux only: elsewhere a closed standard output reads as open.

// A function that runs first needs a section of its own, which is the one unsafe thing here.
#![cfg_attr(target_os = "linux", expect(unsafe_code))]

use std::sync::atomic::{AtomicBool, Ordering};

/// Whether standard output was closed when the program was started.
static CLOSED: AtomicBool = AtomicBool::new(false);

/// Whether a result on standard output would be lost.
pub(super) fn standard_output_is_closed() -> bool {
    CLOSED.load(Ordering::Relaxed)
}

/// Looks whether standard output is a file at all.
#[cfg(target_os = "linux")]
extern "C" fn look() {
    let closed = rustix::io::fcntl_getfd(rustix::stdio::stdout()).is_err();
    CLOSED.store(closed, Ordering::Relaxed);
}

// SAFETY: the C library calls what stands in this section before `main`, with arguments that a
// function without any ignores. `look` needs nothing that starts later: it asks the kernel one
// question and stores one bit.
#[cfg(target_os = "linux")]
#[used]
#[unsafe(link_section = ".init_array")]
static LOOK: extern "C" fn() = look;

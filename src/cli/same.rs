//! Whether two names stand for one file, through links of either kind. It opens nothing that is not
//! named, and reads no byte.

use std::fs::{self, File, Metadata};
use std::path::Path;

/// Whether a path stands for an open file. Devices and pipes are never the same: what is written to
/// them replaces nothing.
pub(super) fn is_file(file: &File, path: &Path) -> bool {
    let (Ok(one), Ok(other)) = (file.metadata(), fs::metadata(path)) else { return false };
    one.is_file() && other.is_file() && is_same_metadata(&one, &other)
}

/// Whether a path stands for the file that standard input is read from.
#[cfg(unix)]
pub(super) fn is_standard_input(path: &Path) -> bool {
    use std::os::fd::AsFd as _;
    let Ok(input) = std::io::stdin().as_fd().try_clone_to_owned() else { return false };
    is_file(&File::from(input), path)
}

/// Whether a path stands for the file that standard input is read from: nobody says so here.
#[cfg(not(unix))]
pub(super) fn is_standard_input(_: &Path) -> bool {
    false
}

#[cfg(unix)]
fn is_same_metadata(one: &Metadata, other: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    (one.dev(), one.ino()) == (other.dev(), other.ino())
}

/// Two files of one size, made and changed at one moment, are one.
#[cfg(not(unix))]
fn is_same_metadata(one: &Metadata, other: &Metadata) -> bool {
    let size_and_times = |file: &Metadata| (file.len(), file.created().ok(), file.modified().ok());
    size_and_times(one) == size_and_times(other)
}

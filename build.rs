//! Names the build: a hash of what the program is made of, so that parts of one sweep that two
//! different programs made can be told apart. It reads no clock and no machine: the same sources
//! give the same name everywhere.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// What decides what the program says: code, presets, and the versions of its libraries.
const SOURCES: [&str; 3] = ["src", "presets", "Cargo.lock"];

fn main() -> io::Result<()> {
    let root = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let mut hash = Hash(Hash::OFFSET);
    for source in SOURCES {
        println!("cargo::rerun-if-changed={source}");
        hash.path(&root, Path::new(source))?;
    }
    println!("cargo::rustc-env=PLANNER_BUILD={:016x}", hash.0);
    Ok(())
}

/// FNV-1a, 64 bits (Fowler, Noll, Vo; IETF draft-eastlake-fnv): nobody gains by forging one.
struct Hash(u64);

impl Hash {
    const OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
    const PRIME: u64 = 0x0100_0000_01b3;

    fn bytes(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(Self::PRIME);
        }
    }

    /// A file, or the files of a folder in the order of their names; what is not there counts as
    /// empty.
    fn path(&mut self, root: &Path, path: &Path) -> io::Result<()> {
        let whole = root.join(path);
        if whole.is_dir() {
            let mut inside = fs::read_dir(&whole)?
                .map(|entry| entry.map(|entry| path.join(entry.file_name())))
                .collect::<io::Result<Vec<PathBuf>>>()?;
            inside.sort();
            return inside.iter().try_for_each(|path| self.path(root, path));
        }
        let text = match fs::read(&whole) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            Err(error) => return Err(error),
        };
        self.bytes(path.to_string_lossy().replace('\\', "/").as_bytes());
        self.bytes(&[0]);
        // A checkout may end lines in its own way.
        self.bytes(&text.iter().copied().filter(|byte| *byte != b'\r').collect::<Vec<u8>>());
        self.bytes(&[0]);
        Ok(())
    }
}

//! Runs the built program as a user would.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What a run left behind.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Program {
    /// Exit status.
    pub(crate) status: i32,
    /// Standard output.
    pub(crate) stdout: String,
    /// Standard error.
    pub(crate) stderr: String,
}

/// The program to ask: `PLANNER_PROGRAM` names another build, such as that of an older commit.
pub(crate) fn program_path() -> OsString {
    std::env::var_os("PLANNER_PROGRAM").unwrap_or_else(|| env!("CARGO_BIN_EXE_planner").into())
}

/// An empty folder of that name, for one test only.
pub(crate) fn fresh_folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    if folder.exists() {
        fs::remove_dir_all(&folder).expect("the folder is this test's own");
    }
    fs::create_dir_all(&folder).expect("cargo gives tests a folder to write to");
    folder
}

/// Runs `planner` in a folder.
pub(crate) fn planner_in<S: AsRef<OsStr>>(folder: &Path, arguments: &[S]) -> Program {
    planner_fed(folder, arguments, &[])
}

/// Runs `planner` in a folder, with bytes on its standard input.
pub(crate) fn planner_fed<S: AsRef<OsStr>>(
    folder: &Path,
    arguments: &[S],
    input: &[u8],
) -> Program {
    let mut child = Command::new(program_path())
        .args(arguments)
        .current_dir(folder)
        .env_remove("NO_COLOR")
        .env_remove("CLICOLOR_FORCE")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program was built for this test");
    let mut stdin = child.stdin.take().expect("standard input is piped");
    let input = input.to_vec();
    // From a thread: a program that refuses early does not read all of it.
    let feeder = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let done = child.wait_with_output().expect("the program was started");
    feeder.join().expect("feeding does not panic");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("output is text");
    Program {
        status: done.status.code().expect("the program was not killed"),
        stdout: text(done.stdout),
        stderr: text(done.stderr),
    }
}

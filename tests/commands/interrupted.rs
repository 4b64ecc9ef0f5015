//! A write that is cut off leaves the old file and nothing beside it: by Ctrl-C, by `kill`, by what
//! can't be caught, and beside another program that writes to the same name.

#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use crate::support::program::{fresh_folder, planner_in};

const INT: i32 = 2;
const KILL: i32 = 9;
const TERM: i32 = 15;

/// What stands where the result goes.
const OLD: &str = "old";

/// A program that writes 2 GiB over an old file, far longer than any test waits, and has begun.
struct Writer(Child);

impl Writer {
    fn begun(folder: &Path) -> Self {
        fs::write(folder.join("matrix.npy"), OLD).expect("the folder is this test's own");
        let child = Command::new(env!("CARGO_BIN_EXE_planner"))
            .args(["traffic", "llama3-405b-h100-16384", "--format", "npy", "-o", "matrix.npy"])
            .current_dir(folder)
            .stderr(Stdio::null())
            .spawn()
            .expect("the program was built for this test");
        let mut writer = Self(child);
        let patience = Instant::now() + Duration::from_secs(60);
        while !hidden(folder).iter().any(|(_, bytes)| *bytes > 0) {
            assert!(Instant::now() < patience, "it writes nothing");
            assert_eq!(writer.0.try_wait().expect("it was started"), None, "it writes longer");
            std::thread::yield_now();
        }
        writer
    }

    fn end(mut self, signal: i32) -> ExitStatus {
        let sent = Command::new("kill")
            .args([format!("-{signal}"), self.0.id().to_string()])
            .status()
            .expect("every Unix has it");
        assert!(sent.success());
        self.0.wait().expect("it was started")
    }
}

/// A test that fails leaves no program behind.
impl Drop for Writer {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// What is hidden in a folder, with its size.
fn hidden(folder: &Path) -> Vec<(String, u64)> {
    fs::read_dir(folder)
        .expect("the folder is this test's own")
        .filter_map(|entry| {
            let entry = entry.expect("it can be read");
            let name = entry.file_name().to_string_lossy().into_owned();
            // It may be gone by now.
            Some((name, entry.metadata().ok()?.len()))
        })
        .filter(|(name, _)| name.starts_with('.'))
        .collect()
}

fn text(folder: &Path) -> String {
    fs::read_to_string(folder.join("matrix.npy")).expect("it was there before")
}

/// Another program writes to the same name.
#[track_caller]
fn write_a_step(folder: &Path) {
    let step = planner_in(folder, &["step", "starter", "-o", "matrix.npy"]);
    assert_eq!((step.status, step.stderr.as_str()), (0, ""));
    assert!(text(folder).contains("\nStep  "));
}

#[test]
fn a_caught_signal_leaves_the_old_file_and_no_part() {
    let folder = fresh_folder("interrupted");
    for signal in [INT, TERM] {
        let ended = Writer::begun(&folder).end(signal);
        assert_eq!(ended.signal(), Some(signal), "a shell sees that it was stopped: {ended}");
        assert_eq!((text(&folder).as_str(), hidden(&folder)), (OLD, vec![]));
    }
}

#[test]
fn the_next_write_takes_away_what_a_lost_program_left() {
    let folder = fresh_folder("killed");
    assert_eq!(Writer::begun(&folder).end(KILL).signal(), Some(KILL));
    assert_eq!(text(&folder), OLD);
    assert_eq!(hidden(&folder).len(), 1, "nobody could take it away");
    let others = [".matrix.npy.mine.planner-part", ".matrix.csv.7-0.planner-part"];
    for other in others {
        fs::write(folder.join(other), "").expect("the folder is this test's own");
    }
    write_a_step(&folder);
    let mut left: Vec<String> = hidden(&folder).into_iter().map(|(name, _)| name).collect();
    left.sort();
    assert_eq!(left, [others[1], others[0]], "what is of another name stays");
}

#[test]
fn two_programs_write_to_one_name_without_harm() {
    let folder = fresh_folder("two-writers");
    let slow = Writer::begun(&folder);
    write_a_step(&folder);
    assert_eq!(hidden(&folder).len(), 1, "the part of one that still writes stays");
    slow.end(INT);
    assert!(text(&folder).contains("\nStep  "), "whole");
    assert_eq!(hidden(&folder), []);
}

#[test]
fn a_new_text_is_read_by_whom_the_old_one_was_and_a_locked_file_stays() {
    let folder = fresh_folder("modes");
    let file = folder.join("matrix.npy");
    let mode = |mode| fs::set_permissions(&file, fs::Permissions::from_mode(mode));
    fs::write(&file, OLD).expect("the folder is this test's own");
    mode(0o600).expect("the file is this test's own");
    write_a_step(&folder);
    let kept = fs::metadata(&file).expect("it is there").permissions().mode();
    assert_eq!(kept & 0o777, 0o600);
    fs::write(&file, OLD).expect("the file is this test's own");
    mode(0o444).expect("the file is this test's own");
    let refused = planner_in(&folder, &["step", "starter", "-o", "matrix.npy"]);
    assert_eq!(refused.stderr, "error: can't write `matrix.npy`: it is read-only\n");
    assert_eq!((refused.status, text(&folder).as_str()), (2, OLD));
}

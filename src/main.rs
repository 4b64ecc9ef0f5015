//! The `planner` binary: nothing but the call into the library's command line.

use std::process::ExitCode;

fn main() -> ExitCode {
    planner::cli::run()
}

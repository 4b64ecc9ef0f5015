//! How many generated cases a test draws: as many as it says; with `PLANNER_CASES=large` forty times
//! as many, as on a night; with `PLANNER_CASES=500` five hundred. Where more than usual are drawn,
//! specs that take long are answered too. `PLANNER_SEED=7` draws others, and `PLANNER_REPORT` names a
//! folder for what became of them.

use std::path::PathBuf;

use proptest::test_runner::{Config, FileFailurePersistence};

/// Cases of a test that usually draws so many.
pub(crate) fn drawn_cases(usual: u64) -> u64 {
    /// What a night draws for each case of a day.
    const LARGE: u64 = 40;
    match std::env::var("PLANNER_CASES").as_deref() {
        Ok("large") => usual * LARGE,
        Ok(number) => number.parse().expect("PLANNER_CASES is `large` or a number"),
        Err(_) => usual,
    }
}

/// The first case, of a test that usually begins with this one.
pub(crate) fn first_seed(usual: u64) -> u64 {
    match std::env::var("PLANNER_SEED") {
        Ok(number) => number.parse().expect("PLANNER_SEED is a number"),
        Err(_) => usual,
    }
}

/// The folder for what became of the cases; `None` where nobody asks.
pub(crate) fn report_folder() -> Option<PathBuf> {
    std::env::var_os("PLANNER_REPORT").map(PathBuf::from)
}

/// So many cases of a property, after those that once failed: `tests/proptest-regressions` has their
/// seeds under a name.
pub(crate) fn saved_config(cases: u32, name: &str) -> Config {
    let path = format!("{}/tests/proptest-regressions/{name}.txt", env!("CARGO_MANIFEST_DIR"));
    let saved = FileFailurePersistence::Direct(path.leak());
    Config { cases, failure_persistence: Some(Box::new(saved)), ..Config::default() }
}

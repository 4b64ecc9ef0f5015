//! Generated cases that once failed are tried first: `tests/proptest-regressions` has their seeds.

use proptest::test_runner::{Config, FileFailurePersistence};

/// So many cases, after those saved under a name.
pub(crate) fn saved_config(cases: u32, name: &str) -> Config {
    let path = format!("{}/tests/proptest-regressions/{name}.txt", env!("CARGO_MANIFEST_DIR"));
    let saved = FileFailurePersistence::Direct(path.leak());
    Config { cases, failure_persistence: Some(Box::new(saved)), ..Config::default() }
}

//! The question of a spec, with changes of keys as `--set` makes them.

use planner::scenario::Scenario;
use planner::spec::{Override, SpecText, presets, read_scenario};

/// That of a spec that ships.
#[track_caller]
pub(crate) fn ready(name: &str, changes: &[&str]) -> Scenario {
    resolved(&presets::ready_spec(name).unwrap_or_else(|| panic!("{name} ships")), changes)
}

/// That of any spec, which is sound.
#[track_caller]
pub(crate) fn resolved(source: &SpecText, changes: &[impl AsRef<str>]) -> Scenario {
    let changes: Vec<Override> = changes.iter().map(|text| Override::new(text.as_ref())).collect();
    read_scenario(source, &changes).unwrap_or_else(|wrong| panic!("{}", wrong.render(false)))
}

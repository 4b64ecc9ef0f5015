//! The worked cases: specs that ship, each settling one argument. Their figures are held here, and
//! a part of docs/guide.md, which tells them to an architect, is written by this test from the same plans
//! (`BLESS=1 cargo test --test designs cases::`).
//!
//! Figures were found before with another generator of builds, HiGHS and flow programs, and are
//! stated to $10,000. Where this program finds another figure, the case says which and why.

mod page;
mod stories;

use planner::compare::{Baseline, Comparison, compare_baselines};
use planner::design::{Infeasible, Plan, SolverStatus};
use planner::scenario::Scenario;
use planner::spec::{SpecText, presets};

use crate::support::page::hold_part;
use crate::support::scenario::{design, ready, resolved};

/// A case with some keys changed.
fn scenario(name: &str, changes: &[&str]) -> Scenario {
    ready(name, changes)
}

/// A case with a piece of its text replaced: what a list of workloads holds has no key to set.
fn edited(name: &str, from: &str, to: &str) -> Scenario {
    let source = presets::ready_spec(name).unwrap_or_else(|| panic!("{name} ships"));
    assert!(source.text.contains(from), "{name} says `{from}`");
    resolved(&SpecText::new(name, source.text.replace(from, to)), &[""; 0])
}

/// The best design, which has to be proven: of cost per token but for a hundredth, which the goodput of
/// networks that were not looked at may leave.
fn planned(scenario: &Scenario) -> Plan {
    let plan = design(scenario).unwrap_or_else(|reason| panic!("{}: {reason}", scenario.name));
    let bounded = plan.solver.status == SolverStatus::GoodputBound && plan.solver.gap <= 0.01;
    assert!(
        plan.solver.status == SolverStatus::Optimal || bounded,
        "{}: {:?}",
        scenario.name,
        plan.solver
    );
    plan
}

fn plan(name: &str, changes: &[&str]) -> Plan {
    planned(&scenario(name, changes))
}

fn refused(scenario: &Scenario) -> Infeasible {
    design(scenario).expect_err("the case has no design")
}

/// The design beside baselines, of which each name gives at least one.
fn beside(name: &str, changes: &[&str], baselines: &[&str]) -> Comparison {
    let baselines: Vec<Baseline> =
        baselines.iter().map(|text| text.parse().expect("a known baseline")).collect();
    let found = compare_baselines(&scenario(name, changes), &baselines)
        .unwrap_or_else(|reason| panic!("{name}: {reason}"));
    assert_eq!(found.missing, [], "{name}");
    found
}

/// Switches and network of a plan are those of the case, to $10,000.
#[track_caller]
fn figure(plan: &Plan, switches: u64, millions: f64) {
    let found = plan.cost.network_capex.get() / 1e6;
    assert_eq!(plan.fabric.switch_count(), switches, "${found:.3}M");
    assert!((found - millions).abs() < 0.0051, "${found:.4}M, expected ${millions}M");
}

#[test]
fn the_cases_of_the_guide_are_these() {
    hold_part("guide.md", "cases", &page::page(&stories::tell_stories()));
}

#[test]
fn every_case_that_ships_is_told() {
    let told = stories::STORIES.map(|(spec, _)| spec);
    for entry in presets::list_presets() {
        if entry.kind == presets::PresetKind::Case {
            assert!(told.contains(&entry.name.as_str()), "{} has no story", entry.name);
        }
    }
}

//! Every design of small clusters, enumerated from the problem and sharing nothing with the
//! program but the numbers of the spec and, where there are two workloads, the clock: the program's
//! answer is never beaten, never cheaper than the cheapest, infeasible exactly where nothing is
//! feasible; and laws that answers to like specs keep among each other.
//!
//! The set, of fabrics of up to two tiers:
//! - One switch of enough ports is a network. Two tiers are leafs and spines: spines of one model,
//!   leafs of at most two models, each with its own split of ports, links up spread evenly over
//!   all spines, ports dark as one likes.
//! - A rail-only fabric is a tree for each rail, or whole rails together on one switch, which may
//!   be rails of several planes. Rails count over all planes together.
//! - In a rail-optimized tree a leaf serves endpoints of one rail, or whole rails; traffic within
//!   a rail that one leaf serves whole does not leave it. All rails of a tree are built alike:
//!   unlike rails in one tree are not in the set. Rails may have spines of their own beside spines
//!   that all rails share.
//! - A Clos asked for by name has full bisection, and its leafs serve endpoints of any rails. One
//!   with less bandwidth is only among the fabrics of "auto", which may also join some rails in one
//!   tree and others in another where no bandwidth across rails is asked for.
//! - Planes of a fabric that joins its rails are built alike, each from switches of its own.
//!   Planes and rails built unlike, and switches shared by planes, are only used as a bound: no
//!   answer is cheaper than all of these.
//!
//! A quarter of the instances has a second workload that shares the cluster's time. Where steps may
//! be too long for one of them, or decide what a token costs, every leaf is timed by the clock of the
//! program with all that it holds, and the slowest decides. Such leafs are full: what is enumerated
//! has no dark ports that would make a leaf another one to the clock.
//!
//! `PLANNER_REPORT` gets failing specs and what all came to; `PLANNER_PROGRAM` names another build of
//! the program to ask.

mod advice;
mod audit;
mod bound;
mod claims;
mod clock;
mod cost;
mod front;
mod generate;
mod instance;
mod laws;
mod limits;
mod network;
mod plain;
mod product;
mod rails;
mod second;
mod site;
mod tokens;
mod trees;
mod verdict;
mod witness;

use std::fs;

use crate::support::cases::{drawn_cases, first_seed, report_folder};
use crate::support::dice::Dice;
use instance::Instance;
use second::{Asked, joined, with_second};
use verdict::Tally;

/// Instances of each kind on a day.
const USUAL_CASES: u64 = 40;

/// Runs cases, writes failing specs down where a folder is named, and fails with all of them.
fn run(kind: &str, case: impl Fn(u64, &mut Tally) -> Option<(Instance, Vec<String>)>) -> Tally {
    let (seed, cases) = (first_seed(1), drawn_cases(USUAL_CASES));
    let folder = report_folder();
    let mut failures = Vec::new();
    let mut tally = Tally::default();
    for number in seed..seed + cases {
        let Some((instance, faults)) = case(number, &mut tally) else { continue };
        if faults.is_empty() {
            continue;
        }
        if let Some(folder) = &folder {
            let lines = faults.iter().map(|text| format!("# {}\n", text.replace('\n', "\n# ")));
            let path = folder.join(format!("{kind}-{number}.toml"));
            fs::write(path, lines.collect::<String>() + &instance.toml()).expect("it is a folder");
        }
        failures.push(format!("{kind} {number}: {}", faults.join("\n")));
    }
    if let Some(folder) = &folder {
        let path = folder.join(format!("{kind}.txt"));
        let fail = failures.len();
        fs::write(path, format!("{cases} from {seed}, {fail} fail: {tally:?}\n"))
            .expect("it is a folder");
    }
    let told = failures.iter().take(20).cloned().collect::<Vec<_>>().join("\n");
    assert!(failures.is_empty(), "{} of {cases} fail\n{told}", failures.len());
    tally
}

#[test]
fn the_enumeration_finds_what_plain_trial_finds() {
    let feasible = |number: u64| {
        let mut dice = Dice(number);
        let mut instance = generate::tiny(&mut dice);
        if number.is_multiple_of(4) {
            instance.domain_gpus = instance.domain_gpus.max(instance.rails);
            instance = joined(instance, &mut dice, Asked::Crossing);
        }
        let plain = plain::least(&instance, instance.goals[0]);
        let best = network::best(&instance, site::Freedom::Alike, f64::INFINITY);
        let found = best.map_or(f64::INFINITY, |best| best.totals.amount(instance.goals[0]));
        let same = plain == found || (plain - found).abs() < 1e-6;
        assert!(same, "{number}: plain {plain}, found {found}\n{}", instance.toml());
        plain.is_finite()
    };
    let cases = 10 * drawn_cases(USUAL_CASES);
    let feasible = (1..=cases).filter(|number| feasible(*number)).count() as u64;
    assert!(feasible > cases / 4, "{feasible} of {cases} have a design");
}

#[test]
fn no_design_of_the_feasible_set_beats_the_answer() {
    let tally = run("case", |number, tally| {
        let instance = generate::instance(&mut Dice(number));
        let instance = with_second(instance, number, Asked::Tokens);
        let faults = verdict::judge(&instance, tally);
        Some((instance, faults))
    });
    let cases = drawn_cases(USUAL_CASES);
    assert!(cases < 300 || tally.two > 0 && tally.decided > 0, "{tally:?}");
}

#[test]
fn no_design_that_survives_losses_beats_the_answer() {
    run("loss", |number, tally| {
        let instance = generate::surviving(&mut Dice(number ^ 0x1055));
        let instance = with_second(instance, number ^ 0x1055, Asked::Pace);
        let faults = verdict::judge(&instance, tally);
        Some((instance, faults))
    });
}

#[test]
fn at_the_edge_of_its_limits_a_design_is_found_and_beyond_it_none() {
    run("edge", |number, tally| {
        let mut dice = Dice(number ^ 0x5eed);
        let instance = with_second(generate::instance(&mut dice), number ^ 0x5eed, Asked::Crossing);
        let instance = limits::tightened(instance, &mut dice);
        let faults = verdict::judge(&instance, tally);
        Some((instance, faults))
    });
}

#[test]
fn answers_to_like_specs_keep_the_laws() {
    run("law", |number, _| {
        let mut dice = Dice(number ^ 0x1a35);
        let instance = with_second(generate::instance(&mut dice), number ^ 0x1a35, Asked::Shape);
        let trial = laws::attempt(&instance, &mut dice)?;
        // The second spec is the same but for what the law changes.
        let beside = format!("first spec:\n{}", instance.toml());
        let fault = trial.fault.map(|fault| vec![fault, beside]);
        Some((trial.derived, fault.unwrap_or_default()))
    });
}

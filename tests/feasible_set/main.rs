//! Every design of small clusters, enumerated from the problem and sharing nothing with the
//! program but the numbers of the spec: the program's answer is never beaten, never cheaper than
//! the cheapest, infeasible exactly where nothing is feasible.
//!
//! FEASIBLE_CASES and FEASIBLE_SEED say how many instances and which; FEASIBLE_REPORT names a folder
//! that failing specs are written to.

#[path = "../support/dice.rs"]
mod dice;

mod audit;
mod cost;
mod front;
mod generate;
mod instance;
mod network;
mod product;
mod site;
mod trees;
mod verdict;
mod witness;

use std::fs;
use std::path::Path;

use dice::Dice;
use instance::Instance;

/// A number from the environment.
fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// Writes a failing spec down where a folder is named.
fn report(name: &str, instance: &Instance, faults: &[String]) {
    if let Ok(folder) = std::env::var("FEASIBLE_REPORT") {
        let told: String = faults.iter().map(|of| format!("# {}\n", of.replace('\n', "\n# "))).collect();
        let path = Path::new(&folder).join(format!("{name}.toml"));
        fs::write(path, told + &instance.toml()).expect("the folder can be written to");
    }
}

#[test]
fn no_design_of_the_feasible_set_beats_the_answer() {
    let seed = setting("FEASIBLE_SEED", 1);
    let cases = setting("FEASIBLE_CASES", 40);
    let mut failures = Vec::new();
    for case in seed..seed + cases {
        let instance = generate::instance(&mut Dice(case));
        let start = std::time::Instant::now();
        let faults = verdict::judge(&instance);
        if std::env::var("FEASIBLE_TIMES").is_ok() { eprintln!("{case} {:?}", start.elapsed()); }
        if !faults.is_empty() {
            report(&format!("case-{case}"), &instance, &faults);
            failures.push(format!("case {case}: {}", faults.join("\n")));
        }
    }
    let told = failures.iter().take(20).cloned().collect::<Vec<_>>().join("\n");
    assert!(failures.is_empty(), "{} of {cases} fail\n{told}", failures.len());
}

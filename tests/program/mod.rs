//! The file that `planner design --program` writes, read back by a reader of its own: the answer that the
//! report prints keeps every row of it and has the cost that is printed; and no other solver found less
//! (`highs.txt`, which `highs.py` writes and CI makes again where HiGHS can be had).

mod lp;

use std::collections::{BTreeMap, BTreeSet};

use planner::design::{
    Alternative, AlternativeKind, AlternativeStanding, ChoicesOutcome, Plan,
    design_with_default_rules,
};
use planner::report::{ProgramFormat, program_text};
use planner::scenario::{Minimize, Scenario};
use planner::sizing::Options;

use lp::Lp;

use crate::support::scenario::design;

/// A design whose program is written.
struct Case {
    name: &'static str,
    scenario: Scenario,
    plan: Plan,
    text: String,
}

/// The cases that `highs.py` solves too.
fn cases() -> impl Iterator<Item = Case> {
    let lines = include_str!("cases.txt").lines();
    let told = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
    told.map(|line| {
        let [name, spec, changes] = line.split('|').map(str::trim).collect::<Vec<_>>()[..] else {
            panic!("{line}")
        };
        let changes: Vec<&str> = changes.split_whitespace().collect();
        let scenario = crate::support::scenario::ready(spec, &changes);
        // With the rules by default, as the program designs.
        let plan = design_with_default_rules(&scenario, &Options::default());
        let plan = plan.unwrap_or_else(|reason| panic!("{name}: {reason:?}"));
        let text = program_text(&plan, ProgramFormat::Lp).expect("a design has a program");
        Case { name, scenario, plan, text }
    })
}

fn near(one: f64, other: f64) -> bool {
    (one - other).abs() <= 1e-6 + 1e-9 * one.abs().max(other.abs())
}

#[test]
fn the_answer_keeps_every_row_and_has_the_cost_that_is_printed() {
    let recorded: BTreeMap<&str, f64> = include_str!("highs.txt")
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.split_once(' '))
        .map(|(name, value)| (name, value.parse().expect("a number")))
        .collect();
    let mut proofs: BTreeMap<String, usize> = BTreeMap::new();
    let mut all = 0;
    for Case { name, scenario, plan, text } in cases() {
        all += 1;
        let read = Lp::read(&text);
        *proofs.entry(plan.solver.name.clone()).or_default() += 1;
        for (row, sum, sense, bound) in read.rows() {
            let slack = 1e-9 * bound.abs().max(1.0);
            let kept = if sense == ">=" { sum >= bound - slack } else { sum <= bound + slack };
            assert!(kept, "{name}: {row}: {sum} {sense} {bound}");
        }
        for (column, low, high) in &read.bounds {
            let value = read.values[column];
            assert!((*low..=*high).contains(&value), "{name}: {low} <= {column} {value} <= {high}");
            assert!(!read.integers.contains(column) || value.fract() == 0.0, "{name}: {column}");
        }
        let stated = plan.solver.programs.answer.as_ref().expect("it was chosen").cost.get();
        assert!(near(1e3 * read.cost(), stated), "{name}: {} and {stated}", read.cost());
        let found = recorded[name];
        assert!((found - stated).abs() <= 0.01, "{name}: HiGHS {found}, here {stated}");
        let figures = [plan.solver.programs.columns, plan.solver.programs.rows];
        assert_eq!(figures, [read.bounds.len() as u64, read.rows().count() as u64], "{name}");
        // Where money is minimised alone, what the program buys is what the bill has, machines too.
        let one = plan.growth.is_none();
        let capex = scenario.objective.minimize == Minimize::Capex;
        if one && capex && plan.priorities.is_empty() {
            let capex = plan.cost.capex.get();
            assert!(near(stated, capex), "{name}: {stated} and {capex}");
        }
    }
    assert!(all >= 12 && recorded.len() == all, "{all} cases, {} recorded", recorded.len());
    // Proofs of each kind are among them, so that what arithmetic says is held against a solver too.
    assert!(proofs.len() >= 3, "{proofs:?}");
}

/// A choice is made of the machines that its builds join, and every product that is told of as an
/// alternative is one.
#[test]
fn choices_are_of_the_machines_that_their_builds_join() {
    let mut products = BTreeSet::new();
    for Case { name, plan, text, .. } in cases() {
        let mut made: BTreeMap<&str, &str> = BTreeMap::new();
        for line in text.lines().filter_map(|line| line.strip_prefix("\\   ")) {
            let (variable, rest) = line.split_once(" = ").expect("a column has a value");
            let Some((choice, what)) = variable.split_once('_') else { continue };
            if what == "made" {
                made.insert(choice, rest);
                continue;
            }
            let Some((_, joined)) = rest.split_once(" of rails of ") else { continue };
            let product = joined.split(':').next().expect("a product").to_owned();
            let machines = made.get(choice).is_none_or(|text| text.contains(&product));
            assert!(machines, "{name}: {choice} joins {product}: {}", made[choice]);
            products.insert(product);
        }
        let differs = |other: &&Alternative| other.differs == AlternativeKind::Node;
        let sized = |other: &&Alternative| other.standing != AlternativeStanding::KeptOut;
        for other in plan.alternatives.iter().filter(differs).filter(sized) {
            let node = other.name.trim_start_matches("node ").split(',').next().expect("a name");
            let told = made.values().any(|text| text.contains(node));
            assert!(told, "{name}: {node} is no choice");
        }
    }
    assert!(products.len() >= 5, "{products:?}");
}

/// MPS says what LP says.
#[test]
fn both_formats_have_the_same_rows_and_columns() {
    let plan = design(&crate::support::scenario::ready(
        "starter",
        &["limits.racks=12", "inventory.qm9700=4"],
    ));
    let plan = plan.expect("it has a design");
    let read = Lp::read(&program_text(&plan, ProgramFormat::Lp).expect("written"));
    let text = program_text(&plan, ProgramFormat::Mps).expect("written");
    let mut section = "";
    let (mut coefficients, mut sides) = (BTreeMap::new(), BTreeMap::new());
    for line in text.lines().filter(|line| !line.starts_with('*')) {
        let fields: Vec<&str> = line.split_whitespace().collect();
        match (line.starts_with(' '), section, &fields[..]) {
            (false, _, [name, ..]) => section = if *name == "RHS" { "RHS" } else { line },
            (true, "COLUMNS", [column, row, value]) if *row != "'MARKER'" => {
                let value: f64 = value.parse().expect("a number");
                coefficients.insert(((*row).to_owned(), (*column).to_owned()), value);
            }
            (true, "RHS", [_, row, value]) => {
                sides.insert((*row).to_owned(), value.parse::<f64>().expect("a number"));
            }
            _ => {}
        }
    }
    let expected: BTreeMap<(String, String), f64> = read.coefficients().collect();
    assert_eq!(coefficients, expected);
    assert!(read.rows().all(|(row, _, _, bound)| sides[row] == bound), "{sides:?}");
    assert_eq!(ProgramFormat::from_file_name("a.MPS"), ProgramFormat::Mps);
    assert_eq!(ProgramFormat::from_file_name("mps"), ProgramFormat::Lp);
}

/// The counts are of the choice: candidates that a bound rules out have no program.
#[test]
fn what_the_solver_did_is_counted() {
    let plain = design(&crate::support::scenario::ready("starter", &[])).expect("it has a design");
    let programs = &plain.solver.programs;
    // That over the choices; those of each choice were proven by arithmetic.
    assert_eq!(programs.work.to_solver, 1);
    assert!(programs.work.programs >= 2, "{programs:?}");
    let choices = programs.choices.expect("one cluster has choices");
    assert_eq!(choices.outcome, ChoicesOutcome::Agrees);
    assert!(choices.choices >= 2, "{choices:?}");
    assert_eq!(programs.solver, Options::default().back_end.name());
}

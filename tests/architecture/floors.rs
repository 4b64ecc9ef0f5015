//! The architecture as a test: a file uses only its own module and lower floors, inside a module only
//! lower rooms, no files use one another in a circle, and heavy crates stay where they belong. Every
//! path is followed to the file that declares the item, so that no renaming, list or re-export hides
//! an import.

use std::collections::{BTreeMap, BTreeSet};

use crate::imports::{Target, Tree, circles};
use crate::support::sources::{Source, code, sources};

/// Modules by floor, lowest first (docs/architecture.md). Within a floor, modules that stand in
/// one group may use the groups before it.
const FLOORS: [&[&[&str]]; 8] = [
    &[&["units"], &["keys"]],
    &[&["workload"], &["parallel"], &["hardware", "reliability"], &["scenario"]],
    &[&["step"], &["technique", "collective"], &["traffic", "memory"], &["ledger"], &["fabric"]],
    &[&["timing", "cost", "routing", "hall"]],
    &[&["sizing"]],
    &[
        &["search"],
        &["design"],
        &["quantity"],
        &["compare", "explain", "gate", "validate"],
        &["sweep"],
    ],
    &[&["spec"], &["results"], &["recording"], &["report"], &["import"], &["launch"]],
    &[&["cli"]],
];

/// Two modules of a floor that may not see each other, whatever the order above.
const APART: [(&str, &str); 17] = [
    ("launch", "recording"),
    ("launch", "spec"),
    ("launch", "results"),
    ("launch", "report"),
    ("launch", "import"),
    ("import", "spec"),
    ("import", "results"),
    ("import", "recording"),
    ("import", "report"),
    ("report", "spec"),
    ("report", "results"),
    ("results", "spec"),
    ("recording", "spec"),
    ("recording", "results"),
    ("recording", "report"),
    ("fabric", "traffic"),
    ("fabric", "step"),
];

/// Crates and the modules that may name them; all others may not.
const CRATES: [(&str, &[&str]); 14] = [
    ("good_lp", &["sizing"]),
    ("petgraph", &["fabric"]),
    ("serde", &["spec", "report"]),
    ("serde_json", &["spec", "results", "recording", "report", "gate", "import"]),
    ("toml", &["spec", "import"]),
    ("comfy_table", &["report"]),
    ("png", &["report"]),
    ("prost", &["ledger", "recording", "report"]),
    ("rust_xlsxwriter", &["report"]),
    ("annotate_snippets", &["spec"]),
    ("clap", &["cli"]),
    ("anyhow", &["cli", "main"]),
    ("signal_hook", &["cli"]),
    ("rustix", &["cli"]),
];

/// Files and folders of a module, lowest first: those of a group use only the groups before theirs,
/// and `mod.rs` may use them all. A module that is not here has no such order.
const ROOMS: [(&str, &[&[&str]]); 4] = [
    (
        "design",
        &[
            &["effort"],
            &["job"],
            &["candidate"],
            &["columns"],
            &["network"],
            &["plan"],
            &["assemble"],
            &["choose"],
            &["study"],
            &["joint"],
            &["solve"],
            &["step"],
            &["ranges_and_frontiers"],
        ],
    ),
    (
        "fabric",
        &[
            &["occupancy", "problem", "ratio"],
            &["kind"],
            &["counts", "hb_domain", "other_networks", "pods", "request"],
            &["upper_tiers"],
            &["build"],
            &["tree"],
            &["non_tree"],
            &["graph"],
            &["blueprint"],
            &["regularity"],
        ],
    ),
    (
        "spec",
        &[
            &["document"],
            &["problem"],
            &["overrides", "value", "library"],
            &["problems", "reader", "schema", "stated"],
            &["check"],
            &["resolve"],
            &["presets", "read"],
            &["starter"],
        ],
    ),
    (
        "cli",
        &[
            &["atomic_write", "errors", "format_name"],
            &["args"],
            &["output"],
            &["completions", "help", "input", "progress"],
            &["commands"],
        ],
    ),
];

/// What reads the world: files, clock, environment, randomness, threads, network.
const WORLD: [&str; 8] = [
    "std::fs",
    "std::io",
    "std::env",
    "std::net",
    "std::os",
    "std::process",
    "std::thread",
    "std::time",
];

/// The one file that starts threads: no result depends on them, and a test says so.
const THREADS: &str = "search::run";

/// What a report may name of it: exports write to whatever the caller hands them.
const WRITERS: [&str; 2] = ["std::io::Write", "std::io::Error"];

/// Position of a module: floor, then group within it.
fn position(module: &str) -> Option<(usize, usize)> {
    FLOORS.iter().enumerate().find_map(|(floor, groups)| {
        let group = groups.iter().position(|group| group.contains(&module))?;
        Some((floor, group))
    })
}

/// Position of a file among the rooms of its module; `mod.rs` stands above all.
fn room(rooms: &[&[&str]], inside: &str) -> Option<usize> {
    let name = inside.split("::").next().unwrap_or_default();
    if name.is_empty() {
        return Some(rooms.len());
    }
    rooms.iter().position(|group| group.contains(&name))
}

/// Top-level module of a module, and what follows.
fn top(module: &str) -> (&str, &str) {
    module.split_once("::").unwrap_or((module, ""))
}

/// What is wrong with one module's file.
fn breaches(tree: &Tree, module: &str) -> Vec<String> {
    let (own, inside) = top(module);
    if own.is_empty() {
        return Vec::new();
    }
    let Some(here) = position(own).or((own == "main").then_some((FLOORS.len(), 0))) else {
        return vec![format!("{module}: module `{own}` has no floor")];
    };
    let mut breaches = Vec::new();
    let through = tree.leads_through(module).into_iter();
    let mut named: BTreeSet<String> = through.filter(|text| top(text).0 != own).collect();
    let mut outside = Vec::new();
    for target in tree.uses(module).into_iter().chain(tree.passes_on(module)) {
        match target {
            Target::Module(text) => {
                named.insert(text);
            }
            Target::Outside(path) => outside.push(path),
        }
    }
    for (other, there) in named.iter().map(|text| (text, top(text).0)) {
        match position(there) {
            // The root passes modules on and declares nothing.
            _ if there.is_empty() => {}
            _ if there == own => breaches.extend(order(own, inside, top(other).1)),
            None => breaches.push(format!("`{there}` has no floor")),
            Some(floor) if floor >= here => {
                breaches.push(format!("uses `{there}` of a higher floor"));
            }
            Some(_) if APART.contains(&(own, there)) => {
                breaches.push(format!("`{own}` must not know `{there}`"));
            }
            Some(_) => {}
        }
    }
    breaches.extend(outside.iter().filter_map(|path| stranger(module, here.0, path)));
    breaches.into_iter().map(|breach| format!("{module}: {breach}")).collect()
}

/// What is wrong where a file of a module uses another of the same module.
fn order(own: &str, from: &str, to: &str) -> Option<String> {
    let (_, rooms) = ROOMS.iter().find(|(module, _)| *module == own)?;
    let same = top(from).0 == top(to).0;
    match (room(rooms, from), room(rooms, to)) {
        _ if same => None,
        (None, _) => Some(format!("`{from}` has no room in `{own}`")),
        (_, None) => Some(format!("`{to}` has no room in `{own}`")),
        (Some(here), Some(there)) if there >= here => {
            Some(format!("uses `{own}::{to}` of a higher room"))
        }
        _ => None,
    }
}

/// What is wrong with the use of something outside the project.
fn stranger(module: &str, floor: usize, path: &str) -> Option<String> {
    let own = top(module).0;
    let first = top(path).0;
    let kept = CRATES.iter().find(|(name, _)| *name == first);
    if kept.is_some_and(|(_, modules)| !modules.contains(&own)) {
        return Some(format!("uses the crate `{first}`"));
    }
    let within = |outer: &str| path == outer || path.starts_with(&format!("{outer}::"));
    let allowed = own == "report" && WRITERS.iter().any(|name| within(name))
        || module == THREADS && within("std::thread");
    // Who renames `std` hides what is read of it.
    let reads = path == "std" || WORLD.iter().any(|world| within(world));
    (floor < FLOORS.len() - 1 && reads && !allowed).then(|| format!("reads the world: `{path}`"))
}

fn tree(sources: &[Source]) -> Tree {
    Tree::new(sources.iter().map(|source| (source.path.as_str(), source.text.as_str())))
}

#[track_caller]
fn none(breaches: &[String]) {
    assert!(breaches.is_empty(), "\n{}", breaches.join("\n"));
}

#[test]
fn a_file_uses_only_lower_floors_and_rooms() {
    let tree = tree(&sources());
    none(&tree.modules().flat_map(|module| breaches(&tree, &module)).collect::<Vec<_>>());
}

#[test]
fn no_files_use_one_another_in_a_circle() {
    let found = circles(&who_uses_whom(&tree(&sources())));
    none(&found.iter().map(|circle| circle.join(" -> ")).collect::<Vec<_>>());
}

/// Every module with those of the project that it uses.
fn who_uses_whom(tree: &Tree) -> BTreeMap<String, BTreeSet<String>> {
    let inside = |target| match target {
        Target::Module(text) => Some(text),
        Target::Outside(_) => None,
    };
    let uses = |module: &str| tree.uses(module).into_iter().filter_map(inside).collect();
    tree.modules().map(|module| (module.clone(), uses(&module))).collect()
}

/// Words and JSON of a report say the same of the same sheets; neither reads the other, but that
/// words hand over to JSON where that is asked for.
#[test]
fn json_and_sheets_know_no_words() {
    let apart = |source: &&Source| {
        ["src/report/json/", "src/report/list/", "src/report/sheet/"]
            .iter()
            .any(|text| source.path.starts_with(text))
    };
    let all = sources();
    let files: Vec<&Source> = all.iter().filter(apart).collect();
    assert!(files.len() > 10, "{}", files.len());
    for source in files {
        let code = code(&source.text);
        let words = ["section::", "command::", "comparison::"];
        let found = words.iter().any(|room| code.contains(room));
        assert!(!found, "{}: uses words", source.path);
    }
}

#[test]
fn every_floor_above_the_nouns_is_inhabited() {
    let mut files: BTreeMap<usize, usize> = BTreeMap::new();
    for (floor, _) in sources().iter().filter_map(|source| position(&source.module)) {
        *files.entry(floor).or_default() += 1;
    }
    assert_eq!(files.len(), FLOORS.len(), "{files:?}");
}

/// A project of one file at `path` beside one item in each module.
fn project<'a>(path: &'a str, text: &'a str) -> Tree {
    let modules = FLOORS.concat().concat();
    let other = |name: &&str| !path.starts_with(&format!("src/{name}/"));
    let others: Vec<(String, &str)> = modules
        .into_iter()
        .filter(other)
        .map(|name| (format!("src/{name}.rs"), "pub struct Plan; pub fn read() {}"))
        .collect();
    let others = others.iter().map(|(path, text)| (path.as_str(), *text));
    Tree::new(others.chain([(path, text)]))
}

fn breaches_of(path: &str, text: &str) -> Vec<String> {
    let module = path.trim_start_matches("src/").trim_end_matches(".rs").replace('/', "::");
    breaches(&project(path, text), &module)
}

#[track_caller]
fn refused(path: &str, text: &str, expected: &str) {
    let found = breaches_of(path, text);
    assert!(found.iter().any(|breach| breach.contains(expected)), "{text}: {found:?}");
}

#[track_caller]
fn taken(path: &str, text: &str) {
    assert_eq!(breaches_of(path, text), Vec::<String>::new(), "{text}");
}

#[test]
fn higher_floors_are_refused_however_they_are_named() {
    refused("src/units/a.rs", "use crate::cost::Plan;", "higher floor");
    refused("src/units/a.rs", "fn f() -> crate::design::Plan { todo() }", "higher floor");
    refused("src/cost/a.rs", "use crate::{units::Plan, design::Plan as Other};", "higher floor");
    refused("src/cost/a.rs", "use super::super::design::Plan;", "`design` of a higher floor");
    refused("src/cost/a.rs", "fn f() { super::super::design::read() }", "higher floor");
    refused("src/cost/a.rs", "use super::super::{design::{self, Plan}};", "higher floor");
    refused("src/cost/a.rs", "use crate as planner; use planner::design::Plan;", "higher floor");
    refused("src/cost/a.rs", "use crate as all; fn f() { all::design::read() }", "higher floor");
    refused(
        "src/cost/a.rs",
        "use super::super as all; fn f() { all::spec::read() }",
        "higher floor",
    );
    refused("src/cost/a.rs", "pub use crate::design::Plan;", "higher floor");
    refused("src/cost/a.rs", "fn f() { use crate::design; design::read() }", "higher floor");
    refused("src/report/a.rs", "use crate::spec::read;", "must not know `spec`");
    refused("src/spec/a.rs", "use crate::report::Plan;", "higher floor");
    refused("src/fabric/a.rs", "use crate::traffic::Plan;", "must not know `traffic`");
    refused("src/novel/a.rs", "", "has no floor");
    taken(
        "src/cost/a.rs",
        "use crate::units::Plan; use super::super::hardware::{self, Plan as P};",
    );
    taken("src/cost/a.rs", "/// [`crate::design`]\nconst DESIGN: &str = \"crate::design::Plan\";");
    taken("src/cost/a.rs", "#[cfg(test)]\nmod tests { use crate::design::Plan; }");
}

#[test]
fn crates_and_the_world_are_refused_however_they_are_named() {
    refused("src/cost/a.rs", "use good_lp::variable;", "crate `good_lp`");
    refused("src/cost/a.rs", "fn f() { ::good_lp::variable() }", "crate `good_lp`");
    refused("src/cost/a.rs", "use good_lp as solver;", "crate `good_lp`");
    refused("src/timing/a.rs", "let now = std::time::Instant::now();", "reads the world");
    refused("src/timing/a.rs", "use std::{fs, fmt};", "reads the world: `std::fs`");
    refused("src/timing/a.rs", "use std::{fmt, time::{self, Instant}};", "reads the world");
    refused("src/timing/a.rs", "use std as base; fn f() { base::fs::read() }", "reads the world");
    refused("src/search/phases.rs", "use std::thread;", "reads the world");
    refused("src/report/a.rs", "use std::io;", "reads the world");
    taken("src/search/run.rs", "use std::thread;");
    taken("src/report/a.rs", "use std::io::Write;");
    taken("src/sizing/a.rs", "use good_lp::variable; use std::{fmt, collections};");
}

#[test]
fn higher_rooms_are_refused() {
    let breach = |from: &str, to: &str| order("fabric", from, to);
    assert!(breach("ratio", "counts").is_some_and(|text| text.contains("higher room")));
    assert!(breach("graph::flat", "blueprint").is_some());
    assert!(breach("ratio", "shape").is_some(), "not of a group either");
    assert!(breach("ratio", "").is_some(), "nor what is above all");
    assert!(breach("ratio", "unheard_of").is_some_and(|text| text.contains("no room")));
    assert_eq!(breach("counts", "ratio"), None);
    assert_eq!(breach("", "blueprint"), None);
    assert_eq!(breach("graph::wiring", "graph"), None);
    assert_eq!(order("cost", "a", "b"), None);
}

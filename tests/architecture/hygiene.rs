//! Rules of the repository that no compiler knows.

#[allow(dead_code, reason = "these rules ask for no module")]
use std::fs;
use std::path::Path;

use crate::support::sources::{Source, code, sources};

/// Longest file: above it, a file is more than one concept.
const MOST_LINES: usize = 400;

/// The length that the middle file should not exceed.
const MEDIAN_LINES: usize = 260;

/// What must not be left behind, put together so that this file does not contain it.
fn leftovers() -> [String; 6] {
    let bang = "!";
    [
        format!("todo{bang}"),
        format!("unimplemented{bang}"),
        format!("dbg{bang}"),
        ["FIX", "ME"].concat(),
        ["TO", "DO"].concat(),
        [".unwr", "ap()"].concat(),
    ]
}

#[track_caller]
fn none(breaches: &[String]) {
    assert!(breaches.is_empty(), "\n{}", breaches.join("\n"));
}

#[test]
fn nothing_is_left_open_and_nothing_unwraps() {
    let leftovers = leftovers();
    let found: Vec<String> = sources()
        .iter()
        .flat_map(|source| {
            let code = code(&source.text);
            leftovers
                .iter()
                .filter(|leftover| code.contains(leftover.as_str()))
                .map(|leftover| format!("{}: `{leftover}`", source.path))
                .collect::<Vec<_>>()
        })
        .collect();
    none(&found);
}

#[test]
fn every_file_says_what_it_is_for() {
    let found: Vec<String> = sources()
        .into_iter()
        .filter(|source| !source.text.starts_with("//! "))
        .map(|source| format!("{}: does not open with `//!`", source.path))
        .collect();
    none(&found);
}

#[test]
fn files_are_one_concept_long() {
    let lengths: Vec<(usize, Source)> =
        sources().into_iter().map(|source| (source.text.lines().count(), source)).collect();
    let found: Vec<String> = lengths
        .iter()
        .filter(|(lines, _)| *lines > MOST_LINES)
        .map(|(lines, source)| format!("{}: {lines} lines, at most {MOST_LINES}", source.path))
        .collect();
    none(&found);
    let mut all: Vec<usize> = lengths.iter().map(|(lines, _)| *lines).collect();
    all.sort_unstable();
    let median = all[all.len() / 2];
    assert!(median <= MEDIAN_LINES, "the middle file has {median} lines");
}

/// What the lint for missing docs asks of fields too, whose names often say all.
#[test]
fn public_functions_and_types_are_documented() {
    const ITEMS: [&str; 7] = ["fn ", "const fn ", "struct ", "enum ", "trait ", "type ", "const "];
    let is_item = |line: &str| {
        let item = line.trim_start().strip_prefix("pub ");
        let item = item.filter(|item| ITEMS.iter().any(|kind| item.starts_with(kind)));
        item.is_some() && !line.contains('$')
    };
    let mut found = Vec::new();
    for source in sources() {
        let (mut documented, mut is_macro) = (false, false);
        for line in source.text.lines() {
            let trimmed = line.trim_start();
            is_macro = (is_macro && line != "}") || trimmed.starts_with("macro_rules!");
            if is_item(line) && !documented && !is_macro {
                found.push(format!("{}: {trimmed}", source.path));
            }
            // Attributes stand between a comment and its item.
            let is_attribute = trimmed.starts_with("#[") || trimmed.starts_with(")]");
            documented = trimmed.starts_with("///") || (documented && is_attribute);
        }
    }
    none(&found);
}

#[test]
fn imports_name_what_they_take() {
    let found: Vec<String> = sources()
        .iter()
        .filter(|source| {
            code(&source.text)
                .lines()
                .any(|line| line.trim_start().starts_with("use ") && line.contains("::*"))
        })
        .map(|source| format!("{}: imports with `*`", source.path))
        .collect();
    none(&found);
}

#[test]
fn no_path_of_anyones_machine_is_in_the_project() {
    let homes = ["home", "root", "Users", "tmp"].map(|folder| format!("\"/{folder}/"));
    let mut files = sources();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for name in ["README.md", "docs/architecture.md", ".ci/run"] {
        let text = fs::read_to_string(root.join(name)).unwrap_or_default();
        files.push(Source::new(name, &text));
    }
    let found: Vec<String> = files
        .iter()
        .flat_map(|file| {
            homes
                .iter()
                .filter(|home| {
                    let bare = format!(" {}", home.trim_start_matches('"'));
                    file.text.contains(home.as_str()) || file.text.contains(&bare)
                })
                .map(|home| format!("{}: {home}", file.path))
                .collect::<Vec<_>>()
        })
        .collect();
    none(&found);
}

/// The page that leads through the code, with a glossary of the types of two modules.
const WAY: &str = "docs/architecture.md";

/// Cells of the tables of that page, row by row, as they stand between bars.
fn cells_of_the_way() -> Vec<Vec<String>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(WAY);
    let page = fs::read_to_string(path).expect("there is such a page");
    let rows = page.lines().filter(|line| line.starts_with("| "));
    rows.map(|row| row.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect())
        .collect()
}

/// What stands in backticks, where a cell has nothing else.
fn quoted(cell: &str) -> Option<&str> {
    cell.strip_prefix('`')?.strip_suffix('`').filter(|name| !name.contains('`'))
}

/// The type that a line of code declares at the outermost level, for other folders to use.
fn declared(line: &str) -> Option<&str> {
    let line = ["pub ", "pub(crate) ", "pub(in crate::design) "]
        .into_iter()
        .find_map(|seen| line.strip_prefix(seen))?;
    let rest = ["struct ", "enum ", "trait ", "type "]
        .into_iter()
        .find_map(|kind| line.strip_prefix(kind))?;
    rest.split(|c: char| !c.is_alphanumeric() && c != '_').next()
}

#[test]
fn the_glossary_has_every_public_type_of_design_and_sizing_and_no_other() {
    let mut known: Vec<(String, String)> = Vec::new();
    for source in sources()
        .iter()
        .filter(|this_source| ["design", "sizing"].contains(&this_source.module.as_str()))
    {
        let file = source.path.trim_start_matches("src/");
        let code = code(&source.text);
        known.extend(
            code.lines().filter_map(declared).map(|noun| (noun.to_owned(), file.to_owned())),
        );
    }
    let listed: Vec<(String, String)> = cells_of_the_way()
        .iter()
        .filter(|row| row.len() == 3)
        .filter_map(|row| Some((quoted(&row[0])?.to_owned(), quoted(&row[1])?.to_owned())))
        .collect();
    assert!(known.len() > 100, "only {} types were found", known.len());
    let missing = known.iter().filter(|pair| !listed.contains(pair)).map(|(noun, file)| {
        format!("{WAY}: the glossary lacks `{noun}` of {file}: add a row that says what it is")
    });
    let gone = listed.iter().filter(|pair| !known.contains(pair)).map(|(noun, file)| {
        format!("{WAY}: the glossary has `{noun}`, and {file} declares no such type")
    });
    none(&missing.chain(gone).collect::<Vec<_>>());
}

#[test]
fn files_and_functions_of_the_way_through_the_code_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = fs::read_to_string(root.join(WAY)).expect("there is such a page");
    let file = |name: &str| {
        [root.join(name), root.join("src").join(name)].into_iter().find(|path| path.exists())
    };
    let is_file = |name: &&str| {
        let ends = [".rs", ".md", ".toml", "/"].iter().any(|end| name.ends_with(end));
        ends && !name.contains(char::is_whitespace)
    };
    let named: Vec<&str> = page.split('`').filter(is_file).collect();
    assert!(named.len() > 100, "only {} files are named", named.len());
    let mut wrong: Vec<String> = named
        .iter()
        .filter(|name| file(name).is_none())
        .map(|name| format!("{WAY}: there is no {name}"))
        .collect();
    let mut stations = 0;
    for row in cells_of_the_way().iter().filter(|row| row.len() > 3) {
        let (Some(function), Some(name)) = (quoted(&row[1]), quoted(&row[2])) else { continue };
        stations += 1;
        let text = file(name).and_then(|path| fs::read_to_string(path).ok()).unwrap_or_default();
        let has = ["(", "<"].iter().any(|open| text.contains(&format!("fn {function}{open}")));
        if !has {
            wrong.push(format!("{WAY}: {name} has no function `{function}`"));
        }
    }
    assert!(stations > 30, "only {stations} stations were found");
    none(&wrong);
}

/// Lines of the code under a folder that hold one of these texts, as `path: line`.
fn lines_with(folder: &str, texts: &[&str]) -> Vec<String> {
    let holds = |line: &&str| texts.iter().any(|text| line.contains(text));
    sources()
        .iter()
        .filter(|source| source.path.starts_with(folder))
        .flat_map(|source| {
            let code = code(&source.text);
            let found: Vec<&str> = code.lines().filter(holds).map(str::trim).collect();
            found.into_iter().map(|line| format!("{}: {line}", source.path)).collect::<Vec<_>>()
        })
        .collect()
}

/// What a plan costs is a bill, and no module but `cost` writes a line of one. Sizing weighs the same
/// prices to choose, and none of its sums is a cost that a result states.
#[test]
fn a_bill_is_made_only_in_cost() {
    let made = lines_with("src/", &["BillLine {"]);
    let elsewhere = |line: &String| {
        let types = line.contains("struct BillLine") || line.contains("impl BillLine");
        !line.starts_with("src/cost/") && !types
    };
    assert!(made.iter().any(|line| !elsewhere(line)), "the search finds none at all");
    none(&made.into_iter().filter(elsewhere).collect::<Vec<_>>());
    let read = lines_with("src/report/", &["solution.cost", "solution.power"]);
    none(&read);
}

/// A report shows quantities that it was given: it makes none, so it computes at most a share of one
/// in another and the sum or the largest of those it prints.
#[test]
fn a_report_makes_no_quantity() {
    let makers = ["Usd", "Seconds", "Watts", "Bandwidth", "Flops", "FlopRate"]
        .map(|unit| [format!("{unit}::from_f64("), format!("{unit}::new(")])
        .concat();
    let makers: Vec<&str> = makers.iter().map(String::as_str).collect();
    // Axes and changes are plain numbers of a unit that the table of figures names.
    let plain = |line: &String| {
        ["src/report/picture/scatter_chart.rs", "src/report/table.rs"]
            .iter()
            .any(|file| line.starts_with(file) && line.contains("number::"))
    };
    let made = lines_with("src/report/", &makers);
    none(&made.into_iter().filter(|line| !plain(line)).collect::<Vec<_>>());
}

/// A documentation tool shows one item at a time, so a comment says what it is about.
#[test]
fn no_doc_comment_needs_the_one_above_it() {
    let begins = |line: &str| {
        let line = line.trim_start();
        let text = line.strip_prefix("///").or_else(|| line.strip_prefix("//!"));
        let text = text.map(str::trim_start);
        text.is_some_and(|text| text.starts_with("The same") || text.starts_with("Likewise"))
    };
    let wrong = sources().into_iter().filter(|source| source.text.lines().any(begins));
    none(&wrong.map(|source| source.path).collect::<Vec<_>>());
}

/// Who asks what a design would be under another limit changes `Terms`, and everything has to follow: so
/// no file that makes or sizes candidates reads a limit or the objective of the scenario itself, but the
/// one that makes the terms of it.
#[test]
fn limits_reach_sizing_by_terms_alone() {
    let roads = [
        "scenario.limits",
        "objective.minimize",
        "objective.then",
        "objective.max_slowdown",
        "objective.tolerance",
    ];
    // What is a candidate at all, before there are terms.
    let before = |line: &String| {
        [
            "candidate/kept_layouts.rs",
            "candidate/layouts.rs",
            "job/layout_search.rs",
            "candidate/standby.rs",
            "candidate/priced_links.rs",
        ]
        .map(|file| format!("src/design/{file}"))
        .iter()
        .any(|file| line.starts_with(file.as_str()))
    };
    let elsewhere =
        |line: &String| !line.starts_with("src/design/columns/terms.rs") && !before(line);
    let rooms =
        ["job", "candidate", "columns", "network"].map(|room| format!("src/design/{room}/"));
    let rooms = rooms.iter().map(String::as_str).chain(["src/sizing/"]);
    let read: Vec<String> = rooms.flat_map(|room| lines_with(room, &roads)).collect();
    assert!(read.iter().any(|line| !elsewhere(line)), "the search finds none at all");
    none(&read.into_iter().filter(elsewhere).collect::<Vec<_>>());
}

/// Words for what has a dimension.
const DIMENSIONS: [&str; 14] = [
    "usd",
    "dollar",
    "price",
    "cost",
    "watt",
    "power",
    "joule",
    "second",
    "time",
    "hour",
    "byte",
    "gib",
    "bandwidth",
    "flop",
];

/// Public floats that are named like a quantity, each with what it is.
const FLOATS: [(&str, &str); 10] = [
    ("src/design/plan/alternatives.rs: pub usd_per_token_ratio: Option<f64>,", "a ratio"),
    ("src/design/study/failures.rs: pub times: f64,", "a ratio"),
    ("src/scenario/clusters.rs: pub price: f64,", "a share of today's price"),
    ("src/design/plan/plan.rs: pub price: f64,", "a share of today's price"),
    ("src/design/plan/plan.rs: pub tokens_per_gpu_second: f64,", "tokens have no type"),
    ("src/timing/efficiency.rs: pub tokens_per_gpu_second: f64,", "tokens have no type"),
    ("src/hardware/quote.rs: pub usd: f64,", "a rate of exchange"),
    ("src/step/block/kernel.rs: pub result_bytes: f64,", "bytes of one element, 0.5 in four bits"),
    ("src/step/shape.rs: pub update_flops: f64,", "FLOPs of one parameter"),
    ("src/validate/case.rs: pub memory_gib: Option<f64>,", "a column of a published table"),
];

/// Money, time, bytes, rates, work and power are types wherever they are public. Years and days of a
/// calendar, tokens, shares and ratios are plain numbers.
#[test]
fn no_public_float_has_a_dimension_but_those_listed() {
    let is_float = |line: &String| {
        let field = line.split_once(": ").map_or("", |(_, field)| field);
        let Some((name, kind)) = field.strip_prefix("pub ").and_then(|text| text.split_once(": "))
        else {
            return false;
        };
        let plain = name.chars().all(|c| c.is_ascii_lowercase() || c == '_');
        let of_dimension = DIMENSIONS.iter().any(|word| name.contains(word));
        plain && of_dimension && ["f64,", "Option<f64>,"].contains(&kind)
    };
    let found: Vec<String> = lines_with("src/", &["f64"]).into_iter().filter(is_float).collect();
    let known = |line: &String| FLOATS.iter().any(|(known, _)| known == line);
    none(&found.iter().filter(|line| !known(line)).cloned().collect::<Vec<_>>());
    let gone = FLOATS.iter().filter(|(line, _)| !found.iter().any(|found| found == line));
    none(&gone.map(|(line, _)| format!("no longer there: {line}")).collect::<Vec<_>>());
}

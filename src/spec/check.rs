//! The document against the table of keys: unknown keys, wrong types, bad units, ranges. Every
//! problem that a value has by itself; what ties values together is found on resolution.

use super::document::{SpannedValue, SpecTable, SpecValue, TextPlace};
use super::problem::{self, Problem, ProblemKind};
use super::schema::{OWN_PRICE, ROOT};
use super::value;
use crate::keys::key::{Kind, Section};

/// Problems after which nothing more is looked for: the file is no spec, and a list of all that
/// is unlike one helps nobody.
const ENOUGH: usize = 1000;

/// All problems of the document's keys and values.
pub(crate) fn check_document(document: &SpecTable) -> Vec<Problem> {
    let mut problems = Vec::new();
    check_table(document, &ROOT, "", &mut problems);
    problems
}

/// Most `[[workload]]` or `[[stage]]` tables: each is a question of its own.
const MOST_TABLES: usize = 128;

/// Most items of any other list, and most keys of a table.
const MOST_ITEMS: usize = 2_000;

/// Lists and tables that are longer than any that somebody writes: what every later step does for
/// each of their items would take hours.
pub(crate) fn too_long_lists(document: &SpecTable) -> Vec<Problem> {
    let mut problems = Vec::new();
    crowds_of_table(document, "", None, &mut problems);
    problems
}

fn crowds_of_table(
    table: &SpecTable,
    path: &str,
    place: Option<TextPlace>,
    problems: &mut Vec<Problem>,
) {
    if table.entries.len() > MOST_ITEMS {
        let place = place.or_else(|| table.entries.values().next().map(|entry| entry.key));
        let value = format!("a table of {} keys", table.entries.len());
        problems.push(oversized_problem(path, place, value, MOST_ITEMS));
        return;
    }
    for (name, entry) in &table.entries {
        find_oversized_items(&entry.item, &join_key_path(path, name), problems);
    }
}

fn find_oversized_items(item: &SpannedValue, path: &str, problems: &mut Vec<Problem>) {
    match &item.value {
        SpecValue::Table(inner) => crowds_of_table(inner, path, Some(item.place), problems),
        SpecValue::List(items) => {
            let (most, what) = match ROOT.find_key(path).map(|key| key.kind) {
                Some(Kind::Tables(_)) => (MOST_TABLES, "tables"),
                _ => (MOST_ITEMS, "items"),
            };
            if items.len() > most {
                let value = format!("a list of {} {what}", items.len());
                problems.push(oversized_problem(path, Some(item.place), value, most));
                return;
            }
            items.iter().for_each(|item| find_oversized_items(item, path, problems));
        }
        _ => {}
    }
}

fn oversized_problem(path: &str, place: Option<TextPlace>, value: String, most: usize) -> Problem {
    let kind = ProblemKind::OutOfRange { value, wanted: format!("one of at most {most}") };
    let key = if path.is_empty() { "the spec".to_owned() } else { path.to_owned() };
    Problem { key, kind, place }
}

/// All problems of a table's keys and values; `path` is its dotted key.
pub(crate) fn check_table(
    table: &SpecTable,
    section: &Section,
    path: &str,
    problems: &mut Vec<Problem>,
) {
    for (name, entry) in &table.entries {
        if problems.len() >= ENOUGH {
            return;
        }
        let path = join_key_path(path, name);
        match section.find_key(name) {
            Some(key) => check_item(&entry.item, &key.kind, &path, problems),
            None => problems.push(Problem {
                kind: unknown_key_kind(name, section, &path),
                key: path,
                place: Some(entry.key),
            }),
        }
    }
}

fn check_item(item: &SpannedValue, kind: &Kind, path: &str, problems: &mut Vec<Problem>) {
    match (kind, &item.value) {
        (Kind::Table(section), SpecValue::Table(inner)) => {
            check_table(inner, section, path, problems)
        }
        (Kind::Price, SpecValue::Table(inner)) => {
            own_price(inner, item.place, path, problems);
        }
        (Kind::Map(kind), SpecValue::Table(inner)) => {
            for (name, entry) in &inner.entries {
                let path = join_key_path(path, name);
                if let Some(kind) = value::unprintable_problem(name) {
                    problems.push(Problem { key: path.clone(), kind, place: Some(entry.key) });
                }
                check_item(&entry.item, kind, &path, problems);
            }
        }
        (Kind::Tables(_), SpecValue::List(items)) => {
            let Kind::Tables(section) = kind else { return };
            for item in items {
                check_item(item, &Kind::Table(section), path, problems);
            }
        }
        (Kind::Tables(_), SpecValue::Table(_)) => {
            let name = path.rsplit('.').next().unwrap_or(path);
            let message = format!("`[{path}]` is one table, but has to be a list of tables");
            let hint = format!("write `[[{name}]]` in front of each");
            let kind = ProblemKind::new_contradiction(message, hint);
            problems.push(Problem { key: path.into(), kind, place: Some(item.place) });
        }
        (Kind::Auto(inner), SpecValue::List(_)) => check_item(item, inner, path, problems),
        (Kind::Some(inner), SpecValue::List(items)) => {
            if items.is_empty() {
                let message = "the list is empty, so there is nothing to choose from";
                let hint = "name at least one, or leave the key out";
                let kind = ProblemKind::new_contradiction(message, hint);
                problems.push(Problem { key: path.into(), kind, place: Some(item.place) });
            }
            for item in items {
                check_item(item, inner, path, problems);
            }
        }
        _ => {
            if let Some(kind) = value::value_problem(item, kind) {
                problems.push(Problem { key: path.into(), kind, place: Some(item.place) });
            }
        }
    }
}

/// A price as a table, which has to state the amount.
fn own_price(table: &SpecTable, place: TextPlace, path: &str, problems: &mut Vec<Problem>) {
    check_table(table, &OWN_PRICE, path, problems);
    if table.get("price").is_none() {
        let hint = "write it like `{ price = \"$1000\", date = \"2026-10\" }`".to_owned();
        let kind = ProblemKind::Missing { meaning: "price of one".to_owned(), hint };
        problems.push(Problem { key: join_key_path(path, "price"), kind, place: Some(place) });
    }
}

fn unknown_key_kind(name: &str, section: &Section, path: &str) -> ProblemKind {
    let known: Vec<String> = section.keys.iter().map(|key| key.name.to_owned()).collect();
    let elsewhere = match problem::did_you_mean(name, &known) {
        Some(_) => None,
        None => find_key_path(&ROOT, name, ""),
    };
    let section = path.strip_suffix(name).unwrap_or_default().trim_end_matches('.').to_owned();
    ProblemKind::UnknownKey { name: name.to_owned(), section, known, elsewhere }
}

/// The first place in the format where a key of that name belongs.
fn find_key_path(section: &Section, name: &str, path: &str) -> Option<String> {
    let own =
        section.keys.iter().find(|key| key.name == name).map(|key| join_key_path(path, key.name));
    own.or_else(|| {
        section.keys.iter().find_map(|key| match key.kind {
            Kind::Table(inner) => find_key_path(inner, name, &join_key_path(path, key.name)),
            _ => None,
        })
    })
}

fn join_key_path(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}

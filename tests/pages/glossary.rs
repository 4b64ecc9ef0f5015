//! The table of words and warnings: the page in `docs/`, the codes that the program gives, and
//! `planner explain`.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use planner::report::{find_term, glossary_page, term_names};

use crate::support::program::{fresh_folder, planner_in};
use crate::support::sources::{code, sources};

#[test]
fn the_page_of_words_is_the_one_in_docs() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/glossary.md");
    if std::env::var_os("BLESS").is_some() {
        fs::write(&path, glossary_page()).expect("a writable folder");
    }
    let found = fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(found, glossary_page(), "run `BLESS=1 cargo test --test reports pages::glossary`");
}

fn is_code(text: &str) -> bool {
    text.len() == 3
        && text.starts_with('W')
        && text[1..].bytes().all(|letter| letter.is_ascii_digit())
}

/// Codes that stand as texts of their own in a source.
fn codes(text: &str) -> impl Iterator<Item = String> {
    text.split('"').filter(|part| is_code(part)).map(str::to_owned)
}

#[test]
fn every_warning_has_an_entry_and_the_reverse() {
    let all = sources();
    // Whatever gives one: the table of meanings is the other side.
    let others = all.iter().filter(|source| !source.path.contains("report/glossary/"));
    let own = others.map(|source| code(&source.text));
    let given: BTreeSet<String> = own.flat_map(|text| codes(&text).collect::<Vec<_>>()).collect();
    assert!(given.len() > 20, "{given:?}");
    let explained: BTreeSet<String> =
        term_names().into_iter().filter(|name| is_code(name)).collect();
    assert_eq!(given, explained);
}

#[test]
fn every_entry_is_short_and_has_its_name_to_itself() {
    let names = term_names();
    let once: BTreeSet<String> = names.iter().map(|name| name.to_lowercase()).collect();
    assert_eq!(once.len(), names.len());
    for name in &names {
        let term = find_term(name).unwrap_or_else(|| panic!("no `{name}`"));
        assert!(term.meaning.split_whitespace().count() <= 60, "{}", term.meaning);
        assert!(term.meaning.ends_with(['.', '"']), "{}", term.meaning);
    }
}

#[test]
fn a_word_a_warning_and_a_key_are_explained() {
    let folder = fresh_folder("explained-words");
    let shown = |arguments: &[&str]| {
        let run = planner_in(&folder, arguments);
        assert_eq!((run.status, run.stderr.as_str()), (0, ""), "{arguments:?}");
        assert!(run.stdout.lines().count() < 16, "{}", run.stdout);
        run.stdout
    };
    assert_eq!(
        shown(&["explain", "rails"]),
        "rail\n  The NICs of the same place in every HB domain: NIC 3 of all machines is rail 3. A \
         domain of 8 NICs\n    has 8 rails.\n"
    );
    assert!(shown(&["explain", "hb-domain"]).contains("72 in an NVL72 rack"));
    assert!(shown(&["explain", "w07"]).contains("`limits.within_rail`"));
    assert!(shown(&["explain", "starter", "PXN"]).contains("NCCL's name"));
    assert!(shown(&["explain", "limits.within_rail"]).contains("Value: "));
    assert!(shown(&["explain", "W01", "--format", "json"]).contains("\"kind\": \"warning\""));
    assert!(shown(&["explain", "qm9700", "--format", "json"]).contains("\"kind\": \"switch\""));
    let slip = planner_in(&folder, &["explain", "railz"]);
    assert_eq!(slip.status, 2);
    assert!(
        slip.stderr.starts_with(
            "error: there is no figure, word, warning, part or spec `railz`\n\
             help: did you mean `rail`"
        ),
        "{}",
        slip.stderr
    );
}

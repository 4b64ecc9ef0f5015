//! What one file declares, and which paths it names.

use std::collections::BTreeSet;

use super::tokens::{Token, tokens};

/// A `use` of one name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Import {
    /// The path as it is written, without renaming; its first segment is empty where it starts with
    /// `::`, which leads outside.
    pub(super) path: Vec<String>,
    /// The name that it has in the file; `*` where it brings all names.
    pub(super) name: String,
    /// It is passed on: `pub use` of any width.
    pub(super) public: bool,
}

/// A file, taken apart.
#[derive(Debug, Default)]
pub(super) struct File {
    /// Names of items that it declares.
    pub(super) items: BTreeSet<String>,
    /// Names of modules that it declares, but for those of tests.
    pub(super) children: BTreeSet<String>,
    /// Its imports, wherever they stand.
    pub(super) imports: Vec<Import>,
    /// Paths of two segments or more in its code.
    pub(super) paths: Vec<Vec<String>>,
}

/// What declares an item by the name behind it.
const DECLARES: [&str; 8] = ["struct", "enum", "trait", "type", "fn", "const", "static", "union"];

/// Takes a file apart.
pub(super) fn file(text: &str) -> File {
    let tokens = tokens(text);
    let mut file = File::default();
    let (mut at, mut depth) = (0, 0_usize);
    let mut public = false;
    while let Some(token) = tokens.get(at) {
        let starts = at == 0 || matches!(tokens[at - 1], Token::Sign(';' | '{' | '}' | ')' | ']'));
        match token {
            Token::Word(word) if word == "use" && (starts || public) => {
                let end = at + tokens[at..].iter().take_while(|token| !token.is(';')).count();
                list(&tokens[at + 1..end], &[], public, &mut file.imports);
                (at, public) = (end, false);
                continue;
            }
            Token::Word(word) if word == "pub" => {
                public = true;
                // `pub(in a::b)` names no dependency.
                if tokens.get(at + 1).is_some_and(|token| token.is('(')) {
                    at += tokens[at..].iter().take_while(|token| !token.is(')')).count();
                }
            }
            Token::Word(word) => {
                public = false;
                if depth == 0 && DECLARES.contains(&word.as_str()) {
                    file.items.extend(word_at(&tokens, at + 1));
                }
                if depth == 0 && word == "mod" {
                    file.children.extend(word_at(&tokens, at + 1));
                }
                if depth == 0 && word == "macro_rules" {
                    file.items.extend(word_at(&tokens, at + 2));
                }
                // Behind `>::` stands an item of a type, behind a leading `::` a crate.
                let behind = (at > 1).then(|| (&tokens[at - 2], &tokens[at - 1]));
                let (mut path, end) = path(&tokens, at);
                let of_type = behind.is_some_and(|(before, _)| before.is('>'));
                if behind.is_some_and(|(_, colons)| *colons == Token::Path) {
                    path.insert(0, String::new());
                }
                if path.len() > 1 {
                    if !(of_type && path[0].is_empty()) {
                        file.paths.push(path);
                    }
                    at = end;
                    continue;
                }
            }
            Token::Sign('{') => depth += 1,
            Token::Sign('}') => depth = depth.saturating_sub(1),
            _ => {}
        }
        at += 1;
    }
    file
}

fn word_at(tokens: &[Token], at: usize) -> Option<String> {
    match tokens.get(at) {
        Some(Token::Word(word)) => Some(word.clone()),
        _ => None,
    }
}

/// The path that starts at `at`, and the place behind it.
fn path(tokens: &[Token], mut at: usize) -> (Vec<String>, usize) {
    let mut path = Vec::new();
    while let Some(word) = word_at(tokens, at) {
        path.push(word);
        at += 1;
        if tokens.get(at) != Some(&Token::Path) || word_at(tokens, at + 1).is_none() {
            break;
        }
        at += 1;
    }
    (path, at)
}

/// Every name that the tree of a `use` brings, below `before`.
fn list(tree: &[Token], before: &[String], public: bool, imports: &mut Vec<Import>) {
    let mut path = before.to_vec();
    let mut name = None;
    let mut at = 0;
    while let Some(token) = tree.get(at) {
        match token {
            Token::Word(word) if word == "as" => {
                name = word_at(tree, at + 1);
                at += 1;
            }
            // In a list `self` is the module before it.
            Token::Word(word) if word == "self" && !before.is_empty() && path == before => {}
            Token::Word(word) => path.push(word.clone()),
            Token::Path if at == 0 && before.is_empty() => path.push(String::new()),
            Token::Sign('*') => name = Some("*".to_owned()),
            Token::Sign('{') => {
                let inner = &tree[at + 1..];
                for entry in entries(inner) {
                    list(entry, &path, public, imports);
                }
                return;
            }
            _ => {}
        }
        at += 1;
    }
    if let Some(last) = path.last() {
        let name = name.unwrap_or_else(|| last.clone());
        imports.push(Import { path, name, public });
    }
}

/// The entries of a list, up to its closing brace.
fn entries(list: &[Token]) -> Vec<&[Token]> {
    let (mut depth, mut start) = (0_usize, 0);
    let mut all = Vec::new();
    for (at, token) in list.iter().enumerate() {
        match token {
            Token::Sign('{') => depth += 1,
            Token::Sign('}') if depth == 0 => {
                all.push(&list[start..at]);
                break;
            }
            Token::Sign('}') => depth -= 1,
            Token::Sign(',') if depth == 0 => {
                all.push(&list[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    all.retain(|entry| !entry.is_empty());
    all
}

#[test]
fn imports_are_read_one_by_one() {
    let imports = |text: &str| -> Vec<String> {
        let shown = |import: &Import| format!("{} as {}", import.path.join("::"), import.name);
        file(text).imports.iter().map(shown).collect()
    };
    assert_eq!(imports("use a::b;"), ["a::b as b"]);
    assert_eq!(imports("pub(in crate::x) use a::b as c;"), ["a::b as c"]);
    assert_eq!(
        imports("use a::{self, b::{c, d as e}, f::*};"),
        ["a as a", "a::b::c as c", "a::b::d as e", "a::f as *"]
    );
    assert_eq!(imports("use crate as planner;"), ["crate as planner"]);
    assert_eq!(imports("fn f() { use ::a::b; }"), ["::a::b as b"]);
    assert!(file("pub use a::b;").imports[0].public);
    assert!(!file("pub fn f() {} use a::b;").imports[0].public);
}

#[test]
fn items_and_paths_are_read() {
    let file = file(
        "pub struct A; fn b() -> c::D { e::f::g(self::h, ::l::m, <N>::o::p) } mod i; impl J { fn k() {} }",
    );
    assert_eq!(Vec::from_iter(file.items), ["A", "b"]);
    assert_eq!(Vec::from_iter(file.children), ["i"]);
    let paths: Vec<String> = file.paths.iter().map(|path| path.join("::")).collect();
    assert_eq!(paths, ["c::D", "e::f::g", "self::h", "::l::m"]);
}

//! All files of a crate as a tree of modules, in which a path is followed to its end.

use std::collections::{BTreeMap, BTreeSet};

use super::file::{File, Import, file};

/// What a path leads to.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Target {
    /// An item of that module, by its dotted name without `crate`: `design::plan`.
    Module(String),
    /// Something outside the crate: `std::fs::read`.
    Outside(String),
}

/// A crate.
pub(crate) struct Tree {
    modules: BTreeMap<Vec<String>, File>,
}

/// Modules that pass an item on, on the way to the file that declares it.
type Hops = Vec<String>;

/// Longest chain of re-exports that is followed: a circle of them ends here.
const LONGEST: usize = 32;

impl Tree {
    /// The crate of these files: path from the root of the project, and text.
    pub(crate) fn new<'a>(files: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        let mut modules: BTreeMap<Vec<String>, File> =
            files.into_iter().map(|(path, text)| (module(path), file(text))).collect();
        let of_tests = |module: &Vec<String>| {
            let (name, above) = module.split_last()?;
            let above = modules.get(above).filter(|_| !above.is_empty())?;
            (!above.children.contains(name)).then(|| module.clone())
        };
        for module in modules.keys().filter_map(of_tests).collect::<Vec<_>>() {
            modules.remove(&module);
        }
        Self { modules }
    }

    /// Dotted names of all modules; that of the root is empty.
    pub(crate) fn modules(&self) -> impl Iterator<Item = String> {
        self.modules.keys().map(|module| module.join("::"))
    }

    /// Everything that the code of a module uses. What it re-exports and does not use itself is not
    /// among it: who takes it from here uses the file that declares it.
    pub(crate) fn uses(&self, module: &str) -> BTreeSet<Target> {
        self.named(module).into_iter().map(|(target, _)| target).collect()
    }

    /// What a module passes on to others with a `pub use`.
    pub(crate) fn passes_on(&self, module: &str) -> BTreeSet<Target> {
        let own: Vec<String> = split(module);
        let imports = self.modules.get(&own).into_iter().flat_map(|file| &file.imports);
        let public = imports.filter(|import| import.public);
        public
            .filter_map(|this_import| self.follow(&own, &this_import.path, true, &mut Hops::new()))
            .collect()
    }

    /// The modules that pass on what the code of a module uses: its paths lead through them.
    pub(crate) fn leads_through(&self, module: &str) -> BTreeSet<String> {
        let hops = self.named(module).into_iter().flat_map(|(_, hops)| hops);
        hops.filter(|hop| hop != module).collect()
    }

    fn named(&self, module: &str) -> Vec<(Target, Hops)> {
        let own: Vec<String> = split(module);
        let Some(file) = self.modules.get(&own) else { return Vec::new() };
        let imports = file.imports.iter().filter(|import| !import.public);
        let imports = imports.map(|import| (&import.path, true));
        let paths = file.paths.iter().map(|path| (path, false));
        let found = imports.chain(paths).filter_map(|(path, used)| {
            let mut hops = Hops::new();
            Some((self.follow(&own, path, used, &mut hops)?, hops))
        });
        let itself = Target::Module(own.join("::"));
        found.filter(|(target, _)| *target != itself).collect()
    }

    /// Where a path leads from a module; `None` where it starts with a name of the function at hand,
    /// such as a generic type. `used` is whether it stands in a `use`, where no such name can.
    fn follow(
        &self,
        from: &[String],
        path: &[String],
        used: bool,
        hops: &mut Hops,
    ) -> Option<Target> {
        let (first, rest) = path.split_first()?;
        match first.as_str() {
            "" => return Some(Target::Outside(rest.join("::"))),
            "crate" => return Some(self.descend(Vec::new(), rest, hops)),
            "self" => return Some(self.descend(from.to_vec(), rest, hops)),
            "super" => {
                let above = from[..from.len().saturating_sub(1)].to_vec();
                return match rest.first().map(String::as_str) {
                    Some("super") => self.follow(&above, rest, used, hops),
                    _ => Some(self.descend(above, rest, hops)),
                };
            }
            _ => {}
        }
        let declares = |file: &File| file.items.contains(first);
        let is_here = self.modules.contains_key(&below(from, first))
            || self.modules.get(from).is_some_and(declares);
        if is_here {
            return Some(self.descend(from.to_vec(), path, hops));
        }
        // `use serde::Serialize` stands for itself.
        let import = self.import(from, first).filter(|import| !(used && import.path == path));
        match import {
            Some(import) if hops.len() < LONGEST => {
                hops.push(from.join("::"));
                self.follow(from, &[&import.path[..], rest].concat(), true, hops)
            }
            _ if used || is_crate(first) => Some(Target::Outside(path.join("::"))),
            _ => None,
        }
    }

    /// The item that `path` leads to inside a module of the crate.
    fn descend(&self, mut module: Vec<String>, path: &[String], hops: &mut Hops) -> Target {
        for (at, segment) in path.iter().enumerate() {
            let inner = below(&module, segment);
            if self.modules.contains_key(&inner) {
                module = inner;
                continue;
            }
            let declares = |file: &File| file.items.contains(segment);
            if self.modules.get(&module).is_some_and(declares) {
                break;
            }
            let import = self.import(&module, segment).filter(|_| hops.len() < LONGEST);
            let passed_on = import.and_then(|import| {
                hops.push(module.join("::"));
                self.follow(&module, &[&import.path[..], &path[at + 1..]].concat(), true, hops)
            });
            if let Some(found) = passed_on {
                return found;
            }
            break;
        }
        Target::Module(module.join("::"))
    }

    fn import(&self, module: &[String], name: &str) -> Option<&Import> {
        self.modules.get(module)?.imports.iter().find(|import| import.name == name)
    }
}

/// Whether an unknown name that starts a path of the code can be another crate's: those are in
/// small letters, and so are no types.
fn is_crate(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_lowercase())
}

fn below(module: &[String], name: &str) -> Vec<String> {
    [module, &[name.to_owned()]].concat()
}

fn split(module: &str) -> Vec<String> {
    module.split("::").filter(|part| !part.is_empty()).map(str::to_owned).collect()
}

/// The module of a file: `design::plan` for `src/design/plan.rs`, the root for `src/lib.rs`.
fn module(path: &str) -> Vec<String> {
    let inner = path.trim_start_matches("src/").trim_end_matches(".rs").trim_end_matches("/mod");
    if inner == "lib" { Vec::new() } else { inner.split('/').map(str::to_owned).collect() }
}

#[cfg(test)]
mod tests {
    use super::{Target, Tree};

    const FILES: [(&str, &str); 7] = [
        ("src/lib.rs", "pub mod design; pub mod spec; mod units;"),
        ("src/design/mod.rs", "mod plan; mod room; pub use plan::Plan; pub fn all() {}"),
        ("src/design/plan.rs", "pub struct Plan; #[cfg(test)] mod of_tests;"),
        ("src/design/plan/of_tests.rs", "use crate::spec::read;"),
        ("src/design/room/mod.rs", "pub mod inner;"),
        ("src/spec/mod.rs", "pub fn read() {}"),
        ("src/units.rs", "pub struct Usd;"),
    ];

    #[track_caller]
    fn uses(text: &str, expected: &[&str]) {
        let mut files = FILES.to_vec();
        files.push(("src/design/room/inner.rs", text));
        let shown = |target: Target| match target {
            Target::Module(module) => module,
            Target::Outside(path) => format!("::{path}"),
        };
        let tree = Tree::new(files);
        let found: Vec<String> = tree.uses("design::room::inner").into_iter().map(shown).collect();
        assert_eq!(found, expected, "{text}");
        assert!(!tree.modules().any(|module| module.contains("of_tests")));
    }

    #[test]
    fn a_path_is_followed_to_the_file_that_declares() {
        uses("use crate::design::Plan;", &["design::plan"]);
        uses("use super::super::Plan;", &["design::plan"]);
        uses("use super::super::super::units::Usd;", &["units"]);
        uses("use crate::{spec::read, units::{self, Usd}};", &["spec", "units"]);
        uses("fn f() -> crate::design::Plan { todo() }", &["design::plan"]);
        uses("fn f() { super::super::all() }", &["design"]);
        uses(
            "use super::super as upper; fn f() { upper::Plan::NONE }",
            &["design", "design::plan"],
        );
        uses("use crate as planner; fn f() { planner::spec::read() }", &["", "spec"]);
        uses("use crate::design; fn f() { design::Plan::NONE }", &["design", "design::plan"]);
        uses("use planner::x;", &["::planner::x"]);
    }

    #[test]
    fn what_is_outside_is_told_by_its_path() {
        uses("use std::{fs, time::Instant};", &["::std::fs", "::std::time::Instant"]);
        uses("use std::fs; fn f() { fs::read() }", &["::std::fs", "::std::fs::read"]);
        uses("use std as base; fn f() { base::fs::read() }", &["::std", "::std::fs::read"]);
        uses("fn f() { good_lp::variable() }", &["::good_lp::variable"]);
        uses("use serde::Serialize; fn f<T: Serialize>() { T::x() }", &["::serde::Serialize"]);
    }

    #[test]
    fn names_of_its_own_comments_and_tests_are_no_use() {
        uses("struct A; fn f() { A::new(); Self::g(); self::f() }", &[]);
        uses("//! [`crate::spec::read`]\n// crate::spec::read", &[]);
        uses("#[cfg(test)]\nmod tests { use crate::spec::read; }", &[]);
        uses("pub use crate::spec::read;", &[]);
        uses("pub use crate::spec::read; fn f() { self::read() }", &["spec"]);
    }

    #[test]
    fn who_passes_an_item_on_is_known() {
        let files =
            [("src/a.rs", "use crate::b::X;"), ("src/b/mod.rs", "mod c; pub use crate::d::X;")];
        let tree = Tree::new(files.into_iter().chain([("src/d.rs", "pub struct X;")]));
        assert_eq!(Vec::from_iter(tree.uses("a")), [Target::Module("d".to_owned())]);
        assert_eq!(Vec::from_iter(tree.leads_through("a")), ["b"]);
        assert!(tree.leads_through("b").is_empty());
    }
}

//! The files that ship inside the program, and as trees.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use crate::spec::document::{EMPTY, SourceId, SpecTable};

/// An embedded file.
#[derive(Debug)]
pub(in crate::spec) struct EmbeddedFile {
    pub(in crate::spec) path: &'static str,
    pub(in crate::spec) text: &'static str,
}

macro_rules! files {
    ($($path:literal),* $(,)?) => {
        &[$(EmbeddedFile {
            path: $path,
            text: include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/", $path)),
        }),*]
    };
}

/// Models, parts, frameworks and calibrations: one table each, named like the file.
pub(in crate::spec) const TABLES: &[EmbeddedFile] = files![
    "presets/models.toml",
    "presets/gpus.toml",
    "presets/nodes.toml",
    "presets/families.toml",
    "presets/nics.toml",
    "presets/switches.toml",
    "presets/optics.toml",
    "presets/cables.toml",
    "presets/links.toml",
    "presets/appliances.toml",
    "presets/frameworks.toml",
    "presets/calibrations.toml",
];

/// Price books.
pub(in crate::spec) const PRICES: &[EmbeddedFile] = files![
    "presets/prices/street-2026.toml",
    "presets/prices/mixnet-2025.toml",
    "presets/prices/rail-only-2024.toml",
    "presets/prices/rail-only-2023.toml",
];

/// Specs that are ready to run.
pub(in crate::spec) const SPECS: &[EmbeddedFile] = files![
    "presets/specs/starter.toml",
    "presets/specs/gpt3-175b-a100-1536.toml",
    "presets/specs/gpt-1t-h100-32768.toml",
    "presets/specs/llama3-405b-h100-16384.toml",
    "presets/specs/deepseek-v3-h800-2048.toml",
];

/// Worked cases: each settles one argument that architects have (docs/guide.md).
pub(in crate::spec) const CASES: &[EmbeddedFile] = files![
    "presets/cases/two-products.toml",
    "presets/cases/two-stages.toml",
    "presets/cases/racks-rail-only.toml",
    "presets/cases/clos-as-cheap.toml",
    "presets/cases/tenants-need-a-spine.toml",
    "presets/cases/partial-spine-in-free-ports.toml",
    "presets/cases/stock-beside-new.toml",
    "presets/cases/stock-as-leafs.toml",
    "presets/cases/power-limits-stock.toml",
    "presets/cases/stock-not-worth-using.toml",
    "presets/cases/racks-against-machines.toml",
    "presets/cases/zcube-16k.toml",
];

/// Specs that restate published papers.
pub(in crate::spec) const PAPERS: &[EmbeddedFile] = files![
    "presets/papers/axonn-2022-12b.toml",
    "presets/papers/rail-only-2023-gpt3.toml",
    "presets/papers/rail-only-2023-opt.toml",
    "presets/papers/rail-only-2023-palm.toml",
    "presets/papers/rail-only-2024-moe.toml",
];

/// Files with parts and prices, in the order of their positions.
pub(super) fn part_files() -> impl Iterator<Item = &'static EmbeddedFile> {
    TABLES.iter().chain(PRICES)
}

/// Specs of every kind.
pub(super) fn spec_files() -> impl Iterator<Item = &'static EmbeddedFile> {
    SPECS.iter().chain(CASES).chain(PAPERS)
}

/// All presets by kind and name.
#[derive(Debug, Default)]
pub(crate) struct Library {
    /// Tables of entries by kind: `models`, `gpus`, ….
    kinds: BTreeMap<String, SpecTable>,
    pub(crate) books: BTreeMap<String, SpecTable>,
}

static SHIPPED: LazyLock<Library> = LazyLock::new(Library::load_presets);

impl Library {
    /// What ships.
    pub(crate) fn get_shipped() -> &'static Self {
        &SHIPPED
    }

    /// The entries of a kind; an empty table where nothing of the kind ships.
    pub(crate) fn entries_of_kind(&self, kind: &str) -> &SpecTable {
        self.kinds.get(kind).unwrap_or(&EMPTY)
    }

    fn load_presets() -> Self {
        let mut library = Self::default();
        for (index, file) in part_files().enumerate() {
            let table = SpecTable::parse(SourceId::Preset(index), file.text);
            // A file that is no TOML is left out here and fails the tests.
            let Ok(table) = table else { continue };
            let stem = path_stem(file.path).to_owned();
            if index < TABLES.len() {
                if let Some(entries) = table.get_table(&stem) {
                    library.kinds.insert(stem, entries.clone());
                }
            } else {
                library.books.insert(stem, table);
            }
        }
        library
    }
}

/// A path's last element without its ending.
pub(in crate::spec) fn path_stem(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.strip_suffix(".toml").unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::{Library, path_stem};
    use crate::hardware::{
        Appliance, Cable, Calibration, Family, Gpu, LinkKind, Nic, Node, Optic, Switch,
    };
    use crate::keys::key::{Kind, Section};
    use crate::spec::document::{SourceId, SpecTable};
    use crate::spec::{check, schema};
    use crate::workload::{Framework, Model};

    const SECTIONS: [(&str, &Section); 12] = [
        ("models", &Model::SECTION),
        ("gpus", &Gpu::SECTION),
        ("nodes", &Node::SECTION),
        ("families", &Family::SECTION),
        ("nics", &Nic::SECTION),
        ("switches", &Switch::SECTION),
        ("optics", &Optic::SECTION),
        ("cables", &Cable::SECTION),
        ("links", &LinkKind::SECTION),
        ("appliances", &Appliance::SECTION),
        ("frameworks", &Framework::SECTION),
        ("calibrations", &Calibration::SECTION),
    ];

    #[test]
    fn every_preset_file_is_toml_and_every_entry_fits_the_table_of_keys() {
        for file in super::part_files() {
            let table = SpecTable::parse(SourceId::Preset(0), file.text);
            let table = table.unwrap_or_else(|errors| panic!("{}: {errors:?}", file.path));
            let mut problems = Vec::new();
            match SECTIONS.iter().find(|(kind, _)| file.path == format!("presets/{kind}.toml")) {
                Some((kind, section)) => {
                    assert_eq!(table.entries.len(), 1, "{}: one table, `{kind}`", file.path);
                    for (name, entry) in
                        &table.get_table(kind).expect("named like the file").entries
                    {
                        let entry = entry.item.value.as_table().expect("an entry is a table");
                        check::check_table(entry, section, name, &mut problems);
                        for key in section.keys.iter().filter(|key| key.required) {
                            assert!(entry.get(key.name).is_some(), "{name}: no `{}`", key.name);
                        }
                        for key in ["source", "date"] {
                            assert!(entry.get(key).is_some(), "{}: {name}: no {key}", file.path);
                        }
                    }
                }
                None => {
                    check::check_table(&table, &schema::PRICE_BOOK, "", &mut problems);
                    assert!(table.get("price").is_some(), "{}: prices nothing", file.path);
                }
            }
            assert_eq!(problems, vec![], "{}", file.path);
        }
    }

    #[test]
    fn every_file_of_the_directory_is_embedded() {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut found = Vec::new();
        for folder in
            ["presets", "presets/prices", "presets/specs", "presets/cases", "presets/papers"]
        {
            let Ok(entries) = std::fs::read_dir(root.join(folder)) else { continue };
            for entry in entries {
                let name = entry.expect("a readable directory").file_name();
                let name = name.to_string_lossy();
                if name.ends_with(".toml") {
                    found.push(format!("{folder}/{name}"));
                }
            }
        }
        found.sort();
        let all = super::part_files().chain(super::spec_files());
        let mut embedded: Vec<String> = all.map(|file| file.path.to_owned()).collect();
        embedded.sort();
        assert_eq!(found, embedded);
    }

    #[test]
    fn names_that_entries_refer_to_exist() {
        let library = Library::get_shipped();
        for (kind, key, target) in [
            ("nodes", "gpu", "gpus"),
            ("nodes", "nic", "nics"),
            ("families", "gpu", "gpus"),
            ("families", "nic", "nics"),
            ("gpus", "calibration", "calibrations"),
            ("links", "near_module", "optics"),
            ("links", "far_module", "optics"),
        ] {
            for (name, entry) in &library.entries_of_kind(kind).entries {
                let entry = entry.item.value.as_table().expect("an entry is a table");
                if let Some(item) = entry.get(key) {
                    let word = crate::spec::value::parse_line_text(item).expect("a name is text");
                    assert!(
                        library.entries_of_kind(target).get(word).is_some(),
                        "{kind}.{name}: `{word}`"
                    );
                }
            }
        }
        assert!(matches!(schema::ROOT.find_key("hardware").map(|k| k.kind), Some(Kind::Table(_))));
        assert_eq!(path_stem("presets/prices/street-2026.toml"), "street-2026");
    }
}

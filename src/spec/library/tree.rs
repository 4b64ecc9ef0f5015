//! The preset files as trees, parsed once. Values are typed where a spec asks for them.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use super::files;
use crate::spec::document::{EMPTY, SourceId, SpecTable};

/// All presets by kind and name.
#[derive(Debug, Default)]
pub(crate) struct Library {
    /// Tables of entries by kind: `models`, `gpus`, ….
    kinds: BTreeMap<String, SpecTable>,
    /// Price books by name.
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
        for (index, file) in files::part_files().enumerate() {
            let table = SpecTable::parse(SourceId::Preset(index), file.text);
            // A file that is no TOML is left out here and fails the tests.
            let Ok(table) = table else { continue };
            let stem = path_stem(file.path).to_owned();
            if index < files::TABLES.len() {
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
pub(super) fn path_stem(path: &str) -> &str {
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
    use crate::spec::library::files;
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
        for file in files::part_files() {
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
        let all = files::part_files().chain(files::spec_files());
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

//! The list of embedded files. A test compares it with the directory.

/// An embedded file.
#[derive(Debug)]
pub(super) struct EmbeddedFile {
    /// Path in the repository.
    pub(super) path: &'static str,
    /// Its text.
    pub(super) text: &'static str,
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
pub(super) const TABLES: &[EmbeddedFile] = files![
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
pub(super) const PRICES: &[EmbeddedFile] = files![
    "presets/prices/street-2026.toml",
    "presets/prices/mixnet-2025.toml",
    "presets/prices/rail-only-2024.toml",
    "presets/prices/rail-only-2023.toml",
];

/// Specs that are ready to run.
pub(super) const SPECS: &[EmbeddedFile] = files![
    "presets/specs/starter.toml",
    "presets/specs/gpt3-175b-a100-1536.toml",
    "presets/specs/gpt-1t-h100-32768.toml",
    "presets/specs/llama3-405b-h100-16384.toml",
    "presets/specs/deepseek-v3-h800-2048.toml",
];

/// Worked cases: each settles one argument that architects have (docs/cases.md).
pub(super) const CASES: &[EmbeddedFile] = files![
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
pub(super) const PAPERS: &[EmbeddedFile] = files![
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

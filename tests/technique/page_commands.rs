//! Commands of the techniques in docs/guide.md: the specs that they read, and that what the page says of a cell is what its command
//! prints.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::support::page::shown_part;
use crate::support::program::fresh_folder;
use crate::technique::cli::{json_in, number};
use crate::technique::page::{ALL_NICS, BASE_NIC, MODELS, spec};

const OPENING: &str = "
Each table names the command of its cells. `MODEL.toml` is one of the two specs below; what is written in
capitals is in the table, and `NICS` is
";

pub(super) fn section(page: &mut String) {
    page.push_str(OPENING);
    writeln!(page, "`--set 'cluster.nic=[{ALL_NICS}]'`.").expect("a string");
    for model in &MODELS {
        let text = spec(model, 1024, model.pipeline, BASE_NIC);
        writeln!(page, "\n`{}.toml`:\n\n```toml\n{text}```", model.name).expect("a string");
    }
}

/// The cells of the page's row that starts so.
fn row(start: &str) -> Vec<String> {
    let page = shown_part("guide.md", "techniques");
    let line = page.lines().find(|line| line.starts_with(start));
    let line = line.unwrap_or_else(|| panic!("the page has a row `{start}`"));
    line.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect()
}

/// A folder with the spec of the page's first model, as the page names it.
fn folder_with_spec(name: &str) -> PathBuf {
    let folder = fresh_folder(name);
    let model = &MODELS[0];
    let text = spec(model, 1024, model.pipeline, BASE_NIC);
    fs::write(folder.join("gpt3-175b.toml"), text).expect("the folder is this test's own");
    folder
}

/// What a command prints for that spec with some keys changed.
fn printed<'a>(folder: &Path, command: &str, changes: impl Iterator<Item = &'a str>) -> Value {
    let set = changes.flat_map(|change| ["--set", change]);
    let arguments: Vec<&str> = [command, "gpt3-175b.toml"].into_iter().chain(set).collect();
    json_in(folder, &arguments)
}

/// Cells of the first table by the page's own command, without techniques and with DeMo: interface and fabric, and
/// dollars that are never less than the cell's, which keeps no default rule, and at most 2 % more.
#[test]
fn commands_of_the_page_print_its_cells() {
    let folder = folder_with_spec("technique-commands");
    let row_512 = row("| 512 (8) |");
    let nics = format!("cluster.nic=[{ALL_NICS}]");
    let limit = format!("limits.step_time={}", row_512[1]);
    for (cell, more) in [(2, None), (4, Some("technique.demo.top_k=8"))] {
        let set = ["cluster.gpus=512", &limit, &nics, "objective.max_slowdown=1000"];
        let plan = printed(&folder, "design", set.into_iter().chain(more));
        let bill = plan["bom"].as_array().expect("a bill is a list");
        let network = bill.iter().filter(|line| line["role"] != "node" && line["role"] != "memory");
        let each = network.map(|line| number(line, "total_usd")).sum::<f64>() / 512.0;
        let nic = plan["cluster"]["nic"].as_str().expect("it has interfaces");
        let rate = nic.rsplit('-').next().unwrap_or_default().to_uppercase();
        let kind = plan["fabric"]["kind"].as_str().unwrap_or_default();
        let (network, dollars) = row_512[cell].split_once(", $").expect("a cell has a price");
        assert_eq!(format!("{rate} {kind}"), network, "{more:?}");
        let least: f64 = dollars.parse().expect("dollars are a number");
        assert!(each > least - 1.0 && each < 1.02 * least, "{each} {least} {more:?}");
    }
}

/// A row of offload's table, by its command: reduction, update and step.
#[test]
fn the_command_of_offload_prints_its_row() {
    let folder = folder_with_spec("technique-command-offload");
    let row = row("| gpt3-175b, 2 of 8 | NVLink-C2C, 190 GB/s |");
    let set = [
        "cluster.gpus=1024",
        "parallelism.pipeline=2",
        "technique.offload={}",
        "hardware.nodes.dgx-h100.host_link=190 GB/s",
    ];
    let step = printed(&folder, "step", set.into_iter());
    let figures = ["step.exposed_communication_s.data", "step.optimizer_s", "step.time_s"];
    let found = figures.map(|figure| format!("{:.2} s", number(&step, figure)));
    assert_eq!(found[..], row[2..5]);
}

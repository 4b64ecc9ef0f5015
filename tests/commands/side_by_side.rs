//! `planner compare A B C`: every figure is that of the design by itself, whether a file is a spec or a
//! result.

use std::fs;

use serde_json::Value;

use crate::support::program::{fresh_folder, planner_in};

const SPEC: &str = "[model]\npreset = \"llama3-8b\"\n[training]\nglobal_batch = 64\n[parallelism]\ntensor \
                    = 8\npipeline = 1\n[cluster]\ngpus = 16\nnode = \"dgx-h100\"\n";

/// The figure of a dotted key in the JSON of a design.
fn figure<'a>(design: &'a Value, key: &str) -> &'a Value {
    key.split('.').fold(design, |value, word| &value[word])
}

#[test]
fn designs_stand_side_by_side_as_they_are_by_themselves() {
    let folder = fresh_folder("side-by-side");
    let write = |name: &str, text: &str| fs::write(folder.join(name), text).expect("own folder");
    write("small.toml", SPEC);
    write("large.toml", &SPEC.replace("gpus = 16", "gpus = 32"));
    write("batch.toml", &SPEC.replace("global_batch = 64", "global_batch = 128"));
    let run = |arguments: &[&str]| {
        let done = planner_in(&folder, arguments);
        assert_eq!(done.status, 0, "{}", done.stderr);
        done.stdout
    };
    let alone = |file: &str| -> Value {
        serde_json::from_str(&run(&["design", file, "--format", "json"])).expect("JSON")
    };
    let designs = [alone("small.toml"), alone("large.toml"), alone("batch.toml")];
    write("large.json", &run(&["design", "large.toml", "--format", "json"]));
    let files = ["small.toml", "large.json", "batch.toml"];
    let together = run(&[&["compare"], &files[..], &["--format", "json"]].concat());
    let together: Value = serde_json::from_str(&together).expect("JSON");
    assert_eq!(together["schema"], "planner/side-by-side/1");
    let found = together["designs"].as_array().expect("a list");
    assert_eq!(found.len(), 3);
    for ((share, design), file) in found.iter().zip(&designs).zip(files) {
        assert_eq!(share["file"], file);
        let figures = share["figures"].as_object().expect("figures by key");
        assert!(figures.len() > 20, "{figures:?}");
        for (key, value) in figures {
            let own = figure(design, key);
            let same = own == value || own.as_f64() == value.as_f64();
            assert!(same, "{file} {key}: {value} and by itself {own}");
        }
    }
    let table = run(&[&["compare"], &files[..]].concat());
    for name in ["small.toml", "large.json", "batch.toml"] {
        assert!(table.contains(name), "{table}");
    }
    // One of them trains other batches, so that no design of them is best.
    let last = |text: &str| text.lines().last().map(str::to_owned);
    let unranked = "Not ranked: models or batches differ.";
    assert_eq!(last(&table).as_deref(), Some(unranked), "{table}");
    let alike = run(&["compare", "small.toml", "large.toml"]);
    assert!(alike.contains("\n\nCheapest: "), "{alike}");
    let all = run(&["compare", "small.toml", "large.toml", "--all"]);
    for heading in ["SIDE BY SIDE  2 designs", "BEST AND WORST"] {
        assert!(all.contains(heading), "{all}");
    }
    let refused =
        planner_in(&folder, &["compare", "small.toml", "large.toml", "--baseline", "clos"]);
    assert_eq!(refused.status, 2, "baselines are of one design");
}

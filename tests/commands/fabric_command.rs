//! `planner fabric` as scripts see it: what can't be built is refused with a reason and a way out,
//! exit 2; what published fabrics need can be asked for.

use std::path::Path;

use crate::support::program::{fresh_folder, planner_in};

/// Standard error of a run that is refused with exit 2.
#[track_caller]
fn refused(arguments: &[&str], expected: &str) {
    // Tests run side by side, and what is refused reads no file.
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let program = planner_in(folder, &[&["fabric"], arguments].concat());
    assert_eq!((program.status, program.stdout.as_str()), (2, ""), "{arguments:?}");
    assert_eq!(program.stderr, format!("{expected}help: see `planner help fabric`\n"));
}

#[test]
fn what_can_not_be_built_is_refused_with_a_reason() {
    let clos = |more: &[&'static str]| [&["clos"][..], more].concat();
    refused(
        &clos(&["--endpoints", "64", "--radix", "0"]),
        "error: a switch of `0` ports can't be used: give an even number of 2 or more\n",
    );
    refused(
        &clos(&["--endpoints", "64", "--radix", "63"]),
        "error: a switch of `63` ports can't be used: give an even number of 2 or more\n",
    );
    refused(
        &clos(&["--endpoints", "10000000", "--radix", "64"]),
        "error: `10000000` NICs are too many for 4 tiers of 64-port switches: use more \
         tiers, larger switches or more planes\n",
    );
    refused(
        &clos(&["--endpoints", "4096", "--radix", "64", "--tiers", "2"]),
        "error: `4096` NICs are too many for 2 tiers of 64-port switches: use more tiers, \
         larger switches or more planes\n",
    );
    refused(
        &clos(&["--endpoints", "0", "--radix", "64"]),
        "error: a fabric needs at least `1` NIC\n",
    );
    refused(
        &["rail-only", "--endpoints", "64", "--radix", "64", "--rails", "0"],
        "error: `0` rails can't share `64` NICs: use 1 to 64 rails\n",
    );
    refused(
        &clos(&["--endpoints", "64", "--radix", "64", "--planes", "0"]),
        "error: `0` planes are not possible: use 1 to 64\n",
    );
    refused(
        &clos(&["--endpoints", "64", "--switch", "qm9700", "--nic", "800 Gb/s"]),
        "error: switch `qm9700` has no port of 800 Gb/s: use a faster switch, a slower NIC \
         or more planes\n",
    );
    refused(
        &clos(&["--endpoints", "640", "--radix", "64", "--leaf-ports", "60:8"]),
        "error: a leaf of `64` ports can't give 60 to NICs and 8 to uplinks: give each at \
         least one and not more than `64` together\n",
    );
}

#[test]
fn only_three_layers_have_uplinks() {
    let folder = fresh_folder("layers");
    let texts = ["fabric", "clos", "--endpoints", "64", "--radix", "64", "--oversubscription"];
    let program = planner_in(&folder, &[&texts[..], &["1:1,2:1,3:1,4:1"]].concat());
    assert_eq!((program.status, program.stdout.as_str()), (2, ""));
    let expected = "error: `4` layers are oversubscribed, but three have uplinks\n\
                    help: give those of leaf switches, spines and cores, in this order\n";
    assert_eq!(program.stderr, expected);
    let program = planner_in(&folder, &[&texts[..], &["1:1,0:1"]].concat());
    assert_eq!((program.status, program.stdout.as_str()), (2, ""));
}

#[test]
fn domains_are_folded_or_refused() {
    refused(
        &["rail-only", "--domain", "16x72,128x16", "--radix", "64"],
        "error: domains of `72` NICs can't be folded onto `16` rails evenly: use 8 rails for all, \
         or a clos\n",
    );
    refused(
        &["rail-optimized", "--domain", "2x9,2x8", "--radix", "64"],
        "error: domains of `9` NICs can't be folded onto `8` rails evenly: join domains of such \
         sizes by a clos\n",
    );
    refused(
        &["rail-only", "--radix", "64"],
        "error: nothing says how many NICs to join: give `--endpoints`, or how many of each \
         domain, as in `--domain 128xdgx-h100`\n",
    );
    refused(
        &["clos", "--endpoints", "64", "--radix", "64", "--shape", "8x8"],
        "error: only dragonfly, hyperx, zcube, torus and hamming-mesh fabrics take a shape\n",
    );
    refused(
        &["torus", "--endpoints", "17", "--shape", "4x4"],
        "error: the shape has fewer places than there are NICs\n",
    );
    let folder = fresh_folder("folded");
    let folded = ["fabric", "rail-only", "--domain", "16xgb200-nvl72,128xdgx-h100"];
    let switch = ["--switch", "qm9700", "--format", "json"];
    let program = planner_in(&folder, &[&folded[..], &switch].concat());
    let sheet: serde_json::Value = serde_json::from_str(&program.stdout).expect("JSON");
    assert_eq!(
        (&sheet["fabric"]["endpoints"], &sheet["fabric"]["rails"]),
        (&2176.into(), &8.into())
    );
    let racks = &sheet["domains"][0];
    assert_eq!((&racks["nics_a_rail"], &racks["inside"]["all_switches"]), (&9.into(), &288.into()));
}

/// Whoever asks for what a family has not is told so, instead of being given something else.
#[test]
fn options_that_a_family_ignores_are_refused() {
    let trees = "rail-only, rail-optimized and clos";
    let cases: [(&[&str], String); 8] = [
        (&["--tiers", "2"], format!("only trees of switches have tiers to ask for: {trees}")),
        (
            &["--oversubscription", "2:1"],
            format!(
                "only trees of switches can be oversubscribed or have their leaf ports stated: {trees}"
            ),
        ),
        (
            &["--oversubscription", "1:1,2:1"],
            format!(
                "only trees of switches can be oversubscribed or have their leaf ports stated: {trees}"
            ),
        ),
        (
            &["--leaf-ports", "8:8"],
            format!(
                "only trees of switches can be oversubscribed or have their leaf ports stated: {trees}"
            ),
        ),
        (
            &["--extra-ports", "4"],
            format!("only trees of switches keep ports for other hosts: {trees}"),
        ),
        (
            &["--ports-per-uplink", "2"],
            format!(
                "only trees of switches have uplinks of several ports, or links of spines that are \
                 kept: {trees}"
            ),
        ),
        (
            &["--spine-reserve", "2"],
            format!(
                "only trees of switches have uplinks of several ports, or links of spines that are \
                 kept: {trees}"
            ),
        ),
        (
            &["--shape", "4x4"],
            "only dragonfly, hyperx, zcube, torus and hamming-mesh fabrics take a shape".into(),
        ),
    ];
    for kind in ["dragonfly", "slim-fly", "hyperx", "zcube", "hamming-mesh", "torus"] {
        let texts: &[&str] = match kind {
            "torus" => &[kind, "--endpoints", "60"],
            _ => &[kind, "--endpoints", "60", "--radix", "16"],
        };
        let shaped = kind != "slim-fly";
        for (more, reason) in cases.iter().filter(|(more, _)| !shaped || more[0] != "--shape") {
            refused(&[texts, more].concat(), &format!("error: {reason}\n"));
        }
        if kind != "slim-fly" {
            refused(
                &[texts, &["--endpoints-per-switch", "4"]].concat(),
                "error: only a slim-fly takes the number of NICs on each switch\n",
            );
        }
    }
    refused(
        &["clos", "--endpoints", "4096", "--radix", "64", "--spine-reserve", "2"],
        "error: links of spines are kept in a tree of two tiers only: this one has cores\n",
    );
}

/// Odd numbers of ports where no layer needs half of them, any number of NICs on the switches of a
/// Slim Fly, and a torus that says what it builds.
#[test]
fn families_take_what_their_papers_take() {
    let folder = fresh_folder("papers");
    let run = |arguments: &str| {
        let arguments: Vec<&str> = ["fabric"].into_iter().chain(arguments.split(' ')).collect();
        let program = planner_in(&folder, &arguments);
        assert_eq!((program.status, program.stderr.as_str()), (0, ""), "{arguments:?}");
        program.stdout
    };
    // a = 2p = 2h = 8 on 15 ports: 33 groups of 8 (Kim et al., ISCA 2008, k = 4h − 1).
    let full = run("dragonfly --endpoints 1056 --radix 15");
    assert!(full.starts_with("NETWORK  dragonfly: 1,056 NICs at 400 Gb/s, 1 plane, 264 switches"));
    // q = 5: 50 switches of 7 links, with 4 NICs by default and with 9 where asked.
    for (p, endpoints) in [(1, 50), (4, 200), (9, 450)] {
        let text =
            run(&format!("slim-fly --endpoints {endpoints} --radix 17 --endpoints-per-switch {p}"));
        assert!(text.contains(" 50 switches in 1 tier"), "{text}");
    }
    let torus = run("torus --endpoints 101");
    assert!(
        torus.contains("asked for 101 NICs: the smallest torus that holds them has 125\n"),
        "{torus}"
    );
    let exact = run("torus --endpoints 125");
    assert!(!exact.contains("asked for"), "{exact}");
    let cuts = [
        (
            "clos --endpoints 10024 --radix 64",
            "worst split in halves: 100.0 % of the NICs' bandwidth, by flow",
        ),
        (
            "zcube --endpoints 1600 --radix 64",
            "82.8 % (closed form, a lower bound) to 83.5 % (by flow",
        ),
        ("zcube --endpoints 1600 --radix 64", "keeps at least 82.8 %"),
        ("torus --shape 4x4x4 --endpoints 64", "worst split in halves: 100.0 %"),
        ("torus --shape 4x4x4 --endpoints 64", "keeps 100.0 %"),
        (
            "rail-only --endpoints 4096 --radix 64",
            "worst split in halves: 100.0 % of a rail's bandwidth",
        ),
        (
            "clos --endpoints 65536 --radix 64 --oversubscription 3:1",
            "worst split in halves: at least 33.3 %",
        ),
        (
            "clos --endpoints 1024 --radix 64 --oversubscription 3:1",
            "worst split in halves: 33.3 %",
        ),
    ];
    for (name, says) in cuts {
        let text = run(name).split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(text.contains(says), "{name}: {text}");
    }
}

/// What ships with a drawing, a graph or a list of cables, whatever the family.
#[test]
fn every_family_can_be_exported() {
    let folder = fresh_folder("exported");
    for kind in
        ["rail-only", "clos", "dragonfly", "slim-fly", "hyperx", "zcube", "torus", "hamming-mesh"]
    {
        let run = |more: &[&str]| {
            let texts = ["fabric", kind, "--endpoints", "60", "--radix", "16"];
            let texts = if kind == "torus" { &texts[..4] } else { &texts[..] };
            let program = planner_in(&folder, &[texts, more].concat());
            assert_eq!((program.status, program.stderr.as_str()), (0, ""), "{kind} {more:?}");
            program.stdout
        };
        let cables = run(&["--graph", "--format", "csv"]).lines().count() - 1;
        let json = run(&["--graph", "--format", "json"]);
        let graph: serde_json::Value = serde_json::from_str(&json).expect("JSON");
        let rows = graph["cables"].as_array().expect("cables");
        let links: u64 = rows.iter().filter_map(|row| row["links"].as_u64()).sum();
        assert_eq!(links, cables as u64, "{kind}");
        assert_eq!(run(&["--format", "dot"]).matches(" -- ").count(), rows.len(), "{kind}");
        assert_eq!(run(&["--format", "graphml"]).matches("<edge ").count(), rows.len(), "{kind}");
        assert!(run(&["--format", "svg"]).ends_with("</svg>\n"), "{kind}");
        assert!(run(&["--graph"]).contains("no switch has more cables than ports"), "{kind}");
    }
}

/// 96 switches and two transceivers a link at the default book's prices; with a switch that is
/// known by its ports alone there is nothing to price.
#[test]
fn a_fabric_of_a_known_switch_has_a_bill_that_adds_up() {
    let folder = fresh_folder("billed");
    let run = |more: &[&str]| {
        let texts = ["fabric", "clos", "--endpoints", "2048", "--format", "json"];
        let program = planner_in(&folder, &[&texts[..], more].concat());
        assert_eq!((program.status, program.stderr.as_str()), (0, ""));
        serde_json::from_str::<serde_json::Value>(&program.stdout).expect("JSON")
    };
    let sheet = run(&["--switch", "qm9700"]);
    let lines = sheet["bom"].as_array().expect("a bill");
    let count = |line: &serde_json::Value| line["count"].as_u64().expect("a count");
    assert_eq!(lines.iter().map(count).collect::<Vec<_>>(), [96, 8192]);
    let sum: f64 = lines
        .iter()
        .map(|line| count(line) as f64 * line["unit_usd"].as_f64().expect("a price"))
        .sum();
    assert!((sum - sheet["network_capex_usd"].as_f64().expect("a sum")).abs() < 0.01);
    assert!(run(&["--radix", "64"])["bom"].is_null());
}

#[test]
fn unknown_switches_are_refused_with_those_that_ship() {
    let folder = fresh_folder("unknown_switch");
    let arguments = ["fabric", "clos", "--endpoints", "64", "--switch", "qm9999"];
    let program = planner_in(&folder, &arguments);
    assert_eq!(program.status, 2);
    assert!(program.stderr.starts_with("error: there is no switch `qm9999`\nhelp: use one of "));
    assert!(program.stderr.contains("qm9700"));
    let without = planner_in(&folder, &["fabric", "clos", "--endpoints", "64"]);
    assert_eq!(without.status, 2, "neither radix nor switch");
}

/// Switches by layer and links of a fabric that is asked for on the command line.
#[track_caller]
fn counted(arguments: &str, switches: [u64; 3], links: [u64; 3]) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let words: Vec<&str> =
        ["fabric", "--format", "json"].into_iter().chain(arguments.split(' ')).collect();
    let program = planner_in(folder, &words);
    assert_eq!(program.status, 0, "{}", program.stderr);
    let sheet: serde_json::Value = serde_json::from_str(&program.stdout).expect("JSON");
    let number = |key: &str| sheet["fabric"][key].as_u64().expect("a count");
    assert_eq!(["leafs", "spines", "cores"].map(number), switches, "{arguments}");
    let keys = ["host_links", "leaf_spine_links", "spine_core_links"];
    assert_eq!(keys.map(number), links, "{arguments}");
}

/// Rows of NVIDIA's, Alibaba's and DeepSeek's tables (sources: tests/data/published_fabrics.toml).
#[test]
fn published_fabrics_can_be_asked_for() {
    // DGX H100 SuperPOD of three scalable units less one node, four ports for fabric managers.
    let superpod = "rail-optimized --endpoints 760 --radix 64 --extra-ports 4";
    counted(superpod, [24, 16, 0], [764, 768, 0]);
    counted("rail-optimized --endpoints 4096 --switch qm9700", [128, 128, 64], [4096; 3]);
    // HPN in the form of ATOP's table: 200G hosts in two planes below 400G links.
    let hpn = "rail-optimized --endpoints 1024 --radix 32 --planes 2 --ports-per-uplink 2";
    counted(hpn, [64, 32, 0], [2048, 1024, 0]);
    // A segment of HPN: 128 ports down and 60 of 400G up on each leaf, counted without its spine.
    let segment =
        "rail-only --endpoints 1024 --radix 128 --planes 2 --leaf-ports 128:120 --tiers 1";
    counted(segment, [16, 0, 0], [2048, 0, 0]);
    // Half of the spines' ports and an eighth of them lead up.
    counted("clos --endpoints 16384 --radix 64", [512, 512, 256], [16_384; 3]);
    let seven = "clos --endpoints 14336 --radix 64 --oversubscription 1:1,7:1";
    counted(seven, [448, 256, 32], [14_336, 14_336, 2048]);
    // DeepSeek's eight planes, one NIC of each of 2,048 nodes on every plane.
    let planes = "clos --endpoints 2048 --radix 8 --planes 8 --nic 3200Gb/s";
    counted(planes, [512, 256, 0], [16_384, 16_384, 0]);
}

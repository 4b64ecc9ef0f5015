//! `planner fabric` as scripts see it: what can't be built is refused with a reason and a way out,
//! exit 2; what published fabrics need can be asked for.

#[path = "support/program.rs"]
mod program;

use program::{fresh_folder, planner_in};

/// Standard error of a run that is refused with exit 2.
#[track_caller]
fn refused(arguments: &[&str], expected: &str) {
    let folder = fresh_folder("refused");
    let program = planner_in(&folder, &[&["fabric"], arguments].concat());
    assert_eq!((program.status, program.stdout.as_str()), (2, ""), "{arguments:?}");
    assert_eq!(program.stderr, format!("{expected}help: see `planner fabric --help`\n"));
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
        "error: `10000000` endpoints are too many for 4 tiers of 64-port switches: use more \
         tiers, larger switches or more planes\n",
    );
    refused(
        &clos(&["--endpoints", "4096", "--radix", "64", "--tiers", "2"]),
        "error: `4096` endpoints are too many for 2 tiers of 64-port switches: use more tiers, \
         larger switches or more planes\n",
    );
    refused(
        &clos(&["--endpoints", "0", "--radix", "64"]),
        "error: a fabric needs at least `1` endpoint\n",
    );
    refused(
        &["rail-only", "--endpoints", "64", "--radix", "64", "--rails", "0"],
        "error: `0` rails can't share `64` endpoints: use 1 to 64 rails\n",
    );
    refused(
        &clos(&["--endpoints", "64", "--radix", "64", "--planes", "0"]),
        "error: `0` planes are not possible: use 1 to 64\n",
    );
    refused(
        &clos(&["--endpoints", "64", "--switch", "qm9700", "--nic", "800 Gb/s"]),
        "error: switch `qm9700` has no port of 800 Gb/s: use a faster switch, a slower interface \
         or more planes\n",
    );
    refused(
        &clos(&["--endpoints", "640", "--radix", "64", "--leaf-ports", "60:8"]),
        "error: a leaf of `64` ports can't give 60 to endpoints and 8 to uplinks: give each at \
         least one and not more than `64` together\n",
    );
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
    let folder = fresh_folder("counted");
    let words: Vec<&str> =
        ["fabric", "--format", "json"].into_iter().chain(arguments.split(' ')).collect();
    let program = planner_in(&folder, &words);
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
    // DeepSeek's eight planes, one NIC of each of 2,048 nodes on every plane.
    let planes = "clos --endpoints 2048 --radix 8 --planes 8 --nic 3200Gb/s";
    counted(planes, [512, 256, 0], [16_384, 16_384, 0]);
}

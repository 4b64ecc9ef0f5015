//! A gate that stands on one question: ways to make a design look better without being it, and half
//! a year of changes to a repository of designs.

use std::fs;
use std::path::Path;

use crate::support::program::{Program, fresh_folder, planner_in};

/// A base of one's own, with all that a change may state of the world.
const SPEC: &str = r#"
name = "base"
[model]
preset = "llama3-8b"
[training]
global_batch = 512
tokens = "1T"
[cluster]
gpus = 256
node = "dgx-h100"
[failures]
gpu = 0.08
[prices]
dgx-h100 = { price = "$300,000", basis = "user", date = "2026" }
"#;

/// Exit status of a check of that text.
fn checked(folder: &Path, spec: &str) -> Program {
    fs::write(folder.join("model.toml"), spec).expect("own folder");
    planner_in(folder, &["check", "model.toml", "--against", "base.json", "--policy", "gate.toml"])
}

fn accept(folder: &Path, spec: &str) {
    fs::write(folder.join("model.toml"), spec).expect("own folder");
    let done = planner_in(folder, &["design", "model.toml", "--format", "json", "-o", "base.json"]);
    assert_eq!(done.status, 0, "{}", done.stderr);
}

fn repository(name: &str) -> std::path::PathBuf {
    let folder = fresh_folder(name);
    let policy = planner_in(&folder, &["check", "--init"]);
    assert_eq!(policy.status, 0);
    fs::write(folder.join("gate.toml"), policy.stdout).expect("own folder");
    accept(&folder, SPEC);
    folder
}

/// The spec with one text in the place of another.
fn with(spec: &str, old: &str, new: &str) -> String {
    assert!(spec.contains(old), "{old}");
    spec.replacen(old, new, 1)
}

#[test]
fn no_change_of_the_question_the_constants_or_the_prices_passes() {
    let folder = repository("gate-ways");
    let add = |text: &str| format!("{SPEC}{text}");
    let ways = [
        // A quarter of the batch on slower GPUs.
        with(
            &with(SPEC, "global_batch = 512", "global_batch = 128"),
            "\"dgx-h100\"\n[f",
            "\"dgx-a100-80gb\"\n[f",
        ),
        with(SPEC, "llama3-8b", "gpt3-6.7b"),
        add("[framework]\noverheads = false\n"),
        add("[hardware.gpus.h100]\npeak_bf16 = \"1979 TFLOP/s\"\n"),
        with(SPEC, "gpu = 0.08", "gpu = 0\nhost = 0\nnic = 0\nlink = 0\nswitch = 0\nsoftware = 0"),
        with(&add("[pricing]\ndiscounts = { all = 0.5 }\n"), "gpus = 256", "gpus = 512"),
        with(&add("[inventory]\ndgx-h100 = 64\n"), "gpus = 256", "gpus = 512"),
        with(SPEC, "$300,000", "$1"),
        add("[networks.storage]\nbandwidth = \"400 Gb/s\"\n"),
        add("[hardware.calibrations.hopper]\ngemm_bf16 = \"980 TFLOP/s\"\n"),
        with(SPEC, "tokens = \"1T\"", "tokens = \"500B\""),
        with(SPEC, "gpus = 256", "gpus = 128"),
        add("[objective]\nyears = 10\n"),
        add("[objective]\nminimize = \"capex\"\n"),
        add("[limits]\ndays = 400\n"),
        with(SPEC, "[training]", "sequence = 2048\n[training]"),
        with(SPEC, "global_batch", "precision = \"fp8\"\nglobal_batch"),
        with(SPEC, "global_batch", "recompute = \"full\"\nglobal_batch"),
        add("[parallelism]\ntensor = 8\n"),
        add("[cluster.spares]\n"),
        add("[technique]\ndemo = {}\n"),
        add("[objective]\nmax_slowdown = 2.0\n"),
        with(SPEC, "gpu = 0.08", "gpu = 0.08\nrepair_hours = 1"),
        add(
            "[gate]\nfail_on = \"capex>never\"\nallow = [\"model\"]\n[limits]\nbudget = \"$90M\"\n",
        ),
        add("[collectives]\nnvls = true\n"),
        with(SPEC, "gpus = 256", "gpus = 256\nfabric = \"clos\""),
        add("[hall]\n"),
        with(SPEC, "\"$300,000\", basis = \"user\"", "\"$0\", basis = \"included\""),
        with(SPEC, "\"user\"", "\"assumed\""),
        add("electricity = { price = \"$0.01\", basis = \"user\", date = \"2026\" }\n"),
        // Prices of parts where parts are defined, a machine that the base had the choice of.
        add("[hardware.switches.qm9700]\nprice = \"$1\"\n"),
        with(
            SPEC,
            "[prices]\ndgx-h100 = { price = \"$300,000\", basis = \"user\", date = \"2026\" }\n",
            "[hardware.nodes.dgx-h100]\nprice = { price = \"$1000\", basis = \"list\", includes = \
             [\"nic\", \"memory\", \"local-storage\"] }\n",
        ),
        add("[limits]\nsurvive = \"nothing\"\n"),
        with(SPEC, "gpus = 256", "gpus = 256\nprices = \"mixnet-2025\""),
        add("[hardware.nics.ndr-400g]\nprice = \"$1\"\n"),
        "TOKEN = \"x\"\n".to_owned(),
        SPEC.replace("llama3-8b", "llama3-8b\u{202e}"),
        with(SPEC, "gpus = 256", "gpus = 257"),
        String::new(),
    ];
    for spec in ways {
        let done = checked(&folder, &spec);
        assert!(matches!(done.status, 1 | 2), "{}\n{spec}\n{}", done.status, done.stdout);
        let quoted = done.stderr.lines().map(|line| line.chars().count()).max();
        assert!(quoted < Some(700), "{}", done.stderr);
    }
}

/// What a policy lets a change state otherwise does not open what it does not name.
#[test]
fn an_allowed_change_hides_no_other() {
    let folder = repository("gate-allowed");
    let policy = "[gate]\nfail_on = [\"usd_per_million_tokens>+2%\", \"capex>+2%\"]\nallow = \
                  [\"training.*\", \"pricing.*\", \"hardware.*\", \"prices.*\"]\n";
    fs::write(folder.join("gate.toml"), policy).expect("own folder");
    let longer = with(SPEC, "\"1T\"", "\"1.01T\"");
    let allowed = checked(&folder, &longer);
    assert_eq!(allowed.status, 0, "{}{}", allowed.stdout, allowed.stderr);
    let switch = "[hardware.switches.magic]\nports = 1024\nport_speed = \"400 Gb/s\"\nmax_split = 1\n\
                  power = \"1 W\"\nprice = \"$1\"\n";
    for (spec, code) in [
        (
            format!("{longer}[limits]\nsurvive = \"nothing\"\n"),
            "changed-question (`limits.survive`)",
        ),
        (
            with(&longer, "\"dgx-h100\"\n[f", "\"dgx-h200\"\n[f"),
            "changed-question (`cluster.node`)",
        ),
        // A name that has the stand-in of `dgx-h100`, found by a search of hours.
        (
            format!(
                "{}{FORGED}",
                with(&longer, "\"dgx-h100\"\n[f", "\"p4xt5TXIWqSIE1z4sRN93Egh\"\n[f")
            ),
            "changed-question (`cluster.node`)",
        ),
        (
            format!("{}{switch}", with(SPEC, "global_batch = 512", "global_batch = 64")),
            "usd_per_million_tokens",
        ),
        (
            with(&with(SPEC, "$300,000", "$100,000"), "dgx-h100 = {", "dgx-h100 = {")
                .replace("global_batch = 512", "global_batch = 64"),
            "own-terms (`usd_per_million_tokens>+2%`)",
        ),
    ] {
        let done = checked(&folder, &spec);
        assert_eq!(done.status, 1, "{spec}\n{}", done.stdout);
        assert!(done.stderr.contains(code), "{code}: {}", done.stderr);
    }
}

/// A machine of an own name, and a price of its own.
const FORGED: &str = r#"
[hardware.nodes.p4xt5TXIWqSIE1z4sRN93Egh]
gpu = "h100"
gpus = 8
hb_bandwidth = "450 GB/s"
nics = 8
nic = "ndr-400g"
power = "10.2 kW"
rack_units = 8
host_memory = "2 TiB"
price = { price = "$1k", basis = "street", includes = ["nic", "memory", "local-storage"] }
"#;

#[test]
fn another_way_to_write_the_same_passes() {
    let folder = repository("gate-same");
    let same = [
        with(SPEC, "name = \"base\"", "name = \"renamed\""),
        with(SPEC, "gpus = 256", "gpus = 0x100"),
        with(SPEC, "\"1T\"", "\"1000B\""),
        with(SPEC, "[training]", "# a comment\n[training]"),
        with(SPEC, "[failures]\ngpu = 0.08\n", "").replace("name", "failures.gpu = 8e-2\nname"),
        with(SPEC, "global_batch", "precision = \"bf16\"\nglobal_batch"),
        with(SPEC, "$300,000", "$0.3M"),
        with(SPEC, "[model]", "[\"model\"]"),
        format!("\u{feff}{SPEC}"),
    ];
    for spec in same {
        let done = checked(&folder, &spec);
        assert_eq!(done.status, 0, "{spec}\n{}\n{}", done.stdout, done.stderr);
    }
}

/// Half a year of a repository: twenty changes, one after the other; those that pass, and those
/// that the owners accept over a failed check, become the base.
#[test]
fn twenty_changes_raise_no_false_alarm_and_miss_nothing() {
    let folder = repository("gate-half-a-year");
    // What is replaced, by what, whether it has to be stopped, and whether it is merged then.
    let changes = [
        ("name = \"base\"", "name = \"cluster-a\"", false, true),
        ("# none", "# words", false, true),
        ("$300,000", "$310,000", true, true),
        ("global_batch = 512", "global_batch = 256", true, false),
        ("gpus = 256", "gpus = 256\nfabric = \"rail-only\"", true, true),
        ("\"1T\"", "\"1000B\"", false, true),
        ("gpus = 256", "gpus = 512", true, true),
        ("gpu = 0.08", "gpu = 0.0", true, false),
        ("$310,000", "$0.31M", false, true),
        ("llama3-8b", "llama3-70b", true, true),
        ("[training]", "[training]\nprecision = \"bf16\"", false, true),
        ("gpus = 512", "gpus = 1024", true, false),
        ("tokens", "# tokens of the run\ntokens", false, true),
        ("\"user\", date = \"2026\"", "\"user\", date = \"2026-06\"", false, true),
        ("$0.31M", "$290,000", true, true),
        ("$290,000", "$1", true, false),
        ("node = \"dgx-h100\"", "node = \"hgx-b200\"", true, true),
        ("[failures]\ngpu = 0.08", "[failures]\ngpu = 8e-2", false, true),
        ("preset = \"llama3-70b\"", "preset = \"llama3-70b\"\nlayers = 40", true, false),
        ("name = \"cluster-a\"", "name = \"cluster-b\"", false, true),
    ];
    let mut accepted = format!("# none{SPEC}");
    for (old, new, stops, merged) in changes {
        let spec = with(&accepted, old, new);
        let done = checked(&folder, &spec);
        assert_eq!(done.status, i32::from(stops), "{old} -> {new}\n{}{}", done.stdout, done.stderr);
        if merged {
            accepted = spec;
            accept(&folder, &accepted);
        }
    }
}

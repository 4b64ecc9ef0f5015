//! `planner compare --with` and `[technique.…]` tables as a user meets them.

use std::fs;
use std::path::PathBuf;

use crate::support::program::{Program, fresh_folder, planner_in};
use crate::technique::cli::{json_in, number};

/// GPT-3's layers on 64 GPUs; `more` goes on below.
fn folder(name: &str, more: &str) -> PathBuf {
    let folder = fresh_folder(name);
    let spec = format!(
        r#"
name = "small"
model = {{ preset = "gpt3-175b", layers = 8 }}
training = {{ global_batch = 64, micro_batch = 1, precision = "bf16", recompute = "full", tokens = "1B" }}
parallelism = {{ tensor = 8, pipeline = 2, data = 4, zero = 0 }}
cluster = {{ gpus = 64, node = "dgx-h100" }}
{more}
"#
    );
    fs::write(folder.join("model.toml"), spec).expect("the folder is this test's own");
    folder
}

#[track_caller]
fn refused(name: &str, more: &str, arguments: &[&str], because: &str) {
    let run = planner_in(&folder(name, more), arguments);
    assert_eq!((run.status, run.stdout.as_str()), (2, ""), "{}", run.stderr);
    assert!(run.stderr.contains(because), "`{because}` in\n{}", run.stderr);
}

#[track_caller]
fn done(run: Program) -> String {
    assert_eq!((run.status, run.stderr.as_str()), (0, ""), "{}", run.stdout);
    run.stdout
}

#[test]
fn with_and_without_stand_side_by_side() {
    let folder = folder("technique-with", "");
    let arguments = ["compare", "--with", "demo", "--with", "offload"];
    let text = done(planner_in(&folder, &[&arguments[..], &["--all"]].concat()));
    for words in
        ["without", "demo", "offload", "all together", "composition untested", "own payload"]
    {
        assert!(text.contains(words), "`{words}` in\n{text}");
    }
    for line in text.lines() {
        assert!(line.chars().count() <= 100, "{line}");
    }
    let json = done(planner_in(&folder, &[&arguments[..], &["--format", "json"]].concat()));
    let sheet: serde_json::Value = serde_json::from_str(&json).expect("it is JSON");
    assert_eq!(sheet["schema"], "planner/compare-with/1");
    assert_eq!(sheet["cases"].as_array().map(Vec::len), Some(5), "offload has two");
    assert_eq!(sheet["demo"]["replicas"], 4);
    let data = |case: usize| sheet["cases"][case]["traffic"]["bytes_by_kind"]["data"].as_u64();
    assert!(data(1) < data(0), "four replicas are below the break-even");
    assert_eq!(data(2), data(0), "offload moves no byte of the network");
    assert_eq!(sheet["cases"][3]["pipeline_free"], true);
}

/// What the report says of half of the interfaces is what the spec with that key costs.
#[test]
fn half_of_the_interfaces_save_what_a_spec_with_them_costs_less() {
    const HALF: [&str; 2] = ["--set", "hardware.nodes.dgx-h100.nics=4"];
    let folder = folder("technique-fewer", "[technique.demo]");
    let compare = ["compare", "--with", "demo"];
    let text = done(planner_in(&folder, &[&compare[..], &["--all"]].concat()));
    assert!(text.contains(HALF[1]), "{text}");
    let told = json_in(&folder, &compare)["fewer_nics"].clone();
    let half = json_in(&folder, &[&["design"][..], &HALF].concat());
    let pairs = [
        ("capex_usd", "cost.capex_usd"),
        ("step_s", "step.time_s"),
        ("usd_per_million_tokens", "cost.usd_per_million_tokens"),
    ];
    for (key, of_design) in pairs {
        let (found, expected) = (number(&told, key), number(&half, of_design));
        assert!((found / expected - 1.0).abs() < 1e-9, "{key}: {found} {expected}");
    }
    let whole = number(&json_in(&folder, &["design"]), "cost.capex_usd");
    assert!(number(&told, "capex_usd") < whole, "{told}");
}

/// DeMo has nothing equal to shard: the stated ZeRO 1 is left to the planner, and said to be.
#[test]
fn a_layout_that_a_technique_rules_out_is_replaced_by_the_nearest() {
    let folder = folder("technique-nearest", "");
    let arguments = ["compare", "--with", "demo", "--set", "parallelism.zero=1"];
    let text = done(planner_in(&folder, &[&arguments[..], &["--all"]].concat()));
    for words in ["demo, nearest", "ZeRO and its groups are searched", "NICs per GPU"] {
        assert!(text.contains(words), "`{words}` in\n{text}");
    }
    let json = done(planner_in(&folder, &[&arguments[..], &["--format", "json"]].concat()));
    let sheet: serde_json::Value = serde_json::from_str(&json).expect("it is JSON");
    let [stated, nearest] = [0, 1].map(|case| &sheet["cases"][case]);
    assert_eq!((&stated["freed"], &stated["layout"]["zero"]), (&"nothing".into(), &1.into()));
    assert_eq!((&nearest["freed"], &nearest["layout"]["zero"]), (&"sharding".into(), &0.into()));
    for degree in ["tensor", "pipeline", "data"] {
        assert_eq!(stated["layout"][degree], nearest["layout"][degree], "{degree}");
    }
}

#[test]
fn every_command_follows_the_tables_of_the_spec() {
    let plain = folder("technique-off", "");
    let on = folder("technique-on", "[technique.narrow_pipeline]\n[technique.offload]");
    for command in ["step", "traffic", "design", "search", "explain"] {
        let [off, on] = [&plain, &on].map(|folder| done(planner_in(folder, &[command, "--all"])));
        assert_ne!(off, on, "{command}");
        if command != "explain" {
            assert!(on.contains("2301.11913"), "{command} says where it was shown\n{on}");
            assert!(on.contains("composition"), "{command}\n{on}");
        }
    }
}

#[test]
fn what_does_not_apply_is_refused_with_the_reason() {
    refused("technique-sil", "", &["compare", "--with", "sil"], "accept_unverified");
    refused("technique-sil-spec", "[technique.sil]", &["step"], "accept_unverified");
    let sharded = "[technique.demo]\n[framework]\nproduction_factor = 1.0";
    let zero = ["step", "--set", "parallelism.zero=3"];
    refused("technique-demo-zero", sharded, &zero, "every replica keeps a momentum of its own");
    refused("technique-offload-zero", "[technique.offload]", &zero, "ZeRO 3");
    let swap = "[technique.swap]\nwhat = \"both\"";
    refused("technique-swap-zero", swap, &zero, "ZeRO 3 gathers from other ranks");
    let nothing = "[technique.swap]\nshare = 0.0";
    refused("technique-swap-nothing", nothing, &["step"], "a share of 0 swaps nothing");
    let factor = "[technique.multilevel]\nfactor = 5";
    refused("technique-factor", factor, &["step"], "multilevel factor 5 does not divide");
    let few = "[technique.multilevel]\ngpus = 24";
    refused("technique-gpus", few, &["step"], "multiple of the 16 of a replica");
    refused("technique-name", "", &["compare", "--with", "dema"], "no technique is called `dema`");
    let domains = "[technique.demo]\nscope = \"domains\"";
    refused("technique-shards", domains, &zero, "technique.demo.shards");
}

/// DeMo with ZeRO-3 inside the domain is FlexDeMo; states are shared by as many ranks as sit there.
#[test]
fn flexdemo_shards_inside_the_domain() {
    let more = "[technique.demo]\nscope = \"domains\"\nshards = 4";
    let folder = folder("technique-flex", more);
    let set = ["--set", "parallelism.zero=3", "--set", "parallelism.tensor=2"];
    let with = |more: &[&str]| planner_in(&folder, &[&["step"], &set[..], more].concat());
    done(with(&["--set", "parallelism.data=16"]));
    let wrong = with(&["--set", "parallelism.data=16", "--set", "technique.demo.shards=8"]);
    assert_eq!(wrong.status, 2);
    assert!(wrong.stderr.contains("4 replicas share a domain"), "{}", wrong.stderr);
}

#[test]
fn a_run_of_phases_is_shorter_by_its_own_clock() {
    let folder = folder("technique-phases", "[technique.multilevel]");
    let text = done(planner_in(&folder, &["step"]));
    assert!(text.contains("RUN  the run takes"), "{text}");
    assert!(text.contains("1/2 of width and depth"), "{text}");
    let accept = "[technique.sil]\naccept_unverified = true\nrecovery = 0.25";
    let text = done(planner_in(&self::folder("technique-recovery", accept), &["step", "--all"]));
    assert!(text.contains("stages by themselves"), "{text}");
    assert!(text.contains("quality unverified") && text.contains("upper bound"), "{text}");
}

/// What is handed over goes up the stages: nothing comes back.
#[test]
fn handed_over_activations_go_one_way() {
    let more = "[technique.sil]\naccept_unverified = true\nhand_over = \"activations\"";
    let folder = folder("technique-hand-over", more);
    let value = json_in(&folder, &["traffic", "--pair", "0", "32"]);
    let way = |from: u32| {
        let pairs = value["cells"].as_array().expect("two ways");
        let pair = pairs.iter().find(|pair| pair["from"] == from).expect("either way");
        number(pair, "pipeline_bytes")
    };
    assert!(way(0) > 0.0 && way(32) == 0.0, "{value}");
}

/// Where messages are split over the tensor group, what puts them together is in 8 bits too.
#[test]
fn split_messages_are_narrow_on_both_legs() {
    let bytes = |name: &str, more: &str| {
        let more = format!("framework = {{ preset = \"megatron-2021\" }}\n{more}");
        let folder = folder(name, "");
        let spec = fs::read_to_string(folder.join("model.toml")).expect("it was written");
        let spec = spec.replace("layers = 8", "layers = 8, tied_embeddings = false");
        fs::write(folder.join("model.toml"), format!("{spec}{more}")).expect("own folder");
        number(&json_in(&folder, &["traffic"]), "traffic.bytes_by_kind.pipeline")
    };
    let wide = bytes("technique-wide", "");
    let narrow = bytes("technique-narrow", "[technique.narrow_pipeline]");
    assert_eq!(2.0 * narrow, wide);
}

/// The smaller model on half of the GPUs takes longer, the whole one as long as ever.
#[test]
fn fewer_gpus_train_the_smaller_model_for_longer() {
    let times = |name: &str, more: &str| {
        let folder = folder(name, &format!("[technique.multilevel]\n{more}"));
        let value = json_in(&folder, &["step"]);
        [0, 1].map(|phase| number(&value, &format!("phases.{phase}.step_time_s")))
    };
    let [all, half] = [times("levels-all", ""), times("levels-half", "gpus = 32")];
    assert_eq!(all[0], half[0]);
    assert!(half[1] > 1.5 * all[1], "{all:?} {half:?}");
}

//! `planner search` as its users and their scripts see it. That the ranking is that of full
//! enumeration is `tests/search_layouts`' business.

use std::path::Path;

use serde::Deserialize;

use crate::support::program::{Program, fresh_folder, planner_in};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "reading them is the test")]
struct Sheet {
    schema: String,
    name: String,
    gpus: u32,
    space: String,
    ranked_by: String,
    open: Vec<String>,
    legal: u64,
    fitting: u64,
    layouts: Vec<Entry>,
    assumptions: Vec<Assumption>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "reading them is the test")]
struct Entry {
    rank: usize,
    node: String,
    nic: String,
    layout: Layout,
    recompute: String,
    step: Step,
    pace_s: f64,
    mfu: f64,
    hfu: f64,
    tokens_per_s_per_gpu: f64,
    memory_bytes: u64,
    memory_capacity_bytes: u64,
    fits: bool,
    machine_usd_per_million_tokens: Option<f64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "reading them is the test")]
struct Layout {
    tensor: u32,
    pipeline: u32,
    data: u32,
    gpus_training: u32,
    context: u32,
    expert: u32,
    expert_tensor: u32,
    interleave: u32,
    micro_batch: u64,
    micro_batches: u64,
    sequence_parallel: bool,
    zero: u8,
    shard: Option<u32>,
    recompute: String,
    order: String,
    schedule: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Step {
    time_s: f64,
    compute_s: f64,
    exposed_communication_s: Exposed,
    bubble_s: f64,
    optimizer_s: f64,
    host_s: f64,
    host_link_s: f64,
    stragglers_s: f64,
    /// Of a model with experts: the loads of its ranks, and the step of even loads.
    expert_load: Option<f64>,
    even_experts_time_s: Option<f64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Exposed {
    tensor: f64,
    pipeline: f64,
    data: f64,
    context: f64,
    expert: f64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "reading them is the test")]
struct Assumption {
    topic: String,
    text: String,
}

#[track_caller]
fn done(program: &Program) -> &str {
    assert_eq!((program.status, program.stderr.as_str()), (0, ""), "{}", program.stdout);
    &program.stdout
}

/// The result of a search as JSON.
#[track_caller]
fn found(folder: &Path, arguments: &[&str]) -> Sheet {
    let program = planner_in(folder, &[&["search", "--format", "json"], arguments].concat());
    let text = done(&program);
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error} in\n{text}"))
}

#[test]
fn a_ranking_is_sorted_fits_and_adds_up() {
    let sheet = found(&fresh_folder("search-json"), &["starter", "--top", "7"]);
    assert_eq!((sheet.schema.as_str(), sheet.space.as_str()), ("planner/search/1", "open"));
    let open = [
        "tensor",
        "pipeline",
        "context",
        "interleave",
        "sequence_parallel",
        "zero",
        "order",
        "micro_batch",
        "recompute",
    ];
    assert_eq!(sheet.open, open);
    assert_eq!(sheet.layouts.len(), 7);
    assert!(sheet.fitting >= 7 && sheet.legal >= sheet.fitting);
    for (place, entry) in sheet.layouts.iter().enumerate() {
        assert_eq!(entry.rank, place + 1);
        assert!(entry.fits && entry.memory_bytes <= entry.memory_capacity_bytes);
        assert!(entry.mfu > 0.0 && entry.mfu <= entry.hfu && entry.hfu < 1.0);
        let layout = &entry.layout;
        let ranks = layout.tensor * layout.pipeline * layout.data * layout.context;
        assert_eq!((ranks, layout.gpus_training), (sheet.gpus, sheet.gpus));
        let (step, exposed) = (&entry.step, &entry.step.exposed_communication_s);
        let sum = step.compute_s
            + exposed.tensor
            + exposed.pipeline
            + exposed.data
            + exposed.context
            + exposed.expert
            + step.bubble_s
            + step.optimizer_s
            + step.host_s
            + step.host_link_s
            + step.stragglers_s;
        assert!((sum - step.time_s).abs() < 1e-9, "{sum} and {}", step.time_s);
        assert_eq!(step.expert_load.is_some(), step.even_experts_time_s.is_some());
    }
    assert!(sheet.layouts.is_sorted_by_key(|entry| entry.step.time_s));
}

/// The search keeps pieces of the clock between layouts; `planner step` builds one from scratch.
#[test]
fn the_best_layouts_take_the_time_and_memory_that_step_finds_for_each() {
    let folder = fresh_folder("search-step");
    let experts = ["--set", "parallelism.expert=auto", "--set", "parallelism.order=auto"];
    for (spec, arguments) in
        [("starter", &["--ignore-stated"][..]), ("deepseek-v3-h800-2048", &experts)]
    {
        let sheet = found(&folder, &[&[spec, "--top", "4"], arguments].concat());
        for entry in &sheet.layouts {
            let layout = &entry.layout;
            let settings = [
                format!("parallelism.tensor={}", layout.tensor),
                format!("parallelism.pipeline={}", layout.pipeline),
                format!("parallelism.data={}", layout.data),
                format!("parallelism.context={}", layout.context),
                format!("parallelism.expert={}", layout.expert),
                format!("parallelism.interleave={}", layout.interleave),
                format!("parallelism.sequence_parallel={}", layout.sequence_parallel),
                format!("parallelism.zero={}", layout.zero),
                format!("parallelism.order={}", layout.order),
                format!("parallelism.schedule={}", layout.schedule),
                format!("training.micro_batch={}", layout.micro_batch),
                format!("training.recompute={}", entry.recompute),
            ];
            let mut command = vec!["step", spec, "--format", "json"];
            command.extend(settings.iter().flat_map(|setting| ["--set", setting]));
            let step: serde_json::Value =
                serde_json::from_str(done(&planner_in(&folder, &command))).expect("it is JSON");
            let near = |value: &serde_json::Value, expected: f64| {
                let value = value.as_f64().expect("a number");
                assert!((value / expected - 1.0).abs() < 1e-9, "{value} and {expected}");
            };
            near(&step["step"]["time_s"], entry.step.time_s);
            near(&step["step"]["mfu"], entry.mfu);
            near(&step["step"]["hfu"], entry.hfu);
            assert_eq!(step["memory"]["total_bytes"], entry.memory_bytes);
        }
    }
}

#[test]
fn what_the_spec_states_stays_as_it_is() {
    let folder = fresh_folder("search-stated");
    let set = ["--set", "parallelism.data=32", "--set", "parallelism.context=auto"];
    let sheet = found(&folder, &[&["starter", "--top", "1000"][..], &set].concat());
    assert!(sheet.layouts.iter().all(|entry| entry.layout.data == 32));
    assert!(sheet.open.iter().any(|key| key == "context"));
    assert!(sheet.layouts.iter().any(|entry| entry.layout.context > 1));
}

#[test]
fn machines_of_a_list_are_ranked_together() {
    let folder = fresh_folder("search-machines");
    let set = "cluster.node=[\"dgx-a100-80gb\", \"dgx-h100\"]";
    let few = ["micro_batch=1", "recompute=none", "pipeline=1", "context=1"];
    let few: Vec<&str> = few.iter().flat_map(|text| ["--where", text]).collect();
    let asked = [&["starter", "--top", "40"][..], &few].concat();
    let both = found(&folder, &[&asked[..], &["--set", set]].concat());
    let one = found(&folder, &asked);
    assert_eq!(both.legal, 2 * one.legal);
    assert_eq!(both.layouts[0].node, "dgx-h100");
    assert!(both.layouts.iter().any(|entry| entry.node == "dgx-a100-80gb"));
    assert!(both.layouts.is_sorted_by_key(|entry| entry.step.time_s));
}

#[test]
fn conditions_hold_and_threads_change_nothing() {
    let folder = fresh_folder("search-where");
    let asked = [
        "search",
        "starter",
        "--ignore-stated",
        "--where",
        "tensor<=4",
        "--where",
        "recompute=none",
    ];
    let set = ["--format", "json", "--top", "20", "--jobs"];
    let text = |threads: &str| {
        let program = planner_in(&folder, &[&asked[..], &set, &[threads]].concat());
        done(&program).to_owned()
    };
    let alone = text("1");
    assert_eq!(alone, text("3"));
    let sheet: Sheet = serde_json::from_str(&alone).expect("it is a sheet");
    assert!(
        sheet.layouts.iter().all(|entry| entry.layout.tensor <= 4 && entry.recompute == "none")
    );
}

#[test]
fn the_cheapest_come_first_where_cost_is_asked_for() {
    let folder = fresh_folder("search-cost");
    let set = "cluster.node=[\"dgx-a100-80gb\", \"dgx-h100\"]";
    let cost = ["--by", "usd-per-token", "--top", "40", "--set", set];
    let sheet = found(&folder, &[&["starter"][..], &cost].concat());
    assert_eq!(sheet.ranked_by, "usd-per-token");
    let costs: Vec<f64> = sheet
        .layouts
        .iter()
        .map(|entry| entry.machine_usd_per_million_tokens.expect("both machines have a price"))
        .collect();
    assert!(costs.is_sorted() && costs[0] > 0.0, "{costs:?}");
}

#[test]
fn a_spec_that_leaves_nothing_open_gets_the_whole_space_and_is_told() {
    let folder = fresh_folder("search-whole");
    let stated = ["--set", "parallelism.tensor=4", "--set", "parallelism.pipeline=1"];
    let silent = planner_in(&folder, &[&["search", "starter"][..], &stated].concat());
    let text = done(&silent);
    assert!(text.contains("searched, as the spec leaves nothing open: tensor, pipeline"), "{text}");
    let asked = planner_in(&folder, &["search", "starter", "--ignore-stated"]);
    assert!(done(&asked).contains("searched, as asked: tensor, pipeline"));
    let sheet = |arguments: &[&str]| found(&folder, &[&["starter"], arguments].concat());
    let (whole, all) = (sheet(&stated), sheet(&["--ignore-stated"]));
    assert_eq!((whole.space.as_str(), whole.legal), ("whole", all.legal));
    assert!(whole.fitting < whole.legal);
    assert!(whole.layouts[0].step.time_s <= sheet(&[]).layouts[0].step.time_s);
}

/// 296 is 8 x 37, and 37 divides nothing of the job: fewer train, all of them in whole degrees.
#[test]
fn gpus_that_no_degrees_divide_have_layouts_of_fewer() {
    let set = ["--set", "cluster.gpus=296", "--top", "20"];
    let sheet = found(&fresh_folder("search-fewer"), &[&["starter"][..], &set].concat());
    assert_eq!(sheet.gpus, 296);
    for layout in sheet.layouts.iter().map(|entry| &entry.layout) {
        let ranks = layout.tensor * layout.pipeline * layout.data * layout.context;
        assert_eq!(ranks, layout.gpus_training);
        assert!(ranks < 296);
    }
}

#[test]
fn no_layout_is_status_three_and_no_number_is_status_two() {
    let folder = fresh_folder("search-none");
    let large = [
        "search",
        "starter",
        "--set",
        "model.preset=gpt-1t",
        "--set",
        "cluster.gpus=8",
        "--set",
        "training.global_batch=8",
    ];
    let large = planner_in(&folder, &large);
    assert_eq!((large.status, large.stdout.as_str()), (3, ""), "{}", large.stderr);
    assert!(large.stderr.contains("fits the memory"), "{}", large.stderr);
    let none = planner_in(&folder, &["search", "starter", "--where", "tensor>4096"]);
    assert_eq!((none.status, none.stdout.as_str()), (3, ""), "{}", none.stderr);
    assert!(none.stderr.starts_with("error: no feasible layout: none can run on `256` GPUs"));
    let wrong = planner_in(&folder, &["search", "starter", "--where", "tensr=8"]);
    assert_eq!(wrong.status, 2);
    assert!(wrong.stderr.contains("`tensr` is no key of a layout"), "{}", wrong.stderr);
    for top in ["0", "-1", "many"] {
        assert_eq!(planner_in(&folder, &["search", "starter", "--top", top]).status, 2, "{top}");
    }
    assert_eq!(planner_in(&folder, &["search", "missing.toml"]).status, 2);
}

#[test]
fn a_space_that_would_take_hours_is_refused_at_once_and_a_narrow_one_is_searched() {
    let folder = fresh_folder("search-large");
    let large = [
        "search",
        "starter",
        "--ignore-stated",
        "--set",
        "model.preset=deepseek-v3",
        "--set",
        "cluster.gpus=4147200",
        "--set",
        "training.global_batch=4147200",
    ];
    let refused = planner_in(&folder, &large);
    assert_eq!((refused.status, refused.stdout.as_str()), (3, ""), "{}", refused.stderr);
    let says = "no feasible layout: more than `250000000` are open";
    assert!(refused.stderr.contains(says), "{}", refused.stderr);
    let conditions =
        ["tensor=1,2", "context=1", "expert=64", "order=tp-cp-ep-dp-pp", "recompute=full"];
    let narrow = conditions.iter().flat_map(|condition| ["--where", condition]);
    let narrow: Vec<&str> = large.iter().copied().chain(narrow).collect();
    let found = planner_in(&folder, &narrow);
    assert_eq!(found.status, 0, "{}", found.stderr);
}

#[test]
fn a_page_fits_its_width_and_is_the_same_twice() {
    let folder = fresh_folder("search-formats");
    for format in ["table", "json", "csv", "markdown"] {
        let set = "cluster.node=[\"dgx-a100-80gb\", \"dgx-h100\"]";
        let arguments = ["search", "starter", "--top", "20", "--set", set, "--format", format];
        let first = planner_in(&folder, &arguments);
        done(&first);
        assert_eq!(first, planner_in(&folder, &arguments), "{format}");
        if format == "table" {
            let widest = first.stdout.lines().map(|line| line.chars().count()).max();
            assert!(widest <= Some(100), "{}", first.stdout);
        }
    }
    let csv = planner_in(&folder, &["search", "starter", "--format", "csv"]);
    assert_eq!(
        done(&csv).lines().next(),
        Some(
            "rank,step_s,mfu,tensor,pipeline,data,context,expert,interleave,micro_batch,\
             recompute,zero,sequence_parallel,memory_bytes,memory_capacity_bytes,fits,order,node,nic,\
             schedule,machine_usd_per_million_tokens,pace_s"
        )
    );
}

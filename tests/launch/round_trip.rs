//! What is written for a stack and read back is the layout that it was written from, over layouts of
//! every kind that the stack can run.

use planner::import::{UserChoices, import_text};
use planner::launch::{LaunchJob, Stack, launch_script};
use planner::parallel::{Layout, Order, Schedule};
use planner::scenario::{Scenario, Workload};
use planner::spec::{SpecText, read_scenario};

/// Models whose shapes have all that flags have a word for, with their layers.
const MODELS: [&str; 5] =
    ["llama3-8b", "gpt3-175b", "qwen3-30b-a3b", "deepseek-v2", "gpt-oss-120b"];

/// The scenario of a text; `None` where a rule of layouts refuses it.
fn scenario(text: &str) -> Option<Scenario> {
    read_scenario(&SpecText::new("made.toml", text), &[]).ok()
}

/// Specs that state all of their layout.
fn specs() -> Vec<String> {
    let mut specs = Vec::new();
    let mut at = 0_usize;
    for model in MODELS {
        for (tensor, pipeline, context) in
            [(1, 1, 1), (2, 1, 1), (4, 2, 1), (8, 4, 2), (1, 8, 1), (2, 2, 4), (1, 1, 2), (8, 3, 1)]
        {
            for interleave in [1, 2, 3] {
                for data in [4, 8] {
                    at += 1;
                    let read = |list: [&'static str; 4]| list[at % 4];
                    let zero = read(["0", "1", "2", "3"]);
                    let recompute = ["none", "selective", "full"][at / 2 % 3];
                    let order = ["tp-cp-ep-dp-pp", "tp-cp-ep-pp-dp"][at / 3 % 2];
                    let exchange = ["gather", "ring", "all-to-all"][at / 5 % 3];
                    let precision = read(["bf16", "fp8", "mxfp8", "fp16"]);
                    let sequence = tensor > 1 && !at.is_multiple_of(5);
                    let micro = 1 + at / 7 % 2;
                    let batch = micro * data * pipeline * 4;
                    let experts = match model {
                        "llama3-8b" | "gpt3-175b" => "expert = 1\nexpert_tensor = 1",
                        _ if data == 8 => "expert = 8\nexpert_tensor = 1",
                        _ => "expert = 2\nexpert_tensor = 1",
                    };
                    let dense = model == "llama3-8b" || model == "gpt3-175b";
                    let experts = if dense { "" } else { experts };
                    specs.push(format!(
                        "[model]\npreset = \"{model}\"\n[training]\nglobal_batch = \
                         {batch}\nmicro_batch = {micro}\nprecision = \"{precision}\"\nrecompute = \
                         \"{recompute}\"\ntokens = \"{}\"\n[parallelism]\ntensor = {tensor}\npipeline \
                         = {pipeline}\ncontext = {context}\ndata = {data}\ninterleave = \
                         {interleave}\nzero = {zero}\norder = \"{order}\"\nsequence_parallel = \
                         {sequence}\n{experts}\n[framework]\npreset = \
                         \"megatron-2024\"\ncontext_exchange = \"{exchange}\"\noverlap_data = \
                         {}\nbucket_all_reduce = {}\n[cluster]\ngpus = {}\nnode = \"hgx-b200\"\n",
                        1_000_000_u64 * at as u64,
                        at.is_multiple_of(2),
                        at.is_multiple_of(3),
                        tensor * pipeline * context * data,
                    ));
                }
            }
        }
    }
    specs
}

/// The layout that a scenario asks for; all of it is stated.
fn layout(scenario: &Scenario) -> Layout {
    scenario.lead_workload().layout.simplest_layout(Some(scenario.cluster.gpus))
}

/// Layers of each stage, in any way: the flags of uneven ones are read back as a number alone.
fn stages(workload: &Workload, layout: &Layout) -> Vec<u32> {
    let (layers, stages) = (workload.model.layers, layout.pipeline);
    (0..stages).map(|stage| layers / stages + u32::from(stage < layers % stages)).collect()
}

/// A layout with axes of one rank in their usual place: no stack can tell them apart. Without
/// experts their tensor degree says nothing.
fn told_apart(layout: Layout, experts: bool) -> Layout {
    let one = layout.pipeline == 1 || layout.data == 1;
    let order = if one { Order::DP_INSIDE_PP } else { layout.order };
    let (schedule, interleave) = match layout.pipeline {
        1 => (Schedule::OneFOneB, 1),
        _ => (layout.schedule, layout.interleave),
    };
    let expert_tensor = if experts { layout.expert_tensor } else { 1 };
    Layout { order, schedule, interleave, expert_tensor, ..layout }
}

fn round_trips(stack: Stack) -> (usize, usize) {
    let (mut ran, mut refused) = (0, 0);
    for text in specs() {
        let Some(before) = scenario(&text) else { continue };
        let (workload, wanted) = (before.lead_workload(), layout(&before));
        let job = LaunchJob {
            name: "made",
            model: &workload.model,
            training: &workload.training,
            layout: &wanted,
            framework: &workload.framework,
            techniques: &[],
            stages: &stages(workload, &wanted),
            per_node: 8,
            rails_apart: false,
        };
        let Ok(script) = launch_script(stack, &job) else {
            refused += 1;
            continue;
        };
        ran += 1;
        let given = UserChoices {
            preset: Some(workload.model.name.clone()),
            layers: Some(workload.model.layers.into()),
            sequence: Some(workload.model.sequence),
            gpus: (stack == Stack::Bridge).then_some(before.cluster.gpus.into()),
            node: Some("hgx-b200".into()),
            ..UserChoices::default()
        };
        let made = import_text(&script.text, &given).unwrap_or_else(|error| panic!("{error}"));
        let made = made.spec_text();
        let after = read_scenario(&SpecText::new("read.toml", made.clone()), &[]);
        let after = after.unwrap_or_else(|problems| panic!("{problems}\n{}\n{made}", script.text));
        check(stack, &before, &after, &format!("{text}\n{}\n{made}", script.text));
    }
    (ran, refused)
}

fn check(stack: Stack, before: &Scenario, after: &Scenario, texts: &str) {
    let experts = before.lead_workload().model.moe.is_some();
    let mut expected = told_apart(layout(before), experts);
    let mut found = told_apart(layout(after), experts);
    if stack == Stack::Deepspeed {
        // What a training script decides, the file can't say.
        for other_layout in [&mut expected, &mut found] {
            other_layout.sequence_parallel = false;
            other_layout.recompute = planner::workload::Recompute::None;
        }
    }
    assert_eq!(expected, found, "{texts}");
    assert_eq!(before.cluster.gpus, after.cluster.gpus, "{texts}");
    let (mut old, mut new) = (before.lead_workload().clone(), after.lead_workload().clone());
    (old.model.name, new.model.name) = (String::new(), String::new());
    // Megatron-LM and Megatron-Bridge have the shape in their flags.
    assert_eq!(old.model, new.model, "{texts}");
    assert_eq!(old.training.global_batch, new.training.global_batch, "{texts}");
    // Its function sets no precision of eight bits: the model is made with it.
    if stack != Stack::TorchtitanPython {
        assert_eq!(old.training.precision, new.training.precision, "{texts}");
    }
    let context = before.lead_workload().layout.context.unwrap_or(1) > 1;
    if context {
        assert_eq!(old.framework.context_exchange, new.framework.context_exchange, "{texts}");
    }
    if matches!(stack, Stack::Megatron | Stack::Bridge | Stack::Deepspeed) {
        assert_eq!(old.framework.overlap_data, new.framework.overlap_data, "{texts}");
    }
    if stack == Stack::Deepspeed && matches!(expected.zero.stage_number(), 1 | 2) {
        let buckets = [&old, &new].map(|workload| workload.framework.bucket_all_reduce);
        assert_eq!(buckets[0], buckets[1], "{texts}");
    }
}

#[test]
fn flags_of_megatron_read_back_are_the_layout() {
    let (ran, refused) = round_trips(Stack::Megatron);
    assert!(ran > 60 && refused > 10, "{ran} and {refused}");
}

#[test]
fn overrides_of_megatron_bridge_read_back_are_the_layout() {
    let (ran, refused) = round_trips(Stack::Bridge);
    assert!(ran > 60 && refused > 10, "{ran} and {refused}");
}

#[test]
fn a_file_of_torchtitan_read_back_is_the_layout() {
    let (ran, refused) = round_trips(Stack::Torchtitan);
    assert!(ran > 20 && refused > 10, "{ran} and {refused}");
}

#[test]
fn a_function_of_torchtitan_read_back_is_the_layout() {
    let (ran, refused) = round_trips(Stack::TorchtitanPython);
    assert!(ran > 20 && refused > 10, "{ran} and {refused}");
}

#[test]
fn a_file_of_deepspeed_read_back_is_the_layout() {
    let (ran, refused) = round_trips(Stack::Deepspeed);
    assert!(ran > 15 && refused > 10, "{ran} and {refused}");
}

//! The part of docs/guide.md on what each technique does to the cheapest network, written by the program
//! and held here. `BLESS=1 cargo test --test engine technique::page` writes it.

use std::fmt::Write as _;

use planner::collective::{Policy, call_volumes};
use planner::cost::Role;
use planner::design::{Infeasible, LimitMove, Plan, StepPlan, plan_step};
use planner::parallel::{Placed, Placement};
use planner::scenario::Scenario;
use planner::spec::{SpecText, read_scenario};
use planner::step::TrafficKind;
use planner::technique::{Recipe, schedule_techniques};
use planner::units::{Amount, Seconds};
use planner::workload::{Demo, DemoScope, Technique};

use crate::support::page::hold_part;
use crate::support::scenario::design;
use crate::technique::page_commands;
use crate::technique::page_swap;
use crate::technique::page_words::{CHEAPEST, FLEX, OFFLOAD, OPENING, OTHERS, WHY};

/// Slowdown that the cheapest network may cost, over the step without techniques at 400 Gb/s.
const SLOWDOWN: f64 = 1.02;
/// Components that DeMo keeps of a chunk, as published.
const TOP_K: [u64; 3] = [32, 8, 1];

/// One model at several scales.
pub(super) struct Model {
    pub(super) name: &'static str,
    title: &'static str,
    pub(super) pipeline: u32,
    batch: u32,
    tokens: &'static str,
    gpus: &'static [u32],
}

pub(super) const MODELS: [Model; 2] = [
    Model {
        name: "gpt3-175b",
        title: "GPT-3 175B, tensor 8 x pipeline 8, 1,536 sequences of 2,048",
        pipeline: 8,
        batch: 1536,
        tokens: "300B",
        gpus: &[512, 1024, 4096, 16_384],
    },
    Model {
        name: "llama3-405b",
        title: "Llama 3 405B, tensor 8 x pipeline 16, 2,048 sequences of 8,192",
        pipeline: 16,
        batch: 2048,
        tokens: "15.6T",
        gpus: &[1024, 4096, 16_384],
    },
];

/// The spec that the page prints.
pub(super) fn spec(model: &Model, gpus: u32, pipeline: u32, nics: &str) -> String {
    let Model { name, batch, tokens, .. } = model;
    format!(
        r#"model = {{ preset = "{name}" }}
training = {{ global_batch = {batch}, micro_batch = 1, tokens = "{tokens}", precision = "bf16", recompute = "full" }}
parallelism = {{ tensor = 8, pipeline = {pipeline}, zero = 0, order = "auto" }}
framework = {{ preset = "megatron-2024" }}
cluster = {{ gpus = {gpus}, node = "dgx-h100", nic = [{nics}], prices = "mixnet-2025" }}
"#
    )
}

pub(super) fn scenario(model: &Model, gpus: u32, pipeline: u32, nics: &str) -> Scenario {
    let text = spec(model, gpus, pipeline, nics);
    read_scenario(&SpecText::new("model.toml", &text), &[]).expect("the spec is sound")
}

pub(super) const ALL_NICS: &str = r#""edr-100g", "hdr-200g", "ndr-400g", "xdr-800g""#;
pub(super) const BASE_NIC: &str = r#""ndr-400g""#;

/// The scenario with techniques on and one limit on the step.
fn with(scenario: &Scenario, on: &[Technique], limit: Seconds) -> Scenario {
    let mut scenario = scenario.clone();
    scenario.workloads[0] = schedule_techniques(scenario.lead_workload(), on);
    scenario.limits.step_time = Some(limit);
    scenario.objective.max_slowdown = Some(1e6); // the limit takes its place
    scenario
}

fn keeping(scenario: &Scenario, top_k: u64) -> Scenario {
    let mut scenario = scenario.clone();
    scenario.workloads[0].techniques.demo = Demo { top_k, ..Demo::DEFAULT };
    scenario
}

/// Switches, optics and interfaces of a GPU.
fn per_gpu(plan: &Plan) -> f64 {
    let network = plan.bill.iter().filter(|line| !matches!(line.role, Role::Node | Role::Memory));
    network.map(|line| line.total.get()).sum::<f64>() / f64::from(plan.nodes.gpus)
}

fn cell(found: &Result<Plan, Infeasible>, limit: Seconds) -> String {
    match found {
        Ok(plan) => {
            let nic = plan.nodes.nic.bandwidth.as_gigabits();
            format!("{nic:.0}G {}, ${:.0}", plan.fabric.kind, per_gpu(plan))
        }
        Err(Infeasible::Clash(moves)) => match &moves[..] {
            [LimitMove { needs: Amount::Time(best), .. }] => {
                format!("none: {:+.1} %", (*best / limit * SLOWDOWN - 1.0) * 100.0)
            }
            other => panic!("only the step is limited: {other:?}"),
        },
        Err(other) => format!("none: {other}"),
    }
}

/// The longest step beside one without techniques, in whole milliseconds, so that a reader can state it.
fn longest(without: Seconds) -> Seconds {
    const MILLI: f64 = 1e3;
    Seconds::from_f64((without.get() * SLOWDOWN * MILLI).ceil() / MILLI)
}

/// A row of the main table: the cells, and what the sentences below are made of.
struct Row {
    gpus: u32,
    replicas: u32,
    limit: Seconds,
    cells: Vec<String>,
    without: f64,
    demo: Vec<(u64, Option<f64>)>,
}

fn row(model: &Model, gpus: u32) -> Row {
    let base = scenario(model, gpus, model.pipeline, BASE_NIC);
    let plain = plan_step(&base).expect("it fits");
    let limit = longest(plain.step.time.total_time());
    let open = scenario(model, gpus, model.pipeline, ALL_NICS);
    let without = design(&with(&open, &[], limit)).expect("400 Gb/s suffice");
    let mut row = Row {
        gpus,
        replicas: plain.layout.data,
        limit,
        cells: vec![cell(&Ok(without.clone()), limit)],
        without: per_gpu(&without),
        demo: Vec::new(),
    };
    for top_k in TOP_K {
        let found = design(&with(&keeping(&open, top_k), &[Technique::Demo], limit));
        row.cells.push(cell(&found, limit));
        row.demo.push((top_k, found.as_ref().ok().map(per_gpu)));
    }
    // A quarter of the stages: the rest of the GPUs are replicas.
    let short = (gpus / 8 / (model.pipeline / 4)).min(model.batch);
    let offload = if model.batch.is_multiple_of(short) && short * 8 * model.pipeline / 4 == gpus {
        let fewer = scenario(model, gpus, model.pipeline / 4, ALL_NICS);
        cell(&design(&with(&fewer, &[Technique::Offload], limit)), limit)
    } else {
        "more replicas than the batch has sequences for".to_owned()
    };
    row.cells.push(offload);
    row
}

/// Replicas at which DeMo and a ring bring each other equal bytes, for 16-bit gradients.
fn break_even(top_k: u64) -> f64 {
    let demo = Demo::DEFAULT;
    let side = demo.chunk as f64;
    2.0 * 2.0 * side * side / (top_k as f64 * demo.component_bytes() as f64)
}

fn main_table(page: &mut String, model: &Model, rows: &[Row]) {
    writeln!(page, "\n**{}**\n", model.title).expect("a string");
    let heads = TOP_K.map(|k| format!("DeMo k = {k}")).join(" | ");
    let quarter = model.pipeline / 4;
    writeln!(
        page,
        "| GPUs (replicas) | longest step | without | {heads} | offload, {quarter} stages |"
    )
    .expect("a string");
    writeln!(page, "|---|---|---|---|---|---|---|").expect("a string");
    for row in rows {
        let cells = row.cells.join(" | ");
        let limit = row.limit.get();
        writeln!(page, "| {} ({}) | {limit:.3} s | {cells} |", row.gpus, row.replicas)
            .expect("a string");
    }
}

/// Where DeMo's network is dearer than a ring's, or does not exist, on both sides of N*.
fn verdicts(page: &mut String, model: &Model, rows: &[Row]) {
    for (place, top_k) in TOP_K.into_iter().enumerate() {
        let dearer = |row: &&Row| row.demo[place].1.is_none_or(|cost| cost > row.without);
        let turn = break_even(top_k);
        let list = |wanted: &dyn Fn(&Row) -> bool| {
            let found: Vec<String> = rows
                .iter()
                .filter(dearer)
                .filter(|row| wanted(row))
                .map(|row| format!("{} replicas", row.replicas))
                .collect();
            if found.is_empty() { "nowhere here".to_owned() } else { found.join(", ") }
        };
        let before = list(&|row| f64::from(row.replicas) < turn);
        let after = list(&|row| f64::from(row.replicas) >= turn);
        let name = model.name;
        writeln!(
            page,
            "- {name}, k = {top_k}: bytes turn at N* = {turn:.1}. The network costs more, or there is \
             none, before that: {before}; after it: {after}."
        )
        .expect("a string");
    }
}

/// Bytes that leave a GPU's domain for data parallelism in a step: the largest of all stages.
fn leaving(scenario: &Scenario, plan: &StepPlan) -> f64 {
    let step = Recipe::from_workload(scenario.lead_workload())
        .heaviest_step(&plan.layout)
        .expect("it applies");
    let node = &plan.nodes.node;
    let placed =
        Placed::new(&step.grid, Placement::with_aligned_domains(&step.grid, node.gpus, node.nics));
    let sent = |stage: usize| {
        let data = step
            .communications
            .iter()
            .filter(|communication| communication.kind == TrafficKind::Data);
        data.map(|communication| {
            let calls = step.calls_per_step(communication, stage) as f64;
            call_volumes(communication, stage, &placed, &Policy::default()).across.as_f64() * calls
        })
        .sum::<f64>()
    };
    (0..step.stages.len()).map(sent).fold(0.0, f64::max)
}

/// 224 racks of 72: 126 replicas, 9 of them in a rack, 14 along each rail.
fn racks(demo: Option<Demo>) -> f64 {
    let text = r#"
        model = { preset = "llama3-405b" }
        training = { global_batch = 2016, micro_batch = 1, precision = "bf16", recompute = "full" }
        parallelism = { tensor = 8, pipeline = 16, zero = 0 }
        framework = { preset = "megatron-2024" }
        cluster = { gpus = 16128, node = "gb200-nvl72" }
    "#;
    let mut scenario =
        read_scenario(&SpecText::new("model.toml", text), &[]).expect("the spec is sound");
    if let Some(demo) = demo {
        scenario.workloads[0].techniques.demo = demo;
        scenario.workloads[0] = schedule_techniques(scenario.lead_workload(), &[Technique::Demo]);
    }
    let plan = plan_step(&scenario).expect("it fits");
    leaving(&scenario, &plan)
}

fn flexible(page: &mut String) {
    const GIGA: f64 = 1e9;
    let line = |page: &mut String, name: &str, cells: [f64; 3]| {
        let cells = cells.map(|bytes| format!("{:.3} GB", bytes / GIGA)).join(" | ");
        writeln!(page, "| {name} | {cells} |").expect("a string");
    };
    let with = |flat: bool, scope: DemoScope| {
        TOP_K.map(|top_k| racks(Some(Demo { top_k, scope, flat: Some(flat), ..Demo::DEFAULT })))
    };
    let plain = racks(None);
    page.push_str(
        "| bytes out of the rack, a GPU and step | k = 32 | k = 8 | k = 1 |\n|---|---|---|---|\n",
    );
    line(page, "gradients reduced in the rack, then along the rail", [plain; 3]);
    line(page, "DeMo among all replicas", with(false, DemoScope::Replicas));
    line(page, "FlexDeMo, flat shards (k of 64 sent)", with(true, DemoScope::Domains));
    line(page, "FlexDeMo, square chunks (k of 4,096 sent)", with(false, DemoScope::Domains));
}

/// What the host costs: the tail of a step with a quarter of the stages.
fn hosts(page: &mut String) {
    page.push_str(
        "| model, stages | host link | reduction seen | update | step | without offload |\n\
         |---|---|---|---|---|---|\n",
    );
    for (model, gpus) in [(&MODELS[0], 1024), (&MODELS[1], 4096)] {
        let plain = plan_step(&scenario(model, gpus, model.pipeline, BASE_NIC)).expect("it fits");
        for (name, gigabytes) in [("PCIe 5.0, 50 GB/s", 50.0), ("NVLink-C2C, 190 GB/s", 190.0)] {
            let fewer = scenario(model, gpus, model.pipeline / 4, BASE_NIC);
            let mut fewer = with(&fewer, &[Technique::Offload], Seconds::from_f64(1e9));
            for node in &mut fewer.cluster.nodes {
                node.gpu.host_link = planner::units::Bandwidth::from_gigabytes(gigabytes);
            }
            let time = plan_step(&fewer).expect("it fits").step.time;
            writeln!(
                page,
                "| {}, {} of {} | {name} | {:.2} s | {:.2} s | {:.2} s | {:.2} s |",
                model.name,
                model.pipeline / 4,
                model.pipeline,
                time.exposed.time_of_kind(TrafficKind::Data).get(),
                time.optimizer.get(),
                time.total_time().get(),
                plain.step.time.total_time().get(),
            )
            .expect("a string");
        }
    }
}

/// Techniques that leave data parallelism alone, at 4,096 GPUs.
fn others(page: &mut String) {
    page.push_str("| model | technique | step | days | network |\n|---|---|---|---|---|\n");
    for model in &MODELS {
        let base = plan_step(&scenario(model, 4096, model.pipeline, BASE_NIC)).expect("it fits");
        let limit = longest(base.step.time.total_time());
        let open = scenario(model, 4096, model.pipeline, ALL_NICS);
        for (name, on) in [
            ("none", &[][..]),
            ("message-driven", &[Technique::MessageDriven]),
            ("narrow-pipeline", &[Technique::NarrowPipeline]),
            ("fused-tensor", &[Technique::FusedTensor]),
            ("multilevel", &[Technique::MultiLevel]),
            ("sil (upper bound, unverified)", &[Technique::Sil]),
        ] {
            let mut open = open.clone();
            open.workloads[0].techniques.sil.accept_unverified = true;
            let found = design(&with(&open, on, limit));
            let (time, days) = match &found {
                Ok(plan) => {
                    let days = plan.cost.training_days.expect("tokens are stated");
                    (format!("{:.2} s", plan.step.time.total_time().get()), format!("{days:.1}"))
                }
                Err(_) => ("-".to_owned(), "-".to_owned()),
            };
            let cell = cell(&found, limit);
            writeln!(page, "| {} | {name} | {time} | {days} | {cell} |", model.name)
                .expect("a string");
        }
    }
}

fn page() -> String {
    let mut page = OPENING.to_owned();
    page_commands::section(&mut page);
    page.push_str(CHEAPEST);
    let mut said = String::new();
    for model in &MODELS {
        // Each row sizes five clusters: all cores help.
        let rows: Vec<Row> = std::thread::scope(|scope| {
            let started: Vec<_> =
                model.gpus.iter().map(|gpus| scope.spawn(|| row(model, *gpus))).collect();
            started.into_iter().map(|row| row.join().expect("a row is sized")).collect()
        });
        main_table(&mut page, model, &rows);
        verdicts(&mut said, model, &rows);
    }
    page.push_str(WHY);
    page.push_str(&said);
    page.push_str(FLEX);
    flexible(&mut page);
    page.push_str(OFFLOAD);
    hosts(&mut page);
    page_swap::section(&mut page);
    page.push_str(OTHERS);
    others(&mut page);
    page
}

#[test]
fn the_page_is_what_the_program_says() {
    hold_part("guide.md", "techniques", &page());
}

/// Bytes out of a rack by the formulas of the papers: (R−1)·(P/S)·ρ·b_e for FlexDeMo with flat
/// shards, 2·(R−1)/R·2P/S for a ring; P of the fullest stage, S = 9, R = 14. Tolerance 2 %, as
/// matrices round to chunks.
#[test]
fn flat_shards_move_more_than_gradients_unless_k_is_1() {
    const SHARE: f64 = 3.164e9 / 9.0; // eight layers of 3.164 G elements over 8 tensor ranks
    let plain = racks(None);
    let ring = 2.0 * 13.0 / 14.0 * 2.0 * SHARE;
    assert!((plain / ring - 1.0).abs() < 0.02, "{plain:e} {ring:e}");
    for (top_k, larger) in [(32, true), (8, true), (1, false)] {
        let flat = Demo { top_k, scope: DemoScope::Domains, ..Demo::DEFAULT };
        let found = racks(Some(flat));
        let expected = 13.0 * SHARE * top_k as f64 / 64.0 * 12.0;
        assert!((found / expected - 1.0).abs() < 0.02, "k {top_k}: {found:e} {expected:e}");
        assert_eq!(found > plain, larger, "k {top_k}");
    }
}

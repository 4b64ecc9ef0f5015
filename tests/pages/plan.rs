//! A plan made by hand for tests of what reports and programs see. Its numbers are the worked
//! example of the project's notes on sizing (Llama 3 405B on 16,384 H100); whether they are right
//! is not asked here, only whether they are shown right.

use planner::cost::{BillLine, Cost, Role};
use planner::design::{
    AllToAllThroughput, Alternative, AlternativeKind, AlternativeStanding, BindingLimit,
    CallReport, FailureReport, FixedKey, Headroom, HotLink, Inputs, Level, LimitWorth, LoadReport,
    NodeChoice, Plan, PriceBand, PriceCrossing, Programs, RoutedStep, RoutingReport, SolverReport,
    SolverStatus, StepReport, Warning,
};
use planner::fabric::{Counts, FabricKind, Medium, SwitchTier, TierName};
use planner::hardware::{Price, PriceBasis};
use planner::memory::Memory;
use planner::parallel::{Layout, Order, Schedule, Zero};
use planner::reliability::{Failures, Fault, PerYear, Standby, failure_year};
use planner::scenario::{Assumption, Minimize, Scenario};
use planner::spec::{self, presets};
use planner::step::TrafficKind;
use planner::timing::{Exposed, Interval, MeasuredGroup, StepTime};
use planner::traffic::{Locality, TrafficSummary};
use planner::units::{Bandwidth, Bytes, Flops, Seconds, Usd, UsdRange, Watts};

/// A complete plan, every field filled.
pub(crate) fn plan() -> Plan {
    Plan {
        name: "llama3-405b".into(),
        minimize: Minimize::Capex,
        nodes: nodes(),
        layout: layout(),
        step: step(),
        pace: Seconds::from_f64(6.07),
        phases: Vec::new(),
        memory: Memory {
            stage: 0,
            weights: Bytes::from_gib(6),
            gradients: Bytes::from_gib(12),
            optimizer: Bytes::from_gib(20),
            activations: Bytes::from_gib(18),
            overhead: Bytes::from_gib(5),
            fragmentation: Bytes::ZERO,
            host: Bytes::ZERO,
        },
        memory_capacity: Bytes::from_gib(80),
        traffic: traffic(),
        workloads: Vec::new(),
        fabric: fabric(),
        blueprint: None,
        routing: Some(routing()),
        lengths: None,
        networks: None,
        installation: Vec::new(),
        bill: bill(),
        cost: Cost {
            lead: None,
            whole: None,
            years: 4.0,
            discount: 0.0,
            pue: 1.3,
            network_capex: Usd::from_f64(34_562_112.0),
            capex: Usd::from_f64(694_002_208.0),
            network_capex_range: Some(UsdRange {
                low: Usd::from_f64(30_000_000.0),
                high: Usd::from_f64(40_000_000.0),
            }),
            capex_range: Some(UsdRange {
                low: Usd::from_f64(680_000_000.0),
                high: Usd::from_f64(700_000_000.0),
            }),
            network_power: Watts::from_f64(509_600.0),
            power: Watts::from_f64(21_400_000.0),
            opex_per_year: Usd::from_f64(19_000_000.0),
            tco: Usd::from_f64(770_002_208.0),
            goodput: 1.0,
            usd_per_million_tokens: Some(Usd::from_f64(2.4)),
            training_days: Some(65.6),
            run: Some(Usd::from_f64(34_600_000.0)),
            unpriced: vec!["fibre".into()],
        },
        racks: None,
        headroom: Some(Headroom { on_free_ports: 64, before_another_tier: 4096 }),
        all_to_all: AllToAllThroughput { stored: 0.9, pipelined: 1.0, uplinks: 1.0 },
        level: Level::FULL,
        failures: FailureReport {
            year: failure_year(vec![leafs()], &Failures::DEFAULT, Standby::NONE),
            usd_lost: Usd::from_f64(12_000.0),
            wired: true,
            pace_left: None,
            trays: None,
            spare_trays: 0,
            single_point: None,
        },
        priorities: Vec::new(),
        oversubscription: None,
        regularity: None,
        regular: None,
        robust: None,
        solver: SolverReport {
            name: "microlp".into(),
            status: SolverStatus::Optimal,
            gap: 0.0,
            rival: None,
            chosen_first: Vec::new(),
            programs: Programs::default(),
            layouts: None,
            candidates: 34,
            settled: None,
            products_excluded: 0,
            fixed: vec![FixedKey { key: "parallelism.order", default: true }],
            binding: vec![BindingLimit {
                limit: "switch radix 128".into(),
                worth: LimitWorth::Tiers { endpoints: 2048, radix: 128, tiers: 2 },
            }],
        },
        price_bands: vec![PriceBand {
            basis: PriceBasis::Street,
            date: "2026-09".into(),
            doubt: None,
            part: "sn5610".into(),
            price: Usd::from_f64(51_999.0),
            used: true,
            below: None,
            above: Some(PriceCrossing {
                price: Usd::from_f64(70_000.0),
                to: "clos, 384 sn5610".into(),
            }),
        }],
        not_sized: Vec::new(),
        alternatives: vec![Alternative {
            name: "minimize = \"capex\"".into(),
            differs: AlternativeKind::Planes,
            network_capex_change: Usd::from_f64(-2_100_000.0),
            capex_change: Usd::from_f64(2e6),
            usd_per_token_ratio: Some(1.01),
            step_ratio: 1.01,
            standing: AlternativeStanding::Elsewhere,
            reason: "same planes".into(),
            breaks: Vec::new(),
        }],
        limits: Vec::new(),
        assumptions: vec![Assumption {
            topic: "objective.years".into(),
            text: "four years of operation".into(),
            default: true,
        }],
        warnings: vec![
            Warning::Ties { count: 2, networks: vec!["2 planes".into()], others: Vec::new() },
            Warning::UplinkHeadroom { headroom: 1.125, within: 1.0 },
            Warning::Unpriced { parts: vec!["fibre".into()] },
        ],
        inputs: Inputs::from_scenario(&scenario()),
        clusters: Vec::new(),
        growth: None,
    }
}

fn scenario() -> Scenario {
    let source = presets::ready_spec("llama3-405b-h100-16384").expect("it ships");
    spec::read_scenario(&source, &[]).expect("what ships is sound")
}

/// Machines as they ship: their inner constants matter to no report.
fn routing() -> RoutingReport {
    let hot = |millis: f64, link: &str| HotLink {
        time: Seconds::from_f64(millis / 1e3),
        link: link.into(),
    };
    RoutingReport::Routed(RoutedStep {
        on_cables: false,
        holds: true,
        calls: vec![CallReport {
            over_nic: 1.0,
            detour: 0.0,
            workload: String::new(),
            label: "gradients reduced and scattered",
            kind: TrafficKind::Data,
            messages: 16_384,
            forwarded: Bytes::ZERO,
            granted: Seconds::from_f64(0.134),
            seen: 0.89,
            sprayed: hot(134.0, "gpu-0.0/leaf-0"),
            adaptive: Some(hot(151.0, "leaf-7/spine-2")),
            hashed: Some(hot(402.0, "leaf-7/spine-2")),
        }],
        loads: vec![LoadReport {
            workload: String::new(),
            class: "leaf-spine",
            links: 2736,
            rate: Bandwidth::from_gigabits(400.0),
            mean: Bytes::new(10_600_000_000),
            most: Bytes::new(10_700_000_000),
            link: "leaf-1/spine-0".into(),
        }],
    })
}

fn nodes() -> NodeChoice {
    let scenario = scenario();
    let node = scenario.cluster.nodes.into_iter().next().expect("a cluster has a product");
    let nic = node.nic.clone();
    NodeChoice {
        gpus: 16_384,
        training: 16_384,
        nic,
        node,
        domains: 2048,
        cabled: 2048,
        used: 8,
        planes: 1,
    }
}

fn layout() -> Layout {
    Layout {
        tensor: 8,
        pipeline: 16,
        data: 128,
        context: 1,
        expert: 1,
        expert_tensor: 1,
        interleave: 7,
        micro_batch: 1,
        sequence_parallel: true,
        zero: Zero::Optimizer,
        shard: None,
        recompute: planner::workload::Recompute::None,
        order: Order::PP_INSIDE_DP,
        schedule: Schedule::Interleaved,
    }
}

fn step() -> StepReport {
    let mut exposed = Exposed::default();
    exposed.add(TrafficKind::Tensor, Seconds::from_f64(0.33));
    exposed.add(TrafficKind::Pipeline, Seconds::from_f64(0.02));
    StepReport {
        time: StepTime {
            compute: Seconds::from_f64(5.04),
            exposed,
            bubble: Seconds::from_f64(0.68),
            ..StepTime::default()
        },
        pace: Seconds::from_f64(6.07),
        slowdown: 1.0,
        interval: Interval {
            low: 0.96,
            high: 1.05,
            rows: 40,
            group: MeasuredGroup::Gpu,
            outside: Vec::new(),
            new_stack: false,
        },
        model_flops: Flops::from_f64(4.13e19),
        hardware_flops: Flops::from_f64(4.13e19),
        mfu: 0.42,
        hfu: 0.42,
        tokens: 16_777_216,
        tokens_per_gpu_second: 168.7,
        recompute_modules: None,
        micro_batches: 16,
        parameters: planner::workload::Parameters {
            total: 405_853_388_800,
            active: 405_853_388_800,
            embedding: 4_202_692_608,
        },
        experts: None,
    }
}

fn traffic() -> TrafficSummary {
    let mut summary = TrafficSummary::default();
    summary.pairs = 16_384 * 16_383;
    summary.idle_pairs = 260_000_000;
    summary.largest_pair = Bytes::new(41_000_000_000);
    summary.add(TrafficKind::Tensor, Locality::InsideDomain, Bytes::new(9_210_000_000_000_000));
    summary.add(TrafficKind::Pipeline, Locality::AlongRail, Bytes::new(90_000_000_000_000));
    summary.add(TrafficKind::Data, Locality::AlongRail, Bytes::new(700_000_000_000_000));
    summary
}

fn fabric() -> Counts {
    let tier = |name, count, down, up, ports_used| SwitchTier {
        name,
        model: "sn5610".into(),
        radix: 128,
        count,
        down,
        up,
        ports_used,
    };
    Counts {
        kind: FabricKind::RailOnly,
        planes: 1,
        rails: 8,
        endpoints: 16_384,
        link: Bandwidth::from_gigabits(400.0),
        uplink: Bandwidth::from_gigabits(400.0),
        tiers: vec![
            tier(TierName::Leaf, 152, 110, 18, 19_120),
            tier(TierName::Spine, 24, 128, 0, 2736),
        ],
        host_links: 16_384,
        host_medium: Medium::Optical,
        other_links: Vec::new(),
        leaf_spine_links: 2736,
        spine_core_links: 0,
        within_rail: 18.0 / 110.0,
        across_rails: 0.0,
        leaf_domains: Some(110),
        occupancy: None,
    }
}

fn bill() -> Vec<BillLine> {
    let line = |part: &str, role, count, owned, price: Option<(f64, &str)>, power| {
        let unit = price.map(|(usd, date)| Price {
            amount: Usd::from_f64(usd),
            range: None,
            basis: PriceBasis::Street,
            date: date.into(),
            source: "a quote".into(),
            exchange: None,
            quote: planner::hardware::Quote::default(),
        });
        BillLine {
            part: part.into(),
            role,
            count,
            owned,
            spares: 0,
            total: Usd::from_f64(price.map_or(0.0, |(usd, _)| usd * (count - owned) as f64)),
            unit,
            power: Watts::from_f64(power),
        }
    };
    vec![
        line("dgx-h100", Role::Node, 2048, 0, Some((310_000.0, "2024-08")), 10_200.0),
        line("ndr-400g", Role::Nic, 16_384, 0, Some((1499.0, "2025")), 0.0),
        line("sn5610", Role::Switch, 178, 2, Some((51_999.0, "2026-07")), 940.0),
        line("optic-400g", Role::Optic, 38_384, 0, Some((659.0, "2025")), 9.0),
        line("fibre", Role::Optic, 19_120, 0, None, 0.0),
    ]
}

/// Leaf switches, each below 32 HB domains of which four stand by.
fn leafs() -> Fault {
    Fault {
        part: "leaf switch".to_owned(),
        pieces: 64,
        rate: PerYear::from_events(0.006_12),
        repair: Seconds::DAY,
        network: true,
        stops: true,
        domains: 32,
        gpus: 256,
        kept: 0.875,
    }
}

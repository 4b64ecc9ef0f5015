//! A value of every kind of error, and what it says.

use std::fmt::{Display, Write as _};

use planner::compare::BaselineProblem;
use planner::design::{self, AftermathProblem, FreeEnd, LimitMove, NotInstalled, WiringProblem};
use planner::fabric::{FabricKind, FabricProblem, FailureProblem, HbGraph, HbProblem};
use planner::gate::{QuantityError, RuleError, RuleProblem, RuleProblemKind};
use planner::hall::HallProblem;
use planner::hardware::Rack;
use planner::import::{ImportProblem, Question};
use planner::parallel::{LayoutProblem, Schedule};
use planner::recording::RecordingProblem;
use planner::recording::steps::StepsProblem;
use planner::report::matrix::ExportError;
use planner::results::ResultProblem;
use planner::routing::{NotRouted, RoutingProblem};
use planner::search::{FilterProblem, Near, NoLayout};
use planner::sizing::{self, LimitNeed};
use planner::spec::{Problem, ProblemKind};
use planner::sweep::{GridError, MergeError, Mismatch, PlotError, Shard, WishError};
use planner::units::parse::{
    UnitError, parse_bandwidth, parse_bytes, parse_count, parse_seconds, parse_usd,
};
use planner::units::{Amount, Bytes, Seconds, Unit, Usd, Watts};
use planner::validate::DataProblem;
use planner::workload::Technique;

use crate::messages::golden;

/// The texts, one entry for each value: its kind, then what it says.
struct Texts(String);

impl Texts {
    fn says(&mut self, kind: &str, error: &dyn Display) {
        writeln!(self.0, "{kind}\n    {error}").expect("a string");
    }
}

#[test]
fn every_error_says_its_text() {
    let mut texts = Texts(String::new());
    units(&mut texts);
    layouts(&mut texts);
    designs(&mut texts);
    sizes(&mut texts);
    fabrics(&mut texts);
    gates(&mut texts);
    sweeps(&mut texts);
    files(&mut texts);
    specs(&mut texts);
    imports(&mut texts);
    golden("library.txt", &texts.0);
}

fn imports(texts: &mut Texts) {
    let (key, value) = ("hidden_size".to_owned(), "\"wide\"".to_owned());
    let name = "zebra".to_owned();
    for (kind, problem) in [
        ("Format", ImportProblem::Format { reason: ": it has no `model_type`".to_owned() }),
        ("Family", ImportProblem::Family { name: name.clone() }),
        ("Approximate", ImportProblem::Approximate { name: name.clone() }),
        ("TooFar", ImportProblem::TooFar { percent: "3.1".to_owned() }),
        ("Refused", ImportProblem::Refused { name, reason: "it has stripes" }),
        ("Missing", ImportProblem::Missing { key: key.clone() }),
        ("Value", ImportProblem::Value { key, value, wanted: "a whole number" }),
        ("Misspelt", ImportProblem::Misspelt { flag: "--layer".into(), near: "--layers".into() }),
        ("Purpose", ImportProblem::Purpose { name: "bert.py".into(), reason: "trains BERT" }),
        (
            "Questions",
            ImportProblem::Questions {
                list: vec![Question {
                    place: "line 3".into(),
                    missing: "`$N` is not set".into(),
                    answer: "--env N=VALUE".into(),
                }],
            },
        ),
    ] {
        texts.says(&format!("ImportProblem::{kind}"), &problem);
    }
}

fn units(texts: &mut Texts) {
    let mut refused = |error: UnitError| {
        texts.says("UnitError", &format_args!("{} | {}", error.message, error.hint));
    };
    refused(parse_bandwidth("fast").expect_err("no number"));
    refused(parse_bandwidth("400").expect_err("no unit"));
    refused(parse_bandwidth("400 Gbps").expect_err("no such unit"));
    refused(parse_bytes("80 gib").expect_err("another case"));
    refused(parse_seconds("-1 s").expect_err("no time"));
    refused(parse_usd("$1e300").expect_err("no price"));
    refused(parse_count("many").expect_err("no count"));
}

fn layouts(texts: &mut Texts) {
    let (whole, part) = (("data", 7), ("expert", 2));
    let technique = Technique::Offload;
    for (kind, problem) in [
        ("Zero", LayoutProblem::Zero { degree: "tensor" }),
        ("Indivisible", LayoutProblem::Indivisible { whole, part }),
        ("TooManyStages", LayoutProblem::TooManyStages { layers: 10, chunks: 16 }),
        ("NoExperts", LayoutProblem::NoExperts),
        ("Interleave", LayoutProblem::Interleave { schedule: Schedule::GPipe }),
        ("ExpertGroup", LayoutProblem::ExpertGroup { expert: 3, stage: [2, 1, 4] }),
        ("NothingSharded", LayoutProblem::NothingSharded { shard: 4 }),
        ("Technique", LayoutProblem::Technique { technique, reason: "a reason".into() }),
    ] {
        texts.says(&format!("LayoutProblem::{kind}"), &problem);
    }
    let problems = vec![LayoutProblem::NoExperts];
    let memory = |legal| NoLayout::Memory {
        node: "dgx-h100".into(),
        needs: Bytes::new(100 << 30),
        has: Bytes::new(80 << 30),
        legal,
        fits: None,
    };
    for (kind, reason) in [
        ("Illegal", NoLayout::Illegal { gpus: 7, problems: Vec::new() }),
        ("Illegal", NoLayout::Illegal { gpus: 7, problems }),
        (
            "Undivided",
            NoLayout::Undivided {
                gpus: 7,
                batch: 512,
                near: Near { batches: vec![511, 518], gpus: vec![8] },
            },
        ),
        ("Gpus", NoLayout::Gpus { needs: 64, has: 32 }),
        ("Memory", memory(1)),
        ("Memory", memory(9)),
        ("Endless", NoLayout::Endless { node: "mine".into() }),
        ("TooMany", NoLayout::TooMany { most: 250_000_000 }),
    ] {
        texts.says(&format!("NoLayout::{kind}"), &reason);
    }
    for (kind, problem) in [
        ("NoRelation", FilterProblem::NoRelation),
        ("Key", FilterProblem::Key("tensr".into())),
        ("Value", FilterProblem::Value { key: "tensor", value: "many".into() }),
        ("Value", FilterProblem::Value { key: "sequence_parallel", value: "2".into() }),
        ("Value", FilterProblem::Value { key: "recompute", value: "some".into() }),
        ("Value", FilterProblem::Value { key: "schedule", value: "fast".into() }),
        ("Value", FilterProblem::Value { key: "order", value: "tp".into() }),
        ("Unordered", FilterProblem::Unordered("recompute")),
    ] {
        texts.says(&format!("FilterProblem::{kind}"), &problem);
    }
}

fn designs(texts: &mut Texts) {
    use design::Infeasible as No;
    let moved = |limit: &str, has, needs| LimitMove {
        limit: limit.into(),
        has,
        needs,
        one_of_several: false,
        then: None,
    };
    let clash = vec![
        moved(
            "limits.budget",
            Amount::Money(Usd::from_f64(1e6)),
            Amount::Money(Usd::from_f64(2e6)),
        ),
        moved(
            "limits.power",
            Amount::Power(Watts::from_f64(1e6)),
            Amount::Power(Watts::from_f64(2e6)),
        ),
        moved(
            "limits.days",
            Amount::Days(Seconds::from_f64(9e5).as_days()),
            Amount::Days(Seconds::from_f64(1e6).as_days()),
        ),
        moved(
            "limits.step_time",
            Amount::Time(Seconds::from_f64(5.0)),
            Amount::Time(Seconds::from_f64(6.0712)),
        ),
        moved("objective.max_slowdown", Amount::Number(1.01), Amount::Number(1.2)),
        moved("limits.across_rails", Amount::Share(0.5), Amount::Share(0.25)),
        moved("limits.supply.qm9700", Amount::Count(3), Amount::Count(4)),
    ];
    let slow = No::Slow {
        limit: "limits.step_time",
        has: Seconds::from_f64(1.0),
        best: Seconds::from_f64(1.5),
    };
    let low = Rack::with_height(4);
    let weak = Rack { power: Some(Watts::from_f64(5e3)), ..Rack::with_height(42) };
    let unmet = No::Limits {
        budget: Some((Usd::from_f64(1e6), Usd::from_f64(2e6))),
        power: None,
        network: Vec::new(),
    };
    for (kind, reason) in [
        ("Layout", No::Layout(NoLayout::Gpus { needs: 64, has: 32 })),
        (
            "HostMemory",
            No::HostMemory {
                node: "dgx-h100".into(),
                needs: Bytes::new(5 << 40),
                has: Bytes::new(4 << 40),
            },
        ),
        ("Several", No::Several),
        ("Dearer", No::Dearer),
        ("Interrupted", No::Interrupted),
        ("NoSpace", No::NoSpace { node: "mine".into() }),
        ("Hall", No::Hall(HallProblem::Rows { needs: 12, has: 8 })),
        (
            "RackPower",
            No::RackPower { node: "dgx-h100".into(), needs: Watts::from_f64(1e4), has: low },
        ),
        (
            "RackPower",
            No::RackPower { node: "dgx-h100".into(), needs: Watts::from_f64(1e4), has: weak },
        ),
        ("Racks", No::Racks { needs: 417, has: 400 }),
        ("NoSwitch", No::NoSwitch { endpoints: 1 << 20, gigabits: 800 }),
        ("NoMember", No::NoMember { family: "zcube", endpoints: 1 << 20, gigabits: 400 }),
        ("Unrouted", No::Unrouted { reason: NotRouted::NoNic.to_string() }),
        ("Ports", No::Ports { nic: "bf3-400g".into(), needs: 2 }),
        (
            "NoLink",
            No::NoLink {
                node: "dgx-a100-80gb".into(),
                nic: "hdr-200g".into(),
                cage: "qsfp56",
                protocol: "Ethernet",
                gigabits: 200,
                end: Box::new(FreeEnd::Cages { cages: vec!["osfp-twin"] }),
            },
        ),
        ("Irregular", No::Irregular),
        ("Slow", slow.clone()),
        ("Across", No::Across { needs: 0.25 }),
        ("Apart", No::Apart { asked: 0.5 }),
        ("Stands", No::Stands { pace: 0.5 }),
        (
            "Limits",
            No::Limits {
                budget: Some((Usd::from_f64(1e6), Usd::from_f64(2e6))),
                power: Some((Watts::from_f64(1e6), Watts::from_f64(2e6))),
                network: vec![LimitNeed::Power {
                    has: Watts::from_f64(1e6),
                    needs: Watts::from_f64(2e6),
                }],
            },
        ),
        ("Clash", No::Clash(clash[..1].to_vec())),
        ("Clash", No::Clash(clash.clone())),
        ("Together", No::Together(clash[..2].to_vec())),
        ("Together", No::Together(Vec::new())),
        ("Workload", No::Workload { name: "small".into(), reason: Box::new(slow.clone()) }),
        ("Scenario", No::Scenario { name: "2 jobs".into(), reason: Box::new(slow.clone()) }),
        ("Stage", No::Stage { year: 1.5, reason: Box::new(slow) }),
        ("Late", No::Late { reason: Box::new(unmet.clone()) }),
        ("Unfinished", No::Unfinished { tried: 200, reason: Box::new(unmet) }),
        ("Unknown", No::Unknown),
    ] {
        texts.says(&format!("design::Infeasible::{kind}"), &reason);
    }
    let node = || "mine".to_owned();
    let draws = Watts::from_f64(12e3);
    let halls = [
        ("NoMachineSpace", HallProblem::NoMachineSpace { node: node() }),
        ("NoSwitchSpace", HallProblem::NoSwitchSpace { model: node() }),
        ("TooBig", HallProblem::TooBig { part: node(), units: 8, power: draws, rack: weak }),
        ("TooBig", HallProblem::TooBig { part: node(), units: 0, power: draws, rack: low }),
        ("Rows", HallProblem::Rows { needs: 12, has: 8 }),
    ];
    for (kind, problem) in &halls {
        texts.says(&format!("HallProblem::{kind}"), problem);
    }
    let [_, _, _, _, (_, rows)] = halls;
    let unwired = WiringProblem::CountsOnly(FabricKind::Torus);
    texts.says("NotInstalled::Wiring", &NotInstalled::Wiring(unwired));
    texts.says("NotInstalled::Hall", &NotInstalled::Hall(rows));
    let problem = FabricProblem::NoEndpoints;
    texts.says("WiringProblem::CountsOnly", &WiringProblem::CountsOnly(FabricKind::Dragonfly));
    texts.says("WiringProblem::Fabric", &WiringProblem::Fabric(problem));
    let no = FailureProblem::NoSuchSwitch("leaf-9".into());
    texts.says(
        "AftermathProblem::Wiring",
        &AftermathProblem::Wiring(WiringProblem::CountsOnly(FabricKind::Torus)),
    );
    texts.says("AftermathProblem::Failure", &AftermathProblem::Failure(no));
    texts.says(
        "AftermathProblem::Layout",
        &AftermathProblem::Layout(NoLayout::Gpus { needs: 64, has: 32 }),
    );
    for (kind, problem) in [
        ("Unknown", BaselineProblem::Unknown { name: "close".into() }),
        ("Oversubscription", BaselineProblem::Oversubscription { text: "1:7".into() }),
        ("NotOversubscribed", BaselineProblem::NotOversubscribed { name: "zcube".into() }),
    ] {
        texts.says(&format!("BaselineProblem::{kind}"), &problem);
    }
}

fn sizes(texts: &mut Texts) {
    let needs = vec![
        LimitNeed::Supply { model: "qm9700".into(), has: 3, needs: 4 },
        LimitNeed::Power { has: Watts::from_f64(1e3), needs: Watts::from_f64(2e3) },
        LimitNeed::Budget { has: Usd::from_f64(1e6), needs: Usd::from_f64(2e6) },
    ];
    use sizing::SizingInfeasible as No;
    texts.says("SizingInfeasible::NoBuild", &No::NoBuild { class: "rails".into() });
    texts.says("SizingInfeasible::Clash", &No::Clash { needs });
    texts.says("SizingInfeasible::Unknown", &No::Unknown);
}

fn fabrics(texts: &mut Texts) {
    for (kind, problem) in [
        ("NoEndpoints", FabricProblem::NoEndpoints),
        ("Rails", FabricProblem::Rails { rails: 9, endpoints: 8 }),
        ("Planes", FabricProblem::Planes { planes: 99, most: 16 }),
        ("Domains", FabricProblem::Domains { nics: 72, rails: 16, common: 8 }),
        ("Domains", FabricProblem::Domains { nics: 7, rails: 8, common: 1 }),
        ("Radix", FabricProblem::Radix { radix: 7 }),
        ("TooSlow", FabricProblem::TooSlow { switch: "qm8700".into(), gigabits: 800 }),
        ("Split", FabricProblem::Split { down: 60, up: 60, radix: 64 }),
        (
            "TooManyEndpoints",
            FabricProblem::TooManyEndpoints { endpoints: 99_999, radix: 64, tiers: 1 },
        ),
        (
            "TooManyEndpoints",
            FabricProblem::TooManyEndpoints { endpoints: 99_999, radix: 64, tiers: 2 },
        ),
        ("NoSuchSize", FabricProblem::NoSuchSize { reason: "a reason of the family" }),
    ] {
        texts.says(&format!("FabricProblem::{kind}"), &problem);
    }
    for (kind, problem) in [
        ("Nothing", HbProblem::Nothing),
        ("OneLevel", HbProblem::OneLevel { gpus: 144, ports: 72 }),
        ("TwoLevels", HbProblem::TwoLevels { gpus: 5_000, ports: 72, taper: 2 }),
        ("Twin", HbProblem::Twin { gpus: 7, ports: 72 }),
        ("Neighbours", HbProblem::Neighbours { gpus: 20, neighbours: 19, links: 18 }),
        ("Square", HbProblem::Square { gpus: 8 }),
        ("Grid", HbProblem::Grid { gpus: 14 }),
        ("Ring", HbProblem::Ring { gpus: 8, hops: 4 }),
        ("TooManyLinks", HbProblem::TooManyLinks { links: 5_000_000, most: HbGraph::MOST_LINKS }),
    ] {
        texts.says(&format!("HbProblem::{kind}"), &problem);
    }
    let such = FailureProblem::NoSuch { what: "domain 7".into(), has: "4 domains".into() };
    for (kind, problem) in [
        ("Unreadable", FailureProblem::Unreadable("leaf-3".into())),
        ("NoSuchSwitch", FailureProblem::NoSuchSwitch("leaf-99".into())),
        ("NoSuchLink", FailureProblem::NoSuchLink("leaf-1".into(), "leaf-2".into())),
        ("NoSuch", such),
    ] {
        texts.says(&format!("FailureProblem::{kind}"), &problem);
    }
    texts.says("RoutingProblem::NoSpine", &RoutingProblem::NoSpine { bytes: Bytes::new(7) });
    texts.says("RoutingProblem::NoEndpoints", &RoutingProblem::NoEndpoints);
    texts.says("NotRouted::NoWay", &NotRouted::NoWay { label: "expert all-to-all" });
    texts.says("NotRouted::TooMany", &NotRouted::TooMany { messages: 99 });
    texts.says("NotRouted::NoNic", &NotRouted::NoNic);
    let file = || "rank0.json".to_owned();
    let (place, reason) = ("line 7".to_owned(), "`bytes` is no whole number".to_owned());
    for (kind, problem) in [
        ("Unknown", RecordingProblem::Unknown { file: file() }),
        ("TooLong", RecordingProblem::TooLong { file: file() }),
        ("Json", RecordingProblem::Json { file: file(), line: 7, reason: "an end".into() }),
        ("Call", RecordingProblem::Call { file: file(), place, reason }),
        ("Empty", RecordingProblem::Empty),
    ] {
        texts.says(&format!("RecordingProblem::{kind}"), &problem);
    }
    let file = || "runs.csv".to_owned();
    for (kind, problem) in [
        ("Unknown", StepsProblem::Unknown { file: file() }),
        ("Line", StepsProblem::Line { file: file(), line: 3, reason: "`x` is no time".into() }),
        ("NoSteps", StepsProblem::NoSteps { file: file(), line: 1 }),
        (
            "Test",
            StepsProblem::Test {
                file: file(),
                line: 8,
                reason: "several ran".into(),
                hint: "run one",
            },
        ),
    ] {
        let text = format!("{problem} | {}", problem.hint());
        texts.says(&format!("StepsProblem::{kind}"), &text);
    }
}

fn gates(texts: &mut Texts) {
    let unknown = QuantityError::Unknown { name: "capx".into(), known: Vec::new() };
    let keys = vec!["cost.capex_usd".to_owned(), "cost.network_capex_usd".to_owned()];
    texts.says("QuantityError::Unknown", &unknown);
    texts.says("QuantityError::Ambiguous", &QuantityError::Ambiguous { name: "usd".into(), keys });
    let threshold = parse_seconds("5 parsecs").expect_err("no time");
    for (kind, error) in [
        ("Shape", RuleError::Shape { text: "capex".into() }),
        ("Name", RuleError::Name { name: "ca pex".into() }),
        ("Threshold", RuleError::Threshold(threshold)),
        ("Unsigned", RuleError::Unsigned { text: "2%".into() }),
    ] {
        texts.says(&format!("RuleError::{kind}"), &format_args!("{error} | {}", error.hint()));
    }
    let unit = RuleProblemKind::Unit {
        threshold: "an amount of money",
        key: "step.time_s".into(),
        unit: Unit::Time,
    };
    for (kind, problem) in [("Quantity", RuleProblemKind::Quantity(unknown)), ("Unit", unit)] {
        let problem = RuleProblem { rule: "step.time_s>+$5".into(), kind: problem };
        let text = format!("{problem} | {}", problem.hint());
        texts.says(&format!("RuleProblemKind::{kind}"), &text);
    }
}

fn sweeps(texts: &mut Texts) {
    for (kind, problem) in [
        ("Shape", PlotError::Shape),
        ("NoSuch", PlotError::NoSuch { name: "steps".into() }),
        ("NoNumbers", PlotError::NoNumbers { x: "cluster.node".into(), y: "step.time_s".into() }),
    ] {
        texts.says(&format!("PlotError::{kind}"), &problem);
    }
    for (kind, error) in [
        ("Shape", GridError::Shape { text: "cluster.gpus".into() }),
        ("Twice", GridError::Twice { key: "cluster.gpus".into() }),
        ("TooMany", GridError::TooMany { points: 2_000_000 }),
        ("TooMany", GridError::TooMany { points: usize::MAX }),
        ("Empty", GridError::Empty),
    ] {
        texts.says(&format!("GridError::{kind}"), &format_args!("{error} | {}", error.hint()));
    }
    let different =
        |what| MergeError::Different { file: "three.json".into(), other: "two.json".into(), what };
    for what in [
        Mismatch::Version,
        Mismatch::Catalogue,
        Mismatch::Build,
        Mismatch::Question,
        Mismatch::Name,
        Mismatch::Axes,
        Mismatch::Columns,
        Mismatch::Objectives,
    ] {
        let error = different(what);
        texts.says("MergeError::Different", &format_args!("{error} | {}", error.hint()));
    }
    let direction = WishError::Direction { name: "capex".into(), found: "up".into() };
    let unstated = WishError::Unstated { key: "cluster.gpus".into() };
    for (kind, error) in [("Direction", direction), ("Unstated", unstated)] {
        texts.says(&format!("WishError::{kind}"), &format_args!("{error} | {}", error.hint()));
    }
    let contradiction = |other: &str| MergeError::Contradiction {
        file: "three.json".into(),
        other: other.into(),
        point: 7,
    };
    for (kind, error) in [
        ("Empty", MergeError::Empty),
        ("Contradiction", contradiction("two.json")),
        ("Contradiction", contradiction("three.json")),
        ("Missing", MergeError::Missing { points: 1, shard: "3/8".into() }),
        ("Missing", MergeError::Missing { points: 9, shard: "3/8".into() }),
    ] {
        texts.says(&format!("MergeError::{kind}"), &format_args!("{error} | {}", error.hint()));
    }
    let error = Shard::parse("9/8").expect_err("there are eight");
    texts.says("ShardError", &error);
}

fn files(texts: &mut Texts) {
    for (kind, problem) in [
        ("TooLarge", ResultProblem::TooLarge { bytes: 9, most: 8 }),
        ("TooMany", ResultProblem::TooMany { what: "figures", has: 9, most: 8 }),
        ("NotUtf8", ResultProblem::NotUtf8),
        ("Json", ResultProblem::Json { message: "EOF at line 1 column 2".into() }),
        ("NoResult", ResultProblem::NoResult),
        (
            "Schema",
            ResultProblem::Schema { found: "planner/step/1".into(), wanted: "planner/design/1" },
        ),
        ("Untold", ResultProblem::Untold),
        ("Value", ResultProblem::Value { key: "cost.capex_usd".into() }),
        ("Sum", ResultProblem::Sum { key: "cost.capex_usd".into(), stated: 1.0, parts: 2.5 }),
        (
            "Digest",
            ResultProblem::Digest { stated: "fnv1a-64:0".into(), found: "fnv1a-64:1".into() },
        ),
    ] {
        let text = format!("{problem} | {}", problem.hint());
        texts.says(&format!("ResultProblem::{kind}"), &text);
    }
    let writer = std::io::Error::other("the disk is full");
    for (kind, error) in [
        ("Writer", ExportError::Writer(writer)),
        ("TooLarge", ExportError::TooLarge { gpus: 9, size: 99, most: 9 }),
        ("Picture", ExportError::Picture(png::EncodingError::LimitsExceeded)),
    ] {
        texts.says(&format!("ExportError::{kind}"), &error);
    }
    let (column, value) = ("gpus".to_owned(), "many".to_owned());
    for (kind, problem) in [
        ("Field", DataProblem::Field { line: 3, column, value }),
        ("Unknown", DataProblem::Unknown { what: "model", name: "gpt9".into() }),
        ("Layout", DataProblem::Layout { id: "row".into(), rules: "a rule".into() }),
    ] {
        texts.says(&format!("DataProblem::{kind}"), &problem);
    }
}

fn specs(texts: &mut Texts) {
    let names = || vec!["gpus".to_owned(), "node".to_owned()];
    let unknown = |section: &str, elsewhere: Option<&str>| ProblemKind::UnknownKey {
        name: "nod".into(),
        section: section.into(),
        known: names(),
        elsewhere: elsewhere.map(str::to_owned),
    };
    let layout = |problem| ProblemKind::Layout { problem, fits: "what would fit".into() };
    let technique = Technique::Sil;
    let refused = LayoutProblem::Technique { technique, reason: "a reason".into() };
    let syntax = |message: &str| ProblemKind::Syntax { message: message.into() };
    let quantity = parse_bandwidth("400").expect_err("no unit");
    for (kind, problem) in [
        ("Empty", ProblemKind::Empty),
        ("TooLarge", ProblemKind::TooLarge { bytes: 9, most: 8 }),
        ("NotUtf8", ProblemKind::NotUtf8 { at: 7 }),
        ("Nul", ProblemKind::Nul),
        ("Json", ProblemKind::Json),
        ("Syntax", syntax("unclosed table")),
        ("Syntax", syntax("duplicate key")),
        ("Syntax", syntax("string values must be quoted")),
        ("Syntax", syntax("recursion limit")),
        ("NotAnOverride", ProblemKind::NotAnOverride),
        ("NotAValue", ProblemKind::NotAValue),
        ("NotATable", ProblemKind::NotATable),
        ("UnknownKey", unknown("", None)),
        ("UnknownKey", unknown("cluster", None)),
        ("UnknownKey", unknown("cluster", Some("training.nod"))),
        (
            "WrongType",
            ProblemKind::WrongType { found: "text", wanted: "a count".into(), example: "\"300B\"" },
        ),
        ("Quantity", ProblemKind::Quantity(quantity)),
        ("OutOfRange", ProblemKind::OutOfRange { value: "9".into(), wanted: "1 to 8".into() }),
        ("NotOneOf", ProblemKind::NotOneOf { value: "nod".into(), allowed: names() }),
        (
            "UnknownName",
            ProblemKind::UnknownName { what: "switch", name: "far away".into(), known: names() },
        ),
        (
            "Missing",
            ProblemKind::Missing { meaning: "what it is".into(), hint: "add `gpus = 8`".into() },
        ),
        ("Layout", layout(LayoutProblem::NoExperts)),
        ("Layout", layout(refused)),
        (
            "Contradiction",
            ProblemKind::Contradiction { message: "both".into(), hint: "one of them".into() },
        ),
    ] {
        let problem = Problem { key: "cluster.gpus".into(), kind: problem, place: None };
        let (hint, label) = (problem.hint(), problem.caret_label());
        texts.says(&format!("ProblemKind::{kind}"), &format_args!("{problem} | {hint} | {label}"));
    }
}

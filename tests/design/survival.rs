//! Networks that survive losses: every link and switch is taken out of what was wired, one after another, by
//! a walk that knows nothing of how networks are sized.

use planner::design::{
    FailureRequest, Infeasible, Plan, Warning, after_failures, compare_reliability,
    design_with_default_rules, wiring,
};
use planner::fabric::{FabricNode, Failure};
use planner::reliability::{Trays, poisson_quantile};
use planner::scenario::Scenario;
use planner::sizing::Options;
use planner::spec::{SpecText, read_scenario};

use crate::design::reliability::{Chance, Wires, drawn};
use crate::support::cases::drawn_cases;
use crate::support::scenario::{design, ready};

/// The most NICs that any HB domain loses by the loss of a link, and by that of a switch.
pub(crate) fn worst(plan: &Plan) -> (u32, u32) {
    let graph = wiring(plan).expect("small fabrics are wired");
    let wires = Wires::from_graph(&graph);
    let most = |apart: Vec<u32>| {
        let mut lost = std::collections::BTreeMap::<u32, u32>::new();
        for domain in apart {
            *lost.entry(domain).or_default() += 1;
        }
        lost.into_values().max().unwrap_or(0)
    };
    let links = graph.cables().map(|(low, high, _)| most(wires.apart(None, Some((low, high)))));
    let switches = wires.nodes.iter().enumerate();
    let switches = switches.filter(|(_, node)| matches!(node, FabricNode::Switch { .. }));
    let switches = switches.map(|(number, _)| most(wires.apart(Some(number), None)));
    (links.max().unwrap_or(0), switches.max().unwrap_or(0))
}

/// The least pace that routing finds after the loss of some switches and uplinks, over that on a
/// non-blocking network; only of those that stop nothing.
fn least_routed(scenario: &Scenario, plan: &Plan, chance: &mut Chance) -> f64 {
    let graph = wiring(plan).expect("small fabrics are wired");
    let name = |number: usize| graph.node(number).map(FabricNode::name).unwrap_or_default();
    let switches = graph.nodes().filter_map(|node| match node {
        FabricNode::Switch { .. } => Some(Failure::Switch(node.name())),
        _ => None,
    });
    let single = graph.cables().filter(|(_, _, cable)| cable.links == 1);
    let cables = single.map(|(low, high, _)| Failure::Cable(name(low), name(high)));
    let all: Vec<Failure> = switches.chain(cables).collect();
    let reference = plan.step.time.total_time() / plan.step.slowdown;
    let mut least = 1.0_f64;
    for _ in 0..4 {
        let named = vec![all[chance.below(all.len())].clone()];
        let failing = FailureRequest { named, drawn: None };
        let fallen = after_failures(scenario, plan, &graph, &failing).expect("the part exists");
        if fallen[0].left.stopped.is_empty() {
            least = least.min(reference / fallen[0].lead.after);
        }
    }
    least
}

/// Of designs that have to survive losses no domain loses all of its NICs by any of them, and the pace that
/// is asked for is left; what the report says is left is no more than what routing finds.
/// PLANNER_CASES says how many.
#[test]
fn no_loss_that_has_to_be_survived_cuts_a_domain_off() {
    let cases = drawn_cases(16);
    let mut chance = Chance(18);
    let (mut designed, mut cheaper) = (0, 0);
    for case in 0..cases {
        let pace = [0.3, 0.6, 0.9][chance.below(3)];
        let before = Chance(chance.0);
        let stated = format!("limits.survive_pace={pace}");
        let survive = "limits.survive=[\"any-link\", \"any-switch\"]";
        let scenario = drawn(&mut chance, &[survive, stated.as_str()]);
        let free = drawn(&mut Chance(before.0), &["limits.survive=\"nothing\""]);
        let Ok(plan) = design(&scenario) else { continue };
        designed += 1;
        let least = design(&free).expect("there is one with less to survive");
        assert!(least.cost.capex.get() <= plan.cost.capex.get() * (1.0 + 1e-9), "case {case}");
        cheaper += usize::from(least.cost.capex < plan.cost.capex);
        let (links, switches) = worst(&plan);
        let nics = plan.nodes.node.nics;
        assert!(links < nics && switches < nics, "case {case}: {links} and {switches} of {nics}");
        let left = plan.failures.pace_left.expect("losses are named");
        assert!(left >= pace * (1.0 - 1e-9), "case {case}: {left} of {pace}");
        let routed = least_routed(&scenario, &plan, &mut chance);
        assert!(
            routed >= left - 0.01,
            "case {case}: routing leaves {routed}, the report has {left}"
        );
    }
    assert!(designed > 4 && cheaper > 0, "{designed}, {cheaper} of them dearer for it");
}

/// A layout that needs little of its network.
pub(crate) const STATED: &[&str] = &["parallelism.tensor=8", "parallelism.pipeline=1"];

/// Leaf switches may have as few uplinks as they like.
const FREE: &str = "limits.max_oversubscription=0";

/// 70 billion parameters on so many H100 with one port a NIC.
pub(crate) fn one_plane(gpus: u32, more: &[&str]) -> Scenario {
    let mut changes = vec![
        format!("cluster.gpus={gpus}"),
        format!("training.global_batch={}", gpus / 4),
        "model.preset=\"llama3-70b\"".to_owned(),
        "cluster.max_planes=1".to_owned(),
        "objective.minimize=capex".to_owned(),
    ];
    changes.extend(more.iter().map(|text| (*text).to_owned()));
    let changes: Vec<&str> = changes.iter().map(String::as_str).collect();
    ready("starter", &changes)
}

pub(crate) fn stops(plan: &Plan) -> bool {
    plan.warnings.iter().any(|warning| matches!(warning, Warning::SinglePoint { .. }))
}

/// 8,192 H100 in one plane: the cheapest network has leaf switches with one uplink each, and one with two
/// or three costs 0.2 % of the network more.
#[test]
fn a_network_that_no_single_loss_stops_is_bought_where_it_costs_little() {
    // By ends: with modules the premium and the difference of the two answers are some thousand dollars apart.
    let ends = "cluster.links=by-end";
    let asked = one_plane(8192, &[FREE, STATED[0], STATED[1], ends]);
    let plan = design_with_default_rules(&asked, &Options::default()).expect("a design");
    assert!(planner::design::question_of_plan(&asked, &plan).limits.survive.is_some());
    let nothing = "limits.survive=\"nothing\"";
    let free = one_plane(8192, &[nothing, FREE, STATED[0], STATED[1], ends]);
    let free = design_with_default_rules(&free, &Options::default()).expect("a design");
    assert!(stops(&free) && !stops(&plan));
    let single = plan.failures.single_point.as_ref().expect("looked for");
    let without = single.without.as_ref().expect("found");
    assert!(without.chosen && without.premium.network_share <= 0.02, "{without:?}");
    let more = plan.cost.capex - free.cost.capex;
    assert!((more.get() - without.premium.more.scalar()).abs() < 0.01, "{more:?} {without:?}");
}

/// 2,048 H100 on switches of 64 ports: the cheapest rail-optimized network has one spine for everybody. What
/// avoids it costs more than the default pays, so that the report says both.
#[test]
fn a_network_that_a_single_loss_stops_says_what_would_avoid_it() {
    let own = [
        "cluster.links=by-end",
        "limits.regular=false",
        "cluster.switches=[\"qm9700\"]",
        "cluster.fabric=\"rail-optimized\"",
        FREE,
        STATED[0],
        STATED[1],
    ];
    let asked = one_plane(2048, &own);
    let plan = design_with_default_rules(&asked, &Options::default()).expect("a design");
    let question = planner::design::question_of_plan(&asked, &plan);
    assert!(stops(&plan) && question.limits.survive.is_none());
    let single = plan.failures.single_point.as_ref().expect("looked for");
    assert_eq!((single.part.as_str(), single.pieces), ("spine switch", 1));
    let without = single.without.as_ref().expect("found");
    assert!(!without.chosen && without.premium.network_share > 0.02, "{without:?}");
    let losses: Vec<String> =
        without.survive.iter().map(|loss| format!("{:?}", loss.name())).collect();
    let stated = format!("limits.survive=[{}]", losses.join(","));
    let safe =
        design(&one_plane(2048, &[&own[..], &[stated.as_str()]].concat())).expect("a design");
    assert!(!stops(&safe));
    let more = safe.cost.capex - plan.cost.capex;
    assert!((more.get() - without.premium.more.scalar()).abs() < 0.01, "{more:?} {without:?}");
}

/// GPUs of an HB domain that work and that no group of t can use, and domains with a tray out, where trays of
/// four are out 2.315 % of the time: the share of machines that were out on average in the trace behind
/// InfiniteHBD (arXiv 2502.03885). Per cent, as printed in a table of that share made apart from this program.
#[test]
fn stranded_gpus_are_those_of_a_table_made_elsewhere() {
    const NONE: f64 = f64::NAN;
    let table: [(u32, [f64; 4], f64); 9] = [
        (8, [2.26, NONE, NONE, NONE], 95.4),
        (16, [2.16, 6.63, NONE, NONE], 91.1),
        (32, [1.97, 6.23, 14.77, NONE], 82.9),
        (36, [9.18, 9.57, 10.34, NONE], 81.0),
        (64, [1.66, 5.50, 13.31, 28.94], 68.7),
        (72, [1.59, 8.97, 9.14, 9.49], 65.6),
        (144, [1.14, 4.03, 8.83, 8.86], 43.0),
        (256, [0.74, 2.64, 7.39, 17.10], 22.3),
        (576, [0.35, 1.06, 3.09, 8.42], 3.4),
    ];
    for (domain, by_group, intact) in table {
        let trays = Trays { domain, tray: 4, out: 0.02315 };
        for (group, printed) in [8, 16, 32, 64].into_iter().zip(by_group) {
            let found = 100.0 * trays.stranded_gpu_share(group);
            let apart = (found - printed).abs();
            assert!(printed.is_nan() || apart <= 0.0051, "{domain} {group}: {found} and {printed}");
        }
        let found = 100.0 * trays.share_of_time_with_gpus(domain);
        assert!((found - intact).abs() <= 0.051, "{domain}: {found} and {intact}");
    }
    // 64 of 72, as racks are used: 99.2 %.
    let rack = Trays { domain: 72, tray: 4, out: 0.02315 };
    let used =
        [72, 68, 64].map(|used| (1000.0 * rack.share_of_time_with_gpus(used)).round() / 10.0);
    assert_eq!(used, [65.6, 93.6, 99.2]);
    // 128 such racks of which 64 GPUs each are used: one rack in 128 can't give them, and four spare racks
    // suffice 99 % of the time, three do not.
    let short = 1.0 - rack.share_of_time_with_gpus(64);
    assert!((100.0 * short - 0.78).abs() < 0.005 && (128.0 * short - 1.0).abs() < 0.005, "{short}");
    assert_eq!(poisson_quantile(128.0 * short, 0.99), 4);
    // And what a design has on such racks.
    let own = ["cluster.node=\"gb200-nvl72\"", "failures.trays_out=0.02315"];
    let racks =
        [own[0], own[1], "cluster.gpus=576", "training.global_batch=1152", "parallelism.tensor=8"];
    let plan = design(&ready("starter", &racks)).expect("a design");
    assert_eq!(plan.failures.trays, Some((rack, 8)));
}

/// A link can't be lost where machines have one NIC, in one plane, and forward nothing.
#[test]
fn what_no_network_survives_is_refused_with_the_way_out() {
    let own = ["cluster.node=summit-v100", "limits.survive=any-link", "model.preset=llama3-8b"];
    let failed = design(&one_plane(24, &own)).expect_err("nothing forwards");
    let Infeasible::Clash(moves) = &failed else { panic!("{failed}") };
    assert_eq!(moves.len(), 1);
    assert_eq!(moves[0].limit, "limits.survive_pace");
}

/// Days that the network takes of a year of GPT-3 on 1,536 A100, on paper (docs/equations.md §11.5). NICs and
/// their links are alike in both fabrics. Rail-only has 8 leaf switches, a rail each; without one the job goes
/// on after a restart with 7 of 8 NICs of every machine. A full-bisection Clos has 12 of 16 machines each: without
/// one these have no NIC, more than the four that stand by, and the job waits for a day. Those four need no ports, as
/// nobody carries cables for long. What its spines and
/// uplinks take is a hundredth of that.
#[test]
fn rail_only_and_clos_lose_what_their_leaf_switches_say() {
    let scenario = ready(
        "gpt3-175b-a100-1536",
        &["cluster.links=by-end", "failures.standby=4", "failures.swap_hours=0"],
    );
    let plan = design(&scenario).expect("a design");
    let all = compare_reliability(&scenario, &plan).expect("its layout is its own");
    let clos = all.fabrics.iter().find(|year| year.name.contains("Clos")).expect("beside it");
    // 0.051 % a month; ten minutes to restart, and half the time between two checkpoints.
    let rate = 12.0 * 0.000_51;
    let stop = (600.0 + plan.failures.year.interval.get() / 2.0) / 86_400.0;
    let pace = 0.997;
    let rail_only = 8.0 * rate * (stop + 1.0 - pace);
    let full = 12.0 * rate * (stop + 1.0);
    let found = clos.report.network_days_lost() - plan.failures.network_days_lost();
    assert!((found / (full - rail_only) - 1.0).abs() < 0.02, "{found} {full} {rail_only}");
}

/// What a loss leaves, goodput and the cost of a token are of all workloads that share a cluster: which one is named
/// first changes none of them.
#[test]
fn losses_are_of_all_workloads_in_any_order() {
    let workload = |name: &str, share: f64, model: &str, batch: u32| {
        format!(
            "[[workload]]\nname = \"{name}\"\nshare = {share}\n[workload.model]\npreset = \"{model}\"\n\
             [workload.training]\nglobal_batch = {batch}\ntokens = \"1T\"\n"
        )
    };
    let dense = workload("dense", 0.6, "llama3-8b", 256);
    let experts = workload("experts", 0.4, "mixtral-8x7b", 256);
    let shared = |each: [&String; 2]| {
        let text = format!(
            "{}{}[cluster]\ngpus = 64\nnode = \"dgx-h100\"\n[limits]\nsurvive = \"any-switch\"\n\
             survive_pace = 0.5\n",
            each[0], each[1]
        );
        read_scenario(&SpecText::new("two.toml", text), &[]).expect("it is sound")
    };
    let scenarios = [shared([&dense, &experts]), shared([&experts, &dense])];
    let [one, other] =
        scenarios.each_ref().map(|given_scenario| design(given_scenario).expect("it has a design"));
    let near = |a: f64, b: f64| (a - b).abs() <= 1e-9 * a.abs();
    assert!(near(one.failures.year.goodput, other.failures.year.goodput));
    let left = |cluster_plan: &Plan| cluster_plan.failures.pace_left.expect("a loss is named");
    assert!(near(left(&one), left(&other)), "{} and {}", left(&one), left(&other));
    let tokens = |cluster_plan: &Plan| {
        cluster_plan.cost.usd_per_million_tokens.expect("it has prices").get()
    };
    assert!(near(tokens(&one), tokens(&other)));
    // Each alone on the same network: the least is left, and a loss keeps what each does by its tokens.
    let alone = [("llama3-8b", 0), ("mixtral-8x7b", 1)].map(|(model, place)| {
        let layout = &one.workloads[place].layout;
        let text = format!(
            "[model]\npreset = \"{model}\"\n[training]\nglobal_batch = 256\nmicro_batch = {}\n\
             recompute = \"{}\"\ntokens = \"1T\"\n[parallelism]\ntensor = {}\npipeline = {}\n\
             context = {}\nexpert = {}\ninterleave = {}\n[cluster]\ngpus = 64\nnode = \"dgx-h100\"\n[limits]\n\
             survive = \"any-switch\"\nsurvive_pace = 0.5\n",
            layout.micro_batch,
            layout.recompute.name(),
            layout.tensor,
            layout.pipeline,
            layout.context,
            layout.expert,
            layout.interleave,
        );
        let scenario = read_scenario(&SpecText::new("one.toml", text), &[]).expect("it is sound");
        design(&scenario).expect("it has a design")
    });
    for (plan, beside) in alone.iter().zip(&one.workloads) {
        assert_eq!(
            plan.layout.degrees_text().to_string(),
            beside.layout.degrees_text().to_string()
        );
        assert_eq!(plan.fabric, one.fabric);
    }
    let each = alone.each_ref().map(left);
    assert!(near(left(&one), each[0].min(each[1])), "{} and {each:?}", left(&one));
    assert!(!near(each[0], each[1]), "they lose as much");
    let rate = |cluster_plan: &Plan, share: f64| {
        share * cluster_plan.step.tokens as f64 / cluster_plan.step.time.total_time().get()
    };
    let rates = [rate(&alone[0], 0.6), rate(&alone[1], 0.4)];
    let kept = |cluster_plan: &Plan| -> Vec<f64> {
        let network = cluster_plan.failures.year.faults.iter().filter(|year| year.fault.network);
        network.map(|year| year.fault.kept).collect()
    };
    let (both, first, second) = (kept(&one), kept(&alone[0]), kept(&alone[1]));
    assert_eq!((both.len(), both.len()), (first.len(), second.len()));
    for ((both, first), second) in both.into_iter().zip(first).zip(second) {
        let by_tokens = (rates[0] * first + rates[1] * second) / (rates[0] + rates[1]);
        assert!(near(both, by_tokens), "{both}, and {first} and {second} make {by_tokens}");
    }
    // Each is routed after a loss.
    let graph = wiring(&one).expect("small fabrics are wired");
    let switch =
        graph.nodes().find(|node| matches!(node, FabricNode::Switch { .. })).map(FabricNode::name);
    let named = vec![Failure::Switch(switch.expect("it has switches"))];
    let all = after_failures(&scenarios[0], &one, &graph, &FailureRequest { named, drawn: None })
        .expect("it is tried");
    let names: Vec<&str> = std::iter::once(&all[0].lead)
        .chain(&all[0].others)
        .map(|step| step.name.as_str())
        .collect();
    assert_eq!(names, ["dense", "experts"]);
}

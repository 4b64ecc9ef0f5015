//! Designs of ready specs: their parts agree, limits hold or are explained, and no fabric of one
//! model that a plain search finds is cheaper.

use planner::cost::{Role, optic_price, switch_price};
use planner::design::{Infeasible, LimitMove, Plan, SolverStatus, Warning};
use planner::fabric::{FabricKind, Request, Split, SwitchChoice, tree_counts};
use planner::scenario::{FabricChoice, Scenario};
use planner::search::NoLayout;
use planner::step::Step;
use planner::timing::{NetworkModel, StepCache, step_time, step_time_with};
use planner::units::{Amount, Seconds, Usd};
use planner::workload::Dispatcher;

use crate::support::scenario::{design, ready};

const READY: [&str; 5] = [
    "starter",
    "gpt3-175b-a100-1536",
    "llama3-405b-h100-16384",
    "deepseek-v3-h800-2048",
    "gpt-1t-h100-32768",
];

/// None on standby, whatever they are worth.
const STANDBY: &str = "failures.standby=0";

/// A transceiver at each end of a link, so that all of them can be counted.
const ENDS: &str = "cluster.links=by-end";

fn plan(name: &str, changes: &[&str]) -> Plan {
    design(&ready(name, changes)).unwrap_or_else(|reason| panic!("{name}: {reason}"))
}

#[test]
fn parts_of_a_plan_agree() {
    for name in READY {
        let plan = plan(name, &[ENDS]);
        let sum = |role: Option<Role>| -> (u64, f64) {
            let lines = plan.bill.iter().filter(|line| role.is_none_or(|role| line.role == role));
            lines.fold((0, 0.0), |(n, usd), line| (n + line.count, usd + line.total.get()))
        };
        assert_eq!(sum(Some(Role::Switch)).0, plan.fabric.switch_count(), "{name}");
        assert_eq!(sum(Some(Role::Optic)).0, plan.fabric.transceiver_count(), "{name}");
        let machines = u64::from(plan.nodes.domains) + plan.failures.year.standby.domains;
        assert_eq!(sum(Some(Role::Node)).0, machines, "{name}");
        let network = sum(Some(Role::Switch)).1 + sum(Some(Role::Optic)).1;
        assert!((network - plan.cost.network_capex.get()).abs() < 0.01, "{name}");
        assert!((sum(None).1 - plan.cost.capex.get()).abs() < 0.01, "{name}");
        assert!(plan.memory.total_on_gpu() <= plan.memory_capacity, "{name}");
        assert!(plan.step.slowdown >= 1.0 - 1e-9 && plan.step.slowdown <= 1.02 + 1e-9, "{name}");
        // How much of the time trains is bounded, not proven, of networks that were not looked at.
        match plan.solver.status {
            // 32,768 GPUs in two planes: 1.4 %, as links to leaf switches take 3.7 days of a year there.
            SolverStatus::GoodputBound => assert!(plan.solver.gap < 0.015, "{name}"),
            _ => assert_eq!(plan.solver.gap, 0.0, "{name}"),
        }
    }
}

/// From the report's own two numbers: whether what a GPU has lies within 6.2 % of what is counted.
#[test]
fn memory_that_is_nearly_full_is_warned_of_and_no_other() {
    let mut seen = [false; 2];
    for (name, changes) in [
        ("starter", &[][..]),
        ("starter", &["training.recompute=full"]),
        ("starter", &["framework.preset=megatron-2024", "parallelism.spare_memory=0"]),
        ("starter", &["cluster.node=dgx-a100-40gb", "cluster.gpus=8", "training.global_batch=8"]),
        ("gpt3-175b-a100-1536", &[]),
        ("llama3-405b-h100-16384", &[]),
    ] {
        let plan = plan(name, changes);
        let (total, has) = (plan.memory.total_on_gpu().as_f64(), plan.memory_capacity.as_f64());
        let warned = plan.warnings.iter().find_map(|warning| match warning {
            Warning::MemoryTight { needs, has, .. } => Some([needs.as_f64(), has.as_f64()]),
            _ => None,
        });
        let tight = total * 1.062 > has;
        assert_eq!(warned, tight.then_some([total, has]), "{name} {changes:?}");
        seen[usize::from(tight)] = true;
    }
    assert_eq!(seen, [true; 2], "both kinds were looked at");
}

#[test]
fn the_same_scenario_gives_the_same_plan() {
    let scenario = ready("gpt3-175b-a100-1536", &[]);
    assert_eq!(planner::design::design(&scenario), planner::design::design(&scenario));
}

#[test]
fn a_limit_is_met_or_explained_by_how_much() {
    let name = "gpt3-175b-a100-1536";
    // Fewer machines on standby than are worth their price would be within a tighter budget.
    let free = plan(name, &[STANDBY, ENDS]);
    for (key, unit, needs) in
        [("limits.budget", "$", free.cost.capex.get()), ("limits.power", " W", least_power(name))]
    {
        let text = |value: f64| match unit {
            "$" => format!("{key}=\"${value:.0}\""),
            unit => format!("{key}=\"{value:.0}{unit}\""),
        };
        let tight = text(needs * 0.999);
        let (limit, stated) = clash(name, &tight);
        assert_eq!(limit, key);
        assert!((stated - needs).abs() < 1.0 + 1e-6 * needs, "{key}: {stated} against {needs}");
        let enough = text(stated.ceil());
        assert!(design(&ready(name, &[STANDBY, ENDS, &enough])).is_ok(), "{enough}");
    }
}

/// Power of the design that draws least: found by minimising with free parts.
fn least_power(name: &str) -> f64 {
    clash(name, "limits.power=\"1 W\"").1
}

/// The only limit that a design misses, and what would do in base units.
fn clash(name: &str, change: &str) -> (String, f64) {
    let reason =
        design(&ready(name, &[STANDBY, ENDS, change])).expect_err("the limit is too tight");
    let Infeasible::Clash(moves) = &reason else { panic!("{reason}") };
    let [LimitMove { limit, needs, .. }] = &moves[..] else { panic!("{reason}") };
    let needs = match needs {
        Amount::Money(usd) => usd.get(),
        Amount::Power(watts) => watts.get(),
        Amount::Time(time) => time.get(),
        other => panic!("{other:?}"),
    };
    (limit.clone(), needs)
}

/// Two limits that each could be met, and not together: both are named, and moving either to what
/// is said is enough.
#[test]
fn limits_that_clash_with_each_other_are_both_named() {
    let name = "gpt3-175b-a100-1536";
    let budget = format!("limits.budget=\"${:.0}\"", plan(name, &[]).cost.capex.get() + 1e4);
    let tight = [budget.as_str(), "limits.across_rails=1"];
    let reason = design(&ready(name, &tight)).expect_err("a spine is dearer");
    let Infeasible::Clash(moves) = &reason else { panic!("{reason}") };
    let limits: Vec<&str> = moves.iter().map(|limit_move| limit_move.limit.as_str()).collect();
    assert_eq!(limits, ["limits.budget", "limits.across_rails"], "{reason}");
    let Amount::Money(needs) = moves[0].needs else { panic!("{reason}") };
    let enough = format!("limits.budget=\"${:.0}\"", needs.get().ceil());
    assert!(design(&ready(name, &[&enough, tight[1]])).is_ok(), "{reason}");
    let short = format!("limits.budget=\"${:.0}\"", needs.get() - 2.0);
    assert!(design(&ready(name, &[&short, tight[1]])).is_err(), "{reason}");
    let Amount::Share(across) = moves[1].needs else { panic!("{reason}") };
    let enough = format!("limits.across_rails={across}");
    assert!(design(&ready(name, &[tight[0], &enough])).is_ok(), "{reason}");
}

#[test]
fn too_short_a_step_names_the_fastest() {
    let name = "gpt3-175b-a100-1536";
    let (limit, best) = clash(name, "limits.step_time=\"1 s\"");
    assert_eq!(limit, "limits.step_time");
    let shortest = format!("limits.step_time=\"{best} s\"");
    assert!(design(&ready(name, &[STANDBY, ENDS, &shortest])).is_ok(), "{best}");
    let shorter = format!("limits.step_time=\"{} s\"", best * 0.999);
    assert!(design(&ready(name, &[STANDBY, ENDS, &shorter])).is_err(), "{best}");
}

#[test]
fn a_job_that_does_not_fit_says_what_would() {
    let changes = ["parallelism.tensor=1", "parallelism.pipeline=12", "parallelism.data=128"];
    let reason = design(&ready("gpt3-175b-a100-1536", &changes)).expect_err("too large");
    let Infeasible::Layout(NoLayout::Memory { needs, has, fits, .. }) = &reason else {
        panic!("{reason}")
    };
    assert!(needs > has);
    assert!(fits.is_some(), "{reason}");
}

/// Eight domains of eight GPUs fill one 64-port switch, joined or not: of equals the one with
/// more bisection is chosen, and who insists on rails is told that they save nothing.
#[test]
fn among_equal_costs_more_bisection_wins() {
    let changes = ["cluster.gpus=64", "cluster.switches=[\"qm9700\"]", "cluster.max_planes=1"];
    let both = plan("starter", &changes);
    assert_eq!(both.fabric.kind, FabricKind::Clos);
    assert_eq!(both.fabric.switch_count(), 1);
    let rails = plan("starter", &[&changes[..], &["cluster.fabric=\"rail-only\""]].concat());
    assert_eq!(rails.fabric.kind, FabricKind::RailOnly);
    assert_eq!(rails.cost.network_capex, both.cost.network_capex);
    assert!(rails.warnings.contains(&Warning::NoRailSaving));
    assert!(!both.warnings.contains(&Warning::NoRailSaving));
}

/// Experts over several machines of eight send seven of eight bytes to another rail. Where the
/// machine can't forward them, the fabric has to.
#[test]
fn machines_that_do_not_forward_get_a_spine() {
    let changes = ["objective.minimize=capex", ENDS];
    let mut scenario = ready("deepseek-v3-h800-2048", &changes);
    scenario.workloads[0].framework.dispatcher = Dispatcher::AllToAll;
    scenario.objective.max_slowdown = Some(2.0);
    let forwarding = design(&scenario).unwrap_or_else(|reason| panic!("{reason}"));
    assert_eq!(forwarding.fabric.kind, FabricKind::RailOnly);
    scenario.cluster.nodes.iter_mut().for_each(|node| node.forwards = false);
    let plan = design(&scenario).unwrap_or_else(|reason| panic!("{reason}"));
    assert!(plan.fabric.across_rails >= 0.8, "{:?}", plan.fabric);
    assert!(plan.cost.network_capex > forwarding.cost.network_capex);
    scenario.cluster.fabric = FabricChoice::RailOnly;
    let reason = design(&scenario).expect_err("no way across rails");
    assert!(matches!(reason, Infeasible::Across { needs } if needs > 0.8), "{reason}");
}

#[test]
fn spares_are_bought_and_draw_nothing() {
    let name = "gpt3-175b-a100-1536";
    let without = plan(name, &[STANDBY, ENDS]);
    let with = plan(name, &[STANDBY, ENDS, "spares.fill_rate=0.99"]);
    assert_eq!(with.fabric, without.fabric);
    assert_eq!(with.cost.power, without.cost.power);
    assert!(with.cost.network_capex > without.cost.network_capex);
    let line = |role| with.bill.iter().find(|line| line.role == role).expect("it is on the bill");
    // λ = 8 · 0.61 % · 56/365 = 0.007 switches and 3,072 · 2 % · 56/365 = 9.4 transceivers.
    assert_eq!((line(Role::Switch).count, line(Role::Switch).spares), (8, 0));
    assert_eq!((line(Role::Optic).count, line(Role::Optic).spares), (3_089, 17));
    let owned = plan(name, &[STANDBY, ENDS, "spares.fill_rate=0.99", "inventory.sr4-200g=17"]);
    assert_eq!(owned.cost.network_capex, without.cost.network_capex, "owned spares are free");
}

#[test]
fn cost_per_token_and_capex_each_win_by_their_own_measure() {
    let capex = plan("llama3-405b-h100-16384", &["cluster.max_planes=1"]);
    let token = plan(
        "llama3-405b-h100-16384",
        &["cluster.max_planes=1", "objective.minimize=\"usd-per-token\""],
    );
    let per_token =
        |plan: &Plan| plan.cost.usd_per_million_tokens.expect("a step takes time").get();
    assert!(capex.cost.capex <= token.cost.capex);
    assert!(per_token(&token) <= per_token(&capex));
}

/// A plain search over trees of one model, timed by the clock itself: nothing of `design` but
/// the plan's layout.
#[test]
fn no_tree_of_one_model_is_cheaper() {
    for name in ["gpt3-175b-a100-1536", "llama3-405b-h100-16384", "deepseek-v3-h800-2048"] {
        let scenario = ready(name, &["objective.minimize=capex", ENDS]);
        let plan = design(&scenario).unwrap_or_else(|reason| panic!("{name}: {reason}"));
        let trees = trees(&scenario, &plan);
        let fast = trees.iter().filter(|tree| tree.time <= tree.full * 1.02);
        let cheapest = fast.map(|tree| tree.capex).fold(f64::MAX, f64::min);
        let found = plan.cost.network_capex.get();
        assert!(found <= cheapest * (1.0 + 1e-9), "{name}: {found} against {cheapest}");
        // Trees of one model are what the best design is here, as nothing is owned.
        assert!(found >= cheapest * 0.97, "{name}: {found} against {cheapest}");
    }
}

#[test]
fn no_tree_of_one_model_costs_less_per_token() {
    for name in ["gpt3-175b-a100-1536", "llama3-405b-h100-16384"] {
        let scenario = ready(name, &["objective.minimize=usd-per-token", ENDS]);
        let plan = design(&scenario).unwrap_or_else(|reason| panic!("{name}: {reason}"));
        let years = scenario.objective.years;
        let energy = plan.cost.opex_per_year.get() * years / plan.cost.power.get();
        let network = plan.cost.network_capex.get() + energy * plan.cost.network_power.get();
        let machines = plan.cost.tco.get() - network;
        let found = plan.cost.tco.get() * plan.step.time.total_time().get();
        for tree in trees(&scenario, &plan) {
            let value = (machines + tree.capex + energy * tree.power) * tree.time.get();
            let allowed = tree.time <= tree.full * 1.02;
            assert!(!allowed || found <= value * (1.0 + 1e-9), "{name}: {found} against {value}");
        }
    }
}

struct Tree {
    capex: f64,
    power: f64,
    time: Seconds,
    /// Step time on a full-bisection Clos.
    full: Seconds,
}

/// Every tree of one model for a plan's machines, priced and timed.
fn trees(scenario: &Scenario, plan: &Plan) -> Vec<Tree> {
    let node = &plan.nodes.node;
    let step = Step::new(
        &scenario.lead_workload().model,
        &scenario.lead_workload().training,
        &scenario.lead_workload().framework,
        &plan.layout,
    )
    .expect("the layout is legal");
    let time = |leaf_domains, within_rail, across_rails| {
        let network = NetworkModel {
            domain: node.gpus,
            hb: node.hb_bandwidth,
            nics: node.nics,
            nic: plan.nodes.nic.bandwidth,
            leaf_domains,
            within_rail,
            across_rails,
            planes: 1,
            forwards: node.forwards,
            has_summing_switches: node.hb_reduces,
            seats: planner::parallel::Seats::Even,
            balance: planner::timing::UplinkBalance::SPRAY,
        };
        step_time(&step, &node.gpu, &network, &scenario.lead_workload().framework).total_time()
    };
    let full = time(None, 1.0, 1.0);
    let endpoints = u64::from(plan.nodes.cabled) * u64::from(node.nics);
    let mut all = Vec::new();
    for planes in [1, 2] {
        for switch in &scenario.catalogue.switches {
            let Some(unit) = switch_price(&scenario.prices, switch) else { continue };
            for kind in [FabricKind::RailOnly, FabricKind::RailOptimized, FabricKind::Clos] {
                let choice = SwitchChoice::Model(switch);
                let whole =
                    Request::new(kind, endpoints, node.nics, choice, plan.nodes.nic.bandwidth)
                        .split_into_planes(planes);
                // A few levels of each model: the clock takes milliseconds.
                let most = switch.radix(whole.link) / 2;
                for up in (1..=most.min(24)).chain([most]) {
                    let Ok(counts) = tree_counts(&whole.with_split(Split::Uplinks(up))) else {
                        continue;
                    };
                    let optic = scenario.catalogue.find_optic(counts.link);
                    let end = optic_price(&scenario.prices, optic, counts.link)
                        .map_or(Usd::ZERO, |price| price.amount);
                    let watts = optic.map_or(0.0, |optic| optic.power.get());
                    let (switches, ends) =
                        (counts.switch_count() as f64, counts.transceiver_count() as f64);
                    let levels = (counts.leaf_domains, counts.within_rail, counts.across_rails);
                    all.push(Tree {
                        capex: unit.amount.get() * switches + end.get() * ends,
                        power: switch.power.get() * switches + watts * ends,
                        time: time(levels.0, levels.1, levels.2),
                        full,
                    });
                }
            }
        }
    }
    all
}

#[test]
fn leaf_cuts_that_are_kept_change_no_step_time() {
    for (name, node) in [("llama3-405b-h100-16384", "dgx-h100"), ("starter", "gb200-nvl72")] {
        let scenario = ready(name, &[&format!("cluster.node={node}")]);
        let plan = design(&scenario).unwrap_or_else(|reason| panic!("{name}: {reason}"));
        let (node, framework) = (&plan.nodes.node, &scenario.lead_workload().framework);
        let (model, training) =
            (&scenario.lead_workload().model, &scenario.lead_workload().training);
        let step = Step::new(model, training, framework, &plan.layout).expect("it was designed");
        let (cuts, mut slower) = (StepCache::default(), 0);
        for leaf in [1, 3, 7, 7, 110, 64] {
            for within_rail in [0.02, 0.25, 1.0] {
                let nic = plan.nodes.nic.bandwidth / f64::from(leaf);
                let network = NetworkModel {
                    nic,
                    leaf_domains: Some(leaf),
                    within_rail,
                    across_rails: 0.0,
                    ..NetworkModel::non_blocking(node, &plan.nodes.nic)
                };
                let fresh = step_time(&step, &node.gpu, &network, framework);
                let kept = step_time_with(&step, &node.gpu, &network, framework, &cuts);
                assert_eq!(fresh, kept, "{name}, leafs of {leaf}, {within_rail}");
                let full =
                    NetworkModel { nic, ..NetworkModel::non_blocking(node, &plan.nodes.nic) };
                let full = step_time(&step, &node.gpu, &full, framework);
                slower += usize::from(kept.total_time() > full.total_time());
            }
        }
        assert!(slower > 0, "{name}: no border of a leaf was ever in the way");
    }
}

/// Seconds of the step that is designed for, and its micro-batch and recomputation.
fn chosen(changes: &[&str]) -> Option<(f64, u64, &'static str)> {
    let plan = design(&ready("starter", changes)).ok()?;
    let layout = &plan.layout;
    Some((plan.step.time.total_time().get(), layout.micro_batch, layout.recompute.name()))
}

#[test]
fn a_micro_batch_and_recomputation_left_open_are_the_best_of_all() {
    let jobs: [&[&str]; 3] = [
        // Small matrices fill a GPU better several at a time.
        &["model.preset=llama3-8b", "model.sequence=512", "cluster.gpus=64"],
        &["model.preset=llama3-70b", "cluster.gpus=64", "training.global_batch=64"],
        // 40 GB hold 70 billion parameters on 32 GPUs only with recomputation.
        &[
            "model.preset=llama3-70b",
            "cluster.node=dgx-a100-40gb",
            "cluster.gpus=32",
            "training.global_batch=64",
        ],
    ];
    let mut larger = false;
    let mut recomputed = Vec::new();
    for job in jobs {
        let with = |settings: &[&str]| chosen(&[job, settings].concat());
        let open = with(&[]).expect("something fits");
        let auto = with(&["training.micro_batch=auto", "training.recompute=auto"]);
        assert_eq!(auto, Some(open), "left out is auto where the degrees are: {job:?}");
        let each = ["1", "2", "4", "8", "16", "32", "64"].into_iter().flat_map(|b| {
            ["none", "selective", "full"].map(|text| {
                let stated = format!("training.micro_batch={b}");
                let found = with(&[stated.as_str(), &format!("training.recompute={text}")]);
                if let Some((_, micro_batch, recompute)) = found {
                    assert_eq!((micro_batch.to_string().as_str(), recompute), (b, text), "{job:?}");
                }
                found.map_or(f64::INFINITY, |(time, ..)| time)
            })
        });
        let best = each.fold(f64::INFINITY, f64::min);
        assert!((open.0 / best - 1.0).abs() < 1e-9, "{job:?}: {open:?}, best of each {best}");
        larger |= open.1 > 1;
        recomputed.push(open.2);
    }
    assert!(larger, "in none of the jobs a larger micro-batch was best");
    recomputed.sort_unstable();
    recomputed.dedup();
    assert!(recomputed.len() > 1, "all jobs recompute the same: {recomputed:?}");
}

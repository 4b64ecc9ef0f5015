//! Workloads with GPUs of their own: parts that share nothing are those designed alone, shared stock
//! goes where it saves most, and each part has the product that its limits ask for.

use planner::cost::Role;
use planner::design::{Infeasible, LimitWorth, Plan, SolverStatus};
use planner::scenario::Scenario;
use planner::spec::{Override, SpecText, read_scenario};
use planner::units::Usd;

use crate::support::scenario::{design, resolved};

const PARTS: &str = r#"
[[workload]]
name = "dense"
gpus = 512
model = { preset = "llama3-70b" }
training = { global_batch = 512, tokens = "1T" }
parallelism = { tensor = 8, pipeline = 4, interleave = 1 }

[[workload]]
name = "tuned"
gpus = 384
model = { preset = "llama3-8b" }
training = { global_batch = 384, micro_batch = 1 }
parallelism = { tensor = 8, pipeline = 1 }

[cluster]
node = "dgx-h100"
switches = ["qm9700", "qm8700"]
max_planes = 1

[limits]
within_rail = 1.0
"#;

fn scenario(text: &str, changes: &[&str]) -> Scenario {
    resolved(&SpecText::new("model.toml", text), changes)
}

fn sized(text: &str, changes: &[&str]) -> Result<Plan, Infeasible> {
    design(&scenario(text, changes))
}

fn plan(text: &str, changes: &[&str]) -> Plan {
    sized(text, changes).unwrap_or_else(|reason| panic!("{changes:?}: {reason}"))
}

/// The parts of a scenario, each designed alone with so much of the stock.
fn alone(scenario: &Scenario, stock: &[u64], model: &str) -> Vec<Plan> {
    let parts = scenario.cluster_questions().into_iter().zip(stock);
    parts
        .map(|(mut part, stock)| {
            part.scenario.inventory.insert(model.to_owned(), *stock);
            design(&part.scenario).unwrap_or_else(|reason| panic!("{reason}"))
        })
        .collect()
}

#[test]
fn parts_that_share_nothing_are_those_designed_alone() {
    for changes in [&[][..], &["objective.minimize=tco"], &["objective.minimize=power"]] {
        let scenario = scenario(PARTS, changes);
        assert_eq!(scenario.cluster.gpus, 896, "the sum of the parts");
        let both = design(&scenario).expect("it can be built");
        let apart = alone(&scenario, &[0, 0], "qm9700");
        assert_eq!(both.part_plans().len(), 2);
        for (part, alone) in both.part_plans().iter().zip(&apart) {
            assert_eq!(part.plan.fabric, alone.fabric, "{}", part.name);
            assert_eq!(part.plan.layout, alone.layout, "{}", part.name);
            assert_eq!(part.plan.step, alone.step, "{}", part.name);
        }
        let sum: Usd = apart.iter().map(|plan| plan.cost.capex).sum();
        assert!((both.cost.capex / sum - 1.0).abs() < 1e-12);
        let lines: Usd = both.bill.iter().map(|line| line.total).sum();
        assert!((both.cost.capex / lines - 1.0).abs() < 1e-12);
        let gpus = both.bill.iter().filter(|line| line.role == Role::Node).map(|line| line.count);
        assert_eq!(gpus.sum::<u64>(), 112, "one line for machines of both parts, none stands by");
    }
}

/// Every way to divide the stock, each part designed alone with its share: none costs less than the
/// program over both, and one costs as much.
#[test]
fn shared_stock_goes_where_it_saves_most() {
    for stock in [1_u64, 3, 6, 9] {
        let owned = format!("inventory.qm9700={stock}");
        let scenario = scenario(PARTS, &[&owned]);
        let both = design(&scenario).expect("it can be built");
        let divided = (0..=stock).map(|first| {
            let parts = alone(&scenario, &[first, stock - first], "qm9700");
            parts.iter().map(|plan| plan.cost.capex.get()).sum::<f64>()
        });
        let least = divided.fold(f64::INFINITY, f64::min);
        let found = both.cost.capex.get();
        assert!((found - least).abs() <= 0.01, "{stock}: ${found}, by division ${least}");
        let owned: u64 = both.bill.iter().map(|line| line.owned).sum();
        assert!(owned <= stock, "{owned} of {stock}");
    }
}

#[test]
fn a_limit_on_power_holds_for_all_parts_together() {
    let free = plan(PARTS, &[]);
    let watts = free.cost.power.get();
    let enough = format!("limits.power={} W", watts.ceil());
    assert_eq!(plan(PARTS, &[&enough]).cost.capex, free.cost.capex);
    let least = plan(PARTS, &["objective.minimize=power"]).cost.power.get();
    assert!(least <= watts);
    let short = format!("limits.power={} W", (least * 0.999).floor());
    match sized(PARTS, &[&short]) {
        Err(Infeasible::Clash(moves)) => {
            let [limit_move] = moves.as_slice() else { panic!("{moves:?}") };
            let (has, needs) = (limit_move.has.scalar(), limit_move.needs.scalar());
            assert!(needs > has && (needs / least - 1.0).abs() < 1e-3, "{needs:?} {least}");
        }
        other => panic!("{:?}", other.map(|plan| plan.cost.power)),
    }
}

/// One more switch of a model that is short saves what the design with it costs less.
#[test]
fn a_scarce_switch_is_worth_what_it_saves_both_parts() {
    let dear = format!(
        "{PARTS}\n[hardware.switches.dear]\nports = 64\nport_speed = \"400 Gb/s\"\n\
         power = \"1.7 kW\"\nprice = \"$90k\"\nprotocol = \"infiniband\"\n"
    );
    let dear = dear.replace("\"qm8700\"", "\"dear\"");
    let free = plan(&dear, &[]);
    let used: u64 =
        free.bill.iter().filter(|line| line.part == "qm9700").map(|line| line.count).sum();
    let supply = |count: u64| format!("limits.supply.qm9700={count}");
    let short = plan(&dear, &[&supply(used - 1)]);
    let saved = short.cost.capex - free.cost.capex;
    assert!(saved > Usd::ZERO, "the other model costs more");
    let bound = short.solver.binding.iter().find(|limit| limit.limit == "limits.supply.qm9700");
    match bound.map(|limit| limit.worth.clone()) {
        Some(LimitWorth::Moved { saved: worth, needs: Some(needs), .. }) => {
            assert_eq!(needs.scalar(), used as f64);
            assert!((worth.scalar() - saved.get()).abs() < 0.01, "{worth:?} against {saved:?}");
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn each_part_has_the_product_that_its_limits_ask_for() {
    let two = ["cluster.node=[\"dgx-h100\", \"gb200-nvl72\"]", "cluster.switches=sn5610"];
    let cheap = plan(PARTS, &two);
    let products = |plan: &Plan| -> Vec<String> {
        plan.part_plans().iter().map(|part| part.plan.nodes.node.name.clone()).collect()
    };
    assert_eq!(products(&cheap), ["dgx-h100", "dgx-h100"]);
    let step = cheap.part_plans()[0].plan.step.time.total_time().get();
    let hurried =
        PARTS.replace("gpus = 512", &format!("gpus = 512\nstep_time = \"{} s\"", step * 0.8));
    let mixed = plan(&hurried, &two);
    assert_eq!(products(&mixed), ["gb200-nvl72", "dgx-h100"]);
    assert!(mixed.cost.capex > cheap.cost.capex);
    let both = |alternative: &planner::design::Alternative| {
        alternative.name.matches("gb200-nvl72").count() == 2
    };
    let other =
        mixed.alternatives.iter().find(|alternative| both(alternative)).expect("racks for both");
    assert!(other.capex_change >= Usd::ZERO, "{other:?}");
}

/// 64 and 48 machines, 64 of them owned: 48 have to be bought, whichever part they are for. A budget
/// below the bill has no design, one at the bill has this one.
#[test]
fn a_machine_in_stock_serves_one_part_and_the_budget_knows_it() {
    let owned = ["inventory.dgx-h100=64"];
    let whole = plan(PARTS, &owned);
    let machines = |cluster_plan: &Plan| -> u64 {
        let nodes = cluster_plan.bill.iter().filter(|line| line.role == Role::Node);
        nodes.map(|line| line.count - line.owned).sum()
    };
    assert_eq!(machines(&whole), 112 - 64, "none stands by");
    let capex = whole.cost.capex.get();
    let budget = |share: f64| format!("limits.budget=${:.0}k", capex * share / 1000.0);
    let at = plan(PARTS, &[owned[0], &budget(1.001)]);
    assert_eq!(at.cost.capex, whole.cost.capex);
    let below = sized(PARTS, &[owned[0], &budget(0.9)]);
    let Err(Infeasible::Clash(moves)) = below else {
        panic!("{:?}", below.map(|cluster_plan| cluster_plan.cost))
    };
    let needs = moves.first().map_or(0.0, |limit_move| limit_move.needs.scalar());
    assert!((needs - capex).abs() <= 1.0, "{needs} for {capex}");
}

/// Twelve parts with every product open: more choices than a machine can hold, of which each part's
/// best alone is the best together, as nothing is shared.
#[test]
fn as_many_parts_as_one_likes_are_weighed_without_trying_every_choice() {
    let part = |number: usize| {
        format!(
            "[[workload]]\nname = \"w{number}\"\ngpus = 256\nmodel = {{ preset = \"llama3-8b\" }}\n\
             training = {{ global_batch = 512 }}\nparallelism = {{ tensor = 8, pipeline = 1 }}\n"
        )
    };
    let parts = |count: usize| format!("[cluster]\n{}", (0..count).map(part).collect::<String>());
    let one = plan(&parts(1), &[]);
    let twelve = plan(&parts(12), &[]);
    assert_eq!(twelve.solver.status, SolverStatus::Optimal);
    assert_eq!(twelve.solver.gap, 0.0);
    let expected = one.cost.capex.get() * 12.0;
    assert!((twelve.cost.capex.get() - expected).abs() < 0.1, "{expected}");
    assert!(!twelve.alternatives.is_empty(), "other products for a part");
    assert!(twelve.alternatives.iter().all(|alternative| alternative.capex_change >= Usd::ZERO));
}

/// Stock that all parts would take leaves sums of their bounds far below what they cost together:
/// where the budget of choices ends, the answer has a gap and is not called optimal.
#[test]
fn an_answer_that_is_not_proven_has_a_gap() {
    let part = |number: usize| {
        format!(
            "[[workload]]\nname = \"w{number}\"\ngpus = 256\nmodel = {{ preset = \"llama3-8b\" }}\n\
             training = {{ global_batch = 512 }}\nparallelism = {{ tensor = 8, pipeline = 1 }}\n"
        )
    };
    let text = format!(
        "[cluster]\nnode = \"dgx-h100\"\n[inventory]\nqm9700 = 8\n{}",
        (0..24).map(part).collect::<String>()
    );
    let stocked = plan(&text, &[]);
    let bare = plan(&text, &["inventory.qm9700=0"]);
    assert!(stocked.cost.capex < bare.cost.capex, "the stock saves something");
    assert_eq!(bare.solver.status, SolverStatus::Optimal);
    assert_eq!(stocked.solver.status, SolverStatus::NodeLimit);
    assert!(stocked.solver.gap > 0.0 && stocked.solver.gap < 0.2, "{}", stocked.solver.gap);
}

#[test]
fn what_parts_can_not_be_is_refused() {
    let refused = |text: &str, changes: &[&str]| {
        let changes: Vec<Override> = changes.iter().map(|text| Override::new(*text)).collect();
        let source = SpecText::new("model.toml", text);
        read_scenario(&source, &changes).expect_err("it makes no sense").render(false)
    };
    let half = refused(&PARTS.replace("gpus = 384\n", ""), &[]);
    assert!(half.contains("state `gpus` for all workloads or none"), "{half}");
    let share = refused(&PARTS.replace("gpus = 384", "gpus = 384\nshare = 0.5"), &[]);
    assert!(share.contains("has them all the time"), "{share}");
    let sum = refused(PARTS, &["cluster.gpus=1024"]);
    assert!(sum.contains("the workloads have 896 GPUs, and the cluster 1024"), "{sum}");
    let tokens = refused(PARTS, &["objective.minimize=usd-per-token"]);
    assert!(tokens.contains("no common cost per token"), "{tokens}");
}

/// A product that costs less and draws more: a limit on power that keeps it out of the parts binds,
/// and is worth what the same parts without the limit cost less.
#[test]
fn a_limit_that_keeps_a_product_out_of_the_parts_binds() {
    let own = |name: &str, power: &str, price: &str| {
        format!(
            "\n[hardware.nodes.{name}]\ngpu = \"h100\"\ngpus = 8\nhb_bandwidth = \"450 GB/s\"\n\
             nics = 8\nnic = \"ndr-400g\"\npower = \"{power}\"\nprice = \"{price}\"\n"
        )
    };
    let spec = format!("{PARTS}{}{}", own("one", "12 kW", "$250k"), own("two", "9 kW", "$280k"));
    let products = "cluster.node=[\"one\", \"two\"]";
    let free = plan(&spec, &[products]);
    let thrifty = plan(&spec, &["cluster.node=two"]);
    let cap = format!("limits.power=\"{} W\"", thrifty.cost.power.get() * 1.02);
    let capped = plan(&spec, &[products, &cap]);
    let worths = capped.solver.binding.iter().filter(|limit| limit.limit == "limits.power");
    let lifted = worths.map(|limit| &limit.worth).rev().find_map(|worth| match worth {
        LimitWorth::Moved { needs, saved, design, .. } => {
            Some((needs.clone(), saved.scalar(), design))
        }
        _ => None,
    });
    let (needs, saved, design) = lifted.expect("power keeps the cheap product out");
    let change = (capped.cost.capex - free.cost.capex).get();
    assert!(change > 0.0 && (saved - change).abs() < 0.01, "{saved} for {change}");
    assert!(design.contains("on one"), "{design}");
    let needs = needs.expect("a sum of watts").scalar();
    let enough = plan(&spec, &[products, &format!("limits.power=\"{needs} W\"")]);
    assert!((enough.cost.capex - free.cost.capex).get().abs() < 0.01, "{needs} would do");
}

//! Which candidate is best, which tie with it and what the others cost: against a design of every
//! product with every interface by itself, none of which can leave a candidate out.

mod small;

use planner::design::{AlternativeKind, AlternativeStanding, LimitWorth, Plan, Warning};
use planner::fabric::FabricKind;
use planner::scenario::Minimize;
use planner::spec::{Override, presets, read_scenario};

use crate::support::dice::Dice;
use crate::support::scenario::{design, printed_value};

const NODES: [&str; 4] = ["dgx-a100-80gb", "dgx-h100", "hgx-b200", "gb200-nvl72"];
const NICS: [&str; 3] = ["hdr-200g", "ndr-400g", "xdr-800g"];

/// The starter on some products and interfaces, in one plane of switches of one protocol.
fn plan(nodes: &[&str], nics: &[&str], changes: &[&str]) -> Plan {
    let source = presets::ready_spec("starter").expect("the spec ships");
    let fixed = [
        format!("cluster.node={nodes:?}"),
        format!("cluster.nic={nics:?}"),
        "cluster.max_planes=1".to_owned(),
        // Cards of one rate fit the cages of one of these switches alone.
        "cluster.links=by-end".to_owned(),
        "cluster.switches=[\"qm9700\", \"q3400\"]".to_owned(),
    ];
    let changes = changes.iter().map(|text| (*text).to_owned());
    let changes: Vec<Override> = fixed.into_iter().chain(changes).map(Override::new).collect();
    let scenario =
        read_scenario(&source, &changes).unwrap_or_else(|wrong| panic!("{}", wrong.render(false)));
    design(&scenario).unwrap_or_else(|reason| panic!("{nodes:?}, {nics:?}: {reason}"))
}

/// Other candidates that a plan says to be as good.
fn ties(plan: &Plan) -> usize {
    let read = |warning: &Warning| match warning {
        Warning::Ties { count, .. } => Some(*count),
        _ => None,
    };
    plan.warnings.iter().find_map(read).unwrap_or(0)
}

fn close(one: f64, other: f64) -> bool {
    (one - other).abs() <= 1e-9 * one.abs().max(other.abs()).max(1.0)
}

#[test]
fn candidates_that_are_left_out_could_not_have_won_tied_or_been_the_best_of_their_kind() {
    let stock = ["inventory.gb200-nvl72=3", "inventory.q3400=2"];
    // The machines that cost least have the dearest network then.
    let dear = ["prices.sr4-200g=\"$2k\""];
    let settings = [&[][..], &stock, &dear];
    let mut chosen = Vec::new();
    for (quantity, setting) in
        Minimize::ALL.into_iter().flat_map(|quantity| settings.map(|with| (quantity, with)))
    {
        let minimize = format!("objective.minimize={}", quantity.name());
        let changes = [setting, &[minimize.as_str()]].concat();
        let open = plan(&NODES, &NICS, &changes);
        let each: Vec<(&str, &str, Plan)> = NODES
            .into_iter()
            .flat_map(|node| NICS.map(|nic| (node, nic, plan(&[node], &[nic], &changes))))
            .collect();
        let best = |kind: &dyn Fn(&str, &str) -> bool| -> &Plan {
            each.iter()
                .filter(|(node, nic, _)| kind(node, nic))
                .map(|(.., plan)| plan)
                .min_by(|a, b| printed_value(a, quantity).total_cmp(&printed_value(b, quantity)))
                .expect("every kind has a plan")
        };
        let least = printed_value(best(&|_, _| true), quantity);
        assert!(
            close(printed_value(&open, quantity), least),
            "{quantity:?}: {} against {least}",
            printed_value(&open, quantity)
        );

        let tied = || {
            each.iter()
                .map(|(.., plan)| plan)
                .filter(|p| printed_value(p, quantity) <= least * 1.005)
        };
        let pairs = tied().count() - 1;
        // A pair may have ties of its own: rank orders, and GPUs of a domain that hold ranks.
        let own: usize = tied().map(ties).sum();
        assert!((pairs..=pairs + own).contains(&ties(&open)), "{quantity:?}: {pairs} and {own}");

        let (node, nic) = (open.nodes.node.name.as_str(), open.nodes.nic.name.as_str());
        let change = |name: &str| -> f64 {
            let with_planes = format!("{name}, ");
            let named = |text: &str| text == name || text.starts_with(&with_planes);
            let mut rows = open.alternatives.iter().filter(|row| named(&row.name));
            let row = rows.next().unwrap_or_else(|| panic!("{quantity:?}: no row {name}"));
            assert!(rows.next().is_none(), "{quantity:?}: {name} stands twice");
            row.capex_change.get()
        };
        for other in NODES.into_iter().filter(|other| *other != node) {
            let known = best(&|node, _| node == other).cost.capex - open.cost.capex;
            let found = change(&format!("node {other}"));
            assert!(close(found, known.get()), "{quantity:?}, {other}: {found} against {known:?}");
        }
        for other in NICS.into_iter().filter(|other| *other != nic) {
            let of_it = best(&|on, nic| on == node && nic == other);
            let name = format!("NIC {other}");
            if let Some(bound) = open.not_sized.iter().find(|sized| sized.name == name) {
                let ratio = printed_value(of_it, quantity) / printed_value(&open, quantity);
                assert!(
                    ratio >= bound.at_least * (1.0 - 1e-9),
                    "{quantity:?}, {other}: {ratio}, {bound:?}"
                );
                continue;
            }
            let known = of_it.cost.capex - open.cost.capex;
            let found = change(&name);
            assert!(close(found, known.get()), "{quantity:?}, {other}: {found} against {known:?}");
        }
        chosen.push((node.to_owned(), nic.to_owned()));
    }
    let several = |choice: fn(&(String, String)) -> &str| {
        chosen.iter().any(|other| choice(other) != choice(&chosen[0]))
    };
    assert!(several(|pair| &pair.0), "one product is best by every measure: {chosen:?}");
    assert!(several(|pair| &pair.1), "one interface is best by every measure: {chosen:?}");
}

/// A few random pairs of shipped products that have a price, each left to its own defaults.
#[test]
fn a_product_is_what_it_is_alone_whatever_else_is_offered() {
    let source = presets::ready_spec("starter").expect("the spec ships");
    let planned = |nodes: &str, changes: &[String]| -> Plan {
        let own = [format!("cluster.node={nodes}"), "cluster.gpus=288".into()];
        let all = own.iter().chain(changes).map(|text| Override::new(text.as_str()));
        let scenario = read_scenario(&source, &all.collect::<Vec<Override>>())
            .unwrap_or_else(|wrong| panic!("{}", wrong.render(false)));
        design(&scenario).unwrap_or_else(|reason| panic!("{nodes}: {reason}"))
    };
    let offered =
        read_scenario(&source, &[Override::new("cluster.node=auto")]).expect("it is sound");
    let names: Vec<&str> = offered.cluster.nodes.iter().map(|node| node.name.as_str()).collect();
    let mut dice = Dice(14);
    for quantity in [Minimize::Capex, Minimize::Tco, Minimize::UsdPerToken] {
        for _ in 0..4 {
            let mut pick = || names[dice.between(0, names.len() as u64 - 1) as usize];
            let (one, other) = (pick(), pick());
            let model = if dice.chance(50) { "llama3-8b" } else { "mixtral-8x7b" };
            let changes = [
                format!("model.preset={model}"),
                "training.global_batch=576".to_owned(),
                format!("objective.minimize={}", quantity.name()),
            ];
            let together = planned(&format!("[{one:?}, {other:?}]"), &changes);
            let alone = [one, other].map(|name| planned(name, &changes));
            let least = alone
                .iter()
                .map(|plan| printed_value(plan, quantity))
                .fold(f64::INFINITY, f64::min);
            let what = format!("{quantity:?} of {model} on {one} and {other}");
            assert!(close(printed_value(&together, quantity), least), "{what}: {least}");
            let chosen = alone.iter().find(|plan| plan.nodes.node == together.nodes.node);
            let chosen = chosen.expect("it is one of both");
            assert_eq!(together.step, chosen.step, "{what}");
            assert_eq!(
                (&together.layout, &together.bill),
                (&chosen.layout, &chosen.bill),
                "{what}"
            );
        }
    }
}

/// A product that a limit keeps out is named with the limit, with what it takes and with the design
/// that it would have; what lifting the limit is worth is what the spec without it gives.
#[test]
fn a_product_that_a_limit_keeps_out_is_named_with_the_limit() {
    let nodes = ["dgx-h100", "gb200-nvl72"];
    let per_token =
        ["objective.minimize=usd-per-token", "cluster.gpus=288", "training.global_batch=576"];
    let with =
        |nodes: &[&str], more: &[&str]| plan(nodes, &["ndr-400g"], &[&per_token, more].concat());
    let free = with(&nodes, &[]);
    let own = with(&["dgx-h100"], &[]);
    assert_eq!(free.nodes.node.name, "gb200-nvl72");
    let [needs, has] = [&free, &own].map(|cluster_plan| cluster_plan.cost.power.get());
    assert!(has < needs, "{has} against {needs}");
    let cap = format!("limits.power=\"{} W\"", has.midpoint(needs));
    let capped = with(&nodes, &[&cap]);
    assert_eq!(capped.nodes.node.name, "dgx-h100");

    let token = |plan: &Plan| printed_value(plan, Minimize::UsdPerToken);
    let mut moved = capped.solver.binding.iter().rev();
    let lifted = moved.find_map(|limit| match &limit.worth {
        LimitWorth::Moved { saved, design, .. } if limit.limit == "limits.power" => {
            Some((saved, design))
        }
        _ => None,
    });
    let (saved, design) = lifted.expect("power keeps the better product out");
    assert!(close(saved.scalar(), token(&capped) - token(&free)), "{saved:?}");
    assert!(design.ends_with("gb200-nvl72"), "{design}");

    let row = capped.alternatives.iter().find(|row| row.name == "node gb200-nvl72");
    let row = row.expect("the product has a row");
    assert_eq!(row.standing, AlternativeStanding::KeptOut);
    assert!(row.reason.starts_with("`limits.power` is"), "{}", row.reason);
    let change = free.cost.capex - capped.cost.capex;
    assert!(close(row.capex_change.get(), change.get()), "{:?} for {change:?}", row.capex_change);
}

/// Other families of the chosen machines that cost nearly the same are among the ties, by name.
#[test]
fn families_that_cost_nearly_the_same_are_told() {
    let source = presets::ready_spec("gpt3-175b-a100-1536").expect("the spec ships");
    let planned = |changes: &[&str]| -> Plan {
        // One machine stands by, and cards and switches have a transceiver at each end.
        let fixed = ["cluster.links=by-end", "failures.standby=1"];
        let changes = fixed.iter().chain(changes).map(|text| Override::new(*text));
        let changes: Vec<Override> = changes.collect();
        design(&read_scenario(&source, &changes).expect("it is sound")).expect("there is a design")
    };
    let best = planned(&[]);
    let other = planned(&["cluster.fabric=\"rail-optimized\"", "cluster.max_planes=1"]);
    assert!(
        printed_value(&other, Minimize::Capex) <= 1.005 * printed_value(&best, Minimize::Capex)
    );
    let names = best.warnings.iter().find_map(|warning| match warning {
        Warning::Ties { networks, .. } => Some(networks.clone()),
        _ => None,
    });
    let names = names.unwrap_or_default();
    // Its rank order is one, so that nothing but networks cost nearly the same.
    assert!(!names.iter().any(|name| name.starts_with("order")), "{names:?}");
    assert!(names.contains(&"rail-optimized, 1 plane".to_owned()), "{names:?}");
}

/// Where a limit keeps a full-bisection Clos out, its row says which and what it needs; that much is
/// enough for a Clos, and a step less is not.
#[test]
fn a_clos_that_a_limit_keeps_out_says_what_it_needs() {
    let source = presets::ready_spec("starter").expect("the spec ships");
    let planned = |changes: &[&str]| {
        let changes: Vec<Override> = changes.iter().map(|text| Override::new(*text)).collect();
        design(&read_scenario(&source, &changes).expect("it is sound"))
    };
    let plan = planned(&["limits.power=\"332.91 kW\""]).expect("rails draw less");
    assert_eq!(plan.fabric.kind, FabricKind::RailOnly);
    let clos = AlternativeKind::Family(FabricKind::Clos);
    let row = plan.alternatives.iter().find(|row| row.differs == clos).expect("it has a row");
    assert_eq!(
        (row.standing, &row.name[..]),
        (AlternativeStanding::KeptOut, "full-bisection Clos, 1 plane")
    );
    let needs = row.reason.split("it needs ").nth(1).and_then(|text| text.strip_suffix(" kW"));
    let needs: f64 = needs.and_then(|text| text.parse().ok()).expect("kilowatts");
    let with = |kilowatts: f64| {
        let power = format!("limits.power=\"{kilowatts} kW\"");
        planned(&[power.as_str(), "cluster.fabric=\"clos\"", "cluster.max_planes=1"])
    };
    let more = with(needs).expect("as much as is said").cost.capex - plan.cost.capex;
    assert!(close(more.get(), row.capex_change.get()), "{more:?} for {row:?}");
    assert!(with(needs - 0.1).is_err(), "{needs} kW is more than it takes");
}

/// A rank order is no network: where orders cost nearly the same, resilience is no reason.
#[test]
fn orders_that_cost_nearly_the_same_are_no_networks() {
    let changes = [
        "cluster.fabric=\"clos\"",
        "cluster.max_planes=1",
        "parallelism.tensor=4",
        "parallelism.pipeline=2",
        "parallelism.order=\"auto\"",
        "objective.minimize=capex",
    ];
    let found = plan(&["dgx-h100"], &["ndr-400g"], &changes);
    let ties = found.warnings.iter().find_map(|warning| match warning {
        Warning::Ties { networks, others, .. } => Some((networks.clone(), others.clone())),
        _ => None,
    });
    let (networks, others) = ties.expect("two orders have machines alike");
    assert!(others.iter().any(|name| name.starts_with("order")), "{others:?}");
    assert!(!networks.iter().any(|name| name.starts_with("order")), "{networks:?}");
}

/// What an answer is proven for: the layout's keys that have one value, and none of the others.
#[test]
fn keys_that_are_not_searched_are_told() {
    let keys = |changes: &[&str]| -> Vec<(&'static str, bool)> {
        let found = plan(&["dgx-h100"], &["ndr-400g"], changes);
        found.solver.fixed.iter().map(|fixed_key| (fixed_key.key, fixed_key.default)).collect()
    };
    // Degrees that are stated keep the usual values of what is left out.
    let usual = keys(&["parallelism.tensor=4", "parallelism.pipeline=2"]);
    assert!(usual.contains(&("parallelism.order", true)), "{usual:?}");
    assert!(usual.contains(&("parallelism.interleave", true)), "{usual:?}");
    let open = ["parallelism.order=auto", "parallelism.interleave=auto"];
    let searched = keys(&open);
    assert!(
        !searched
            .iter()
            .any(|(key, _)| ["parallelism.order", "parallelism.interleave"].contains(key)),
        "{searched:?}"
    );
    // One stage has nothing to put into an order.
    let stated = keys(&["parallelism.pipeline=1"]);
    assert!(stated.contains(&("parallelism.pipeline", false)), "{stated:?}");
    assert!(!stated.iter().any(|(key, _)| *key == "parallelism.order"), "{stated:?}");
}

/// Racks of 72 of which 64 or all GPUs are used differ in number: a row has the machines of its own
/// network, and none that the limits allow is cheaper than a proven design.
#[test]
fn a_row_has_the_machines_of_its_network() {
    for gpus in [1152, 2304, 3456] {
        let source = presets::ready_spec("starter").expect("the spec ships");
        let changes = [format!("cluster.gpus={gpus}"), "cluster.node=\"gb200-nvl72\"".to_owned()];
        let scenario = read_scenario(&source, &changes.map(Override::new));
        let scenario = scenario.unwrap_or_else(|wrong| panic!("{}", wrong.render(false)));
        let plan = design(&scenario).unwrap_or_else(|reason| panic!("{gpus}: {reason}"));
        for row in &plan.alternatives {
            let machines = (row.capex_change - row.network_capex_change).get().abs();
            let other_number = row.name.contains("GPUs per domain");
            // As many with others on standby is no other number.
            assert!(machines <= 1.0 || other_number, "{gpus}: {row:?}");
            let within_limits =
                matches!(row.standing, AlternativeStanding::Worse | AlternativeStanding::Tied);
            let token = row.usd_per_token_ratio.expect("a run has tokens");
            assert!(!within_limits || token > 1.0 - 1e-9, "{gpus}: {row:?}");
        }
    }
}

//! The default on oversubscription, and what default designs say of losses.

use planner::design::{design_with_default_rules, question_of_plan};
use planner::scenario::Scenario;
use planner::sizing::Options;

use crate::design::reliability::{Chance, drawn};
use crate::design::survival::{STATED, one_plane, stops, worst};
use crate::support::cases::drawn_cases;
use crate::support::scenario::{design, ready};

/// The two examples of networks that nobody signs: leaf switches with one uplink each, and one spine for
/// everybody. Both go, at the price that designing without the rule says.
#[test]
fn leaf_switches_with_hardly_an_uplink_are_not_bought() {
    let spine = &["cluster.switches=[\"qm9700\"]", "cluster.fabric=\"rail-optimized\""][..];
    let spine = [STATED, spine].concat();
    for (gpus, more) in [(8192, STATED), (2048, &spine[..])] {
        let question = one_plane(gpus, more);
        let plan = design_with_default_rules(&question, &Options::default()).expect("a design");
        let known = plan.oversubscription.as_ref().expect("the cheapest is beyond the rule");
        let premium = known.premium.as_ref().expect("and another is within it");
        assert!(known.chosen && known.cheapest > 7.0 && premium.share <= 0.01, "{known:?}");
        assert!(plan.fabric.within_rail * 7.0 >= 1.0, "{}", plan.fabric.within_rail);
        let with = |change: &str| {
            let all: Vec<&str> = more.iter().copied().chain([change]).collect();
            design(&one_plane(gpus, &all)).expect("a design")
        };
        let (free, ruled) =
            (with("limits.max_oversubscription=0"), with("limits.max_oversubscription=7"));
        assert!((1.0 / free.fabric.within_rail - known.cheapest).abs() < 1e-9);
        let usd = ruled.cost.capex - free.cost.capex;
        assert!((usd.get() - premium.more.scalar()).abs() < 0.01, "{usd:?} {premium:?}");
        assert!((usd / free.cost.capex - premium.share).abs() < 1e-12);
        // The key asks for as much as a floor of bandwidth does.
        let floor = with("limits.within_rail=0.14285714285714285");
        assert_eq!(floor.cost.capex, ruled.cost.capex);
        // What is asked is asked again with the rule, and 0 takes the default off.
        assert_eq!(question_of_plan(&question, &plan).limits.max_oversubscription, Some(7.0));
        let all: Vec<&str> =
            more.iter().copied().chain(["limits.max_oversubscription=0"]).collect();
        let off = design_with_default_rules(&one_plane(gpus, &all), &Options::default())
            .expect("a design");
        assert!(off.oversubscription.is_none() && off.cost.capex < plan.cost.capex);
    }
}

/// With links that cost ten times as much the rule takes more than 1 % of the cluster: it is not kept, and
/// the price is told.
#[test]
fn a_rule_that_costs_much_is_not_kept_but_priced() {
    let dear =
        ["cluster.switches=[\"qm9700\"]", "prices.dr4-400g=\"$3000\"", "cluster.links=by-end"];
    let dear = one_plane(2048, &[STATED, &dear].concat());
    let plan = design_with_default_rules(&dear, &Options::default()).expect("a design");
    let known = plan.oversubscription.as_ref().expect("the cheapest is beyond the rule");
    let premium = known.premium.as_ref().expect("another is within it");
    assert!(!known.chosen && premium.share > 0.01, "{known:?}");
    assert!(question_of_plan(&dear, &plan).limits.max_oversubscription.is_none());
}

/// The default design of every ready spec and of 60 generated ones goes on after the loss of any one switch or
/// cable, by a walk over what was wired; or it says what does not, with the price of one that does, if
/// there is one. PLANNER_CASES says how many.
#[test]
fn default_designs_survive_any_one_loss_or_say_what_it_would_cost() {
    let cases = drawn_cases(60);
    let mut chance = Chance(60);
    let stated = ["failures.standby=0", "parallelism.tensor=1", "parallelism.pipeline=1"];
    // Cards that are split between two planes, as most are with a transceiver at each end, survive more.
    let split = [&stated[..], &["cluster.links=by-end"]].concat();
    let generated = (0..cases).map(|_| drawn(&mut chance, &split));
    let names = ["starter", "deepseek-v3-h800-2048", "gpt3-175b-a100-1536"];
    let all: Vec<Scenario> =
        names.into_iter().map(|name| ready(name, &[])).chain(generated).collect();
    let (mut whole, mut told) = (0, 0);
    for (case, question) in all.iter().enumerate() {
        let Ok(plan) = design_with_default_rules(question, &Options::default()) else { continue };
        let (links, switches) = worst(&plan);
        let nics = plan.nodes.node.nics;
        let survives = links < nics && switches < nics;
        if stops(&plan) {
            let single = plan.failures.single_point.as_ref().expect("looked for");
            let priced = single
                .without
                .as_ref()
                .is_none_or(|point| !point.chosen && point.premium.network_share > 0.02);
            assert!(priced && single.pieces > 0, "case {case}: {single:?}");
            told += 1;
        } else {
            assert!(survives, "case {case}: {links} and {switches} of {nics}");
            whole += 1;
        }
    }
    assert!(whole > told && whole + told > all.len() / 2, "{whole}, {told}");
}

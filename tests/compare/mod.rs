//! Comparisons of ready specs: parts sum, baselines are what they are called, and no baseline of
//! full bisection is dearer than it has to be.

mod drawn;
mod one_figure;

use planner::compare::{Baseline, BaselineResult, Comparison, SavingCause, compare_baselines};
use planner::fabric::FabricKind;
use planner::scenario::ClusterShape;
use planner::units::Usd;

use crate::support::scenario::ready;

fn comparison(name: &str, changes: &[&str], baselines: &[&str]) -> Comparison {
    let baselines: Vec<Baseline> =
        baselines.iter().map(|text| text.parse().expect("the name is known")).collect();
    compare_baselines(&ready(name, changes), &baselines)
        .unwrap_or_else(|reason| panic!("{name}: {reason}"))
}

#[test]
fn clos_means_the_papers_and_the_best() {
    let found = comparison("llama3-405b-h100-16384", &[], &["clos"]);
    let [paper, best] = &found.contenders[..] else { panic!("{:?}", found.contenders) };
    assert_eq!(paper.plan.fabric.planes, 1);
    for clos in [paper, best] {
        assert_eq!(clos.plan.fabric.kind, FabricKind::Clos);
        assert!((clos.plan.fabric.across_rails - 1.0).abs() < 1e-12);
        assert!((clos.plan.step.slowdown - 1.0).abs() < 1e-9);
    }
    assert!(best.plan.cost.network_capex <= paper.plan.cost.network_capex);
}

#[test]
fn the_steps_from_the_papers_clos_sum_to_the_whole_difference() {
    for (name, changes) in [
        ("llama3-405b-h100-16384", &[][..]),
        ("gpt3-175b-a100-1536", &["inventory.qm9700=12"]),
        ("gpt-1t-h100-32768", &["cluster.max_planes=1"]),
        ("starter", &[]),
    ] {
        let found = comparison(name, changes, &["clos"]);
        let attribution = found.attribution.expect("the design's switch builds a Clos");
        let sum: Usd = attribution.contributions.iter().map(|step| step.saving).sum();
        let whole = found.contenders[0].against.network_capex_saving;
        assert!((sum - whole).get().abs() < 0.01, "{name}: {sum:?} against {whole:?}");
        assert_eq!(attribution.contributions.len(), SavingCause::ALL.len());
    }
}

/// With 64-port switches in one plane, 2,048 endpoints take two tiers and a rail of 256 does
/// too: leaving out the spine saves nothing (t(N) = t(N/K)).
#[test]
fn rails_that_need_as_many_tiers_save_nothing_and_it_is_said() {
    let changes = ["cluster.switches=[\"qm9700\"]", "cluster.max_planes=1", "failures.standby=0"];
    let found = comparison("deepseek-v3-h800-2048", &changes, &["rail-only", "clos"]);
    let attribution = found.attribution.expect("the design's switch builds a Clos");
    assert_eq!((attribution.clos_tiers, attribution.rail_tiers), (2, 2));
    assert!(attribution.rails_share.abs() < 1e-12, "{attribution:?}");
    assert!(attribution.to_string().contains("saves nothing"), "{attribution}");
    let rail_only = &found.contenders[0].plan;
    let clos = &found.contenders[1].plan;
    assert_eq!(rail_only.cost.network_capex, clos.cost.network_capex);
}

#[test]
fn an_oversubscribed_fabric_is_as_oversubscribed_as_asked_for() {
    let found = comparison("llama3-405b-h100-16384", &[], &["rail-optimized@7:1"]);
    let fabric = &found.contenders[0].plan.fabric;
    assert_eq!(fabric.kind, FabricKind::RailOptimized);
    assert!(fabric.across_rails >= 1.0 / 7.0 - 1e-12, "{}", fabric.across_rails);
}

#[test]
fn every_named_baseline_is_built_or_named_missing() {
    let found = comparison("gpt3-175b-a100-1536", &[], &Baseline::NAMES);
    let built = found.contenders.len() + found.missing.len();
    assert_eq!(built, Baseline::NAMES.len() + 1, "clos counts twice");
    for contender in &found.contenders {
        let cost = contender.plan.cost.network_capex - found.design.cost.network_capex;
        assert_eq!(cost, contender.against.network_capex_saving, "{}", contender.name);
        assert_eq!(contender.plan.cost.unpriced, found.design.cost.unpriced, "{}", contender.name);
    }
}

/// Clusters in parts that share stock, or that follow one another.
const SEVERAL: [(&str, &[&str]); 4] = [
    ("two-products", &["objective.max_slowdown=1.05"]),
    ("two-products", &["inventory.qm9700=40", "inventory.n9600-64od=9"]),
    ("two-stages", &[]),
    ("two-stages", &["inventory.n9600-64od=3", "objective.minimize=tco"]),
];

#[test]
fn several_clusters_are_the_sum_of_each_on_one_stock() {
    let mut slowed = 0;
    for (name, changes) in SEVERAL {
        let scenario = ready(name, changes);
        let found = comparison(name, changes, &["clos", "rail-optimized@7:1", "rail-only"]);
        assert_eq!(found.each.len(), found.design.clusters.len(), "{name}");
        assert_eq!(found.contenders.len(), 4, "{name}: {:?}", found.missing);
        for (place, whole) in found.contenders.iter().enumerate() {
            let each = || found.each.iter().map(|one| &one.contenders[place]);
            let sum = |read: fn(&BaselineResult) -> f64| each().map(read).sum::<f64>();
            let saving = whole.against.network_capex_saving.get();
            let parts = sum(|result| result.against.network_capex_saving.get());
            assert!((saving - parts).abs() < 0.01, "{name}, {}: {saving} {parts}", whole.name);
            let capex = sum(|result| result.plan.cost.capex.get());
            assert!((whole.plan.cost.capex.get() - capex).abs() < 0.01, "{name}");
            let slowest = each().map(|result| result.against.slowdown).fold(0.0, f64::max);
            assert_eq!(whole.against.slowdown, slowest, "{name}");
            slowed += usize::from(slowest > 1.001);
            // Parts use stock up: together no more of a part than there is.
            for (part, stock) in scenario
                .inventory
                .iter()
                .filter(|_| scenario.cluster_shape() != ClusterShape::Stages)
            {
                let lines = || each().flat_map(|result| &result.plan.bill);
                let owned: u64 = lines()
                    .filter(|bill_line| bill_line.part == *part)
                    .map(|bill_line| bill_line.owned)
                    .sum();
                assert!(owned <= *stock, "{name}, {}: {owned} of {stock} {part}", whole.name);
            }
            // Stages keep what they bought: it is there for the next.
            for (one, next) in each()
                .zip(each().skip(1))
                .filter(|_| scenario.cluster_shape() == ClusterShape::Stages)
            {
                for line in &one.plan.bill {
                    let later = next.plan.bill.iter().find(|bill_line| bill_line.part == line.part);
                    let kept = later
                        .is_none_or(|bill_line| bill_line.owned >= bill_line.count.min(line.count));
                    assert!(kept, "{name}, {}: {}", whole.name, line.part);
                }
            }
        }
        // The model of the design is one of those that the best may be.
        let [same, best] = [0, 1].map(|place| &found.contenders[place]);
        let value = |result: &BaselineResult| {
            let growth = result.plan.growth;
            growth.map_or(result.plan.cost.network_capex, |growth| growth.present_value).get()
        };
        assert!(value(best) <= value(same) + 0.01, "{name}: {} {}", value(best), value(same));
        if scenario.cluster_shape() == ClusterShape::Stages {
            assert!(found.each.iter().all(|one| one.attribution.is_none()), "{name}");
        } else {
            assert!(found.each.iter().all(|one| one.attribution.is_some()), "{name}");
        }
    }
    assert!(slowed > 0, "no design is slower than its baseline: nothing was told apart");
}

/// Baselines are built without limits: where one breaks them it says which, and the spec with as much
/// as it needs breaks that one no more.
#[test]
fn a_baseline_that_breaks_a_limit_says_which_and_by_how_much() {
    let breaks = |changes: &[&str]| -> Vec<(String, Vec<String>)> {
        let found = comparison("starter", changes, &["clos", "rail-only"]);
        let limit = |result: &BaselineResult| {
            result.breaks.iter().map(|limit_move| limit_move.limit.clone()).collect()
        };
        found.contenders.iter().map(|result| (result.name.clone(), limit(result))).collect()
    };
    assert!(breaks(&[]).iter().all(|(_, limits)| limits.is_empty()));
    let tight = ["limits.power=\"332.91 kW\"", "limits.step_time=\"2 s\"", "failures.standby=0"];
    let found = comparison("starter", &tight, &["clos", "rail-only"]);
    let watts = |plan: &planner::design::Plan| plan.cost.power.get();
    assert!(watts(&found.design) <= 332_910.0);
    let mut broken = 0;
    for result in &found.contenders {
        let names: Vec<&str> =
            result.breaks.iter().map(|limit_move| &limit_move.limit[..]).collect();
        let over = watts(&result.plan) > 332_910.0;
        assert_eq!(names, if over { vec!["limits.power"] } else { Vec::new() }, "{}", result.name);
        for limit in &result.breaks {
            assert_eq!(limit.has.scalar(), 332_910.0);
            assert!((limit.needs.scalar() - watts(&result.plan)).abs() <= 100.0, "{limit}");
            let enough = format!("limits.power=\"{} W\"", limit.needs.scalar());
            let again = breaks(&[&enough, "cluster.max_planes=1", "failures.standby=0"]);
            let again = again.iter().find(|(name, _)| *name == result.name);
            assert!(again.is_none_or(|(_, limits)| limits.is_empty()), "{again:?}");
            broken += 1;
        }
    }
    assert!(broken > 0, "a Clos draws more than rails");
}

/// People read it below the table.
#[test]
fn a_broken_limit_stands_in_the_report() {
    let folder = crate::support::program::fresh_folder("compare-breaks");
    let told = crate::support::program::planner_in(
        &folder,
        &["compare", "starter", "--set", "limits.power=332.91kW", "--baseline", "clos", "--all"],
    );
    assert_eq!(told.status, 0, "{}", told.stderr);
    let text = told.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        text.contains("breaks limits of the spec: `limits.power` is 332.91 kW, it needs"),
        "{text}"
    );
}

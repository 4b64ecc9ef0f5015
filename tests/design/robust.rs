//! What a fabric carries beside its workloads: against each scenario as a question of its own, against all
//! floors of bandwidth, and against drawn placements.

use planner::collective::Policy;
use planner::design::{BaselineFabric, Plan, design_with_default_rules, plan_on_fabric, wiring};
use planner::fabric::{SwitchTier, TierName};
use planner::parallel::{Placed, Placement};
use planner::routing::{AssumedCall, Paths, RoutingManner, RoutingRules, route_step};
use planner::scenario::Scenario;
use planner::sizing::Options;
use planner::spec::SpecText;
use planner::technique::Recipe;
use planner::timing::UplinkBalance;
use planner::units::Seconds;

use crate::design::boxes::pick;
use crate::support::cases::drawn_cases;
use crate::support::dice::Dice;
use crate::support::scenario::{design, ready, resolved};

/// Rounding of bytes on links.
const ROUNDING: f64 = 1.0 + 1e-6;

/// A cluster of small machines on small switches, whose leaf switches have borders.
struct Box {
    layout: [u32; 3],
    batch: u32,
    fabric: &'static str,
    ports: u32,
    inside: u32,
    slowdown: f64,
}

impl Box {
    fn drawn(dice: &mut Dice) -> Self {
        let layout = pick(dice, &[[1, 1, 64], [2, 1, 32], [1, 2, 32], [2, 2, 32], [4, 1, 16]]);
        Self {
            layout,
            batch: layout[2] * layout[1] * 2,
            fabric: pick(dice, &["auto", "auto", "rail-only", "rail-optimized"]),
            ports: pick(dice, &[6, 8, 10]) as u32,
            inside: pick(dice, &[900, 200]) as u32,
            slowdown: pick(dice, &[100, 105, 120, 150]) as f64 / 100.0,
        }
    }

    /// Its spec with so many jobs' share of replicas and batch, and further changes of keys.
    fn asked(&self, jobs: u32, more: &[String]) -> Scenario {
        let Self { layout: [tensor, pipeline, data], fabric, ports, inside, .. } = *self;
        let (data, batch) = (data / jobs, self.batch / jobs);
        let gpus = tensor * pipeline * data;
        let text = format!(
            r#"
[model]
preset = "llama3-8b"
[training]
global_batch = {batch}
tokens = "1T"
micro_batch = 1
recompute = "none"
[parallelism]
tensor = {tensor}
pipeline = {pipeline}
data = {data}
order = "tp-cp-ep-dp-pp"
[cluster]
gpus = {gpus}
node = "box"
switches = ["tiny", "mid"]
fabric = "{fabric}"
max_planes = 1
links = "by-end"
[failures]
standby = 0
[limits]
regular = false
survive = "nothing"
max_oversubscription = 0
[hardware.gpus.own]
peak_bf16 = "4000 TFLOP/s"
memory = "900 GiB"
memory_bandwidth = "3 TB/s"
power = "165 W"
[hardware.nodes.box]
gpu = "own"
gpus = 4
hb_bandwidth = "{inside} GB/s"
nics = 4
nic = "ndr-400g"
power = "5 kW"
price = "$100k"
[hardware.switches.tiny]
ports = {ports}
port_speed = "400 Gb/s"
power = "100 W"
price = "$1000"
[hardware.switches.mid]
ports = 12
port_speed = "400 Gb/s"
power = "180 W"
price = "$2500"
[objective]
max_slowdown = 1.5
"#
        );
        resolved(&SpecText::new("box.toml", text), more)
    }
}

/// The chosen fabric as one that is given.
fn given(plan: &Plan, scenario: &Scenario) -> BaselineFabric {
    let balance = UplinkBalance::from_cluster(&scenario.cluster);
    let mut fabric = BaselineFabric::from_counts(plan.fabric.clone(), balance);
    fabric.blueprint = plan.blueprint.clone();
    fabric
}

/// True where all leaf switches have as many endpoints and uplinks.
fn is_of_one_shape(plan: &Plan) -> bool {
    let leafs = plan.fabric.tiers.iter().filter(|tier| tier.name == TierName::Leaf);
    let ports = |tier: &SwitchTier| u64::from(tier.down + tier.up) * tier.count == tier.ports_used;
    let leafs: Vec<bool> = leafs.map(ports).collect();
    leafs == [true]
}

/// A scenario that a spec can state as its only workload, on a fabric: its step over that on a full-bisection
/// Clos.
fn alone(item: &Box, jobs: u32, more: &[String], fabric: &BaselineFabric) -> f64 {
    let question = item.asked(jobs, more);
    // A layout is chosen where no network is in its way.
    let free = [more, &["cluster.fabric=\"clos\"".to_owned()]].concat();
    let plan = design(&item.asked(jobs, &free)).expect("a Clos can be built");
    let there = plan_on_fabric(&question, &plan, fabric).expect("its layout runs");
    assert!(
        there.routing.is_some_and(|report| report
            .reason_unconfirmed()
            .is_none_or(|why| !why.contains("many")))
    );
    there.step.slowdown
}

/// What a name of a scenario means to a spec: jobs, and keys.
fn stated(name: &str) -> Option<(u32, Vec<String>)> {
    if let Some(by) = name.strip_prefix("collectives ") {
        return Some((1, vec![format!("collectives.all=\"{by}\"")]));
    }
    if let Some(jobs) = name.strip_suffix(" jobs") {
        return Some((jobs.parse().expect("a number"), Vec::new()));
    }
    let degrees = name.strip_prefix("layout ")?;
    let key = |text: &str| {
        let (letter, degree) = text.split_at(1);
        let name = match letter {
            "t" => "tensor",
            "p" => "pipeline",
            "d" => "data",
            _ => "context",
        };
        format!("parallelism.{name}={degree}")
    };
    Some((1, degrees.split(' ').map(key).collect()))
}

/// PLANNER_CASES says how many.
#[test]
fn a_fabric_carries_each_scenario_and_costs_no_less_than_without() {
    let cases = drawn_cases(40);
    let mut dice = Dice(19);
    let (mut designed, mut dearer, mut held, mut placed) = (0, 0, 0, 0);
    for case in 0..cases {
        let item = Box::drawn(&mut dice);
        let robust = [
            format!("robust.max_slowdown={}", item.slowdown),
            format!("robust.layouts={}", dice.roll(3)),
            format!(
                "robust.placements={}",
                pick(&mut dice, &["\"fragmented\"", "\"part-filled\""])
            ),
            "robust.jobs=[2, 4]".to_owned(),
            "robust.collectives=[\"ring\", \"direct\", \"halving-doubling\"]".to_owned(),
        ];
        let question = item.asked(1, &robust);
        let Ok(free) = design(&item.asked(1, &[])) else { continue };
        let plan = match design(&question) {
            Ok(plan) => plan,
            // A family that is asked for may forward what a Clos does not, or not reach full bisection.
            Err(reason) => {
                assert!(reason.to_string().contains("[robust]"), "case {case}: {reason}");
                assert_ne!(item.fabric, "auto", "case {case}: {reason}");
                continue;
            }
        };
        designed += 1;
        assert!(plan.cost.capex >= free.cost.capex * (1.0 - 1e-9), "case {case}");
        dearer += u32::from(plan.cost.capex > free.cost.capex * (1.0 + 1e-9));
        let known = plan.robust.as_ref().expect("asked for");
        let fabric = given(&plan, &question);
        for scenario in &known.scenarios {
            assert!(scenario.not_routed.is_none(), "case {case}: {scenario:?}");
            assert!(scenario.is_step_short_enough(), "case {case}: {scenario:?}");
            assert!(scenario.slowdown <= item.slowdown * ROUNDING, "case {case}: {scenario:?}");
            let Some((jobs, keys)) = stated(&scenario.name) else {
                placed += 1;
                continue;
            };
            // A fabric that is given counts as its narrowest leaf switch, which is another question where
            // shapes differ.
            if !is_of_one_shape(&plan) {
                continue;
            }
            let slowdown = alone(&item, jobs, &keys, &fabric);
            let told = format!("case {case}: {slowdown} {scenario:?}");
            assert!(slowdown <= item.slowdown * ROUNDING, "{told}");
            // Jobs beside it may slow one down, and are not there where it is alone.
            assert!(jobs > 1 || (slowdown / scenario.slowdown - 1.0).abs() < 1e-4, "{told}");
            held += 1;
        }
    }
    assert!(designed >= 30 && dearer >= 5, "{designed} {dearer}");
    assert!(held > designed && placed >= designed / 2, "{designed} {held} {placed}");
}

/// Of all fabrics that floors of bandwidth within and across rails give, none that carries every scenario costs
/// less than the chosen one, and the cheapest of those often costs as much: another one of its level may
/// have leaf switches that carry less.
#[test]
fn no_fabric_of_any_floors_that_carries_all_scenarios_is_cheaper() {
    let mut dice = Dice(3);
    let (mut moved, mut met) = (0, 0);
    for case in 0..4 {
        let item =
            Box { fabric: pick(&mut dice, &["auto", "rail-optimized"]), ..Box::drawn(&mut dice) };
        let robust = [
            "robust.max_slowdown=1.05".to_owned(),
            "robust.jobs=2".to_owned(),
            "robust.collectives=[\"ring\", \"direct\"]".to_owned(),
        ];
        let question = item.asked(1, &robust);
        let plan = design(&question).expect("a Clos carries all");
        let scenarios: Vec<_> = ["2 jobs", "collectives ring", "collectives direct"]
            .iter()
            .filter(|name| {
                plan.robust
                    .iter()
                    .flat_map(|robustness| &robustness.scenarios)
                    .any(|scenario| scenario.name == **name)
            })
            .filter_map(|name| stated(name))
            .collect();
        assert!(scenarios.len() >= 2, "case {case}");
        let mut shares: Vec<f64> = (1..=8_u32)
            .flat_map(|down| (0..=down).map(move |up| f64::from(up) / f64::from(down)))
            .collect();
        shares.sort_by(f64::total_cmp);
        shares.dedup();
        let mut least = f64::INFINITY;
        let mut seen: Vec<f64> = Vec::new();
        for within in &shares {
            for across in shares.iter().filter(|across| *across <= within) {
                let floors = [
                    format!("limits.within_rail={within}"),
                    format!("limits.across_rails={across}"),
                ];
                let Ok(other) = design(&item.asked(1, &floors)) else { continue };
                let usd = other.cost.capex.get();
                if usd >= least || seen.contains(&usd) {
                    continue;
                }
                let fabric = given(&other, &question);
                let carried = scenarios
                    .iter()
                    .all(|(jobs, keys)| alone(&item, *jobs, keys, &fabric) <= 1.05 * ROUNDING);
                if carried { least = usd } else { seen.push(usd) }
            }
        }
        moved += u32::from(!seen.is_empty());
        let chosen = plan.cost.capex.get();
        assert!(least >= chosen * (1.0 - 1e-9), "case {case}: {chosen} and {least}");
        met += u32::from(least <= chosen * (1.0 + 1e-9));
    }
    assert!(moved > 0 && met > 0, "{moved} {met}");
}

/// Where domains of a job lie anywhere, no link needs longer than uplinks that all bytes of a domain leave
/// by, which is what `fragmented` is timed by.
#[test]
fn no_drawn_placement_is_slower_than_fragmented_is_timed() {
    let mut dice = Dice(5);
    let mut slower = 0;
    for _ in 0..12 {
        let item = Box { fabric: "rail-only", ..Box::drawn(&mut dice) };
        let question = item.asked(1, &["limits.within_rail=0.5".to_owned()]);
        let Ok(plan) = design(&question) else { continue };
        let graph = wiring(&plan).expect("small fabrics are wired");
        let paths = Paths::new(&graph).with_rails_apart();
        let step = Recipe::from_workload(question.lead_workload())
            .heaviest_step(&plan.layout)
            .expect("it runs");
        let placed = Placed::new(&step.grid, Placement::with_packed_domains(4, 4));
        let granted: Vec<AssumedCall> = step
            .communications
            .iter()
            .map(|communication| AssumedCall {
                policy: Policy::from(communication.by),
                time: Seconds::from_f64(1.0),
                straight: 0.0,
            })
            .collect();
        let times = |seats: Option<&[u32]>| {
            let manner =
                RoutingManner { rules: RoutingRules::SPREAD, seats, ..RoutingManner::default() };
            let routed =
                route_step(&step, &placed, &paths, manner, &granted).expect("it is routed");
            routed.calls.iter().map(|call| call.outcome.sprayed.time.get()).collect::<Vec<_>>()
        };
        let usual = times(None);
        let mut seats: Vec<u32> = (0..plan.nodes.domains).collect();
        for _ in 0..10 {
            for place in (1..seats.len()).rev() {
                seats.swap(place, dice.roll(place as u64 + 1) as usize);
            }
            let moved = times(Some(&seats));
            // No NIC carries more in another place, so each call takes 1 / ρ of that at most.
            for (moved, usual) in moved.iter().zip(&usual) {
                let most = usual / plan.fabric.within_rail;
                assert!(*moved <= most * ROUNDING, "{moved} {usual} {}", plan.fabric.within_rail);
                slower += u32::from(*moved > usual * ROUNDING);
            }
        }
    }
    assert!(slower > 0, "some placement was slower");
}

/// The price of scenarios is the difference to a design without them, and without the table nothing is said.
#[test]
fn scenarios_have_a_price_and_nothing_is_said_where_none_are_asked_for() {
    let mut dice = Dice(8);
    let mut paid = 0;
    for _ in 0..10 {
        let item = Box::drawn(&mut dice);
        let robust = [
            "robust.max_slowdown=1".to_owned(),
            "robust.collectives=\"direct\"".to_owned(),
            "robust.jobs=2".to_owned(),
        ];
        let Ok(plan) = design_with_default_rules(&item.asked(1, &robust), &Options::default())
        else {
            continue;
        };
        let free = design_with_default_rules(&item.asked(1, &[]), &Options::default())
            .expect("with less asked for");
        assert!(free.robust.is_none());
        let price = plan.robust.expect("asked for").price.expect("designed without");
        let more = plan.cost.capex - free.cost.capex;
        assert!((price.usd - more).get().abs() < 0.01, "{price:?} {more:?}");
        assert!((price.share - more / free.cost.capex).abs() < 1e-12);
        paid += u32::from(price.usd.get() > 0.0);
    }
    assert!(paid > 0, "some fabric was too small");
    // Stand-ins of questions that were kept before know no such table.
    let starter = ready("starter", &[]);
    assert!(!format!("{starter:?}").contains("robust"));
    let asked = ready("starter", &["robust.jobs=2"]);
    assert!(format!("{asked:?}").contains("robust: Some"));
}

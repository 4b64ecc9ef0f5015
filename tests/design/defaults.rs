//! Every default is judged by the objective: no restriction of a single key makes the answer better than the
//! default one, beyond the premiums that the report states. Both are designed from the text of a spec.

use planner::design::{Plan, design_with_default_rules};
use planner::scenario::{Minimize, Scenario};
use planner::sizing::Options;
use planner::spec::{SpecText, presets};

use crate::support::cases::{drawn_cases, first_seed};
use crate::support::dice::Dice;
use crate::support::scenario::{printed_value, resolved};

/// Relative rounding of sums.
const SAME: f64 = 1e-9;

/// Two products with two interfaces, and three switch models at odds with each other.
const OWN: &str = r#"
model = { preset = "llama3-8b" }
training = { micro_batch = 1, tokens = "1T", recompute = "none" }
parallelism = { tensor = 4, pipeline = 2 }
[cluster]
node = ["one", "two"]
links = "by-end"
switches = ["small", "large", "thrifty"]
[hardware.nodes.one]
gpu = "h100"
gpus = 8
hb_bandwidth = "450 GB/s"
nics = 8
nic = "ndr-400g"
power = "10 kW"
price = "$250k"
[hardware.nodes.two]
gpu = "h100"
gpus = 8
hb_bandwidth = "450 GB/s"
nics = 1
nic = "ndr-400g"
power = "9.9 kW"
price = "$256k"
[hardware.switches.small]
ports = 16
port_speed = "400 Gb/s"
max_split = 2
power = "400 W"
price = "$9k"
[hardware.switches.large]
ports = 64
port_speed = "400 Gb/s"
max_split = 2
power = "1500 W"
price = "$42k"
[hardware.switches.thrifty]
ports = 32
port_speed = "400 Gb/s"
max_split = 2
power = "500 W"
price = "$31k"
[prices]
dr4-400g = "$700"
sr4-200g = "$400"
electricity = "$0.1"
"#;

/// A spec, what is changed in it, and the restrictions of one key each.
struct Case {
    source: SpecText,
    changes: Vec<String>,
    restrictions: Vec<String>,
    minimize: Minimize,
}

/// A random small cluster of own parts or of those that ship.
fn drawn(dice: &mut Dice) -> Case {
    let own = dice.chance(60);
    let gpus = [64, 128, 256, 512][dice.roll(4) as usize];
    let (name, minimize) = [
        ("capex", Minimize::Capex),
        ("tco", Minimize::Tco),
        ("usd-per-token", Minimize::UsdPerToken),
        ("power", Minimize::Power),
    ][dice.roll(4) as usize];
    let mut changes = vec![
        format!("cluster.gpus={gpus}"),
        format!("training.global_batch={}", 2 * gpus),
        format!("objective.minimize=\"{name}\""),
        "failures.standby=0".to_owned(),
    ];
    let mut restrictions = Vec::new();
    let (source, nodes, nics, switches) = if own {
        let two = dice.between(1, 4);
        let dear = 230 + dice.roll(40);
        changes.push(format!("hardware.nodes.two.nics={two}"));
        changes.push(format!("hardware.nodes.two.price=\"${dear}k\""));
        for (text, watts) in [("one", 9800), ("two", 9800)] {
            let watts = watts + dice.roll(400);
            changes.push(format!("hardware.nodes.{text}.power=\"{watts} W\""));
            changes.push(format!("hardware.nodes.{text}.forwards={}", dice.chance(60)));
        }
        let source = SpecText::new("own.toml", OWN);
        (source, ["one", "two"], ["ndr-400g", "hdr-200g"], ["small", "large", "thrifty"])
    } else {
        let model = ["llama3-8b", "llama3-70b"][dice.roll(2) as usize];
        changes.push(format!("model.preset=\"{model}\""));
        changes.push("cluster.node=[\"dgx-h100\", \"dgx-a100-80gb\"]".to_owned());
        changes.push("parallelism.tensor=8".to_owned());
        changes.push("parallelism.pipeline=2".to_owned());
        changes.push("cluster.switches=[\"qm8700\", \"qm9700\", \"n9600-64od\"]".to_owned());
        let source = presets::ready_spec("starter").expect("it ships");
        let nodes = ["dgx-h100", "dgx-a100-80gb"];
        (source, nodes, ["ndr-400g", "hdr-200g"], ["qm8700", "qm9700", "n9600-64od"])
    };
    if dice.chance(40) {
        changes.push("cluster.nic=[\"ndr-400g\", \"hdr-200g\"]".to_owned());
        restrictions.extend(nics.map(|text| format!("cluster.nic=\"{text}\"")));
    }
    restrictions.extend(nodes.map(|text| format!("cluster.node=\"{text}\"")));
    restrictions.extend(switches.map(|text| format!("cluster.switches=[\"{text}\"]")));
    for planes in [1, 2] {
        restrictions.push(format!("cluster.max_planes={planes}"));
    }
    for family in ["rail-only", "rail-optimized", "clos"] {
        restrictions.push(format!("cluster.fabric=\"{family}\""));
    }
    for losses in ["\"nothing\"", "\"any-switch\"", "[\"any-link\",\"any-switch\"]"] {
        restrictions.push(format!("limits.survive={losses}"));
    }
    for most in [0, 3, 7, 15] {
        restrictions.push(format!("limits.max_oversubscription={most}"));
    }
    Case { source, changes, restrictions, minimize }
}

fn designed(scenario: &Scenario) -> Option<Plan> {
    design_with_default_rules(scenario, &Options::default()).ok()
}

/// The premiums of a plan that its defaults pay, with the most that each may be.
fn premiums(plan: &Plan) -> f64 {
    let uplinks = plan.oversubscription.as_ref().filter(|oversubscription| oversubscription.chosen);
    let uplinks = uplinks.and_then(|oversubscription| oversubscription.premium.as_ref());
    let losses = plan.failures.single_point.as_ref().and_then(|point| point.without.as_ref());
    let losses = losses.filter(|point| point.chosen).map(|point| &point.premium);
    assert!(uplinks.is_none_or(|premium| premium.share <= 0.01), "{uplinks:?}");
    assert!(losses.is_none_or(|premium| premium.network_share <= 0.02), "{losses:?}");
    uplinks.into_iter().chain(losses).map(|premium| premium.more.scalar()).sum()
}

/// PLANNER_CASES says how many specs are drawn.
#[test]
fn no_restriction_of_one_key_beats_the_default_beyond_its_premiums() {
    let cases = drawn_cases(6);
    let mut dice = Dice(first_seed(43));
    let (mut held, mut beaten) = (0, Vec::new());
    for _ in 0..cases {
        let Case { source, changes, restrictions, minimize } = drawn(&mut dice);
        let Some(plan) = designed(&resolved(&source, &changes)) else { continue };
        let premium = premiums(&plan);
        let layouts = plan.solver.layouts.as_ref().map_or(0.0, |proven| proven.gap);
        let open = plan.solver.gap.max(layouts);
        let least = (printed_value(&plan, minimize) - premium) * (1.0 - open - SAME);
        for restriction in restrictions {
            let restricted = [&changes[..], std::slice::from_ref(&restriction)].concat();
            let Some(other) = designed(&resolved(&source, &restricted)) else { continue };
            let found = printed_value(&other, minimize);
            held += 1;
            if found < least {
                beaten.push(format!("{restriction}: {found} < {least}; {changes:?}"));
            }
        }
    }
    assert!(beaten.is_empty() && held > 0, "{}", beaten.join("\n"));
}

/// A rule about losses took machines whose tokens cost half as much again, for less of network.
#[test]
fn a_rule_on_losses_keeps_the_machines() {
    let spec = r#"
model = { preset = "llama3-8b" }
training = { global_batch = 512 }
parallelism = { tensor = 1, pipeline = 1 }
objective = { minimize = "capex" }
[cluster]
gpus = 256
node = ["vendor-a", "vendor-b"]
links = "by-end"
[hardware.nodes.vendor-a]
gpu = "h100"
gpus = 8
hb_bandwidth = "450 GB/s"
nics = 8
nic = "edr-100g"
power = "9.6 kW"
price = "$200k"
forwards = false
[hardware.nodes.vendor-b]
gpu = "h100"
gpus = 8
hb_bandwidth = "450 GB/s"
nics = 1
nic = "hdr-200g"
power = "9.6 kW"
price = "$230k"
forwards = false
"#;
    let source = SpecText::new("losses.toml", spec);
    let free = ["limits.survive=\"nothing\"", "limits.max_oversubscription=0"];
    for minimize in ["capex", "tco", "usd-per-token", "power"] {
        let objective = format!("objective.minimize={minimize}");
        let plan = designed(&resolved(&source, &[&objective])).expect("a design");
        let free = resolved(&source, &[objective.as_str(), free[0], free[1]]);
        let free = designed(&free).expect("a design");
        assert_eq!(plan.nodes.node.name, free.nodes.node.name, "{minimize}");
        let least = printed_value(&free, plan.minimize);
        let within = least * (1.0 + SAME) + premiums(&plan);
        assert!(printed_value(&plan, plan.minimize) <= within, "{minimize}");
    }
}

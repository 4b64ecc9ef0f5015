//! The default that networks are regular, held against a reader of the topology as it is written: it counts
//! machines below the same leaf switches and rails on each from the cables alone.

use std::collections::{BTreeMap, BTreeSet};

use planner::design::{Plan, design_with_default_rules, wiring};
use planner::report::topology::{TopologyFormat, topology_text};
use planner::scenario::{Minimize, Scenario};
use planner::sizing::Options;
use serde_json::Value;

use crate::support::cases::drawn_cases;
use crate::support::dice::Dice;
use crate::support::scenario::{design, ready};

/// What a reader of the cables finds.
#[derive(Debug)]
struct Cabled {
    /// Machines on the same leaf switches, largest unit first.
    units: Vec<u64>,
    /// Leaf switches with a part of a rail beside another rail.
    shared: u64,
    /// Endpoints of a leaf switch, each number once, largest first.
    sizes: Vec<usize>,
}

impl Cabled {
    /// One unit and its leaf switches at most differ from the others, and no leaf switch has a part of a rail
    /// beside another rail.
    fn is_regular(&self) -> bool {
        let fewer = self.units.iter().filter(|unit| **unit < self.units[0]).count();
        self.shared == 0 && fewer <= 1 && self.sizes.len() <= 2
    }
}

/// Reads the topology file of a plan.
fn cabled(plan: &Plan) -> Cabled {
    let graph = wiring(plan).expect("wired");
    let text = topology_text(&graph, TopologyFormat::Json);
    let file: Value = serde_json::from_str(&text).expect("JSON");
    let list = |key: &str| file[key].as_array().expect("a list").clone();
    let mut nics = BTreeMap::new();
    for node in list("nodes").iter().filter(|node| node["kind"] == "endpoint") {
        let read = |key: &str| node[key].as_u64().expect("a number");
        nics.insert(node["name"].to_string(), (read("domain"), read("rail")));
    }
    let mut below: BTreeMap<String, Vec<(u64, u64)>> = BTreeMap::new();
    let mut machines: BTreeMap<u64, BTreeSet<String>> = BTreeMap::new();
    let mut rails: BTreeMap<u64, BTreeSet<u64>> = BTreeMap::new();
    for cable in list("cables") {
        let (from, to) = (cable["from"].to_string(), cable["to"].to_string());
        let Some((domain, rail)) = nics.get(&from).copied() else { continue };
        below.entry(to.clone()).or_default().push((domain, rail));
        machines.entry(domain).or_default().insert(to);
        rails.entry(rail).or_default().insert(domain);
    }
    let mut units: BTreeMap<&BTreeSet<String>, u64> = BTreeMap::new();
    machines.values().for_each(|leafs| *units.entry(leafs).or_default() += 1);
    let mut units: Vec<u64> = units.into_values().collect();
    units.sort_unstable_by(|a, b| b.cmp(a));
    let parted = |hosts: &&Vec<(u64, u64)>| {
        let own: BTreeSet<u64> = hosts.iter().map(|(_, rail)| *rail).collect();
        let on = |rail: u64| -> BTreeSet<u64> {
            hosts.iter().filter(|(_, count)| *count == rail).map(|(domain, _)| *domain).collect()
        };
        own.len() > 1 && own.iter().any(|rail| on(*rail) != rails[rail])
    };
    let sizes: BTreeSet<usize> = below.values().map(Vec::len).collect();
    Cabled {
        units,
        shared: below.values().filter(parted).count() as u64,
        sizes: sizes.into_iter().rev().collect(),
    }
}

/// A plan says of its units and leaf switches what its topology file has.
#[track_caller]
fn assert_told(plan: &Plan) -> Cabled {
    let file = cabled(plan);
    let told = plan.regularity.as_ref().expect("a tree");
    let mut units = told.units.clone();
    units.sort_unstable_by(|a, b| b.cmp(a));
    assert_eq!((&units, told.shared), (&file.units, file.shared));
    assert!(!told.is_regular() || file.is_regular(), "{told:?} {file:?}");
    file
}

/// What an objective takes, and the gap that is left open of it.
fn value(plan: &Plan) -> (f64, f64) {
    let per_token = plan.cost.usd_per_million_tokens.map(|usd| usd.get());
    (per_token.unwrap_or(plan.cost.capex.get()), plan.solver.gap)
}

/// The default design of a question, held against the designs with and without the rule; whether the rule
/// was paid for, and whether it was left.
#[track_caller]
fn assert_decided(question: impl Fn(&str) -> Scenario) -> Option<(bool, bool)> {
    let plan =
        design_with_default_rules(&question("limits.survive=\"nothing\""), &Options::default())
            .ok()?;
    let file = assert_told(&plan);
    let Some(known) = &plan.regular else {
        assert!(file.is_regular(), "{file:?}");
        return Some((false, false));
    };
    if let Some(premium) = &known.premium {
        assert_eq!(known.chosen, premium.share <= 0.01, "{known:?}");
    }
    assert!(!known.free.is_regular());
    assert_eq!(known.chosen, plan.regularity.as_ref() != Some(&known.free), "{known:?}");
    assert!(!known.chosen || file.shared == 0, "{file:?}");
    Some((known.chosen, !known.chosen))
}

/// 1,024 GPUs on switches of 64 ports: 20 leaf switches that two rails share each, or units of 55, 42 and 31
/// machines, of which the last holds no job of 32.
#[test]
fn a_thousand_gpus_have_even_units_and_rails_of_their_own() {
    let more = ["cluster.gpus=1024", "cluster.links=\"parts\"", "cluster.switches=[\"qm9700\"]"];
    for fabric in ["auto", "rail-optimized"] {
        let fabric = format!("cluster.fabric=\"{fabric}\"");
        let question = |change: &str| {
            let all = more.iter().copied().chain([fabric.as_str(), change]);
            ready("starter", &all.collect::<Vec<_>>())
        };
        let plan =
            design_with_default_rules(&question("limits.survive=\"nothing\""), &Options::default());
        let plan = plan.expect("a design");
        let file = assert_told(&plan);
        assert!(file.is_regular(), "{file:?}");
        assert!(file.units.iter().all(|unit| *unit >= 32), "{file:?}");
        assert_decided(question);
        // The rule is off where the key says so.
        let free =
            design_with_default_rules(&question("limits.regular=false"), &Options::default());
        let free = free.expect("a design");
        assert!(free.regular.is_none() && free.cost.capex <= plan.cost.capex);
    }
}

/// The printed price is the difference of the two designs, and the regular one takes no less of what is
/// minimised: of generated clusters of one product. PLANNER_CASES says how many.
#[test]
fn a_regular_network_takes_what_is_told_and_never_less() {
    let cases = drawn_cases(24);
    let mut dice = Dice(43);
    let (mut designed, mut paid, mut left) = (0, 0, 0);
    for case in 0..cases {
        let machines = dice.between(4, 160);
        let switch = ["qm8700", "qm9700", "sn5600"][dice.roll(3) as usize];
        let fabric = ["auto", "auto", "rail-only", "rail-optimized"][dice.roll(4) as usize];
        let minimize = ["capex", "usd-per-token"][dice.roll(2) as usize];
        let planes = dice.between(1, 2);
        let all = [
            format!("cluster.gpus={}", machines * 8),
            format!("training.global_batch={}", machines * 16),
            format!("cluster.fabric=\"{fabric}\""),
            format!("cluster.max_planes={planes}"),
            format!("cluster.switches=[\"{switch}\"]"),
            format!("objective.minimize=\"{minimize}\""),
            "cluster.links=\"parts\"".to_owned(),
            "limits.max_oversubscription=0".to_owned(),
        ];
        let question = |change: &str| {
            let all = all.iter().map(String::as_str).chain([change]);
            ready("starter", &all.collect::<Vec<_>>())
        };
        let at = |key: &str| design(&question(key));
        let (Ok(free), ruled) = (at("limits.regular=false"), at("limits.regular=true")) else {
            continue;
        };
        designed += 1;
        assert_told(&free);
        if let Ok(ruled) = &ruled {
            let file = assert_told(ruled);
            assert!(file.shared == 0 && file.sizes.len() <= 2, "case {case}: {file:?}");
            let (free, ruled) = (value(&free), value(ruled));
            let least = if minimize == "capex" { 0.0 } else { free.0 * (1.0 - free.1) };
            assert!(ruled.0 >= least * (1.0 - 1e-9), "case {case}: {free:?} {ruled:?}");
        }
        if let (Ok(ruled), "capex") = (&ruled, minimize) {
            assert!(ruled.cost.capex.get() >= free.cost.capex.get() * (1.0 - 1e-9), "case {case}");
        }
        let (bought, kept) = assert_decided(question).expect("a design");
        let plan =
            design_with_default_rules(&question("limits.survive=\"nothing\""), &Options::default());
        let known = plan.expect("a design").regular;
        let premium = known.and_then(|known| known.premium);
        if let (Some(premium), Ok(ruled)) = (premium, &ruled) {
            let taken = |plan: &Plan| match premium.minimized {
                Minimize::Capex => plan.cost.capex.get(),
                _ => value(plan).0,
            };
            let more = taken(ruled) - taken(&free);
            let told = premium.more.scalar();
            let close = (more.max(0.0) - told).abs() <= 1e-9 * taken(&free);
            assert!(close, "case {case}: {more} {premium:?}");
        }
        (paid, left) = (paid + u32::from(bought), left + u32::from(kept));
    }
    assert!(designed > 12 && paid > 0, "{designed} {paid} {left}");
}

/// All ready specs: what they say of units is what their topology files have.
#[test]
fn ready_specs_are_regular() {
    for name in ["starter", "deepseek-v3-h800-2048", "gpt3-175b-a100-1536"] {
        for links in ["by-end", "parts"] {
            let links = format!("cluster.links=\"{links}\"");
            let question = ready(name, &[&links]);
            let plan = design_with_default_rules(&question, &Options::default()).expect("a design");
            let file = assert_told(&plan);
            assert!(file.is_regular(), "{name} {links}: {file:?}");
        }
    }
}

/// The rule holds where a spec states it.
#[test]
fn a_stated_rule_is_kept() {
    let one = ["cluster.fabric=\"rail-only\"", "limits.regular=true", "cluster.gpus=256"];
    let plan = design(&ready("starter", &one)).expect("a regular network");
    assert!(plan.regularity.expect("a tree").is_regular());
}

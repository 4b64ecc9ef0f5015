//! What the planner advises is followed to the letter: every change of limits that is said to do
//! gives a design, a limit that is listed as binding is worth what is printed, and one that is not
//! listed is worth nothing. Each is designed anew from the text of a spec.

use planner::design::{Infeasible, LimitWorth, Plan, Warning, plan_step, price_bands};
use planner::scenario::{Minimize, Scenario};
use planner::sizing::Options;
use planner::spec::{SpecText, presets};

use planner::units::ExactAmount;

use crate::support::cases::drawn_cases;
use crate::support::dice::Dice;
use crate::support::scenario::{design, printed_value, resolved};

/// Relative rounding of sums of money.
const SAME: f64 = 1e-9;

/// A small cluster with two products and three switch models at odds with each other.
const BASE: &str = r#"
model = { preset = "llama3-8b" }
training = { global_batch = 256, micro_batch = 1, tokens = "1T", recompute = "none" }
parallelism = { tensor = 4, pipeline = 2, order = "auto" }
framework = { preset = "megatron-2024" }
objective = { max_slowdown = 1.05, minimize = "capex" }
[cluster]
gpus = 128
node = ["one", "two"]
max_planes = 2
switches = ["small", "large", "thrifty"]
[hardware.nodes.one]
gpu = "h100"
gpus = 8
hb_bandwidth = "450 GB/s"
nics = 8
nic = "ndr-400g"
power = "10 kW"
rack_units = 8
price = "$250k"
[hardware.nodes.two]
gpu = "h100"
gpus = 8
hb_bandwidth = "450 GB/s"
nics = 4
nic = "ndr-400g"
power = "9.9 kW"
rack_units = 6
price = "$256k"
[hardware.switches.small]
ports = 16
port_speed = "400 Gb/s"
max_split = 2
power = "400 W"
rack_units = 1
price = "$9k"
[hardware.switches.large]
ports = 64
port_speed = "400 Gb/s"
max_split = 2
power = "1500 W"
rack_units = 2
price = "$42k"
[hardware.switches.thrifty]
ports = 32
port_speed = "400 Gb/s"
max_split = 2
power = "500 W"
rack_units = 1
price = "$31k"
[prices]
dr4-400g = "$700"
sr4-200g = "$400"
electricity = "$0.1"
"#;

fn scenario(base: &str, changes: &[String]) -> Scenario {
    resolved(&SpecText::new("advice.toml", base), changes)
}

fn answer(base: &str, changes: &[String]) -> Result<Plan, Infeasible> {
    design(&scenario(base, changes))
}

/// An override that sets a key to a value as it is printed.
fn as_printed(key: &str, printed: &str) -> String {
    match printed.strip_suffix(" days") {
        Some(days) => format!("{key}={days}"),
        None if printed.parse::<f64>().is_ok() => format!("{key}={printed}"),
        None => format!("{key}=\"{printed}\""),
    }
}

/// The changes in a message, each as an override; and whether they have to be made together.
fn advised(message: &str) -> (Vec<String>, bool) {
    let key = |text: &str| text.split('`').nth(1).map(str::to_owned);
    if let Some(only) = message.strip_suffix(" is possible") {
        let needs = only.rsplit(", ").next().unwrap_or_default();
        return (key(only).map(|key| as_printed(&key, needs)).into_iter().collect(), false);
    }
    let moves = message.split("; ").skip(1).filter_map(|text| {
        let needs = text.rsplit(" to ").next()?;
        Some(as_printed(&key(text)?, needs))
    });
    (moves.collect(), message.contains("all of these"))
}

/// A random cluster with limits about where its best design is.
fn case(dice: &mut Dice) -> Vec<String> {
    let gpus = 32 * dice.between(1, 8);
    let mut changes = vec![format!("cluster.gpus={gpus}")];
    changes.push(format!("training.global_batch={}", 2 * gpus));
    let minimize = ["capex", "capex", "tco", "usd-per-token", "power"][dice.roll(5) as usize];
    changes.push(format!("objective.minimize=\"{minimize}\""));
    if dice.chance(40) {
        changes.push(format!("objective.max_slowdown={}", 1.0 + dice.roll(20) as f64 / 100.0));
    }
    if dice.chance(30) {
        changes.push(format!("cluster.node=\"{}\"", ["one", "two"][dice.roll(2) as usize]));
    }
    let free = answer(BASE, &changes).expect("nothing limits it");
    let about = |dice: &mut Dice, value: f64| value * (0.985 + dice.roll(30) as f64 / 1000.0);
    if dice.chance(50) {
        let watts = about(dice, free.cost.power.get());
        changes.push(format!("limits.power=\"{watts} W\""));
    }
    if dice.chance(40) {
        changes.push(format!("limits.budget=\"${}\"", about(dice, free.cost.capex.get())));
    }
    if dice.chance(30) {
        let time = about(dice, free.step.time.total_time().get());
        changes.push(format!("limits.step_time=\"{time} s\""));
    }
    for model in ["small", "large", "thrifty"] {
        if dice.chance(35) {
            changes.push(format!("limits.supply.{model}={}", dice.roll(6)));
        }
    }
    if dice.chance(30) {
        changes.push(format!("limits.racks={}", dice.between(1, 10)));
    }
    if dice.chance(20) {
        changes.push(format!("limits.rack_power=\"{} kW\"", dice.between(9, 60)));
    }
    if dice.chance(20) {
        changes.push(format!("limits.across_rails=0.{}", dice.between(1, 9)));
    }
    changes
}

/// Every limit of a scenario a step looser, by its key: the override, and the step.
fn looser(scenario: &Scenario) -> Vec<(String, String)> {
    let limits = &scenario.limits;
    let slowdown =
        scenario.objective.allowed_slowdown(scenario.objective.minimize).min(990.0) * 1.01;
    let mut all = vec![("objective.max_slowdown".to_owned(), format!("{slowdown}"))];
    let mut add = |key: &str, value: String| all.push((format!("limits.{key}"), value));
    if let Some(power) = limits.power {
        add("power", format!("\"{} W\"", power.get() * 1.01));
    }
    if let Some(budget) = limits.budget {
        add("budget", format!("\"${}\"", budget.get() * 1.01));
    }
    if let Some(time) = limits.step_time {
        add("step_time", format!("\"{} s\"", time.get() * 1.01));
    }
    if let Some(racks) = limits.racks {
        add("racks", format!("{}", racks + 1));
    }
    if let Some(power) = limits.rack.power {
        add("rack_power", format!("\"{} W\"", power.get() * 1.01));
    }
    if limits.across_rails.is_some() {
        add("across_rails", "0".to_owned());
    }
    for (model, supply) in &limits.supply {
        add(&format!("supply.{model}"), format!("{}", supply + 1));
    }
    all
}

/// Limits from above that a scenario states, by key; a budget where money alone counts is none.
fn lifted(scenario: &Scenario) -> Vec<String> {
    let limits = &scenario.limits;
    let money = scenario.objective.minimize != Minimize::Capex;
    let stated = [
        ("power", limits.power.is_some()),
        ("budget", limits.budget.is_some() && money),
        ("step_time", limits.step_time.is_some()),
        ("racks", limits.racks.is_some()),
        ("rack_power", limits.rack.power.is_some()),
    ];
    let stated = stated.into_iter().filter(|(_, on)| *on).map(|(key, _)| format!("limits.{key}"));
    stated.chain(limits.supply.keys().map(|model| format!("limits.supply.{model}"))).collect()
}

/// What is said of a limit, followed: with as much of it as is said to do there is a design that saves
/// what is printed, with a ten-thousandth less of it than the first one none that saves anything, and
/// without the limit nothing saves more than the last one does.
fn follow_bounds(
    base: &str,
    changes: &[String],
    plan: &Plan,
    key: &str,
    minimize: Minimize,
    followed: &mut Followed,
) {
    let was = printed_value(plan, minimize);
    let rounding = SAME * was.max(1.0);
    let saved_with = |change: &str| {
        let changes = [changes, &[format!("{key}={change}")]].concat();
        let moved = answer(base, &changes).unwrap_or_else(|reason| panic!("{changes:?}: {reason}"));
        (was - printed_value(&moved, minimize), moved)
    };
    let bounds = plan.solver.binding.iter().filter(|limit| limit.limit == key);
    for (place, bound) in bounds.enumerate() {
        let LimitWorth::Moved { has, needs, saved, quantity: objective, design, .. } = &bound.worth
        else {
            panic!("{bound:?} is of the spec");
        };
        assert_eq!(*objective, minimize);
        let needs = needs.as_ref().expect("all that is asked here can be told");
        let printed = as_printed(key, &ExactAmount(needs).to_string());
        let (found, moved) = saved_with(printed.split_once('=').expect("it is an override").1);
        assert!((found - saved.scalar()).abs() <= rounding, "{printed}: {saved:?}, {found}");
        assert!(design.ends_with(&moved.nodes.node.name), "{key}: {design}");
        if place == 0 {
            let (has, needs) = (has.scalar(), needs.scalar());
            let less = needs - (needs - has).signum() * (needs / 10_000.0).max(grid(key));
            if (less - has).abs() > grid(key) && (less > has) == (needs > has) {
                let (found, _) = saved_with(&in_units(key, less));
                assert!(found <= rounding, "{key}: {less} saves {found}, not only {needs}");
            }
        }
        followed.bounds += usize::from(place == 0);
        followed.lifted += usize::from(place > 0);
    }
}

/// Steps in which a limit is written, in base units.
fn grid(key: &str) -> f64 {
    match key {
        "limits.power" | "limits.rack_power" => 100.0,
        "limits.step_time" | "objective.max_slowdown" => 1e-4,
        "limits.across_rails" => 1e-3,
        _ => 1.0,
    }
}

/// A limit of so many base units as a spec states it.
fn in_units(key: &str, value: f64) -> String {
    match key {
        "limits.power" | "limits.rack_power" => format!("\"{value} W\""),
        "limits.step_time" => format!("\"{value} s\""),
        "limits.budget" => format!("\"${value}\""),
        "objective.max_slowdown" | "limits.across_rails" => value.to_string(),
        _ => format!("{}", value.floor()),
    }
}

/// How many statements were followed.
#[derive(Default)]
struct Followed {
    moves: usize,
    bounds: usize,
    unlisted: usize,
    without: usize,
    lifted: usize,
}

fn follow(base: &str, changes: &[String], followed: &mut Followed) {
    let with = |more: &[String]| answer(base, &[changes, more].concat());
    match answer(base, changes) {
        Err(reason) => {
            let message = reason.to_string();
            let (moves, together) = advised(&message);
            if moves.is_empty() {
                assert!(!message.contains("is possible;"), "{message}: {changes:#?}");
                followed.without += 1;
            }
            if together {
                assert!(with(&moves).is_ok(), "{message}: {changes:#?}");
                for one in &moves {
                    assert!(with(std::slice::from_ref(one)).is_err(), "{one} alone: {changes:#?}");
                }
                followed.moves += 1;
            } else {
                for one in &moves {
                    let found = with(std::slice::from_ref(one));
                    assert!(found.is_ok(), "{one} of {message}: {found:?}: {changes:#?}");
                    followed.moves += 1;
                }
            }
        }
        Ok(plan) => {
            let scenario = scenario(base, changes);
            let minimize = scenario.objective.minimize;
            for (key, loose) in looser(&scenario) {
                let again = with(&[format!("{key}={loose}")]).expect("looser limits keep a design");
                let was = printed_value(&plan, minimize);
                let saved = was - printed_value(&again, minimize);
                let rounding = SAME * was.max(1.0);
                let mut listed = plan.solver.binding.iter().filter(|limit| limit.limit == key);
                let Some(least) = listed.next() else {
                    assert!(saved <= rounding, "{key} to {loose} saves {saved}: {changes:#?}");
                    followed.unlisted += 1;
                    continue;
                };
                let LimitWorth::Moved { has, needs: Some(needs), saved: least, .. } = &least.worth
                else {
                    panic!("{least:?} says what it needs: {changes:#?}");
                };
                // A hundredth more is enough, or too little.
                let (has, needs) = (has.scalar(), needs.scalar());
                let near = match key.as_str() {
                    "limits.across_rails" => true,
                    "limits.racks" => needs <= has + 1.0,
                    key if key.starts_with("limits.supply") => needs <= has + 1.0,
                    _ => needs <= has * 1.01,
                };
                let enough = saved >= least.scalar() - rounding;
                assert!(if near { enough } else { saved <= rounding }, "{key}: {changes:#?}");
                follow_bounds(base, changes, &plan, &key, minimize, followed);
            }
            for key in lifted(&scenario) {
                let little = changes.iter().filter(|change| !change.starts_with(&key));
                let without: Vec<String> = little.cloned().collect();
                // Only what a change states can be taken back.
                if without.len() == changes.len() {
                    continue;
                }
                let free = answer(base, &without).expect("without a limit there is a design");
                let saved = printed_value(&plan, minimize) - printed_value(&free, minimize);
                let listed = plan.solver.binding.iter().filter(|limit| limit.limit == key);
                let most = listed.map(|limit| match &limit.worth {
                    LimitWorth::Moved { saved, .. } => saved.scalar(),
                    LimitWorth::Together { .. } | LimitWorth::Tiers { .. } => 0.0,
                });
                let most = most.fold(0.0, f64::max);
                let rounding = SAME * printed_value(&plan, minimize).max(1.0);
                assert!((saved - most).abs() <= rounding, "{key}: {saved}, {most}: {changes:#?}");
            }
        }
    }
}

#[test]
fn what_is_advised_is_true_where_it_is_followed() {
    let mut followed = Followed::default();
    // More of them by hand: `PLANNER_CASES=300 cargo test --release --test designs design::advice`.
    let cases = drawn_cases(40);
    for seed in 0..cases {
        let changes = case(&mut Dice(1400 + seed));
        follow(BASE, &changes, &mut followed);
    }
    let Followed { moves, bounds, unlisted, without, lifted } = followed;
    let seen = format!(
        "{moves} changes, {bounds} bounds, {unlisted} others, {without} without, {lifted} lifted"
    );
    assert!(moves > 10 && bounds > 3 && unlisted > 20, "{seen}");
    if cases > 40 {
        assert!(without * 20 <= moves, "advice is mostly given: {seen}");
    }
}

/// Text of a spec whose advice was wrong once.
macro_rules! spec {
    ($name:literal) => {
        include_str!(concat!("../data/advice_", $name, ".toml"))
    };
}

#[test]
fn racks_that_are_said_to_do_do() {
    let mut followed = Followed::default();
    follow(spec!("racks"), &[], &mut followed);
    follow(spec!("racks"), &["limits.racks=30".to_owned()], &mut followed);
    assert!(followed.moves >= 2, "both are too few");
    // Thirteen hold the machines of two workloads, and no switch.
    follow(spec!("two_racks"), &[], &mut followed);
    assert!(followed.moves >= 3, "that is too few as well");
}

#[test]
fn a_limit_on_power_that_another_candidate_would_use_binds() {
    let mut followed = Followed::default();
    follow(spec!("power"), &[], &mut followed);
    assert!(followed.bounds > 0 && followed.lifted > 0, "a little more saves less than all of it");
    let plan = answer(spec!("power"), &[]).expect("it has a design");
    assert!(plan.solver.binding.iter().any(|limit| limit.limit == "limits.power"));
}

/// Each of two limits keeps out the machines that make a token cheapest: with more of one of them the other still
/// does. Both values that are told are designed with, from the spec.
#[test]
fn limits_that_bind_only_together_are_told() {
    let base = "[model]\npreset = \"llama3-70b\"\n\
        [training]\nglobal_batch = 512\ntokens = \"2T\"\n\
        [parallelism]\ntensor = 4\npipeline = 4\n\
        [cluster]\ngpus = 512\nnode = [\"dgx-a100-80gb\", \"gb300-nvl72\"]\nlinks = \"by-end\"\n";
    let limits = |budget: &str, power: &str| {
        vec![format!("limits.budget={budget}"), format!("limits.power={power}")]
    };
    let per_token = |plan: &Plan| printed_value(plan, Minimize::UsdPerToken);
    let tight = answer(base, &limits("\"$20M\"", "\"430 kW\"")).expect("A100 are within both");
    let [bound] = tight.solver.binding.as_slice() else {
        panic!("{:?}", tight.solver.binding);
    };
    let LimitWorth::Together { needs, saved, quantity: objective, .. } = &bound.worth else {
        panic!("{bound:?}")
    };
    assert_eq!(
        (bound.limit.as_str(), *objective),
        ("limits.budget and limits.power", Minimize::UsdPerToken)
    );
    let told: Vec<f64> = needs.iter().map(|(_, needs)| needs.scalar()).collect();
    let [budget, power] = [format!("\"${}\"", told[0]), format!("\"{} W\"", told[1])];
    for (budget, power) in [("\"$20M\"", power.as_str()), (budget.as_str(), "\"430 kW\"")] {
        let alone = answer(base, &limits(budget, power)).expect("A100 are within both");
        assert!((per_token(&alone) - per_token(&tight)).abs() <= SAME);
    }
    let both = answer(base, &limits(&budget, &power)).expect("what is told does");
    let found = per_token(&tight) - per_token(&both);
    assert!(found > 0.0 && (found - saved.scalar()).abs() <= SAME, "{found}, {saved:?}");
}

/// Nothing beside the first row would do with less of the limit, also where machines are in stock.
#[test]
fn a_limit_on_power_beside_machines_in_stock_names_the_least_that_is_worth_something() {
    let mut followed = Followed::default();
    follow(spec!("stock"), &[], &mut followed);
    assert!(followed.bounds > 0 && followed.lifted > 0);
}

/// What is said to be enough of a limit that parts share is enough for all of them with their networks; of money and
/// power less is not.
#[test]
fn what_is_said_to_be_enough_for_parts_is_enough() {
    let under = |limit: String| answer(spec!("parts"), &[limit]);
    let refused = |limit: &str| under(limit.to_owned()).expect_err("too little").to_string();
    let figure = |text: &str, unit: &str| -> f64 {
        let (before, _) = text.split_once(" is possible").expect(text);
        let figure = before.rsplit(' ').find(|word| word.contains(|c: char| c.is_ascii_digit()));
        let figure = figure.expect(text).trim_start_matches('$').replace(',', "");
        assert!(before.ends_with(unit), "{text}");
        figure.parse().expect(text)
    };
    let budget = figure(&refused("limits.budget=\"$1M\""), "");
    assert!(under(format!("limits.budget=\"${budget}\"")).is_ok());
    assert!(under(format!("limits.budget=\"${}\"", budget - 1.0)).is_err());
    let power = figure(&refused("limits.power=\"20 kW\""), "kW");
    assert!(under(format!("limits.power=\"{power} kW\"")).is_ok());
    assert!(under(format!("limits.power=\"{} kW\"", power - 0.1)).is_err());
    for few in 1..=3 {
        let racks = figure(&refused(&format!("limits.racks={few}")), "");
        assert!(under(format!("limits.racks={racks}")).is_ok(), "{few}: {racks}");
    }
}

/// The longest run of several parts has to move before a cheaper product is allowed.
#[test]
fn a_limit_on_days_that_parts_keep_to_binds_where_more_of_them_are_cheaper() {
    days_bind("limits.days", 16.0, |days| {
        spec!("parts").replace("days = 16", &format!("days = {days}"))
    });
}

/// Likewise what one part states by itself.
#[test]
fn a_limit_on_the_days_of_one_part_binds() {
    days_bind("workload.days of dense", 16.0, |days| {
        let own = format!("name = \"dense\"\ndays = {days}");
        spec!("parts").replace("[limits]\ndays = 16\n", "").replace("name = \"dense\"", &own)
    });
}

/// Likewise what one of several workloads states that share a cluster.
#[test]
fn a_limit_on_the_days_of_one_workload_binds() {
    days_bind("workload.days of dense", 14.0, |days| {
        spec!("shared").replace("days = 14", &format!("days = {days}"))
    });
}

/// The row of a limit on days is true: so many days save so much, and a tenth of a day less, the
/// next that could be said, does not.
fn days_bind(limit: &str, days: f64, base: impl Fn(f64) -> String) {
    let plan = |days: f64| answer(&base(days), &[]).expect("it has a design");
    let stated = plan(days);
    let bound = stated.solver.binding.iter().find(|binding_limit| binding_limit.limit == limit);
    let Some(LimitWorth::Moved { needs: Some(needs), saved, .. }) =
        bound.map(|binding_limit| &binding_limit.worth)
    else {
        panic!("{:?}", stated.solver.binding)
    };
    let (was, days) = (stated.cost.capex.get(), needs.scalar());
    let capex = |days: f64| plan(days).cost.capex.get();
    assert!((was - capex(days) - saved.scalar()).abs() <= SAME * was);
    assert!(was - capex(days - 0.1) <= SAME * was, "less of it does");
}

/// A layout that fills more of each domain and is left out as slow makes a token cheaper with the slowdown that is said
/// to let it in, by about as much as is said; with less the answer stays.
#[test]
fn a_layout_that_is_left_out_as_slow_is_cheaper_where_it_is_let_in() {
    let base = spec!("slow");
    let plan = answer(base, &[]).expect("it has a design");
    let told =
        plan.assumptions.iter().find(|assumption| assumption.topic == "objective.max_slowdown");
    let text = &told.expect("a layout is left out").text;
    let figure = |before: &str, after: &str| -> f64 {
        let (_, rest) = text.split_once(before).expect(before);
        rest.split_once(after).and_then(|(figure, _)| figure.parse().ok()).expect(text)
    };
    let (enough, percent) = (figure("network; ", " lets it in"), figure("be about ", " % cheaper"));
    let token = |slowdown: f64| {
        let changes = [format!("objective.max_slowdown={slowdown}")];
        printed_value(&answer(base, &changes).expect("it has a design"), Minimize::UsdPerToken)
    };
    let was = printed_value(&plan, Minimize::UsdPerToken);
    assert_eq!(token(enough - 0.01), was);
    let saved = 100.0 * (1.0 - token(enough) / was);
    assert!((saved - percent).abs() < 1.0, "{saved:.1} %, said to be {percent} %");
}

/// A limit on steps keeps layouts out and lets none in: a token costs no more without one, also where layouts that fill
/// domains of 72 are many and slow.
#[test]
fn a_token_costs_no_more_without_a_limit_on_steps() {
    let mut cheaper = 0;
    for (model, machine, gpus) in
        [("kimi-k2", "gb300-nvl72", 288), ("qwen3-235b-a22b", "gb300-nvl72", 288)]
    {
        let base = format!(
            "name = \"paced\"\nmodel = {{ preset = \"{model}\" }}\n\
             training = {{ global_batch = {}, tokens = \"5T\" }}\n[cluster]\ngpus = {gpus}\nnode = \"{machine}\"\n",
            8 * gpus
        );
        let token = |changes: &[String]| {
            printed_value(&answer(&base, changes).expect("it has a design"), Minimize::UsdPerToken)
        };
        let free = token(&[]);
        for most in ["1.02", "1.1", "1.2"] {
            let stated = token(&[format!("objective.max_slowdown={most}")]);
            assert!(free <= stated * (1.0 + SAME), "{model}: {free}, {stated} with {most}");
            cheaper += u32::from(free < stated * (1.0 - 0.01));
        }
    }
    assert!(cheaper > 0, "a limit costs something");
}

#[test]
fn a_clash_with_supply_is_explained_with_what_it_takes() {
    let source = presets::ready_spec("gpt3-175b-a100-1536").expect("it ships");
    let text = source.text;
    let changes = [
        "cluster.switches=[\"n9600-64od\"]",
        "limits.supply.n9600-64od=3",
        "limits.power=\"1.25 MW\"",
    ]
    .map(str::to_owned);
    let mut followed = Followed::default();
    follow(&text, &changes, &mut followed);
    assert_eq!((followed.moves, followed.without), (1, 0), "power and supply move together");
    let message = answer(&text, &changes).expect_err("too little of both").to_string();
    assert!(message.contains("limits.supply.n9600-64od") && message.contains("limits.power"));
}

/// Racks of 72 whose batch or number leaves GPUs idle: with each change that is said to leave none
/// idle there is a design that has no such warning, and it buys no more GPUs than it asks for.
#[test]
fn what_is_said_to_fill_machines_fills_them() {
    let idle = |plan: &Plan| {
        plan.warnings.iter().find_map(|warning| match warning {
            Warning::IdleGpus { filled, .. } => Some(filled.clone()),
            _ => None,
        })
    };
    let source = presets::ready_spec("starter").expect("it ships");
    let mut followed = 0;
    for (gpus, batch) in [(576, 512), (512, 512), (1152, 2048), (640, 1280)] {
        let spec = [
            format!("cluster.gpus={gpus}"),
            format!("training.global_batch={batch}"),
            "cluster.node=\"gb200-nvl72\"".to_owned(),
            // Trays that are left over are of no use.
            "hardware.nodes.gb200-nvl72.tray=72".to_owned(),
        ];
        let plan = answer(&source.text, &spec).expect("it has a design");
        let with_trays = answer(&source.text, &spec[..3]).expect("it has a design");
        if with_trays.failures.spare_trays > 0 {
            // GPUs asked for that no layout uses are told in a warning of their own.
            let all_train = with_trays.nodes.training == u64::from(with_trays.nodes.gpus);
            let told = all_train.then(Vec::new);
            assert_eq!(idle(&with_trays), told, "trays to spare are no waste");
        }
        let Some(filled) = idle(&plan) else { continue };
        for change in &filled {
            let gpus = change.gpus.map(|gpus| format!("cluster.gpus={gpus}"));
            let batch = change.batch.map(|batch| format!("training.global_batch={batch}"));
            let changes = [&spec[..], &gpus.into_iter().chain(batch).collect::<Vec<_>>()].concat();
            let plan = answer(&source.text, &changes).expect("as it is said");
            assert_eq!(idle(&plan), None, "{changes:?}");
            let bought = plan.nodes.domains * plan.nodes.node.gpus;
            assert_eq!(bought, plan.nodes.gpus, "{changes:?}");
            followed += 1;
        }
    }
    assert!(followed >= 3, "{followed} changes are told");
}

#[test]
fn a_step_is_timed_on_the_product_that_a_design_takes() {
    for objective in ["capex", "power", "usd-per-token"] {
        for node in ["[\"one\", \"two\"]", "[\"two\", \"one\"]"] {
            let changes =
                [format!("objective.minimize=\"{objective}\""), format!("cluster.node={node}")];
            let plan = answer(BASE, &changes).expect("it has a design");
            let timed = plan_step(&scenario(BASE, &changes)).expect("it runs");
            assert_eq!(timed.nodes.node.name, plan.nodes.node.name, "{changes:?}");
            assert_eq!(timed.layout, plan.layout, "{changes:?}");
            assert!(timed.assumptions.iter().any(|assumption| assumption.topic == "cluster.node"));
        }
    }
}

/// Inside a band of prices the design stays the best, and beyond it another costs less: by designing
/// again at both, and by what the design's own bill buys of the part.
#[test]
fn a_price_turns_the_choice_where_it_is_said_to() {
    let stock = ["inventory.large=2", "inventory.dr4-400g=40", "inventory.one=3"];
    for minimize in [Minimize::Capex, Minimize::UsdPerToken] {
        let mut turns = 0;
        for own in [&stock[..], &[]] {
            let quantity = format!("objective.minimize=\"{}\"", minimize.name());
            let changes: Vec<String> =
                own.iter().map(|text| (*text).to_owned()).chain([quantity]).collect();
            let plan = answer(BASE, &changes).expect("it has a design");
            for band in price_bands(&scenario(BASE, &changes), &Options::default()) {
                let lines = plan.bill.iter().filter(|line| line.part == band.part);
                let bought: u64 = lines.map(|line| line.count - line.owned).sum();
                assert_eq!(band.used, bought > 0, "{}", band.part);
                for turn in [&band.below, &band.above].into_iter().flatten() {
                    let at = |share: f64| {
                        let price = band.price.get() + (turn.price - band.price).get() * share;
                        let sold = vec![format!("prices.{}=\"${price}\"", band.part)];
                        let best = answer(BASE, &[changes.clone(), sold].concat());
                        let best = best.expect("prices forbid nothing");
                        // Designs by the token are proven but for the goodput of others.
                        let open = best.solver.gap;
                        let best = printed_value(&best, minimize);
                        let more = (price - band.price.get()) * bought as f64;
                        // Machines cost as much to run, whatever they are bought for.
                        let fixed = match minimize {
                            Minimize::UsdPerToken => {
                                let tokens = plan.cost.tco.get() / printed_value(&plan, minimize);
                                (plan.cost.tco.get() + more) / tokens
                            }
                            _ => plan.cost.capex.get() + more,
                        };
                        (best, fixed, open)
                    };
                    let ((inside, stays, open), (beyond, beaten, _)) = (at(0.995), at(1.005));
                    let what =
                        format!("{} at {}, {}", band.part, turn.price.get(), minimize.name());
                    let same = (inside - stays).abs() <= (SAME + open) * stays;
                    assert!(same, "{what}: {inside} {stays}");
                    assert!(beyond < beaten - SAME * beaten, "{what}: {beyond} {beaten}");
                    turns += 1;
                }
            }
        }
        assert!(turns > 3, "{turns} prices turn the choice by {}", minimize.name());
    }
}

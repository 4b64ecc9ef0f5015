//! Layout and network chosen together against every layout by itself: each is stated, so that nothing of it
//! is searched, and designed for. JOINT_CASES says how many specs are drawn, JOINT_SEED from which on.

use std::fmt::Write as _;

use planner::design::{Plan, SolverStatus, design, step};
use planner::scenario::Scenario;
use planner::spec::{Override, Source, read};

use crate::dice::Dice;

/// Share of its memory that a GPU may use.
const FILLED: f64 = 0.98;

const GOALS: [&str; 4] = ["capex", "tco", "power", "usd-per-token"];

/// A drawn question.
struct Drawn {
    text: String,
    goal: &'static str,
    /// Machines, and domains of every size of a family.
    products: Vec<String>,
    gpus: u32,
    layers: u32,
    batch: u64,
    slowdown: f64,
}

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

fn drawn(seed: u64) -> Drawn {
    let mut dice = Dice(seed);
    let gpus = [16, 16, 32][dice.roll(3) as usize];
    let layers = [4, 6, 8][dice.roll(3) as usize];
    let batch = u64::from(gpus) * [1, 2, 4][dice.roll(3) as usize];
    let goal = GOALS[dice.roll(4) as usize];
    let products = if dice.chance(40) { vec!["box", "case"] } else { vec!["box"] };
    // Of a family every third spec knows two sizes. Its dice are its own, so that all else is as before.
    let mut made = Dice(seed ^ 0xfa_111e5);
    let sizes: &[u32] = if made.chance(35) { &[2, 4] } else { &[] };
    let asked: Vec<&str> =
        products.iter().copied().chain((!sizes.is_empty()).then_some("made")).collect();
    let slowdown = [1.02, 1.2, 2.0][dice.roll(3) as usize];
    let family = ["auto", "auto", "rail-only", "rail-optimized"][dice.roll(4) as usize];
    let mut text = String::new();
    let mut line = |of: String| writeln!(text, "{of}").expect("text can be written to");
    line(format!(
        "name = \"joint\"\n[model]\nlayers = {layers}\nhidden = {}\nheads = 16\nvocab = 32000\nsequence = {}\n\
         [training]\nglobal_batch = {batch}\ntokens = \"10B\"\nrecompute = \"none\"\n[parallelism]\n\
         context = 1\nzero = 1\nsequence_parallel = false\norder = \"tp-cp-ep-dp-pp\"\n[cluster]\n\
         gpus = {gpus}\nnode = {asked:?}\nfabric = \"{family}\"\nswitches = [\"small\", \"large\"]\n\
         [objective]\nminimize = \"{goal}\"\nmax_slowdown = {slowdown}\n[limits]\nsurvive = \"nothing\"",
        [512, 1024, 2048][dice.roll(3) as usize],
        [512, 1024, 2048][dice.roll(3) as usize],
    ));
    if dice.chance(30) {
        line(format!("[limits.supply]\nsmall = {}", dice.between(2, 12)));
    }
    if dice.chance(30) {
        line(format!("[inventory]\nlarge = {}", dice.between(1, 3)));
    }
    line("[prices]\nsr4-200g = \"$200\"".into());
    for product in &products {
        line(format!(
            "[hardware.nodes.{product}]\ngpu = \"h100\"\ngpus = {0}\nhb_bandwidth = \"{1} GB/s\"\n\
             forwards = {2}\nnics = {0}\nnic = \"card\"\npower = \"2 kW\"\nrack_units = 4\nprice = \"${3}\"",
            [2, 4][dice.roll(2) as usize],
            [100, 300, 450][dice.roll(3) as usize],
            dice.chance(70),
            dice.between(1, 40) * 1000,
        ));
    }
    if !sizes.is_empty() {
        line(format!(
            "[hardware.families.made]\ngpu = \"h100\"\nnic = \"card\"\ngpus = {sizes:?}\nlinks = 4\n\
             link_bandwidth = \"{} GB/s\"\nchip_ports = {}\ngpu_power = \"900 W\"\nchip_power = \"{} W\"\n\
             gpu_price = \"${}\"\nchip_price = \"${}\"\nlink_price = \"${}\"\nforwards = {}",
            [25, 50, 100][made.roll(3) as usize],
            [4, 8][made.roll(2) as usize],
            made.between(1, 5) * 100,
            made.between(1, 12) * 1000,
            made.between(1, 8) * 250,
            made.between(1, 4) * 50,
            made.chance(70),
        ));
    }
    line(format!(
        "[hardware.nics.card]\nbandwidth = \"{} Gb/s\"\npower = \"10 W\"\nmax_planes = 1\nprice = \"$500\"",
        [200, 400][dice.roll(2) as usize]
    ));
    for (name, ports) in [("small", 8), ("large", 16)] {
        line(format!(
            "[hardware.switches.{name}]\nports = {ports}\nport_speed = \"400 Gb/s\"\nmax_split = 2\n\
             power = \"{} W\"\nrack_units = 1\nprice = \"${}\"",
            dice.between(1, 10) * 100,
            dice.between(1, 20) * 1000
        ));
    }
    let products = products.into_iter().map(str::to_owned);
    let products = products.chain(sizes.iter().map(|gpus| format!("made-{gpus}"))).collect();
    Drawn { text, goal, products, gpus, layers, batch, slowdown }
}

fn scenario(text: &str, changes: &[String]) -> Option<Scenario> {
    let changes: Vec<Override> = changes.iter().map(Override::new).collect();
    read(&Source::new("joint.toml", text), &changes).ok()
}

/// Every layout of the drawn keys that a spec may state, by its settings.
fn layouts(of: &Drawn) -> Vec<Vec<String>> {
    let mut all = Vec::new();
    for tensor in 1..=of.gpus {
        for pipeline in 1..=of.layers {
            if !of.gpus.is_multiple_of(tensor * pipeline) {
                continue;
            }
            let replicas = u64::from(of.gpus / (tensor * pipeline));
            for micro_batch in 1..=of.batch / replicas.min(of.batch) {
                if !of.batch.is_multiple_of(replicas * micro_batch) {
                    continue;
                }
                for interleave in 1..=if pipeline > 1 { of.layers } else { 1 } {
                    all.push(vec![
                        format!("parallelism.tensor={tensor}"),
                        format!("parallelism.pipeline={pipeline}"),
                        format!("parallelism.interleave={interleave}"),
                        format!("training.micro_batch={micro_batch}"),
                    ]);
                }
            }
        }
    }
    all
}

fn value(goal: &str, plan: &Plan) -> f64 {
    match goal {
        "capex" => plan.cost.capex.get(),
        "tco" => plan.cost.tco.get(),
        "power" => plan.cost.power.get(),
        _ => plan.cost.tco.get() * plan.step.time.total().get() / plan.failures.year.goodput,
    }
}

/// The least that any stated layout takes, with its settings; `None` where none can be built.
fn enumerated(of: &Drawn) -> Option<(f64, Vec<String>)> {
    let mut best: Option<(f64, Vec<String>)> = None;
    for product in &of.products {
        let on = |settings: &[String], more: &[String]| {
            [settings, more, &[format!("cluster.node={product}")]].concat()
        };
        let timed = layouts(of).into_iter().filter_map(|settings| {
            let plan = step(&scenario(&of.text, &on(&settings, &[]))?).ok()?;
            let fits = plan.memory.total().as_f64() <= FILLED * plan.memory_capacity.as_f64();
            fits.then(|| (settings, plan.step.time.total().get()))
        });
        let timed: Vec<(Vec<String>, f64)> = timed.collect();
        let fastest = timed.iter().map(|(_, time)| *time).fold(f64::INFINITY, f64::min);
        let longest = fastest * of.slowdown * (1.0 + 1e-12);
        let limit =
            [format!("limits.step_time={longest:.15} s"), "objective.max_slowdown=1000".to_owned()];
        for (settings, _) in timed.iter().filter(|(_, time)| *time <= longest) {
            let settings = on(settings, &limit);
            let Some(scenario) = scenario(&of.text, &settings) else { continue };
            let Ok(plan) = design(&scenario) else { continue };
            let value = value(of.goal, &plan);
            if best.as_ref().is_none_or(|(known, _)| value < *known) {
                best = Some((value, settings));
            }
        }
    }
    best
}

#[test]
fn no_stated_layout_beats_the_one_that_is_chosen_with_its_network() {
    let (first, cases) = (setting("JOINT_SEED", 1), setting("JOINT_CASES", 3));
    let mut faults = Vec::new();
    let (mut slower, mut proven, mut made) = (0, 0, 0);
    for seed in first..first + cases {
        let of = drawn(seed);
        let open = scenario(&of.text, &[]).unwrap_or_else(|| panic!("unsound\n{}", of.text));
        let (open, least) = (design(&open), enumerated(&of));
        let fault = match (open, least) {
            (Ok(plan), Some((least, settings))) => {
                let found = value(of.goal, &plan);
                let other = plan.solver.layouts.map_or(0.0, |of| of.gap);
                let optimal = plan.solver.status == SolverStatus::Optimal && other <= 0.0;
                let allowed = plan.solver.gap.max(other) + 1e-9;
                slower += u32::from(plan.step.slowdown > 1.0 + 1e-9);
                proven += u32::from(optimal);
                made += u32::from(plan.nodes.node.name.starts_with("made"));
                (found * (1.0 - allowed) > least || found < least * (1.0 - 1e-9))
                    .then(|| format!("{found} {}, enumerated {least} {settings:?}", of.goal))
            }
            (Err(reason), Some((least, settings))) => {
                Some(format!("none ({reason}), enumerated {least} {settings:?}"))
            }
            (Ok(plan), None) => Some(format!("{} where none is", value(of.goal, &plan))),
            (Err(_), None) => None,
        };
        faults.extend(fault.map(|text| format!("seed {seed}: {text}\n{}", of.text)));
    }
    let told = format!(
        "{cases} specs, {proven} proven, {slower} with a step longer than the least, {made} of a family"
    );
    assert!(faults.is_empty(), "{} of {told}\n{}", faults.len(), faults.join("\n"));
    assert!(proven > 0 && (made > 0 || cases < 100), "{told}");
}

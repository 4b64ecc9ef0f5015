//! Layout and network chosen together against every layout by itself: each is stated, so that nothing of it
//! is searched, and designed for. `PLANNER_REPORT` gets what they came to.

use std::fmt::Write as _;

use planner::design::{PhaseReport, Plan, SolverStatus, plan_step};
use planner::scenario::Scenario;
use planner::spec::{Override, SpecText, read_scenario};

use crate::search_layouts::second::{Ranks, Second};
use crate::support::cases::{drawn_cases, first_seed, report_folder};
use crate::support::dice::Dice;
use crate::support::scenario::design;

/// Share of its memory that a GPU may use.
const FILLED: f64 = 0.98;

const GOALS: [&str; 4] = ["capex", "tco", "power", "usd-per-token"];

/// Techniques that train a model in phases.
const PHASES: [&str; 5] = [
    "[technique.multilevel]\n",
    "[technique.multilevel]\ngpus = 8\n",
    "[technique.multilevel]\nbefore = 0.0\nsmall = 1.0\nafter = 0.1\n",
    "[technique.sil]\nrecovery = 0.3\naccept_unverified = true\n",
    "[technique.sil]\nrecovery = 0.05\naccept_unverified = true\n",
];

/// A drawn question.
pub(super) struct Drawn {
    pub(super) text: String,
    pub(super) goal: &'static str,
    /// Machines, and domains of every size of a family.
    pub(super) products: Vec<String>,
    gpus: u32,
    layers: u32,
    batch: u64,
    /// Steps of the run without phases.
    steps: f64,
    pub(super) slowdown: f64,
    /// The table of a technique that trains the model in phases; empty where it has one.
    phases: &'static str,
    pub(super) second: Option<Second>,
}

impl Drawn {
    /// The spec with nothing of the leading workload's layout stated.
    pub(super) fn open(&self) -> String {
        let tables = self.second.as_ref().map(Second::open);
        format!("{}{}", self.text, tables.unwrap_or_default())
    }

    /// The spec with layouts of all workloads stated and the settings to read it with; a step of each, on
    /// average over the phases of its run, takes no longer than so many seconds.
    pub(super) fn stated(
        &self,
        (layout, longest): (Stated, f64),
        second: Option<(Ranks, f64)>,
    ) -> (String, Vec<String>) {
        match self.second.as_ref().zip(second) {
            None => {
                let most = match self.phases {
                    "" => format!("limits.step_time={longest:.15} s"),
                    _ => format!("limits.days={:.15}", longest * self.steps / 86_400.0),
                };
                let limits = [most, "objective.max_slowdown=1000".into()];
                (self.text.clone(), [layout.settings(), limits.to_vec()].concat())
            }
            Some((second, (ranks, own))) => {
                let keys = layout.keys();
                let first = format!("max_slowdown = 1000\nstep_time = \"{longest:.15} s\"\n{keys}");
                (format!("{}{}", self.text, second.stated(&first, ranks, own)), Vec::new())
            }
        }
    }
}

/// A layout of the leading workload.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stated {
    tensor: u32,
    pipeline: u32,
    interleave: u32,
    micro_batch: u64,
}

impl Stated {
    /// As settings.
    pub(super) fn settings(self) -> Vec<String> {
        let Self { tensor, pipeline, interleave, micro_batch } = self;
        vec![
            format!("parallelism.tensor={tensor}"),
            format!("parallelism.pipeline={pipeline}"),
            format!("parallelism.interleave={interleave}"),
            format!("training.micro_batch={micro_batch}"),
        ]
    }

    /// As keys of a workload.
    fn keys(self) -> String {
        let Self { tensor, pipeline, interleave, micro_batch } = self;
        format!(
            "training = {{ micro_batch = {micro_batch} }}\nparallelism = {{ tensor = {tensor}, \
             pipeline = {pipeline}, interleave = {interleave} }}"
        )
    }
}

pub(super) fn drawn(seed: u64) -> Drawn {
    let mut dice = Dice(seed);
    // Every third has more domains than a switch has ports: there layouts differ in the network that they need.
    let mut wide = Dice(seed ^ 0x0007_1de5);
    wide.roll(2);
    let is_wide = wide.chance(33);
    let gpus = [16, 16, 32][dice.roll(3) as usize];
    let gpus = if is_wide { [32, 64][wide.roll(2) as usize] } else { gpus };
    let layers = [4, 6, 8][dice.roll(3) as usize];
    let layers = if is_wide { 4 } else { layers };
    // Every fourth has domains that cut layouts unevenly, with trays that may be left to spare.
    let mut odd = Dice(seed ^ 0x0000_0dd5);
    odd.roll(2);
    let is_odd = odd.chance(25);
    let gpus = if is_odd { [12, 16, 24, 32, 48][odd.roll(5) as usize] } else { gpus };
    let times = [1, 2, 4][dice.roll(3) as usize];
    let batch = u64::from(gpus) * if is_wide { 1 } else { times };
    let goal = GOALS[dice.roll(4) as usize];
    let products = if dice.chance(40) { vec!["box", "case"] } else { vec!["box"] };
    // Of a family every third spec knows two sizes. Its dice are its own, so that all else is as before.
    let mut made = Dice(seed ^ 0xfa_111e5);
    let sizes: &[u32] = if made.chance(35) { &[2, 4] } else { &[] };
    let sizes = if is_odd { &[] } else { sizes };
    let asked: Vec<&str> =
        products.iter().copied().chain((!sizes.is_empty()).then_some("made")).collect();
    let slowdown = [1.02, 1.2, 2.0][dice.roll(3) as usize];
    // Cost per token has no limit by default.
    let unstated = goal == "usd-per-token" && slowdown == 2.0;
    let slowdown = if unstated { 1000.0 } else { slowdown };
    let paced = if unstated { String::new() } else { format!("max_slowdown = {slowdown}\n") };
    let family = ["auto", "auto", "rail-only", "rail-optimized"][dice.roll(4) as usize];
    // Losses to survive, where they are asked for: the pace that is left is measured against that of the layout.
    let mut lost = Dice(seed ^ 0x0010_55e5);
    lost.roll(2);
    let survive = if lost.chance(25) {
        let losses = ["\"any-link\"", "[\"any-link\", \"any-switch\"]"][lost.roll(2) as usize];
        format!("{losses}\nsurvive_pace = {}", [0.5, 0.9, 0.97, 0.99][lost.roll(4) as usize])
    } else {
        "\"nothing\"".to_owned()
    };
    let sequence = [512, 1024, 2048];
    let (hidden, sequence) = (sequence[dice.roll(3) as usize], sequence[dice.roll(3) as usize]);
    let mut text = String::new();
    let mut line = |word: String| writeln!(text, "{word}").expect("text can be written to");
    line(format!(
        "name = \"joint\"\n[model]\nlayers = {layers}\nhidden = {hidden}\nheads = 16\nvocab = 32000\nsequence = {sequence}\n\
         [training]\nglobal_batch = {batch}\ntokens = \"10B\"\nrecompute = \"none\"\n[parallelism]\n\
         context = 1\nzero = 1\nsequence_parallel = false\norder = \"tp-cp-ep-dp-pp\"\n[cluster]\n\
         gpus = {gpus}\nnode = {asked:?}\nfabric = \"{family}\"\nswitches = [\"small\", \"large\"]\n\
         [objective]\nminimize = \"{goal}\"\n{paced}[limits]\nsurvive = {survive}",
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
             forwards = {2}\nnics = {0}\nnic = \"card\"\npower = \"2 kW\"\nrack_units = 4\nprice = \"${3}\"{4}",
            {
                let even = [2, 4][dice.roll(2) as usize];
                if is_odd { [3, 6, 9, 12][odd.roll(4) as usize] } else { even }
            },
            [100, 300, 450][dice.roll(3) as usize],
            dice.chance(70),
            dice.between(1, 40) * 1000,
            if is_odd && odd.chance(60) { "\ntray = 3" } else { "" },
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
    let bandwidth = [200, 400][dice.roll(2) as usize];
    let bandwidth = if is_wide { [100, 200][wide.roll(2) as usize] } else { bandwidth };
    line(format!(
        "[hardware.nics.card]\nbandwidth = \"{bandwidth} Gb/s\"\npower = \"10 W\"\nmax_planes = 1\nprice = \"$500\""
    ));
    let (small, large) = if is_wide { (4, 8) } else { (8, 16) };
    for (name, ports) in [("small", small), ("large", large)] {
        let (speed, split) = if is_wide { (bandwidth, 1) } else { (400, 2) };
        line(format!(
            "[hardware.switches.{name}]\nports = {ports}\nport_speed = \"{speed} Gb/s\"\nmax_split = {split}\n\
             power = \"{} W\"\nrack_units = 1\nprice = \"${}\"",
            dice.between(1, 10) * 100,
            dice.between(1, 20) * 1000
        ));
    }
    let products = products.into_iter().map(str::to_owned);
    let products = products.chain(sizes.iter().map(|gpus| format!("made-{gpus}"))).collect();
    let second = Second::drawn(seed, gpus);
    let mut phased = Dice(seed ^ 0x00fa_5e50);
    phased.roll(2);
    let phases = if second.is_none() && phased.chance(25) {
        PHASES[phased.roll(PHASES.len() as u64) as usize]
    } else {
        ""
    };
    let steps = 10e9 / (batch * sequence) as f64;
    let text = text + phases;
    Drawn { text, goal, products, gpus, layers, batch, steps, slowdown, phases, second }
}

pub(super) fn scenario(text: &str, changes: &[String]) -> Option<Scenario> {
    let changes: Vec<Override> = changes.iter().map(Override::new).collect();
    read_scenario(&SpecText::new("joint.toml", text), &changes).ok()
}

/// Every layout of the drawn keys that a spec may state.
pub(super) fn layouts(drawn: &Drawn) -> Vec<Stated> {
    let mut all = Vec::new();
    for tensor in 1..=drawn.gpus {
        for pipeline in 1..=drawn.layers {
            if !drawn.gpus.is_multiple_of(tensor * pipeline) {
                continue;
            }
            let replicas = u64::from(drawn.gpus / (tensor * pipeline));
            for micro_batch in 1..=drawn.batch / replicas.min(drawn.batch) {
                if !drawn.batch.is_multiple_of(replicas * micro_batch) {
                    continue;
                }
                for interleave in 1..=if pipeline > 1 { drawn.layers } else { 1 } {
                    all.push(Stated { tensor, pipeline, interleave, micro_batch });
                }
            }
        }
    }
    all
}

/// What is minimised: for tokens, the cost over those that both workloads train with their shares of the time.
pub(super) fn value(goal: &str, plan: &Plan) -> f64 {
    match goal {
        "capex" => plan.cost.capex.get(),
        "tco" => plan.cost.tco.get(),
        "power" => plan.cost.power.get(),
        _ => plan.cost.tco.get() * blended(plan) / plan.failures.year.goodput,
    }
}

/// The step of the leading workload that trains as much as all do together.
fn blended(plan: &Plan) -> f64 {
    let rates = plan.workloads.iter().map(|workload_plan| {
        let tokens = workload_plan.step.tokens as f64;
        workload_plan.share * tokens / workload_plan.step.time.total_time().get()
    });
    match plan.workloads.first() {
        Some(lead) => lead.step.tokens as f64 / rates.sum::<f64>(),
        None => mean(plan.step.time.total_time().get(), &plan.phases),
    }
}

/// A step on average over the phases of a run, over as many as it would have without them.
pub(super) fn mean(step: f64, phases: &[PhaseReport]) -> f64 {
    match phases {
        [] => step,
        all => all.iter().map(|report| report.share * report.step.get()).sum(),
    }
}

/// Layouts that fit a product, each with its step on a network that never blocks, and the shortest of them.
pub(super) fn timed<T>(
    drawn: &Drawn,
    product: &str,
    all: Vec<(T, Vec<String>)>,
) -> (Vec<(T, f64)>, f64) {
    let timed = all.into_iter().filter_map(|(layout, settings)| {
        let settings = [settings, vec![format!("cluster.node={product}")]].concat();
        let plan = plan_step(&scenario(&drawn.text, &settings)?).ok()?;
        let fits = plan.memory.total_on_gpu().as_f64() <= FILLED * plan.memory_capacity.as_f64();
        fits.then(|| (layout, mean(plan.step.time.total_time().get(), &plan.phases)))
    });
    let timed: Vec<(T, f64)> = timed.collect();
    let fastest = timed.iter().map(|(_, time)| *time).fold(f64::INFINITY, f64::min);
    (timed, fastest)
}

/// The least that stated layouts take, with what states them; `None` where none can be built.
type Least = Option<(f64, String)>;

/// The least over every stated layout of each workload, and over the fastest of each.
fn enumerated(drawn: &Drawn) -> (Least, Least) {
    /// Above 1 by the rounding of a sum.
    const ROUNDING: f64 = 1.0 + 1e-12;
    let (mut best, mut of_fastest): (Least, Least) = (None, None);
    let keep = |best: &mut Least, value: f64, told: &str| {
        if best.as_ref().is_none_or(|(known, _)| value < *known) {
            *best = Some((value, told.to_owned()));
        }
    };
    for product in &drawn.products {
        let leads = layouts(drawn).into_iter().map(|layout| (layout, layout.settings())).collect();
        let (leads, fastest) = timed(drawn, product, leads);
        // With each the longest step that it may take; true for the fastest.
        let seconds = match &drawn.second {
            None => vec![(None, true)],
            Some(second) => {
                let all = second.layouts(drawn.gpus).into_iter();
                let all = all.map(|ranks| (ranks, second.alone(ranks))).collect();
                let (timed, fastest) = timed(drawn, product, all);
                let longest = fastest * second.slowdown * ROUNDING;
                let fast = timed.into_iter().filter(|(_, time)| *time <= longest);
                fast.map(|(this_ranks, time)| {
                    (Some((this_ranks, longest)), time <= fastest * ROUNDING)
                })
                .collect()
            }
        };
        let longest = fastest * drawn.slowdown * ROUNDING;
        for (layout, time) in leads.into_iter().filter(|(_, time)| *time <= longest) {
            for (second, is_fastest) in &seconds {
                let (text, mut settings) = drawn.stated((layout, longest), *second);
                settings.push(format!("cluster.node={product}"));
                let Some(scenario) = scenario(&text, &settings) else { continue };
                let Ok(plan) = design(&scenario) else { continue };
                let value = value(drawn.goal, &plan);
                let told = format!("{layout:?} on {product}, second {second:?}");
                keep(&mut best, value, &told);
                if *is_fastest && time <= fastest * ROUNDING {
                    keep(&mut of_fastest, value, &told);
                }
            }
        }
    }
    (best, of_fastest)
}

/// What the drawn specs came to.
#[derive(Debug, Default)]
struct Tally {
    proven: u32,
    /// With a step longer than the least.
    slower: u32,
    /// On a product of a family.
    made: u32,
    /// With two workloads.
    two: u32,
    /// With phases, and of those the ones where a layout that is not the fastest is the best one.
    phases: u32,
    phases_other_layout: u32,
    /// With one workload, where a layout that is not the fastest is the best one.
    other_layout: u32,
    /// Likewise with two.
    two_other_layout: u32,
}

/// What is wrong with the answer to a spec; `None` where it is the best one.
fn judge(drawn: &Drawn, tally: &mut Tally) -> Option<String> {
    let open = drawn.open();
    let open = scenario(&open, &[]).unwrap_or_else(|| panic!("unsound\n{open}"));
    let (all, of_fastest) = enumerated(drawn);
    let open = design(&open);
    tally.two += u32::from(drawn.second.is_some());
    tally.phases += u32::from(!drawn.phases.is_empty());
    match (open, &all) {
        (Ok(plan), Some((least, told))) => {
            let found = value(drawn.goal, &plan);
            let left = plan.solver.layouts.as_ref().map_or(0.0, |proven| proven.gap);
            let optimal = plan.solver.status == SolverStatus::Optimal && left <= 0.0;
            let allowed = plan.solver.gap.max(left) + 1e-9;
            let best = |pair: &Least| pair.as_ref().map_or(f64::INFINITY, |(value, _)| *value);
            let other = u32::from(best(&all) < best(&of_fastest) * (1.0 - allowed));
            tally.slower += u32::from(plan.step.slowdown > 1.0 + 1e-9);
            tally.proven += u32::from(optimal);
            tally.made += u32::from(plan.nodes.node.name.starts_with("made"));
            tally.phases_other_layout += other * u32::from(!drawn.phases.is_empty());
            if drawn.second.is_none() {
                tally.other_layout += other;
            } else {
                tally.two_other_layout += other;
            }
            (found * (1.0 - allowed) > *least || found < least * (1.0 - 1e-9))
                .then(|| format!("{found} {}, enumerated {least} {told}", drawn.goal))
        }
        (Err(reason), Some((least, told))) => {
            Some(format!("none ({reason}), enumerated {least} {told}"))
        }
        (Ok(plan), None) => Some(format!("{} where none is", value(drawn.goal, &plan))),
        (Err(_), None) => None,
    }
}

#[test]
fn no_stated_layout_beats_the_one_that_is_chosen_with_its_network() {
    let (first, cases) = (first_seed(1), drawn_cases(3));
    let mut faults = Vec::new();
    let mut tally = Tally::default();
    for seed in first..first + cases {
        let drawn_job = drawn(seed);
        let fault = judge(&drawn_job, &mut tally);
        faults.extend(fault.map(|text| format!("seed {seed}: {text}\n{}", drawn_job.open())));
    }
    let told = format!("{cases} specs, {tally:?}");
    if let Some(folder) = report_folder() {
        std::fs::write(folder.join("joint.txt"), &told).expect("it is a folder");
    }
    assert!(faults.is_empty(), "{} of {told}\n{}", faults.len(), faults.join("\n"));
    assert!(tally.proven > 0 && (tally.made > 0 || cases < 100), "{told}");
    assert!(cases < 40 || tally.two > 0, "{told}");
    assert!(cases < 100 || tally.other_layout > 0 && tally.two_other_layout > 0, "{told}");
}

//! Finds warnings; keys a proof does not range over.

use super::unmeasured_speed::{above_measured, assumed_rates};
use crate::collective::Policy;
use crate::cost::{BillLine, Cost, Role};
use crate::design::columns::terms::Terms;
use crate::design::job::job::Job;
use crate::design::job::layout_search::more_that_all_train;
use crate::design::job::machine::Level;
use crate::design::job::run::JobRun;
use crate::design::network::best_network::size_network;
use crate::design::network::program::SizingTools;
use crate::design::network::sized_fabric::SizedFabric;
use crate::design::plan::plan::{FixedKey, SolverReport};
use crate::design::plan::proof::SolverStatus;
use crate::design::plan::warning::{Warning, changes_that_fill_machines, mixed_levels};
use crate::hardware::{Month, PricedItem};
use crate::memory::MemoryFit;
use crate::parallel::placement::Locality;
use crate::parallel::{Placed, Placement, Schedule, Zero};
use crate::scenario::FabricChoice;
use crate::search::Space;
use crate::traffic::{TrafficSummary, leaf_cut};
use crate::units::{Bandwidth, Bytes, Usd};
use crate::workload::{Recompute, Technique};

/// What warnings follow from.
pub(in crate::design) struct Facts<'a> {
    pub(in crate::design) job: &'a Job<'a>,
    pub(in crate::design) level: Level,
    pub(in crate::design) bill: &'a [BillLine],
    pub(in crate::design) cost: &'a Cost,
    pub(in crate::design) traffic: &'a TrafficSummary,
}

/// Uplink bandwidth over demand below which balance has to be nearly perfect (an assumption:
/// published runs of adaptive routing lose some 10 to 20 % to collisions).
const ENOUGH_HEADROOM: f64 = 1.25;

/// Every warning that applies, in a fixed order.
pub(super) fn list_warnings(facts: &Facts<'_>) -> Vec<Warning> {
    let mut all = Vec::new();
    all.extend(assumed_rates(&facts.job.machine.node.gpu));
    all.extend(above_measured(facts.job, facts.level));
    all.extend(uplink_headroom(facts));
    all.extend(forwarding_warning(facts));
    all.extend(forwarding_bound(facts));
    if !facts.cost.unpriced.is_empty() {
        all.push(Warning::Unpriced { parts: facts.cost.unpriced.clone() });
    }
    all.extend(priced_by_port(facts));
    all.extend(old_prices(facts));
    all.extend(expired_quotes(facts));
    let scenario = facts.job.scenario;
    all.extend(mixed_levels(&scenario.prices, &scenario.cluster.nodes));
    // Products are bought whole, and groups of ranks stay inside their domains.
    let job = facts.job;
    let bought = u64::from(job.domains) * u64::from(job.machine.node.gpus);
    let running = job.runs_at_level(facts.level);
    let used = running.iter().map(|run| run.layout().gpus()).max().unwrap_or(0);
    let idle = bought.saturating_sub(used);
    if let Some(partly) = partly_training(job, used) {
        all.push(partly);
    } else if idle > 0 {
        let spare_trays = job.fleet().spare_trays();
        all.push(Warning::IdleGpus {
            count: u32::try_from(idle).unwrap_or(u32::MAX),
            of_machine: job.machine.node.gpus,
            used: running
                .iter()
                .map(|run| run.placement().used_gpus_per_domain())
                .max()
                .unwrap_or(0),
            share: idle as f64 / bought as f64,
            asked: job.scenario.cluster.gpus,
            fixed: fixed_keys(job, facts.level)
                .into_iter()
                .map(|key| key.key)
                .filter(is_placed)
                .collect(),
            spare_trays,
            filled: if spare_trays > 0 { Vec::new() } else { changes_that_fill_machines(job) },
        });
    }
    all.extend(memory_tight(facts));
    all.extend(other_steps(job));
    all
}

/// GPUs of the cluster that stay idle, as the planner chose the replicas.
fn partly_training(job: &Job<'_>, training: u64) -> Option<Warning> {
    const DATA: &str = "parallelism.data";
    let (scenario, lead, machine) = (job.scenario, job.lead_run(), job.machine);
    let asked = scenario.cluster.gpus;
    let stated = lead.workload.layout.data.is_some();
    let assumed = scenario.assumed_on(machine.node);
    let chosen = !stated || assumed.iter().any(|assumption| assumption.topic == DATA);
    (chosen && training < u64::from(asked)).then(|| Warning::PartlyTraining {
        training,
        asked,
        stated,
        above: more_that_all_train(scenario, &lead.workload, machine, lead.layout(), lead.full),
    })
}

/// Techniques by which other steps take the place of ordinary ones.
fn other_steps(job: &Job<'_>) -> Option<Warning> {
    let is_on = |technique: &Technique| {
        let on = |run: &JobRun<'_>| run.workload.techniques.has_technique(*technique);
        job.one_run_per_workload().any(on)
    };
    let on = [Technique::MultiLevel, Technique::Sil].into_iter().filter(is_on);
    let techniques: Vec<&'static str> = on.map(Technique::key).collect();
    (!techniques.is_empty()).then_some(Warning::OtherSteps { techniques })
}

/// Switches without a price of their own, where others have one.
fn priced_by_port(facts: &Facts<'_>) -> Option<Warning> {
    let scenario = facts.job.scenario;
    let named =
        |part: &str| scenario.prices.prices.contains_key(&PricedItem::Part(part.to_owned()));
    if !scenario.catalogue.switches.iter().any(|switch| named(&switch.name)) {
        return None;
    }
    let guessed = |line: &&BillLine| {
        line.role == Role::Switch && line.bought_count() > 0 && !named(&line.part)
    };
    let lines = facts.bill.iter().filter(guessed);
    let parts: Vec<(String, Usd)> =
        lines.filter_map(|line| Some((line.part.clone(), line.unit.as_ref()?.amount))).collect();
    (!parts.is_empty()).then_some(Warning::PricedByPort { parts })
}

/// Offers that no longer hold in the month that the spec states.
fn expired_quotes(facts: &Facts<'_>) -> Option<Warning> {
    let as_of = facts.job.scenario.prices.as_of?;
    let bought = facts.bill.iter().filter(|line| line.bought_count() > 0);
    let over = bought.filter_map(|line| {
        let quote = &line.unit.as_ref()?.quote;
        let until = quote.valid_until.clone().filter(|_| quote.is_over_in(as_of))?;
        Some((line.part.clone(), until))
    });
    let parts: Vec<(String, String)> = over.collect();
    (!parts.is_empty()).then_some(Warning::ExpiredQuotes { parts, as_of })
}

/// Prices that were old in the month that the spec states; no clock is read, so that the same spec
/// gives the same bytes for ever. Where it states none, a product that was chosen among several is
/// held against the newest price of the book: an old price may be why it was chosen.
fn old_prices(facts: &Facts<'_>) -> Option<Warning> {
    let scenario = facts.job.scenario;
    let book = &scenario.prices;
    let stated = book.as_of.is_some();
    // A year alone may be any month of it: it makes no price older.
    let newest = || book.prices.values().filter_map(|price| Month::parse(&price.date)).max();
    let chosen = scenario.cluster.nodes.len() > 1;
    let as_of = book.as_of.or_else(|| newest().filter(|_| chosen))?;
    let age = |line: &BillLine| {
        let judged = line.count > line.owned && (stated || line.role == Role::Node);
        let date = &line.unit.as_ref().filter(|_| judged)?.date;
        let months = as_of.months_since(Month::parse_latest(date)?);
        (months > book.old_after).then(|| (months, line.part.clone(), date.clone()))
    };
    let old: Vec<(u32, String, String)> = facts.bill.iter().filter_map(age).collect();
    let months = old.iter().map(|(months, ..)| *months).max()?;
    let parts = old.into_iter().map(|(_, part, date)| (part, date)).collect();
    Some(Warning::OldPrices { parts, months, as_of, stated })
}

/// Flows that cross the border of a leaf against its uplinks, for the communication that
/// loads them most.
fn uplink_headroom(facts: &Facts<'_>) -> Option<Warning> {
    // Elsewhere the step is timed with uplinks as full as they are expected to be.
    let leaf = facts.level.leaf_domains.filter(|_| facts.job.machine.balance.is_even())?;
    let cut = |run: &JobRun<'_>| {
        let placed = Placed::new(&run.step.grid, run.placement());
        let calls = run.step.communications.iter();
        calls
            .map(|communication| {
                leaf_cut(&run.step, communication, &placed, &Policy::from(communication.by), leaf)
            })
            .fold(0.0, f64::max)
    };
    let most = facts.job.runs_at_level(facts.level).into_iter().map(cut).fold(0.0, f64::max);
    let uplinks = facts.level.within * f64::from(leaf);
    let headroom = uplinks / most;
    let within = (facts.level.within * ENOUGH_HEADROOM / headroom).min(1.0);
    (most > 0.0 && headroom < ENOUGH_HEADROOM)
        .then_some(Warning::UplinkHeadroom { headroom, within })
}

fn forwarding_warning(facts: &Facts<'_>) -> Option<Warning> {
    let bytes = facts.traffic.bytes_of_locality(Locality::AcrossRails);
    let forwarded = facts.level.across <= 0.0 && bytes > Bytes::ZERO;
    forwarded.then_some(Warning::Forwarding { bytes })
}

/// HB bandwidth of 2·φ times a GPU's share of NIC bandwidth suffices for every pattern
/// that the NICs permit (docs/equations.md); what tensor parallelism uses comes on top.
fn forwarding_bound(facts: &Facts<'_>) -> Option<Warning> {
    let node = facts.job.machine.node;
    if facts.level.across >= 1.0 || node.gpus < 2 {
        return None;
    }
    let share = facts.job.machine.nic.bandwidth * (f64::from(node.nics) / f64::from(node.gpus));
    let elsewhere = Placement::with_packed_domains(node.gpus, node.nics).cross_rail_share();
    let needed: Bandwidth = share * (2.0 * elsewhere);
    (node.hb_bandwidth < needed)
        .then_some(Warning::ForwardingBound { hb: node.hb_bandwidth, needed })
}

/// Rail-only against the cheapest full-bisection Clos in as many planes.
pub(crate) fn no_rail_saving(
    job: &Job<'_>,
    sized: &SizedFabric,
    terms: &Terms<'_>,
    tools: &mut SizingTools<'_>,
) -> Option<Warning> {
    if sized.counts.kind.joins_rails() {
        return None;
    }
    let terms = Terms { fabric: FabricChoice::Clos, ..*terms };
    let clos = size_network(job, sized.planes, &terms, tools).ok()?;
    (clos.value <= sized.value).then_some(Warning::NoRailSaving)
}

fn memory_tight(facts: &Facts<'_>) -> Option<Warning> {
    let has = facts.job.machine.node.gpu.memory;
    let fullest = facts.job.runs_at_level(facts.level);
    let fullest = fullest.into_iter().max_by_key(|run| run.memory.total_on_gpu())?;
    let needs = fullest.memory.total_on_gpu();
    (MemoryFit::of_total(needs, has) != MemoryFit::Fits).then(|| Warning::MemoryTight {
        needs,
        has,
        keys: frees_memory(fullest),
    })
}

/// Keys that the layouts of a job on a fabric of a level have one value of, where another could
/// give a better design; in the order of the spec, of all workloads.
pub(super) fn fixed_keys(job: &Job<'_>, level: Level) -> Vec<FixedKey> {
    let assumed = job.scenario.assumed_on(job.machine.node);
    let of_run = |run: &JobRun<'_>| -> Vec<FixedKey> {
        let default = |key: &str| {
            assumed.iter().any(|assumption| assumption.default && assumption.topic == key)
        };
        let keys = not_searched(run, job).into_iter();
        keys.map(|key| FixedKey { key, default: default(key) }).collect()
    };
    let all: Vec<FixedKey> = job.runs_at_level(level).into_iter().flat_map(of_run).collect();
    dedup_in_order(all.iter())
}

/// Keys that a spec leaves open and that are chosen before any network is sized: they are those of
/// the fastest layout on a full-bisection Clos, so the proof ranges over no other value.
pub(super) fn keys_chosen_before_sizing(job: &Job<'_>, level: Level) -> Vec<&'static str> {
    let of_run = |run: &JobRun<'_>| -> Vec<&'static str> {
        // Of rank orders each is a candidate.
        let first = |key: &LayoutKey| !key.fixed && key.matters && key.key != ORDER;
        layout_keys(run, job).into_iter().filter(first).map(|key| key.key).collect()
    };
    let all: Vec<&'static str> = job.runs_at_level(level).into_iter().flat_map(of_run).collect();
    dedup_in_order(all.iter())
}

/// What other layouts could save at most, where that is no more than the gap of the answer is told
/// to: nothing, where it is proven optimal. `None` where they could save more, or nobody knows.
pub(super) fn gap_over_layouts(solver: &SolverReport) -> Option<f64> {
    /// The least share that a report tells apart from none.
    const TOLD: f64 = 1e-5;
    let most = match solver.status {
        SolverStatus::GoodputBound => solver.gap + TOLD,
        _ => 0.0,
    };
    solver.layouts.map(|proven| proven.gap).filter(|gap| *gap <= most)
}

fn not_searched(run: &JobRun<'_>, job: &Job<'_>) -> Vec<&'static str> {
    let open = layout_keys(run, job).into_iter().filter(|key| key.fixed && key.matters);
    open.map(|key| key.key).collect()
}

const ORDER: &str = "parallelism.order";

/// A key of the layout.
struct LayoutKey {
    key: &'static str,
    /// The spec or a default says what it is.
    fixed: bool,
    matters: bool,
}

fn layout_keys(run: &JobRun<'_>, job: &Job<'_>) -> Vec<LayoutKey> {
    let request = &run.workload.layout;
    let (model, training) = (&run.workload.model, &run.workload.training);
    let layout = run.layout();
    // Of layouts on all GPUs, and on those that train.
    let training_gpus = u32::try_from(layout.gpus()).unwrap_or(u32::MAX);
    let spaces = [job.scenario.cluster.gpus, training_gpus]
        .map(|gpus| Space::all_layouts(model, training, gpus));
    // Where pipeline stages are searched, there may be several.
    let staged = layout.pipeline > 1 || request.pipeline.is_none();
    let replicated = layout.data > 1;
    let chunked = matches!(request.schedule, Schedule::OneFOneB | Schedule::Interleaved);
    let several = |read: fn(&Space) -> &[u32]| spaces.iter().any(|space| read(space).len() > 1);
    let all = [
        ("parallelism.tensor", request.tensor.is_some(), several(|this_space| &this_space.tensor)),
        (
            "parallelism.pipeline",
            request.pipeline.is_some(),
            several(|this_space| &this_space.pipeline),
        ),
        (
            "parallelism.context",
            request.context.is_some(),
            several(|this_space| &this_space.context),
        ),
        ("parallelism.expert", request.expert.is_some(), several(|this_space| &this_space.expert)),
        (
            "parallelism.interleave",
            request.interleave.is_some(),
            staged && chunked && model.layers > layout.pipeline,
        ),
        (
            "parallelism.sequence_parallel",
            request.sequence_parallel.is_some(),
            layout.tensor > 1 || request.tensor.is_none(),
        ),
        ("parallelism.zero", request.zero.is_some(), replicated),
        (ORDER, request.order.is_some(), staged && replicated && job.domains > 1),
        (
            "training.micro_batch",
            request.micro_batch.is_some(),
            training.global_batch > u64::from(layout.data),
        ),
        ("training.recompute", request.recompute.is_some(), true),
    ];
    all.into_iter().map(|(key, fixed, matters)| LayoutKey { key, fixed, matters }).collect()
}

/// True where a key decides which ranks share a machine.
fn is_placed(key: &&'static str) -> bool {
    const PLACED: [&str; 5] = [
        "parallelism.tensor",
        "parallelism.pipeline",
        "parallelism.context",
        "parallelism.expert",
        "parallelism.order",
    ];
    PLACED.contains(key)
}

/// Keys of which another value leaves more memory free, those first that change the layout least.
fn frees_memory(run: &JobRun<'_>) -> Vec<&'static str> {
    let layout = run.layout();
    let all = [
        ("training.recompute", layout.recompute != Recompute::Full),
        ("training.micro_batch", layout.micro_batch > 1),
        ("parallelism.zero", layout.zero != Zero::Parameters && layout.data > 1),
        ("parallelism.pipeline", true),
        ("parallelism.tensor", true),
    ];
    all.into_iter().filter_map(|(key, frees)| frees.then_some(key)).collect()
}

/// Each of them once, in their order.
pub(crate) fn dedup_in_order<'a, T: Clone + PartialEq + 'a>(
    all: impl Iterator<Item = &'a T>,
) -> Vec<T> {
    let mut kept: Vec<T> = Vec::new();
    for one in all {
        if !kept.contains(one) {
            kept.push(one.clone());
        }
    }
    kept
}

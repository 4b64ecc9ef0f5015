//! What stands in several places has one value there: savings of the summary, the table and the steps of the
//! comparison, the bill and the cable list, and the interval of a difference.

use planner::design::{AlternativeKind, Plan, installed};
use planner::fabric::FabricKind;
use planner::units::Usd;

use crate::compare::comparison;
use crate::support::scenario::ready;

/// Specs whose links are parts: in a hall, and without one.
const PARTS: [(&str, &[&str]); 3] = [
    ("starter", &["cluster.links=parts", "hall.racks_per_row=8", "cluster.max_planes=1"]),
    ("gpt3-175b-a100-1536", &["cluster.links=parts", "hall.racks_per_row=16"]),
    ("starter", &["cluster.links=parts", "cluster.max_planes=1"]),
];

#[track_caller]
fn alike(what: &str, one: Usd, other: Usd) {
    assert!((one - other).get().abs() < 0.01, "{what}: {one:?} and {other:?}");
}

#[test]
fn a_saving_is_the_same_in_the_summary_the_table_and_the_steps() {
    for (name, changes) in PARTS {
        let found = comparison(name, changes, &["clos"]);
        let clos = |alternative: &&planner::design::Alternative| {
            alternative.differs == AlternativeKind::Family(FabricKind::Clos)
        };
        if let Some(row) = found.design.alternatives.iter().find(clos) {
            // The same machines: what the network costs more is what the cluster costs more.
            alike(name, row.network_capex_change, row.capex_change);
            let best = found.contenders.iter().map(|result| result.against.network_capex_saving);
            let best = best.reduce(Usd::min).expect("a Clos is built");
            assert!(row.network_capex_change >= best - Usd::from_f64(0.01), "{name}");
        }
        let steps = found.attribution.expect("the design's switch builds a Clos").contributions;
        let whole = found.contenders[0].against.network_capex_saving;
        alike(name, steps.iter().map(|step| step.saving).sum(), whole);
    }
}

/// Half a million pairs of steps drawn by a clock that errs as §4.12 has it: a part that both steps have by
/// one draw, what only one has by its own.
#[test]
fn the_interval_of_a_difference_is_that_of_drawn_clock_errors() {
    let found = comparison("llama3-405b-h100-16384", &["objective.max_slowdown=1.2"], &["clos"]);
    for contender in &found.contenders {
        let planner::units::UsdRange { low, high } =
            contender.against.usd_per_million_tokens_saving_interval.expect("both have one");
        let saving = contender.against.usd_per_million_tokens_saving.expect("both have a cost");
        assert!(low <= saving && saving <= high, "{}", contender.name);
        let drawn = drawn_interval(&contender.plan, &found.design);
        let width = (high - low).get();
        for (what, told, drawn) in [("low", low, drawn.0), ("high", high, drawn.1)] {
            let off = (told.get() - drawn).abs();
            assert!(off <= 0.08 * width, "{}, {what}: {told:?}, drawn {drawn}", contender.name);
        }
    }
}

/// Ends of the middle 80 of 100 differences.
fn drawn_interval(baseline: &Plan, design: &Plan) -> (f64, f64) {
    const DRAWS: usize = 100_000;
    let mut seed = 0x2545_f491_4f6c_dd1d_u64;
    let mut uniform = || {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        (seed >> 11) as f64 / (1_u64 << 53) as f64
    };
    // A split normal error: one in ten beyond each end.
    const TENTH: f64 = 1.281_551_565_5;
    let mut error = |plan: &Plan| {
        let (one, other) = (uniform().max(1e-300), uniform());
        let normal = (-2.0 * one.ln()).sqrt() * (std::f64::consts::TAU * other).cos();
        let interval = &plan.step.interval;
        let reach = if normal < 0.0 { 1.0 - interval.low } else { interval.high - 1.0 };
        1.0 + normal * reach / TENTH
    };
    let parts = |plan: &Plan| {
        let step_time = &plan.step.time;
        let mut all = vec![
            step_time.compute,
            step_time.bubble,
            step_time.optimizer,
            step_time.host,
            step_time.swap,
            step_time.stragglers,
        ];
        all.extend(
            planner::step::TrafficKind::ALL.map(|kind| step_time.exposed.time_of_kind(kind)),
        );
        all.into_iter().map(|time| time.get()).collect::<Vec<f64>>()
    };
    let rate = |plan: &Plan| {
        let usd = plan.cost.usd_per_million_tokens.expect("it has a cost").get();
        usd / plan.step.time.total_time().get()
    };
    let (theirs, ours) = (parts(baseline), parts(design));
    let shared: f64 = theirs.iter().zip(&ours).map(|(one, other)| one.min(*other)).sum();
    let (alone, own) = (theirs.iter().sum::<f64>() - shared, ours.iter().sum::<f64>() - shared);
    let mut all: Vec<f64> = (0..DRAWS)
        .map(|_| {
            let (both, one, other) = (error(design), error(baseline), error(design));
            rate(baseline) * (shared * both + alone * one)
                - rate(design) * (shared * both + own * other)
        })
        .collect();
    all.sort_by(f64::total_cmp);
    (all[DRAWS / 10], all[DRAWS - DRAWS / 10])
}

#[test]
fn the_cable_list_has_the_parts_of_the_bill() {
    for (name, changes) in PARTS {
        let scenario = ready(name, changes);
        let plan = comparison(name, changes, &["clos"]).design;
        let asked = planner::design::question_of_plan(&scenario, &plan);
        let placed = installed(&asked, &plan).unwrap_or_else(|reason| panic!("{name}: {reason}"));
        let pieces = placed.cabling.cable_orders().expect("every link has its parts");
        for order in &pieces {
            let line = plan.bill.iter().find(|line| line.part == order.name);
            let billed = line.map_or(0, |line| line.powered_count());
            assert_eq!(billed, order.count, "{name}: {}", order.name);
        }
    }
}

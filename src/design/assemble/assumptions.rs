//! Sentences of what is taken for granted.

use crate::cost::{BillLine, LinkParts, LinkWithCable, Role, standby_cost};
use crate::design::candidate::candidates::Candidate;
use crate::design::candidate::kept_layouts::{KeptLayout, SeatCount, keep_best_layouts};
use crate::design::candidate::layouts::max_layouts_sized;
use crate::design::candidate::machine_cost::{leaf_model, links_of_fabric};
use crate::design::candidate::priced_links::LinkPurchase;
use crate::design::candidate::standby::cheapest_standby;
use crate::design::columns::terms::{Terms, max_allowed_step_time};
use crate::design::job::job::Job;
use crate::design::job::layout_search::divides_domains_evenly;
use crate::design::job::machine::{FamilyMember, Level};
use crate::fabric::Counts;
use crate::hardware::Gpu;
use crate::parallel::Layout;
use crate::reliability::{FailureYear, PerYear, Standby, failure_year};
use crate::scenario::{Assumption, FabricChoice, Minimize, Objective, Scenario, Stretch, Workload};
use crate::timing::{Interval, StepKind};
use crate::units::{Seconds, Usd, format_price as usd};

/// What is assumed of cables.
pub(super) fn cable_assumptions(job: &Job<'_>, counts: &Counts) -> String {
    let LinkParts { host, uplink, width, .. } = match links_of_fabric(&job.fleet(), counts) {
        LinkPurchase::Parts(parts, _) => parts,
        LinkPurchase::ByEnd | LinkPurchase::Apart => {
            let text = match job.scenario.installation {
                Some(_) => {
                    "cables of links that are counted by their ends, and labour, are in \
                     [installation]"
                }
                None => {
                    "not in this price, as nothing dated is known: fibre, copper cables, \
                         labour"
                }
            };
            let hall = if job.scenario.hall.stated {
                "; optics and cables that `planner cables` lists are in the price with `links = \
                 \"parts\"` in [cluster]"
            } else {
                ""
            };
            return format!("{text}{hall}");
        }
    };
    let stretches = job.scenario.link_lengths();
    let between = if counts.link_count() > counts.host_links {
        let wide = match width {
            1 => String::new(),
            _ => format!(", {width} ports per link"),
        };
        let metres = cable_lengths_in_words(&stretches.uplink);
        format!(", and {metres} between switches ({}{wide})", link_kind_names(&uplink))
    } else {
        String::new()
    };
    let routed = if job.scenario.lengths.is_some() { ", routed through the hall" } else { "" };
    let labour = match job.scenario.installation {
        Some(_) => "labour is in [installation]",
        None => "not in this price: labour",
    };
    format!(
        "{} to a NIC ({}){between}{routed}; {labour}",
        cable_lengths_in_words(&stretches.host),
        link_kind_names(&host)
    )
}

/// How long cables are, in words.
fn cable_lengths_in_words(stretches: &[Stretch]) -> String {
    let all = || stretches.iter().map(|stretch| stretch.cable_m);
    let (least, most) = (all().min().unwrap_or(0), all().max().unwrap_or(0));
    if least == most { format!("{most} m") } else { format!("{least} m to {most} m") }
}

/// Names of kinds of link, each once.
fn link_kind_names(pairs: &[(LinkWithCable<'_>, u64)]) -> String {
    let mut names: Vec<&str> = pairs.iter().map(|(joint, _)| joint.kind.name.as_str()).collect();
    names.dedup();
    names.join(", ")
}

/// All of it; nothing where there is no such fabric.
pub(super) fn routed_family_assumptions(
    family: FabricChoice,
    member: Option<FamilyMember>,
) -> Vec<Assumption> {
    let Some(member) = member else { return Vec::new() };
    let take = |topic: &str, text| Assumption { topic: topic.to_owned(), text, default: false };
    let mut all = vec![
        take("cluster.fabric", describe_family_choice(family, member)),
        unweighed_family_assumption(),
        take("limits.within_rail", describe_oversubscription_bound(member)),
    ];
    all.extend(member.takes_detours().then(|| take("routing.detours", describe_detours())));
    all
}

/// How a fabric was chosen that is timed on its cables, and among which.
fn describe_family_choice(family: FabricChoice, member: FamilyMember) -> String {
    let among = match family {
        FabricChoice::Dragonfly => {
            "every dragonfly was open of p NICs and h links to other groups on each of the a \
             switches of a group, p + a - 1 + h ports or fewer, in as few groups as hold the NICs, \
             at most a·h + 1 (Kim et al., ISCA 2008)"
        }
        FabricChoice::ZCube => {
            "every ZCube of two rows was open (Yan et al., SIGCOMM 2025), links between the rows \
             bought as all others are"
        }
        _ => {
            "leaf switches with up to half of their ports up were open, and in three tiers spines \
             with up to half of theirs, of one model and one shape"
        }
    };
    format!(
        "{member}; {among}; each that costs less was timed by routing the step over its cables, up \
         to what the proof leaves open"
    )
}

/// That other families were no choice.
pub(crate) fn unweighed_family_assumption() -> Assumption {
    let text = "other families were not weighed: `cluster.fabric = \"any\"` takes the best of all"
        .to_owned();
    Assumption { topic: "cluster.fabric".to_owned(), text, default: false }
}

/// What a bound on oversubscription means of a fabric that is timed on its cables.
fn describe_oversubscription_bound(member: FamilyMember) -> String {
    if member.takes_detours() {
        "leaf switches have no uplinks here: what any two halves of the NICs have between them at \
         least is held against a bound on oversubscription"
            .into()
    } else {
        "uplinks of all tiers together are held against a bound on oversubscription".into()
    }
}

/// How messages find their way on a fabric that is no tree.
fn describe_detours() -> String {
    "each message is spread over its shortest ways, and as much of it over a switch drawn at \
     random (Valiant) as makes the slowest link of its call fastest: what adaptive routing comes \
     near to; fabrics that route by shortest ways alone are slower"
        .into()
}

/// Who shares a leaf switch, and what few uplinks rest on.
pub(super) fn leaf_sharing_sentence(job: &Job<'_>, level: Level) -> String {
    let order = &job.lead_run().layout().order;
    let placed = format!(
        "the scheduler fills leaf switches in rank order ({order}), so that neighbours share one"
    );
    if level.within >= 1.0 || level.within <= 0.0 {
        return placed;
    }
    let by = job.lead_run().workload.framework.collectives.spec_text();
    let ratio = 1.0 / level.within;
    format!(
        "{placed}; leaf switches that are oversubscribed {ratio:.1}:1 rest on that and on the \
         algorithms of `[collectives]` ({by}): another order, jobs placed at random or other \
         algorithms need more uplinks"
    )
}

/// The assumption about them; `None` where none stands by and none would make a token cheaper.
pub(super) fn standby_assumption(
    job: &Job<'_>,
    bill: &[BillLine],
    year: &FailureYear,
) -> Option<String> {
    let standby = job.standby.domains;
    if standby == 0 {
        return none_stands_by(job);
    }
    let stated = &job.scenario.failures;
    let line = bill.iter().find(|line| line.role == Role::Node)?;
    let why = match (stated.standby, stated.fill_rate, &line.unit) {
        (Some(_), ..) => "as the spec states",
        (None, Some(_), _) => "as many as suffice for `failures.fill_rate`",
        (None, None, Some(_)) => "as many as make tokens cheapest",
        (None, None, None) => {
            "as many as suffice 99.9 % of the time: without a price nothing weighs them"
        }
    };
    let all: Usd = bill.iter().map(|line| line.total).sum();
    let paid = standby_cost(bill);
    let price = match line.unit {
        Some(_) if all > Usd::ZERO => {
            format!("{}, {:.1} % of the price", usd(paid), paid.get() / all.get() * 100.0)
        }
        _ => "unpriced".to_owned(),
    };
    let some = if standby == 1 { "spare machine" } else { "spare machines" };
    Some(format!(
        "{standby} {some}, {why}: {price}, switched off; {}; `failures.standby = 0` buys none",
        takes_over(job, year)
    ))
}

/// What one that stands by needs to take over.
fn takes_over(job: &Job<'_>, year: &FailureYear) -> String {
    let failures = &job.scenario.failures;
    if job.standby.is_by_hand() {
        return format!(
            "without own cables: those of a broken machine are carried over in {} h \
             (`failures.swap_hours`, assumed unless stated), and the job waits {:.2} days a year \
             for that",
            failures.swap_hours,
            year.carrying * PerYear::DAYS
        );
    }
    if job.networked_domains() == job.domains {
        return "no network joins the machines".to_owned();
    }
    let gone = 1.0 - year_without_standby_ports(job, year).goodput / year.goodput;
    format!(
        "with ports and cables of their own, in the price, so that one takes over within a restart \
         of {} minutes; without them cables would be carried for {} h each time \
         (`failures.swap_hours`), and {:.1} % less of the time would train",
        failures.restart_minutes,
        failures.swap_hours,
        gone * 100.0
    )
}

/// The year, did those that stand by have no ports.
fn year_without_standby_ports(job: &Job<'_>, year: &FailureYear) -> FailureYear {
    let faults = year.faults.iter().map(|year| year.fault.clone()).collect();
    failure_year(faults, &job.scenario.failures, Standby::new_cold(job.standby.domains))
}

/// Why none stands by where what is minimised does not count the time that is lost, and how many
/// would make a token of the machines cheapest.
fn none_stands_by(job: &Job<'_>) -> Option<String> {
    let scenario = job.scenario;
    let is_stated = scenario.failures.stated_standby(0.0).is_some();
    let minimize = scenario.objective.minimize;
    if is_stated || minimize == Minimize::UsdPerToken {
        return None;
    }
    // As a number that is stated is bought where time is not counted: without ports.
    let kind = if job.domains < 2 { Standby::new_wired } else { Standby::new_cold };
    let cheapest = cheapest_standby(&job.fleet(), kind, 0.0, 1.0);
    (cheapest > 0).then(|| {
        format!(
            "no spare machine: minimize = \"{}\" counts no time lost to failures; \
             `failures.standby = {cheapest}` makes tokens cheapest",
            minimize.name()
        )
    })
}

/// The assumption about GPUs of machines that hold no rank; `None` where all hold one.
pub(super) fn idle_gpus_assumption(job: &Job<'_>) -> Option<String> {
    if job.domains < 2 || job.lead_run().placement().used_gpus_per_domain() >= job.machine.node.gpus
    {
        return None;
    }
    let purpose = match job.fleet().spare_trays() {
        0 => "they can take the place of failed ones, on which goodput does not count",
        _ => "goodput counts on whole trays of them in the place of broken ones",
    };
    Some(format!("GPUs of a machine that have no work are bought and cabled with it: {purpose}"))
}

/// Steps up to so many times as long as those that are allowed are looked at.
const LONGER: f64 = 1.25;

/// Savings that are told; smaller ones are noise of the clock.
const TOLD: f64 = 1e-3;

/// What is said of the layout that would take least, with the least network for its machines and
/// for those of a job; `None` where it saves nothing, or where all layouts take as many machines.
pub(super) fn slow_layout_assumption(job: &Job<'_>, counts: &Counts) -> Option<Assumption> {
    let (scenario, machine) = (job.scenario, job.machine);
    let by_token = scenario.objective.minimize == Minimize::UsdPerToken;
    if job.runs.len() > 1 || divides_domains_evenly(scenario, machine) {
        return None;
    }
    if max_layouts_sized(scenario, std::iter::once(machine)) == 0 {
        return None; // so many GPUs that layouts beside the fastest one are not looked at
    }
    let terms = Terms::from_scenario(scenario);
    let longest = max_allowed_step_time(job.lead_run(), &terms);
    if longest < job.lead_run().reference * terms.max_slowdown
        || terms.max_slowdown >= Objective::ANY_SLOWDOWN
    {
        return None; // another limit is tighter, or there is none
    }
    let protocol = leaf_model(scenario, counts)?.protocol;
    let on = Candidate { job: job.clone(), planes: counts.planes, protocol };
    let found = keep_best_layouts(scenario, scenario.lead_workload(), machine, longest * LONGER);
    let slow = |kept_layout: &KeptLayout| -> Vec<SeatCount> {
        let slow = |count: &&SeatCount| {
            count.timed && count.min_step_time > longest && count.min_step_time <= longest * LONGER
        };
        kept_layout.seated.iter().filter(slow).copied().collect()
    };
    let all: Vec<(&KeptLayout, SeatCount)> = found
        .layouts
        .iter()
        .flat_map(|kept_layout| slow(kept_layout).into_iter().map(move |at| (kept_layout, at)))
        .collect();
    let own = (job.used, job.domains);
    let seats: Vec<(u32, u32)> = std::iter::once(own)
        .chain(all.iter().map(|(_, seated)| seated.gpus_and_domains()))
        .collect();
    let floors = on.lower_bounds_of_layouts(&terms, &seats, None);
    let (is, others) = floors.split_first()?;
    // A token takes as much longer as its step.
    let times = |step: Seconds| if by_token { step.get() } else { 1.0 };
    let is = is * times(job.full_bisection_step_time());
    let (share, kept_layout, seated) = all
        .iter()
        .zip(others)
        .map(|((kept_layout, seated), floor)| {
            (floor * times(seated.min_step_time) / is, *kept_layout, seated)
        })
        .min_by(|(one, _, a), (other, _, b)| {
            one.total_cmp(other).then(a.min_step_time.total_cmp(&b.min_step_time))
        })?;
    let saves = if by_token { "tokens would be about" } else { "it would take about" };
    let less = if by_token { "cheaper" } else { "less" };
    let layout = &kept_layout.layout;
    let most = terms.max_slowdown;
    let slowdown = seated.min_step_time / job.lead_run().reference;
    // To the next hundredth.
    let enough = (slowdown * 100.0).ceil() / 100.0;
    (1.0 - share >= TOLD).then(|| Assumption {
        topic: "objective.max_slowdown".to_owned(),
        text: format!(
            "{most} leaves out tensor {} x pipeline {} x data {} x context {} on {} of {} GPUs of \
             each HB domain: on {} domains, here {}, and with steps {:.1} % longer {saves} {:.1} % \
             {less}, by machines and the least network; {enough:.2} lets it in",
            layout.tensor,
            layout.pipeline,
            layout.data,
            layout.context,
            seated.used,
            machine.node.gpus,
            seated.domains,
            job.domains,
            (seated.min_step_time / job.full_bisection_step_time() - 1.0) * 100.0,
            (1.0 - share) * 100.0
        ),
        default: false,
    })
}

/// How much wider the interval of a dense step is where the framework's settings are a guess:
/// fusing and overlapping the wrong things costs more than any formula. An assumption.
const DENSE_UNKNOWN: f64 = 2.0;
/// How much wider that of a mixture of experts is there: dispatcher and CUDA graphs alone move it
/// by a quarter.
const EXPERTS_UNKNOWN: f64 = 2.5;

/// Least share to both sides where no step of the GPU was measured: measured generations reach 0.43
/// to 0.89 of their 16-bit peak, a third more or less than the middle of that. An assumption.
const RATES_UNKNOWN: f64 = 0.35;

/// The interval of measured times around the predicted one (docs/equations.md §4.12).
pub(super) fn measured_time_interval(
    scenario: &Scenario,
    workload: &Workload,
    gpu: &Gpu,
    layout: &Layout,
) -> Interval {
    let experts = workload.model.moe.is_some();
    let interval = Interval::for_step_kind(&StepKind {
        experts,
        gpu: &gpu.calibration.name,
        precision: workload.training.precision,
        stack: &workload.framework.name,
        extent: [
            workload.model.sequence,
            layout.gpus(),
            u64::from(layout.interleave),
            u64::from(layout.context),
            u64::from(layout.expert),
        ],
    })
    .widen_to(0.0); // the predicted time itself is never outside
    let guessed =
        scenario.assumptions.iter().any(|assumption| assumption.topic == "framework.preset");
    let interval = match (guessed, experts) {
        (false, _) => interval,
        (true, false) => interval.widen_by(DENSE_UNKNOWN),
        (true, true) => interval.widen_by(EXPERTS_UNKNOWN),
    };
    if gpu.calibration.shares_of.is_some() { interval.widen_to(RATES_UNKNOWN) } else { interval }
}

//! The table of limits: one row each, and no other place of `design` says it. A row holds the key
//! of a limit, its unit, how it is read and set, and what a design takes of it. Moves none.

use super::limit_row::{LimitQuestions, LimitRow, LimitUse, MOST_MODELS};
use crate::design::candidate::machine_cost::cost_of_machines;
use crate::design::columns::limits::count_racks;
use crate::design::columns::terms::{DAYS, STEP_TIME};
use crate::design::job::run::JobRun;
use crate::design::network::sized_fabric::SizedFabric;
use crate::design::plan::failure_report::min_pace_after_loss;
use crate::design::plan::plan::{Plan, StepReport};
use crate::scenario::{Limits, Minimize, Objective, Scenario, Workload};
use crate::units::{Seconds, Unit, Usd, Watts};

/// What a row says where it says nothing else.
const LIMIT: LimitRow = LimitRow {
    key: "",
    unit: Unit::Number,
    asked: LimitQuestions::Both,
    shared: false,
    least: None,
    read: |_, _| None,
    set: |_, _, _| {},
    taken: |_, _| None,
    planned: |_, _, _| None,
};

/// All limits, in the order in which they are told.
pub(super) const ROWS: &[LimitRow] = &[
    LimitRow {
        key: "objective.max_slowdown",
        unit: Unit::Number,
        asked: LimitQuestions::Move,
        read: |limit_state, _| {
            Some(limit_state.max_slowdown).filter(|pace| *pace < Objective::ANY_SLOWDOWN)
        },
        set: |limit_state, _, value| {
            limit_state.max_slowdown = value.unwrap_or(Objective::ANY_SLOWDOWN)
        },
        taken: |limit_use, _| {
            let job = &limit_use.candidate.job;
            let paces = job.step_times(limit_use.found.level);
            let each =
                job.one_run_per_workload().zip(&paces).map(|(run, pace)| *pace / run.reference);
            Some(each.fold(1.0, f64::max))
        },
        planned: |scenario, plan, _| {
            let stated_by_none = |(workload, step): (&Workload, &StepReport)| {
                workload.limits.max_slowdown.is_none().then_some(step.slowdown)
            };
            largest_value(workloads_with_steps(scenario, plan).filter_map(stated_by_none))
        },
        ..LIMIT
    },
    LimitRow {
        key: STEP_TIME[0],
        unit: Unit::Time,
        read: |limit_state, _| limit_state.limits.step_time.map(Seconds::get),
        set: |limit_state, _, value| limit_state.limits.step_time = value.map(Seconds::from_f64),
        taken: |limit_use, _| {
            let job = &limit_use.candidate.job;
            let stated_by_none = |name: &str| {
                limit_use.state.own_time_limits(name).is_none_or(|own| own.step_time.is_none())
            };
            let each = job.one_run_per_workload().zip(job.whole_steps(limit_use.found.level));
            let steps = each.filter(|(run, _)| stated_by_none(&run.workload.name));
            Some(steps.map(|(_, step)| step.get()).fold(0.0, f64::max))
        },
        planned: |scenario, plan, _| {
            let stated_by_none = |(workload, step): (&Workload, &StepReport)| {
                workload.limits.step_time.is_none().then(|| step.time.total_time().get())
            };
            largest_value(workloads_with_steps(scenario, plan).filter_map(stated_by_none))
        },
        ..LIMIT
    },
    LimitRow {
        key: DAYS[0],
        unit: Unit::Days,
        read: |limit_state, _| limit_state.limits.run.map(|run| run / Seconds::DAY),
        set: |limit_state, _, value| limit_state.limits.run = value.map(Seconds::from_days),
        taken: |limit_use, _| {
            let stated_by_none = |run: &JobRun<'_>| {
                let own = limit_use.state.own_time_limits(&run.workload.name);
                own.is_none_or(|own| own.run.is_none())
            };
            Some(limit_use.longest_days(stated_by_none).unwrap_or(0.0))
        },
        planned: |scenario, plan, _| {
            let alone = plan.cost.training_days;
            let stated_by_none = |workload: &&Workload| workload.limits.run.is_none();
            let each = scenario.workloads.iter().zip(&plan.workloads);
            let each = each
                .filter(|(workload, _)| stated_by_none(workload))
                .filter_map(|(_, workload_plan)| workload_plan.training_days);
            let alone = alone.filter(|_| scenario.lead_workload().limits.run.is_none());
            plan.cost.days_extended_by_failures(largest_value(each.chain(alone)))
        },
        ..LIMIT
    },
    LimitRow {
        key: OF_A_WORKLOAD[0],
        unit: Unit::Time,
        read: |limit_state, name| {
            limit_state
                .own_time_limits(name)?
                .step_time
                .filter(|time| !time.is_endless())
                .map(Seconds::get)
        },
        // What is stated takes the place of the limit of all, and so does what is lifted.
        set: |limit_state, name, value| {
            limit_state.change_time_limits(name, |own| {
                own.step_time = Some(value.map_or(Seconds::ENDLESS, Seconds::from_f64))
            });
        },
        taken: |limit_use, name| {
            let job = &limit_use.candidate.job;
            let mut each = job.one_run_per_workload().zip(job.whole_steps(limit_use.found.level));
            each.find(|(run, _)| run.workload.name == name).map(|(_, step)| step.get())
        },
        planned: |scenario, plan, name| {
            let mut each = workloads_with_steps(scenario, plan);
            each.find(|(workload, _)| workload.name == name)
                .map(|(_, step)| step.time.total_time().get())
        },
        ..LIMIT
    },
    LimitRow {
        key: OF_A_WORKLOAD[1],
        unit: Unit::Days,
        read: |limit_state, name| {
            limit_state
                .own_time_limits(name)?
                .run
                .filter(|time| !time.is_endless())
                .map(|run| run / Seconds::DAY)
        },
        set: |limit_state, name, value| {
            limit_state.change_time_limits(name, |own| {
                own.run = Some(value.map_or(Seconds::ENDLESS, Seconds::from_days))
            });
        },
        taken: |limit_use, name| limit_use.longest_days(|run| run.workload.name == name),
        planned: |scenario, plan, name| {
            if plan.workloads.is_empty() {
                return plan.cost.days_with_failures();
            }
            let mut each = scenario.workloads.iter().zip(&plan.workloads);
            let days = each.find(|(workload, _)| workload.name == name)?.1.training_days;
            plan.cost.days_extended_by_failures(days)
        },
        ..LIMIT
    },
    LimitRow {
        key: "limits.budget",
        unit: Unit::Money,
        shared: true,
        least: Some(Minimize::Capex),
        read: |limit_state, _| limit_state.limits.budget.map(Usd::get),
        set: |limit_state, _, value| limit_state.limits.budget = value.map(Usd::from_f64),
        taken: |limit_use, _| {
            Some(
                (cost_of_machines(&limit_use.candidate.job.fleet()).capex
                    + limit_use.found.solution.capex)
                    .get(),
            )
        },
        planned: |_, plan, _| Some(plan.cost.capex.get()),
        ..LIMIT
    },
    LimitRow {
        key: "limits.power",
        unit: Unit::Power,
        shared: true,
        least: Some(Minimize::Power),
        read: |limit_state, _| limit_state.limits.power.map(Watts::get),
        set: |limit_state, _, value| limit_state.limits.power = value.map(Watts::from_f64),
        taken: |limit_use, _| {
            Some(
                (cost_of_machines(&limit_use.candidate.job.fleet()).power
                    + limit_use.found.solution.power)
                    .get(),
            )
        },
        planned: |_, plan, _| Some(plan.cost.power.get()),
        ..LIMIT
    },
    LimitRow {
        key: SUPPLY,
        unit: Unit::Count,
        shared: true,
        read: |limit_state, name| limit_state.limits.supply.get(name).map(|count| *count as f64),
        set: |limit_state, name, value| match value {
            Some(count) => drop(limit_state.limits.supply.insert(name.to_owned(), count as u64)),
            None => drop(limit_state.limits.supply.remove(name)),
        },
        taken: |limit_use, name| {
            let stock = limit_use.candidate.job.scenario.inventory.get(name).copied().unwrap_or(0);
            Some(limit_use.found.counts.switches_of(name).saturating_sub(stock) as f64)
        },
        planned: |_, plan, name| {
            let lines = plan.bill.iter().filter(|line| line.part == name);
            Some(lines.map(|line| line.powered_count().saturating_sub(line.owned) as f64).sum())
        },
        ..LIMIT
    },
    LimitRow {
        key: "limits.racks",
        unit: Unit::Count,
        shared: true,
        read: |limit_state, _| limit_state.limits.racks.map(|count| count as f64),
        set: |limit_state, _, value| limit_state.limits.racks = value.map(|count| count as u64),
        taken: |limit_use, _| {
            let racks = count_racks(
                &limit_use.candidate.job,
                &limit_use.found.counts,
                &limit_use.state.limits,
            )?;
            Some((racks.least + limit_use.state.limits.reserved) as f64)
        },
        planned: |_, plan, _| Some(plan.racks?.least as f64),
        ..LIMIT
    },
    LimitRow {
        key: "limits.rack_power",
        unit: Unit::Power,
        read: |limit_state, _| limit_state.limits.rack.power.map(Watts::get),
        set: |limit_state, _, value| limit_state.limits.rack.power = value.map(Watts::from_f64),
        taken: fullest_unfed,
        ..LIMIT
    },
    LimitRow {
        key: "hall.rack_power",
        unit: Unit::Power,
        read: |limit_state, _| limit_state.limits.rack.fed.map(Watts::get),
        set: |limit_state, _, value| limit_state.limits.rack.fed = value.map(Watts::from_f64),
        taken: fullest_unfed,
        ..LIMIT
    },
    LimitRow {
        key: "limits.rack_units",
        unit: Unit::Count,
        asked: LimitQuestions::Worth,
        read: |limit_state, _| {
            limit_state.limits.bound_racks().then_some(limit_state.limits.rack.units.into())
        },
        set: |limit_state, _, value| {
            if let Some(units) = value {
                limit_state.limits.rack.units = units as u32;
            }
        },
        ..LIMIT
    },
    LimitRow {
        key: "limits.within_rail",
        unit: Unit::Share,
        read: |limit_state, _| limit_state.limits.within_rail.filter(|least| *least > 0.0),
        set: |limit_state, _, value| limit_state.limits.within_rail = value,
        taken: |limit_use, _| Some(rail_bandwidth_over_nics(limit_use.found)),
        planned: |_, plan, _| Some(plan.fabric.within_rail),
        ..LIMIT
    },
    LimitRow {
        key: "limits.max_oversubscription",
        unit: Unit::Number,
        read: |limit_state, _| limit_state.limits.max_oversubscription.filter(|most| *most > 0.0),
        set: |limit_state, _, value| limit_state.limits.max_oversubscription = value,
        taken: |limit_use, _| {
            Some(1.0 / rail_bandwidth_over_nics(limit_use.found).max(f64::MIN_POSITIVE))
        },
        planned: |_, plan, _| Some(1.0 / plan.fabric.within_rail.max(f64::MIN_POSITIVE)),
        ..LIMIT
    },
    LimitRow {
        key: "limits.across_rails",
        unit: Unit::Share,
        read: |limit_state, _| limit_state.limits.across_rails.filter(|least| *least > 0.0),
        set: |limit_state, _, value| limit_state.limits.across_rails = value,
        taken: |limit_use, _| Some(limit_use.found.level.across),
        planned: |_, plan, _| Some(plan.fabric.across_rails),
        ..LIMIT
    },
    LimitRow {
        key: "limits.survive_pace",
        unit: Unit::Share,
        read: |limit_state, _| {
            limit_state.limits.names_losses().then_some(limit_state.limits.survive_pace)
        },
        set: |limit_state, _, value| limit_state.limits.survive_pace = value.unwrap_or(0.0),
        taken: |limit_use, _| {
            let limits = Limits { survive_pace: 1.0, ..limit_use.state.limits.clone() };
            let (job, found) = (&limit_use.candidate.job, limit_use.found);
            Some(min_pace_after_loss(job, &found.counts, found.level, &limits))
        },
        ..LIMIT
    },
    LimitRow {
        key: "limits.models_per_rail",
        unit: Unit::Count,
        read: |limit_state, _| limit_state.limits.models_per_rail.map(f64::from),
        set: |limit_state, _, value| {
            limit_state.limits.models_per_rail = value.map(|count| count as u32)
        },
        taken: |_, _| Some(MOST_MODELS),
        ..LIMIT
    },
];

/// Bandwidth within a rail over that of its NICs: what was counted of a tree may be less than its
/// level promises, where leaf switches of several shapes stand in one rail.
fn rail_bandwidth_over_nics(found: &SizedFabric) -> f64 {
    match found.level.member {
        None => found.counts.within_rail.min(found.level.within),
        Some(_) => found.level.within,
    }
}

/// The largest; `None` of none.
fn largest_value(all: impl Iterator<Item = f64>) -> Option<f64> {
    all.reduce(f64::max)
}

/// Every workload of a plan of one cluster with its step.
fn workloads_with_steps<'a>(
    scenario: &'a Scenario,
    plan: &'a Plan,
) -> impl Iterator<Item = (&'a Workload, &'a StepReport)> {
    let alone = plan.workloads.is_empty().then_some(&plan.step);
    scenario.workloads.iter().zip(
        alone.into_iter().chain(plan.workloads.iter().map(|workload_plan| &workload_plan.step)),
    )
}

/// Limits of which there is one for each workload that states it.
pub(super) const OF_A_WORKLOAD: [&str; 2] = [STEP_TIME[1], DAYS[1]];

/// The limit of which there is one for each model of switch.
pub(super) const SUPPLY: &str = "limits.supply";

/// Power of the fullest rack of a design where no rack's power is limited.
fn fullest_unfed(limit_use: &LimitUse<'_>, _: &str) -> Option<f64> {
    let rack = limit_use.state.limits.rack.without_power_limit();
    let limits = Limits { rack, ..limit_use.state.limits.clone() };
    Some(count_racks(&limit_use.candidate.job, &limit_use.found.counts, &limits)?.fullest.get())
}

//! What a reader has to know of machines that stand by, and of GPUs that hold no rank: why so many, and what they
//! are for. Chooses no number.

use crate::cost::{BillLine, Role, standby_cost};
use crate::design::candidate::job::Job;
use crate::design::candidate::standby::cheapest_standby;
use crate::reliability::{FailureYear, PerYear, Standby, failure_year};
use crate::scenario::Minimize;
use crate::units::{Usd, format_price as usd};

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
        (None, None, Some(_)) => "as many as make a token of this cluster cheapest",
        (None, None, None) => {
            "as many as suffice 99.9 % of the time: without a price nothing weighs them"
        }
    };
    let all: Usd = bill.iter().map(|line| line.total).sum();
    let paid = standby_cost(bill);
    let price = match line.unit {
        Some(_) if all > Usd::ZERO => {
            format!("{}, {:.1} % of capex", usd(paid), paid.get() / all.get() * 100.0)
        }
        _ => "unpriced".to_owned(),
    };
    let some = if standby == 1 { "HB domain stands" } else { "HB domains stand" };
    Some(format!(
        "{standby} {some} by, {why}: {price}, switched off; {}; `failures.standby = 0` buys none",
        takes_over(job, year)
    ))
}

/// What one that stands by needs to take over.
fn takes_over(job: &Job<'_>, year: &FailureYear) -> String {
    let failures = &job.scenario.failures;
    if job.standby.is_by_hand() {
        return format!(
            "cold: no port or cable is bought, somebody carries those of a broken machine over in {} h \
             (`failures.swap_hours`, an assumption unless stated), and the job stands for {:.2} days a year until then",
            failures.swap_hours,
            year.carrying * PerYear::DAYS
        );
    }
    if job.networked_domains() == job.domains {
        return "no network joins the machines".to_owned();
    }
    let gone = 1.0 - year_without_standby_ports(job, year).goodput / year.goodput;
    format!(
        "wired: ports of leaf switches and cables are on the bill too, so that one takes over within a restart of {} \
         minutes; without ports somebody would carry cables for {} h each time (`failures.swap_hours`), and {:.1} % \
         less of the time would train",
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

/// Why none stands by where what is minimised does not count the time that is lost, and how many would make a token
/// of the machines cheapest.
fn none_stands_by(job: &Job<'_>) -> Option<String> {
    let scenario = job.scenario;
    let is_stated = scenario.failures.stated_standby(0.0).is_some();
    let minimize = scenario.objective.minimize;
    if is_stated || minimize == Minimize::UsdPerToken {
        return None;
    }
    // As a number that is stated is bought where time is not counted: without ports.
    let kind = if job.domains < 2 { Standby::new_wired } else { Standby::new_cold };
    let cheapest = cheapest_standby(&job.fleet(), kind, (0.0, 1.0));
    (cheapest > 0).then(|| {
        format!(
            "no HB domain stands by: minimize = \"{}\" counts no time that failures take; \
             `failures.standby = {cheapest}` makes a token of the machines cheapest",
            minimize.name()
        )
    })
}

/// The assumption about GPUs of machines that hold no rank; `None` where all hold one.
pub(super) fn idle_gpus_assumption(job: &Job<'_>) -> Option<String> {
    if job.domains < 2 || job.lead.placement().used_gpus_per_domain() >= job.machine.node.gpus {
        return None;
    }
    let purpose = match job.fleet().spare_trays() {
        0 => "they can take the place of failed ones, on which goodput does not count",
        _ => "goodput counts on whole trays of them in the place of broken ones",
    };
    Some(format!("GPUs of a machine that hold no rank are bought and cabled with it: {purpose}"))
}

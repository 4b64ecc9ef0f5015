//! What a reader has to know of machines that stand by, and of GPUs that hold no rank: why so many, and what they
//! are for. Chooses no number.

use crate::cost::{BillLine, Role, of_standby};
use crate::design::candidate::job::Job;
use crate::units::{Usd, price as usd};

/// The assumption about them; `None` where none stands by.
pub(super) fn assumed(job: &Job<'_>, bill: &[BillLine]) -> Option<String> {
    let standby = Some(job.standby).filter(|standby| *standby > 0)?;
    let stated = &job.scenario.failures;
    let line = bill.iter().find(|line| line.role == Role::Node)?;
    let why = match (stated.standby, stated.fill_rate, &line.unit) {
        (Some(_), ..) => "as the spec states",
        (None, Some(_), _) => "as many as suffice for `failures.fill_rate`",
        (None, None, Some(_)) => "as many as make a token of the machines alone cheapest",
        (None, None, None) => {
            "as many as suffice 99.9 % of the time: without a price nothing weighs them"
        }
    };
    let all: Usd = bill.iter().map(|line| line.total).sum();
    let paid = of_standby(bill);
    let price = match line.unit {
        Some(_) if all > Usd::ZERO => {
            format!("{}, {:.1} % of capex", usd(paid), paid.get() / all.get() * 100.0)
        }
        _ => "unpriced".to_owned(),
    };
    let some = if standby == 1 { "HB domain stands" } else { "HB domains stand" };
    Some(format!(
        "{standby} {some} by, {why}: {price}, switched off; no port or cable is bought for them: a machine that \
         takes another's place takes its cables; `failures.standby = 0` buys none"
    ))
}

/// The assumption about GPUs of machines that hold no rank; `None` where all hold one.
pub(super) fn idle(job: &Job<'_>) -> Option<String> {
    if job.domains < 2 || job.lead.placement().used() >= job.machine.node.gpus {
        return None;
    }
    let purpose = match job.fleet().spare_trays() {
        0 => "they can take the place of failed ones, on which goodput does not count",
        _ => "goodput counts on whole trays of them in the place of broken ones",
    };
    Some(format!("GPUs of a machine that hold no rank are bought and cabled with it: {purpose}"))
}

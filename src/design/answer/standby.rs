//! What a reader has to know of machines that stand by: why so many, and what they cost. Chooses no number.

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

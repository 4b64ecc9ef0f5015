//! The grand total: the design with the networks beside it and its installation.

use super::bill::BillLine;
use super::total::{Cost, GrandTotal, OperatingTime, energy_of_one_watt};
use crate::units::{Usd, Watts};

/// The grand total of a design, from its own sum and the lines beside it.
#[must_use]
pub fn grand_total(
    cost: &Cost,
    networks: &[BillLine],
    installation: &[BillLine],
    running: &OperatingTime,
) -> GrandTotal {
    let sum = |lines: &[BillLine]| -> Usd { lines.iter().map(|line| line.total).sum() };
    let capex = cost.capex + sum(networks) + sum(installation);
    let power = cost.power + networks.iter().map(BillLine::power_draw).sum::<Watts>();
    let watt = energy_of_one_watt(1.0, running.pue, running.kilowatt_hour);
    let opex_per_year = watt * power.get();
    let tco = capex + opex_per_year * running.years;
    let more = if cost.tco > Usd::ZERO { tco / cost.tco } else { 1.0 };
    let lines = || networks.iter().chain(installation);
    let mut unpriced: Vec<String> =
        lines().filter(|line| line.unit.is_none()).map(|line| line.part.clone()).collect();
    unpriced.dedup();
    GrandTotal {
        networks: sum(networks),
        installation: sum(installation),
        capex,
        power,
        opex_per_year,
        tco,
        usd_per_million_tokens: cost.usd_per_million_tokens.map(|usd| usd * more),
        unpriced,
    }
}

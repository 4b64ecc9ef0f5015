//! The bill summed up: capex, power, electricity, cost of ownership, cost per token.

use super::bill::BillLine;
use super::price_lookup::electricity_price;
use crate::scenario::{Scenario, Workload};
use crate::units::{Seconds, Usd, UsdRange, Watts};

/// The bill summed up.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cost {
    pub network_capex: Usd,
    /// Network capex at the lowest and at the highest prices known; `None` where no part has a
    /// range.
    pub network_capex_range: Option<UsdRange>,
    pub capex: Usd,
    /// Capex at the lowest and at the highest prices known; `None` where no part has a range.
    pub capex_range: Option<UsdRange>,
    /// Power of switches and optics.
    pub network_power: Watts,
    pub power: Watts,
    /// Electricity of a year.
    pub opex_per_year: Usd,
    /// Capex and electricity over the years of the objective.
    pub tco: Usd,
    /// Years of operation that TCO is of.
    pub years: f64,
    /// Share of its value that money loses in a year: TCO is in today's.
    pub discount: f64,
    /// Power drawn from the wall over power of the machines.
    pub pue: f64,
    /// Share of those years that trains: failures and what follows them take the others.
    pub goodput: f64,
    /// TCO over the tokens really trained in those years; `None` where none are.
    pub usd_per_million_tokens: Option<Usd>,
    /// Days of the whole run; `None` where the spec states no tokens.
    pub training_days: Option<f64>,
    /// What the tokens of the whole run take of TCO; `None` where the spec states none.
    pub run: Option<Usd>,
    /// Parts without a price.
    pub unpriced: Vec<String>,
    /// The longest lead time that an offer for a part to buy states, and that part.
    pub lead: Option<(u32, String)>,
    /// With the other networks and the installation; `None` where neither is asked for.
    pub whole: Option<GrandTotal>,
}

/// A cluster with all its networks, installed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GrandTotal {
    /// Of it the networks beside the compute network.
    pub networks: Usd,
    /// Of it work on site and cables of links.
    pub installation: Usd,
    pub capex: Usd,
    pub power: Watts,
    /// Electricity of a year.
    pub opex_per_year: Usd,
    /// Capex and electricity over the years of the objective.
    pub tco: Usd,
    /// TCO over the tokens trained in those years; `None` where the step has no time.
    pub usd_per_million_tokens: Option<Usd>,
    /// What of the networks and the installation has no price.
    pub unpriced: Vec<String>,
}

impl Cost {
    /// Power that it draws from the wall, with cooling.
    #[must_use]
    pub fn power_with_cooling(&self) -> Watts {
        self.power * self.pue
    }

    /// Days of the whole run with the failures of a mean year; `None` where the spec states no
    /// tokens, or nothing trains.
    #[must_use]
    pub fn days_with_failures(&self) -> Option<f64> {
        self.days_extended_by_failures(self.training_days)
    }

    /// Days of a run with the failures of a mean year, of those that it takes without.
    #[must_use]
    pub fn days_extended_by_failures(&self, days: Option<f64>) -> Option<f64> {
        days.filter(|_| self.goodput > 0.0).map(|days| days / self.goodput)
    }

    /// What the cost of ownership of a share of a year is.
    #[must_use]
    pub fn ownership_cost_of_share(&self, share: f64) -> Usd {
        if self.years > 0.0 { self.tco * (share / self.years) } else { Usd::ZERO }
    }
}

/// How a cluster is run, as far as money is concerned.
#[derive(Clone, Debug, PartialEq)]
pub struct OperatingTime {
    /// Years of operation.
    pub calendar: f64,
    /// Those years, later ones at their value of today.
    pub years: f64,
    /// Share of its value that money loses in a year, which those years take account of.
    pub discount: f64,
    /// Power drawn from the wall over power of the machines.
    pub pue: f64,
    /// Price of a kWh; `None` where the book has none.
    pub kilowatt_hour: Option<Usd>,
    pub step: Seconds,
    /// Share of the years that trains: failures and what follows them take the others.
    pub goodput: f64,
    pub tokens_per_step: u64,
    /// Tokens of the whole run; `None` where the spec does not say.
    pub run_tokens: Option<f64>,
}

impl OperatingTime {
    /// The cluster of a scenario at a given step time of all its workloads blended, where such a
    /// share of the time trains.
    #[must_use]
    pub fn from_step_time(scenario: &Scenario, step: Seconds, goodput: f64) -> Self {
        let Workload { model, training, .. } = scenario.lead_workload();
        Self {
            calendar: scenario.objective.years,
            years: scenario.objective.present_years(),
            discount: scenario.objective.discount,
            pue: scenario.objective.pue,
            kilowatt_hour: electricity_price(&scenario.prices).map(|price| price.amount),
            step,
            goodput,
            tokens_per_step: training.global_batch * model.sequence,
            // Where several workloads share the time, each has days of its own.
            run_tokens: training.tokens.filter(|_| scenario.workloads.len() == 1),
        }
    }

    /// Share of the cost of ownership that a million of its tokens take; 0 where none are trained.
    #[must_use]
    pub fn per_million_tokens(&self) -> f64 {
        let trained = self.trained_tokens();
        if trained > 0.0 { MILLION / trained } else { 0.0 }
    }

    /// Tokens that are trained in all its years.
    fn trained_tokens(&self) -> f64 {
        let running = self.tokens_per_second() * self.goodput;
        running * self.years * HOURS_PER_YEAR * SECONDS_PER_HOUR
    }

    /// Tokens a second while it trains; 0 where a step has no time.
    fn tokens_per_second(&self) -> f64 {
        if self.step.get() > 0.0 { self.tokens_per_step as f64 / self.step.get() } else { 0.0 }
    }
}

/// Hours of a year of 365 days.
pub const HOURS_PER_YEAR: f64 = 8760.0;
/// Seconds of an hour.
const SECONDS_PER_HOUR: f64 = 3600.0;
/// Hours of a day.
const HOURS_PER_DAY: f64 = 24.0;
/// Watts of a kilowatt.
const WATTS_PER_KILOWATT: f64 = 1e3;
/// Tokens that the cost per token is stated for.
const MILLION: f64 = 1e6;

/// Cost of drawing one watt at the machine for `years`: years · 8760 h · PUE · price of a kWh.
#[must_use]
pub fn energy_of_one_watt(years: f64, pue: f64, kilowatt_hour: Option<Usd>) -> Usd {
    let price = kilowatt_hour.unwrap_or(Usd::ZERO);
    price * (years * HOURS_PER_YEAR * pue / WATTS_PER_KILOWATT)
}

/// Sums up a bill. Machines draw their power all year; tokens are those of the share of the time
/// that trains, and the days of a run are without failures.
#[must_use]
pub fn sum_bill(lines: &[BillLine], running: &OperatingTime) -> Cost {
    let network = |line: &&BillLine| line.role.is_network();
    let money = |line: &BillLine| line.total;
    let watts = BillLine::power_draw;
    let capex: Usd = lines.iter().map(money).sum();
    let power: Watts = lines.iter().map(watts).sum();
    let yearly = energy_of_one_watt(1.0, running.pue, running.kilowatt_hour) * power.get();
    let tco = capex + yearly * running.years;
    let mut unpriced: Vec<String> = lines
        .iter()
        .filter(|line| line.unit.is_none() && line.count > line.owned)
        .map(|line| line.part.clone())
        .collect();
    if running.kilowatt_hour.is_none() {
        unpriced.push("electricity".to_owned());
    }
    let tokens_per_second = running.tokens_per_second();
    let trained = running.trained_tokens();
    let days = SECONDS_PER_HOUR * HOURS_PER_DAY;
    let of_tokens = |tokens: f64| (trained > 0.0).then(|| tco * (tokens / trained));
    Cost {
        network_capex: lines.iter().filter(network).map(money).sum(),
        network_capex_range: purchase_range(lines.iter().filter(network)),
        capex_range: purchase_range(lines.iter()),
        capex,
        network_power: lines.iter().filter(network).map(watts).sum(),
        power,
        opex_per_year: yearly,
        tco,
        years: running.calendar,
        discount: running.discount,
        pue: running.pue,
        goodput: running.goodput,
        usd_per_million_tokens: of_tokens(MILLION),
        run: running.run_tokens.and_then(of_tokens),
        training_days: running
            .run_tokens
            .filter(|_| tokens_per_second > 0.0)
            .map(|tokens| tokens / tokens_per_second / days),
        unpriced,
        lead: longest_lead(lines),
        whole: None,
    }
}

/// The longest lead time of what is bought; of several parts with it the first on the bill.
fn longest_lead(lines: &[BillLine]) -> Option<(u32, String)> {
    let bought = lines.iter().filter(|line| line.bought_count() > 0);
    let stated = bought.filter_map(|line| {
        let days = line.unit.as_ref()?.quote.lead_days?;
        Some((days, line.part.clone()))
    });
    stated.reduce(|known, next| if next.0 > known.0 { next } else { known })
}

/// Sum of what is bought at the lowest and at the highest prices.
fn purchase_range<'a>(lines: impl Iterator<Item = &'a BillLine> + Clone) -> Option<UsdRange> {
    let ranged = |line: &BillLine| {
        line.bought_count() > 0 && line.unit.as_ref().is_some_and(|price| price.range.is_some())
    };
    lines.clone().any(ranged).then(|| lines.map(BillLine::paid_range).sum())
}

/// The range of a sum, from each summand and its range where it has one; `None` where none has.
#[must_use]
pub fn range_of_sum(each: impl Iterator<Item = (Usd, Option<UsdRange>)>) -> Option<UsdRange> {
    let (mut sum, mut any) = (UsdRange::from_amount(Usd::ZERO), false);
    for (amount, range) in each {
        sum = sum + range.unwrap_or(UsdRange::from_amount(amount));
        any |= range.is_some();
    }
    any.then_some(sum)
}

#[cfg(test)]
mod tests {
    use super::{Cost, OperatingTime, sum_bill};
    use crate::cost::{BillLine, Role};
    use crate::hardware::{Price, PriceBasis};
    use crate::units::{Seconds, Usd, Watts};

    fn line(role: Role, count: u64, owned: u64, usd: Option<f64>, watts: f64) -> BillLine {
        let unit = usd.map(|usd| Price {
            amount: Usd::from_f64(usd),
            range: None,
            basis: PriceBasis::Assumed,
            date: "2026".into(),
            source: "test".into(),
            exchange: None,
            quote: crate::hardware::Quote::default(),
        });
        let total = Usd::from_f64(usd.unwrap_or(0.0)) * (count - owned) as f64;
        let part = format!("{role:?}").to_lowercase();
        BillLine { part, role, count, owned, spares: 0, unit, total, power: Watts::from_f64(watts) }
    }

    fn sum(lines: &[BillLine]) -> Cost {
        sum_at(lines, 1.0)
    }

    fn sum_at(lines: &[BillLine], goodput: f64) -> Cost {
        let running = OperatingTime {
            calendar: 4.0,
            years: 4.0,
            discount: 0.0,
            pue: 1.25,
            kilowatt_hour: Some(Usd::from_f64(0.08)),
            step: Seconds::from_f64(10.0),
            goodput,
            tokens_per_step: 1_000_000,
            run_tokens: Some(8.64e9),
        };
        sum_bill(lines, &running)
    }

    #[test]
    fn parts_add_up_and_stock_is_free() {
        let cost = sum(&[
            line(Role::Node, 2, 0, Some(1000.0), 5000.0),
            line(Role::Switch, 3, 1, Some(100.0), 500.0),
            line(Role::Optic, 10, 0, Some(10.0), 10.0),
        ]);
        assert_eq!(cost.network_capex, Usd::from_f64(300.0));
        assert_eq!(cost.capex, Usd::from_f64(2300.0));
        assert_eq!(cost.network_power, Watts::from_f64(1600.0));
        assert_eq!(cost.power, Watts::from_f64(11_600.0));
        // 11.6 kW · 8,760 h · 1.25 · $0.08
        assert!((cost.opex_per_year.get() - 10_161.6).abs() < 1e-6);
        assert!((cost.tco.get() - (2300.0 + 4.0 * 10_161.6)).abs() < 1e-6);
    }

    #[test]
    fn tokens_and_days_follow_from_the_step() {
        let cost = sum(&[line(Role::Node, 1, 0, Some(12_614.4), 0.0)]);
        // 10⁵ tokens a second, 4 · 8,760 h: 1.26144e13 tokens for $12,614.40.
        let each = cost.usd_per_million_tokens.expect("the step takes time").get();
        assert!((each - 0.001).abs() < 1e-12, "{each}");
        assert_eq!(cost.training_days, Some(1.0));
        // One day of 4 · 365 days, so that part of $12,614.40.
        assert!((cost.run.expect("it has tokens").get() - 8.64).abs() < 1e-9);
    }

    /// Half of the time trains: a token costs twice as much, and so does a run; days are without
    /// failures.
    #[test]
    fn tokens_are_those_that_are_really_trained() {
        let lines = [line(Role::Node, 1, 0, Some(12_614.4), 0.0)];
        let (all, half) = (sum(&lines), sum_at(&lines, 0.5));
        let each =
            |cost: &Cost| [cost.usd_per_million_tokens, cost.run].map(|usd| usd.map(Usd::get));
        assert_eq!(each(&half), each(&all).map(|usd| usd.map(|usd| 2.0 * usd)));
        assert_eq!((half.tco, half.training_days), (all.tco, all.training_days));
        assert_eq!(sum_at(&lines, 0.0).usd_per_million_tokens, None);
    }

    #[test]
    fn a_part_without_a_price_is_named_unless_owned() {
        let cost = sum(&[line(Role::Switch, 2, 2, None, 0.0), line(Role::Nic, 2, 1, None, 0.0)]);
        assert_eq!(cost.unpriced, ["nic"]);
    }
}

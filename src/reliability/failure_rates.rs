//! `Failures`, `PerYear`, `Trays`: how often parts fail, repair and restart times, HB domains with
//! trays out.

use super::poisson_quantile;
use crate::keys::{Kind, table};
use crate::units::Seconds;

/// Failures of a piece in a year.
const YEARLY: Kind = Kind::Number { min: 0.0, max: 1_000.0 };
/// Hours that something is out: up to ten years.
const HOURS: Kind = Kind::Number { min: 0.0, max: 87_600.0 };

table! {
    defaults;
    /// Failures and what follows them.
    ///
    /// Machines: Llama 3 (arXiv 2407.21783, Table 5), 419 interruptions in 54 days on 16,384 H100,
    /// each count over 2,422 GPU-years: GPUs 184 (faulty GPUs 148, their SRAM 19, their system
    /// processors 17), their memory 72, NICs 7, hosts 54 (maintenance 32, temperature 6, power
    /// supplies 3, drives 3, boards, chassis, processors, memory and dependencies 2 each), software
    /// 67 (bugs 54, watchdog 7, silent corruption 6). Its 35 of switches and cables are counted by
    /// parts instead.
    ///
    /// Network: Alibaba HPN (SIGCOMM 2024, doi 10.1145/3651890.3672265, §2): 0.057 % of the links
    /// between NIC and leaf switch, ends and cable together, and 0.051 % of the leaf switches fail
    /// in a month; taken for all links and switches.
    ///
    /// Nobody publishes how long it takes to carry the cables of a machine to another: the time is
    /// that within which service contracts of server vendors have somebody on site.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Failures, "how often parts fail, how long they are out, how a job comes back" {
        gpu: f64 = 0.075_96, in YEARLY, "failures of a GPU a year (Llama 3)";
        memory: f64 = 0.029_72, in YEARLY, "failures of a GPU's memory a year (Llama 3)";
        /// Of a host, over its GPUs.
        host: f64 = 0.022_29, in YEARLY, "failures of hosts a year and GPU (Llama 3)";
        /// Of software, over the GPUs: a stop without a repair.
        software: f64 = 0.027_66, in YEARLY, "stops by software a year and GPU (Llama 3)";
        nic: f64 = 0.002_89, in YEARLY, "failures of a NIC a year (Llama 3)";
        /// Of a link: its cable with both ends.
        link: f64 = 0.006_84, in YEARLY, "failures of a link, cable and both ends, a year (HPN)";
        switch: f64 = 0.006_12, in YEARLY, "failures of a switch a year (HPN)";
        /// Of what a whole HB domain shares.
        domain: f64 = 0.0, in YEARLY,
            "failures a year of what an HB domain shares: switch trays, power; nobody publishes \
             any";
        /// Time until a machine is back.
        repair_hours: f64 = 24.0, in HOURS, "hours until a machine is back; an assumption";
        /// Time until a link is back.
        link_repair_hours: f64 = 24.0, in HOURS, "hours until a link is back; an assumption";
        /// Time until a switch is back.
        switch_repair_hours: f64 = 24.0, in HOURS, "hours until a switch is back; an assumption";
        /// Time from a stop until training goes on.
        restart_minutes: f64 = 10.0, in Kind::Number { min: 0.0, max: 100_000.0 },
            "minutes from a stop until training goes on; an assumption";
        /// Time until somebody has carried the cables of a broken machine to one that stands by
        /// without.
        swap_hours: f64 = 4.0, in HOURS,
            "hours until the cables of a broken machine are carried to a spare one without ports; \
             an assumption: vendors of servers sell service on site within so long (HP Proactive \
             Care, 4-hour)";
        /// Time that training stands still for a checkpoint.
        checkpoint_seconds: f64 = 5.0, in Kind::Number { min: 0.0, max: 100_000.0 },
            "seconds that training stands still for a checkpoint; written in the background, an \
             assumption";
        interval_minutes: Option<f64>, in Kind::Number { min: 0.01, max: 1_000_000.0 },
            "minutes between checkpoints" or "what loses least";
        /// HB domains that stand by.
        standby: Option<u64>, in Kind::Count { min: 0, max: 1_000_000 },
            "spare machines (HB domains), bought with the others, with ports of the network or \
             without by what is minimised" or "as many as make tokens cheapest, or suffice for \
                                               `fill_rate`; none where `objective.minimize` counts \
                                               no time";
        /// Share of the time that a tray of an HB domain is out.
        trays_out: Option<f64>, in Kind::Number { min: 0.0, max: 0.9 },
            "share of the time that a tray of an HB domain is out: repairs of trays take as long \
             as that needs"
            or "failures of its GPUs, their memory and hosts, times `repair_hours`";
        /// Share of the time in which standby domains suffice, where their number is not stated.
        fill_rate: Option<f64>, in Kind::Number { min: 0.5, max: 0.999_999 },
            "share of the time in which spare machines suffice" or "what makes tokens cheapest; \
                                                                    0.999 where machines have no \
                                                                    price and tokens are to be \
                                                                    cheap";
    }
}

/// Seconds of a minute and of an hour.
const MINUTE: f64 = 60.0;
const HOUR: f64 = 3600.0;

impl Failures {
    /// Of a GPU with its memory: what `topology --fail-days` lets fail at random.
    #[must_use]
    pub fn gpu_failure_rate(&self) -> PerYear {
        PerYear::from_events(self.gpu + self.memory)
    }

    /// Of a tray of so many GPUs: theirs, their memory's and hosts'.
    fn tray_rate(&self, tray: u32) -> PerYear {
        PerYear::from_events((self.gpu + self.memory + self.host) * f64::from(tray))
    }

    /// Trays of an HB domain of so many GPUs, each with so many.
    #[must_use]
    pub fn domain_trays(&self, domain: u32, tray: u32) -> Trays {
        let down = self.tray_rate(tray).expected_events(self.repair_time());
        Trays { domain, tray, out: self.trays_out.unwrap_or(down / (1.0 + down)) }
    }

    /// Time until a tray of an HB domain is back: what makes of the failures of its GPUs, their
    /// memory and hosts the share of the time that is stated, if one is.
    #[must_use]
    pub fn tray_repair(&self, tray: u32) -> Seconds {
        let a_second = self.tray_rate(tray).expected_events(Seconds::from_f64(1.0));
        match self.trays_out {
            Some(out) if a_second > 0.0 => Seconds::from_f64(out / (1.0 - out) / a_second),
            _ => self.repair_time(),
        }
    }

    /// Share of the time in which standby domains suffice where neither it nor their number is
    /// stated and no price weighs them.
    pub const FILL_RATE: f64 = 0.999;

    /// Domains that stand by where so many are broken on average, if the number or what they have
    /// to suffice for is stated.
    #[must_use]
    pub fn stated_standby(&self, broken: f64) -> Option<u64> {
        self.standby.or_else(|| self.fill_rate.map(|share| poisson_quantile(broken, share)))
    }

    /// Time until a machine is back.
    #[must_use]
    pub fn repair_time(&self) -> Seconds {
        Seconds::from_f64(self.repair_hours * HOUR)
    }

    /// Time until a link is back.
    #[must_use]
    pub fn link_repair(&self) -> Seconds {
        Seconds::from_f64(self.link_repair_hours * HOUR)
    }

    /// Time until a switch is back.
    #[must_use]
    pub fn switch_repair(&self) -> Seconds {
        Seconds::from_f64(self.switch_repair_hours * HOUR)
    }

    /// Time until somebody has carried the cables of a broken machine to another.
    #[must_use]
    pub fn cable_swap_time(&self) -> Seconds {
        Seconds::from_f64(self.swap_hours * HOUR)
    }

    /// Time from a stop until training goes on.
    #[must_use]
    pub fn restart_time(&self) -> Seconds {
        Seconds::from_f64(self.restart_minutes * MINUTE)
    }

    /// Time that a checkpoint takes.
    #[must_use]
    pub const fn checkpoint_save_time(&self) -> Seconds {
        Seconds::from_f64(self.checkpoint_seconds)
    }

    /// Time between checkpoints, where it is stated.
    #[must_use]
    pub fn checkpoint_interval(&self) -> Option<Seconds> {
        self.interval_minutes.map(|minutes| Seconds::from_f64(minutes * MINUTE))
    }
}

/// Events per year of one piece, or of many together.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
pub struct PerYear(f64); // Invariant: finite and not negative.

/// Seconds of a mean year.
const YEAR_SECONDS: f64 = PerYear::DAYS * Seconds::DAY.get();

impl PerYear {
    /// Days of a mean year.
    pub const DAYS: f64 = 365.25;

    /// So many events a year; what is negative or no number counts as none.
    #[must_use]
    pub fn from_events(events: f64) -> Self {
        Self(if events.is_finite() { events.max(0.0) } else { 0.0 })
    }

    /// Events a year.
    #[must_use]
    pub const fn events(self) -> f64 {
        self.0
    }

    /// Of so many pieces together.
    #[must_use]
    pub fn for_pieces(self, pieces: u64) -> Self {
        Self::from_events(self.0 * pieces as f64)
    }

    /// Of all of them together.
    #[must_use]
    pub fn sum(all: impl Iterator<Item = Self>) -> Self {
        Self::from_events(all.map(Self::events).sum())
    }

    /// Events that are expected in a time.
    #[must_use]
    pub fn expected_events(self, time: Seconds) -> f64 {
        self.0 * time.get() / YEAR_SECONDS
    }

    /// Probability of at least one event in a time, where events are independent.
    #[must_use]
    pub fn event_probability(self, time: Seconds) -> f64 {
        -(-self.expected_events(time)).exp_m1()
    }
}

/// What the name of a part ends with in the row of its faults that find no spare tray.
pub const NO_SPARE_TRAY: &str = ", no spare tray";

/// Trays of an HB domain, each of which is out by itself.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trays {
    /// GPUs K of the domain.
    pub domain: u32,
    /// GPUs g of a tray; divides those of the domain.
    pub tray: u32,
    /// Share q of the time that a tray is out.
    pub out: f64,
}

impl Trays {
    /// Trays of the domain.
    #[must_use]
    pub const fn count(&self) -> u32 {
        self.domain / if self.tray == 0 { 1 } else { self.tray }
    }

    /// Trays that are left over where so many GPUs are used.
    #[must_use]
    pub fn spare_trays(&self, used: u32) -> u32 {
        self.domain.saturating_sub(used) / self.tray.max(1)
    }

    /// Probability of each number of trays that are out, none of them first.
    fn outage_probabilities(&self) -> Vec<f64> {
        let (count, out) = (self.count(), self.out.clamp(0.0, 1.0));
        if out >= 1.0 {
            return (0..=count).map(|f| if f == count { 1.0 } else { 0.0 }).collect();
        }
        // By logarithms: of many trays that none is out may be less than a number can be.
        let mut log = f64::from(count) * (-out).ln_1p();
        let mut all = vec![log.exp()];
        for lost in 1..=count {
            log += (f64::from(count - lost + 1) / f64::from(lost) * out / (1.0 - out)).ln();
            all.push(log.exp());
        }
        all
    }

    /// Share of the domain's GPUs that work and that no whole group of so many GPUs can use, on
    /// average.
    #[must_use]
    pub fn stranded_gpu_share(&self, group: u32) -> f64 {
        let left = |lost: u32| (self.domain - self.tray * lost) % group.max(1);
        let each = (0_u32..)
            .zip(self.outage_probabilities())
            .map(|(lost, chance)| chance * f64::from(left(lost)));
        each.sum::<f64>() / f64::from(self.domain.max(1))
    }

    /// Share of the time that at least so many GPUs of a domain work.
    #[must_use]
    pub fn share_of_time_with_gpus(&self, used: u32) -> f64 {
        self.outage_probabilities()
            .into_iter()
            .take(self.spare_trays(used) as usize + 1)
            .sum::<f64>()
            .min(1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::{Failures, PerYear, Trays};
    use crate::units::quantity::Seconds;

    /// 419 interruptions less the 35 of switches and cables, back from the rates.
    #[test]
    fn the_rates_of_machines_are_those_of_llama_3() {
        let failures = Failures::DEFAULT;
        let gpu_years = 16_384.0 * 54.0 / 365.25;
        let counts =
            [failures.gpu, failures.memory, failures.host, failures.software, failures.nic]
                .map(|rate| rate * gpu_years);
        for (found, published) in counts.into_iter().zip([184.0, 72.0, 54.0, 67.0, 7.0]) {
            assert!((found - published).abs() < 0.02, "{found} and {published}");
        }
        assert!((failures.link - 12.0 * 0.000_57).abs() < 1e-5);
        assert!((failures.switch - 12.0 * 0.000_51).abs() < 1e-5);
    }

    #[test]
    fn a_chance_never_exceeds_one() {
        let year = Seconds::from_f64(super::YEAR_SECONDS);
        assert!((PerYear::from_events(1e6).event_probability(year) - 1.0).abs() < 1e-12);
        assert!((PerYear::from_events(0.01).event_probability(year) - 0.009_950).abs() < 1e-6);
        assert_eq!(PerYear::from_events(f64::NAN).events(), 0.0);
    }

    /// Every pattern of trays that are out, one by one, with its probability.
    #[test]
    fn patterns_one_by_one_say_the_same() {
        for (domain, tray, out) in [(8, 4, 0.023), (36, 4, 0.1), (64, 4, 0.3), (16, 1, 0.05)] {
            let trays = Trays { domain, tray, out };
            let count = trays.count();
            for group in [1, 2, 3, 8, 16] {
                let (mut stranded, mut enough) = (0.0, 0.0);
                for pattern in 0_u32..1 << count {
                    let lost = pattern.count_ones();
                    let chance = out.powi(lost as i32) * (1.0 - out).powi((count - lost) as i32);
                    let work = domain - lost * tray;
                    stranded += chance * f64::from(work % group) / f64::from(domain);
                    enough += if work >= domain - domain / 4 { chance } else { 0.0 };
                }
                assert!(
                    (trays.stranded_gpu_share(group) - stranded).abs() < 1e-9,
                    "{trays:?} {group}"
                );
                assert!(
                    (trays.share_of_time_with_gpus(domain - domain / 4) - enough).abs() < 1e-9,
                    "{trays:?}"
                );
            }
        }
        // Nothing is lost of a domain without faults but what groups leave over.
        let whole = Trays { domain: 72, tray: 4, out: 0.0 };
        assert_eq!((whole.stranded_gpu_share(8), whole.stranded_gpu_share(16)), (0.0, 8.0 / 72.0));
        assert_eq!(Trays { out: 1.0, ..whole }.share_of_time_with_gpus(4), 0.0);
    }
}

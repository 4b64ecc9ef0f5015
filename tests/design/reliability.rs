//! A year of failures, by formula and by living through it event by event.

use planner::fabric::{FabricKind, Request, SwitchChoice, tree};
use planner::reliability::{Conduct, Exposure, Rates, Year, year};
use planner::units::{Bandwidth, Seconds};

/// SplitMix64 (Steele, Lea and Flood 2014), as a source of waiting times.
struct Chance(u64);

impl Chance {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    }

    /// Time to the next event at so many a second.
    fn wait(&mut self, rate: f64) -> f64 {
        let uniform = ((self.next() >> 11) as f64 + 0.5) / (1_u64 << 53) as f64;
        -uniform.ln() / rate
    }

    fn below(&mut self, share: f64) -> bool {
        ((self.next() >> 11) as f64 / (1_u64 << 53) as f64) < share
    }
}

const YEAR: f64 = 365.25 * 86_400.0;

/// The share of `years` that trains: stops lose the work since the last checkpoint, a stop by a
/// GPU takes a standby unit until the repair is done, and nothing trains while none is left.
fn lived(exposure: &Exposure, rates: &Rates, conduct: &Conduct, found: &Year, years: f64) -> f64 {
    let mut chance = Chance(42);
    let rate = found.stops.get() / YEAR;
    let gpu = rates.gpu.times(exposure.gpus).get() / YEAR;
    let end = years * YEAR;
    let (interval, save) = (found.interval.get(), conduct.save.get());
    let mut repaired: Vec<f64> = Vec::new();
    let (mut now, mut trained, mut ready) = (0.0, 0.0, 0.0_f64);
    while now < end {
        let stop = now + chance.wait(rate);
        // Whole intervals between being ready and the stop are kept.
        let worked = (stop.min(end) - ready).max(0.0);
        trained += (worked / (interval + save)).floor() * interval;
        now = stop;
        if chance.below(gpu / rate) {
            repaired.push(now + conduct.repair.get());
        }
        repaired.retain(|until| *until > now);
        repaired.sort_by(f64::total_cmp);
        let missing = repaired.len().saturating_sub(conduct.standby as usize);
        let staffed = if missing > 0 { repaired[missing - 1] } else { now };
        ready = staffed.max(now) + conduct.restart.get();
    }
    trained / end
}

fn exposure(kind: FabricKind, rails: u32, planes: u32) -> Exposure {
    let link = Bandwidth::gigabits(400.0);
    let request = Request::new(kind, 16_384, rails, SwitchChoice::Radix(128), link);
    let counts = tree(&request.in_planes(planes)).expect("16,384 NICs can be joined");
    Exposure::of(&counts, 16_384)
}

fn conduct(minutes: f64, standby: u64) -> Conduct {
    Conduct {
        save: Seconds::of(5.0),
        restart: Seconds::of(minutes * 60.0),
        repair: Seconds::of(86_400.0),
        standby,
    }
}

/// Worked apart from this program (rates as [`Rates::published`], 24 hours to repair, standby
/// enough): stops a year, of them network; slowdowns; goodput at 5 and 10 minutes to restart.
#[test]
fn sixteen_thousand_gpus_stop_as_often_on_rails_as_on_a_clos() {
    let rates = Rates::published();
    let cases = [
        ((FabricKind::Clos, 8, 1), (2709.0, 113.6, 226.0), (0.9449, 0.9191)),
        ((FabricKind::RailOnly, 8, 1), (2709.0, 113.6, 113.0), (0.9449, 0.9191)),
        // In two planes every NIC has two leafs: no network fault stops the job.
        ((FabricKind::RailOnly, 64, 2), (2596.0, 0.0, 0.0), (0.9466, 0.9219)),
    ];
    for ((kind, rails, planes), (stops, network, slowdowns), (five, ten)) in cases {
        let exposure = exposure(kind, rails, planes);
        let found = year(&exposure, &rates, &conduct(5.0, 1000));
        assert!((found.stops.get() - stops).abs() < 2.5, "{kind} {found:?}");
        assert!((found.network_stops.get() - network).abs() < 0.6, "{kind} {found:?}");
        if planes == 1 {
            assert!((found.slowdowns.get() - slowdowns).abs() < 1.0, "{kind} {found:?}");
        }
        assert!((found.goodput - five).abs() < 2e-4, "{kind} {found:?}");
        let found = year(&exposure, &rates, &conduct(10.0, 1000));
        assert!((found.goodput - ten).abs() < 2e-4, "{kind} {found:?}");
        let parts = found.saving + found.rework + found.restarting + found.waiting + found.goodput;
        assert!((parts - 1.0).abs() < 1e-12, "{parts}");
    }
}

#[test]
fn a_day_of_repair_takes_ten_units_in_standby() {
    let rates = Rates::published();
    let day = year(&exposure(FabricKind::Clos, 8, 1), &rates, &conduct(10.0, 10));
    assert!((day.broken - 4.74).abs() < 0.01);
    assert_eq!(day.standby, 10);
    let three_days = Conduct { repair: Seconds::of(3.0 * 86_400.0), ..conduct(10.0, 24) };
    let found = year(&exposure(FabricKind::Clos, 8, 1), &rates, &three_days);
    assert_eq!(found.standby, 24);
}

#[test]
fn the_formula_is_what_a_thousand_years_of_failures_leave() {
    let rates = Rates::published();
    for kind in [FabricKind::Clos, FabricKind::RailOnly] {
        for (minutes, standby) in [(5.0, 30), (10.0, 30), (10.0, 8), (2.0, 5)] {
            let exposure = exposure(kind, 8, 1);
            let conduct = conduct(minutes, standby);
            let found = year(&exposure, &rates, &conduct);
            let lived = lived(&exposure, &rates, &conduct, &found, 300.0);
            let apart = (found.goodput - lived).abs();
            // First order: the formula counts a stop during a restart as a whole one.
            assert!(apart < 0.008, "{kind} {minutes} {standby}: {} and {lived}", found.goodput);
        }
    }
}

#[test]
fn what_never_fails_always_trains() {
    let none =
        Exposure { gpus: 0, host_links: 0, leafs: 0, upper_links: 0, upper_switches: 0, planes: 1 };
    let found = year(&none, &Rates::published(), &conduct(10.0, 0));
    assert!((found.goodput - 1.0).abs() < 1e-9, "{found:?}");
    let all = Exposure { gpus: u64::MAX, ..none };
    let found = year(&all, &Rates::published(), &conduct(10.0, 0));
    assert_eq!(found.goodput, 0.0);
}

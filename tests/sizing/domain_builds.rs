//! Builds of HB domains as columns of the integer program, beside rail builds: a class of as many
//! domains as there are, chips and modules as models with supply, power shared with the rails.
//! Expected choices are found by plain enumeration in each test.

use planner::fabric::{HbRequest, RailRequest, Ratio, SwitchModel, count_domain, rail_builds};
use planner::sizing::{
    Class, Column, LinkEndOffer, Offer, Options, ProgramLimits, SizingProblem, Solution, Status,
    solve_sizing_problem,
};
use planner::units::{Usd, Watts};

fn offer(name: &str, usd: f64, watts: f64, supply: Option<u64>) -> Offer {
    Offer {
        name: name.into(),
        price: Usd::from_f64(usd),
        power: Watts::from_f64(watts),
        stock: 0,
        supply,
    }
}

/// A build of one domain that takes so many of each model.
fn build(pieces: &[u64]) -> Column {
    Column { rails: 1, pieces: pieces.to_vec(), links: 0, bisection: 1.0 }
}

fn problem(classes: Vec<Class>, models: Vec<Offer>, power: Option<f64>) -> SizingProblem {
    SizingProblem {
        classes,
        offers: models,
        ends: LinkEndOffer::NONE,
        limits: ProgramLimits { power: power.map(Watts::from_f64), ..ProgramLimits::default() },
        counts_money: true,
        energy_per_watt: Usd::ZERO,
    }
}

#[track_caller]
fn optimal(problem: &SizingProblem) -> Solution {
    let answer = solve_sizing_problem(problem, &Options::default()).expect("it can be built");
    assert_eq!(answer.status, Status::Optimal);
    answer
}

/// Chips of two generations, one short in supply, the other hungry: no chip alone makes four domains.
#[test]
fn chips_and_power_couple_builds_of_a_domain() {
    let chips = [72, 64].map(|ports| {
        count_domain(&HbRequest::for_switch_chips(64, 18, ports)).expect("one level").chip_count()
    });
    assert_eq!(chips, [18, 18]);
    // 18 chips with their share of tray and cables: $378,000 and 12.6 kW, $270,000 and 18 kW.
    let (price, watts, supply) = ([21_000.0, 15_000.0], [700.0, 1_000.0], [54_u64, 60]);
    let models = vec![
        offer("new chip", price[0], watts[0], Some(supply[0])),
        offer("old chip", price[1], watts[1], Some(supply[1])),
    ];
    let columns = vec![build(&[chips[0], 0]), build(&[0, chips[1]])];
    let class = Class { name: "domains of 64".into(), rails: 4, columns };
    let answer = optimal(&problem(vec![class], models, Some(64_000.0)));
    let mut best: Option<(f64, u64)> = None;
    for new in 0..=4_u64 {
        let used = [18 * new, 18 * (4 - new)];
        let total = |each: [f64; 2]| used[0] as f64 * each[0] + used[1] as f64 * each[1];
        let fits = used[0] <= supply[0] && used[1] <= supply[1] && total(watts) <= 64_000.0;
        if fits && best.is_none_or(|pair| total(price) < pair.0) {
            best = Some((total(price), new));
        }
    }
    assert_eq!(best, Some((1_296_000.0, 2)));
    assert_eq!(answer.copies, [[2, 2]]);
    assert_eq!((answer.capex.get(), answer.power.get()), (1_296_000.0, 61_200.0));
}

/// Two domains of 144 in two levels: at full bandwidth the chips run out, at half of it they do not.
#[test]
fn a_floor_on_bandwidth_inside_a_domain_decides_what_supply_allows() {
    let counts = [1, 2].map(|taper| {
        let request = HbRequest { taper, ..HbRequest::for_switch_chips(144, 18, 72) };
        count_domain(&request).expect("two levels")
    });
    assert_eq!(
        counts.map(|hb_counts| (hb_counts.chip_count(), hb_counts.long_links)),
        [(108, 2_592), (72, 1_296)]
    );
    // A module ends four links.
    let pieces = counts.map(|hb_counts| vec![hb_counts.chip_count(), 2 * hb_counts.long_links / 4]);
    let models = || {
        vec![offer("chip", 21_000.0, 700.0, Some(180)), offer("module", 850.0, 30.0, Some(2_000))]
    };
    let at_least = |floor: f64| {
        let able =
            counts.iter().zip(&pieces).filter(|(hb_counts, _)| hb_counts.all_to_all >= floor);
        let columns = able.map(|(_, pieces)| build(pieces)).collect();
        Class { name: "domains of 144".into(), rails: 2, columns }
    };
    let full =
        solve_sizing_problem(&problem(vec![at_least(1.0)], models(), None), &Options::default());
    assert!(full.is_err(), "216 chips of 180: {full:?}");
    let answer = optimal(&problem(vec![at_least(0.5)], models(), None));
    assert_eq!((answer.copies, answer.used), (vec![vec![0, 2]], vec![144, 1_296]));
    // One of each would meet both limits to the piece, at more.
    let one_of_each = [pieces[0][0] + pieces[1][0], pieces[0][1] + pieces[1][1]];
    assert_eq!(one_of_each, [180, 1_944]);
}

/// 1,024 GPUs: domains of 8 on boards are cheaper, domains of 16 need fewer rail switches; a limit on
/// the power of all switching decides, which neither block sees alone.
#[test]
fn power_couples_domains_and_rails() {
    let switch = SwitchModel { name: "s64".into(), radix: 64 };
    let read = |domain: u32, chip_price: f64, cables: f64, power: Option<f64>| {
        let domains = u64::from(1_024 / domain);
        let chips = count_domain(&HbRequest::for_switch_chips(domain, 18, 72))
            .expect("one level")
            .chip_count();
        let inside = build(&[0, chips, u64::from(domain)]);
        let rails = rail_builds(&RailRequest {
            endpoints: domains,
            skus: std::slice::from_ref(&switch),
            within: Ratio::ONE,
            across: Ratio::ZERO,
            models_per_rail: None,
        });
        let rails = rails.iter().map(|build| Column {
            rails: u64::from(build.rails),
            pieces: vec![build.switches_of(0), 0, 0],
            links: build.link_count(),
            bisection: 1.0,
        });
        let classes = vec![
            Class { name: "domains".into(), rails: domains, columns: vec![inside] },
            Class { name: "rails".into(), rails: domain.into(), columns: rails.collect() },
        ];
        let models = vec![
            offer("s64", 36_000.0, 1_720.0, None),
            offer("chip", chip_price, 700.0, None),
            offer("cables of a GPU", cables, 0.0, None),
        ];
        let ends =
            LinkEndOffer { price: Usd::from_f64(450.0), power: Watts::from_f64(9.0), stock: 0 };
        SizingProblem { ends, ..problem(classes, models, power) }
    };
    let eight = optimal(&read(8, 0.0, 0.0, None));
    assert_eq!((eight.used[0], eight.used[1], eight.ends), (48, 256, 4_096));
    assert_eq!((eight.capex.get(), eight.power.get().round()), (3_571_200.0, 298_624.0));
    let sixteen = optimal(&read(16, 21_000.0, 1_000.0, None));
    assert_eq!((sixteen.used[0], sixteen.used[1], sixteen.ends), (16, 320, 2_048));
    assert_eq!((sixteen.capex.get(), sixteen.power.get().round()), (9_241_600.0, 269_952.0));
    // 285 kW: the cheaper one can't be built at all.
    let limit = Some(285_000.0);
    assert!(solve_sizing_problem(&read(8, 0.0, 0.0, limit), &Options::default()).is_err());
    let answer = optimal(&read(16, 21_000.0, 1_000.0, limit));
    assert_eq!(answer.capex.get() - eight.capex.get(), 5_670_400.0);
}

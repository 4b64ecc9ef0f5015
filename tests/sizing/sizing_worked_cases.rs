//! Worked cases of the integer program on real builds: what stock, power and odd sizes do to a
//! fabric of separate rails. Expected sums were found independently with another generator and
//! another solver (HiGHS), and are stated to $10,000.
//!
//! Prices: 64 x 400G switch $32,870 and 747 W, 64 x 800G switch as 128 x 400G $51,999 and 940 W,
//! 400G transceiver $659 and 9 W (reseller lists of 2026-07; MixNet, SIGCOMM 2025, table 4).

use planner::fabric::{RailRequest, Ratio, SwitchModel, rail_builds};
use planner::sizing::{
    Class, Column, LimitNeed, LinkEndOffer, Offer, Options, ProgramLimits, SizingInfeasible,
    SizingProblem, Solution, Status, solve_sizing_problem,
};
use planner::units::{Usd, Watts};

const Q64: usize = 0;
const S128: usize = 1;

struct Case {
    /// Endpoints of a rail.
    endpoints: u64,
    rails: u64,
    /// 64-port switches in stock.
    owned: u64,
    power: Option<Watts>,
    models_per_rail: Option<u32>,
}

impl Case {
    fn new(endpoints: u64, rails: u64, owned: u64) -> Self {
        Self { endpoints, rails, owned, power: None, models_per_rail: None }
    }

    fn problem(&self) -> SizingProblem {
        let skus = [
            SwitchModel { name: "q64".into(), radix: 64 },
            SwitchModel { name: "s128".into(), radix: 128 },
        ];
        let builds = rail_builds(&RailRequest {
            endpoints: self.endpoints,
            skus: &skus,
            within: Ratio::ONE,
            across: Ratio::ZERO,
            models_per_rail: self.models_per_rail,
        });
        let columns = builds
            .iter()
            .map(|build| Column {
                rails: u64::from(build.rails),
                pieces: vec![build.switches_of(Q64), build.switches_of(S128)],
                links: build.link_count(),
                bisection: 1.0,
            })
            .collect();
        let offer = |sku: &SwitchModel, usd, watts, stock| Offer {
            name: sku.name.clone(),
            price: Usd::from_f64(usd),
            power: Watts::from_f64(watts),
            stock,
            supply: None,
        };
        SizingProblem {
            classes: vec![Class { name: "gpu rails".into(), rails: self.rails, columns }],
            offers: vec![
                offer(&skus[Q64], 32_870.0, 747.0, self.owned),
                offer(&skus[S128], 51_999.0, 940.0, 0),
            ],
            ends: LinkEndOffer {
                price: Usd::from_f64(659.0),
                power: Watts::from_f64(9.0),
                stock: 0,
            },
            limits: ProgramLimits { power: self.power, ..ProgramLimits::default() },
            counts_money: true,
            energy_per_watt: Usd::ZERO,
        }
    }

    fn solve(&self) -> Result<Solution, SizingInfeasible> {
        solve_sizing_problem(&self.problem(), &Options::default())
    }
}

#[track_caller]
fn check(case: &Case, millions: f64, bought: [u64; 2]) -> Solution {
    let found = case.solve().expect("the case has an answer");
    let cost = found.capex.get() / 1e6;
    assert!((cost - millions).abs() < 0.0051, "${cost:.4}M, expected ${millions}M: {found:?}");
    assert_eq!(found.switches_to_buy(), bought, "${cost:.4}M");
    assert_eq!(found.status, Status::Optimal);
    found
}

#[test]
fn racks_of_72_take_owned_switches_and_share_new_ones() {
    let found = check(&Case::new(57, 72, 48), 6.03, [0, 12]);
    assert_eq!(found.owned, [48, 0]);
    check(&Case::new(57, 72, 0), 7.28, [0, 36]);
}

#[test]
fn every_owned_switch_becomes_a_leaf_of_a_mixed_rail() {
    let found = check(&Case::new(2048, 8, 60), 61.60, [0, 354]);
    assert_eq!(found.owned, [60, 0]);
    check(&Case::new(2048, 8, 0), 63.16, [0, 384]);
}

#[test]
fn one_model_per_rail_costs_a_little_more() {
    let pure = Case { models_per_rail: Some(1), ..Case::new(2048, 8, 60) };
    let pure = pure.solve().expect("the case has an answer");
    let mixed = Case::new(2048, 8, 60).solve().expect("the case has an answer");
    assert!(pure.capex > mixed.capex, "{pure:?}");
}

#[test]
fn a_power_limit_decides_how_much_of_a_thirsty_stock_is_used() {
    // Three rails of owned switches alone, one mixed rail, four of new ones: $0.15M below what
    // the other generator found, which built spines of the larger model only.
    check(&Case::new(2048, 8, 300), 55.36, [0, 234]);
    let limited = Case { power: Some(Watts::from_f64(1e6)), ..Case::new(2048, 8, 300) };
    let found = check(&limited, 58.58, [0, 296]); // the other generator: $58.68M
    assert!(found.power <= Watts::from_f64(1e6));
}

#[test]
fn too_little_power_for_anything_says_how_much_it_takes() {
    let limited = Case { power: Some(Watts::from_f64(900e3)), ..Case::new(2048, 8, 300) };
    let Err(SizingInfeasible::Clash { needs }) = limited.solve() else {
        panic!("no fabric of these switches draws under 951 kW")
    };
    assert_eq!(needs.len(), 1);
    let LimitNeed::Power { needs, .. } = &needs[0] else { panic!("{needs:?}") };
    assert!((needs.get() / 1e3 - 950.8).abs() < 0.1, "{needs:?}");
}

#[test]
fn owned_is_not_free() {
    for owned in [48, 300] {
        let found = check(&Case::new(128, 8, owned), 1.77, [0, 8]);
        assert_eq!(found.owned, [0, 0], "using them would cost 1,024 more links");
    }
}

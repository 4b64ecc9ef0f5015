//! A ceiling leaves out nothing but what is above it, and with the ceiling that a known build
//! sets the integer program finds the same cost as with all builds.

use std::path::Path;

use planner::design::{Infeasible, Plan, SolverStatus, design_with};
use planner::fabric::{
    Build, BuildEffort, IdleLanes, RailRequest, Ratio, SwitchModel, WeightCeiling, WeightScale,
    rail_builds, rail_builds_below, rail_builds_within,
};
use planner::scenario::Minimize;
use planner::sizing::{
    Class, Column, LinkEndOffer, Offer, Options, ProgramLimits, SizingProblem, solve_sizing_problem,
};
use planner::spec::presets::ready_spec;
use planner::spec::{SpecText, read_scenario};
use planner::units::{Usd, Watts};

use crate::support::scenario::design;

const END: f64 = 659.0;

struct Case {
    endpoints: u64,
    rails: u64,
    within: (u32, u32),
    /// Ports, price and stock of each model.
    models: Vec<(u32, f64, u64)>,
}

fn cases() -> Vec<Case> {
    let case = |endpoints, rails, within, models: &[(u32, f64, u64)]| Case {
        endpoints,
        rails,
        within,
        models: models.to_vec(),
    };
    let small = (64, 32_870.0, 0);
    let large = (128, 51_999.0, 0);
    let other = (40, 18_740.0, 0);
    vec![
        case(200, 8, (1, 1), &[small, large]),
        case(2048, 8, (18, 110), &[small, large]),
        case(2048, 8, (1, 1), &[(64, 32_870.0, 60), large]),
        case(513, 4, (1, 3), &[small, (128, 51_999.0, 7), other]),
        case(96, 16, (1, 1), &[(64, 32_870.0, 40), (40, 18_740.0, 90)]),
        case(5000, 8, (1, 1), &[small, other]),
    ]
}

impl Case {
    fn skus(&self) -> Vec<SwitchModel> {
        let sku = |(place, model): (usize, &(u32, f64, u64))| SwitchModel {
            name: format!("model-{place}"),
            radix: model.0,
        };
        self.models.iter().enumerate().map(sku).collect()
    }

    fn request<'a>(&self, skus: &'a [SwitchModel]) -> RailRequest<'a> {
        let within = Ratio::new(self.within.0, self.within.1).expect("not over zero");
        let across = Ratio::ZERO;
        RailRequest { endpoints: self.endpoints, skus, within, across, models_per_rail: None }
    }

    /// Weight of a build by prices, owned models free where `free`.
    fn weight(&self, build: &Build, free: bool) -> f64 {
        let switches: f64 = self
            .models
            .iter()
            .enumerate()
            .map(|(place, (_, price, stock))| {
                let price = if free && *stock > 0 { 0.0 } else { *price };
                price * build.switches_of(place) as f64
            })
            .sum();
        switches + 2.0 * END * build.link_count() as f64
    }

    fn ceiling(&self, most: f64) -> WeightCeiling {
        let free = |(_, price, stock): &(u32, f64, u64)| if *stock > 0 { 0.0 } else { *price };
        let switches = self.models.iter().map(free).collect();
        WeightCeiling {
            scales: vec![WeightScale {
                switches,
                link: 2.0 * END,
                idle: IdleLanes::default(),
                known_weight: most,
            }],
            ..WeightCeiling::default()
        }
    }

    fn cost(&self, builds: &[Build]) -> f64 {
        let column = |build: &Build| Column {
            rails: u64::from(build.rails),
            pieces: (0..self.models.len()).map(|place| build.switches_of(place)).collect(),
            links: build.link_count(),
            bisection: 0.0,
        };
        let offer = |(place, (_, price, stock)): (usize, &(u32, f64, u64))| Offer {
            name: format!("model-{place}"),
            price: Usd::from_f64(*price),
            power: Watts::ZERO,
            stock: *stock,
            supply: None,
        };
        let columns = builds.iter().map(column).collect();
        let problem = SizingProblem {
            classes: vec![Class { name: "rails".into(), rails: self.rails, columns }],
            offers: self.models.iter().enumerate().map(offer).collect(),
            ends: LinkEndOffer { price: Usd::from_f64(END), power: Watts::ZERO, stock: 0 },
            limits: ProgramLimits::default(),
            counts_money: true,
            energy_per_watt: Usd::ZERO,
        };
        solve_sizing_problem(&problem, &Options::default()).expect("nothing is limited").cost.get()
    }
}

#[test]
fn nothing_below_a_ceiling_is_left_out() {
    for case in cases() {
        let skus = case.skus();
        let all = rail_builds(&case.request(&skus));
        let mut weights: Vec<f64> = all.iter().map(|build| case.weight(build, true)).collect();
        weights.sort_by(f64::total_cmp);
        for most in [weights[0], weights[weights.len() / 2], weights[weights.len() - 1]] {
            let below = rail_builds_below(&case.request(&skus), &case.ceiling(most));
            for build in &all {
                let admitted = case.weight(build, true) <= most;
                assert!(!admitted || below.contains(build), "{} of {most}", case.endpoints);
            }
        }
    }
}

/// The exchange argument: replacing a build by a known one costs at most the known one's full
/// price and saves at least what the other costs were owned parts free.
#[test]
fn builds_above_a_known_ones_price_are_in_no_best_answer() {
    for case in cases() {
        let skus = case.skus();
        let all = rail_builds(&case.request(&skus));
        let one = |build: &&Build| build.rails == 1;
        let known = all.iter().filter(one).map(|build| case.weight(build, false));
        let most = known.fold(f64::INFINITY, f64::min);
        let below = rail_builds_below(&case.request(&skus), &case.ceiling(most));
        assert!(below.len() <= all.len());
        let (few, many) = (case.cost(&below), case.cost(&all));
        assert!((few - many).abs() <= 1e-9 * many, "{}: {few} {many}", case.endpoints);
    }
}

/// Where weight alone speaks for a switch, models that are never worth their ports are left out
/// early. The oracle makes every build, and weighs all of them at the end.
#[test]
fn the_lightest_build_is_found_without_models_that_are_not_worth_their_ports() {
    for case in cases() {
        let skus = case.skus();
        for across in [Ratio::ZERO, Ratio::new(1, 4).expect("not over zero")] {
            let request = RailRequest { across, ..case.request(&skus) };
            let weight = |build: &Build| case.weight(build, false);
            let of_a_rail = |builds: &[Build]| {
                let one = builds.iter().filter(|build| build.rails == 1);
                one.map(weight).fold(f64::INFINITY, f64::min)
            };
            let least = of_a_rail(&rail_builds(&request));
            let switches = case.models.iter().map(|(_, price, _)| *price).collect();
            let scale = WeightScale {
                switches,
                link: 2.0 * END,
                idle: IdleLanes::default(),
                known_weight: f64::INFINITY,
            };
            let ceiling = WeightCeiling {
                scales: vec![scale],
                only_weight: true,
                ..WeightCeiling::default()
            };
            let found = of_a_rail(&rail_builds_below(&request, &ceiling));
            assert!(found == least || (found - least).abs() <= 1e-9 * least, "{found} {least}");
        }
    }
}

#[test]
fn an_effort_that_ends_is_told_and_makes_no_other_builds() {
    for case in cases() {
        let skus = case.skus();
        let request = case.request(&skus);
        let all = rail_builds(&request);
        for steps in [0, 10, 1000] {
            let mut effort = BuildEffort::with_steps(steps);
            let some = rail_builds_within(&request, &WeightCeiling::default(), &mut effort);
            assert!(effort.is_spent() || some == all, "{steps}");
        }
        let mut enough = BuildEffort::with_steps(u64::MAX);
        assert_eq!(rail_builds_within(&request, &WeightCeiling::default(), &mut enough), all);
        assert!(!enough.is_spent());
    }
}

/// The network of a starter with switch models of its own, in dollars, and how firm it is.
fn network_with(models: &[(u32, u32)]) -> (f64, SolverStatus) {
    let mut text = String::from(
        "[model]\npreset = \"llama3-8b\"\n[training]\nglobal_batch = 512\ntokens = \"1T\"\n\
         [objective]\nminimize = \"capex\"\n[limits]\nregular = false\n\
         [cluster]\ngpus = 256\nnode = \"dgx-h100\"\nlinks = \"by-end\"\n",
    );
    for (place, (ports, price)) in models.iter().enumerate() {
        text += &format!(
            "[hardware.switches.s{place}]\nports = {ports}\nport_speed = \"400 Gb/s\"\n\
             power = \"1 kW\"\nprice = \"${price}\"\n"
        );
    }
    let source = SpecText::new("many.toml", text);
    let scenario =
        read_scenario(&source, &[]).unwrap_or_else(|problems| panic!("{}", problems.render(false)));
    let plan = design(&scenario).expect("switches of two ports and more join anything");
    (plan.cost.network_capex.get(), plan.solver.status)
}

/// None of these models replaces another: each has a port more and costs a dollar more.
#[test]
fn a_thousand_models_are_sized_and_the_few_that_matter_cost_as_much() {
    let ladder = |ports: u32| (ports, 998 + ports);
    let all: Vec<(u32, u32)> = (2..1002).map(ladder).collect();
    let (cost, status) = network_with(&all);
    // One switch for all 256 interfaces in two planes: two switches cost 2,000 dollars or more.
    let (one, _) = network_with(&[ladder(512)]);
    let few: Vec<(u32, u32)> = [16, 32, 64, 128, 256, 512].map(ladder).to_vec();
    let (of_few, _) = network_with(&few);
    assert!(status == SolverStatus::Optimal && cost <= one && cost <= of_few, "{cost} {one}");
    assert!((cost - one).abs() < 0.01, "no fabric has fewer than one switch: {cost} {one}");
}

/// With every part free all fabrics cost as much, and the tables of equals may not grow.
#[test]
fn parts_that_are_all_free_are_sized() {
    let source = ready_spec("starter").expect("it ships");
    let mut scenario =
        read_scenario(&source, &[]).unwrap_or_else(|problems| panic!("{}", problems.render(false)));
    scenario.prices.prices.values_mut().for_each(|price| price.amount = Usd::ZERO);
    let plan = design(&scenario).expect("nothing is limited");
    assert_eq!((plan.cost.network_capex.get(), plan.solver.status), (0.0, SolverStatus::Optimal));
}

/// Nothing is called optimal that full effort beats, and no bound lies above what it finds.
#[test]
fn a_design_whose_builds_were_cut_short_claims_no_more_than_it_knows() {
    let specs = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/refuted/specs");
    let mut open = 0;
    for name in ["power_and_supply", "dark_ports", "two_models", "tenants", "power_binds"] {
        let path = specs.join(name).with_extension("toml");
        let text = std::fs::read_to_string(path).expect("the spec is there");
        let source = SpecText::new(name, text);
        let scenario = read_scenario(&source, &[])
            .unwrap_or_else(|problems| panic!("{}", problems.render(false)));
        let full = design(&scenario).expect("it has a design");
        let quantity = |plan: &Plan| match scenario.objective.minimize {
            Minimize::Capex => plan.cost.capex.get(),
            Minimize::Tco => plan.cost.tco.get(),
            Minimize::Power => plan.cost.power.get(),
            Minimize::UsdPerToken => plan.cost.usd_per_million_tokens.map_or(0.0, Usd::get),
        };
        let least = quantity(&full) * (1.0 - full.solver.gap);
        for steps in [0, 1 << 6, 1 << 9, 1 << 12, 1 << 15] {
            let options = Options { builds: steps, ..Options::default() };
            let cut = match design_with(&scenario, &options) {
                Ok(cut) => cut,
                Err(reason) => {
                    assert_eq!(reason, Infeasible::Unknown, "{name} {steps}: {reason}");
                    open += 1;
                    continue;
                }
            };
            let bound = quantity(&cut) * (1.0 - cut.solver.gap);
            assert!(bound <= quantity(&full) * (1.0 + 1e-9), "{name} {steps}: {bound} {least}");
            open += usize::from(cut.solver.status != SolverStatus::Optimal);
        }
    }
    assert!(open > 5, "{open}");
}

//! Programs of real builds from a handful of GPUs to a million, with stock, supply and limits at
//! random: every back end and the exhaustive search agree to the cent, what is unproven is never
//! called optimal, and cost moves the way it has to.

use planner::fabric::{Build, RailRequest, Ratio, SwitchModel, rail_builds};
use planner::sizing::{
    BackEnd, Class, Column, LinkEndOffer, Offer, Options, ProgramLimits, Racks, SizingInfeasible,
    SizingProblem, Solution, Status, solve_sizing_problem, tally_parts,
};
use planner::units::{Usd, Watts};

use crate::support::dice::Dice;

/// Ports of switch models that are sold, or were.
const RADICES: [u32; 7] = [32, 40, 64, 72, 128, 144, 256];
/// GPUs of an HB domain that are sold, or were.
const DOMAINS: [u64; 6] = [2, 8, 16, 18, 36, 72];
/// GPUs of the largest cluster.
const MOST_GPUS: u64 = 1_048_576;
/// More builds than this say nothing new and take long.
const MOST_BUILDS: usize = 250;

/// A cluster with everything that can carry a rail of it.
struct Cluster {
    rails: u64,
    skus: Vec<SwitchModel>,
    builds: Vec<Build>,
}

impl Cluster {
    /// A random one, small ones as likely as large ones; `None` where nothing can be built.
    fn any(dice: &mut Dice) -> Option<Self> {
        let rails = DOMAINS[dice.roll(DOMAINS.len() as u64) as usize];
        let largest = MOST_GPUS / rails;
        let scale = dice.between(1, u64::from(largest.ilog2()));
        let endpoints = dice.between(1 << (scale - 1), 1 << scale).min(largest);
        let mut radices: Vec<u32> =
            (0..dice.between(1, 3)).map(|_| RADICES[dice.roll(7) as usize]).collect();
        radices.sort_unstable();
        radices.dedup();
        let skus: Vec<SwitchModel> = radices
            .iter()
            .map(|ports| SwitchModel { name: format!("{ports} ports"), radix: *ports })
            .collect();
        let within = Ratio::uplinks_per_downlink(1, dice.between(1, 9) as u32);
        let builds = rail_builds(&RailRequest {
            endpoints,
            skus: &skus,
            within,
            across: Ratio::ZERO,
            models_per_rail: None,
        });
        (1..=MOST_BUILDS).contains(&builds.len()).then_some(Self { rails, skus, builds })
    }

    /// A program with random prices, stock, supply and limits.
    fn problem(&self, dice: &mut Dice) -> SizingProblem {
        let columns: Vec<Column> = self
            .builds
            .iter()
            .map(|build| Column {
                rails: u64::from(build.rails),
                pieces: (0..self.skus.len()).map(|sku| build.switches_of(sku)).collect(),
                links: build.link_count(),
                bisection: build.within.to_f64(),
            })
            .collect();
        let needed = |sku: usize| {
            columns.iter().map(|column| column.pieces[sku]).max().unwrap_or(0).max(1) * self.rails
        };
        let models = (0..self.skus.len())
            .map(|sku| {
                let ports = u64::from(self.skus[sku].radix);
                let part = |dice: &mut Dice| needed(sku) * dice.roll(120) / 100;
                Offer {
                    name: self.skus[sku].name.clone(),
                    price: Usd::from_f64((ports * dice.between(200, 600)) as f64),
                    power: Watts::from_f64((ports * dice.between(6, 20)) as f64),
                    stock: if dice.chance(50) { part(dice) } else { 0 },
                    supply: if dice.chance(30) { Some(part(dice)) } else { None },
                }
            })
            .collect();
        let ends = LinkEndOffer {
            price: Usd::from_f64(dice.between(100, 1_200) as f64),
            power: Watts::from_f64(9.0),
            stock: if dice.chance(20) { dice.roll(20_000) } else { 0 },
        };
        let mut problem = SizingProblem {
            classes: vec![Class { name: "rails".into(), rails: self.rails, columns }],
            offers: models,
            ends,
            limits: ProgramLimits::default(),
            counts_money: true,
            energy_per_watt: if dice.chance(30) { Usd::from_f64(4.0) } else { Usd::ZERO },
        };
        if dice.chance(30)
            && let Ok(free) = solve_sizing_problem(&problem, &Options::default())
        {
            problem.limits.power = Some(free.power * (dice.between(85, 104) as f64 / 100.0));
        }
        problem
    }
}

/// The search that stands in for the solver, and no solver: as far as it goes in short time.
fn exhaustive() -> Options {
    Options { nodes: 0, comparisons: 3_000_000, ..Options::default() }
}

/// A cent, and the rounding of sums of money of a million GPUs.
fn same(one: f64, other: f64) -> bool {
    (one - other).abs() <= 0.01 + 1e-11 * one.abs()
}

#[test]
fn back_ends_and_exhaustive_search_agree_to_the_cent() {
    let mut dice = Dice(11);
    let (mut cases, mut proven, mut clashes) = (0, 0, 0);
    while cases < 2_000 {
        let Some(cluster) = Cluster::any(&mut dice) else { continue };
        for _ in 0..20 {
            let problem = cluster.problem(&mut dice);
            cases += 1;
            let mut found: Vec<(&str, Result<Solution, SizingInfeasible>)> = BackEnd::ALL
                .iter()
                .map(|end| {
                    (
                        end.name(),
                        solve_sizing_problem(
                            &problem,
                            &Options { back_end: *end, ..Options::default() },
                        ),
                    )
                })
                .collect();
            found.push(("exhaustive", solve_sizing_problem(&problem, &exhaustive())));
            let mut best: Option<(&str, f64)> = None;
            for (name, answer) in &found {
                match answer {
                    Ok(answer) => {
                        let sum = tally_parts(&problem, &answer.copies);
                        assert!(sum.feasible && same(sum.cost.get(), answer.cost.get()), "{name}");
                        if answer.status != Status::Optimal {
                            continue;
                        }
                        let cost = answer.cost.get();
                        proven += 1;
                        if let Some((other, known)) = best {
                            assert!(
                                same(cost, known),
                                "{name} ${cost}, {other} ${known}: {problem:#?}"
                            );
                        }
                        best = Some((*name, cost));
                    }
                    Err(SizingInfeasible::Unknown) => {}
                    Err(_) => clashes += 1,
                }
            }
            // Nobody beats what another proved, and nobody proves that what exists does not.
            for (name, answer) in &found {
                if let (Ok(answer), Some((_, known))) = (answer, best) {
                    assert!(answer.cost.get() >= known - 0.01 - 1e-11 * known, "{name}");
                }
                let clash = matches!(
                    answer,
                    Err(SizingInfeasible::Clash { .. } | SizingInfeasible::NoBuild { .. })
                );
                assert!(
                    !clash || found.iter().all(|(_, other)| other.is_err()),
                    "{name}: {problem:#?}"
                );
            }
        }
    }
    let all = cases * (BackEnd::ALL.len() + 1);
    let unproven = all - proven - clashes;
    assert!(unproven * 20 < all, "{proven} proofs and {clashes} clashes of {all}");
    assert!(clashes > 20, "{clashes}");
}

/// Cost with one thing changed, where both are proven.
#[track_caller]
fn law(problem: &SizingProblem, changed: &SizingProblem, what: &str) {
    let (before, after) = (
        solve_sizing_problem(problem, &Options::default()),
        solve_sizing_problem(changed, &Options::default()),
    );
    match (before, after) {
        (Ok(before), Ok(after)) => {
            if before.status == Status::Optimal && after.status == Status::Optimal {
                let (before, after) = (before.cost.get(), after.cost.get());
                assert!(after <= before + 0.01, "{what}: ${before} to ${after}: {problem:#?}");
            }
        }
        (Ok(_), Err(reason)) => panic!("{what}: there was a design, now {reason}: {problem:#?}"),
        (Err(_), _) => {}
    }
}

#[test]
fn looser_limits_cheaper_parts_and_stock_never_cost_more() {
    let mut dice = Dice(12);
    let mut cases = 0;
    while cases < 200 {
        let Some(cluster) = Cluster::any(&mut dice) else { continue };
        for _ in 0..5 {
            cases += 1;
            let problem = cluster.problem(&mut dice);
            let model = dice.roll(problem.offers.len() as u64) as usize;
            let with = |change: &dyn Fn(&mut SizingProblem)| {
                let mut changed = problem.clone();
                change(&mut changed);
                changed
            };
            let power = with(&|sizing_problem| {
                sizing_problem.limits.power = sizing_problem.limits.power.map(|most| most * 1.1)
            });
            law(&problem, &power, "more power");
            let supply = with(&|sizing_problem| {
                sizing_problem.offers[model].supply =
                    sizing_problem.offers[model].supply.map(|most| most + 3);
            });
            law(&problem, &supply, "more supply");
            let cheaper = with(&|sizing_problem| {
                sizing_problem.offers[model].price = sizing_problem.offers[model].price * 0.9
            });
            law(&problem, &cheaper, "a cheaper switch");
            let optics =
                with(&|sizing_problem| sizing_problem.ends.price = sizing_problem.ends.price * 0.8);
            law(&problem, &optics, "cheaper transceivers");
            let stock = with(&|sizing_problem| sizing_problem.offers[model].stock += 7);
            law(&problem, &stock, "more stock");
            let per_rack = problem.offers.iter().map(|_| dice.between(4, 24)).collect();
            let mut tight = problem.clone();
            if let Ok(free) = solve_sizing_problem(&problem, &Options::default()) {
                let racks = Racks { max_racks: 0, per_rack };
                let most = racks.racks_used(&free.used) * dice.between(70, 110) / 100;
                tight.limits.racks = Some(Racks { max_racks: most, ..racks });
            }
            let mut roomy = tight.clone();
            if let Some(racks) = &mut roomy.limits.racks {
                racks.max_racks += 1;
            }
            law(&tight, &roomy, "one more rack");
            law(&tight, &problem, "no limit on racks");
        }
    }
}

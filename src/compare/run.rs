//! Design and baselines, one cluster or several.

use super::baseline::{Baseline, Variant};
use super::baseline_field::BaselineField;
use super::comparison::{BaselineDifference, BaselineResult, Comparison};
use crate::cost::{BillLine, SharedStock, least_weights, paid_after, range_of_sum};
use crate::design::{
    self, BaselineFabric, Combinations, Infeasible, Plan, limits_broken_by_plan, list_clusters,
    network_bill, plan_in_sequence, question_of_plan,
};
use crate::scenario::{ClusterQuestion, ClusterShape, Scenario};
use crate::sizing::Options;
use crate::units::Usd;

/// Designs for a scenario and compares the design with `baselines`.
///
/// # Errors
/// Why there is no design.
pub fn compare_baselines(
    scenario: &Scenario,
    baselines: &[Baseline],
) -> Result<Comparison, Infeasible> {
    compare_with(scenario, baselines, &Options::default())
}

/// [`compare_baselines`] with other options of the solver.
///
/// # Errors
/// As [`compare_baselines`].
pub fn compare_with(
    scenario: &Scenario,
    baselines: &[Baseline],
    options: &Options,
) -> Result<Comparison, Infeasible> {
    let design = design::design_with_default_rules(scenario, options)?;
    if design.is_interrupted() {
        return Ok(Comparison::design_only(design));
    }
    match compare_design(scenario, &design, baselines, options) {
        // What was held against it until then is not all of it.
        _ if options.watch.is_stopped() => {
            Ok(Comparison::design_only(design.mark_interrupted(None)))
        }
        found => found,
    }
}

/// The design beside baselines.
fn compare_design(
    scenario: &Scenario,
    design: &Plan,
    baselines: &[Baseline],
    options: &Options,
) -> Result<Comparison, Infeasible> {
    if scenario.is_several() {
        return compare_clusters(scenario, design, baselines, options);
    }
    let scenario = design::question_of_plan(scenario, design);
    let field = BaselineField::new(&scenario, design, options);
    let mut contenders = Vec::new();
    let mut missing = Vec::new();
    for baseline in baselines {
        let built = contenders.len();
        for variant in baseline.variants() {
            contenders.extend(field.best_contender(*baseline, *variant)?);
        }
        if contenders.len() == built {
            missing.push(*baseline);
        }
    }
    let attribution = field.attribution()?;
    let design = design.clone();
    Ok(Comparison { contenders, missing, attribution, design, each: Vec::new() })
}

/// The comparison of the design of all clusters of a scenario, and that of each.
///
/// # Errors
/// Why there is no design.
fn compare_clusters(
    scenario: &Scenario,
    design: &Plan,
    baselines: &[Baseline],
    options: &Options,
) -> Result<Comparison, Infeasible> {
    let scenario = &*question_of_plan(scenario, design);
    let plans: Vec<Plan> = design.clusters.iter().map(|cluster| cluster.plan.clone()).collect();
    let mut each = compare_clusters_alone(scenario, &plans, options)?;
    let (mut contenders, mut missing) = (Vec::new(), Vec::new());
    for baseline in baselines {
        let built = contenders.len();
        for variant in baseline.variants() {
            let asked = (*baseline, *variant);
            let Some(fabrics) = cheapest_combination(scenario, &plans, asked.0, asked.1, options)?
            else {
                continue;
            };
            let mut found: Vec<BaselineResult> = Vec::new();
            let whole = plan_in_sequence(scenario, |place, cluster| {
                let field = BaselineField::new(cluster, &plans[place], options);
                let contender =
                    field.contender_on_fabric(*baseline, *variant, &fabrics.each[place])?;
                let plan = contender.plan.clone();
                found.push(contender);
                Ok::<Plan, Infeasible>(plan)
            })?;
            let plan = whole.ok_or(Infeasible::Unknown)?;
            let against = total_difference(&plan, design, &found);
            let mut name = common_name(&found);
            if !fabrics.proven {
                name.push_str(", the cheapest of the combinations tried");
            }
            let breaks = limits_broken_by_plan(scenario, &plan);
            contenders.push(BaselineResult { baseline: *baseline, name, plan, against, breaks });
            for (one, contender) in each.iter_mut().zip(found) {
                one.contenders.push(contender);
            }
        }
        if contenders.len() == built {
            missing.push(*baseline);
        }
    }
    let design = design.clone();
    Ok(Comparison { design, contenders, missing, attribution: None, each })
}

/// Fabrics for all clusters.
struct ClusterTotals {
    each: Vec<BaselineFabric>,
    /// No other combination costs less; else it is the best of those that were looked at.
    proven: bool,
}

/// Of the fabrics that a baseline can be for each cluster those that cost least together, in the
/// money of the first day; `None` where there is none for one of them. Combinations are added up in
/// the order of what they take at least, up to the first that can't cost less, or as many as a
/// budget allows.
fn cheapest_combination(
    scenario: &Scenario,
    plans: &[Plan],
    baseline: Baseline,
    variant: Variant,
    solver: &Options,
) -> Result<Option<ClusterTotals>, Infeasible> {
    /// Combinations that are added up at most.
    const WAYS: usize = 10_000;
    /// Relative rounding of sums of money.
    const EQUAL: f64 = 1e-9;
    let mut all: Vec<Vec<(BaselineFabric, Vec<BillLine>)>> = Vec::new();
    for (ClusterQuestion { scenario: cluster, .. }, plan) in
        list_clusters(scenario).iter().zip(plans)
    {
        let mut options = Vec::new();
        for fabric in BaselineField::new(cluster, plan, solver).fabric_choices(baseline, variant)? {
            let bill = network_bill(cluster, plan, &fabric)?;
            options.push((fabric, bill));
        }
        all.push(options);
    }
    let ClusterWeights { paid, least } = ClusterWeights::for_scenario(scenario);
    let bounds = all.iter().zip(&least).map(|(options, weight)| {
        let alone = |pair: &(BaselineFabric, Vec<BillLine>)| -> Usd {
            pair.1.iter().map(|line| line.total).sum()
        };
        options.iter().map(|pair| alone(pair).get() * weight).collect::<Vec<f64>>()
    });
    let mut best: Option<(Usd, Vec<usize>)> = None;
    let mut proven = true;
    for (tried, (from_here, places)) in Combinations::new(bounds).enumerate() {
        let known = best.as_ref().map_or(f64::INFINITY, |(known, _)| known.get());
        if from_here >= known * (1.0 - EQUAL) {
            break;
        }
        if tried == WAYS {
            proven = false;
            break;
        }
        let bills = all.iter().zip(&places).map(|(options, place)| &options[*place].1[..]);
        let stock = SharedStock::new(
            scenario.inventory.clone(),
            scenario.cluster_shape() == ClusterShape::Stages,
        );
        let sum = paid_after(bills.zip(paid.iter().copied()), stock);
        if sum.get() < known {
            best = Some((sum, places));
        }
    }
    let fabrics = |places: Vec<usize>| {
        let each = all.iter().zip(places).map(|(options, place)| options[place].0.clone());
        ClusterTotals { each: each.collect(), proven }
    };
    Ok(best.map(|(_, places)| fabrics(places)))
}

/// How much a dollar of each cluster's bill counts.
struct ClusterWeights {
    /// In what is paid: of stages its value today.
    paid: Vec<f64>,
    /// In what all take at least, where a bill has all the stock to itself.
    least: Vec<f64>,
}

impl ClusterWeights {
    fn for_scenario(scenario: &Scenario) -> Self {
        if scenario.cluster_shape() != ClusterShape::Stages {
            let ones = vec![1.0; scenario.workloads.len()];
            return Self { paid: ones.clone(), least: ones };
        }
        let stages = scenario.cluster_questions();
        let present =
            |stage: &ClusterQuestion| scenario.objective.present_value(stage.name.start_year());
        let paid: Vec<f64> = stages.iter().map(present).collect();
        let prices: Vec<f64> =
            stages.iter().zip(&paid).map(|(stage, paid)| stage.price * paid).collect();
        // Bills are at the prices of their day, and weights of those of the first.
        let of_day = |(weight, stage): (f64, &ClusterQuestion)| {
            if stage.price > 0.0 { weight / stage.price } else { 0.0 }
        };
        let least = least_weights(&prices).into_iter().zip(&stages).map(of_day).collect();
        Self { paid, least }
    }
}

/// A baseline of all clusters against the design of all: the slowdown is that of the cluster that
/// is slowed most, and what stages save at other prices is added up, as each has the prices of its
/// day.
fn total_difference(plan: &Plan, design: &Plan, found: &[BaselineResult]) -> BaselineDifference {
    let slowdown = found.iter().map(|result| result.against.slowdown).fold(0.0, f64::max);
    let against = BaselineDifference { slowdown, ..BaselineDifference::new(plan, design) };
    if design.growth.is_none() {
        return against;
    }
    let savings = found.iter().map(|result| {
        (result.against.network_capex_saving, result.against.network_capex_saving_range)
    });
    BaselineDifference { network_capex_saving_range: range_of_sum(savings), ..against }
}

/// Each cluster's design without baselines. Of parts it is known where their saving comes from; a
/// stage's Clos would have to use what an earlier stage bought for another fabric.
fn compare_clusters_alone(
    scenario: &Scenario,
    plans: &[Plan],
    options: &Options,
) -> Result<Vec<Comparison>, Infeasible> {
    let mut each: Vec<Comparison> = Vec::new();
    plan_in_sequence(scenario, |place, cluster| -> Result<Plan, Infeasible> {
        let design = plans[place].clone();
        let attribution = match scenario.cluster_shape() {
            ClusterShape::Stages => None,
            ClusterShape::One | ClusterShape::Parts => {
                BaselineField::new(cluster, &design, options).attribution()?
            }
        };
        let (contenders, missing) = (Vec::new(), Vec::new());
        each.push(Comparison { design, contenders, missing, attribution, each: Vec::new() });
        Ok(plans[place].clone())
    })?;
    Ok(each)
}

/// What the names of a baseline's fabrics have in common: `clos, best model` where planes differ.
fn common_name(found: &[BaselineResult]) -> String {
    let segments =
        |result: &BaselineResult| result.name.split(", ").map(str::to_owned).collect::<Vec<_>>();
    let all: Vec<Vec<String>> = found.iter().map(segments).collect();
    let Some(first) = all.first() else { return String::new() };
    let alike = |(place, segment): &(usize, &String)| {
        all.iter().all(|other| other.get(*place) == Some(*segment))
    };
    let common = first.iter().enumerate().take_while(alike).map(|(_, segment)| segment.as_str());
    common.collect::<Vec<&str>>().join(", ")
}

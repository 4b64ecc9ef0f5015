//! A cluster in parts, or one that grows, beside baselines: each cluster on the baseline's fabric,
//! one after another on the same stock, and all of them together. Sizes nothing itself.

use super::baseline::{Baseline, Variant};
use super::comparison::Comparison;
use super::contender::{Against, Contender};
use super::field::Field;
use crate::cost::{BillLine, Stock, paid_after, range_of_sum};
use crate::design::{
    Infeasible, Plan, SizedFabric, clusters, design_with, every, network_bill, one_after_another,
};
use crate::scenario::Scenario;
use crate::sizing::Options;
use crate::units::Usd;

/// The comparison of all clusters of a scenario, and that of each.
///
/// # Errors
/// Why there is no design.
pub(super) fn compare(
    scenario: &Scenario,
    baselines: &[Baseline],
    options: &Options,
) -> Result<Comparison, Infeasible> {
    let design = design_with(scenario, options)?;
    let plans: Vec<Plan> = design.clusters().into_iter().cloned().collect();
    let mut each = alone(scenario, &plans, options)?;
    let (mut contenders, mut missing) = (Vec::new(), Vec::new());
    for baseline in baselines {
        let built = contenders.len();
        for variant in baseline.variants() {
            let asked = (*baseline, *variant);
            let Some(fabrics) = cheapest(scenario, &plans, asked, options)? else {
                continue;
            };
            let mut found: Vec<Contender> = Vec::new();
            let whole = one_after_another(scenario, |place, cluster| {
                let field = Field::new(cluster, &plans[place], options);
                let contender = field.on(*baseline, *variant, &fabrics[place])?;
                let plan = contender.plan.clone();
                found.push(contender);
                Ok::<Plan, Infeasible>(plan)
            })?;
            let plan = whole.ok_or(Infeasible::Unknown)?;
            let against = together(&plan, &design, &found);
            contenders.push(Contender { baseline: *baseline, name: shared(&found), plan, against });
            for (one, contender) in each.iter_mut().zip(found) {
                one.contenders.push(contender);
            }
        }
        if contenders.len() == built {
            missing.push(*baseline);
        }
    }
    Ok(Comparison { design, contenders, missing, attribution: None, each })
}

/// Of the fabrics that a baseline can be for each cluster those that cost least together, in the
/// money of the first day; `None` where there is none for one of them. Where there are very many
/// ways to combine them, only the cheapest of each cluster are.
fn cheapest(
    scenario: &Scenario,
    plans: &[Plan],
    (baseline, variant): (Baseline, Variant),
    solver: &Options,
) -> Result<Option<Vec<SizedFabric>>, Infeasible> {
    /// Ways that are tried at most.
    const WAYS: f64 = 1e4;
    let most = WAYS.powf(1.0 / plans.len().max(1) as f64).floor().max(1.0) as usize;
    let mut all: Vec<Vec<(SizedFabric, Vec<BillLine>)>> = Vec::new();
    for (cluster, plan) in clusters(scenario).iter().zip(plans) {
        let mut options = Vec::new();
        for fabric in Field::new(cluster, plan, solver).choices(baseline, variant)? {
            let bill = network_bill(cluster, plan, &fabric.counts)?;
            options.push((fabric, bill));
        }
        let alone =
            |of: &(SizedFabric, Vec<BillLine>)| -> Usd { of.1.iter().map(|of| of.total).sum() };
        options.sort_by(|a, b| alone(a).total_cmp(&alone(b)));
        options.truncate(most);
        all.push(options);
    }
    let years = scenario.every_stage().into_iter().map(|stage| stage.year);
    let weights: Vec<f64> = match scenario.grows() {
        true => years.map(|year| scenario.objective.present(year)).collect(),
        false => vec![1.0; plans.len()],
    };
    let paid = |way: &Vec<&(SizedFabric, Vec<BillLine>)>| {
        let bills = way.iter().map(|of| &of.1[..]).zip(weights.iter().copied());
        paid_after(bills, Stock::new(scenario.inventory.clone(), scenario.grows()))
    };
    let ways = every(&all, |_, _| true).into_iter().map(|way| (paid(&way), way));
    let best = ways.min_by(|a, b| a.0.total_cmp(&b.0));
    Ok(best.map(|(_, way)| way.into_iter().map(|(fabric, _)| fabric.clone()).collect()))
}

/// A baseline of all clusters against the design of all: the slowdown is that of the cluster that is
/// slowed most, and what stages save at other prices is added up, as each has the prices of its day.
fn together(plan: &Plan, design: &Plan, found: &[Contender]) -> Against {
    let slowdown = found.iter().map(|of| of.against.slowdown).fold(0.0, f64::max);
    let against = Against { slowdown, ..Against::new(plan, design) };
    if design.growth.is_none() {
        return against;
    }
    let savings = found
        .iter()
        .map(|of| (of.against.network_capex_saving, of.against.network_capex_saving_range));
    Against { network_capex_saving_range: range_of_sum(savings), ..against }
}

/// Each cluster's design without baselines. Of parts it is known where their saving comes from; a
/// stage's Clos would have to use what an earlier stage bought for another fabric.
fn alone(
    scenario: &Scenario,
    plans: &[Plan],
    options: &Options,
) -> Result<Vec<Comparison>, Infeasible> {
    let mut each: Vec<Comparison> = Vec::new();
    one_after_another(scenario, |place, cluster| -> Result<Plan, Infeasible> {
        let design = plans[place].clone();
        let attribution = match scenario.grows() {
            true => None,
            false => Field::new(cluster, &design, options).attribution()?,
        };
        let (contenders, missing) = (Vec::new(), Vec::new());
        each.push(Comparison { design, contenders, missing, attribution, each: Vec::new() });
        Ok(plans[place].clone())
    })?;
    Ok(each)
}

/// What the names of a baseline's fabrics have in common: `clos, best model` where planes differ.
fn shared(found: &[Contender]) -> String {
    let segments = |of: &Contender| of.name.split(", ").map(str::to_owned).collect::<Vec<_>>();
    let all: Vec<Vec<String>> = found.iter().map(segments).collect();
    let Some(first) = all.first() else { return String::new() };
    let alike = |(place, segment): &(usize, &String)| {
        all.iter().all(|other| other.get(*place) == Some(*segment))
    };
    let common = first.iter().enumerate().take_while(alike).map(|(_, segment)| segment.as_str());
    common.collect::<Vec<&str>>().join(", ")
}

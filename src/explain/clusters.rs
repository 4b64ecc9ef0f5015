//! How figures of one cluster of several, and sums over all, came about.

use std::borrow::Cow;

use super::explanation::{ExplainedInput, ExplainedPart, Explanation, InputOrigin};
use super::inputs::{self, Facts};
use super::named_inputs::named_inputs;
use super::{bill, cost, formulas, network, proof};
use crate::cost::BillLine;
use crate::design::{Plan, clusters_with_plans};
use crate::quantity::{self, FigureSource, Quantity, section_quantities};
use crate::scenario::{ClusterName, Scenario};
use crate::technique::Recipe;
use crate::units::Amount;

/// Every number of a plan of one cluster.
pub(super) fn explain_cluster(scenario: &Scenario, plan: &Plan) -> Vec<Explanation> {
    let scenario = &scenario.for_product(&plan.nodes.node);
    let step = Recipe::from_workload(scenario.lead_workload()).heaviest_step(&plan.layout).ok();
    let facts = Facts::new(scenario, plan, step.as_ref());
    [
        explain_section(&facts, "cluster"),
        explain_section(&facts, "model"),
        explain_section(&facts, "layout"),
        explain_section(&facts, "step"),
        explain_section(&facts, "memory"),
        explain_section(&facts, "traffic"),
        explain_section(&facts, "fabric"),
        network::tier_explanations(&facts),
        explain_section(&facts, "routing"),
        network::routing_explanations(&facts),
        bill::bill_explanations(&facts),
        explain_section(&facts, "cost"),
        cost::explain_cost_ranges(&facts),
        cost::explain_quotes(&facts),
        explain_section(&facts, "racks"),
        explain_section(&facts, "headroom"),
        explain_section(&facts, "all_to_all"),
        explain_section(&facts, "goodput_share"),
        explain_section(&facts, "failures"),
        network::fault_explanations(&facts),
        explain_section(&facts, "solver"),
        proof::answer_explanations(&facts),
    ]
    .concat()
}

/// The figures of a section, numbers, flags and names, each as its row has it, and with what is
/// particular to this plan.
fn explain_section(facts: &Facts<'_>, name: &str) -> Vec<Explanation> {
    let rows = section_quantities(name).filter_map(|row| explain_figure(facts, row));
    rows.map(|explanation| formulas::adjust_explanation(facts, explanation)).collect()
}

/// A figure with what its row says; `None` where the plan has none.
fn explain_figure(facts: &Facts<'_>, row: &Quantity) -> Option<Explanation> {
    let answer = FigureSource::from_plan(facts.plan);
    let result = row.read_from(&answer)?;
    let parts = row
        .parts
        .iter()
        .filter_map(|key| Some((*key, quantity::quantity_for_key(key)?.read_from(&answer)?)));
    let explanation = Explanation::new(row.key, row.meaning, result, row.formula, row.equations);
    Some(explanation.with_inputs(named_inputs(facts, row.inputs)).sum(parts))
}

/// What stages come to is no sum of theirs but for what is paid.
const OF_STAGES: &str = "what is there from the last stage on";
const PAID: &str = "Σ over stages: what is paid at the prices of the day";
const VALUED: &str = "Σ over stages: TCO of the stage at its value today, (1 + discount)^−year";
const OF_PARTS: &str = "Σ over parts";
const MOST: &str = "the most that a stage has in use and in store";
const FIRST: &str = "the lesser of what is counted and what is owned at first";

/// Every number of all clusters, then every number of each: keys are those of the JSON of a design,
/// `parts.0.step.time_s` or `growth.stages.0.design.step.time_s`.
pub(super) fn explain_clusters(scenario: &Scenario, plan: &Plan) -> Vec<Explanation> {
    let clusters = clusters_with_plans(scenario, plan);
    let several = ClusterFigures { scenario, plan, grows: plan.growth.is_some() };
    let mut all = several.total_explanations();
    for (place, (cluster, plan)) in clusters.iter().enumerate() {
        let own = explain_cluster(&cluster.scenario, plan);
        let text = several.key_prefix(place);
        all.extend(
            own.into_iter()
                .map(|explanation| prefix_explanation(explanation, &text, &cluster.name)),
        );
    }
    all
}

struct ClusterFigures<'a> {
    scenario: &'a Scenario,
    plan: &'a Plan,
    grows: bool,
}

impl ClusterFigures<'_> {
    /// What stands before the keys of a cluster.
    fn key_prefix(&self, place: usize) -> String {
        if self.grows {
            format!("growth.stages.{place}.design.")
        } else {
            format!("parts.{place}.")
        }
    }

    /// The figures of all clusters.
    fn total_explanations(&self) -> Vec<Explanation> {
        let plan = self.plan;
        let step =
            Recipe::from_workload(self.scenario.lead_workload()).heaviest_step(&plan.layout).ok();
        let facts = Facts::new(self.scenario, plan, step.as_ref());
        let rows = |name| section_quantities(name);
        let figures = |name, complete: &dyn Fn(&Quantity, Explanation) -> Explanation| {
            let read = |row: &Quantity| Some(complete(row, explain_figure(&facts, row)?));
            rows(name).filter_map(read).collect::<Vec<Explanation>>()
        };
        [
            plan.bill.iter().flat_map(|line| self.explain_bill_line(line)).collect(),
            figures("cost", &|row, explanation| self.explain_cost_of_clusters(row, explanation)),
            figures("racks", &|row, explanation| self.explain_racks_of_clusters(row, explanation)),
            figures("solver", &|_, explanation| explanation),
            figures("growth", &|_, explanation| explanation),
            proof::answer_explanations(&facts),
        ]
        .concat()
    }

    /// A figure of each cluster that has it, by its key.
    fn values_by_cluster(&self, row: &Quantity) -> Vec<(String, Amount)> {
        let read = |(place, plan): (usize, &Plan)| {
            let key = format!("{}{}", self.key_prefix(place), row.key);
            Some((key, row.read_from(&FigureSource::from_plan(plan))?))
        };
        self.plan.cluster_plans().into_iter().enumerate().filter_map(read).collect()
    }

    fn explain_cost_of_clusters(&self, row: &Quantity, explanation: Explanation) -> Explanation {
        // What follows from other figures alone, such as a share, follows from those of all
        // together.
        if !row.inputs.is_empty()
            && row.inputs.iter().all(|key| quantity::quantity_for_key(key).is_some())
        {
            return explanation;
        }
        let explanation = Explanation { inputs: Vec::new(), parts: Vec::new(), ..explanation };
        match (self.grows, row.key) {
            (false, _) => explanation.replace_formula(OF_PARTS).sum(self.values_by_cluster(row)),
            (true, "cost.network_capex_usd" | "cost.capex_usd") => {
                explanation.replace_formula(PAID).sum(self.values_by_cluster(row))
            }
            (true, "cost.tco_usd") => {
                explanation.replace_formula(VALUED).with_inputs(self.inputs_by_cluster(row))
            }
            (true, _) => explanation
                .replace_formula(OF_STAGES)
                .with_inputs(self.inputs_by_cluster(row).pop()),
        }
    }

    fn explain_racks_of_clusters(&self, row: &Quantity, explanation: Explanation) -> Explanation {
        let explanation = Explanation { inputs: Vec::new(), parts: Vec::new(), ..explanation };
        match (self.grows, row.key) {
            (false, "racks.nodes" | "racks.switches" | "racks.others" | "racks.least") => {
                explanation.replace_formula(OF_PARTS).sum(self.values_by_cluster(row))
            }
            (false, _) => explanation.with_inputs(self.inputs_by_cluster(row)),
            (true, _) => explanation
                .replace_formula(OF_STAGES)
                .with_inputs(self.inputs_by_cluster(row).pop()),
        }
    }

    /// A figure of each cluster as an input.
    fn inputs_by_cluster(&self, row: &Quantity) -> Vec<ExplainedInput> {
        self.values_by_cluster(row)
            .into_iter()
            .map(|(key, value)| inputs::quantity_input(row.label, key, value))
            .collect()
    }

    /// A line of the bill of all clusters, each number from the lines of theirs.
    fn explain_bill_line(&self, line: &BillLine) -> Vec<Explanation> {
        let alike = |(place, plan): (usize, &Plan)| {
            let alike = |bill_line: &&BillLine| {
                (&bill_line.part, bill_line.role) == (&line.part, line.role)
            };
            plan.bill.iter().find(alike).map(|line| (self.key_prefix(place), line.clone()))
        };
        let plans = self.plan.cluster_plans().into_iter().enumerate();
        let lines: Vec<(String, BillLine)> = plans.filter_map(alike).collect();
        type Number = (&'static str, fn(&BillLine) -> Amount, &'static str, &'static str);
        let numbers: [Number; 4] = [
            ("count", |line| Amount::from_count(line.count), "in use and in store", MOST),
            ("owned", |line| Amount::from_count(line.owned), "owned", FIRST),
            ("spares", |line| Amount::from_count(line.spares), "in store until one fails", MOST),
            ("total_usd", |line| Amount::Money(line.total), "paid for", PAID),
        ];
        let own = |(name, read, meaning, of_stages): Number| {
            let key = bill::bill_line_key(line, name);
            let each = lines.iter().map(|(prefix, line)| (format!("{prefix}{key}"), read(line)));
            let meaning = format!("{}: {meaning}, of all", line.part);
            let formula = if self.grows { of_stages } else { OF_PARTS };
            let explanation = Explanation::new(key.clone(), meaning, read(line), formula, &[]);
            if !self.grows || name == "total_usd" {
                explanation.sum(each)
            } else {
                explanation
                    .with_inputs(each.map(|(key, value)| inputs::quantity_input(name, key, value)))
            }
        };
        let mut all: Vec<Explanation> = numbers.into_iter().map(own).collect();
        all.push(bill::explain_piece_power(line));
        // The price of stages is what they pay on average.
        all.extend(bill::explain_price(line));
        all.extend(bill::price_alone(line));
        all
    }
}

/// The explanation of a number of one cluster under the key that it has beside others.
fn prefix_explanation(explanation: Explanation, prefix: &str, name: &ClusterName) -> Explanation {
    let keyed = |key: &str| Cow::Owned(format!("{prefix}{key}"));
    let own = format!("{}: {}", cluster_label(name), explanation.meaning);
    let input = |input: ExplainedInput| match input.origin {
        InputOrigin::Quantity(key) => {
            ExplainedInput { origin: InputOrigin::Quantity(keyed(&key)), ..input }
        }
        _ => input,
    };
    let part = |part: ExplainedPart| match quantity::quantity_for_key(&part.name) {
        Some(_) => ExplainedPart { name: format!("{prefix}{}", part.name), ..part },
        None => part,
    };
    Explanation {
        key: keyed(&explanation.key),
        meaning: own.into(),
        inputs: explanation.inputs.into_iter().map(input).collect(),
        parts: explanation.parts.into_iter().map(part).collect(),
        ..explanation
    }
}

/// `dense`, or `stage 1`.
fn cluster_label(name: &ClusterName) -> String {
    match name {
        ClusterName::Whole => String::new(),
        ClusterName::Part(workload) => workload.clone(),
        ClusterName::Stage { number, .. } => format!("stage {number}"),
    }
}

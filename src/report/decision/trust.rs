//! What a design rests on, and what it gives up, each in a line.

use super::plan_decision::Decision;
use crate::cost::{Role, machine_quotes};
use crate::design::Plan;
use crate::hardware::PriceBasis;
use crate::report::document::Section;
use crate::report::section::proof::{program_sentences, proof_sentence};
use crate::report::words::capitalise_first_letter;
use crate::report::{number, short_number};
use crate::scenario::Assumption;
use crate::timing::{ExtrapolationAxis, Interval, MeasuredGroup};

/// An all-to-all above this share of the NICs' rate is at full rate.
const FULL: f64 = 0.995;

/// What the design rests on: proof, measured steps, prices, and the program behind it.
pub(in crate::report) fn trust_section(plan: &Plan) -> Section {
    let decision = Decision::from_plan(plan);
    let section = Section::new("TRUST", "")
        .add_line(proof_sentence(&plan.solver))
        .add_line(speed_trust_text(plan))
        .add_line(price_trust_text(&decision));
    program_sentences(&plan.solver).into_iter().fold(section, Section::add_line)
}

/// What the time of a step rests on.
pub(super) fn speed_trust_text(plan: &Plan) -> String {
    let interval = &plan.step.interval;
    let gpu = &plan.nodes.node.gpu;
    let name = gpu.name.to_uppercase();
    if gpu.calibration.shares_of.is_some() {
        return format!("speed assumed: no step of {name} was measured");
    }
    let rows = number::count(interval.rows as u64);
    // H100 and H200 are one chip, and so are their rows.
    let set = &gpu.calibration.name;
    let one = gpu.calibration.is_of_one_gpu();
    let chip = if one { set.to_uppercase() } else { capitalise_first_letter(set) };
    let base = match (unmeasured_text(interval, &name), interval.group) {
        (Some(beyond), _) => format!("beyond measured runs: {beyond}"),
        (None, MeasuredGroup::Stack) => format!("from {rows} measured {chip} runs of this stack"),
        (None, MeasuredGroup::StackKind) => {
            format!("from {rows} measured {chip} runs of such stacks")
        }
        (None, MeasuredGroup::Gpu) => format!("from {rows} measured {chip} runs"),
        (None, MeasuredGroup::Generation) => {
            format!("from {rows} measured runs of the generation of {name}")
        }
        (None, MeasuredGroup::Model) => format!("from {rows} measured runs of all GPUs"),
    };
    let guessed = plan.assumptions.iter().any(|taken| taken.topic == "framework.preset");
    let wider = if guessed { "; range widened: no framework.preset" } else { "" };
    let near = if plan.assumptions.iter().any(Assumption::is_approximation) {
        "; the model is an approximation"
    } else {
        ""
    };
    // One in ten is below its low end, which is never above the predicted time.
    let slow = if interval.low >= 1.0 { ", nine in ten slower than predicted" } else { "" };
    format!("speed {base}{slow}{wider}{near}")
}

/// What a step has that no measured one had.
fn unmeasured_text(interval: &Interval, gpu: &str) -> Option<String> {
    let named = |(axis, own, most): &(ExtrapolationAxis, u64, u64)| {
        format!("{} {} (largest {})", number::count(*own), axis.name(), number::count(*most))
    };
    let mut all: Vec<String> = interval.outside.iter().map(named).collect();
    if interval.new_stack {
        all.push(format!("this stack on {gpu}"));
    }
    (!all.is_empty()).then(|| all.join(", "))
}

/// What the price rests on: the line that costs most, and what is assumed.
pub(super) fn price_trust_text(decision: &Decision<'_>) -> String {
    let priced = decision.largest_line.and_then(|line| Some((line, line.unit.as_ref()?)));
    let Some((line, price)) = priced else { return "price: nothing is bought at one".to_owned() };
    let share = short_number::percent(decision.share_of_basis(price.basis));
    let kind = match price.basis {
        PriceBasis::List => "list prices",
        PriceBasis::Street => "street offers",
        PriceBasis::Paper => "from papers",
        PriceBasis::Analyst => "from analysts",
        PriceBasis::User => "yours",
        PriceBasis::Assumed => "assumed",
        PriceBasis::Included => "included",
    };
    let part = if line.role == Role::Node { "machines" } else { &line.part };
    let date =
        if price.date.is_empty() { String::new() } else { format!(", {part} of {}", price.date) };
    let quotes = machine_quotes(&decision.plan.bill);
    let range = quotes.first().and_then(|quote| quote.capex).map_or_else(String::new, |ends| {
        let [low, own, high] =
            [ends.low, decision.plan.cost.capex, ends.high].map(short_number::money);
        if high == own {
            format!(" (lowest total {low})")
        } else {
            format!(" (cluster {low} to {high})")
        }
    });
    let assumed = match (price.basis, decision.share_of_basis(PriceBasis::Assumed)) {
        (PriceBasis::Assumed, _) => String::new(),
        (_, share) if share > 0.0 => format!("; {} assumed", short_number::percent(share)),
        _ => String::new(),
    };
    format!("price {share} {kind}{date}{range}{assumed}")
}

/// What the network lacks beside one that joins all GPUs at the rate of their NICs.
pub(super) fn gives_up_text(plan: &Plan) -> String {
    let worst = plan
        .cluster_plans()
        .into_iter()
        .min_by(|one, other| one.all_to_all.stored.total_cmp(&other.all_to_all.stored));
    let plan = worst.unwrap_or(plan);
    let share = plan.all_to_all.stored;
    let apart = plan.fabric.keeps_rails_apart();
    let rate = format!("all-to-all of all GPUs at {} of NIC rate", short_number::percent(share));
    match (apart, share < FULL) {
        (true, true) => format!("rails meet only inside machines: {rate}"),
        (true, false) => "rails meet only inside machines; all-to-all at full NIC rate".to_owned(),
        (false, true) => rate,
        (false, false) => "nothing: every GPU reaches every other at full NIC rate".to_owned(),
    }
}

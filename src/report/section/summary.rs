//! What a reader takes away who reads no further: what is built and bought, what it costs, how fast
//! it is, how far that is proven, what it saves, and what warns.

use super::savings::savings_sentence;
use super::step_time::{self, workloads_sentence};
use super::{bill, machines};
use crate::cost::{BillLine, Role, paid_for_roles, standby_cost};
use crate::design::{
    Alternative, AlternativeKind, AlternativeStanding, ClusterPlans, Oversubscription, Plan,
    Premium, PriceBand, SinglePoint, SolverReport, SolverStatus,
};
use crate::report::document::Section;
use crate::report::table::{Cell, Column, Table};
use crate::report::{amount, number, warnings};
use crate::scenario::{Assumption, Minimize};

/// Most parts of the bill that are named.
const MOST_PARTS: usize = 4;

/// The summary of a design, also of one in parts or stages.
pub(in crate::report) fn summary_section(plan: &Plan) -> Section {
    let mut table = Table::new(vec![Column::words("", "what"), Column::words("", "text")]);
    let mut say = |what: &str, text: String| {
        if !text.is_empty() {
            table.push_row(vec![Cell::words(what), Cell::words(text)]);
        }
    };
    say("build", build_line(plan));
    say("buy", buy_line(&plan.bill));
    say("cost", cost_line(plan));
    say("rests", bill::quote_share_sentence(&plan.bill).unwrap_or_default());
    say("all", bill::grand_total_sentence(&plan.cost).unwrap_or_default());
    say("lead", bill::lead_time_sentence(&plan.bill, &plan.cost).unwrap_or_default());
    say("speed", speed_line(plan));
    say("unseen", step_time::unmeasured_steps_sentence(plan));
    say("losses", losses_line(plan));
    say("uplinks", oversubscription_line(plan));
    say("regular", machines::regularity_premium_sentence(plan));
    say("proof", proof_line(plan));
    say("saves", savings_sentence(plan));
    say("warns", warning_codes_text(plan));
    Section::new("SUMMARY", "").add_table(table).with_summary_rank()
}

/// `256 GPUs in 32 x dgx-h100 (HB domains of 8), NIC ndr-400g, 2 planes: clos`.
fn build_line(plan: &Plan) -> String {
    let one =
        |plan: &Plan| format!("{}: {}", machines::machines_text(&plan.nodes), plan.fabric.kind);
    match &plan.together {
        ClusterPlans::One => one(plan),
        ClusterPlans::Parts(parts) => {
            let gpus: u32 = parts.iter().map(|part| part.plan.nodes.gpus).sum();
            format!(
                "{} in {}, one for each workload",
                number::count_with_noun(gpus, "GPU", "GPUs"),
                number::count_with_noun(parts.len() as u64, "part", "parts")
            )
        }
        ClusterPlans::Stages(growth) => {
            let stages = number::count_with_noun(growth.stages.len() as u64, "stage", "stages");
            format!("in {stages}, at last {}", one(plan))
        }
    }
}

/// The pieces that are bought, those that cost most first.
fn buy_line(lines: &[BillLine]) -> String {
    let mut bought: Vec<&BillLine> = lines.iter().filter(|line| line.bought_count() > 0).collect();
    bought.sort_by(|a, b| b.total.total_cmp(&a.total));
    let named = bought.iter().take(MOST_PARTS);
    let mut named: Vec<String> =
        named.map(|line| format!("{} {}", number::count(line.bought_count()), line.part)).collect();
    match bought.len().saturating_sub(MOST_PARTS) {
        0 => {}
        more => named.push(format!("and {more} more")),
    }
    if named.is_empty() { "nothing: all is in stock".to_owned() } else { named.join(", ") }
}

/// Capital and what it is paid for, ownership, tokens and power.
fn cost_line(plan: &Plan) -> String {
    let cost = &plan.cost;
    let paid = |read: fn(Role) -> bool| number::money(paid_for_roles(&plan.bill, read));
    let priced = plan.prices_machines();
    let machines = if priced {
        paid(|role| matches!(role, Role::Node | Role::Memory))
    } else {
        "unpriced".to_owned()
    };
    let nics = || plan.bill.iter().filter(|line| line.role == Role::Nic);
    let machines = if nics().next().is_some() && nics().all(BillLine::is_covered) {
        format!("machines with NICs {machines}")
    } else {
        format!("machines {machines}, NICs {}", paid(|role| role == Role::Nic))
    };
    let mut text = format!(
        "{} to buy: {}, switches and optics {}; {} with {} of electricity{}",
        number::money(cost.capex),
        machines,
        number::money(cost.network_capex),
        number::money(cost.tco),
        bill::operation_years_text(cost),
        bill::present_value_note(cost)
    );
    if let Some(usd) = cost.usd_per_million_tokens {
        let without = if priced { "" } else { ", without the price of machines" };
        let run = |run| format!(", {} for the run", number::money(run));
        let run = cost.run.map_or_else(String::new, run);
        let tokens = number::money(usd);
        text.push_str(&format!("; {tokens} per million tokens{run}{without}"));
    }
    text + &format!("; {} before cooling", number::power(cost.power))
}

/// What the loss of a single part of the network does, where one stops the whole job or would on
/// the cheapest network.
fn losses_line(plan: &Plan) -> String {
    let Some(SinglePoint { part, pieces, without }) = &plan.failures.single_point else {
        return String::new();
    };
    let stops = || format!("the loss of {} stops the job", warnings::any_of(part, *pieces));
    match without {
        None => format!("{}, and no network of these machines avoids that", stops()),
        Some(point) => {
            let price = format!(
                "{} more{}",
                amount::premium_text(&point.premium),
                share_of_network(&point.premium)
            );
            if point.chosen {
                format!(
                    "no link or switch alone stops the job: {price} than the best where one does"
                )
            } else {
                format!("{}; {price} would avoid it", stops())
            }
        }
    }
}

/// That as a share of what the network takes.
fn share_of_network(premium: &Premium) -> String {
    format!(" ({} of the network)", number::percent(premium.network_share))
}

/// How far leaf switches are oversubscribed, where the default has something to say of that.
fn oversubscription_line(plan: &Plan) -> String {
    let Some(this_oversubscription) = &plan.oversubscription else { return String::new() };
    if !plan.fabric.kind.is_tree() {
        return between_halves(this_oversubscription);
    }
    let ratio = |value: f64| number::oversubscription(1.0 / value);
    let (cheapest, most) =
        (ratio(this_oversubscription.cheapest), ratio(this_oversubscription.most));
    match &this_oversubscription.premium {
        None => format!(
            "leaf switches are oversubscribed {cheapest} within a rail, and no network keeps to {most}"
        ),
        Some(premium) if this_oversubscription.chosen => {
            format!(
                "{most} oversubscribed at most: {} than at {cheapest}",
                premium_of_cluster(premium)
            )
        }
        Some(premium) => format!(
            "leaf switches are oversubscribed {cheapest} within a rail: {most} takes {}",
            premium_of_cluster(premium)
        ),
    }
}

/// `$12,000 of capex more (0.3 %)`.
fn premium_of_cluster(premium: &Premium) -> String {
    format!("{} more ({})", amount::premium_text(premium), number::percent(premium.share))
}

/// The line on oversubscription of a fabric without uplinks: what any two halves of its NICs have
/// between them at least.
fn between_halves(oversubscription: &Oversubscription) -> String {
    let share = |value: f64| number::percent(1.0 / value);
    let (cheapest, most) = (share(oversubscription.cheapest), share(oversubscription.most));
    match &oversubscription.premium {
        None => format!(
            "two halves have {cheapest} of their NICs' bandwidth between them at worst, and none has {most}"
        ),
        Some(premium) if oversubscription.chosen => format!(
            "any two halves have {most} or more of their NICs' bandwidth between them: {} than at {cheapest}",
            premium_of_cluster(premium)
        ),
        Some(premium) => format!(
            "two halves have {cheapest} of their NICs' bandwidth between them at worst: {most} takes {}",
            premium_of_cluster(premium)
        ),
    }
}

/// The step, the run and what failures leave of it; of parts, the longest step.
fn speed_line(plan: &Plan) -> String {
    let one = |plan: &Plan| {
        if !plan.workloads.is_empty() {
            let each: Vec<String> = plan
                .workloads
                .iter()
                .map(|workload_plan| workloads_sentence(workload_plan, plan))
                .collect();
            let goodput = number::percent(plan.failures.year.goodput);
            return format!("{}; goodput of all {goodput}", each.join("; "));
        }
        let mut text = format!(
            "step {} ({}), MFU {}{}",
            number::time(plan.step.time.total_time()),
            step_time::interval_sentence(&plan.step, &plan.nodes),
            number::percent(plan.step.mfu),
            if plan.nodes.idles_some() { " of the GPUs that train" } else { "" }
        );
        if let Some(days) = plan.cost.training_days {
            text.push_str(&format!(
                ", run {days:.1} days{} without failures",
                step_time::run_interval_text(plan)
            ));
        }
        text + &format!(", goodput {}", number::percent(plan.failures.year.goodput))
    };
    let slowest = plan
        .parts()
        .iter()
        .max_by(|a, b| a.plan.step.time.total_time().total_cmp(&b.plan.step.time.total_time()));
    match slowest {
        Some(part) => format!("longest of the parts, {}: {}", part.name, one(&part.plan)),
        None => one(plan) + &spare_trays(plan) + &standby_line(plan),
    }
}

/// Trays that are left over in each machine, which goodput rests on; nothing where none is.
fn spare_trays(plan: &Plan) -> String {
    let spare = plan.failures.spare_trays;
    match plan.failures.trays.filter(|_| spare > 0) {
        Some((trays, _)) => format!(" with {spare} of {} trays of each to spare", trays.count()),
        None => String::new(),
    }
}

/// Machines that stand by, which goodput rests on; nothing where none does.
fn standby_line(plan: &Plan) -> String {
    let standby = plan.failures.year.standby;
    if standby.domains == 0 {
        return String::new();
    }
    let paid = standby_cost(&plan.bill);
    let price = if plan.prices_machines() { number::money(paid) } else { "unpriced".to_owned() };
    let count = number::count_with_noun(standby.domains, "machine", "machines");
    let with = if plan.failures.spare_trays > 0 { "and" } else { "with" };
    let kind = standby.report_suffix();
    format!(" {with} {count} on standby{kind}, {price}")
}

/// Whether something better may exist, what comes next, and what the prices may do.
fn proof_line(plan: &Plan) -> String {
    let solver = &plan.solver;
    let among = number::count_with_noun(solver.candidates, "candidate", "candidates");
    let within = super::proof::gap_with_unsized_layouts(solver, &among);
    let settled = || match solver.status {
        SolverStatus::Optimal => {
            let by_shapes = plan.assumptions.iter().any(|taken| taken.topic == Assumption::SHAPES);
            let shapes = if by_shapes { " of the fewest links" } else { "" };
            format!("proven optimal among {among}{shapes}{}", keys_fixed_by_default(solver))
        }
        SolverStatus::GapLimit => {
            format!("within {} of the best of {among}, as asked", number::percent(solver.gap))
        }
        SolverStatus::GoodputBound => format!(
            "proven within {} of the cheapest token among {among}{}",
            super::proof::gap_sentence(solver),
            keys_fixed_by_default(solver)
        ),
        SolverStatus::NodeLimit => {
            let layouts = solver.layouts.as_ref().map_or(0.0, |layouts_proven| layouts_proven.gap);
            format!("not proven: up to {:.3} % better may exist", solver.gap.max(layouts) * 100.0)
        }
        SolverStatus::Interrupted => super::proof::interrupted_sentence(solver),
    };
    let proven = within.unwrap_or_else(settled);
    // Another objective is no rival by this one, and what limits keep out is none.
    // Nor is another order of the ranks on the same network.
    let rival = |alternative: &&Alternative| {
        let same = alternative.differs == AlternativeKind::Order
            && alternative.capex_change.get().abs() < 0.5;
        matches!(alternative.standing, AlternativeStanding::Worse | AlternativeStanding::Tied)
            && !same
    };
    let rivals = || plan.alternatives.iter().filter(rival);
    let by_token = plan.minimize == Minimize::UsdPerToken;
    let token = |alternative: &Alternative| alternative.usd_per_token_ratio.filter(|_| by_token);
    let far = |alternative: &Alternative| {
        token(alternative)
            .map_or_else(|| capex_change_size(alternative), |ratio| (ratio - 1.0).abs())
    };
    let near = rivals().min_by(|a, b| far(a).total_cmp(&far(b)));
    let next = near.map_or_else(String::new, |other| {
        let change = match token(other) {
            Some(ratio) => format!("a token {}", number::percent_change(ratio - 1.0)),
            None => number::money_change(other.capex_change),
        };
        format!("; nearest other: {}, {change}", other.name)
    });
    let prices =
        tightest_price_text(&plan.price_bands).map_or_else(String::new, |text| format!("; {text}"));
    format!("{proven}{next}{prices}")
}

/// Keys that are named in a summary; of more their number is told, and the fabric's section has the
/// list.
const NAMED: usize = 5;

/// Keys of the layout that the proof does not range over, though the spec states none of them.
fn keys_fixed_by_default(solver: &SolverReport) -> String {
    let list = |keys: Vec<&'static str>, read: fn(&str) -> String| {
        let last = |key: &'static str| key.rsplit('.').next().unwrap_or(key);
        let names: Vec<&str> = keys.into_iter().map(last).collect();
        (!names.is_empty()).then(|| match names.len() {
            ..=NAMED => read(&names.join(", ")),
            more => read(&format!("values of {more} keys")),
        })
    };
    let default = solver
        .fixed
        .iter()
        .filter(|fixed_key| fixed_key.default)
        .map(|fixed_key| fixed_key.key)
        .collect();
    let all = [
        list(solver.chosen_first.clone(), |keys| format!("{keys} of the shortest step")),
        list(default, |keys| format!("default {keys}")),
    ];
    let all: Vec<String> = all.into_iter().flatten().collect();
    if all.is_empty() { String::new() } else { format!(" with {}", all.join(", and with ")) }
}

fn capex_change_size(alternative: &Alternative) -> f64 {
    alternative.capex_change.get().abs()
}

/// The price that has the shortest way to another design.
fn tightest_price_text(bands: &[PriceBand]) -> Option<String> {
    let turns = bands.iter().flat_map(|band| {
        let ends = [&band.below, &band.above].into_iter().flatten();
        ends.map(move |turn| (turn.price / band.price - 1.0, band, turn))
    });
    let (change, band, turn) = turns.min_by(|a, b| a.0.abs().total_cmp(&b.0.abs()))?;
    Some(format!(
        "{} at {} ({}) would choose {}",
        band.part,
        number::money(turn.price),
        number::percent_change(change),
        turn.to
    ))
}

/// The codes of the warnings; what each means stands under WARNINGS.
fn warning_codes_text(plan: &Plan) -> String {
    let mut codes: Vec<&str> = Vec::new();
    for code in plan.warnings.iter().map(warnings::warning_code) {
        if !codes.contains(&code) {
            codes.push(code);
        }
    }
    if codes.is_empty() {
        return "nothing".to_owned();
    }
    format!("{}: `--section warnings` says what to do", codes.join(", "))
}

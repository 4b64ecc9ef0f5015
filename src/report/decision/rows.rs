//! The screen of a design: what to buy, what it costs and lacks, how fast it is, what that rests on,
//! what is left to decide, and the verdict.

use super::performance::{
    cost_text, layout_text, part_of_whole, run_days, slowest_part, speed_lines, step_range_text,
};
use super::plan_decision::Decision;
use super::purchase::{fabric_name, network_text, power_text, price_lines, purchase_text};
use super::trust::{gives_up_text, price_trust_text, speed_trust_text};
use crate::design::{Plan, QuestionFacts, StatedLimit};
use crate::report::document::{Row, Screen};
use crate::report::words::trim_zero_fraction;
use crate::report::{amount, number, short_number, warnings};
use crate::scenario::ClusterShape;
use crate::units::{Amount, ROUNDING};

/// Most decisions that a screen has lines for, and the lines above from which on it is one.
const MOST_DECISIONS: usize = 2;
const MOST_LINES: usize = 12;
/// Most parts or stages that a screen has lines for.
const MOST_CLUSTERS: usize = 4;

/// The screen of a plan, and its title.
pub(in crate::report) fn design_screen(plan: &Plan) -> (String, Screen) {
    let decision = Decision::from_plan(plan);
    let mut rows = vec![Row::with_line("Buy", purchase_text(&plan.bill))];
    rows.push(clusters_row(plan).unwrap_or_else(|| Row::with_line("Network", network_text(plan))));
    rows.extend([
        Row::new("Price", price_lines(plan)),
        Row::with_line("  without", decision.not_counted.join(", ")),
        Row::with_line("Power", power_text(plan)),
        Row::with_line("Limits", limits_text(&decision)),
        Row::new("Speed", speed_lines(plan)),
    ]);
    rows.extend(layout_text(plan).map(|text| Row::with_line("Layout", text)));
    rows.extend(cost_text(plan).map(|text| Row::with_line("Cost", text)));
    rows.push(Row::new("Trust", vec![speed_trust_text(plan), price_trust_text(&decision)]));
    rows.push(Row::with_line("Gives up", gives_up_text(plan)));
    let lines: usize = rows.iter().map(|row| row.lines.len()).sum();
    rows.push(decide_row(&decision, if lines < MOST_LINES { MOST_DECISIONS } else { 1 }));
    rows.push(Row::with_line("More", more_text(&decision)).with_narrow_lines(Vec::new()));
    let brief = brief_lines(plan, &decision);
    let screen = Screen { rows, more: Vec::new(), verdict: decision.verdict.text, brief };
    (title_text(plan), screen)
}

/// `starter: llama3-8b on 256 H100, 1T tokens`.
pub(in crate::report) fn title_text(plan: &Plan) -> String {
    title_line(&plan.name, &plan.inputs.facts, &gpus_text(plan))
}

/// What a question is: its name, what is trained, on what, for how long.
pub(super) fn title_line(name: &str, facts: &QuestionFacts, gpus: &str) -> String {
    let model = match facts.models.as_slice() {
        [] => "training".to_owned(),
        [one] => one.clone(),
        [first, more @ ..] => format!("{first} and {} more", more.len()),
    };
    let tokens = facts.tokens.map(short_number::tokens);
    let tokens = tokens.map_or_else(String::new, |tokens| format!(", {tokens} tokens"));
    format!("{name}: {model} on {gpus}{tokens}")
}

/// `256 H100`; of machines with idle GPUs `2,304 of 2,592 GB200`.
fn gpus_text(plan: &Plan) -> String {
    let nodes = &plan.nodes;
    if !plan.part_plans().is_empty() {
        return number::count_with_noun(plan.total_gpus(), "GPU", "GPUs");
    }
    let all = u64::from(nodes.domains) * u64::from(nodes.node.gpus);
    let training = number::count(nodes.training);
    let name = nodes.node.gpu.name.to_uppercase();
    if nodes.training < all {
        format!("{training} of {} {name}", number::count(all))
    } else {
        format!("{training} {name}")
    }
}

/// The parts or stages of a plan that has several.
fn clusters_row(plan: &Plan) -> Option<Row> {
    let one = |name: String, plan: &Plan| {
        format!(
            "{name}: {}, {}, {}, network {}",
            number::count_with_noun(plan.nodes.gpus, "GPU", "GPUs"),
            fabric_name(plan),
            number::count_with_noun(plan.fabric.switch_count(), "switch", "switches"),
            short_number::money(plan.cost.network_capex),
        )
    };
    let label = match plan.cluster_shape() {
        ClusterShape::One => return None,
        ClusterShape::Parts => "Parts",
        ClusterShape::Stages => "Stages",
    };
    let each = plan.clusters.iter();
    let mut lines: Vec<String> =
        each.map(|cluster| one(cluster.name.short_name(), &cluster.plan)).collect();
    let more = lines.len().saturating_sub(MOST_CLUSTERS);
    lines.truncate(MOST_CLUSTERS);
    lines.extend((more > 0).then(|| format!("and {more} more")));
    Some(Row::new(label, lines))
}

/// Each stated limit with what is taken of it, that with least room first; then those that the
/// reference breaks.
fn limits_text(decision: &Decision<'_>) -> String {
    let plan = decision.plan;
    if plan.limits.is_empty() {
        return "none stated: add [limits] budget, power, days".to_owned();
    }
    let texts = plan.limits.iter().enumerate().map(|(at, limit)| limit_text(limit, at == 0));
    let broken = decision.reference.as_ref().map_or(&[][..], |clos| &clos.breaks);
    let keys: Vec<&str> = broken.iter().map(|key| limit_name(key)).collect();
    let broken = match keys.len() {
        0 => None,
        all if all > 1 && all == plan.limits.len() => Some("the Clos breaks them".to_owned()),
        _ => Some(format!("the Clos breaks {}", keys.join(", "))),
    };
    texts.chain(broken).collect::<Vec<_>>().join("; ")
}

/// The key of a limit as people call it.
fn limit_name(key: &str) -> &str {
    key.strip_prefix("limits.").unwrap_or(key)
}

/// `budget $118M of $200M (41 % free)`; the first says what the share is.
fn limit_text(limit: &StatedLimit, first: bool) -> String {
    let (value, room) = limit_parts(limit);
    let room = if first { room.as_str() } else { room.trim_end_matches(" free") };
    if room.is_empty() { value } else { format!("{value} ({room})") }
}

/// A limit with what is taken of it, and the room that is left: `41 % free`; none of a floor.
pub(super) fn limit_parts(limit: &StatedLimit) -> (String, String) {
    let name = limit_name(&limit.key);
    let (takes, may) = (short_amount(&limit.takes), short_amount(&limit.may));
    if limit.is_floor {
        return (format!("{name} {takes} of at least {may}"), String::new());
    }
    let free = 1.0 - limit.used_share();
    let free = if free.abs() < ROUNDING { 0.0 } else { free };
    let room = if free < 0.0 {
        format!("{} over", short_number::percent(-free))
    } else {
        format!("{} free", short_number::percent(free))
    };
    (format!("{name} {}", part_of_whole(&takes, &may)), room)
}

fn short_amount(value: &Amount) -> String {
    match value {
        Amount::Money(usd) => short_number::money(*usd),
        Amount::Days(days) => trim_zero_fraction(&short_number::days(*days)).to_owned(),
        Amount::Share(share) => short_number::percent(*share),
        other => amount::amount_text(other),
    }
}

/// What is left to decide, numbered where it is more than one thing; at most `most` of it.
fn decide_row(decision: &Decision<'_>, most: usize) -> Row {
    let all = &decision.decide[..decision.decide.len().min(most)];
    let more = match decision.decide.len() - all.len() {
        0 => String::new(),
        more => format!("; {more} more under --all"),
    };
    let lines = match all {
        [] => vec!["nothing".to_owned()],
        [only] => vec![format!("{}{more}", only.line_with_code())],
        all => {
            let numbered = all.iter().enumerate();
            numbered
                .map(|(at, decide)| format!("{}. {}", at + 1, decide.line_with_code()))
                .collect()
        }
    };
    Row { warns: all.iter().any(|decide| !decide.code.is_empty()), ..Row::new("Decide", lines) }
}

fn more_text(decision: &Decision<'_>) -> String {
    let code = decision.decide.iter().map(|decide| decide.code).find(|code| !code.is_empty());
    let code = code.unwrap_or("rail-only");
    format!("--all, --section NAME, `planner compare SPEC`, `planner explain {code}`")
}

/// Three lines for scripts: what and how much, how fast, the verdict.
fn brief_lines(plan: &Plan, decision: &Decision<'_>) -> Vec<String> {
    let mut codes: Vec<&str> = Vec::new();
    for code in plan.warnings.iter().map(warnings::warning_code) {
        if !codes.contains(&code) {
            codes.push(code);
        }
    }
    let warned = match codes.as_slice() {
        [] => "no warnings".to_owned(),
        codes => {
            let count = number::count_with_noun(codes.len() as u64, "warning", "warnings");
            format!("{count} ({})", codes.join(", "))
        }
    };
    let first = format!(
        "{}: {}, {}, {} (network {}), {}, {warned}",
        plan.name,
        fabric_name(plan),
        gpus_text(plan),
        short_number::money(plan.cost.capex),
        short_number::money(plan.cost.network_capex),
        number::power(plan.cost.power),
    );
    let one = slowest_part(plan).map_or(plan, |part| &part.plan);
    let step = number::time(one.step.time.total_time());
    let mut speed = vec![format!("{step} a step ({})", step_range_text(one))];
    speed.extend(run_days(plan).map(|days| format!("run {}", days.text_with_range(" days", ""))));
    if let Some(usd) = plan.cost.usd_per_million_tokens {
        speed.push(format!("{} per million tokens", short_number::money(usd)));
    }
    vec![first, speed.join(", "), decision.verdict.brief.clone()]
}

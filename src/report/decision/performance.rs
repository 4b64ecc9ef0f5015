//! How fast a design is, and what tokens and the run cost.

use crate::design::{ClusterPlan, Plan, WorkloadPlan};
use crate::memory::MemoryFit;
use crate::quantity::{FigureSource, quantity_for_key};
use crate::report::{number, short_number};
use crate::units::{Amount, Bytes, Seconds};
use crate::workload::Precision;

/// Columns that a row has in a usual report.
pub(super) const ROOM: usize = 89;
/// Most workloads that a screen has lines for.
const MOST_WORKLOADS: usize = 4;

/// Two amounts with the unit behind the second alone, where it is that of both.
pub(super) fn part_of_whole(part: &str, whole: &str) -> String {
    let unit = |text: &str| text.split_once(' ').map(|(_, unit)| unit.to_owned());
    match part.split_once(' ') {
        Some((digits, own)) if unit(whole).as_deref() == Some(own) => {
            format!("{digits} of {whole}")
        }
        _ => format!("{part} of {whole}"),
    }
}

/// The step, what it uses and how much of the time trains; of several workloads a line each.
pub(super) fn speed_lines(plan: &Plan) -> Vec<String> {
    if !plan.workloads.is_empty() {
        let more = plan.workloads.len().saturating_sub(MOST_WORKLOADS);
        let told = plan.workloads.iter().take(MOST_WORKLOADS);
        let mut lines: Vec<String> = told.map(|workload| workload_text(workload, plan)).collect();
        lines.extend((more > 0).then(|| format!("and {more} more")));
        return lines;
    }
    let slowest = slowest_part(plan);
    let whose = match (slowest, plan.clusters.last()) {
        (Some(part), _) => format!("{} (slowest): ", part.name),
        (None, Some(last_stage)) => format!("{}: ", last_stage.name.short_name()),
        (None, None) => String::new(),
    };
    let one = slowest.map_or(plan, |part| &part.plan);
    // Of 16-bit formats the peak is what everybody takes for it.
    let peak = match one.inputs.facts.precision {
        None | Some(Precision::Fp16 | Precision::Bf16) => String::new(),
        Some(other) => format!(" ({})", other.name()),
    };
    let first = format!(
        "{whose}{} a step (likely {}), MFU {}{peak}",
        number::time(one.step.time.total_time()),
        step_range_text(one),
        short_number::percent(one.step.mfu),
    );
    let [needs, has] = [one.memory.total_on_gpu(), one.memory_capacity];
    let tight = if MemoryFit::of_total(needs, has) == MemoryFit::Fits { "" } else { " (tight)" };
    let memory =
        format!(", memory {}{tight}", part_of_whole(&whole_memory(needs), &whole_memory(has)));
    let last = format!(", goodput {}", short_number::percent(one.failures.year.goodput));
    let whole = format!("{first}{memory}{last}");
    // Of several clusters names take the room.
    let fits = whole.chars().count() <= ROOM || whose.is_empty();
    vec![if fits { whole } else { format!("{first}{last}") }]
}

/// The part whose step is longest; `None` where there are none.
pub(super) fn slowest_part(plan: &Plan) -> Option<&ClusterPlan> {
    let time = |part: &ClusterPlan| part.plan.step.time.total_time();
    plan.part_plans().iter().max_by(|one, other| time(one).total_cmp(&time(other)))
}

/// Memory without a fraction, but where it is less than ten.
fn whole_memory(bytes: Bytes) -> String {
    let text = number::memory(bytes);
    match text.split_once('.') {
        Some((digits, rest)) if digits.len() > 1 => {
            let value: f64 = text.split(' ').next().unwrap_or(digits).parse().unwrap_or_default();
            let unit = rest.split_once(' ').map_or("", |(_, unit)| unit);
            format!("{value:.0} {unit}")
        }
        _ => text,
    }
}

/// `1.34 to 1.84`, in the unit of the step.
pub(super) fn step_range_text(plan: &Plan) -> String {
    let step = plan.step.time.total_time();
    let (low, high) = plan.step.interval.bounds_around(step);
    let part = |time: Seconds| number::time_part(time, step);
    format!("{} to {}", part(low), part(high))
}

/// One of several workloads: its step, its run, a million of its tokens.
fn workload_text(workload: &WorkloadPlan, plan: &Plan) -> String {
    let mut text = format!(
        "{}: {} a step, MFU {}",
        workload.name,
        number::time(workload.step.time.total_time()),
        short_number::percent(workload.step.mfu)
    );
    let goodput = plan.failures.year.goodput;
    if let Some(days) = workload.training_days.filter(|_| goodput > 0.0) {
        text.push_str(&format!(", run {} days", short_number::days(days / goodput)));
    }
    if let Some(usd) = plan.usd_per_million_tokens_of(workload) {
        text.push_str(&format!(", {} per million tokens", short_number::money(usd)));
    }
    text
}

/// A figure in few digits with its likely range.
pub(super) struct RangedText {
    pub(super) value: String,
    /// `3.7 to 5.1`; `None` where it is not known.
    pub(super) range: Option<String>,
}

impl RangedText {
    fn new(value: String, ends: Option<(String, String)>) -> Self {
        Self { value, range: ends.map(|(low, high)| format!("{low} to {high}")) }
    }

    /// `4.5 days (likely 3.7 to 5.1)`, in that unit and with those words before the range.
    pub(super) fn text_with_range(&self, unit: &str, before: &str) -> String {
        let range = self.range.as_ref();
        let range = range.map_or_else(String::new, |range| format!(" ({before}{range})"));
        format!("{}{unit}{range}", self.value)
    }
}

/// What tokens and the run cost, and the days of the run with failures; `None` where neither is
/// known.
pub(super) fn cost_text(plan: &Plan) -> Option<String> {
    let token = token_cost(plan)?;
    let [tokens, brief] =
        ["likely ", ""].map(|before| token.text_with_range(" per million tokens", before));
    let Some(run) = money_figure(plan, "cost.run_usd") else { return Some(tokens) };
    let Some(days) = run_days(plan) else { return Some(format!("{tokens}; run {run}")) };
    let days = days.text_with_range(" days", "");
    // The longest that fits; a range is likely in every row.
    let forms = [
        format!("{tokens}; run {run}, {days} with failures"),
        format!("{brief}; run {run}, {days} with failures"),
        format!("{tokens}; run {run}, {days}"),
    ];
    let fits = |text: &String| text.chars().count() <= ROOM;
    let last = format!("{brief}; run {run}, {days}");
    Some(forms.into_iter().find(fits).unwrap_or(last))
}

/// What a million tokens cost.
pub(super) fn token_cost(plan: &Plan) -> Option<RangedText> {
    let money = |key| money_figure(plan, key);
    let ends =
        money("cost.low_usd_per_million_tokens").zip(money("cost.high_usd_per_million_tokens"));
    Some(RangedText::new(money("cost.usd_per_million_tokens")?, ends))
}

/// A sum of a plan by its key in JSON, in few digits.
fn money_figure(plan: &Plan, key: &str) -> Option<String> {
    match figure_amount(plan, key)? {
        Amount::Money(usd) => Some(short_number::money(usd)),
        _ => None,
    }
}

/// Days of the run, with failures.
pub(super) fn run_days(plan: &Plan) -> Option<RangedText> {
    let days = |key: &str| match figure_amount(plan, key)? {
        Amount::Days(days) => Some(short_number::days(days)),
        _ => None,
    };
    let ends = days("cost.low_training_days_with_failures")
        .zip(days("cost.high_training_days_with_failures"));
    Some(RangedText::new(days("cost.training_days_with_failures")?, ends))
}

/// A figure of a plan by its key in JSON.
fn figure_amount(plan: &Plan, key: &str) -> Option<Amount> {
    quantity_for_key(key)?.read_from(&FigureSource::from_plan(plan))
}

/// `tensor 8, pipeline 16, data 128, micro-batch 1, ZeRO 1`: the degrees above 1 and what a rank
/// holds; `None` where there are several.
pub(super) fn layout_text(plan: &Plan) -> Option<String> {
    if !plan.clusters.is_empty() || plan.workloads.len() > 1 {
        return None;
    }
    let layout = &plan.layout;
    let degrees = [
        ("tensor", layout.tensor),
        ("pipeline", layout.pipeline),
        ("virtual stages", layout.interleave),
        ("context", layout.context),
        ("expert", layout.expert),
        ("data", layout.data),
    ];
    let above = degrees.into_iter().filter(|(_, degree)| *degree > 1);
    let mut all: Vec<String> =
        above.map(|(name, degree)| format!("{name} {}", number::count(degree))).collect();
    all.push(format!("micro-batch {}", layout.micro_batch));
    all.push(format!("ZeRO {}", layout.zero.stage_number()));
    let text = all.join(", ");
    let whole = format!("{text}, recompute {}", layout.recompute.name());
    Some(if whole.chars().count() <= ROOM { whole } else { text })
}

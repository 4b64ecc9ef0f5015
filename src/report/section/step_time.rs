//! The time of a step by part, phase and workload, and what overlaps.

use crate::design::{NodeChoice, PhaseReport, Plan, StepReport};
use crate::parallel::{Layout, Zero};
use crate::report::document::Section;
use crate::report::list::{PHASE_COLUMNS, list_table};
use crate::report::table::{Cell, Column, Table};
use crate::report::{number, words};
use crate::step::TrafficKind;
use crate::timing::{ExtrapolationAxis, Interval, StepTime};
use crate::units::Seconds;
use crate::workload::{ContextExchange, Framework};

/// The step and what it yields.
pub(in crate::report) fn step_time_section(report: &StepReport, nodes: &NodeChoice) -> Section {
    let gpus = nodes.gpus;
    let lead = format!(
        "{} ({}): MFU {}, HFU {}, {} tokens/s",
        number::time(report.time.total_time()),
        interval_sentence(report, nodes),
        number::percent(report.mfu),
        number::percent(report.hfu),
        number::large_count(report.tokens_per_gpu_second * f64::from(gpus)),
    );
    let section = Section::new("STEP", lead).add_line(format!(
        "{} of model work in {} tokens: {} per GPU, {} tokens/s per GPU",
        number::flops(report.model_flops),
        number::large_count(report.tokens as f64),
        number::flop_rate(report.model_rate(gpus)),
        number::large_count(report.tokens_per_gpu_second),
    ));
    let outside = outside_step_sentence(&report.interval)
        .map(|what| format!("beyond what was measured: {what}"));
    [expert_loads_sentence(report), outside].into_iter().flatten().fold(section, Section::add_line)
}

/// What unlike loads of experts cost.
fn expert_loads_sentence(report: &StepReport) -> Option<String> {
    let load = report.experts?;
    Some(format!(
        "fullest rank with experts: {} times the mean of the tokens; {} if all had the mean",
        number::ratio(load.fullest),
        number::time(load.even),
    ))
}

/// What the step has that no measured step of its kind had.
fn outside_step_sentence(interval: &Interval) -> Option<String> {
    let named = |(reach, own, most): &(ExtrapolationAxis, u64, u64)| {
        format!("{} {} (largest {})", reach.name(), number::count(*own), number::count(*most))
    };
    let mut all: Vec<String> = interval.outside.iter().map(named).collect();
    if interval.new_stack {
        all.push("this training stack on such GPUs".to_owned());
    }
    (!all.is_empty()).then(|| all.join(", "))
}

/// Between which times 80 of 100 measured steps would lie; and where no step of the GPU was
/// measured at all, that its rates are assumed.
pub(in crate::report) fn interval_sentence(report: &StepReport, nodes: &NodeChoice) -> String {
    let (low, high) = report.interval.bounds_around(report.time.total_time());
    let band = format!("likely {} to {}", number::time(low), number::time(high));
    let gpu = &nodes.node.gpu;
    match gpu.calibration.shares_of {
        Some(_) => format!("{band}; no step of {} measured: rates assumed", gpu.name),
        None => band,
    }
}

/// The parts of a step as a sum: `6.07 s = compute 5.04 + bubble 0.68 + …`.
pub(in crate::report) fn step_time_sum(time: &StepTime) -> String {
    let parts = step_time_parts(time)
        .into_iter()
        .filter(|(_, part)| part.get() > 0.0)
        .map(|(name, part)| format!("{name} {}", number::time_part(part, time.total_time())))
        .collect::<Vec<_>>()
        .join(" + ");
    format!("{} = {parts}", number::time(time.total_time()))
}

/// The parts of a step as a table; what takes no time is left out.
pub(in crate::report) fn step_parts_table(time: &StepTime) -> Table {
    let total = time.total_time();
    let mut table = Table::new(vec![
        Column::words("part", "part"),
        Column::numbers("time", "time_s"),
        Column::numbers("share", "share"),
    ]);
    let mut row = |name: &str, part: Seconds| {
        let share = if total.get() > 0.0 { part / total } else { 0.0 };
        table.push_row(vec![Cell::words(name), Cell::time(part), Cell::percent(share)]);
    };
    for (name, part) in step_time_parts(time) {
        if part.get() > 0.0 {
            row(&name, part);
        }
    }
    row("step", total);
    table
}

/// Parts of a step by name, in the order of the contract; they sum to the whole.
pub(super) fn step_time_parts(time: &StepTime) -> Vec<(String, Seconds)> {
    let mut parts = vec![("compute".to_owned(), time.compute)];
    for kind in TrafficKind::ALL {
        parts.push((
            format!("waiting for {} traffic", kind.name()),
            time.exposed.time_of_kind(kind),
        ));
    }
    parts.push(("pipeline bubble".to_owned(), time.bubble));
    parts.push(("optimizer".to_owned(), time.optimizer));
    parts.push(("CPU and launch".to_owned(), time.host));
    parts.push(("host link".to_owned(), time.swap));
    parts.push(("waiting for the slowest GPU".to_owned(), time.stragglers));
    parts
}

/// The phases of a run, and what they save of it.
pub(in crate::report) fn phases_section(phases: &[PhaseReport], step: &StepReport) -> Section {
    let mut table = list_table(PHASE_COLUMNS, phases);
    let share = |report: &PhaseReport| Cell::percent(report.step * report.share / step.pace);
    let column = Column::numbers("share of the time", "share_of_time");
    table.insert_column_after("step_time_s", column, phases.iter().map(share));
    let whole = step.time.total_time();
    let flops: f64 =
        phases.iter().map(|report| report.model_flops / step.model_flops * report.share).sum();
    let lead = if phases.is_empty() {
        String::new()
    } else {
        format!(
            "the run takes {} of the ordinary one's time, {} for each of its steps, and {} of its FLOPs",
            number::percent(step.pace / whole),
            number::time(step.pace),
            number::percent(flops)
        )
    };
    let section = Section::new("RUN", lead).add_table(table);
    phases
        .iter()
        .filter_map(|report| published_steps_sentence(report, step))
        .fold(section, Section::add_line)
}

/// What the run takes with as many steps of a phase as the runs of a paper had.
fn published_steps_sentence(report: &PhaseReport, step: &StepReport) -> Option<String> {
    let shares = report.published?;
    let run = |share: f64| {
        let more = report.step * (share - report.share);
        number::percent((step.pace + more) / step.time.total_time())
    };
    let [least, most] = shares;
    Some(format!(
        "the paper's runs end with {} to {} of the ordinary steps, here {}: with those the run takes {} to {} of \
         the ordinary one's time",
        number::percent(least),
        number::percent(most),
        number::percent(report.share),
        run(least),
        run(most)
    ))
}

/// The step against the reference, in a sentence.
pub(in crate::report) fn slowdown_sentence(report: &StepReport) -> String {
    let change = report.slowdown - 1.0;
    let size = number::percent(change.abs());
    let speed = match number::percent_change(change).as_str() {
        "0.0 %" => "as fast as".to_owned(),
        _ if change > 0.0 => format!("{size} slower than"),
        _ => format!("{size} faster than"),
    };
    format!("{speed} {}", words::REFERENCE)
}

/// A kind of communication; what it runs beside, `None` where by itself; the setting that says so.
type Row = (TrafficKind, Option<&'static str>, String);

/// What runs beside what, and how busy the interfaces are; empty on a single GPU.
pub(in crate::report) fn overlap_section(
    layout: &Layout,
    framework: &Framework,
    time: &StepTime,
) -> Section {
    if layout.gpus() < 2 {
        return Section::new("", "");
    }
    let mut table = Table::new(vec![
        Column::words("parallelism", "kind"),
        Column::words("runs", "runs"),
        Column::words("setting", "setting"),
    ]);
    for (kind, beside, setting) in overlap_rows(layout, framework) {
        let runs = beside.map_or_else(|| "by itself".to_owned(), |text| format!("beside {text}"));
        table.push_row(vec![Cell::words(kind.name()), Cell::words(runs), Cell::words(setting)]);
    }
    let busy = time.interfaces_busy;
    let share = number::percent(if time.total_time() > Seconds::ZERO {
        busy / time.total_time()
    } else {
        0.0
    });
    Section::new("OVERLAP", "what runs beside what, by the settings of the framework")
        .add_table(table)
        .add_line(format!(
            "NICs are busy {} of the step ({share}); kinds that run at the same time share them",
            number::time(busy),
        ))
}

/// The kinds that a layout has.
fn overlap_rows(layout: &Layout, framework: &Framework) -> Vec<Row> {
    let switch = |kind, setting: &str, on: bool, text: &'static str| {
        (kind, on.then_some(text), format!("{setting} = {on}"))
    };
    let chunks = "its matrix multiplications, in chunks";
    let passes = if layout.zero == Zero::Parameters {
        "every forward and backward pass"
    } else {
        "the first forward and the last backward pass"
    };
    let this_framework = framework;
    let context = match this_framework.context_exchange {
        // Attention waits for it, whatever the switch says.
        ContextExchange::AllToAll => {
            (TrafficKind::Context, None, "context_exchange = all-to-all".to_owned())
        }
        ContextExchange::Gather | ContextExchange::Ring => {
            let on = this_framework.overlap_context;
            switch(TrafficKind::Context, "overlap_context", on, "attention of its layer")
        }
    };
    let (tensor, pipeline) = (this_framework.overlap_tensor, this_framework.overlap_pipeline);
    let all = [
        (layout.tensor, switch(TrafficKind::Tensor, "overlap_tensor", tensor, chunks)),
        (
            layout.pipeline,
            switch(TrafficKind::Pipeline, "overlap_pipeline", pipeline, "other micro-batches"),
        ),
        (
            layout.data,
            switch(TrafficKind::Data, "overlap_data", this_framework.overlap_data, passes),
        ),
        (layout.context, context),
        (
            layout.expert,
            switch(
                TrafficKind::Expert,
                "overlap_expert",
                this_framework.overlap_expert,
                "its layer's compute",
            ),
        ),
    ];
    all.into_iter().filter(|(degree, _)| *degree > 1).map(|(_, row)| row).collect()
}

/// Every workload of a plan beside the others; empty where there is one. Layout, step, memory and
/// traffic of the leading one have sections of their own.
pub(in crate::report) fn workloads_section(plan: &Plan) -> Section {
    let workloads = &plan.workloads;
    let mut table = Table::new(vec![
        Column::words("workload", "workload"),
        Column::numbers("share", "share"),
        Column::words("layout", "layout"),
        Column::numbers("step", "step_s"),
        Column::numbers("slower", "slowdown"),
        Column::numbers("MFU", "mfu"),
        Column::numbers("memory", "memory_bytes"),
        Column::numbers("run", "training_days_with_failures"),
        Column::numbers("M tokens", "usd_per_million_tokens"),
    ]);
    for workload_plan in workloads {
        let memory = workload_plan.memory.total_on_gpu();
        table.push_row(vec![
            Cell::words(&workload_plan.name),
            Cell::percent(workload_plan.share),
            Cell::words(workload_plan.layout.degrees_text()),
            Cell::time(workload_plan.step.time.total_time()),
            Cell::with_text_and_value(
                number::percent_change(workload_plan.step.slowdown - 1.0),
                workload_plan.step.slowdown,
            ),
            Cell::percent(workload_plan.step.mfu),
            Cell { text: number::memory(memory), raw: memory.count().to_string() },
            plan.cost
                .days_extended_by_failures(workload_plan.training_days)
                .map_or_else(Cell::no_value, |days| {
                    Cell::with_text_and_value(format!("{days:.1} days"), days)
                }),
            plan.usd_per_million_tokens_of(workload_plan).map_or_else(Cell::no_value, Cell::money),
        ]);
    }
    let Some(lead) = workloads.first() else { return Section::new("", "") };
    Section::new(
        "WORKLOADS",
        format!("one network for all; the next sections are of {}", lead.name),
    )
    .add_table(table)
}

#[cfg(test)]
mod tests {
    use super::overlap_rows;
    use crate::parallel::Layout;
    use crate::workload::{ContextExchange, Framework};

    #[track_caller]
    fn case(context_exchange: ContextExchange, overlap_context: bool, runs: bool, setting: &str) {
        let layout = Layout { context: 2, ..Layout::ONE_GPU };
        let framework = Framework {
            context_exchange,
            overlap_context,
            ..Framework::new_without_features("test")
        };
        let rows = overlap_rows(&layout, &framework);
        assert_eq!(rows.len(), 1, "{rows:?}");
        assert_eq!((rows[0].1.is_some(), rows[0].2.as_str()), (runs, setting));
    }

    #[test]
    fn the_setting_that_is_named_is_the_one_that_decides() {
        case(ContextExchange::Gather, true, true, "overlap_context = true");
        case(ContextExchange::Ring, false, false, "overlap_context = false");
        case(ContextExchange::AllToAll, true, false, "context_exchange = all-to-all");
        case(ContextExchange::AllToAll, false, false, "context_exchange = all-to-all");
    }
}

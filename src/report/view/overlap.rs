//! Words for what each kind of communication runs beside, by the settings of the training stack. What
//! techniques change of that, their notes say.

use super::super::document::Section;
use super::super::number;
use super::super::table::{Cell, Column, Table};
use crate::parallel::{Layout, Zero};
use crate::step::TrafficKind;
use crate::timing::StepTime;
use crate::units::Seconds;
use crate::workload::{ContextExchange, Framework};

/// A kind of communication; what it runs beside, `None` where by itself; the setting that says so.
type Row = (TrafficKind, Option<&'static str>, String);

/// What runs beside what, and how busy the interfaces are; empty on a single GPU.
pub(super) fn overlap_section(layout: &Layout, framework: &Framework, time: &StepTime) -> Section {
    if layout.gpus() < 2 {
        return Section::new("", "");
    }
    let mut table = Table::new(vec![
        Column::words("kind", "kind"),
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
    Section::new("OVERLAP", "as the framework's settings have it").add_table(table).add_line(format!(
        "a GPU's share of the interfaces carries bytes for {} of the step ({share}); kinds that run \
         at the same time share it",
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

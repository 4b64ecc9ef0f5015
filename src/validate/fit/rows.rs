//! Measured rows ready to be predicted again and again, each with what the roles file says of it.

use crate::parallel::Layout;
use crate::timing::ExtrapolationAxis;
use crate::units::Seconds;
use crate::validate::case::read_cases;
use crate::validate::chosen::chosen_step_time;
use crate::validate::measured_rows::{DataProblem, RowRole, find_role};
use crate::validate::run::{TimedStep, ValidationBench, prepare_case};
use crate::validate::sets::ValidationSet;
use crate::workload::{Framework, Model, Precision, Training};

/// A row whose time was measured.
#[derive(Clone, Debug)]
pub(super) struct FitRow {
    pub(super) set: &'static str,
    pub(super) id: String,
    pub(super) role: RowRole,
    pub(super) timed: TimedStep,
    measured: f64,
    /// Rows that differ in nothing but the release share one.
    pub(super) weight: f64,
    /// Rows that differ in nothing but the number of GPUs, each with as much work as the others.
    pub(super) series: usize,
    /// What the interval of a prediction depends on.
    pub(super) experts: bool,
    pub(super) precision: Precision,
    pub(super) extent: [u64; ExtrapolationAxis::ALL.len()],
    /// Share of the peak that the measured step reached with the model's FLOPs.
    pub(super) mfu: f64,
    /// Predicted time of the layout that a search picks over the measured one of a tuned layout,
    /// less one; `None` where nobody tuned it.
    pub(super) chosen: Option<f64>,
}

impl FitRow {
    /// A row of a user's own.
    pub(super) fn from_user_step(
        name: &str,
        role: RowRole,
        timed: TimedStep,
        time: Seconds,
    ) -> Self {
        Self {
            set: "own",
            id: name.to_owned(),
            role,
            timed,
            measured: time.get(),
            weight: 1.0,
            series: 0,
            experts: false,
            precision: Precision::Bf16,
            extent: [0; ExtrapolationAxis::ALL.len()],
            mfu: 0.0,
            chosen: None,
        }
    }

    /// GPUs that ran it.
    pub(super) fn gpus(&self) -> f64 {
        self.timed.step.layout.gpus() as f64
    }

    /// Natural logarithm of predicted over measured time.
    pub(super) fn log_error(&self) -> f64 {
        (self.timed.predicted_time().total_time().get() / self.measured).ln()
    }
}

/// The rows of those sets with a measured time.
pub(super) fn fit_rows(
    bench: &ValidationBench<'_>,
    sets: &[ValidationSet],
) -> Result<Vec<FitRow>, DataProblem> {
    let mut all = Vec::new();
    let mut asked: Vec<Question> = Vec::new();
    for set in sets {
        for case in read_cases(set.rows)? {
            let Some(measured) = case.seconds else { continue };
            let role = find_role(set.name, &case.id)?;
            let timed = prepare_case(bench, &case)?;
            let mfu = timed.measured_mfu(&case, measured);
            let layout = &case.layout;
            let extent = [
                case.model.sequence,
                layout.gpus(),
                u64::from(layout.interleave),
                u64::from(layout.context),
                u64::from(layout.expert),
            ];
            let chosen = chosen_step_time(set.name, &case, &timed);
            let chosen = chosen.map(|time| time / measured - 1.0);
            let (experts, precision) = (case.model.moe.is_some(), case.training.precision);
            asked.push((case.node, timed.stack.clone(), case.model, case.training, case.layout));
            all.push(FitRow {
                set: set.name,
                id: case.id,
                role,
                timed,
                measured: measured.get(),
                weight: 1.0,
                series: 0,
                experts,
                precision,
                extent,
                mfu,
                chosen,
            });
        }
    }
    let series: Vec<Question> = asked.iter().map(question_of_one_replica).collect();
    for (place, row) in all.iter_mut().enumerate() {
        let alike = asked.iter().filter(|other| **other == asked[place]).count();
        row.weight = 1.0 / alike as f64;
        row.series = series.iter().position(|other| *other == series[place]).unwrap_or(place);
    }
    Ok(all)
}

/// Node, stack, model, training and layout of a row.
type Question = (String, Framework, Model, Training, Layout);

/// The question with one replica and its share of the batch.
fn question_of_one_replica(pair: &Question) -> Question {
    let (node, stack, model, training, layout) = pair.clone();
    let each = training.global_batch / u64::from(layout.data.max(1));
    (node, stack, model, Training { global_batch: each, ..training }, Layout { data: 1, ..layout })
}

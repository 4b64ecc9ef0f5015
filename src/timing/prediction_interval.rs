//! 80 % interval of a predicted step, from measured steps.

use super::measured_step::{
    ExtrapolationAxis, MeasuredPrediction, StepKind, gpu_generation, is_similar_rate,
    measured_predictions,
};
use crate::units::Seconds;

/// Shares of the measured steps that may lie below and above.
const TAIL: f64 = 0.1;
/// Rows that a group needs before its own errors count; a smaller one takes those of the next
/// wider group.
const ENOUGH: usize = 10;
/// How much wider the interval is for each extent that no measured step had, and for a training
/// stack that was never measured on the generation. An assumption.
const BEYOND: f64 = 1.5;
/// How much wider than the errors of known sources that of a new one is: rows of one source err
/// alike. With it 80 of 100 rows lie inside where their own source is left out.
const ANOTHER_SOURCE: f64 = 1.1;

/// Between which times measured steps lie, as shares of the predicted one.
#[derive(Clone, Debug, PartialEq)]
pub struct Interval {
    /// One in ten is shorter than this share.
    pub low: f64,
    /// One in ten is longer than this share.
    pub high: f64,
    /// Measured steps that it is from.
    pub rows: usize,
    /// What those have in common with the predicted one.
    pub group: MeasuredGroup,
    /// What no measured step of this kind had, with the largest that one had.
    pub outside: Vec<(ExtrapolationAxis, u64, u64)>,
    /// No step of its training stack was measured on any GPU of the generation.
    pub new_stack: bool,
}

/// What measured steps have in common with a predicted one, besides the kind of model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MeasuredGroup {
    /// GPU, format and training stack.
    Stack,
    /// GPU, format and kind of stack: Megatron, FSDP or DeepSpeed of any year.
    StackKind,
    /// GPU and format.
    Gpu,
    /// The generation of the GPU.
    Generation,
    /// Nothing more.
    Model,
}

impl MeasuredGroup {
    /// From the narrowest.
    const ALL: [Self; 5] = [Self::Stack, Self::StackKind, Self::Gpu, Self::Generation, Self::Model];

    /// Its name in JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Stack => "stack",
            Self::StackKind => "stack_kind",
            Self::Gpu => "gpu",
            Self::Generation => "generation",
            Self::Model => "model",
        }
    }
}

impl Interval {
    /// The interval of a step of that kind: from the errors of the narrowest group around it that
    /// has ten measured steps. The groups are model, GPU, format and stack; those of any year of the
    /// stack; model, GPU and format; model and generation; model.
    #[must_use]
    pub fn for_step_kind(kind: &StepKind<'_>) -> Self {
        Self::from_measured_steps(kind, &measured_predictions().iter().collect::<Vec<_>>())
    }

    /// That of a measured step, as if nothing of its source were known.
    #[must_use]
    pub fn without_own_source(step: &MeasuredPrediction) -> Self {
        let others = measured_predictions().iter().filter(|row| row.source != step.source);
        Self::from_measured_steps(&step.step_kind(), &others.collect::<Vec<_>>())
    }

    fn from_measured_steps(kind: &StepKind<'_>, measured: &[&MeasuredPrediction]) -> Self {
        let own = |row: &&MeasuredPrediction| row.experts == kind.experts;
        let near = |row: &&MeasuredPrediction| {
            own(row) && gpu_generation(row.gpu) == gpu_generation(kind.gpu)
        };
        let gpu = |row: &&MeasuredPrediction| {
            own(row) && row.gpu == kind.gpu && is_similar_rate(row.precision, kind.precision)
        };
        let stack = |row: &&MeasuredPrediction| gpu(row) && row.stack == kind.stack;
        let alike =
            |row: &&MeasuredPrediction| gpu(row) && stack_kind(row.stack) == stack_kind(kind.stack);
        let groups: [&dyn Fn(&&MeasuredPrediction) -> bool; MeasuredGroup::ALL.len()] =
            [&stack, &alike, &gpu, &near, &own];
        let ratios = |group: &dyn Fn(&&MeasuredPrediction) -> bool| -> Vec<f64> {
            measured.iter().copied().filter(|row| group(row)).map(|row| row.ratio).collect()
        };
        let (mut rows, group) = groups
            .into_iter()
            .map(ratios)
            .zip(MeasuredGroup::ALL)
            .find(|(ratios, _)| ratios.len() >= ENOUGH)
            .unwrap_or_else(|| (ratios(&own), MeasuredGroup::Model));
        rows.sort_by(f64::total_cmp);
        let nearest = nearest_of(measured, kind.experts, kind.gpu);
        let most = max_extents(&nearest);
        let outside: Vec<(ExtrapolationAxis, u64, u64)> = ExtrapolationAxis::ALL
            .into_iter()
            .enumerate()
            .map(|(place, reach)| (reach, kind.extent[place], most[place]))
            .filter(|(_, own, most)| own > most)
            .collect();
        let new_stack = nearest.iter().all(|row| row.stack != kind.stack);
        let wider = ANOTHER_SOURCE * BEYOND.powi(outside.len() as i32 + i32::from(new_stack));
        let bare = Self {
            low: predictive_quantile(&rows, TAIL),
            high: predictive_quantile(&rows, 1.0 - TAIL),
            rows: rows.len(),
            group,
            outside,
            new_stack,
        };
        bare.widen_by(wider)
    }

    /// This interval with both ends so many times as far from its middle.
    #[must_use]
    pub fn widen_by(self, times: f64) -> Self {
        let middle = (self.low * self.high).sqrt();
        let reach = (self.high / self.low).sqrt().powf(times);
        Self { low: middle / reach, high: middle * reach, ..self }
    }

    /// This interval with at least that share of the predicted time on both sides.
    #[must_use]
    pub fn widen_to(self, share: f64) -> Self {
        Self { low: self.low.min(1.0 - share), high: self.high.max(1.0 + share), ..self }
    }

    /// The farther end as a share of the predicted time.
    #[must_use]
    pub fn max_deviation_share(&self) -> f64 {
        (1.0 - self.low).max(self.high - 1.0).max(0.0)
    }

    /// Its ends for a step of that time.
    #[must_use]
    pub fn bounds_around(&self, time: Seconds) -> (Seconds, Seconds) {
        (time * self.low, time * self.high)
    }
}

/// The largest extent that any step of such a model was measured with on that generation of GPUs,
/// in the order of [`ExtrapolationAxis::ALL`]; on any GPU where nothing of the generation was
/// measured.
#[must_use]
pub fn max_measured_extents(experts: bool, gpu: &str) -> [u64; ExtrapolationAxis::ALL.len()] {
    let measured: Vec<&MeasuredPrediction> = measured_predictions().iter().collect();
    max_extents(&nearest_of(&measured, experts, gpu))
}

fn max_extents(steps: &[&MeasuredPrediction]) -> [u64; ExtrapolationAxis::ALL.len()] {
    std::array::from_fn(|place| steps.iter().map(|row| row.extent[place]).max().unwrap_or(0))
}

/// The measured steps of such models on that generation of GPUs; on any where there are none.
fn nearest_of<'a>(
    measured: &[&'a MeasuredPrediction],
    experts: bool,
    gpu: &str,
) -> Vec<&'a MeasuredPrediction> {
    let own = || measured.iter().copied().filter(|row| row.experts == experts);
    let near: Vec<&MeasuredPrediction> =
        own().filter(|row| gpu_generation(row.gpu) == gpu_generation(gpu)).collect();
    if near.is_empty() { own().collect() } else { near }
}

/// `megatron` of `megatron-2026`.
fn stack_kind(stack: &str) -> &str {
    stack.split('-').next().unwrap_or(stack)
}

/// The value below which that share of values that are yet to come lies, if they are like these:
/// of n in order, the one at place share·(n+1), between two of them in proportion.
fn predictive_quantile(sorted: &[f64], share: f64) -> f64 {
    let Some(last) = sorted.len().checked_sub(1) else { return 1.0 };
    let place = (share * (sorted.len() + 1) as f64 - 1.0).clamp(0.0, last as f64);
    let below = place.floor() as usize;
    let above = (below + 1).min(last);
    sorted[below] + (sorted[above] - sorted[below]) * (place - below as f64)
}

#[cfg(test)]
mod tests {
    use super::{Interval, predictive_quantile};
    use crate::timing::measured_step::{ExtrapolationAxis, ROWS, StepKind, measured_predictions};
    use crate::workload::Precision;

    #[test]
    fn a_quantile_leaves_its_share_of_values_to_come_below() {
        let ten: Vec<f64> = (1..=9).map(f64::from).collect();
        assert!((predictive_quantile(&ten, 0.1) - 1.0).abs() < 1e-9);
        assert!((predictive_quantile(&ten, 0.5) - 5.0).abs() < 1e-9);
        assert!((predictive_quantile(&ten, 0.9) - 9.0).abs() < 1e-9);
        assert!((predictive_quantile(&[2.0], 0.1) - 2.0).abs() < 1e-9);
        assert!((predictive_quantile(&[], 0.1) - 1.0).abs() < 1e-9);
    }

    #[test]
    fn what_nobody_measured_is_named_and_widens_the_interval() {
        let kind = |context| StepKind {
            experts: false,
            gpu: "ampere",
            precision: Precision::Bf16,
            stack: "megatron-2022",
            extent: [context, 64, 1, 1, 1],
        };
        let near = Interval::for_step_kind(&kind(2048));
        let far = Interval::for_step_kind(&kind(1 << 24));
        assert!(near.low < near.high && near.rows >= 10 && near.outside.is_empty(), "{near:?}");
        assert!(!near.new_stack);
        let newer = Interval::for_step_kind(&StepKind { stack: "megatron-2025", ..kind(2048) });
        assert!(
            newer.new_stack
                && newer.max_deviation_share() > near.max_deviation_share()
                && newer.low < near.low,
            "{newer:?}"
        );
        assert!(
            far.max_deviation_share() > near.max_deviation_share() && far.low < near.low,
            "{far:?}"
        );
        assert!(
            matches!(far.outside[..], [(ExtrapolationAxis::Context, 0x0100_0000, _)]),
            "{far:?}"
        );
        assert!(near.clone().widen_to(0.35).max_deviation_share() >= 0.35);
    }

    #[test]
    fn every_line_is_a_row() {
        assert_eq!(measured_predictions().len(), ROWS.lines().count() - 1);
        assert!(measured_predictions().iter().all(|row| row.ratio > 0.2 && row.ratio < 5.0));
    }
}

//! 80 % interval of a predicted step, from measured steps.

use std::sync::OnceLock;

use crate::units::Seconds;
use crate::workload::Precision;

/// Shares of the measured steps that may lie below and above.
const TAIL: f64 = 0.1;
/// Rows that a group needs before its own errors count; a smaller one takes those of the next
/// wider group.
const ENOUGH: usize = 10;
/// How much wider the interval is for each extent that no measured step had, and for a training
/// stack that was never measured on the generation. An assumption.
const BEYOND: f64 = 1.5;

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
    /// GPU and format.
    Gpu,
    /// The generation of the GPU.
    Generation,
    /// Nothing more.
    Model,
}

impl MeasuredGroup {
    /// From the narrowest.
    const ALL: [Self; 4] = [Self::Stack, Self::Gpu, Self::Generation, Self::Model];

    /// Its name in JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Stack => "stack",
            Self::Gpu => "gpu",
            Self::Generation => "generation",
            Self::Model => "model",
        }
    }
}

/// GPUs of one generation: those whose steps are nearest to one another.
const GENERATIONS: [&[&str]; 4] = [
    &["volta", "volta-sxm2"],
    &["ampere"],
    &["hopper", "hopper-500w"],
    &["b200", "b300", "gb200", "gb300"],
];

fn gpu_generation(gpu: &str) -> Option<usize> {
    GENERATIONS.iter().position(|texts| texts.contains(&gpu))
}

impl Interval {
    /// The interval of a step of that kind: from the errors of the narrowest group around it that
    /// has ten measured steps. The groups are model, GPU, format and stack; model, GPU and format;
    /// model and generation; model.
    #[must_use]
    pub fn for_step_kind(kind: &StepKind<'_>) -> Self {
        let own = |row: &&MeasuredPrediction| row.experts == kind.experts;
        let near = |row: &&MeasuredPrediction| {
            own(row) && gpu_generation(row.gpu) == gpu_generation(kind.gpu)
        };
        let gpu = |row: &&MeasuredPrediction| {
            own(row) && row.gpu == kind.gpu && is_similar_rate(row.precision, kind.precision)
        };
        let stack = |row: &&MeasuredPrediction| gpu(row) && row.stack == kind.stack;
        let groups: [&dyn Fn(&&MeasuredPrediction) -> bool; 4] = [&stack, &gpu, &near, &own];
        let ratios = |group: &dyn Fn(&&MeasuredPrediction) -> bool| -> Vec<f64> {
            measured_predictions().iter().filter(|row| group(row)).map(|row| row.ratio).collect()
        };
        let (mut rows, group) = groups
            .into_iter()
            .map(ratios)
            .zip(MeasuredGroup::ALL)
            .find(|(ratios, _)| ratios.len() >= ENOUGH)
            .unwrap_or_else(|| (ratios(&own), MeasuredGroup::Model));
        rows.sort_by(f64::total_cmp);
        let most = max_measured_extents(kind.experts, kind.gpu);
        let outside: Vec<(ExtrapolationAxis, u64, u64)> = ExtrapolationAxis::ALL
            .into_iter()
            .enumerate()
            .map(|(place, reach)| (reach, kind.extent[place], most[place]))
            .filter(|(_, own, most)| own > most)
            .collect();
        let new_stack = nearest_measured_steps(kind.experts, kind.gpu)
            .iter()
            .all(|row| row.stack != kind.stack);
        let wider = BEYOND.powi(outside.len() as i32 + i32::from(new_stack));
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
    let known = nearest_measured_steps(experts, gpu);
    std::array::from_fn(|place| known.iter().map(|row| row.extent[place]).max().unwrap_or(0))
}

/// The measured steps of such models on that generation of GPUs; on any where there are none.
fn nearest_measured_steps(experts: bool, gpu: &str) -> Vec<&'static MeasuredPrediction> {
    let own = || measured_predictions().iter().filter(|row| row.experts == experts);
    let near: Vec<&MeasuredPrediction> =
        own().filter(|row| gpu_generation(row.gpu) == gpu_generation(gpu)).collect();
    if near.is_empty() { own().collect() } else { near }
}

/// Formats that run at one rate or nearly so: the two of 16 bits, the two of 8.
fn is_similar_rate(one: Precision, other: Precision) -> bool {
    one.operand_bytes() == other.operand_bytes()
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

/// What a step may have more of than any that was measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExtrapolationAxis {
    /// Tokens of a sequence.
    Context,
    /// GPUs.
    Gpus,
    /// Virtual stages of a GPU.
    VirtualStages,
    /// Ranks that share a sequence.
    ContextRanks,
    /// Ranks that share the experts of a layer.
    ExpertRanks,
}

impl ExtrapolationAxis {
    /// All of them.
    pub const ALL: [Self; 5] =
        [Self::Context, Self::Gpus, Self::VirtualStages, Self::ContextRanks, Self::ExpertRanks];

    /// Its name in tables that programs read.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Self::Context => "context",
            Self::Gpus => "gpus",
            Self::VirtualStages => "virtual_stages",
            Self::ContextRanks => "context_ranks",
            Self::ExpertRanks => "expert_ranks",
        }
    }

    /// Its name in reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Context => "context",
            Self::Gpus => "GPUs",
            Self::VirtualStages => "virtual stages",
            Self::ContextRanks => "context-parallel ranks",
            Self::ExpertRanks => "expert-parallel ranks",
        }
    }
}

/// A step as far as its interval depends on it.
#[derive(Clone, Debug, PartialEq)]
pub struct StepKind<'a> {
    pub experts: bool,
    pub gpu: &'a str,
    pub precision: Precision,
    pub stack: &'a str,
    /// Its extent, in the order of [`ExtrapolationAxis::ALL`].
    pub extent: [u64; ExtrapolationAxis::ALL.len()],
}

const ROWS: &str = include_str!("../../presets/validation/unseen.csv");

/// One measured step.
#[derive(Clone, Debug, PartialEq)]
pub struct MeasuredPrediction {
    pub set: &'static str,
    pub id: &'static str,
    pub experts: bool,
    pub gpu: &'static str,
    pub precision: Precision,
    pub stack: &'static str,
    /// Its extent, in the order of [`ExtrapolationAxis::ALL`].
    pub extent: [u64; ExtrapolationAxis::ALL.len()],
    /// Predicted over measured time, less one, by constants fitted on all fitted rows.
    pub seen: f64,
    /// Measured over predicted time, by constants that had not seen its source.
    pub ratio: f64,
}

impl MeasuredPrediction {
    /// What its interval depends on.
    #[must_use]
    pub const fn step_kind(&self) -> StepKind<'static> {
        StepKind {
            experts: self.experts,
            gpu: self.gpu,
            precision: self.precision,
            stack: self.stack,
            extent: self.extent,
        }
    }

    /// Predicted over measured time, less one, by constants that had not seen its source.
    #[must_use]
    pub fn unseen_error(&self) -> f64 {
        1.0 / self.ratio - 1.0
    }
}

/// All of them.
#[must_use]
pub fn measured_predictions() -> &'static [MeasuredPrediction] {
    static ALL: OnceLock<Vec<MeasuredPrediction>> = OnceLock::new();
    ALL.get_or_init(|| ROWS.lines().skip(1).filter_map(parse_measured_row).collect())
}

/// A row; `None` where it is none. A test compares their number with that of the lines.
fn parse_measured_row(line: &'static str) -> Option<MeasuredPrediction> {
    let mut fields = line.split(',');
    let (set, id) = (fields.next()?, fields.next()?);
    // Source and use are for readers of the file.
    let mut fields = fields.skip(2);
    let experts = fields.next()? == "experts";
    let gpu = fields.next()?;
    let precision = Precision::parse(fields.next()?)?;
    let stack = fields.next()?;
    let mut extent = [0; ExtrapolationAxis::ALL.len()];
    for value in &mut extent {
        *value = fields.next()?.parse().ok()?;
    }
    let seen = fields.next()?.parse().ok()?;
    let unseen: f64 = fields.next()?.parse().ok()?;
    let ratio = 1.0 / (1.0 + unseen);
    Some(MeasuredPrediction { set, id, experts, gpu, precision, stack, extent, seen, ratio })
}

#[cfg(test)]
mod tests {
    use super::{
        ExtrapolationAxis, Interval, ROWS, StepKind, measured_predictions, predictive_quantile,
    };
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

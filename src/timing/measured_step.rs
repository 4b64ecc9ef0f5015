//! Measured steps with what the clock predicts of them.

use std::sync::OnceLock;

use crate::workload::Precision;

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

pub(super) const ROWS: &str = include_str!("../../presets/validation/unseen.csv");

/// One measured step.
#[derive(Clone, Debug, PartialEq)]
pub struct MeasuredPrediction {
    pub set: &'static str,
    pub id: &'static str,
    /// Its publication; of some, with the model.
    pub source: &'static str,
    pub experts: bool,
    pub gpu: &'static str,
    pub precision: Precision,
    pub stack: &'static str,
    /// Its extent, in the order of [`ExtrapolationAxis::ALL`].
    pub extent: [u64; ExtrapolationAxis::ALL.len()],
    /// Share of the peak that it reached with the model's FLOPs.
    pub mfu: f64,
    /// Predicted over measured time, less one, by constants fitted on all fitted rows.
    pub seen: f64,
    /// Measured over predicted time, by constants that had not seen its source.
    pub ratio: f64,
    /// Predicted time of the layout that a spec gets which leaves it open, over the measured time of
    /// the vendor's tuned layout, less one; `None` where nobody tuned it.
    pub chosen: Option<f64>,
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

/// GPUs of one generation: those whose steps are nearest to one another.
const GENERATIONS: [&[&str]; 4] = [
    &["volta", "volta-sxm2"],
    &["ampere"],
    &["hopper", "hopper-500w"],
    &["b200", "b300", "gb200", "gb300"],
];

pub(super) fn gpu_generation(gpu: &str) -> Option<usize> {
    GENERATIONS.iter().position(|texts| texts.contains(&gpu))
}

/// The measured step with the highest MFU on such a GPU in a format of that width, or on one of its
/// generation where none was measured on it; `None` where none was on either.
#[must_use]
pub fn highest_measured_mfu(
    gpu: &str,
    precision: Precision,
) -> Option<&'static MeasuredPrediction> {
    let highest = |is_such_gpu: &dyn Fn(&str) -> bool| {
        let rows = measured_predictions().iter().filter(|row| is_such_gpu(row.gpu));
        rows.filter(|row| is_similar_rate(row.precision, precision))
            .max_by(|one, other| one.mfu.total_cmp(&other.mfu))
    };
    highest(&|measured| measured == gpu).or_else(|| {
        let generation = gpu_generation(gpu)?;
        highest(&|measured| gpu_generation(measured) == Some(generation))
    })
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
    let (set, id, source) = (fields.next()?, fields.next()?, fields.next()?);
    // Its use is for readers of the file.
    let mut fields = fields.skip(1);
    let experts = fields.next()? == "experts";
    let gpu = fields.next()?;
    let precision = Precision::parse(fields.next()?)?;
    let stack = fields.next()?;
    let mut extent = [0; ExtrapolationAxis::ALL.len()];
    for value in &mut extent {
        *value = fields.next()?.parse().ok()?;
    }
    let mfu = fields.next()?.parse().ok()?;
    let seen = fields.next()?.parse().ok()?;
    let unseen: f64 = fields.next()?.parse().ok()?;
    let ratio = 1.0 / (1.0 + unseen);
    let chosen = fields.next().and_then(|text| text.parse().ok());
    Some(MeasuredPrediction {
        set,
        id,
        source,
        experts,
        gpu,
        precision,
        stack,
        extent,
        mfu,
        seen,
        ratio,
        chosen,
    })
}

/// Formats that run at one rate or nearly so: the two of 16 bits, the two of 8.
pub(super) fn is_similar_rate(one: Precision, other: Precision) -> bool {
    one.operand_bytes() == other.operand_bytes()
}

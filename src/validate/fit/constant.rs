//! A fitted constant: where it stands, the range that physics allows it, and what it was before
//! any row was seen. Fits nothing.

use crate::hardware::{Calibration, Gpu};
use crate::units::{FlopRate, Seconds};
use crate::validate::measured_rows::{DataProblem, Record, read_records};
use crate::workload::Framework;

const CONSTANTS: &str = include_str!("../../../presets/validation/constants.csv");

/// A constant of the step-time model that measured rows decide.
#[derive(Clone, Debug)]
pub struct FittedConstant {
    /// Its key in the presets.
    pub key: String,
    /// The calibrations, or the training stacks, that share one value of it.
    pub sets: Vec<ConstantSet>,
    /// Least value that physics allows, in `unit`.
    pub least: f64,
    pub most: f64,
    /// Value from published kernel or collective benchmarks, before any row is seen. It counts as
    /// much as a row or two, and stands alone where no row is left.
    pub prior: f64,
    /// What `least`, `most` and `prior` are in.
    pub unit: String,
    /// Decided by how times grow along series of rows that differ in the number of GPUs only, not
    /// by the times themselves.
    pub by_slopes: bool,
    field: ConstantField,
}

/// A calibration or training stack that a fitted constant stands in.
#[derive(Clone, Debug, PartialEq)]
pub struct ConstantSet {
    pub name: String,
    /// Its value over the one that is fitted, by kernels that were measured on both; 1 where all
    /// share it.
    pub ratio: f64,
}

/// Where a constant stands.
#[derive(Clone, Copy, Debug)]
enum ConstantField {
    Rate(fn(&mut Calibration) -> Option<&mut FlopRate>),
    Time(fn(&mut Calibration) -> &mut Seconds),
    Share(fn(&mut Calibration) -> &mut f64),
    Wait(fn(&mut Calibration) -> &mut Option<Seconds>),
    OfStack(fn(&mut Framework) -> &mut Option<f64>),
}

/// The constants that rows decide, in the order of the file.
pub(super) fn read_constants() -> Result<Vec<FittedConstant>, DataProblem> {
    read_records(CONSTANTS).map(|record| read_constant(&record)).collect()
}

fn read_constant(record: &Record<'_>) -> Result<FittedConstant, DataProblem> {
    let key = record.field_text("constant");
    Ok(FittedConstant {
        key: key.to_owned(),
        sets: read_sets(record)?,
        least: record.field_number("least")?,
        most: record.field_number("most")?,
        prior: record.field_number("prior")?,
        unit: record.field_text("unit").to_owned(),
        by_slopes: record.field_text("by") == "slopes",
        field: constant_field(key, record.field_text("in"))
            .ok_or_else(|| record.field_problem("constant"))?,
    })
}

/// `NAME` or `NAME:RATIO`, with spaces between.
fn read_sets(record: &Record<'_>) -> Result<Vec<ConstantSet>, DataProblem> {
    let read = |text: &str| {
        let (name, ratio) = text.split_once(':').unwrap_or((text, "1"));
        let ratio: f64 = ratio.parse().map_err(|_| record.field_problem("of"))?;
        Ok(ConstantSet { name: name.to_owned(), ratio })
    };
    record.field_text("of").split(' ').map(read).collect()
}

fn constant_field(key: &str, table: &str) -> Option<ConstantField> {
    if table == "framework" {
        return Some(ConstantField::OfStack(match key {
            "tensor_overlap_visible" => |framework| &mut framework.tensor_overlap_visible,
            "sharding_overlap_visible" => |framework| &mut framework.sharding_overlap_visible,
            "context_overlap_visible" => |framework| &mut framework.context_overlap_visible,
            "expert_overlap_visible" => |framework| &mut framework.expert_overlap_visible,
            _ => return None,
        }));
    }
    Some(match key {
        "gemm_bf16" => ConstantField::Rate(|calibration| Some(&mut calibration.gemm_bf16)),
        "gemm_fp8" => ConstantField::Rate(|calibration| calibration.gemm_fp8.as_mut()),
        "gemm_fp4" => ConstantField::Rate(|calibration| calibration.gemm_fp4.as_mut()),
        "kernel_start" => ConstantField::Time(|calibration| &mut calibration.kernel_start),
        "kernel_start_fp8" => ConstantField::Time(|calibration| &mut calibration.kernel_start_fp8),
        "collective_skew" => ConstantField::Time(|calibration| &mut calibration.collective_skew),
        "collective_start" => ConstantField::Time(|calibration| &mut calibration.collective_start),
        "message_start" => ConstantField::Time(|calibration| &mut calibration.message_start),
        "host_step" => ConstantField::Time(|calibration| &mut calibration.host_step),
        "host_block" => ConstantField::Time(|calibration| &mut calibration.host_block),
        "host_experts" => ConstantField::Wait(|calibration| &mut calibration.host_experts),
        "earlier_attention_share" => {
            ConstantField::Share(|calibration| &mut calibration.earlier_attention_share)
        }
        "first_attention_share" => {
            ConstantField::Share(|calibration| &mut calibration.first_attention_share)
        }
        "host_overlapped_block" => {
            ConstantField::Time(|calibration| &mut calibration.host_overlapped_block)
        }
        "expert_start" => ConstantField::Time(|calibration| &mut calibration.expert_start),
        "mxfp8_share" => ConstantField::Share(|calibration| &mut calibration.mxfp8_share),
        "gemm_memory_share" => {
            ConstantField::Share(|calibration| &mut calibration.gemm_memory_share)
        }
        "elementwise_share" => {
            ConstantField::Share(|calibration| &mut calibration.elementwise_share)
        }
        "attention_forward_share" => {
            ConstantField::Share(|calibration| &mut calibration.attention_forward_share)
        }
        "attention_backward_share" => {
            ConstantField::Share(|calibration| &mut calibration.attention_backward_share)
        }
        "attention_fp8_gain" => {
            ConstantField::Share(|calibration| &mut calibration.attention_fp8_gain)
        }
        "scan_share" => ConstantField::Share(|calibration| &mut calibration.scan_share),
        "jitter_per_doubling" => {
            ConstantField::Share(|calibration| &mut calibration.jitter_per_doubling)
        }
        "tensor_overlap_visible" => {
            ConstantField::Share(|calibration| &mut calibration.tensor_overlap_visible)
        }
        "context_overlap_visible" => {
            ConstantField::Share(|calibration| &mut calibration.context_overlap_visible)
        }
        "expert_overlap_visible" => {
            ConstantField::Share(|calibration| &mut calibration.expert_overlap_visible)
        }
        "hb_share" => ConstantField::Share(|calibration| &mut calibration.hb_share),
        "nic_share" => ConstantField::Share(|calibration| &mut calibration.nic_share),
        "data_overlap_visible" => {
            ConstantField::Share(|calibration| &mut calibration.data_overlap_visible)
        }
        "data_overlap_window" => {
            ConstantField::Share(|calibration| &mut calibration.data_overlap_window)
        }
        "sharding_overlap_visible" => {
            ConstantField::Share(|calibration| &mut calibration.sharding_overlap_visible)
        }
        _ => return None,
    })
}

/// Base units (FLOP/s, seconds) of one of the file's (TFLOP/s, microseconds).
const TERA: f64 = 1e12;
const MICRO: f64 = 1e-6;
/// Share of its range within which a value stands at the end of it.
pub(super) const END: f64 = 0.005;

impl FittedConstant {
    /// Writes the value where the constant applies to that GPU or stack, and answers what stood
    /// there; `None`, with nothing written, where it does not apply.
    pub(super) fn set_value(
        &self,
        gpu: &mut Gpu,
        stack: &mut Framework,
        value: f64,
    ) -> Option<f64> {
        let constants = &mut gpu.calibration;
        let set = |name: &str| self.sets.iter().find(|set| set.name == name);
        if let ConstantField::OfStack(at) = self.field {
            return set(&stack.name).map(|_| at(stack).replace(value).unwrap_or(value));
        }
        let ratio = set(&constants.name)?.ratio;
        let value = value * ratio;
        let before = match self.field {
            ConstantField::Rate(at) => at(constants)
                .map(|rate| std::mem::replace(rate, FlopRate::from_f64(value * TERA)).get() / TERA),
            ConstantField::Time(at) => Some(
                std::mem::replace(at(constants), Seconds::from_f64(value * MICRO)).get() / MICRO,
            ),
            ConstantField::Share(at) => Some(std::mem::replace(at(constants), value)),
            ConstantField::Wait(at) => {
                let before = at(constants).replace(Seconds::from_f64(value * MICRO));
                Some(before.map_or(value, |time| time.get() / MICRO))
            }
            ConstantField::OfStack(_) => None,
        };
        before.map(|before| before / ratio)
    }

    /// Whether a value stands at an end of what physics allows: the rows would have it beyond. None
    /// of a time is an end of nothing.
    pub(super) fn is_at_end(&self, value: f64) -> bool {
        let room = if self.least > 0.0 { value - self.least } else { f64::INFINITY };
        room.min(self.most - value) < END * (self.most - self.least)
    }

    /// A value as the presets write it.
    #[must_use]
    pub fn as_spec_text(&self, value: f64) -> String {
        let digits = if value >= 100.0 {
            0
        } else if value >= 1.0 {
            2
        } else {
            4
        };
        format!("{value:.digits$} {}", self.unit).trim_end().to_owned()
    }
}

/// Constants that a user's own steps may move, on that GPU, from what it has: those that a handful
/// of steps can tell, within what physics allows.
pub(super) fn constants_for_calibration(gpu: &Gpu) -> Vec<FittedConstant> {
    /// Least share of a peak that large multiplications reach.
    const LEAST: f64 = 0.05;
    let peaks = &gpu.peaks;
    let rates = [("gemm_bf16", peaks.bf16), ("gemm_fp8", peaks.fp8), ("gemm_fp4", peaks.fp4)];
    let rates = rates.into_iter().filter_map(|(key, peak)| {
        let peak = peak?.get() / TERA;
        Some((key, LEAST * peak, peak, "TFLOP/s"))
    });
    let rest = [
        ("elementwise_share", 0.1, 1.0, ""),
        ("hb_share", 0.1, 1.0, ""),
        ("nic_share", 0.1, 1.0, ""),
        ("host_block", 0.0, 20_000.0, "us"),
        ("expert_start", 0.0, 200.0, "us"),
    ];
    rates
        .chain(rest)
        .filter_map(|(key, least, most, unit)| {
            let mut constant = FittedConstant {
                key: key.to_owned(),
                sets: vec![ConstantSet { name: gpu.calibration.name.clone(), ratio: 1.0 }],
                least,
                most,
                prior: least,
                unit: unit.to_owned(),
                by_slopes: false,
                field: constant_field(key, "calibration")?,
            };
            let stack = &mut Framework::new_without_features("own");
            constant.prior = constant.set_value(&mut gpu.clone(), stack, least)?.clamp(least, most);
            Some(constant)
        })
        .collect()
}

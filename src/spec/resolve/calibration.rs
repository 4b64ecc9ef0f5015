//! The constants of the step-time model: a set by name, and what it says of a GPU.

use super::context::Context;
use super::shelf::{Shelf, part_asker};
use crate::hardware::{Calibration, Gpu, Peaks};
use crate::spec::document::TextPlace;
use crate::spec::reader::Reader;
use crate::units::FlopRate;

/// The set of a GPU of which no step was measured, nor of any near it.
const UNMEASURED: &str = "unmeasured";

/// The constants of a GPU. Rates that were measured on another GPU, whose peaks differ, are taken
/// as shares of peak; where the spec names no set, the least shares that any measured generation
/// reaches. That is an assumption, and the constants say so.
pub(super) fn resolve_gpu_calibration(
    shelf: &Shelf,
    context: &mut Context<'_>,
    gpu: &Reader<'_>,
    own: &Peaks,
) -> Option<Calibration> {
    check_peak_rates(context, gpu, own);
    let named = gpu.read_text("calibration");
    let set = named.unwrap_or(UNMEASURED);
    let asked = named.and_then(|_| part_asker(gpu, "calibration"));
    let constants = resolve_calibration(shelf, context, set, asked)?;
    let source = shelf.calibrations.part_reader(set)?;
    let measured = match source.read_text("gpu") {
        None => None,
        // A shipped set was measured on the GPU as it ships, whatever the spec makes of that.
        Some(name) => match context.presets.entries_of_kind("gpus").get(name) {
            Some(entry) if !shelf.calibrations.is_own(set) => Some((
                name,
                Peaks::read(&Reader::new(entry.value.as_table()?, &Gpu::SECTION, name, None))?,
            )),
            _ => {
                let asked = part_asker(&source, "gpu");
                Some((name, Peaks::read(&shelf.gpus.find_part(context, name, asked)?)?))
            }
        },
    };
    let limit = measured.as_ref().map_or(own, |(_, peaks)| peaks);
    if let Some((key, rate, peak)) = constants.rate_above_peak(limit) {
        let message =
            format!("{} is more than the peak, {}", format_flop_rate(rate), format_flop_rate(peak));
        let hint = "name the GPU that it was measured on as `gpu`; of another one its share of \
                    peak is taken";
        context.report_contradiction(&source, key, message, hint);
        return None;
    }
    let Some((name, measured)) = measured else { return Some(constants) };
    if named.is_some() && measured == *own {
        return Some(constants);
    }
    let text = match named {
        Some(_) => {
            format!("{set}: shares of its own peaks as `{name}` reaches; no step was measured")
        }
        None => format!("{set}: the least shares of peak that any measured GPU reaches"),
    };
    context.note_assumption(gpu.path_of("calibration"), text);
    Some(constants.scale_to_gpu(own, &measured, name))
}

/// Reports peaks that contradict each other: parts of a step in few bits run in 16, and a narrow
/// format that is slower than a wide one is of no use.
fn check_peak_rates(context: &mut Context<'_>, gpu: &Reader<'_>, peaks: &Peaks) {
    let narrow = [("peak_fp8", peaks.fp8), ("peak_fp4", peaks.fp4)];
    let mut wide = ("peak_bf16", peaks.bf16);
    for (key, peak) in narrow {
        let Some(peak) = peak else { continue };
        let Some(wider) = wide.1 else {
            let message = "no 16-bit peak beside it".to_owned();
            let hint = "state `peak_bf16` too: parts of a step in fewer bits run in 16";
            return context.report_contradiction(gpu, key, message, hint);
        };
        if peak < wider {
            let message = format!(
                "{} is less than `{}`, {}",
                format_flop_rate(peak),
                wide.0,
                format_flop_rate(wider)
            );
            let hint = "leave a format out that is slower than a wider one";
            context.report_contradiction(gpu, key, message, hint);
        }
        wide = (key, Some(peak));
    }
}

fn format_flop_rate(rate: FlopRate) -> String {
    format!("{} TFLOP/s", rate.as_tera())
}

/// The calibration of that name; `asked` is who wants it.
fn resolve_calibration(
    shelf: &Shelf,
    context: &mut Context<'_>,
    name: &str,
    asked: Option<(String, TextPlace)>,
) -> Option<Calibration> {
    let reader = shelf.calibrations.find_part(context, name, asked)?;
    Calibration::read(&reader, name.to_owned(), None)
}

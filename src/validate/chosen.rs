//! Chosen against tuned: what a spec that leaves the layout open gets for a job whose layout its
//! vendor tuned and measured.

use std::borrow::Cow;

use super::case::ValidationCase;
use super::run::TimedStep;
use crate::parallel::{LayoutRequest, Schedule};
use crate::search::{
    Effort, LayoutCount, Question, RankBy, RankingRequest, Space, search_open_layouts,
};
use crate::units::Seconds;
use crate::workload::Techniques;

/// Sets whose layouts were tuned by those who published them.
const TUNED: [&str; 8] = [
    "megatron-bridge",
    "megatron-bridge-moe",
    "megatron-bridge-gpt-oss",
    "megatron-bridge-hybrid",
    "nemo-h100",
    "nemo-gb200",
    "nemo-experts",
    "nemo-2025",
];

/// Nothing said of the layout; the rest by the defaults of a spec.
const ALL_OPEN: LayoutRequest = LayoutRequest {
    tensor: None,
    pipeline: None,
    data: None,
    context: None,
    expert: None,
    expert_tensor: None,
    interleave: None,
    sequence_parallel: None,
    zero: None,
    shard: None,
    order: None,
    schedule: Schedule::OneFOneB,
    beyond_measured: 0.1,
    spare_memory: 0.02,
    micro_batch: None,
    recompute: None,
    replaced: None,
};

/// Predicted time of the layout that is chosen for the job of a row; `None` where its layout was
/// tuned by nobody, or no layout fits.
pub(super) fn chosen_step_time(
    set: &str,
    case: &ValidationCase,
    timed: &TimedStep,
) -> Option<Seconds> {
    if !TUNED.contains(&set) {
        return None;
    }
    let mut gpu = Cow::Borrowed(&timed.gpu);
    if timed.machine_rate < 1.0 {
        gpu.to_mut().calibration.slow_multiplications(timed.machine_rate);
    }
    let gpus = u32::try_from(case.layout.gpus()).ok()?;
    let question = Question {
        model: &case.model,
        training: &case.training,
        framework: &timed.stack,
        techniques: &Techniques::NONE,
        gpu: &gpu,
        network: &timed.network,
        gpus,
        longest_step: Seconds::ENDLESS,
    };
    let space = Space::from_request(&ALL_OPEN, &case.model, &case.training, gpus);
    let fastest = RankingRequest { top: 1, by: RankBy::StepTime };
    let (effort, counted) = (Effort::SINGLE, LayoutCount::Shorter);
    let open = search_open_layouts(&question, &space, &ALL_OPEN, fastest, &effort, counted).ok()?;
    open.found.best.first().map(|chosen| chosen.pace)
}

//! Seconds: what one step takes on a given network. It counts no bytes of its own; every byte
//! comes from the step's communications and the collective algorithms.

mod block_time;
mod call_volumes;
mod clock;
mod collective;
mod counted_volumes;
mod efficiency;
mod kernel;
mod measured_step;
mod nccl_call;
mod network;
mod pipeline;
mod prediction_interval;
mod stage_work;
mod step_cache;
mod step_time;

pub use block_time::BlockTimes;
pub use clock::{Clock, shortest_step_time, step_time, step_time_with};
pub use collective::GrantedCall;
pub use efficiency::{
    Efficiency, TokenWork, hardware_flops, model_flops, step_efficiency, work_of_a_token,
};
pub use measured_step::{
    ExtrapolationAxis, MeasuredPrediction, StepKind, highest_measured_mfu, measured_predictions,
};
pub use nccl_call::{CHANNELS_OVER_STEPS, measured_call_time};
pub use network::{NetworkModel, Seating, UplinkBalance, expected_max_load};
pub use pipeline::{PipelineTurn, StepPace};
pub use prediction_interval::{Interval, MeasuredGroup, max_measured_extents};
pub use stage_work::{StageWork, optimizer_bytes};
pub use step_cache::StepCache;
pub use step_time::{CallTime, Exposed, LinkBusyTime, MicroBatchTimes, StepTime};

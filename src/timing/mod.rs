//! Seconds: what one step takes on a given network. It counts no bytes of its own; every byte
//! comes from the step's communications and the collective algorithms.

mod balance;
mod block_kernels;
mod block_time;
mod cache;
mod call;
mod clock;
mod collective;
mod counted;
mod efficiency;
mod fixed;
mod fullest;
mod interval;
mod kernel;
mod kind;
mod known;
mod measured;
mod messages;
mod network;
mod pipeline;
mod seating;
mod stage_work;
mod step_time;
mod wires;

pub use balance::UplinkBalance;
pub use block_time::BlockTimes;
pub use cache::StepCache;
pub use call::{CallTime, LinkBusyTime};
pub use clock::{Clock, PipelineTurn, StepPace, shortest_step_time, step_time, step_time_with};
pub use collective::GrantedCall;
pub use efficiency::{
    Efficiency, TokenWork, hardware_flops, model_flops, step_efficiency, work_of_a_token,
};
pub use fullest::expected_max_load;
pub use interval::{Interval, max_measured_extents};
pub use kind::{ExtrapolationAxis, StepKind};
pub use measured::{MeasuredPrediction, measured_predictions};
pub use network::NetworkModel;
pub use seating::Seating;
pub use stage_work::{StageWork, optimizer_bytes};
pub use step_time::{Exposed, MicroBatchTimes, StepTime};

//! Seconds: what one step takes on a given network. It counts no bytes of its own; every byte
//! comes from the step's communications and the collective algorithms.

mod block_time;
mod call;
mod clock;
mod collective;
mod cuts;
mod efficiency;
mod kernel;
mod network;
mod pipeline;
mod seating;
mod stage_work;
mod step_time;

pub use block_time::BlockTimes;
pub use call::{Busy, Call};
pub use clock::{Clock, Pace, Turn, step_time, step_time_with};
pub use cuts::Cuts;
pub use efficiency::{Efficiency, efficiency, hardware_flops, model_flops, work_of_a_token};
pub use network::Network;
pub use seating::Seating;
pub use stage_work::StageWork;
pub use step_time::{Exposed, Paces, StepTime};

//! The time of a step, and the pieces that it is put together from. A piece depends on few of
//! a layout's degrees, so a search keeps each and only assembles.

use super::block_time::{BlockTime, BlockTimes, block_times};
use super::collective::Wires;
use super::kernel::Machine;
use super::pipeline::{self, Flow, Stages};
use super::stage_work::{StageWork, stage_works};
use super::{Exposed, Network, StepTime};
use crate::collective::Policy;
use crate::hardware::Gpu;
use crate::parallel::Layout;
use crate::step::{Cadence, Step, TrafficKind};
use crate::units::Seconds;
use crate::workload::Framework;

/// Time of one step on a network, by part.
///
/// The pace-setting GPU sits on the slowest stage: its kernels and exposed communication count
/// once per micro-batch, what the pipeline adds is bubble and messages.
#[must_use]
pub fn step_time(step: &Step, gpu: &Gpu, network: &Network, framework: &Framework) -> StepTime {
    let clock = Clock::new(gpu, network, framework);
    let wires = clock.wires(step);
    let run = Run {
        blocks: &clock.blocks_on(&wires, step),
        stages: &clock.stages_on(&wires, step),
        message: clock.message_on(&wires, step),
        micro_batches: step.micro_batches,
    };
    clock.assemble(&run, &step.layout)
}

/// A GPU, a network and a training stack: what times any step.
#[derive(Clone, Copy)]
pub struct Clock<'a> {
    machine: Machine<'a>,
    network: &'a Network,
    framework: &'a Framework,
}

/// The pieces of one step.
#[derive(Clone, Copy, Debug)]
pub struct Run<'a> {
    /// Time of each kind of block.
    pub blocks: &'a BlockTimes,
    /// The stages by content.
    pub stages: &'a [StageWork],
    /// Time of a message between stages.
    pub message: Seconds,
    /// Micro-batches of one pipeline.
    pub micro_batches: u64,
}

impl<'a> Clock<'a> {
    /// A clock for steps of that framework on those machines.
    #[must_use]
    pub const fn new(gpu: &'a Gpu, network: &'a Network, framework: &'a Framework) -> Self {
        Self { machine: Machine::new(gpu, !framework.overheads), network, framework }
    }

    /// Time of each kind of block: follows from the tensor, context and expert degrees, the
    /// micro-batch, sequence parallelism and recomputation, and from how their groups lie.
    #[must_use]
    pub fn blocks(&self, step: &Step) -> BlockTimes {
        self.blocks_on(&self.wires(step), step)
    }

    /// The stages by content: follows from all degrees and ZeRO, not from the micro-batch,
    /// interleaving or recomputation.
    #[must_use]
    pub fn stages(&self, step: &Step) -> Vec<StageWork> {
        self.stages_on(&self.wires(step), step)
    }

    /// Time of one message between stages: under way, and put together where it was split.
    #[must_use]
    pub fn message(&self, step: &Step) -> Seconds {
        self.message_on(&self.wires(step), step)
    }

    /// What the clock takes for granted of the network in one call of each communication: the
    /// algorithms that run, and the longest time over all stages of the bytes between domains at
    /// full rate of all links. Routing holds a fabric against it.
    #[must_use]
    pub fn granted(&self, step: &Step) -> Vec<(Policy, Seconds)> {
        let wires = self.wires(step);
        step.communications.iter().map(|of| wires.granted(of)).collect()
    }

    fn wires<'b>(&'b self, step: &'b Step) -> Wires<'b> {
        Wires::new(self.network, step, self.framework)
    }

    fn blocks_on(&self, wires: &Wires<'_>, step: &Step) -> BlockTimes {
        block_times(&self.machine, wires, self.framework, step)
    }

    fn stages_on(&self, wires: &Wires<'_>, step: &Step) -> Vec<StageWork> {
        stage_works(&self.machine, wires, self.framework, step)
    }

    fn message_on(&self, wires: &Wires<'_>, step: &Step) -> Seconds {
        let longest = |wanted: fn(&Cadence) -> bool| {
            step.communications
                .iter()
                .filter(|of| wanted(&of.cadence))
                .flat_map(|of| (0..step.stages.len()).map(move |stage| (of, stage)))
                .map(|(of, stage)| wires.seconds(&self.machine, of, stage))
                .fold(Seconds::ZERO, Seconds::max)
        };
        longest(|cadence| matches!(cadence, Cadence::PerBoundary { .. }))
            + longest(|cadence| matches!(cadence, Cadence::PerArrival { .. }))
    }

    /// The time of the step whose pieces these are. Allocates nothing.
    #[must_use]
    pub fn assemble(&self, run: &Run<'_>, layout: &Layout) -> StepTime {
        let mut slowest = BlockTime::default();
        let mut sum = Seconds::ZERO;
        let mut once = Exposed::default();
        let mut optimizer = Seconds::ZERO;
        for stage in run.stages {
            let time = stage.micro_batch(run.blocks, &self.machine);
            sum += time.total() * f64::from(stage.alike());
            let seen = stage.once(&time, &self.machine);
            if seen.total() > once.total() {
                once = seen;
            }
            if time.total() > slowest.total() {
                slowest = time;
            }
            optimizer = optimizer.max(stage.optimizer(&seen));
        }
        let stages = Stages {
            count: layout.pipeline,
            slowest: slowest.total(),
            sum,
            weight_gradient: slowest.weight_gradient,
        };
        let flow = Flow {
            schedule: layout.schedule,
            micro_batches: run.micro_batches,
            chunks: layout.interleave,
            message: run.message,
            overlapped: self.framework.overlap_pipeline,
        };
        let whole = pipeline::duration(&stages, &flow);
        let quiet = pipeline::duration(&stages, &Flow { message: Seconds::ZERO, ..flow });
        let m = run.micro_batches as f64;
        let mut exposed = once;
        exposed.add_scaled(&slowest.forward.exposed, m);
        exposed.add_scaled(&slowest.backward.exposed, m);
        exposed.add(TrafficKind::Pipeline, whole - quiet);
        let mut time = StepTime {
            compute: (slowest.forward.compute + slowest.backward.compute) * m,
            exposed,
            bubble: quiet - stages.slowest * m,
            optimizer,
            host: slowest.host * m,
            stragglers: Seconds::ZERO,
        };
        time.stragglers = self.stragglers(layout.gpus(), time.total());
        time
    }

    /// What many GPUs cost besides: the slowest of n sets the pace, which grows with every
    /// doubling beyond one domain; and the production factor.
    fn stragglers(&self, gpus: u64, base: Seconds) -> Seconds {
        let domains = gpus as f64 / f64::from(self.network.domain.max(1));
        let jitter = if self.machine.is_ideal() || domains <= 1.0 {
            0.0
        } else {
            self.machine.calibration().jitter_per_doubling * domains.log2()
        };
        base * ((1.0 + jitter) * self.framework.production_factor - 1.0)
    }
}

//! The time of a step, and the pieces that it is put together from. A piece depends on few of
//! a layout's degrees, so a search keeps each and only assembles.

use super::block_time::{BlockTime, BlockTimes, block_times, silent_block_times};
use super::call_volumes::RankVolumes;
use super::collective::GrantedCall;
use super::kernel::GpuClock;
use super::pipeline::{
    self, PipelineMessages, PipelineTurn, StepPace, displaced_data_time, pipeline_stage_times,
};
use super::stage_work::{OncePerStep, StageWork, stage_work_without_calls, stage_works};
use super::step_cache::{FabricIndependentTimes, StepCache, message_stages, stage_messages};
use super::step_time::CallTime;
use super::{MicroBatchTimes, NetworkModel, StepTime};
use crate::hardware::Gpu;
use crate::parallel::Seats;
use crate::step::{Step, TrafficKind};
use crate::units::Seconds;
use crate::workload::Framework;

/// Time of one step on a network, by part.
///
/// The pace-setting GPU sits on the slowest stage: its kernels and exposed communication count
/// once per micro-batch, what the pipeline adds is bubble and messages.
#[must_use]
pub fn step_time(
    step: &Step,
    gpu: &Gpu,
    network: &NetworkModel,
    framework: &Framework,
) -> StepTime {
    step_time_with(step, gpu, network, framework, &StepCache::default())
}

/// Time of one step with what was computed before, of this step on such machines.
#[must_use]
pub fn step_time_with(
    step: &Step,
    gpu: &Gpu,
    network: &NetworkModel,
    framework: &Framework,
    cache: &StepCache,
) -> StepTime {
    Clock::new(gpu, network, framework).with_cache(cache).time_step(step)
}

/// Time of one step on the GPUs of a domain that make it shortest: those that domain borders cut
/// evenly, or all of them.
#[must_use]
pub fn shortest_step_time(
    step: &Step,
    gpu: &Gpu,
    network: &NetworkModel,
    framework: &Framework,
) -> StepTime {
    let placed = |seats| NetworkModel { seats, ..network.clone() };
    let [even, most] = Seats::ALL.map(|seats| step_time(step, gpu, &placed(seats), framework));
    if most.total_time() < even.total_time() { most } else { even }
}

/// A GPU, a network and a training stack: what times any step.
#[derive(Clone, Copy)]
pub struct Clock<'a> {
    machine: GpuClock<'a>,
    network: &'a NetworkModel,
    framework: &'a Framework,
    /// Of one step; `None` where every step is another one.
    cache: Option<&'a StepCache>,
    strain: &'a [f64],
}

impl<'a> Clock<'a> {
    /// A clock for steps of that framework on those machines.
    #[must_use]
    pub const fn new(gpu: &'a Gpu, network: &'a NetworkModel, framework: &'a Framework) -> Self {
        let machine = GpuClock::new(gpu, framework);
        Self { machine, network, framework, cache: None, strain: &[] }
    }

    /// The clock with what was computed before, for one step on such machines.
    #[must_use]
    pub const fn with_cache(self, cache: &'a StepCache) -> Self {
        Self { cache: Some(cache), ..self }
    }

    /// The clock on a network on which the bytes between domains of each of the step's
    /// communications take so many times as long; those beyond the list as long as ever.
    #[must_use]
    pub const fn with_correction_factors(self, strain: &'a [f64]) -> Self {
        Self { strain, ..self }
    }

    /// Time of one step, by part.
    #[must_use]
    pub fn time_step(&self, step: &Step) -> StepTime {
        let wires = self.rank_volumes(step);
        let pace =
            self.combine_stage_times(&self.blocks_on(&wires, step), &self.stages_on(&wires, step));
        let message = match self.cached_independent_times(step) {
            Some(fixed) => self.message_on(&wires, step, &fixed.message_stages),
            None => self.message_on(&wires, step, &message_stages(&wires, step)),
        };
        self.step_time_by_part(&pace, &PipelineTurn::new(&step.layout, step.micro_batches, message))
    }

    /// Time of each kind of block: follows from the tensor, context and expert degrees, the
    /// micro-batch, sequence parallelism and recomputation, and from how their groups lie.
    #[must_use]
    pub fn time_blocks(&self, step: &Step) -> BlockTimes {
        self.blocks_on(&self.rank_volumes(step), step)
    }

    /// The stages by content: follows from all degrees, ZeRO and virtual stages, not from the
    /// micro-batch or recomputation.
    #[must_use]
    pub fn stages_by_content(&self, step: &Step) -> Vec<StageWork> {
        self.stages_on(&self.rank_volumes(step), step)
    }

    /// [`Clock::stages_by_content`] as if they sent nothing, waited for nothing from the host and had no optimizer: no stage
    /// takes less than that. Copies are left out, as they and the host hide behind the same
    /// communication; true where a stage waits for some.
    #[must_use]
    pub(crate) fn stages_without_calls(&self, step: &Step) -> (Vec<StageWork>, bool) {
        let stages = stage_work_without_calls(&self.machine, self.framework, step);
        let swaps = stages.iter().any(|(_, work)| work.is_waiting_for_host());
        let silent = |(_, work): (usize, StageWork)| work.without_optimizer().without_swap();
        (stages.into_iter().map(silent).collect(), swaps)
    }

    /// [`Clock::time_blocks`] as if they sent nothing: no block takes less than that.
    #[must_use]
    pub(crate) fn silent_blocks(&self, step: &Step) -> BlockTimes {
        silent_block_times(&self.machine, self.framework, step)
    }

    /// Stages that send or receive messages unlike any stage before them: the slowest message is
    /// that of one of these, whatever its size.
    #[must_use]
    pub fn message_stages(&self, step: &Step) -> Vec<usize> {
        message_stages(&self.rank_volumes(step), step)
    }

    /// One message between stages: under way, and put together where it was split; the slowest
    /// of those of `stages`.
    #[must_use]
    pub fn stage_message_time(&self, step: &Step, stages: &[usize]) -> CallTime {
        self.message_on(&self.rank_volumes(step), step, stages)
    }

    /// What the clock takes for granted of the network in one call of each communication. Routing
    /// holds a fabric against it.
    #[must_use]
    pub fn assumed_call_times(&self, step: &Step) -> Vec<GrantedCall> {
        let wires = self.rank_volumes(step);
        step.communications
            .iter()
            .map(|communication| {
                let granted = wires.assumed_call_time(communication);
                GrantedCall {
                    time: granted.time * wires.correction_factor(communication),
                    ..granted
                }
            })
            .collect()
    }

    /// What no fabric changes in a step.
    fn fabric_independent_times(&self, step: &Step) -> FabricIndependentTimes {
        let wires = RankVolumes::new(self.network, step, self.framework);
        FabricIndependentTimes::new(&self.machine, &wires, self.framework, step)
    }

    /// That, where a cache keeps it.
    fn cached_independent_times(&self, step: &Step) -> Option<&'a FabricIndependentTimes> {
        self.cache
            .map(|cache| cache.fabric_independent_times(|| self.fabric_independent_times(step)))
    }

    fn rank_volumes<'b>(&'b self, step: &'b Step) -> RankVolumes<'b> {
        let unknowing = || RankVolumes::new(self.network, step, self.framework);
        let wires = match self.cache {
            Some(cache) => {
                let known =
                    &cache.fabric_independent_times(|| self.fabric_independent_times(step)).known;
                RankVolumes::with_known_calls(
                    self.network,
                    step,
                    self.framework,
                    &cache.counted,
                    known,
                )
            }
            None => unknowing(),
        };
        wires.with_correction_factors(self.strain)
    }

    fn blocks_on(&self, wires: &RankVolumes<'_>, step: &Step) -> BlockTimes {
        let known = self.cached_independent_times(step).map(|fixed| &fixed.blocks[..]);
        block_times(&self.machine, wires, self.framework, step, known)
    }

    fn stages_on(&self, wires: &RankVolumes<'_>, step: &Step) -> Vec<StageWork> {
        let known = self.cached_independent_times(step).map(|fixed| &fixed.stages[..]);
        stage_works(&self.machine, wires, self.framework, step, known)
    }

    fn message_on(&self, wires: &RankVolumes<'_>, step: &Step, stages: &[usize]) -> CallTime {
        let mut longest = [CallTime::default(); 2];
        for (communication, part) in stage_messages(step) {
            for stage in stages {
                let call = wires.call_time(&self.machine, communication, *stage);
                if call.time > longest[part].time {
                    longest[part] = call;
                }
            }
        }
        let [mut both, together] = longest;
        both.add_scaled(&together, 1.0);
        both
    }

    /// What the stages of a step take, from its pieces. Allocates nothing.
    #[must_use]
    pub fn combine_stage_times(&self, blocks: &BlockTimes, stages: &[StageWork]) -> StepPace {
        let mut pace = StepPace {
            slowest: BlockTime::default(),
            layers: 0,
            sum: Seconds::ZERO,
            once: OncePerStep::default(),
            optimizer: Seconds::ZERO,
        };
        for stage in stages {
            let time = stage.micro_batch(blocks, &self.machine, self.framework);
            pace.sum += time.total_time() * f64::from(stage.stage_count());
            let once = stage.once_per_step(&time, &self.machine);
            if once.seen.total_time() > pace.once.seen.total_time() {
                pace.once = once;
            }
            if time.total_time() > pace.slowest.total_time() {
                pace.slowest = time;
                pace.layers = stage.layers_per_stage();
            }
            pace.optimizer = pace.optimizer.max(stage.exposed_optimizer_time(&once.seen));
        }
        pace
    }

    /// The time of the step of that pace and turn. Allocates nothing.
    #[must_use]
    pub fn step_time_by_part(&self, pace: &StepPace, turn: &PipelineTurn) -> StepTime {
        let flow = self.pipeline_messages(pace, turn);
        let stages = pipeline_stage_times(pace, turn);
        let none = PipelineMessages { message: Seconds::ZERO, queue: Seconds::ZERO, ..flow };
        let whole = pipeline::pipeline_duration(&stages, &flow);
        let quiet = pipeline::pipeline_duration(&stages, &none);
        let m = flow.micro_batches as f64;
        let slowest = &pace.slowest;
        let mut exposed = pace.once.seen;
        exposed.add_scaled(&slowest.forward.exposed, m);
        exposed.add_scaled(&slowest.backward.exposed, m);
        exposed.add(TrafficKind::Pipeline, whole - quiet);
        exposed.add(TrafficKind::Data, displaced_data_time(pace, turn));
        let busy = pace.micro_batch_link_time();
        let mut time = StepTime {
            compute: (slowest.forward.compute + slowest.backward.compute) * m,
            exposed,
            bubble: quiet - stages.slowest * m,
            optimizer: pace.optimizer,
            host: slowest.host * m + self.machine.host_step_time(),
            swap: slowest.swap * m,
            stragglers: Seconds::ZERO,
            interfaces_busy: (busy.across
                + turn.message.busy.across * turn.messages_per_micro_batch())
                * m
                + pace.once.busy.across,
            paces: MicroBatchTimes {
                slowest: stages.slowest,
                sum: stages.sum,
                weight_gradient: stages.weight_gradient,
                largest_chunk: pipeline::largest_chunk(stages.layers, flow.chunks.max(1)),
            },
        };
        time.stragglers = time.total_time() * self.straggler_share(turn.gpus);
        time
    }

    /// The total of [`Clock::step_time_by_part`] without its parts, up to the rounding of their
    /// sum.
    #[must_use]
    pub fn total_step_time(&self, pace: &StepPace, turn: &PipelineTurn) -> Seconds {
        let pipeline = pipeline::pipeline_duration(
            &pipeline_stage_times(pace, turn),
            &self.pipeline_messages(pace, turn),
        );
        let once = pace.once.seen.total_time() + displaced_data_time(pace, turn);
        let alone = once + pace.optimizer + self.machine.host_step_time();
        (pipeline + alone) * (1.0 + self.straggler_share(turn.gpus))
    }

    /// What no step of that pace is faster than, whatever its schedule and messages: each stage
    /// runs its micro-batches one after another.
    pub(crate) fn step_time_lower_bound(&self, pace: &StepPace, turn: &PipelineTurn) -> Seconds {
        let slowest = pace.slowest.total_time() * turn.flow.micro_batches as f64;
        let once = pace.once.seen.total_time();
        let alone = once + pace.optimizer + self.machine.host_step_time();
        (slowest + alone) * (1.0 + self.straggler_share(turn.gpus))
    }

    /// What no step of that turn takes less than on any network, of the pace of silent blocks and
    /// stages;
    /// [`Clock::with_straggler_share`] its GPUs.
    pub(crate) fn step_time_without_network(pace: &StepPace, turn: &PipelineTurn) -> Seconds {
        pipeline::duration_lower_bound(&pipeline_stage_times(pace, turn), &turn.flow)
    }

    /// Time of a step of so many GPUs that takes that long where none is slower than the others.
    pub(crate) fn with_straggler_share(&self, gpus: u64, time: Seconds) -> Seconds {
        time * (1.0 + self.straggler_share(gpus))
    }

    /// Where links are so busy with a micro-batch that its messages find no time beside compute,
    /// they queue.
    fn pipeline_messages(&self, pace: &StepPace, turn: &PipelineTurn) -> PipelineMessages {
        let mut busy = pace.micro_batch_link_time();
        busy.add_scaled(&turn.message.busy, turn.messages_per_micro_batch());
        let queue = busy.time_beyond(pace.slowest.total_time());
        PipelineMessages { overlapped: self.framework.overlap_pipeline, queue, ..turn.flow }
    }

    /// What many GPUs cost besides, as a share of the rest: the slowest of n sets the pace, which
    /// grows with every doubling beyond one domain; and the production factor.
    fn straggler_share(&self, gpus: u64) -> f64 {
        let domains = gpus as f64 / f64::from(self.network.domain.max(1));
        let jitter = if self.machine.has_ideal_rates() || domains <= 1.0 {
            0.0
        } else {
            self.machine.calibration().jitter_per_doubling * domains.log2()
        };
        (1.0 + jitter) * self.framework.production_factor - 1.0
    }
}

//! `JobRun`: one workload in one layout on a machine; fewer ports; phases.

use std::borrow::Cow;
use std::sync::Arc;

use super::fleet::domain_count;
use super::infeasible::Infeasible;
use super::layout_search::best_unused_layout;
use super::machine::{Level, Machine};
use super::step_times::{KnownTimes, LevelCorrections, LevelKey, PhaseRun, level_key};
use crate::collective::{GroupSpread, Policy, call_volumes};
use crate::hardware::Nic;
use crate::memory::{Memory, memory_ledger};
use crate::parallel::{Group, Layout, LayoutProblem, Placed, Placement, Seats};
use crate::routing::Messages;
use crate::scenario::{Scenario, Workload};
use crate::search::BetterUnusedLayout;
use crate::step::Step;
use crate::technique::Recipe;
use crate::timing::{Clock, GrantedCall, NetworkModel, StepCache, StepTime, model_flops};
use crate::units::{Bytes, Flops, Seconds};
use crate::workload::Technique;

/// A workload that fits a machine.
#[derive(Clone, Debug)]
pub(crate) struct JobRun<'a> {
    /// Of the scenario; one of its own where the run is of another job than that asks for.
    pub(crate) workload: Cow<'a, Workload>,
    pub(crate) machine: Machine<'a>,
    /// How many GPUs of a domain it uses.
    pub(crate) seats: Seats,
    pub(crate) step: Step,
    /// Of a training run with several; none where all steps are alike.
    pub(crate) phases: Vec<PhaseRun>,
    pub(crate) memory: Memory,
    /// Least bandwidth across rails over that of the NICs (σ) that a fabric needs: nothing where
    /// the HB domain forwards all messages to the right rail.
    pub(crate) least_across: f64,
    /// What was computed of the step, for all fabrics together.
    pub(crate) cache: Arc<StepCache>,
    /// Its pace with some ports of its NICs of all that they have, on a network that never blocks.
    pub(crate) port_times: Arc<KnownTimes<(u32, u32)>>,
    /// Its pace by the clock alone, by the level of a fabric and the bits of the share of their
    /// rate that NICs have.
    pub(crate) level_times: Arc<KnownTimes<(LevelKey, u64)>>,
    /// Who sends to whom, for all fabrics that are routed.
    pub(crate) messages: Arc<Messages>,
    /// What routing found, for all fabrics together.
    pub(crate) strains: Arc<LevelCorrections>,
    /// Its own pace on a full-bisection Clos.
    pub(crate) full: Seconds,
    /// Least such pace of all rank orders and placements: what slowdown is measured against.
    pub(crate) reference: Seconds,
    /// Its layout is of those that were looked for: others may lie
    /// [beyond](JobRun::faster_unused_layout) what was measured.
    pub(crate) is_sought: bool,
}

impl<'a> JobRun<'a> {
    /// A workload in a layout, on so many GPUs of each domain.
    ///
    /// # Errors
    /// The rules that the layout breaks.
    pub(crate) fn new(
        workload: &'a Workload,
        machine: Machine<'a>,
        layout: &Layout,
        seats: Seats,
    ) -> Result<Self, Vec<LayoutProblem>> {
        Self::for_concurrent_jobs(Cow::Borrowed(workload), machine, layout, seats, 1)
    }

    /// So many jobs like a workload at once, one after another on the domains, none with part of a
    /// group of another.
    ///
    /// # Errors
    /// As [`JobRun::new`].
    pub(super) fn for_concurrent_jobs(
        workload: Cow<'a, Workload>,
        machine: Machine<'a>,
        layout: &Layout,
        seats: Seats,
        jobs: u32,
    ) -> Result<Self, Vec<LayoutProblem>> {
        let recipe = Recipe::from_workload(&workload);
        let step = recipe.heaviest_step(layout)?;
        let grid = step.grid.with_job_digit(jobs).ok_or_else(Vec::new)?;
        let step = Step { grid, ..step };
        let network = NetworkModel { seats, ..machine.network_at_level(Level::FULL) };
        let phases = PhaseRun::phases_of_run(&recipe, layout, &network, jobs)?;
        // The fullest GPU of all phases: of fewer replicas each keeps more of what these share.
        let whole = memory_ledger(&workload.framework, &step);
        let each =
            phases.iter().filter_map(|phase_run| phase_run.fullest_gpu_memory(&workload.framework));
        let memory = each.fold(whole, |most, this_memory| {
            if this_memory.total_on_gpu() > most.total_on_gpu() { this_memory } else { most }
        });
        let (full, reference) = (Seconds::ZERO, Seconds::ZERO);
        let least_across = 0.0;
        let mut run = Self {
            workload,
            machine,
            seats,
            step,
            phases,
            memory,
            least_across,
            cache: Arc::default(),
            port_times: Arc::default(),
            level_times: Arc::default(),
            messages: Arc::default(),
            strains: Arc::default(),
            full,
            reference,
            is_sought: false,
        };
        run.cache =
            Arc::new(StepCache::from_step(&run.step, run.placement(), &run.workload.framework));
        run.check_sharing_fits_domain()?;
        run.full = run.effective_step_time_by_clock(Level::FULL);
        run.reference = run.full;
        run.least_across = run.off_rail_share().max(run.workload.unforwardable);
        Ok(run)
    }

    /// Time of a step on a fabric of that level: where one was routed and found slower than by
    /// symmetry, with what routing found.
    pub(crate) fn step_time(&self, level: Level) -> StepTime {
        self.with_clock_at_level(level, |clock| clock.time_step(&self.step))
    }

    /// What the time of a step takes for granted of a fabric of that level.
    pub(crate) fn assumed_call_times(&self, level: Level) -> Vec<GrantedCall> {
        self.with_clock_at_level(level, |clock| clock.assumed_call_times(&self.step))
    }

    /// What the clock of a fabric of that level says.
    fn with_clock_at_level<T>(&self, level: Level, say: impl FnOnce(Clock<'_>) -> T) -> T {
        let network = self.network_with_seats(level);
        let (gpu, framework) = (&self.machine.node.gpu, &self.workload.framework);
        let strain = self.strains.factors_at_level(level);
        let strain = strain.as_ref().map_or(&[][..], |strain| strain);
        say(Clock::new(gpu, &network, framework)
            .with_cache(&self.cache)
            .with_correction_factors(strain))
    }

    /// Keeps that communications take so many times as long on a fabric of that level as the clock
    /// says by now, or as long; where `wide`, on every fabric with leaf borders.
    pub(crate) fn record_correction(&self, level: Level, over: &[f64], wide: bool) {
        let longer: Vec<f64> = over.iter().map(|over| over.max(1.0)).collect();
        self.strains.record_factors(level, self.strains.combine_factors(level, &longer), wide);
    }

    /// Its pace, way or not, where communications take so many times as long as the clock says by
    /// now.
    pub(crate) fn effective_step_time_corrected(&self, level: Level, over: &[f64]) -> Seconds {
        let all = self.strains.combine_factors(level, over);
        let whole = self
            .with_clock_at_level(level, |clock| {
                clock.with_correction_factors(&all).time_step(&self.step)
            })
            .total_time();
        if self.phases.is_empty() {
            whole
        } else {
            run_time_over_phases(&self.phases_where(level, whole, &all))
        }
    }

    /// The run as the clock alone times it, whatever routing found.
    pub(super) fn without_corrections(&self) -> Self {
        Self { strains: Arc::default(), ..self.clone() }
    }

    /// The network of its machines on a fabric of that level.
    fn network_with_seats(&self, level: Level) -> NetworkModel {
        NetworkModel { seats: self.seats, ..self.machine.network_at_level(level) }
    }

    /// The time of a step as one number: of a run with phases its time over the steps that it would
    /// have without them. Endless where messages for another rail have no way.
    pub(crate) fn effective_step_time(&self, level: Level) -> Seconds {
        if level.level_for_clock().across < self.least_across {
            return Seconds::ENDLESS;
        }
        self.effective_step_time_by_clock(level)
    }

    /// As `effective_step_time`, way or not.
    pub(crate) fn effective_step_time_by_clock(&self, level: Level) -> Seconds {
        self.known_step_time(level, 1.0, || {
            if self.phases.is_empty() {
                self.step_time(level).total_time()
            } else {
                run_time_over_phases(&self.each_phase(level))
            }
        })
    }

    /// Its pace on a fabric of that level where NICs have a share of their rate: as `compute` gives
    /// it where routing corrected it or it is not known.
    fn known_step_time(
        &self,
        level: Level,
        share: f64,
        compute: impl FnOnce() -> Seconds,
    ) -> Seconds {
        if self.strains.factors_at_level(level).is_some() {
            return compute();
        }
        self.level_times.get_or_time((level_key(level), share.to_bits()), compute)
    }

    /// Each phase, with the time of one of its steps on a fabric of that level.
    fn each_phase(&self, level: Level) -> Vec<(&PhaseRun, Seconds)> {
        let strain = self.strains.factors_at_level(level);
        let strain = strain.as_ref().map_or(&[][..], |strain| strain);
        self.phases_where(level, self.step_time(level).total_time(), strain)
    }

    /// As `each_phase`, where a step of the whole run takes so long, and its communications so many
    /// times as long as the clock says.
    fn phases_where(
        &self,
        level: Level,
        whole: Seconds,
        strain: &[f64],
    ) -> Vec<(&PhaseRun, Seconds)> {
        let network = self.network_with_seats(level);
        let clock = Clock::new(&self.machine.node.gpu, &network, &self.workload.framework);
        let time = |run: &PhaseRun| run.phase_step_time(clock, &self.step, whole, strain);
        self.phases.iter().map(|run| (run, time(run))).collect()
    }

    /// Layout of the workload.
    pub(crate) const fn layout(&self) -> &Layout {
        &self.step.layout
    }

    /// A layout that is faster by the clock and was not chosen, as it lies beyond what was
    /// measured.
    pub(crate) fn faster_unused_layout(&self, scenario: &Scenario) -> Option<BetterUnusedLayout> {
        self.is_sought.then(|| best_unused_layout(scenario, &self.workload, self.machine)).flatten()
    }

    /// Ranks on the GPUs of domains.
    pub(crate) fn placement(&self) -> Placement {
        self.network_with_seats(Level::FULL).place_ranks(&self.step.grid)
    }

    /// GPUs of a domain that hold ranks, of the one that holds most.
    pub(crate) fn used_gpus_per_domain(&self) -> u32 {
        self.placement().used_gpus_per_domain().min(self.step.grid.ranks())
    }

    /// HB domains of a cluster that holds it.
    pub(in crate::design) fn domains_needed(&self, scenario: &Scenario) -> u32 {
        domain_count(
            scenario,
            self.machine,
            self.step.grid.ranks(),
            self.placement().used_gpus_per_domain(),
        )
    }

    /// Memory of a host that all its GPUs need, each as much as the fullest.
    fn host_needs(&self) -> Bytes {
        self.memory.host * u128::from(self.machine.node.gpus)
    }

    /// GiB that every host needs beyond what ships.
    pub(crate) fn host_memory_bought(&self) -> u64 {
        /// Bytes of a gibibyte.
        const GIB: u128 = 1 << 30;
        let beyond = self.host_needs().count();
        let beyond = beyond.saturating_sub(self.machine.node.host_memory.count());
        u64::try_from(beyond.div_ceil(GIB)).unwrap_or(u64::MAX)
    }

    /// What is kept on the host, where that takes not the memory.
    pub(in crate::design) fn host_memory_shortfall(&self) -> Option<Infeasible> {
        let node = self.machine.node;
        let (needs, has) = (self.host_needs(), node.host_memory_max);
        (needs > has).then(|| Infeasible::HostMemory { node: node.name.clone(), needs, has })
    }

    /// States that are shared inside domains only have to be shared by as many ranks as the
    /// placement puts there.
    fn check_sharing_fits_domain(&self) -> Result<(), Vec<LayoutProblem>> {
        let (technique, techniques) = (Technique::Demo, &self.workload.techniques);
        let stated = techniques.demo.shards.filter(|_| techniques.has_technique(technique));
        let placed = Placed::new(&self.step.grid, self.placement());
        let (inside, _) = GroupSpread::spread_of_group(&placed, Group::Data).members_and_domains();
        match stated {
            Some(shards) if shards != inside => {
                let node = &self.machine.node.name;
                let reason = format!(
                    "`technique.demo.shards` is {shards}, and {inside} replicas share a domain of \
                     {node}"
                );
                Err(vec![LayoutProblem::Technique { technique, reason }])
            }
            _ => Ok(()),
        }
    }

    /// The largest share of off-rail bytes in what a communication sends to other domains, where
    /// nothing forwards them: the spine has to carry it at the rate of the NICs.
    fn off_rail_share(&self) -> f64 {
        if self.machine.node.forwards {
            return 0.0;
        }
        let placed = Placed::new(&self.step.grid, self.placement());
        let share = |(communication, stage)| {
            let volumes =
                call_volumes(communication, stage, &placed, &Policy::from(communication.by));
            let across = volumes.across.as_f64();
            if across > 0.0 { volumes.off_rail.as_f64() / across } else { 0.0 }
        };
        let stages = 0..self.step.stages.len();
        let calls = self.step.communications.iter();
        calls
            .flat_map(|communication| stages.clone().map(move |stage| (communication, stage)))
            .map(share)
            .fold(0.0, f64::max)
    }
}

/// Time of a run over the steps that it would have without phases, by that of a step of each.
fn run_time_over_phases(phases: &[(&PhaseRun, Seconds)]) -> Seconds {
    phases.iter().map(|(run, time)| *time * run.phase.share).sum()
}

/// Pace on a fabric of that level where NICs have a share of their rate and the links above
/// leaf switches all of theirs.
pub(crate) fn pace_at_nic_rate_share(run: &JobRun<'_>, level: Level, share: f64) -> Seconds {
    let above = |value: f64| (value / share).min(1.0);
    let level = Level { within: above(level.within), across: above(level.across), ..level };
    pace_at_link_rate_share(run, level, share)
}

/// Pace where NICs and the links above leaf switches have the same share of their rate, as where
/// planes are out of service.
pub(crate) fn pace_at_link_rate_share(run: &JobRun<'_>, level: Level, share: f64) -> Seconds {
    run.known_step_time(level, share, || {
        let full = run.machine.nic;
        let nic = Nic { bandwidth: full.bandwidth * share, ..full.clone() };
        let machine = Machine { nic: &nic, ..run.machine };
        let phases = run.phases.iter().map(|phase| phase.with_nic_share(share)).collect();
        let (cache, level_times) = (run.cache.step_cache_at_nic_share(share), Arc::default());
        JobRun { machine, phases, cache, level_times, ..run.clone() }
            .effective_step_time_by_clock(level)
    })
}

impl JobRun<'_> {
    /// Pace by the clock alone where NICs have so many of their ports left, on a network that never
    /// blocks.
    pub(crate) fn pace_with_ports(&self, left: u32, count: u32) -> Seconds {
        let share = f64::from(left) / f64::from(count);
        let slower = || pace_at_nic_rate_share(&self.without_corrections(), Level::FULL, share);
        self.port_times.get_or_time((left, count), slower)
    }
}

/// A part of a training run.
#[derive(Clone, Debug, PartialEq)]
pub struct PhaseReport {
    pub name: String,
    /// Its steps over those of the run without the technique.
    pub share: f64,
    /// Least and largest of these shares in the runs of the technique's paper; `None` where those
    /// do not tell.
    pub published: Option<[f64; 2]>,
    /// Time of one of its steps.
    pub step: Seconds,
    /// FLOPs that its model needs in one step.
    pub model_flops: Flops,
}

/// The phases of a workload on a fabric of that level.
pub(crate) fn phase_reports(run: &JobRun<'_>, level: Level) -> Vec<PhaseReport> {
    let (training, framework) = (&run.workload.training, &run.workload.framework);
    let report = |(phase_run, step): (&PhaseRun, Seconds)| PhaseReport {
        name: phase_run.phase.name.clone(),
        share: phase_run.phase.share,
        published: phase_run.phase.published,
        step,
        model_flops: model_flops(&phase_run.phase.model, training, framework),
    };
    run.each_phase(level).into_iter().map(report).collect()
}

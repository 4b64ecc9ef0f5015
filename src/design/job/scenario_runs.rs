//! What the fabric of a job has to carry besides it: the scenarios of `[robust]` as runs of their
//! own, each with the longest step that it may take. Sizes and routes nothing.

use std::borrow::Cow;

use super::layout_search::fastest_with_other_degrees;
use super::machine::{Level, Machine};
use super::run::JobRun;
use crate::parallel::{Layout, Seats};
use crate::scenario::{Robust, RobustPlacement, Scenario, Workload};
use crate::units::Seconds;
use crate::workload::{Collectives, Training};

/// Jobs that share every leaf switch where it is filled in part.
const PART_FILLED: u32 = 2;

/// All scenarios of a job.
#[derive(Clone, Debug, Default)]
pub(crate) struct RobustScenarios<'a> {
    /// HB domains of the cluster.
    domains: u32,
    /// Those that exist on its machines in its layout.
    pub(crate) runs: Vec<RobustRun<'a>>,
    /// The others, each with why not.
    pub(crate) left_out: Vec<SkippedScenario>,
}

/// A scenario that takes no share of time or cost, and has a step of its own to keep.
#[derive(Clone, Debug)]
pub(crate) struct RobustRun<'a> {
    /// What it is, in a few words.
    pub(crate) name: String,
    pub(crate) run: JobRun<'a>,
    /// How its domains lie below leaf switches; in the order of the domains where it is `None`.
    pub(crate) seating: Option<RobustPlacement>,
    pub(crate) longest_step: Seconds,
}

/// A scenario that was asked for and does not exist here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkippedScenario {
    /// What it is, in a few words.
    pub name: String,
    /// Why there is none.
    pub reason: String,
}

impl RobustRun<'_> {
    /// Levels of which the slower one is the scenario's on a fabric of that level: what its
    /// placement (docs/spec.md, `[robust]`) makes of a leaf switch.
    fn levels_by_placement(&self, level: Level) -> [Level; 2] {
        let Some(leaf) = level.leaf_domains else { return [level; 2] };
        let read = |domains| Level { leaf_domains: Some(domains), ..level };
        match self.seating {
            Some(RobustPlacement::Fragmented) => [read(1); 2],
            Some(RobustPlacement::PartFilled) if leaf > 1 => {
                [read(leaf / 2), read(leaf.div_ceil(2))]
            }
            Some(RobustPlacement::PartFilled) | None => [level; 2],
        }
    }

    /// The level at which the clock times it on a fabric of that level.
    pub(crate) fn slower_placement_level(&self, level: Level) -> Level {
        let [one, other] = self.levels_by_placement(level);
        if one != other && self.run.effective_step_time(one) > self.run.effective_step_time(other) {
            one
        } else {
            other
        }
    }

    /// Time of its step on a fabric of that level.
    pub(crate) fn step_time(&self, level: Level) -> Seconds {
        self.run.effective_step_time(self.slower_placement_level(level))
    }

    /// True where routing corrected its clock at a level.
    pub(in crate::design) fn is_strained(&self, level: Level) -> bool {
        self.levels_by_placement(level)
            .into_iter()
            .any(|level| self.run.strains.factors_at_level(level).is_some())
    }

    /// It as the clock alone times it, whatever routing found.
    pub(in crate::design) fn without_routing_factors(&self) -> Self {
        Self { run: self.run.without_corrections(), ..self.clone() }
    }
}

impl<'a> RobustScenarios<'a> {
    /// What the scenario asks for beside workloads in these runs.
    pub(in crate::design) fn from_limits(
        scenario: &'a Scenario,
        domains: u32,
        runs: &[&JobRun<'a>],
    ) -> Self {
        let mut found = Self { domains, ..Self::default() };
        let Some(robust) = &scenario.robust else { return found };
        for run in runs {
            let text =
                if runs.len() > 1 { format!("{}: ", run.workload.name) } else { String::new() };
            found.add_other_layouts(scenario, robust, run, &text);
            for seating in &robust.placements {
                found.add_placement(robust, run, *seating, &text);
            }
            for jobs in &robust.jobs {
                found.add_scenario(robust, format!("{text}{jobs} jobs"), None, || {
                    split_into_jobs(run, *jobs)
                });
            }
            for by in &robust.collectives {
                let name = format!("{text}collectives {}", by.name());
                found.add_scenario(robust, name, None, || {
                    let mut workload = Workload::clone(&run.workload);
                    let all = Collectives { all: *by, ..Collectives::DEFAULT };
                    workload.framework.collectives = all;
                    let other = run_on_same_machines(run, Cow::Owned(workload), run.layout(), 1)?;
                    let alike = other.step.communications == run.step.communications;
                    if alike {
                        Err("it is what the step runs already".to_owned())
                    } else {
                        Ok(other)
                    }
                });
            }
        }
        found
    }

    fn add_other_layouts(
        &mut self,
        scenario: &Scenario,
        robust: &Robust,
        run: &JobRun<'a>,
        text: &str,
    ) {
        if robust.layouts == 0 {
            return;
        }
        let all = fastest_with_other_degrees(scenario, &run.workload, run.machine, run.layout());
        let wanted = robust.layouts as usize;
        for layout in all.iter().take(wanted) {
            let name = format!("{text}layout {}", layout.degrees_text());
            self.add_scenario(robust, name, None, || {
                run_on_same_machines(run, run.workload.clone(), layout, 1)
            });
        }
        if all.len() < wanted {
            let name = match wanted - all.len() {
                1 => format!("{text}another layout"),
                more => format!("{text}{more} more layouts"),
            };
            let reason = match all.len() {
                0 => "none of other degrees is among the fastest that fit".to_owned(),
                some => {
                    format!("no more than {some} of other degrees are among the fastest that fit")
                }
            };
            self.left_out.push(SkippedScenario { name, reason });
        }
    }

    fn add_placement(
        &mut self,
        robust: &Robust,
        run: &JobRun<'a>,
        seating: RobustPlacement,
        text: &str,
    ) {
        let name = format!("{text}{}", seating.name());
        self.add_scenario(robust, name, Some(seating), || match seating {
            RobustPlacement::Fragmented => Ok(run.without_corrections()),
            RobustPlacement::PartFilled => split_into_jobs(run, PART_FILLED),
        });
    }

    /// Adds a scenario, or says why there is none.
    fn add_scenario(
        &mut self,
        robust: &Robust,
        name: String,
        seating: Option<RobustPlacement>,
        make: impl FnOnce() -> Result<JobRun<'a>, String>,
    ) {
        let within = |run: JobRun<'a>| {
            let takes = run.placement().domains_for_ranks(run.step.grid.ranks());
            let has = self.domains;
            let beyond = || format!("its ranks take {takes} HB domains, and there are {has}");
            if takes > has { Err(beyond()) } else { Ok(run) }
        };
        match make().and_then(within) {
            Ok(run) => {
                let most = run.full * robust.max_slowdown;
                self.runs.push(RobustRun { name, run, seating, longest_step: most });
            }
            Err(reason) => self.left_out.push(SkippedScenario { name, reason }),
        }
    }

    /// They as the clock alone times them, whatever routing found.
    pub(super) fn without_correction_factors(&self) -> Self {
        let all = self.runs.iter().map(RobustRun::without_routing_factors).collect();
        Self { runs: all, ..self.clone() }
    }
}

/// The run of so many jobs at once, each with as large a part of replicas and batch.
fn split_into_jobs<'a>(run: &JobRun<'a>, jobs: u32) -> Result<JobRun<'a>, String> {
    let mut workload = Workload::clone(&run.workload);
    let (data, batch) = (run.layout().data, workload.training.global_batch);
    if !data.is_multiple_of(jobs) {
        return Err(format!("{jobs} jobs do not divide {data} replicas"));
    }
    if !batch.is_multiple_of(u64::from(jobs)) {
        return Err(format!("{jobs} jobs do not divide a batch of {batch}"));
    }
    workload.training = Training { global_batch: batch / u64::from(jobs), ..workload.training };
    let layout = Layout { data: data / jobs, ..run.layout().clone() };
    let all = run_on_same_machines(run, Cow::Owned(workload), &layout, jobs)?;
    let (own, used) = (all.step.grid.ranks() / jobs, all.placement().used_gpus_per_domain());
    if own.is_multiple_of(used) || used.is_multiple_of(own) {
        Ok(all)
    } else {
        Err(format!("{own} GPUs of a job end inside an HB domain, which has {used} of them"))
    }
}

/// A workload on the machines of a run, where it fits a GPU.
fn run_on_same_machines<'a>(
    run: &JobRun<'a>,
    workload: Cow<'a, Workload>,
    layout: &Layout,
    jobs: u32,
) -> Result<JobRun<'a>, String> {
    let machine: Machine<'a> = run.machine;
    let other = JobRun::for_concurrent_jobs(workload, machine, layout, Seats::Even, jobs).map_err(
        |problems| {
            let all: Vec<String> = problems.iter().map(ToString::to_string).collect();
            all.join("; ")
        },
    )?;
    let (needs, has) = (other.memory.total_on_gpu(), machine.node.gpu.memory);
    if needs > has {
        /// Bytes of a gibibyte.
        const GIB: f64 = (1_u64 << 30) as f64;
        let (needs, has) = (needs.as_f64() / GIB, has.as_f64() / GIB);
        return Err(format!("a GPU would have to keep {needs:.1} GiB and has {has:.1}"));
    }
    Ok(other)
}

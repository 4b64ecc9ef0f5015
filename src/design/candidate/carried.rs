//! What the fabric of a job has to carry besides it: the scenarios of `[robust]` as runs of their own, each
//! with the longest step that it may take. Sizes and routes nothing.

use std::borrow::Cow;

use super::looked_for::of_other_degrees;
use super::machine::{Level, Machine};
use super::run::Run;
use crate::parallel::{Layout, Seats};
use crate::scenario::{Robust, Scenario, Seating, Workload};
use crate::units::Seconds;
use crate::workload::{Collectives, Training};

/// Jobs that share every leaf switch where it is filled in part.
const PART_FILLED: u32 = 2;

/// All scenarios of a job.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scenarios<'a> {
    /// HB domains of the cluster.
    domains: u32,
    /// Those that exist on its machines in its layout.
    pub(crate) all: Vec<Carried<'a>>,
    /// The others, each with why not.
    pub(crate) left_out: Vec<LeftOut>,
}

/// A scenario that takes no share of time or cost, and has a step of its own to keep.
#[derive(Clone, Debug)]
pub(crate) struct Carried<'a> {
    /// What it is, in a few words.
    pub(crate) name: String,
    pub(crate) run: Run<'a>,
    /// How its domains lie below leaf switches; in the order of the domains where it is `None`.
    pub(crate) seating: Option<Seating>,
    /// The longest step that it may take.
    pub(crate) most: Seconds,
}

/// A scenario that was asked for and does not exist here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// What it is, in a few words.
    pub name: String,
    /// Why there is none.
    pub reason: String,
}

impl Carried<'_> {
    /// Levels of which the slower one is the scenario's on a fabric of that level: what its placement makes
    /// of a leaf switch (docs/formulation.md).
    fn levels(&self, level: Level) -> [Level; 2] {
        let Some(leaf) = level.leaf_domains else { return [level; 2] };
        let of = |domains| Level { leaf_domains: Some(domains), ..level };
        match self.seating {
            Some(Seating::Fragmented) => [of(1); 2],
            Some(Seating::PartFilled) if leaf > 1 => [of(leaf / 2), of(leaf.div_ceil(2))],
            Some(Seating::PartFilled) | None => [level; 2],
        }
    }

    /// The level at which the clock times it on a fabric of that level.
    pub(crate) fn level(&self, level: Level) -> Level {
        let [one, other] = self.levels(level);
        if one != other && self.run.pace(one) > self.run.pace(other) { one } else { other }
    }

    /// Time of its step on a fabric of that level.
    pub(crate) fn pace(&self, level: Level) -> Seconds {
        self.run.pace(self.level(level))
    }

    /// True where routing corrected its clock at a level.
    pub(super) fn is_strained(&self, level: Level) -> bool {
        self.levels(level).into_iter().any(|level| self.run.strains.of(level).is_some())
    }

    /// It as the clock alone times it, whatever routing found.
    pub(super) fn uncorrected(&self) -> Self {
        Self { run: self.run.uncorrected(), ..self.clone() }
    }
}

impl<'a> Scenarios<'a> {
    /// What the scenario asks for beside workloads in these runs.
    pub(super) fn of(scenario: &'a Scenario, domains: u32, runs: &[&Run<'a>]) -> Self {
        let mut found = Self { domains, ..Self::default() };
        let Some(robust) = &scenario.robust else { return found };
        for run in runs {
            let of =
                if runs.len() > 1 { format!("{}: ", run.workload.name) } else { String::new() };
            found.layouts(scenario, robust, run, &of);
            for seating in &robust.placements {
                found.placement(robust, run, (*seating, &of));
            }
            for jobs in &robust.jobs {
                found.take(robust, format!("{of}{jobs} jobs"), None, || in_jobs(run, *jobs));
            }
            for by in &robust.collectives {
                let name = format!("{of}collectives {}", by.name());
                found.take(robust, name, None, || {
                    let mut workload = Workload::clone(&run.workload);
                    let all = Collectives { all: *by, ..Collectives::DEFAULT };
                    workload.framework.collectives = all;
                    let other = again(run, Cow::Owned(workload), run.layout(), 1)?;
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

    fn layouts(&mut self, scenario: &Scenario, robust: &Robust, run: &Run<'a>, of: &str) {
        if robust.layouts == 0 {
            return;
        }
        let all = of_other_degrees(scenario, &run.workload, run.machine, run.layout());
        let wanted = robust.layouts as usize;
        for layout in all.iter().take(wanted) {
            let name = format!("{of}layout {}", layout.degrees());
            self.take(robust, name, None, || again(run, run.workload.clone(), layout, 1));
        }
        if all.len() < wanted {
            let name = match wanted - all.len() {
                1 => format!("{of}another layout"),
                more => format!("{of}{more} more layouts"),
            };
            let reason = match all.len() {
                0 => "none of other degrees is among the fastest that fit".to_owned(),
                some => {
                    format!("no more than {some} of other degrees are among the fastest that fit")
                }
            };
            self.left_out.push(LeftOut { name, reason });
        }
    }

    fn placement(&mut self, robust: &Robust, run: &Run<'a>, (seating, of): (Seating, &str)) {
        let name = format!("{of}{}", seating.name());
        self.take(robust, name, Some(seating), || match seating {
            Seating::Fragmented => Ok(run.uncorrected()),
            Seating::PartFilled => in_jobs(run, PART_FILLED),
        });
    }

    /// Adds a scenario, or says why there is none.
    fn take(
        &mut self,
        robust: &Robust,
        name: String,
        seating: Option<Seating>,
        make: impl FnOnce() -> Result<Run<'a>, String>,
    ) {
        let within = |run: Run<'a>| {
            let takes = run.placement().domains(run.step.grid.ranks());
            let has = self.domains;
            let beyond = || format!("its ranks take {takes} HB domains, and there are {has}");
            if takes > has { Err(beyond()) } else { Ok(run) }
        };
        match make().and_then(within) {
            Ok(run) => {
                let most = run.full * robust.max_slowdown;
                self.all.push(Carried { name, run, seating, most });
            }
            Err(reason) => self.left_out.push(LeftOut { name, reason }),
        }
    }

    /// They as the clock alone times them, whatever routing found.
    pub(super) fn uncorrected(&self) -> Self {
        let all = self.all.iter().map(Carried::uncorrected).collect();
        Self { all, ..self.clone() }
    }
}

/// The run of so many jobs at once, each with as large a part of replicas and batch.
fn in_jobs<'a>(run: &Run<'a>, jobs: u32) -> Result<Run<'a>, String> {
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
    let all = again(run, Cow::Owned(workload), &layout, jobs)?;
    let (own, used) = (all.step.grid.ranks() / jobs, all.placement().used());
    match own.is_multiple_of(used) || used.is_multiple_of(own) {
        true => Ok(all),
        false => {
            Err(format!("{own} GPUs of a job end inside an HB domain, which has {used} of them"))
        }
    }
}

/// A workload on the machines of a run, where it fits a GPU.
fn again<'a>(
    run: &Run<'a>,
    workload: Cow<'a, Workload>,
    layout: &Layout,
    jobs: u32,
) -> Result<Run<'a>, String> {
    let machine: Machine<'a> = run.machine;
    let other =
        Run::of_jobs(workload, machine, layout, (Seats::Even, jobs)).map_err(|problems| {
            let all: Vec<String> = problems.iter().map(ToString::to_string).collect();
            all.join("; ")
        })?;
    let (needs, has) = (other.memory.total(), machine.node.gpu.memory);
    if needs > has {
        /// Bytes of a gibibyte.
        const GIB: f64 = (1_u64 << 30) as f64;
        let (needs, has) = (needs.as_f64() / GIB, has.as_f64() / GIB);
        return Err(format!("a GPU would have to keep {needs:.1} GiB and has {has:.1}"));
    }
    Ok(other)
}

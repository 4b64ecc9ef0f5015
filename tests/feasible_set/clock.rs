//! How long steps of two workloads take: the clock of the program on networks that are stated here, and
//! what of it is fast enough. It is all that the enumeration shares with the program.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use planner::hardware::Gpu;
use planner::parallel::Seats;
use planner::spec::{SpecText, read_scenario};
use planner::step::Step;
use planner::timing::{NetworkModel, StepCache, step_time_with};
use planner::workload::Framework;

use crate::feasible_set::front::Step as Built;
use crate::feasible_set::instance::Instance;
use crate::feasible_set::network::{Best, Tree};
use crate::feasible_set::second::Second;
use crate::feasible_set::site::Site;

/// What a leaf, or a switch that is a whole network, holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Holds {
    /// Endpoints of one rail, in a tree of all rails.
    OneRail,
    /// Endpoints of so many rails in order, domain by domain.
    InOrder(u32),
    /// Whole rails, in a tree of all rails.
    WholeRails,
    /// All that so many blocks have; nothing is above it.
    All(u32),
}

/// What a network promises: domains below a leaf where its border matters, and links up over links down
/// within rails and across them, each as two whole numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Level {
    leaf: Option<u32>,
    within: (u32, u32),
    across: (u32, u32),
}

/// All links up that links down can fill.
const FULL: (u32, u32) = (1, 1);

impl Level {
    /// Full bisection.
    const FULL: Self = Self { leaf: None, within: FULL, across: FULL };

    /// What a leaf with so many endpoints and links up promises.
    fn at_site(site: &Site<'_>, holds: Holds, (down, up): (u32, u32)) -> Self {
        let rails = site.instance.rails;
        let ratio = if up >= down { FULL } else { (up, down) };
        let joins = |joined: bool| if joined { ratio } else { (0, 1) };
        let bordered = |leaf: u32, across| {
            let leaf = (up < down).then_some(leaf.max(1));
            Self { leaf, within: ratio, across }
        };
        match holds {
            Holds::OneRail => bordered(down, joins(rails > 1)),
            Holds::InOrder(count) => bordered(down / count, joins(count >= rails)),
            Holds::WholeRails => Self { across: joins(rails > 1), ..Self::FULL },
            Holds::All(blocks) => {
                let joined = !site.rails_alone() || (site.planes == 1 && blocks >= rails);
                Self { across: if joined { FULL } else { (0, 1) }, ..Self::FULL }
            }
        }
    }
}

/// A workload on machines.
struct Run {
    step: Step,
    gpu: Gpu,
    framework: Framework,
    /// The machines on full bisection.
    network: NetworkModel,
    /// What was computed of the step, on either number of GPUs of a domain.
    caches: [StepCache; 2],
    share: f64,
    /// Longest step.
    limit: f64,
}

impl Run {
    /// Time of a step.
    fn time(&self, level: Level) -> f64 {
        let share = |(up, down): (u32, u32)| f64::from(up) / f64::from(down);
        let on = |(seats, cache): (Seats, &StepCache)| {
            let network = NetworkModel {
                leaf_domains: level.leaf,
                within_rail: share(level.within),
                across_rails: share(level.across),
                seats,
                ..self.network.clone()
            };
            step_time_with(&self.step, &self.gpu, &network, &self.framework, cache)
                .total_time()
                .get()
        };
        Seats::ALL.into_iter().zip(&self.caches).map(on).fold(f64::INFINITY, f64::min)
    }
}

/// The clock of an instance with two workloads.
pub(crate) struct Clock {
    runs: Vec<Run>,
    /// Longest step of both workloads blended that is of use.
    longest: Cell<f64>,
    /// Times of levels.
    known: RefCell<BTreeMap<Level, Rc<Vec<f64>>>>,
}

/// All of an instance that steps depend on: workloads, GPUs of a domain and in all, NICs and their rate.
type Question = (Option<Second>, [u32; 4], bool);

/// The last question that was asked, with its clock.
type Last = Option<(Question, Rc<Clock>)>;

thread_local! {
    static LAST: RefCell<Last> = const { RefCell::new(None) };
}

impl Clock {
    /// The clock of an instance; none where steps decide nothing.
    pub(crate) fn for_instance(instance: &Instance) -> Option<Rc<Self>> {
        let timed = instance.second.as_ref().is_some_and(|second| second.is_timed());
        timed.then(|| Self::of_both(instance))
    }

    /// The clock of an instance with two workloads.
    pub(crate) fn of_both(instance: &Instance) -> Rc<Self> {
        let machines = [instance.gpus(), instance.domain_gpus, instance.rails, instance.rate];
        let question = (instance.second.clone(), machines, instance.forwards);
        let known = LAST.with_borrow(|last| {
            last.as_ref().filter(|last| last.0 == question).map(|last| Rc::clone(&last.1))
        });
        let clock = known.unwrap_or_else(|| Rc::new(Self::new(instance)));
        clock.longest.set(f64::INFINITY);
        LAST.set(Some((question, Rc::clone(&clock))));
        clock
    }

    fn new(instance: &Instance) -> Self {
        let text = instance.toml();
        let scenario = read_scenario(&SpecText::new("instance.toml", text.as_str()), &[])
            .unwrap_or_else(|error| panic!("{}\n{text}", error.render(false)));
        let node = &scenario.cluster.nodes[0];
        let second = instance.second.as_ref().expect("there are two workloads");
        let runs = scenario.workloads.iter().zip(second.slowdowns).map(|(workload, slowdown)| {
            let layout = workload.layout.simplest_layout(Some(scenario.cluster.gpus));
            let step = Step::new(&workload.model, &workload.training, &workload.framework, &layout)
                .unwrap_or_else(|problems| panic!("{problems:?}\n{text}"));
            let mut run = Run {
                step,
                gpu: node.gpu.clone(),
                framework: workload.framework.clone(),
                network: NetworkModel::non_blocking(node, &node.nic),
                caches: Default::default(),
                share: workload.share,
                limit: f64::INFINITY,
            };
            let slowdown = slowdown.map_or(1000.0, |count| f64::from(count) / 1000.0);
            run.limit = run.time(Level::FULL) * slowdown;
            run
        });
        let (longest, known) = (Cell::new(f64::INFINITY), RefCell::default());
        Self { runs: runs.collect(), longest, known }
    }

    /// Time of a step of each workload.
    fn times(&self, level: Level) -> Rc<Vec<f64>> {
        let mut known = self.known.borrow_mut();
        let made = || Rc::new(self.runs.iter().map(|run| run.time(level)).collect());
        Rc::clone(known.entry(level).or_insert_with(made))
    }

    /// Times on full bisection.
    pub(crate) fn full(&self) -> Rc<Vec<f64>> {
        self.times(Level::FULL)
    }

    /// Tokens of a step of each workload.
    pub(crate) fn tokens(&self) -> Vec<f64> {
        self.runs.iter().map(|run| run.step.tokens as f64).collect()
    }

    /// The step of the first workload at whose pace the cluster trains as many tokens as both do by turns:
    /// t_0 / sum of f_w t_w / T_w.
    pub(crate) fn blended(&self, times: &[f64]) -> f64 {
        let rates = self.runs.iter().zip(self.tokens()).zip(times);
        let rate: f64 = rates.map(|((run, tokens), time)| run.share * tokens / time).sum();
        self.tokens()[0] / rate
    }

    /// From here on no blended step is of use that takes longer.
    pub(crate) fn no_longer_than(&self, blended: f64) {
        self.longest.set(blended);
    }

    /// Whether every workload is fast enough.
    fn admits(&self, level: Level) -> bool {
        let times = self.times(level);
        times.iter().zip(&self.runs).all(|(time, run)| *time <= run.limit)
            && self.blended(&times) <= self.longest.get()
    }

    /// The blended step on a design: that of the slowest of its leafs.
    pub(crate) fn blended_on(&self, site: &Site<'_>, best: &Best) -> f64 {
        let steps = levels(site, best).into_iter().map(|level| self.blended(&self.times(level)));
        steps.fold(0.0, f64::max)
    }
}

impl Site<'_> {
    /// Whether a leaf with so many endpoints and links up is fast enough, whatever holds them.
    pub(crate) fn fast(&self, holds: Holds, ports: (u32, u32)) -> bool {
        self.clock.as_ref().is_none_or(|clock| clock.admits(Level::at_site(self, holds, ports)))
    }
}

/// What each leaf of a design promises, and each switch that is a whole network.
fn levels(site: &Site<'_>, best: &Best) -> Vec<Level> {
    let trees = best.planes_built.iter().flat_map(|(_, trees)| trees);
    let mut all: Vec<Level> = trees.flat_map(|tree| leafs(site, tree)).collect();
    for step in &best.beside {
        if let Built::Alone { blocks, .. } = *step {
            all.push(Level::at_site(site, Holds::All(blocks), FULL));
        }
    }
    all
}

/// What each leaf of a tree promises.
fn leafs(site: &Site<'_>, (blocks, steps): &Tree) -> Vec<Level> {
    let by_rail = steps.iter().any(|step| matches!(step, Built::Rail { .. }));
    let holds = if by_rail { Holds::OneRail } else { Holds::InOrder(site.rails_of(*blocks)) };
    let read = |step: &Built| match *step {
        Built::Leaf { down, up, rails: 0, .. } => Some(Level::at_site(site, holds, (down, up))),
        Built::Leaf { down, up, .. } => Some(Level::at_site(site, Holds::WholeRails, (down, up))),
        Built::Alone { blocks, .. } => Some(Level::at_site(site, Holds::All(blocks), FULL)),
        _ => None,
    };
    steps.iter().filter_map(read).collect()
}

/// Leafs of a tree that are too slow.
pub(crate) fn slow(site: &Site<'_>, tree: &Tree) -> usize {
    let admitted = |level: &Level| site.clock.as_ref().is_none_or(|clock| clock.admits(*level));
    leafs(site, tree).iter().filter(|level| !admitted(level)).count()
}

//! Runs the ordinary pipeline on a paper's spec: spec, step, then traffic, clock, fabric, bill.
//! No formula of a paper stands here; whatever is wrong in the planner shows as a miss.

use std::collections::BTreeMap;

use planner::collective::{Flat, Policy};
use planner::cost::{self, Parts, Running};
use planner::fabric::{Counts, FabricKind, Request, SwitchChoice, tree};
use planner::hardware::{Node, Switch};
use planner::parallel::{Layout, Placement, Rank};
use planner::scenario::{Scenario, Workload};
use planner::spec::{Override, presets, read};
use planner::step::{Step, TrafficKind};
use planner::timing::{Network, StepTime, step_time};
use planner::traffic::{Locality, Matrix, Summary};
use planner::units::Seconds;

/// A paper's scenario with what its pipeline needs.
pub(crate) struct Case {
    scenario: Scenario,
    step: Step,
}

impl Case {
    /// The shipped spec `name` with `KEY=VALUE` overrides; `None` where the layout can't carry
    /// the model.
    pub(crate) fn try_new(name: &str, overrides: &[String]) -> Option<Self> {
        let source = presets::ready(name).unwrap_or_else(|| panic!("`{name}` ships"));
        let overrides: Vec<Override> = overrides.iter().map(Override::new).collect();
        let scenario = read(&source, &overrides).ok()?;
        let Workload { model, training, framework, .. } = &scenario.workload;
        let step = Step::new(model, training, framework, &layout(&scenario)).ok()?;
        Some(Self { scenario, step })
    }

    /// The same where nothing may be wrong.
    #[track_caller]
    pub(crate) fn new(name: &str, overrides: &[String]) -> Self {
        Self::try_new(name, overrides).unwrap_or_else(|| panic!("`{name}` with {overrides:?}"))
    }

    /// The HB-domain product.
    pub(crate) fn node(&self) -> &Node {
        &self.scenario.cluster.nodes[0]
    }

    /// Time of a step where rails never block and nothing joins them.
    pub(crate) fn rail_only(&self) -> StepTime {
        self.time(&self.network())
    }

    /// Time of a step where everything is joined.
    pub(crate) fn full_bisection(&self) -> StepTime {
        self.time(&self.network().full_bisection())
    }

    /// Time of a rail-only step in seconds.
    pub(crate) fn seconds(&self) -> f64 {
        self.rail_only().total().get()
    }

    fn time(&self, network: &Network) -> StepTime {
        step_time(&self.step, &self.node().gpu, network, &self.scenario.workload.framework)
    }

    fn network(&self) -> Network {
        let node = self.node();
        Network {
            domain: node.gpus,
            hb: node.hb_bandwidth,
            nics: node.nics,
            nic: node.nic.bandwidth,
            leaf_domains: None,
            within_rail: 1.0,
            across_rails: 0.0,
            forwards: node.forwards,
        }
    }

    /// Bytes that a GPU sends in a step, on average, in one place for one reason.
    pub(crate) fn bytes(&self, kind: TrafficKind, locality: Locality) -> f64 {
        let matrix = Matrix::new(&self.step, self.placement());
        matrix.summary().at(kind, locality).as_f64() / f64::from(matrix.ranks())
    }

    /// Partners of a GPU, counted as papers do: every two members of a group talk.
    pub(crate) fn partners(&self) -> Partners {
        let policy = Policy { flat: Flat::Direct, ..Policy::default() };
        let placement = self.placement();
        let matrix = Matrix::with(&self.step, placement, &policy);
        let mut partners = Partners { summary: matrix.summary(), ..Partners::default() };
        for (rank, bytes) in matrix.row(Rank(0)) {
            let inside = placement.locality(Rank(0), rank) == Locality::InsideDomain;
            if !bytes.of(TrafficKind::Tensor).is_zero() {
                partners.tensor += 1;
            } else if inside {
                partners.data_inside += 1;
            } else {
                partners.data_across += 1;
            }
        }
        partners
    }

    fn placement(&self) -> Placement {
        Placement::packed(self.node().gpus, self.node().nics)
    }

    /// The whole network of one family, non-blocking, of the spec's one switch.
    #[track_caller]
    pub(crate) fn fabric(&self, kind: FabricKind) -> Counts {
        let node = self.node();
        let domains = u64::from(self.scenario.cluster.gpus / node.gpus);
        let endpoints = domains * u64::from(node.nics);
        let link = node.nic.bandwidth;
        let choice = SwitchChoice::Model(self.switch());
        tree(&Request::new(kind, endpoints, node.nics, choice, link))
            .unwrap_or_else(|problem| panic!("{kind}: {problem}"))
    }

    /// Price of switches and transceivers by the spec's book.
    pub(crate) fn network_price(&self, counts: &Counts) -> f64 {
        let node = self.node();
        let parts = Parts {
            host_memory: 0,
            nodes: (node, 0),
            nics: (&node.nic, 0),
            switches: vec![(self.switch(), counts.switches())],
            optics: counts
                .transceivers_by_rate()
                .into_iter()
                .map(|(rate, ends)| (rate, self.scenario.catalogue.optic(rate), ends))
                .collect(),
        };
        let bill = cost::bill(&parts, &self.scenario.prices, &BTreeMap::new(), None);
        let objective = &self.scenario.objective;
        let running = Running {
            years: objective.years,
            discount: 0.0,
            pue: objective.pue,
            kilowatt_hour: None,
            step: Seconds::ZERO,
            tokens_per_step: 0,
            run_tokens: None,
        };
        cost::total(&bill, &running).network_capex.get()
    }

    fn switch(&self) -> &Switch {
        let name = &self.scenario.cluster.switches[0];
        let mut models = self.scenario.catalogue.switches.iter();
        models.find(|switch| switch.name == *name).expect("the spec names its switch")
    }
}

/// Partners of one GPU by what they exchange.
#[derive(Debug, Default)]
pub(crate) struct Partners {
    /// Shards of the same matrices.
    pub(crate) tensor: u32,
    /// Replicas in the same HB domain.
    pub(crate) data_inside: u32,
    /// Replicas elsewhere.
    pub(crate) data_across: u32,
    /// The whole matrix in numbers.
    pub(crate) summary: Summary,
}

/// `KEY=VALUE` pairs as overrides.
pub(crate) fn set(pairs: &[(&str, &str)]) -> Vec<String> {
    pairs.iter().map(|(key, value)| format!("{key}={value}")).collect()
}

/// The layout that a spec spells out, with the defaults of the contract.
fn layout(scenario: &Scenario) -> Layout {
    let request = &scenario.workload.layout;
    assert!(!request.is_open(), "papers state their layouts");
    request.plainest(None)
}

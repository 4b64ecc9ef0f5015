//! Runs the built program on a paper's spec and reads its JSON. No formula of a paper stands here;
//! whatever is wrong in the planner shows as a miss. Two things have no command: pairs counted as
//! papers count them, every two members of a group, and those come from the library's matrix.

use std::path::Path;

use planner::collective::{FlatAlgorithm, Policy};
use planner::parallel::{Placement, Rank};
use planner::spec::{Override, presets, read_scenario};
use planner::step::{Step, TrafficKind};
use planner::traffic::{Locality, TrafficMatrix, TrafficSummary};
use serde_json::Value;

use crate::support::program::planner_in;

/// A shipped spec of a paper with `KEY=VALUE` overrides.
pub(crate) struct Case {
    name: String,
    overrides: Vec<String>,
}

impl Case {
    pub(crate) fn new(name: &str, overrides: &[String]) -> Self {
        Self { name: name.to_owned(), overrides: overrides.to_vec() }
    }

    /// What a command says of it, as JSON; `None` where it refuses.
    fn try_run(&self, command: &str, more: &[&str]) -> Option<Value> {
        let set = self.overrides.iter().flat_map(|text| ["--set", text]);
        let arguments: Vec<&str> = [command, &self.name]
            .into_iter()
            .chain(more.iter().copied())
            .chain(set)
            .chain(["--format", "json"])
            .collect();
        let done = planner_in(Path::new(env!("CARGO_MANIFEST_DIR")), &arguments);
        let sheet = || serde_json::from_str(&done.stdout).expect("the output is JSON");
        (done.status == 0).then(sheet)
    }

    #[track_caller]
    fn run(&self, command: &str, more: &[&str]) -> Value {
        let found = self.try_run(command, more);
        found.unwrap_or_else(|| panic!("{command} {} {:?}", self.name, self.overrides))
    }

    /// Time of a step in seconds, by `planner step`; `None` where the layout can't carry the model.
    pub(crate) fn try_seconds(&self) -> Option<f64> {
        self.try_run("step", &[]).map(|value| number(&value, "step.time_s"))
    }

    /// That time where nothing may be wrong.
    #[track_caller]
    pub(crate) fn seconds(&self) -> f64 {
        self.try_seconds().unwrap_or_else(|| panic!("step {} {:?}", self.name, self.overrides))
    }

    /// Time of a kind's communication that is seen: of `planner design`, and of `planner step` on a
    /// network that never blocks.
    #[track_caller]
    pub(crate) fn exposed(&self, kind: TrafficKind) -> [f64; 2] {
        ["design", "step"].map(|command| {
            number(
                &self.run(command, &[]),
                &format!("step.exposed_communication_s.{}", kind.name()),
            )
        })
    }

    /// Line rate of an interface in bytes a second, and GPUs of an HB domain.
    #[track_caller]
    pub(crate) fn interface(&self) -> (f64, f64) {
        let value = self.run("design", &[]);
        let gigabits = number(&value, "fabric.link_gbit_per_s") * number(&value, "fabric.planes");
        (gigabits * 1e9 / 8.0, number(&value, "cluster.hb_domain_size"))
    }

    /// Bytes that a GPU sends in a step, on average, in one place for one reason: the parts of
    /// `planner explain`.
    #[track_caller]
    pub(crate) fn bytes(&self, kind: TrafficKind, locality: Locality) -> f64 {
        let key = format!("traffic.bytes_by_kind.{}", kind.name());
        let value = self.run("explain", &[&key]);
        let value = &value["quantities"][0];
        let name = match locality {
            Locality::InsideDomain => "inside domains",
            Locality::AlongRail => "along rails",
            Locality::AcrossRails => "across rails",
        };
        let list = |key: &str| value[key].as_array().expect("a list").clone();
        let named = |all: Vec<Value>, name: &str| {
            let found = all.into_iter().find(|value| value["name"] == name);
            found.and_then(|value| value["value"].as_f64()).expect("a number of that name")
        };
        named(list("parts"), name) / named(list("inputs"), "GPUs N")
    }

    /// Switches and transceivers of the network: that of `planner design`, and a Clos of the same
    /// switch by `planner fabric`, with the price of each by the spec's book.
    #[track_caller]
    pub(crate) fn rails_and_clos(&self) -> [Network; 2] {
        let value = self.run("design", &[]);
        let unit = |role: &str| {
            let bill = value["bom"].as_array().expect("a bill");
            let line = bill.iter().find(|line| line["role"] == role);
            line.and_then(|line| line["unit_usd"].as_f64()).expect("the book has a price")
        };
        let rails = Network {
            switches: number(&value, "fabric.switches"),
            transceivers: number(&value, "fabric.transceivers"),
            dollars: number(&value, "cost.network_capex_usd"),
        };
        let (endpoints, radix) =
            (number(&value, "fabric.endpoints"), number(&value["fabric"]["tiers"][0], "radix"));
        let clos = Self::new("clos", &[]);
        let (endpoints, radix) = (endpoints.to_string(), radix.to_string());
        let clos = clos.run("fabric", &["--endpoints", &endpoints, "--radix", &radix]);
        let [switches, transceivers] =
            ["switches", "transceivers"].map(|key| number(&clos["fabric"], key));
        let dollars = switches * unit("switch") + transceivers * unit("optic");
        [rails, Network { switches, transceivers, dollars }]
    }

    /// Partners of a GPU, counted as papers do: every two members of a group talk.
    pub(crate) fn partners(&self) -> Partners {
        let source = presets::ready_spec(&self.name).expect("it ships");
        let overrides: Vec<Override> = self.overrides.iter().map(Override::new).collect();
        let scenario = read_scenario(&source, &overrides).expect("the spec is sound");
        let workload = scenario.lead_workload();
        assert!(!workload.layout.is_open(), "papers state their layouts");
        let layout = workload.layout.simplest_layout(None);
        let step = Step::new(&workload.model, &workload.training, &workload.framework, &layout);
        let node = &scenario.cluster.nodes[0];
        let placement = Placement::with_packed_domains(node.gpus, node.nics);
        let policy = Policy { flat: FlatAlgorithm::Direct, ..Policy::default() };
        let matrix =
            TrafficMatrix::with_policy(&step.expect("the layout runs"), placement, &policy);
        let mut partners = Partners { summary: matrix.summary(), ..Partners::default() };
        for (rank, bytes) in matrix.row_of_rank(Rank(0)) {
            let inside = placement.pair_locality(Rank(0), rank) == Locality::InsideDomain;
            if !bytes.bytes_of_kind(TrafficKind::Tensor).is_zero() {
                partners.tensor += 1;
            } else if inside {
                partners.data_inside += 1;
            } else {
                partners.data_across += 1;
            }
        }
        partners
    }
}

/// Parts of a network and their price.
#[derive(Debug)]
pub(crate) struct Network {
    /// Switches.
    pub(crate) switches: f64,
    /// Transceivers.
    pub(crate) transceivers: f64,
    /// Both, in dollars.
    pub(crate) dollars: f64,
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
    pub(crate) summary: TrafficSummary,
}

/// `KEY=VALUE` pairs as overrides.
pub(crate) fn set(pairs: &[(&str, &str)]) -> Vec<String> {
    pairs.iter().map(|(key, value)| format!("{key}={value}")).collect()
}

/// The number at a path of keys.
#[track_caller]
fn number(value: &Value, path: &str) -> f64 {
    let found = path.split('.').fold(value, |value, key| &value[key]);
    found.as_f64().unwrap_or_else(|| panic!("`{path}` is no number: {found}"))
}

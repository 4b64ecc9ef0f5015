//! `Inputs`, `Fingerprint`, keys of the question, what it is called by.

use std::collections::BTreeMap;
use std::fmt;
use std::fmt::Debug;

use crate::hardware::{Catalogue, Exchange, PriceBook, PricedItem};
use crate::scenario::{Cluster, Scenario, Stage, StatedKeys, StatedRules, Workload};
use crate::units::Usd;
use crate::workload::{Model, Precision};

/// The origin of a plan.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Inputs {
    /// What is asked: workload, cluster, objective, limits, stock. Parts count by their names.
    pub question: Fingerprint,
    /// What is asked by key of the spec, so that the keys which are others can be told.
    pub asked: BTreeMap<String, Fingerprint>,
    /// Switches, interfaces and optics that there are, with everything that is known of them but
    /// prices: all of them, whatever the question takes.
    pub catalogue: Fingerprint,
    /// What is known of each machine that the question takes, by name.
    pub machines: BTreeMap<String, Fingerprint>,
    /// Name of the price book.
    pub price_book: String,
    /// Every price that the plan could have used.
    pub prices: BTreeMap<PricedItem, Usd>,
    /// At which rate a price became US dollars, of those that were in another currency.
    pub exchange: BTreeMap<PricedItem, Exchange>,
    /// Rules that the spec states for checks.
    pub rules: StatedRules,
    /// What the spec states, as it is written.
    pub stated: StatedKeys,
    /// What the question is called by.
    pub facts: QuestionFacts,
}

/// What a reader knows a question by.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct QuestionFacts {
    /// Models that are trained, each once, that of the leading workload first.
    pub models: Vec<String>,
    /// Tokens of the whole run; `None` where the spec states none, and of several workloads.
    pub tokens: Option<f64>,
    /// Format of the leading workload's matrix products.
    pub precision: Option<Precision>,
}

impl Inputs {
    /// What that scenario would be answered from.
    #[must_use]
    pub fn from_scenario(scenario: &Scenario) -> Self {
        Self {
            question: fingerprint_question(scenario),
            asked: fingerprint_keys(scenario),
            catalogue: Fingerprint::hash_debug_text(&scenario.catalogue),
            machines: machine_fingerprints(scenario),
            price_book: scenario.prices.name.clone(),
            prices: scenario
                .prices
                .prices
                .iter()
                .map(|(item, price)| (item.clone(), price.amount))
                .collect(),
            exchange: scenario
                .prices
                .prices
                .iter()
                .filter_map(|(item, price)| Some((item.clone(), price.exchange.clone()?)))
                .collect(),
            rules: scenario.rules.clone(),
            stated: scenario.stated.clone(),
            facts: QuestionFacts::from_scenario(scenario),
        }
    }

    /// These, where what is asked is that scenario: rules that no spec states are no part of it.
    pub(in crate::design) fn with_question(self, scenario: &Scenario) -> Self {
        let (question, asked) = (fingerprint_question(scenario), fingerprint_keys(scenario));
        Self { question, asked, ..self }
    }
}

/// What is asked; parts count by their names.
fn fingerprint_question(scenario: &Scenario) -> Fingerprint {
    let cluster = &scenario.cluster;
    let nodes: Vec<&str> = cluster.nodes.iter().map(|node| node.name.as_str()).collect();
    let nics: Vec<&str> = cluster.nics.iter().map(|nic| nic.name.as_str()).collect();
    Fingerprint::hash_debug_text(&(scenario_as_question(scenario), nodes, nics))
}

impl QuestionFacts {
    /// Those of a scenario.
    #[must_use]
    pub fn from_scenario(scenario: &Scenario) -> Self {
        let mut models: Vec<String> = Vec::new();
        for workload in &scenario.workloads {
            if !models.contains(&workload.model.name) {
                models.push(workload.model.name.clone());
            }
        }
        let (lead, alone) = (scenario.lead_workload(), scenario.workloads.len() == 1);
        let tokens = lead.training.tokens.filter(|_| alone);
        Self { models, tokens, precision: Some(lead.training.precision) }
    }
}

/// The machines of a scenario and of its later stages.
fn machine_fingerprints(scenario: &Scenario) -> BTreeMap<String, Fingerprint> {
    let own = scenario.cluster.nodes.iter();
    let mut all: BTreeMap<String, Fingerprint> =
        own.map(|node| (node.name.clone(), Fingerprint::hash_debug_text(node))).collect();
    all.extend(scenario.later.iter().flat_map(|stage| machine_fingerprints(&stage.scenario)));
    all
}

/// Whatever a scenario will hold one day belongs to the question, but for what is known of parts,
/// their prices, and words for reports: another name asks nothing else.
fn scenario_as_question(scenario: &Scenario) -> Scenario {
    scenario.map_stages(|_, scenario| Scenario {
        name: String::new(),
        workloads: scenario.workloads.iter().map(without_workload_name).collect(),
        cluster: Cluster { nodes: Vec::new(), nics: Vec::new(), ..scenario.cluster.clone() },
        // They follow from the rest.
        lengths: None,
        catalogue: Catalogue::default(),
        prices: PriceBook::default(),
        assumptions: Vec::new(),
        rules: StatedRules::default(),
        stated: StatedKeys::default(),
        by_product: BTreeMap::new(),
        ..scenario
    })
}

/// A short stand-in for something long: equal where that is equal, and else almost surely not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fingerprint(u64);

impl Fingerprint {
    /// FNV-1a, 64 bits (Fowler, Noll, Vo; IETF draft-eastlake-fnv), over the debug text: floats
    /// are in it to their last digit, and no order in a scenario is by chance. It can be forged by
    /// a name that is made for it, so that a gate looks at names of parts as they are written.
    #[must_use]
    pub fn hash_debug_text(value: &impl fmt::Debug) -> Self {
        const OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
        const PRIME: u64 = 0x0100_0000_01b3;
        let hash = format!("{value:?}")
            .bytes()
            .fold(OFFSET, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(PRIME));
        Self(hash)
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

/// A stand-in for the value of each key, by key of the spec; of what is nested deeper, by table.
fn fingerprint_keys(scenario: &Scenario) -> BTreeMap<String, Fingerprint> {
    let mut all = BTreeMap::new();
    let mut add = |key: &str, value: &dyn Debug| {
        all.insert(key.to_owned(), Fingerprint::hash_debug_text(&value));
    };
    let lead = scenario.lead_workload();
    add_workload_keys(lead, &mut add);
    let others: Vec<Workload> = scenario.workloads[1..].iter().map(without_workload_name).collect();
    let shares = (lead.gpus, lead.share, lead.unforwardable, lead.limits);
    add("workload", &(shares, others));
    let stage = |stage: &Stage| (stage.year, stage.price, fingerprint_question(&stage.scenario));
    add("stage", &scenario.later.iter().map(stage).collect::<Vec<_>>());
    let cluster = &scenario.cluster;
    cluster.each_key(|key, value| match key {
        // Machines count by their names.
        "node" => {
            add("cluster.node", &cloned_names(&mut cluster.nodes.iter().map(|node| &node.name)))
        }
        "nic" => add("cluster.nic", &cloned_names(&mut cluster.nics.iter().map(|nic| &nic.name))),
        key => add(&format!("cluster.{key}"), value),
    });
    let objective = &scenario.objective;
    add("objective.minimize", &(objective.minimize, &objective.then));
    objective.each_key(|key, value| add(&format!("objective.{key}"), value));
    let limits = &scenario.limits;
    limits.each_key(|key, value| add(&format!("limits.{key}"), value));
    // Two keys of one field.
    add("limits.survive", &limits.survive);
    add("limits.rack_power", &limits.rack.power);
    add("limits.rack_units", &limits.rack.units);
    if let Some(robust) = &scenario.robust {
        robust.each_key(|key, value| add(&format!("robust.{key}"), value));
        add("robust.placements", &robust.placements);
        add("robust.jobs", &robust.jobs);
        add("robust.collectives", &robust.collectives);
    }
    if scenario.hall.stated {
        scenario.hall.each_key(|key, value| add(&format!("hall.{key}"), value));
    }
    add("inventory", &scenario.inventory);
    add("spares", &scenario.spares);
    add("networks", &scenario.networks);
    add("installation", &scenario.installation);
    scenario.failures.each_key(|key, value| add(&format!("failures.{key}"), value));
    all
}

/// What is trained and how it is spread.
fn add_workload_keys(workload: &Workload, add: &mut impl FnMut(&str, &dyn Debug)) {
    add("model", &Model { name: String::new(), ..workload.model.clone() });
    workload.training.each_key(|key, value| add(&format!("training.{key}"), value));
    // Two keys of training that a layout has.
    add("training.micro_batch", &workload.layout.micro_batch);
    add("training.recompute", &workload.layout.recompute);
    workload
        .layout
        .as_spec_words()
        .each_key(|key, value| add(&format!("parallelism.{key}"), value));
    add("framework", &workload.framework);
    add("collectives", &workload.framework.collectives);
    add("technique", &workload.techniques);
}

fn cloned_names(pair: &mut dyn Iterator<Item = &String>) -> Vec<String> {
    pair.cloned().collect()
}

/// A workload without its name and that of its model, which ask nothing.
fn without_workload_name(workload: &Workload) -> Workload {
    workload.map_products(|workload| Workload {
        name: String::new(),
        model: Model { name: String::new(), ..workload.model },
        ..workload
    })
}

#[cfg(test)]
mod tests {
    use super::Fingerprint;

    #[test]
    fn the_hash_is_the_published_one() {
        // Debug text of a unit-like value is its name: FNV-1a of `a` is a published test vector.
        #[derive(Debug)]
        #[allow(non_camel_case_types, reason = "the name is the input")]
        struct a;
        assert_eq!(Fingerprint::hash_debug_text(&a).to_string(), "af63dc4c8601ec8c");
    }
}

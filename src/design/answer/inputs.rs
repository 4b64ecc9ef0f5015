//! What a plan was made from, in a form that can be kept beside it: whether two plans answer the
//! same question, from the same catalogue, at the same prices. Compares nothing itself.

use super::asked;
use super::fingerprint::Fingerprint;
use std::collections::BTreeMap;

use crate::hardware::{Catalogue, Exchange, PriceBook, PricedItem};
use crate::scenario::{Cluster, Scenario, Stage, StatedRules, Workload};
use crate::units::Usd;

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
    /// Likewise each machine that the question takes, by name.
    pub machines: BTreeMap<String, Fingerprint>,
    /// Name of the price book.
    pub price_book: String,
    /// Every price that the plan could have used.
    pub prices: BTreeMap<PricedItem, Usd>,
    /// At which rate a price became US dollars, of those that were in another currency.
    pub exchange: BTreeMap<PricedItem, Exchange>,
    /// Rules that the spec states for checks.
    pub rules: StatedRules,
}

impl Inputs {
    /// What that scenario would be answered from.
    #[must_use]
    pub fn from_scenario(scenario: &Scenario) -> Self {
        let cluster = &scenario.cluster;
        let nodes: Vec<&str> = cluster.nodes.iter().map(|node| node.name.as_str()).collect();
        let nics: Vec<&str> = cluster.nics.iter().map(|nic| nic.name.as_str()).collect();
        let question = (scenario_as_question(scenario), nodes, nics);
        Self {
            question: Fingerprint::hash_debug_text(&question),
            asked: asked::fingerprint_keys(scenario),
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
        }
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
    let nameless = |own_workload: &Workload| {
        own_workload
            .clone()
            .map_products(|own_workload| Workload { name: String::new(), ..own_workload })
    };
    let later =
        |stage: &Stage| Stage { scenario: scenario_as_question(&stage.scenario), ..stage.clone() };
    Scenario {
        name: String::new(),
        workload: nameless(&scenario.workload),
        others: scenario.others.iter().map(nameless).collect(),
        cluster: Cluster { nodes: Vec::new(), nics: Vec::new(), ..scenario.cluster.clone() },
        later: scenario.later.iter().map(later).collect(),
        // They follow from the rest.
        lengths: None,
        catalogue: Catalogue::default(),
        prices: PriceBook::default(),
        assumptions: Vec::new(),
        rules: StatedRules::default(),
        by_product: BTreeMap::new(),
        ..scenario.clone()
    }
}

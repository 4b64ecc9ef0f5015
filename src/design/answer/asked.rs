//! What a scenario asks, key by key, as short stand-ins: so that a later result can tell which keys of
//! its question are others. Resolved values count, not what a spec says of them.

use std::collections::BTreeMap;
use std::fmt::Debug;

use super::fingerprint::Fingerprint;
use crate::scenario::{Scenario, Workload};

/// A stand-in for the value of each key, by key of the spec; of what is nested deeper, by table.
pub(super) fn fingerprint_keys(scenario: &Scenario) -> BTreeMap<String, Fingerprint> {
    let mut all = BTreeMap::new();
    let mut add = |key: &str, value: &dyn Debug| {
        all.insert(key.to_owned(), Fingerprint::hash_debug_text(&value));
    };
    add_workload_keys(&scenario.workload, &mut add);
    let others: Vec<Workload> = scenario.others.iter().map(without_workload_name).collect();
    add(
        "workload",
        &(scenario.workload.gpus, scenario.workload.share, scenario.workload.limits, others),
    );
    add("stage", &scenario.later.iter().map(|stage| (stage.year, stage.price)).collect::<Vec<_>>());
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
    add("model", &workload.model);
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

/// A workload without its name, which asks nothing.
fn without_workload_name(workload: &Workload) -> Workload {
    workload.clone().map_products(|workload| Workload { name: String::new(), ..workload })
}

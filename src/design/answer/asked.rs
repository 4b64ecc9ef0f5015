//! What a scenario asks, key by key, as short stand-ins: so that a later result can tell which keys of
//! its question are others. Resolved values count, not what a spec says of them.

use std::collections::BTreeMap;
use std::fmt::Debug;

use super::fingerprint::Fingerprint;
use crate::scenario::{Scenario, Workload};

/// A stand-in for the value of each key, by key of the spec; of what is nested deeper, by table.
pub(super) fn asked(of: &Scenario) -> BTreeMap<String, Fingerprint> {
    let mut all = BTreeMap::new();
    let mut add = |key: &str, value: &dyn Debug| {
        all.insert(key.to_owned(), Fingerprint::of(&value));
    };
    job(&of.workload, &mut add);
    let others: Vec<Workload> = of.others.iter().map(nameless).collect();
    add("workload", &(of.workload.gpus, of.workload.share, of.workload.limits, others));
    add("stage", &of.later.iter().map(|stage| (stage.year, stage.price)).collect::<Vec<_>>());
    let cluster = &of.cluster;
    let names = |all: &mut dyn Iterator<Item = &String>| all.cloned().collect::<Vec<String>>();
    add("cluster.gpus", &cluster.gpus);
    add("cluster.node", &names(&mut cluster.nodes.iter().map(|node| &node.name)));
    add("cluster.nic", &names(&mut cluster.nics.iter().map(|nic| &nic.name)));
    add("cluster.fabric", &cluster.fabric);
    add("cluster.max_planes", &cluster.max_planes);
    add("cluster.switches", &cluster.switches);
    let objective = &of.objective;
    add("objective.minimize", &(objective.minimize, &objective.then));
    objective.each_key(|key, value| add(&format!("objective.{key}"), value));
    let limits = &of.limits;
    limits.each_key(|key, value| add(&format!("limits.{key}"), value));
    // Two keys of one field.
    add("limits.rack_power", &limits.rack.power);
    add("limits.rack_units", &limits.rack.units);
    add("inventory", &of.inventory);
    add("spares", &of.spares);
    of.failures.each_key(|key, value| add(&format!("failures.{key}"), value));
    all
}

/// What is trained and how it is spread.
fn job(of: &Workload, add: &mut impl FnMut(&str, &dyn Debug)) {
    add("model", &of.model);
    add("training.global_batch", &of.training.global_batch);
    add("training.tokens", &of.training.tokens);
    add("training.precision", &of.training.precision);
    add("training.offload_layers", &of.training.offload_layers);
    let layout = &of.layout;
    add("parallelism.tensor", &layout.tensor);
    add("parallelism.pipeline", &layout.pipeline);
    add("parallelism.data", &layout.data);
    add("parallelism.context", &layout.context);
    add("parallelism.expert", &layout.expert);
    add("parallelism.expert_tensor", &layout.expert_tensor);
    add("parallelism.interleave", &layout.timetable().interleave);
    add("parallelism.schedule", &layout.timetable().schedule);
    add("parallelism.sequence_parallel", &layout.sequence_parallel);
    add("parallelism.zero", &layout.zero);
    add("parallelism.order", &layout.order);
    add("training.micro_batch", &layout.micro_batch);
    add("training.recompute", &layout.recompute);
    add("framework", &of.framework);
    add("technique", &of.techniques);
}

/// A workload without its name, which asks nothing.
fn nameless(of: &Workload) -> Workload {
    of.clone().on_each(|of| Workload { name: String::new(), ..of })
}

//! Explains what was chosen, or given: the layout and the cluster that it runs on. How layouts are
//! searched is in `search`, how many machines they take in `design`; nothing is ranked here.

use super::explanation::{Explanation, Input};
use super::facts::{Facts, input, quantity};
use super::origin::Origin;
use crate::units::Amount;

/// Adds what a figure of `cluster` takes.
pub(super) fn cluster(facts: &Facts<'_>, of: Explanation) -> Explanation {
    match of.key.as_ref() {
        "cluster.gpus" => {
            let used = Amount::count(facts.plan.layout.gpus());
            let used = input("GPUs of the layout", used, Origin::Found("t · p · D_p · c"));
            of.from([facts.gpus(), used])
        }
        "cluster.hb_domain_size" => of.from([facts.domain()]),
        "cluster.hb_domains" => {
            let ranks = Amount::count(facts.plan.layout.gpus());
            let ranks = input("ranks of the layout", ranks, Origin::Found("t · p · D_p · c"));
            let used = Amount::count(facts.plan.nodes.used);
            let used = quantity("used GPUs of a domain", "cluster.used_per_domain", used);
            of.from([facts.gpus(), facts.domain(), ranks, used])
        }
        "cluster.used_per_domain" => of.from([facts.domain()]),
        "cluster.rails" => of.from([facts.nics()]),
        "cluster.planes" => of.from([facts.planes()]),
        "cluster.hb_inside.switches" => of.from(chips(facts)),
        "cluster.hb_inside.links" => of.from(links(facts)),
        "cluster.hb_inside.all_switches" => of.from([facts.domains()]).from(chips(facts)),
        "cluster.hb_inside.all_links" => of.from([facts.domains()]).from(links(facts)),
        _ => of,
    }
}

fn chips(facts: &Facts<'_>) -> Option<Input> {
    let switches = facts.plan.nodes.node.hb_switches?;
    Some(facts.node("switch chips of a domain", "hb_switches", Amount::count(switches)))
}

fn links(facts: &Facts<'_>) -> Option<Input> {
    let links = facts.plan.nodes.node.hb_links?;
    Some(facts.node("links of a domain", "hb_links", Amount::count(links)))
}

/// Adds what a figure of `layout` takes.
pub(super) fn layout(facts: &Facts<'_>, of: Explanation) -> Explanation {
    match of.key.as_ref() {
        "layout.tensor" => of.from([facts.tensor()]),
        "layout.pipeline" => of.from([facts.pipeline()]),
        "layout.data" => of.from([facts.gpus(), facts.tensor(), facts.pipeline(), facts.context()]),
        "layout.gpus_training" => {
            let data = Amount::count(facts.plan.layout.data);
            let data = quantity("replicas", "layout.data", data);
            of.from([facts.tensor(), facts.pipeline(), data, facts.context()])
        }
        "layout.context" => of.from([facts.context()]),
        "layout.expert" => of.from([facts.expert()]),
        "layout.expert_tensor" => {
            let degree = Amount::count(facts.plan.layout.expert_tensor);
            let stated = Origin::Spec("parallelism.expert_tensor");
            of.from([input("tensor degree of experts", degree, stated)])
        }
        "layout.interleave" => of.from([facts.interleave()]),
        "layout.micro_batch" => of.from([facts.micro_batch()]),
        "layout.micro_batches" => {
            let replicas = Amount::count(facts.plan.layout.data);
            let replicas = quantity("replicas D_p", "layout.data", replicas);
            of.from([facts.batch(), replicas, facts.micro_batch()])
        }
        "layout.zero" => of.from([facts.zero()]),
        "layout.shard" => of.from([facts.zero(), facts.shard()]),
        _ => of,
    }
}

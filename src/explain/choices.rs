//! Explains what was chosen, or given: the layout and the cluster that it runs on. How layouts are
//! searched is in `search`, how many machines they take in `design`; nothing is ranked here.

use super::explanation::{ExplainedInput, Explanation};
use super::facts::{Facts, input, quantity};
use super::origin::InputOrigin;
use crate::units::Amount;

/// Adds what a figure of `cluster` takes.
pub(super) fn cluster(facts: &Facts<'_>, of: Explanation) -> Explanation {
    match of.key.as_ref() {
        "cluster.gpus" => {
            let used = Amount::count(facts.plan.layout.gpus());
            let used = input("GPUs of the layout", used, InputOrigin::Found("t · p · D_p · c"));
            of.with_inputs([facts.gpus(), used])
        }
        "cluster.hb_domain_size" => of.with_inputs([facts.domain()]),
        "cluster.hb_domains" => {
            let ranks = Amount::count(facts.plan.layout.gpus());
            let ranks = input("ranks of the layout", ranks, InputOrigin::Found("t · p · D_p · c"));
            let used = Amount::count(facts.plan.nodes.used);
            let used = quantity("used GPUs of a domain", "cluster.used_per_domain", used);
            of.with_inputs([facts.gpus(), facts.domain(), ranks, used])
        }
        "cluster.used_per_domain" => of.with_inputs([facts.domain()]),
        "cluster.rails" => of.with_inputs([facts.nics()]),
        "cluster.planes" => of.with_inputs([facts.planes()]),
        "cluster.hb_inside.switches" => of.with_inputs(chips(facts)),
        "cluster.hb_inside.links" => of.with_inputs(links(facts)),
        "cluster.hb_inside.all_switches" => {
            of.with_inputs([facts.domains()]).with_inputs(chips(facts))
        }
        "cluster.hb_inside.all_links" => {
            of.with_inputs([facts.domains()]).with_inputs(links(facts))
        }
        _ => of,
    }
}

fn chips(facts: &Facts<'_>) -> Option<ExplainedInput> {
    let switches = facts.plan.nodes.node.hb_switches?;
    Some(facts.node("switch chips of a domain", "hb_switches", Amount::count(switches)))
}

fn links(facts: &Facts<'_>) -> Option<ExplainedInput> {
    let links = facts.plan.nodes.node.hb_links?;
    Some(facts.node("links of a domain", "hb_links", Amount::count(links)))
}

/// Adds what a figure of `layout` takes.
pub(super) fn layout(facts: &Facts<'_>, of: Explanation) -> Explanation {
    match of.key.as_ref() {
        "layout.tensor" => of.with_inputs([facts.tensor()]),
        "layout.pipeline" => of.with_inputs([facts.pipeline()]),
        "layout.data" => {
            of.with_inputs([facts.gpus(), facts.tensor(), facts.pipeline(), facts.context()])
        }
        "layout.gpus_training" => {
            let data = Amount::count(facts.plan.layout.data);
            let data = quantity("replicas", "layout.data", data);
            of.with_inputs([facts.tensor(), facts.pipeline(), data, facts.context()])
        }
        "layout.context" => of.with_inputs([facts.context()]),
        "layout.expert" => of.with_inputs([facts.expert()]),
        "layout.expert_tensor" => {
            let degree = Amount::count(facts.plan.layout.expert_tensor);
            let stated = InputOrigin::Spec("parallelism.expert_tensor");
            of.with_inputs([input("tensor degree of experts", degree, stated)])
        }
        "layout.interleave" => of.with_inputs([facts.interleave()]),
        "layout.micro_batch" => of.with_inputs([facts.micro_batch()]),
        "layout.micro_batches" => {
            let replicas = Amount::count(facts.plan.layout.data);
            let replicas = quantity("replicas D_p", "layout.data", replicas);
            of.with_inputs([facts.batch(), replicas, facts.micro_batch()])
        }
        "layout.zero" => of.with_inputs([facts.zero()]),
        "layout.shard" => of.with_inputs([facts.zero(), facts.shard()]),
        _ => of,
    }
}

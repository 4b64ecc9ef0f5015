//! Explains what was chosen, or given: the layout and the cluster that it runs on. How layouts are
//! searched is in `search`, how many machines they take in `design`; nothing is ranked here.

use super::explanation::{ExplainedInput, Explanation};
use super::facts::{Facts, explained_input, quantity_input};
use super::origin::InputOrigin;
use crate::units::Amount;

/// Adds what a figure of `cluster` takes.
pub(super) fn explain_cluster_figure(facts: &Facts<'_>, explanation: Explanation) -> Explanation {
    match explanation.key.as_ref() {
        "cluster.gpus" => {
            let used = Amount::from_count(facts.plan.layout.gpus());
            let used =
                explained_input("GPUs of the layout", used, InputOrigin::Found("t · p · D_p · c"));
            explanation.with_inputs([facts.gpus(), used])
        }
        "cluster.hb_domain_size" => explanation.with_inputs([facts.domain_gpus()]),
        "cluster.hb_domains" => {
            let ranks = Amount::from_count(facts.plan.layout.gpus());
            let ranks = explained_input(
                "ranks of the layout",
                ranks,
                InputOrigin::Found("t · p · D_p · c"),
            );
            let used = Amount::from_count(facts.plan.nodes.used);
            let used = quantity_input("used GPUs of a domain", "cluster.used_per_domain", used);
            explanation.with_inputs([facts.gpus(), facts.domain_gpus(), ranks, used])
        }
        "cluster.used_per_domain" => explanation.with_inputs([facts.domain_gpus()]),
        "cluster.rails" => explanation.with_inputs([facts.domain_nics()]),
        "cluster.planes" => explanation.with_inputs([facts.planes()]),
        "cluster.hb_inside.switches" => explanation.with_inputs(switch_chips_input(facts)),
        "cluster.hb_inside.links" => explanation.with_inputs(hb_links_input(facts)),
        "cluster.hb_inside.all_switches" => {
            explanation.with_inputs([facts.domain_count()]).with_inputs(switch_chips_input(facts))
        }
        "cluster.hb_inside.all_links" => {
            explanation.with_inputs([facts.domain_count()]).with_inputs(hb_links_input(facts))
        }
        _ => explanation,
    }
}

fn switch_chips_input(facts: &Facts<'_>) -> Option<ExplainedInput> {
    let switches = facts.plan.nodes.node.hb_switches?;
    Some(facts.node_entry("switch chips of a domain", "hb_switches", Amount::from_count(switches)))
}

fn hb_links_input(facts: &Facts<'_>) -> Option<ExplainedInput> {
    let links = facts.plan.nodes.node.hb_links?;
    Some(facts.node_entry("links of a domain", "hb_links", Amount::from_count(links)))
}

/// Adds what a figure of `layout` takes.
pub(super) fn explain_layout_figure(facts: &Facts<'_>, explanation: Explanation) -> Explanation {
    match explanation.key.as_ref() {
        "layout.tensor" => explanation.with_inputs([facts.tensor()]),
        "layout.pipeline" => explanation.with_inputs([facts.pipeline()]),
        "layout.data" => explanation.with_inputs([
            facts.gpus(),
            facts.tensor(),
            facts.pipeline(),
            facts.context(),
        ]),
        "layout.gpus_training" => {
            let data = Amount::from_count(facts.plan.layout.data);
            let data = quantity_input("replicas", "layout.data", data);
            explanation.with_inputs([facts.tensor(), facts.pipeline(), data, facts.context()])
        }
        "layout.context" => explanation.with_inputs([facts.context()]),
        "layout.expert" => explanation.with_inputs([facts.expert()]),
        "layout.expert_tensor" => {
            let degree = Amount::from_count(facts.plan.layout.expert_tensor);
            let stated = InputOrigin::Spec("parallelism.expert_tensor");
            explanation.with_inputs([explained_input("tensor degree of experts", degree, stated)])
        }
        "layout.interleave" => explanation.with_inputs([facts.interleave()]),
        "layout.micro_batch" => explanation.with_inputs([facts.micro_batch()]),
        "layout.micro_batches" => {
            let replicas = Amount::from_count(facts.plan.layout.data);
            let replicas = quantity_input("replicas D_p", "layout.data", replicas);
            explanation.with_inputs([facts.global_batch_size(), replicas, facts.micro_batch()])
        }
        "layout.zero" => explanation.with_inputs([facts.zero()]),
        "layout.shard" => explanation.with_inputs([facts.zero(), facts.shard_replicas()]),
        _ => explanation,
    }
}

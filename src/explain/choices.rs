//! Explains what was chosen, or given: the layout and the cluster that it runs on. How layouts are
//! searched is in `search`, how many machines they take in `design`; nothing is ranked here.

use super::equation::{
    CONTEXT, DATA, EXPERT, INTERLEAVED, LINKS, ONE_F_ONE_B, PLANES, STATES, TENSOR, TIED, TWO_TIERS,
};
use super::facts::{Facts, input, quantity};
use super::{Amount, Equation, Explanation, Input, Origin};

/// How a degree comes about.
const DEGREE: &str = "what the spec states; left open, that of the best layout that fits";

pub(super) fn explanations(facts: &Facts<'_>) -> Vec<Explanation> {
    let mut all = cluster(facts);
    all.extend(inside(facts));
    all.extend(layout(facts));
    all
}

fn cluster(facts: &Facts<'_>) -> Vec<Explanation> {
    let nodes = &facts.plan.nodes;
    let of = |key, meaning, count: u32, formula, equation, inputs: Vec<Input>| {
        let result = Amount::count(count);
        Explanation::new(key, meaning, result, formula, equation).from(inputs)
    };
    let used = facts.plan.layout.gpus();
    vec![
        of(
            "cluster.gpus",
            "GPUs that the job runs on; machines are bought whole",
            nodes.gpus,
            "what the spec states; left out, the product of the degrees",
            &[STATES],
            vec![
                facts.gpus(),
                input("GPUs of the layout", Amount::count(used), Origin::Found("t · p · D_p · c")),
            ],
        ),
        of(
            "cluster.hb_domain_size",
            "GPUs that one machine joins by its own links",
            nodes.node.gpus,
            "GPUs of the product",
            &[LINKS],
            vec![facts.domain()],
        ),
        of(
            "cluster.hb_domains",
            "machines of the product",
            nodes.domains,
            "⌈GPUs / GPUs of a domain⌉, more where a group of ranks may not cross a domain",
            &[TWO_TIERS],
            vec![facts.gpus(), facts.domain()],
        ),
        of(
            "cluster.rails",
            "NICs of an HB domain, a rail each",
            facts.plan.fabric.rails,
            "NICs of the product",
            &[TWO_TIERS],
            vec![facts.nics()],
        ),
        of(
            "cluster.planes",
            "separate copies of the fabric",
            nodes.planes,
            "the number up to max_planes and the NIC's ports that costs least",
            &[PLANES],
            vec![facts.planes()],
        ),
    ]
}

/// What joins the GPUs inside the domains, where somebody stated it.
fn inside(facts: &Facts<'_>) -> Vec<Explanation> {
    let nodes = &facts.plan.nodes;
    let Some(inside) = nodes.node.inside(nodes.domains.into()) else { return Vec::new() };
    let switches =
        || facts.node("switch chips of a domain", "hb_switches", Amount::count(inside.switches));
    let links = || facts.node("links of a domain", "hb_links", Amount::count(inside.links));
    let of = |key, meaning, count: u64, formula, inputs: Vec<Input>| {
        Explanation::new(key, meaning, Amount::count(count), formula, &[LINKS]).from(inputs)
    };
    let sheet = "as the maker states it";
    vec![
        of(
            "cluster.hb_inside.switches",
            "switch chips inside one HB domain; the machine's price has them",
            inside.switches.into(),
            sheet,
            vec![switches()],
        ),
        of(
            "cluster.hb_inside.links",
            "links inside one HB domain",
            inside.links.into(),
            sheet,
            vec![links()],
        ),
        of(
            "cluster.hb_inside.all_switches",
            "switch chips inside all HB domains",
            inside.all_switches,
            "HB domains · switch chips of one",
            vec![facts.domains(), switches()],
        ),
        of(
            "cluster.hb_inside.all_links",
            "links inside all HB domains",
            inside.all_links,
            "HB domains · links of one",
            vec![facts.domains(), links()],
        ),
    ]
}

fn layout(facts: &Facts<'_>) -> Vec<Explanation> {
    let layout = &facts.plan.layout;
    let of = |key, meaning, result: Amount, equation: &'static [Equation], input: Input| {
        Explanation::new(key, meaning, result, DEGREE, equation).from([input])
    };
    let tensor_of_experts = input(
        "tensor degree of experts",
        Amount::count(layout.expert_tensor),
        Origin::Spec("parallelism.expert_tensor"),
    );
    let count = |value: u32| Amount::count(value);
    vec![
        of(
            "layout.tensor",
            "GPUs that share every matrix",
            count(layout.tensor),
            &[TENSOR],
            facts.tensor(),
        ),
        of(
            "layout.pipeline",
            "stages that the layers are cut into",
            count(layout.pipeline),
            &[ONE_F_ONE_B, TIED],
            facts.pipeline(),
        ),
        data(facts),
        of(
            "layout.context",
            "GPUs that share a sequence",
            count(layout.context),
            &[CONTEXT],
            facts.context(),
        ),
        of(
            "layout.expert",
            "GPUs that share the experts",
            count(layout.expert),
            &[EXPERT],
            facts.expert(),
        ),
        of(
            "layout.expert_tensor",
            "GPUs that share every matrix of an expert",
            count(layout.expert_tensor),
            &[EXPERT],
            tensor_of_experts,
        ),
        of(
            "layout.interleave",
            "virtual stages of a GPU",
            count(layout.interleave),
            &[INTERLEAVED],
            facts.interleave(),
        ),
        of(
            "layout.micro_batch",
            "sequences that a pipeline works on at a time",
            Amount::count(layout.micro_batch),
            &[ONE_F_ONE_B],
            facts.micro_batch(),
        ),
        micro_batches(facts),
        of(
            "layout.zero",
            "what replicas share out: 0 nothing, 1 optimizer states, 2 gradients too, 3 weights too",
            Amount::count(layout.zero.stage()),
            &[STATES],
            facts.zero(),
        ),
    ]
}

fn data(facts: &Facts<'_>) -> Explanation {
    let result = Amount::count(facts.plan.layout.data);
    Explanation::new(
        "layout.data",
        "copies of the model",
        result,
        "GPUs / (t · p · c): what the other degrees leave",
        &[DATA],
    )
    .from([facts.gpus(), facts.tensor(), facts.pipeline(), facts.context()])
}

fn micro_batches(facts: &Facts<'_>) -> Explanation {
    let replicas = Amount::count(facts.plan.layout.data);
    Explanation::new(
        "layout.micro_batches",
        "micro-batches of a pipeline in one step",
        Amount::count(facts.plan.step.micro_batches),
        "G / (D_p · b)",
        &[ONE_F_ONE_B],
    )
    .from([
        facts.batch(),
        quantity("replicas D_p", "layout.data", replicas),
        facts.micro_batch(),
    ])
}

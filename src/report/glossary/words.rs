//! The words of the field as reports use them, by subject. An entry has at most sixty words and uses
//! no symbol that it does not define.

use super::term::{Entry, Group};

const fn word_entry(
    word: &'static str,
    also: &'static [&'static str],
    text: &'static str,
) -> Entry {
    Entry { word, also, text }
}

/// All of them, in the order of the page.
pub(super) const GROUPS: [Group; 3] = [
    Group { subject: "Machines and network", entries: NETWORK },
    Group { subject: "Training", entries: TRAINING },
    Group { subject: "Answer", entries: ANSWER },
];

const NETWORK: &[Entry] = &[
    word_entry(
        "HB domain",
        &["high-bandwidth domain", "NVLink domain", "scale-up domain", "HB"],
        "GPUs that fast links inside one product join: 8 in a DGX or HGX, 72 in an NVL72 rack. A \
         GPU has 9 to 18 times as much bandwidth there as its NIC (H100 450 GB/s against 50, GB200 \
         900 against 50, one way). Everything else crosses the network.",
    ),
    word_entry(
        "NIC",
        &["interface", "NIC rate"],
        "What joins a GPU to the network; mostly one for each GPU. NIC rate is its bandwidth one \
         way.",
    ),
    word_entry(
        "rail",
        &[],
        "The NICs of the same place in every HB domain: NIC 3 of all machines is rail 3. A domain \
         of 8 NICs has 8 rails.",
    ),
    word_entry(
        "rail-only",
        &[],
        "Each rail has its own switches, and nothing joins the rails. Data for another rail goes \
         over the fast links of the HB domain first. Fewer tiers, fewer optics. From \
         arXiv 2307.12169.",
    ),
    word_entry(
        "rail-optimized",
        &[],
        "NICs are cabled by rail as in rail-only, and spine switches join the rails. What most \
         vendors draw today.",
    ),
    word_entry(
        "Clos",
        &["fat tree", "leaf and spine"],
        "Switches in tiers, so that any NIC reaches any other.",
    ),
    word_entry(
        "full bisection",
        &["non-blocking"],
        "Any half of the NICs can send to the other half at full rate; nothing is ever short of \
         bandwidth.",
    ),
    word_entry(
        "tier",
        &["leaf", "spine", "core"],
        "A layer of switches that a packet passes on its way up. Leaf, spine and core are switches \
         of the first, second and third.",
    ),
    word_entry(
        "radix",
        &["port"],
        "Ports of a switch at the rate that is used. It decides how many NICs a tier can join: \
         64-port switches join 64 in one tier, 2,048 in two.",
    ),
    word_entry(
        "oversubscription",
        &["oversubscribed"],
        "At 7:1 a leaf has seven times as much bandwidth down to NICs as up to spines. Harmless \
         where neighbours talk; slow where all talk to all.",
    ),
    word_entry("uplink", &[], "A link from a switch up to the next tier."),
    word_entry(
        "taper",
        &["tapered Clos"],
        "Oversubscription inside an HB domain, or of tiers above the first.",
    ),
    word_entry(
        "plane",
        &["multi-plane"],
        "A complete copy of the network. A NIC with two ports can join two planes at half its rate \
         each; one plane may fail.",
    ),
    word_entry(
        "PXN",
        &["forwarding", "forwarded"],
        "NCCL's name for passing data over NVLink to the GPU on the right rail and sending it from \
         there. Rail-only needs it, or the like, for all traffic between rails.",
    ),
    word_entry(
        "all-to-all",
        &[],
        "Every GPU sends to every other. The worst case for rails; experts and long sequences cause \
         it. \"91 % of NIC rate\" is what the network gives for it.",
    ),
    word_entry(
        "bisection",
        &["cut"],
        "Bandwidth between two halves of the network, divided where that is least.",
    ),
    word_entry(
        "along a rail",
        &["within a rail", "across rails"],
        "Traffic along a rail stays on one rail; traffic across rails has to change it, over the HB \
         domain or over spines that join rails.",
    ),
    word_entry(
        "load balancing",
        &["spray", "adaptive", "ECMP", "hashed"],
        "How packets of one message use several uplinks. Spray: packet by packet. Adaptive: each \
         message takes the least used. Hashed (ECMP): a fixed one, so that two may collide.",
    ),
    word_entry(
        "link",
        &["optic", "transceiver", "cable", "end"],
        "A link joins two ports. Its ends are optics (transceivers, modules) or the plugs of a \
         copper cable. Twin optics carry two links.",
    ),
    word_entry("blast radius", &["one failure hits"], "GPUs that stop when one part fails."),
    word_entry(
        "room before a new tier",
        &[],
        "GPUs that the free ports of the switches still take. More of them need a tier more.",
    ),
];

const TRAINING: &[Entry] = &[
    word_entry(
        "step",
        &["iteration"],
        "One update of the weights: forward and backward over a whole batch.",
    ),
    word_entry(
        "micro-batch",
        &["microbatch"],
        "Sequences that a pipeline works on at a time; many make a step.",
    ),
    word_entry(
        "data parallel",
        &["replica"],
        "Copies of the model, each with a share of the batch. A replica is one copy.",
    ),
    word_entry("tensor parallel", &["TP"], "GPUs that share every matrix of a layer."),
    word_entry("pipeline parallel", &["pipeline stage"], "GPUs that hold different layers."),
    word_entry("context parallel", &["CP"], "GPUs that share one sequence."),
    word_entry("expert parallel", &["EP"], "GPUs that hold different experts of a layer."),
    word_entry(
        "layout",
        &["parallel layout", "degree"],
        "How many ways the model is divided: data, tensor, pipeline, context and expert parallel. \
         The product of all but experts is the number of GPUs.",
    ),
    word_entry("bubble", &[], "Time in which a pipeline stage waits for others."),
    word_entry(
        "interleave",
        &["virtual stages"],
        "A GPU holds several short stages in place of a long one. The bubble gets smaller, the \
         traffic larger.",
    ),
    word_entry(
        "schedule",
        &["1F1B", "zero-bubble"],
        "The order of forward and backward passes in a pipeline: 1F1B, interleaved, zero-bubble.",
    ),
    word_entry(
        "ZeRO",
        &["FSDP", "ZeRO 1", "ZeRO 2", "ZeRO 3"],
        "Replicas share optimizer states (ZeRO 1), gradients too (2), weights too (3, FSDP), in \
         place of each keeping all. Saves memory, costs traffic, mostly ZeRO 3.",
    ),
    word_entry(
        "sequence parallel",
        &[],
        "The tensor group shares activations between matrices too.",
    ),
    word_entry(
        "recomputation",
        &["recompute", "activation checkpointing"],
        "Activations are computed again in place of being kept.",
    ),
    word_entry(
        "exposed communication",
        &["exposed", "overlap"],
        "The part of communication that computing does not hide.",
    ),
    word_entry("straggler", &[], "The slowest GPU, for which all wait."),
    word_entry("MFU", &["model FLOPs utilization"], "Useful work over the peak of the GPUs."),
    word_entry("HFU", &[], "As MFU, with what is recomputed counted as work."),
    word_entry(
        "goodput",
        &["run with failures"],
        "The share of the time that trains, after failures, restarts, checkpoints and repairs: \
         about 99 % for 256 GPUs, 92 % for 16,384.",
    ),
    word_entry(
        "spare machine",
        &["spare", "standby"],
        "A machine that is bought, is cabled, and takes the place of a broken one.",
    ),
    word_entry(
        "spare tray",
        &["tray"],
        "A part of a rack left without work, to take the place of a broken one.",
    ),
];

const ANSWER: &[Entry] = &[
    word_entry(
        "limits",
        &["headroom"],
        "What the spec says a design may not exceed: budget, power, days and others of [limits]. \
         The decision says what is left of each, and what one costs that decides.",
    ),
    word_entry(
        "trust",
        &[],
        "What the answer rests on: the measured runs that the range of the speed comes from, and \
         the basis and date of the price that costs most.",
    ),
    word_entry("gives up", &[], "What the chosen network can't do, and the reference can."),
    word_entry(
        "decide",
        &[],
        "What the program can't settle: a warning with its code, the one with most money first.",
    ),
    word_entry(
        "likely range",
        &["likely"],
        "80 % of the measured steps of the nearest kind lie in it. Where none is near, the decision \
         says so, and the range is wider.",
    ),
    word_entry(
        "reference",
        &[],
        "The network that the saving is counted against: the cheapest full-bisection Clos for which \
         every part has a price.",
    ),
    word_entry(
        "paired",
        &["paired interval"],
        "Two designs share one error of the step time; it is taken out before they are compared.",
    ),
    word_entry(
        "price basis",
        &["basis", "street", "list price"],
        "Where a price comes from: list, street, paper, analyst, user (yours), or assumed.",
    ),
    word_entry("capex", &[], "What is paid at the start: machines, NICs, network."),
    word_entry("TCO", &["cost of ownership"], "Capex, and power over the years of the spec."),
    word_entry("PUE", &[], "Power from the wall over power of the equipment: cooling and losses."),
    word_entry(
        "proven",
        &["no compared design costs less", "gap"],
        "No design that the spec leaves open and the catalogue offers costs less. The gap is how \
         far that is from certain: below 0.1 % it counts as proven.",
    ),
    word_entry(
        "Pareto front",
        &["pareto", "front"],
        "Designs that none beats in two figures at once, such as cost and step time.",
    ),
];

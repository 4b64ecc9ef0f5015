//! Machines, layout and memory of a cluster; units of machines and what a regular network takes.

use crate::design::{NodeChoice, Plan, Regular, StepReport};
use crate::fabric::Regularity;
use crate::hardware::DomainInside;
use crate::memory::{Memory, MemoryFit};
use crate::parallel::{Layout, Zero};
use crate::report::document::Section;
use crate::report::{amount, number, short_number};
use crate::units::Bytes;
use crate::workload::{Parameters, Recompute};

/// `1,536 GPUs in 192 x dgx-a100-80gb (HB domains of 8), hdr-200g, one plane`; of domains with idle
/// GPUs `(64 of 72 GPUs of each HB domain)`, of a cluster with idle ones `896 of 1,000 GPUs train`.
pub(in crate::report) fn machines_text(nodes: &NodeChoice) -> String {
    format!("{}, {}", machines_alone(nodes), planes_text(nodes.planes))
}

/// As `machines_text`, without the planes, where no network is chosen yet.
pub(in crate::report) fn machines_alone(nodes: &NodeChoice) -> String {
    let all = number::count_with_noun(nodes.gpus, "GPU", "GPUs");
    let gpus = if nodes.idles_some() {
        format!("{} of {all} train", number::count(nodes.training))
    } else {
        all
    };
    format!(
        "{gpus} in {} x {} ({}), NIC {}",
        number::count(nodes.domains),
        nodes.node.name,
        domains_text(nodes),
        nodes.nic.name,
    )
}

/// `HB domains of 72`, or `64 of 72 GPUs of each HB domain`.
fn domains_text(nodes: &NodeChoice) -> String {
    let all = number::count(nodes.node.gpus);
    if nodes.has_idle_gpus() {
        format!("{} of {all} GPUs of each HB domain", number::count(nodes.used))
    } else {
        format!("HB domains of {all}")
    }
}

/// `inside each 4 switch chips and 144 links, in all 512 and 18,432`.
pub(in crate::report) fn inside_domain_sentence(inside: &DomainInside) -> String {
    format!(
        "{} and {}; in all {} and {}",
        number::count_with_noun(inside.switches, "switch chip", "switch chips"),
        number::count_with_noun(inside.links, "link", "links"),
        number::count(inside.all_switches),
        number::count(inside.all_links),
    )
}

/// `one plane`, `2 planes`.
pub(in crate::report) fn planes_text(planes: u32) -> String {
    if planes == 1 {
        "1 plane".to_owned()
    } else {
        number::count_with_noun(planes, "plane", "planes")
    }
}

/// `tensor 8 x pipeline 12 x data 16`.
pub(in crate::report) fn parallel_degrees_text(layout: &Layout) -> String {
    let mut degrees =
        format!("tensor {} x pipeline {} x data {}", layout.tensor, layout.pipeline, layout.data);
    if layout.context > 1 {
        degrees.push_str(&format!(" x context {}", layout.context));
    }
    if layout.expert > 1 {
        degrees.push_str(&format!(", experts over {}", layout.expert));
    }
    degrees
}

/// How the model is spread.
pub(in crate::report) fn layout_section(layout: &Layout, step: &StepReport) -> Section {
    let mut run = vec![
        format!("rank order {}", layout.order),
        format!("schedule {}", layout.schedule.name()),
        format!(
            "{} of {} per pipeline",
            number::count_with_noun(step.micro_batches, "micro-batch", "micro-batches"),
            number::count_with_noun(layout.micro_batch, "sequence", "sequences")
        ),
    ];
    if layout.interleave > 1 {
        run.push(format!("{} virtual stages per GPU", layout.interleave));
    }
    if layout.sequence_parallel {
        run.push("sequence-parallel".to_owned());
    }
    match (layout.zero, layout.parameter_copies()) {
        (Zero::None, _) => {}
        (zero, 1) => run.push(format!("ZeRO {}", zero.stage_number())),
        (zero, copies) => {
            let (stage, sharing) = (zero.stage_number(), layout.replicas_per_copy());
            run.push(format!("ZeRO {stage} over {sharing} replicas, {copies} copies"));
        }
    }
    run.push(match layout.recompute {
        Recompute::None => "no activations recomputed".to_owned(),
        Recompute::Full => "all activations recomputed".to_owned(),
        Recompute::Selective => match step.recompute_modules {
            None => "selective recomputation".to_owned(),
            Some(modules) => {
                let names: Vec<&str> = modules.module_names().collect();
                format!("recomputation of {}", names.join(" "))
            }
        },
    });
    let section = Section::new("LAYOUT", parallel_degrees_text(layout)).add_line(run.join(", "));
    section.add_line(parameters_text(&step.parameters))
}

/// How large the model is: `671 B parameters, 37.6 B of them active, 1.85 B in embedding and LM
/// head`.
pub(in crate::report) fn parameters_text(parameters: &Parameters) -> String {
    let size = |count: u128| number::large_count(count as f64);
    let active = if parameters.active == parameters.total {
        String::new()
    } else {
        format!(", {} of them active", size(parameters.active))
    };
    format!(
        "{} parameters{active}, {} in embedding and output layer",
        size(parameters.total),
        size(parameters.embedding)
    )
}

/// The memory of the fullest GPU, by category.
pub(in crate::report) fn memory_section(memory: &Memory, capacity: Bytes) -> Section {
    let total = memory.total_on_gpu();
    let fit = MemoryFit::of_total(total, capacity);
    let parts = memory_parts(memory)
        .into_iter()
        .map(|(name, bytes)| format!("{name} {}", number::memory(bytes)))
        .collect::<Vec<_>>()
        .join(" + ");
    let lead = format!(
        "{} of {} on the fullest GPU (stage {}): {}",
        number::memory(total),
        number::memory(capacity),
        memory.stage,
        fit.report_word(),
    );
    let section = Section::new("MEMORY", lead).add_line(parts);
    let error = short_number::percent(MemoryFit::LEDGER_ERROR);
    match fit {
        MemoryFit::Fits => section,
        MemoryFit::Tight => section.add_line(format!(
            "the count errs by up to {error} either way: try the layout before you rely on it"
        )),
        MemoryFit::TooLarge => section.add_line(format!(
            "{} too much: shard more (tensor, pipeline, zero), recompute more, or take a larger \
             GPU; no design is made for it",
            number::memory(total.saturating_sub(capacity)),
        )),
    }
}

/// The categories of memory that hold anything; they sum to the whole.
pub(super) fn memory_parts(memory: &Memory) -> Vec<(&'static str, Bytes)> {
    let parts = [
        ("weights", memory.weights),
        ("gradients", memory.gradients),
        ("optimizer", memory.optimizer),
        ("activations", memory.activations),
        ("framework and buffers", memory.overhead),
        ("fragmentation", memory.fragmentation),
    ];
    parts.into_iter().filter(|(_, bytes)| !bytes.is_zero()).collect()
}

/// Share of the objective below which only that is told, and no money that would read `$0.00`.
const LEAST_SHARE: f64 = 0.0005;

/// `3 units of machines on the same leaf switches: 43, the last 42`; nothing where all machines hang on
/// the same, or nobody knows.
pub(super) fn machine_units_text(plan: &Plan) -> Option<String> {
    let known = plan.regularity.as_ref()?;
    (known.units.len() > 1 || known.shared > 0).then(|| regularity_text(known))
}

/// What a regular network takes, where the cheapest is not regular.
pub(in crate::report) fn regularity_premium_sentence(plan: &Plan) -> String {
    let Some(Regular { free, premium, chosen }) = &plan.regular else { return String::new() };
    let free = regularity_text(free);
    let Some(premium) = premium else { return format!("{free}; no network is regular") };
    let share = number::percent(premium.share);
    let more = if premium.share < LEAST_SHARE {
        format!("{share} more")
    } else {
        format!("{} more ({share})", amount::premium_text(premium))
    };
    if *chosen {
        format!("{more} than {free}")
    } else {
        format!("{free}: a regular network takes {more}, beyond what the default pays")
    }
}

/// How a network looks to whoever runs it.
fn regularity_text(regularity: &Regularity) -> String {
    let units = number::count_with_noun(regularity.units.len() as u64, "unit", "units");
    let (largest, smallest) = (regularity.largest_unit(), regularity.smallest_unit());
    let mut text =
        format!("{units} of {}", number::count_with_noun(largest, "machine", "machines"));
    if smallest < largest {
        let last = regularity.units.iter().filter(|unit| **unit < largest).count() == 1;
        let word = if last { "one has" } else { "the smallest" };
        text = format!("{text} ({word} {})", number::count(smallest));
    }
    if regularity.shared > 0 {
        let leafs = number::count_with_noun(regularity.shared, "leaf switch", "leaf switches");
        text = format!("{text} and {leafs} that rails share");
    } else if !regularity.alike {
        text = format!("{text} on different leaf switches");
    }
    text
}

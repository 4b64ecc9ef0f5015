//! The part of docs/guide.md on swapping to the host: what it frees, and what the link shows.

use std::fmt::Write as _;

use planner::design::plan_step;
use planner::parallel::Zero;
use planner::units::Bandwidth;
use planner::workload::{Recompute, Swap, Swapped, Technique};

use crate::technique::page::{BASE_NIC, MODELS, scenario};

const OPENING: &str = "
### Swapping beside recomputation

What layers keep until their backward pass may be made again, or wait on the host: the one takes a
forward pass, the other only what outlasts a pass on the link. Layouts as above, but ZeRO 1. Memory is
that of the fullest GPU, host memory that of the stage that keeps most there.

    planner step MODEL.toml --set cluster.gpus=GPUS --set parallelism.zero=1 --set training.recompute=selective \
      --set technique.swap.share=0.5 --set hardware.nodes.dgx-h100.host_link='190 GB/s'

| model, stages | kept | host link | memory | host memory | link seen | step |
|---|---|---|---|---|---|---|
";

const CLOSING: &str = "
Swapping saves the second forward pass where the link is as fast as compute makes activations, and
memory only as long as what is left fits. Bytes on the network are the same in all rows.
";

/// What is swapped, and the bandwidth of the link in GB/s.
type Swapping = Option<(f64, f64)>;

pub(super) fn section(page: &mut String) {
    const GIB: f64 = (1_u64 << 30) as f64;
    page.push_str(OPENING);
    for (model, gpus) in [(&MODELS[0], 1024), (&MODELS[1], 4096)] {
        let stages = model.pipeline;
        let rows: [(&str, Recompute, Swapping); 6] = [
            ("inputs of layers", Recompute::Full, None),
            ("all but scores", Recompute::Selective, None),
            ("all but scores, half swapped", Recompute::Selective, Some((0.5, 50.0))),
            ("all but scores, all swapped", Recompute::Selective, Some((1.0, 50.0))),
            ("all but scores, half swapped", Recompute::Selective, Some((0.5, 190.0))),
            ("all but scores, all swapped", Recompute::Selective, Some((1.0, 190.0))),
        ];
        for (kept, recompute, swapping) in rows {
            let mut scenario = scenario(model, gpus, stages, BASE_NIC);
            scenario.workloads[0].layout.recompute = Some(recompute);
            scenario.workloads[0].layout.zero = Some(Zero::Optimizer);
            if let Some((share, gigabytes)) = swapping {
                let techniques = &mut scenario.workloads[0].techniques;
                *techniques = techniques.enable_only(&[Technique::Swap]);
                techniques.swap = Swap { what: Swapped::Activations, share };
                for node in &mut scenario.cluster.nodes {
                    node.gpu.host_link = Bandwidth::from_gigabytes(gigabytes);
                }
            }
            let plan = plan_step(&scenario).expect("it runs");
            let (memory, time) = (&plan.memory, &plan.step.time);
            let fits = if memory.total_on_gpu() > plan.memory_capacity { ", too much" } else { "" };
            let link = swapping.map_or_else(|| "-".to_owned(), |(_, rate)| format!("{rate} GB/s"));
            writeln!(
                page,
                "| {}, {stages} | {kept} | {link} | {:.1} GiB{fits} | {:.1} GiB | {:.2} s | {:.2} s |",
                model.name,
                memory.total_on_gpu().as_f64() / GIB,
                memory.host.as_f64() / GIB,
                time.swap.get(),
                time.total_time().get(),
            )
            .expect("a string");
        }
    }
    page.push_str(CLOSING);
}

//! Every ready spec is read and, where it spells out its layout, runs: the layout carries the
//! model, the step takes time, and what is meant to be built fits into memory.

use planner::memory::memory_ledger;
use planner::parallel::{Layout, Order};
use planner::scenario::Scenario;
use planner::spec::presets::{self, PresetKind};
use planner::spec::read_scenario;
use planner::technique::Recipe;
use planner::timing::{NetworkModel, step_time};

#[test]
fn every_ready_spec_runs() {
    let mut layouts = 0;
    for entry in presets::list_presets() {
        if !matches!(entry.kind, PresetKind::Spec | PresetKind::Paper) {
            continue;
        }
        let name = &entry.name;
        let source = presets::ready_spec(name).expect("what is listed is ready");
        let scenario = read_scenario(&source, &[])
            .unwrap_or_else(|problems| panic!("{name}: {}", problems.render(false)));
        let Some(layout) = layout(&scenario) else { continue };
        layouts += 1;
        let framework = &scenario.lead_workload().framework;
        let cluster = &scenario.cluster;
        let step = Recipe::from_workload(scenario.lead_workload())
            .heaviest_step(&layout)
            .unwrap_or_else(|problems| panic!("{name}: {problems:?}"));
        assert_eq!(layout.gpus(), u64::from(cluster.gpus), "{name}: GPUs of layout and cluster");
        for node in &cluster.nodes {
            let needed = memory_ledger(framework, &step).total_on_gpu();
            assert!(needed <= node.gpu.memory, "{name} on {}: {needed:?}", node.name);
            let network = NetworkModel {
                domain: node.gpus,
                hb: node.hb_bandwidth,
                nics: node.nics,
                nic: node.nic.bandwidth,
                leaf_domains: None,
                within_rail: 1.0,
                across_rails: 0.0,
                planes: 1,
                forwards: node.forwards,
                has_summing_switches: node.hb_reduces,
                seats: planner::parallel::Seats::Even,
                balance: planner::timing::UplinkBalance::SPRAY,
            };
            let time = step_time(&step, &node.gpu, &network, framework).total_time().get();
            assert!(time > 0.0 && time < 600.0, "{name} on {}: {time} s", node.name);
        }
    }
    assert!(layouts >= 8, "{layouts} ready specs spell out their layout");
}

/// The layout of a spec; `None` where a degree is the planner's to choose.
fn layout(scenario: &Scenario) -> Option<Layout> {
    let request = &scenario.lead_workload().layout;
    Some(Layout {
        tensor: request.tensor?,
        pipeline: request.pipeline?,
        data: request.data?,
        context: request.context?,
        expert: request.expert?,
        expert_tensor: request.expert_tensor.unwrap_or(1),
        interleave: request.interleave?,
        micro_batch: request.micro_batch?,
        sequence_parallel: request.sequence_parallel?,
        zero: request.zero?,
        shard: request.shard,
        recompute: request.recompute?,
        order: request.order.unwrap_or(Order::DP_INSIDE_PP),
        schedule: request.schedule,
    })
}

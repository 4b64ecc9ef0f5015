//! Numbers of GPUs that degrees do not multiply to: some stay idle, and no larger cluster is slower.

use planner::design::{Plan, Warning};
use planner::spec::{SpecText, read_scenario};

use crate::support::scenario::design;

/// What `planner init` writes, on so many GPUs.
fn plan(gpus: u32, parallelism: &str) -> Plan {
    let text = format!(
        "[model]\npreset = \"llama3-70b\"\n\
         [training]\nglobal_batch = 1024\ntokens = \"1T\"\n\
         [parallelism]\n{parallelism}\n\
         [cluster]\ngpus = {gpus}\nnode = \"dgx-h100\"\n"
    );
    let scenario =
        read_scenario(&SpecText::new("idle.toml", text), &[]).expect("the spec is sound");
    design(&scenario).expect("a design")
}

/// Larger and smaller numbers of GPUs that all train, as the warning has them; `None` without one.
fn told(plan: &Plan) -> Option<(u64, u32, Option<u32>)> {
    plan.warnings.iter().find_map(|warning| match warning {
        Warning::PartlyTraining { training, asked, above, .. } => Some((*training, *asked, *above)),
        _ => None,
    })
}

#[test]
fn no_larger_cluster_is_slower() {
    let open = "tensor = \"auto\"\npipeline = \"auto\"\n";
    let plans = [896, 1000, 1024, 1088, 1200].map(|gpus| (gpus, plan(gpus, open)));
    for pair in plans.windows(2) {
        let [(fewer, one), (more, other)] = pair else { unreachable!("windows of two") };
        let (one, other) = (one.step.time.total_time(), other.step.time.total_time());
        assert!(other <= one, "{more} GPUs take {other:?}, {fewer} take {one:?}");
    }
    for (gpus, plan) in &plans {
        let training = plan.layout.gpus();
        assert_eq!(plan.nodes.training, training);
        // All are bought.
        assert_eq!(u64::from(plan.nodes.domains), u64::from(*gpus).div_ceil(8), "{gpus}");
        let Some((below, asked, above)) = told(plan) else {
            assert_eq!(training, u64::from(*gpus), "{gpus}");
            continue;
        };
        assert_eq!((below, asked), (training, *gpus));
        assert!(below < u64::from(*gpus));
        let fewer = self::plan(u32::try_from(below).expect("fewer than a u32"), open);
        assert_eq!(fewer.layout.gpus(), below, "{gpus}");
        assert_eq!(fewer.step.time, plan.step.time, "{gpus}");
        let above = above.expect("a larger one trains on all");
        let more = self::plan(above, open);
        assert!(above > *gpus && more.layout.gpus() == u64::from(above), "{gpus}: {above}");
        assert!(more.step.time.total_time() < plan.step.time.total_time(), "{gpus}: {above}");
    }
    assert_eq!(
        plans.each_ref().map(|(_, plan)| told(plan).is_some()),
        [false, true, false, true, true]
    );
}

/// 8 · 10 ranks a replica: 1,536 GPUs hold 19 of them, of which 16 divide the batch, and 32 take 2,560.
#[test]
fn stated_degrees_train_with_the_most_replicas_that_divide_the_batch() {
    let plan = plan(1536, "tensor = 8\npipeline = 10\n");
    assert_eq!((plan.layout.data, plan.layout.gpus()), (16, 1280));
    assert_eq!(told(&plan), Some((1280, 1536, Some(2560))));
    assert_eq!(plan.nodes.domains, 192);
    let why = plan.warnings.iter().find_map(|warning| match warning {
        Warning::PartlyTraining { stated, .. } => Some(*stated),
        _ => None,
    });
    assert_eq!(why, Some(true), "the batch is why, and not the time of a step");
}

/// Idle machines send nothing: the traffic and the step are those of the GPUs that train, on networks
/// that never block.
#[test]
fn idle_gpus_send_nothing() {
    let stated = "tensor = 8\npipeline = 10\n[limits]\nmax_oversubscription = 1\n";
    let all = plan(1280, stated);
    let some = plan(1536, stated);
    assert_eq!(all.traffic.total, some.traffic.total);
    assert_eq!(all.step.time, some.step.time);
    assert_eq!(all.step.mfu, some.step.mfu);
}

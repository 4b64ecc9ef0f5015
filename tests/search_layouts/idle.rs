//! Clusters of any number of GPUs against every smaller number of them, each searched by itself with all of its GPUs at
//! work: more GPUs are never slower.

use planner::design::plan_step;
use planner::search::{
    Breadth, Effort, Question, RankingRequest, SearchQuery, Space, best_layouts, search_space,
};
use planner::spec::{SpecText, read_scenario};
use planner::timing::NetworkModel;
use planner::units::Seconds;

use crate::support::cases::{drawn_cases, first_seed};
use crate::support::dice::Dice;

/// A drawn cluster whose layouts are all like those that were measured: no virtual stages, no context ranks.
fn drawn(dice: &mut Dice) -> (String, u32) {
    const MODELS: [&str; 3] = ["llama3-8b", "gpt-18b", "gpt-22b"];
    const STATED: [&str; 5] =
        ["", "tensor = 4\n", "pipeline = 3\n", "pipeline = 5\ntensor = \"auto\"\n", "tensor = 2\n"];
    let model = MODELS[dice.roll(2) as usize];
    let batch = [16, 24, 30, 32, 48][dice.roll(5) as usize];
    let node = ["dgx-h100", "dgx-a100-80gb", "gb200-nvl72"][dice.roll(3) as usize];
    let stated = STATED[dice.roll(5) as usize];
    let gpus = dice.between(9, 90) as u32;
    let text = format!(
        "[model]\npreset = \"{model}\"\n[training]\nglobal_batch = {batch}\n\
         [parallelism]\n{stated}interleave = 1\ncontext = 1\nspare_memory = 0.0\n\
         [cluster]\ngpus = {gpus}\nnode = \"{node}\"\n"
    );
    (text, gpus)
}

/// The search and `step` find the fastest of the layouts on all of the GPUs, and on all of every smaller number.
#[test]
fn more_gpus_are_never_slower() {
    let (cases, seed) = (drawn_cases(8), first_seed(1));
    let mut idle = 0;
    for case in seed..seed + cases {
        let (text, gpus) = drawn(&mut Dice(case));
        let scenario =
            read_scenario(&SpecText::new("idle.toml", &text), &[]).expect("the spec is sound");
        let node = &scenario.cluster.nodes[0];
        let workload = scenario.lead_workload().for_product(node);
        let network = NetworkModel::non_blocking(node, &node.nic);
        let by_itself = |gpus: u32| -> Option<Seconds> {
            let question = Question {
                model: &workload.model,
                training: &workload.training,
                framework: &workload.framework,
                techniques: &workload.techniques,
                gpu: &node.gpu,
                network: &network,
                gpus,
                longest_step: Seconds::ENDLESS,
            };
            let (request, model) = (&workload.layout, &workload.model);
            let space = Space::from_request(request, model, &workload.training, gpus);
            let found = search_space(&question, &space, RankingRequest::FASTEST, &Effort::SINGLE);
            found.best.first().map(|layout| layout.pace)
        };
        let each = (1..=gpus).filter_map(|gpus| Some((by_itself(gpus)?, gpus)));
        let best = each.min_by(|one, other| one.0.total_cmp(&other.0).then(other.1.cmp(&one.1)));
        let query =
            SearchQuery { breadth: Breadth::Open, filters: &[], wanted: RankingRequest::FASTEST };
        let found = best_layouts(&scenario, &query, &Effort::SINGLE);
        let Some((least, training)) = best else {
            assert!(found.is_err(), "case {case}: none fits\n{text}");
            continue;
        };
        let found = found.unwrap_or_else(|layout| panic!("case {case}: {layout}\n{text}"));
        let found = &found.ranked[0].candidate;
        assert_eq!(found.layout.gpus(), u64::from(training), "case {case}\n{text}");
        assert_eq!(found.pace, least, "case {case}\n{text}");
        let stepped = plan_step(&scenario)
            .unwrap_or_else(|infeasible| panic!("case {case}: {infeasible}\n{text}"));
        // Ranks on domains that are filled unevenly may be faster than on even seats.
        assert!(stepped.step.time.total_time() <= least, "case {case}: step\n{text}");
        assert_eq!(stepped.nodes.gpus, gpus);
        assert_eq!(stepped.nodes.training, u64::from(training));
        idle += u32::from(training < gpus);
    }
    assert!(idle * 4 >= cases as u32, "hardly any cluster has idle GPUs: {idle} of {cases}");
}

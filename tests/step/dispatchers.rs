//! How tokens reach their experts: bytes of the dispatcher that gathers, call by call as Megatron-Core
//! makes them.

use planner::parallel::{Layout, Placement, Rank};
use planner::step::{Activations, Step, TrafficKind};
use planner::traffic::TrafficMatrix;
use planner::workload::{Dispatcher, Framework, Moe, Recompute};

use crate::support::experts::even_experts;
use crate::support::job::{framework, layout, model, training};

const EXPERTS: u64 = 16;
const MICRO_BATCHES: u64 = 3;

fn moe(top_k: u64) -> Moe {
    even_experts(EXPERTS, top_k, 96)
}

fn with_experts(layout: Layout, dispatcher: Dispatcher, top_k: u64) -> Step {
    let model = planner::workload::Model { moe: Some(moe(top_k)), ..model(4) };
    let framework = Framework { dispatcher, ..framework() };
    Step::new(&model, &training(&layout, MICRO_BATCHES), &framework, &layout)
        .expect("a legal layout")
}

/// Bytes that all ranks send to experts in a step.
fn sent_to_experts(step: &Step) -> u128 {
    let ranks = step.grid.ranks();
    let matrix = TrafficMatrix::new(step, Placement::with_packed_domains(ranks, ranks));
    (0..matrix.rank_count())
        .flat_map(|from| matrix.row_of_rank(Rank(from)))
        .map(|(_, bytes)| bytes.bytes_of_kind(TrafficKind::Expert).count())
        .sum()
}

/// Tokens of every rank to every other of its group, with a byte and a 16-bit weight for each expert;
/// their sums back, and backward the reverse, with gradients of the weights. The model has four layers,
/// the first of them dense, 96 tokens a rank and 48 elements a token.
#[test]
fn gathered_tokens_are_those_of_every_rank_of_the_group_twice_a_pass() {
    for expert in [2_u32, 4, 8] {
        for (recompute, forwards) in [(Recompute::None, 1), (Recompute::Full, 2)] {
            let layout = Layout { expert, recompute, ..layout(1, 8, 1) };
            let (token, map, weights) = (48 * 2, EXPERTS, EXPERTS * 2);
            let forward = token + map + weights + token;
            let backward = token + token + weights;
            let of_token = forwards * forward + backward;
            let others = u64::from(expert) - 1;
            let expected = 8 * others * 96 * of_token * 3 * MICRO_BATCHES;
            // Whatever the experts of a token are.
            for top_k in [1, 2, 6] {
                let step = with_experts(layout.clone(), Dispatcher::AllGather, top_k);
                assert_eq!(sent_to_experts(&step), u128::from(expected), "{expert} {recompute:?}");
            }
        }
    }
}

/// With its shards a group is as large as both together, of tokens that are split over the tensor group.
#[test]
fn shards_of_experts_gather_what_the_ranks_of_experts_have() {
    let layout = Layout { expert: 4, expert_tensor: 2, sequence_parallel: true, ..layout(2, 4, 1) };
    let step = with_experts(layout, Dispatcher::AllGather, 2);
    let own = 96 / 2;
    // Tokens go to all eight; what routers say is counted of the four ranks of experts.
    let tokens = 4 * own * 48 * 2 * (8 - 1);
    let router = own * (EXPERTS + 2 * EXPERTS * 2) * (4 - 1);
    let expected = 8 * (tokens + router) * 3 * MICRO_BATCHES;
    assert_eq!(sent_to_experts(&step), u128::from(expected));
}

#[test]
fn gathers_pay_where_a_token_visits_as_many_experts_as_there_are_ranks() {
    let layout = Layout { expert: 4, ..layout(1, 8, 1) };
    let gathered =
        |top_k| sent_to_experts(&with_experts(layout.clone(), Dispatcher::AllGather, top_k));
    let sent = |top_k| sent_to_experts(&with_experts(layout.clone(), Dispatcher::AllToAll, top_k));
    assert!(sent(1) < gathered(1));
    assert!(sent(12) > gathered(12));
}

/// All tokens of the group lie on each of its ranks at once.
#[test]
fn gathered_tokens_take_memory_while_a_layer_works() {
    let layout = Layout { expert: 8, ..layout(1, 8, 1) };
    let model = planner::workload::Model { moe: Some(moe(2)), ..model(4) };
    let held = |dispatcher| {
        let framework = Framework { dispatcher, ..framework() };
        let all = Activations::new(&model, &training(&layout, 1), &framework, &layout);
        all.transient.into_iter().fold(0.0, f64::max)
    };
    let more = held(Dispatcher::AllGather) - held(Dispatcher::AllToAll);
    assert_eq!(more, f64::from(8 * 96 * 48 * 2));
}

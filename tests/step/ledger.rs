//! The ledger of a step against what the matrix and the clock count of it: as many calls, as many
//! bytes of each kind between each two GPUs, in an order in which nothing waits for what comes
//! after it.

use std::collections::{BTreeMap, BTreeSet};

use planner::collective::Scope;
use planner::ledger::{CallEntry, CallId, Ledger};
use planner::parallel::{Layout, Order, Placed, Placement, Rank, Schedule, Zero};
use planner::step::{Step, TrafficKind};
use planner::traffic::TrafficMatrix;
use planner::workload::{
    ContextExchange, Dispatcher, Framework, Model, Moe, Precision, Recompute, Training,
};
use proptest::prelude::*;

use crate::support::experts::even_experts;

fn model(moe: bool, layers: u32) -> Model {
    Model {
        name: "ledger".into(),
        layers,
        hidden: 64,
        heads: 8,
        kv_heads: 2,
        head_dim: 8,
        ffn: 256,
        gated_ffn: true,
        vocab: 512,
        sequence: 64,
        tied_embeddings: layers.is_multiple_of(2),
        moe: moe.then_some(Moe {
            shared_experts: u64::from(layers.is_multiple_of(3)),
            ..even_experts(8, 2, 128)
        }),
        latent_attention: None,
        window: None,
        attention_sinks: false,
        parallel_blocks: false,
        pattern: None,
        attention_gate: false,
        mamba: None,
        delta: None,
        mtp_layers: 0,
    }
}

prop_compose! {
    fn steps()(
        moe in any::<bool>(),
        layers in 2_u32..7,
        (tensor, context, data) in (0_u32..3, 0_u32..2, 0_u32..3),
        pipeline in 1_u32..4,
        (interleave, micro_batches) in (1_u32..3, 1_u64..5),
        (expert, zero, schedule) in (0_u32..3, 0_u64..4, 0_usize..4),
        (sequence, full, ring) in any::<(bool, bool, bool)>(),
        (scatter, unlike) in any::<(bool, bool)>(),
    ) -> Option<Step> {
        let [tensor, context, data, expert] = [tensor, context, data, expert].map(|e| 1 << e);
        let expert = if moe { expert } else { 1 };
        let interleave = if pipeline > 1 { interleave } else { 1 };
        let plain = [Schedule::OneFOneB, Schedule::GPipe, Schedule::ZeroBubble, Schedule::MessageDriven];
        let layout = Layout {
            tensor,
            pipeline,
            data,
            context,
            expert,
            expert_tensor: if moe { 1 } else { tensor },
            interleave,
            micro_batch: 1,
            sequence_parallel: sequence && tensor > 1,
            zero: Zero::from_stage(zero).expect("a stage"),
            shard: None,
            recompute: if full { Recompute::Full } else { Recompute::None },
            order: Order::DP_INSIDE_PP,
            schedule: if interleave > 1 { Schedule::Interleaved } else { plain[schedule] },
        };
        let training = Training {
            global_batch: u64::from(data) * micro_batches * u64::from(pipeline),
            tokens: None,
            precision: if unlike { Precision::Fp8 } else { Precision::Bf16 },
            offload_layers: 0,
            recompute_modules: None,
        };
        let framework = Framework {
            context_exchange: if ring { ContextExchange::Ring } else { ContextExchange::Gather },
            scatter_pipeline: scatter,
            dispatcher: if unlike { Dispatcher::HybridEp } else { Dispatcher::AllToAll },
            narrow_dispatch: unlike,
            overlap_data: !full,
            ..Framework::new_without_features("ledger")
        };
        Step::new(&model(moe, layers * pipeline * interleave), &training, &framework, &layout).ok()
    }
}

/// Bytes by kind and pair, by sending what each entry says from every rank of its stage.
fn sent(ledger: &Ledger<'_>) -> BTreeMap<(TrafficKind, u32, u32), u128> {
    let placed = ledger.placed_ranks();
    let mut sent = BTreeMap::new();
    for stage in 0..ledger.step().layout.pipeline {
        let mut calls: BTreeMap<usize, (CallEntry, u128)> = BTreeMap::new();
        for entry in ledger.stage_calls(stage) {
            calls.entry(entry.communication).or_insert((entry, 0)).1 += 1;
        }
        let ranks = (0..placed.grid().ranks()).map(Rank);
        for rank in ranks.filter(|rank| placed.grid().pipeline_stage(*rank) == stage) {
            for (entry, times) in calls.values() {
                let communication = ledger.communication_of_entry(entry);
                for flow in ledger.call_flows(entry) {
                    let members = members(placed, communication.group, flow.scope, rank);
                    let n = members.len() as u32;
                    let own =
                        members.iter().position(|this_rank| *this_rank == rank).expect("a member")
                            as u32;
                    for to in flow.shape.target_positions(own, n) {
                        let at = (communication.kind, rank.0, members[to as usize].0);
                        *sent.entry(at).or_insert(0) += flow.bytes.count() * times;
                    }
                }
            }
        }
    }
    sent
}

/// The members of a rank's group that a flow runs among, by asking every rank.
fn members(
    placed: &Placed,
    group: planner::parallel::Group,
    scope: Scope,
    rank: Rank,
) -> Vec<Rank> {
    let grid = placed.grid();
    let domain = |rank| placed.placement().domain_of(rank);
    let index = |rank| placed.placement().index_of(rank);
    let of_group =
        |other: &Rank| grid.group_member(*other, group, 0) == grid.group_member(rank, group, 0);
    let in_scope = |other: &Rank| match scope {
        Scope::Whole => true,
        Scope::Inside => domain(*other) == domain(rank),
        Scope::Across => index(*other) == index(rank),
    };
    (0..grid.ranks()).map(Rank).filter(of_group).filter(in_scope).collect()
}

fn holds(step: &Step, domain: u32) {
    let placement = Placement::with_aligned_domains(&step.grid, domain, domain);
    let placed = Placed::new(&step.grid, placement);
    let ledger = Ledger::new(step, &placed);
    let mut done: BTreeSet<CallId> = BTreeSet::new();
    let mut stages: Vec<_> = (0..step.layout.pipeline)
        .map(|stage| ledger.stage_calls(stage).into_iter().peekable())
        .collect();
    for (stage, entries) in
        (0..step.layout.pipeline).map(|stage| (stage, ledger.stage_calls(stage)))
    {
        for (at, communication) in step.communications.iter().enumerate() {
            let calls = entries.iter().filter(|entry| entry.communication == at).count() as u64;
            let ends = [0, step.layout.pipeline as usize - 1];
            let wanted = match communication.collective {
                planner::step::Collective::EndsAllReduce if !ends.contains(&(stage as usize)) => 0,
                _ => step.calls_per_step(communication, stage as usize),
            };
            let silent = entries.iter().all(|entry| entry.communication != at);
            let quiet = TrafficMatrix::new(step, placement).row_of_rank(Rank(0)).is_empty();
            prop_assert_eq_or(calls, wanted, silent || quiet, communication.label);
        }
    }
    // Stages advance by themselves as far as they can: none may wait for ever.
    loop {
        let before = done.len();
        for stage in &mut stages {
            while let Some(entry) =
                stage.next_if(|entry| entry.waits.iter().all(|id| done.contains(id)))
            {
                assert!(done.insert(entry.id), "{:?} twice", entry.id);
            }
        }
        if done.len() == before {
            break;
        }
    }
    assert!(stages.iter_mut().all(|stage| stage.peek().is_none()), "stages wait for each other");
    let matrix = TrafficMatrix::new(step, placement);
    let mut cells = BTreeMap::new();
    for (from, to, bytes) in matrix.busy_cells() {
        for kind in TrafficKind::ALL {
            if !bytes.bytes_of_kind(kind).is_zero() {
                cells.insert((kind, from.0, to.0), bytes.bytes_of_kind(kind).count());
            }
        }
    }
    assert_eq!(sent(&ledger), cells);
}

#[track_caller]
fn prop_assert_eq_or(calls: u64, wanted: u64, silent: bool, label: &str) {
    assert!(calls == wanted || (calls == 0 && silent), "{label}: {calls} calls, not {wanted}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 192, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_ledger_sums_to_the_matrix(step in steps(), domain in 1_u32..9) {
        if let Some(step) = step {
            holds(&step, domain);
        }
    }
}

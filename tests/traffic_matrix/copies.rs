//! Sharding over some of the replicas (HSDP, Megatron-Core's instances of its distributed optimizer):
//! groups against those that Megatron-Core creates, bytes and memory against an enumeration of PyTorch's
//! mesh of (stage, replicate, shard, context, tensor).

use std::collections::{BTreeMap, BTreeSet};

use planner::memory::memory_ledger;
use planner::parallel::{Group, Layout, Order, Placement, Rank, RankGrid, Zero};
use planner::step::{Step, TrafficKind};
use planner::traffic::TrafficMatrix;
use planner::workload::Framework;

use crate::support::job::{framework, layout, model, training};
use crate::traffic_matrix::megatron::{laid, ranks};

const RECORDED: &str = include_str!("../data/megatron_instances.txt");

const KINDS: [(&str, Group); 3] = [
    ("shard", Group::Shard),
    ("expert_shard", Group::ExpertShard),
    ("expert_copies", Group::ExpertCopies),
];

#[test]
fn replicas_that_share_a_copy_are_an_instance_of_megatrons_optimizer() {
    let (mut both, mut refused, mut only_megatron) = (0, 0, 0);
    for line in RECORDED.lines().filter(|line| !line.starts_with('#')) {
        let mut words = line.split(' ');
        let mut degree = || words.next().and_then(|word| word.parse().ok()).expect("a degree");
        let [tensor, context, data, pipeline, expert, expert_tensor] =
            [degree(), degree(), degree(), degree(), degree(), degree()];
        let order = words.next().and_then(Order::parse).expect("an order");
        let copies: u32 = words.next().and_then(|word| word.parse().ok()).expect("instances");
        let layout = Layout {
            tensor,
            context,
            data,
            pipeline,
            expert,
            expert_tensor,
            order,
            zero: Zero::Optimizer,
            shard: Some(data / copies),
            ..Layout::ONE_GPU
        };
        let recorded: Vec<&str> = words.collect();
        let Some(grid) = RankGrid::new(&layout) else {
            if recorded == ["refused"] {
                refused += 1
            } else {
                only_megatron += 1
            }
            continue;
        };
        if recorded == ["refused"] {
            // Without experts over ranks a copy of them needs no ranks of its own.
            refused += 1;
            continue;
        }
        // Experts that are laid as dense matrices have other groups.
        let alike = if expert == 1 && expert_tensor != 1 { 1 } else { KINDS.len() };
        for (kind, group) in KINDS.into_iter().take(alike) {
            let text = recorded.iter().find_map(|text| text.strip_prefix(kind)?.strip_prefix(':'));
            let (size, steps) = text.and_then(|text| text.split_once(':')).expect("every kind");
            let size: usize = size.parse().expect("a size");
            let expected: BTreeSet<Vec<u32>> =
                ranks(steps).chunks(size).map(<[u32]>::to_vec).collect();
            assert!(laid(&grid, group) == expected, "{kind} of {line}");
        }
        both += 1;
    }
    assert!(both >= 100, "{both} alike, {refused} refused, {only_megatron} only there");
}

/// A job on a mesh of stages, copies, shards, context and tensor ranks, the last fastest.
struct Mesh([u32; 5]);

impl Mesh {
    fn ranks(&self) -> u32 {
        self.0.iter().product()
    }

    fn place(&self, rank: u32) -> [u32; 5] {
        let mut rest = rank;
        let mut place = [0; 5];
        for (at, size) in self.0.iter().enumerate().rev() {
            place[at] = rest % size;
            rest /= size;
        }
        place
    }

    /// Ranks that differ from this one in some dimensions alone, in the order of the ranks.
    fn group(&self, rank: u32, dimensions: &[usize]) -> Vec<u32> {
        let own = self.place(rank);
        let alike = |other: &u32| {
            let place = self.place(*other);
            (0..5).all(|at| dimensions.contains(&at) || place[at] == own[at])
        };
        (0..self.ranks()).filter(alike).collect()
    }
}

const COPIES: usize = 1;
const SHARDS: [usize; 2] = [2, 3];

fn step(mesh: &Mesh, zero: Zero, framework: &Framework) -> Step {
    let [pipeline, copies, shard, context, tensor] = mesh.0;
    let layout = Layout {
        context,
        zero,
        shard: Some(shard),
        expert_tensor: tensor,
        order: Order::DP_INSIDE_PP,
        ..layout(tensor, copies * shard, pipeline)
    };
    Step::new(&model(4 * pipeline), &training(&layout, 2), framework, &layout).expect("legal")
}

/// How often a rank takes part in a gather and in a reduction of its parameters, and the sum of its
/// gradients among copies.
fn calls(zero: Zero, micro_batches: u64) -> [u64; 3] {
    match zero {
        Zero::None => [0, 0, 1],
        Zero::Optimizer => [1, 1, 1],
        Zero::Gradients => [1, micro_batches, micro_batches],
        Zero::Parameters => [2 * micro_batches, micro_batches, micro_batches],
    }
}

#[test]
fn bytes_and_memory_are_those_of_pytorchs_mesh() {
    let sizes =
        [[1, 2, 4, 1, 1], [1, 4, 2, 2, 1], [2, 3, 2, 1, 2], [1, 2, 1, 2, 2], [2, 4, 4, 1, 1]];
    let framework = framework();
    let (gradient, parameter) = (framework.gradient_bytes as f64, framework.parameter_bytes as f64);
    for (size, zero) in
        sizes.iter().flat_map(|size| (1..=3).map(move |zero| (size, Zero::from_stage(zero))))
    {
        let (mesh, zero) = (Mesh(*size), zero.expect("a stage"));
        let step = step(&mesh, zero, &framework);
        let ranks = mesh.ranks();
        let mut wanted: BTreeMap<(u32, u32), f64> = BTreeMap::new();
        let mut send = |group: &[u32], rank: u32, bytes: f64| {
            let at = group.iter().position(|count| *count == rank).expect("a member");
            let next = group[(at + 1) % group.len()];
            if next != rank {
                *wanted.entry((rank, next)).or_default() += bytes;
            }
        };
        for rank in 0..ranks {
            let stage = &step.stages[mesh.place(rank)[0] as usize];
            let held = stage.dense_parameters as f64;
            let (shard, copies) = (mesh.group(rank, &SHARDS), mesh.group(rank, &[COPIES]));
            let [s, r] = [&shard, &copies].map(|counts| counts.len() as f64);
            let [gathers, scatters, sums] =
                calls(zero, step.micro_batches).map(|count| count as f64);
            let ring = held * (s - 1.0) / s;
            send(&shard, rank, ring * (gathers * parameter + scatters * gradient));
            send(&copies, rank, 2.0 * (r - 1.0) / r * held / s * gradient * sums);
        }
        let matrix = TrafficMatrix::new(&step, Placement::with_packed_domains(ranks, ranks));
        let mut found = BTreeMap::new();
        for from in 0..ranks {
            for (to, bytes) in matrix.row_of_rank(Rank(from)) {
                let sent = bytes.bytes_of_kind(TrafficKind::Data).as_f64();
                if sent > 0.0 {
                    found.insert((from, to.0), sent);
                }
            }
        }
        let pairs = |table: &BTreeMap<(u32, u32), f64>| table.keys().copied().collect::<Vec<_>>();
        assert_eq!(pairs(&found), pairs(&wanted), "{size:?} {zero:?}");
        for (pair, bytes) in &found {
            let off = bytes / wanted[pair] - 1.0;
            assert!(off.abs() < 1e-3, "{size:?} {zero:?} {pair:?}: {bytes}, not {}", wanted[pair]);
        }
        // Of each parameter one rank of a shard group keeps the states.
        let memory = memory_ledger(&framework, &step);
        let stage = &step.stages[memory.stage as usize];
        let owners = mesh.group(0, &SHARDS).len() as f64;
        let share = stage.dense_parameters as f64 / owners;
        let states = memory.optimizer.as_f64() / share;
        assert!((states / step.upkeep.state - 1.0).abs() < 1e-6, "{size:?} {zero:?}: {states}");
        let weights = memory.weights.as_f64() / stage.dense_parameters as f64;
        let wanted = step.upkeep.weight / if zero == Zero::Parameters { owners } else { 1.0 };
        assert!((weights / wanted - 1.0).abs() < 1e-6, "{size:?} {zero:?}: {weights}");
    }
}

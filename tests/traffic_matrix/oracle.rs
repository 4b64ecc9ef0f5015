//! Every sum, row and pair of the symbolic matrix equals that of the simulated one, exactly.

use std::collections::BTreeMap;

use planner::collective::{FlatAlgorithm, GroupSpread, Policy, SwitchReduction, call_volumes};
use planner::parallel::{
    Axis, Digit, ExpertRole, Group, Locality, Placed, Placement, Rank, RankGrid,
};
use planner::step::TrafficKind;
use planner::traffic::{BlockAxis, TrafficMatrix, leaf_cut};
use planner::units::Bytes;
use planner::workload::Algorithms;
use proptest::prelude::*;

use crate::support::cases::saved_config;
use crate::traffic_matrix::case::{Case, cases};
use crate::traffic_matrix::simulation::{groups, simulate};
use crate::traffic_matrix::wire::Wire;

fn policies() -> impl Strategy<Value = Policy> {
    let flat = prop_oneof![
        4 => Just(FlatAlgorithm::Ring),
        1 => Just(FlatAlgorithm::Direct),
        1 => Just(FlatAlgorithm::HalvingDoubling),
        1 => Just(FlatAlgorithm::DoubleTree),
        1 => Just(FlatAlgorithm::Pat),
    ];
    let flags = (any::<bool>(), any::<bool>(), any::<bool>());
    (flat, flags).prop_map(|(flat, (hierarchical, forwards, tuned))| Policy {
        flat,
        hierarchical,
        forwards,
        tuned,
        sums: SwitchReduction::Nowhere, // leaf.rs counts what switches sum
    })
}

fn check_pairs_and_rows(matrix: &TrafficMatrix, wire: &Wire) {
    // All pairs of small jobs; of large ones every seventh, as each row is compared anyway.
    let stride = if matrix.rank_count() <= 96 { 1 } else { 7 };
    for i in 0..matrix.rank_count() {
        let mut row: BTreeMap<u32, [u128; 5]> = BTreeMap::new();
        for (to, bytes) in matrix.row_of_rank(Rank(i)) {
            row.insert(to.0, TrafficKind::ALL.map(|kind| bytes.bytes_of_kind(kind).count()));
        }
        for j in 0..matrix.rank_count() {
            let expected = wire.between(i, j);
            if (i + j) % stride == 0 {
                let pair = matrix.bytes_between(Rank(i), Rank(j));
                let pair = TrafficKind::ALL.map(|kind| pair.bytes_of_kind(kind).count());
                assert_eq!(pair, expected, "pair {i} {j}");
            }
            assert_eq!(row.get(&j).copied().unwrap_or_default(), expected, "row {i} at {j}");
        }
    }
}

fn check_summary(matrix: &TrafficMatrix, wire: &Wire) {
    let placement = matrix.placed_ranks().placement();
    let mut by = [[0_u128; 3]; 5];
    let (mut idle, mut largest) = (0_u128, 0);
    let n = matrix.rank_count();
    for i in 0..n {
        for j in (0..n).filter(|j| *j != i) {
            let bytes = wire.between(i, j);
            let locality = placement.pair_locality(Rank(i), Rank(j));
            for (kind, bytes) in bytes.iter().enumerate() {
                by[kind][locality as usize] += bytes;
            }
            let total: u128 = bytes.iter().sum();
            idle += u128::from(total == 0);
            largest = largest.max(total);
        }
    }
    let summary = matrix.summary();
    for kind in TrafficKind::ALL {
        for locality in Locality::ALL {
            let expected = by[kind as usize][locality as usize];
            assert_eq!(summary.bytes_at(kind, locality).count(), expected, "{kind:?} {locality:?}");
        }
    }
    assert_eq!(summary.total.count(), by.iter().flatten().sum::<u128>());
    assert_eq!(summary.pairs, u128::from(n) * u128::from(n - 1));
    assert_eq!(summary.idle_pairs, idle);
    assert_eq!(summary.largest_pair.count(), largest);
}

/// The busiest rank of a call, from the simulation of a step that has only this communication.
fn check_volumes(case: &Case, placed: &Placed, policy: &Policy) {
    let placement = placed.placement();
    for communication in &case.step.communications {
        let mut step = case.step.clone();
        step.communications = vec![communication.clone()];
        let wire = simulate(&step, placed, policy);
        for stage in 0..step.stages.len() {
            let calls = u128::from(step.calls_per_step(communication, stage));
            let called = call_volumes(communication, stage, placed, policy);
            let (mut inside, mut across, mut off_rail) = (0, 0, 0);
            let of_stage = |rank: &u32| step.grid.pipeline_stage(Rank(*rank)) as usize == stage;
            for i in (0..step.grid.ranks()).filter(of_stage) {
                let mut sent = [0_u128; 3];
                for j in (0..step.grid.ranks()).filter(|j| *j != i) {
                    let locality = placement.pair_locality(Rank(i), Rank(j));
                    sent[locality as usize] += wire.between(i, j).iter().sum::<u128>();
                }
                inside = inside.max(sent[0]);
                across = across.max(sent[1] + sent[2]);
                off_rail = off_rail.max(sent[2]);
            }
            if calls == 0 {
                continue;
            }
            let label = format!("{communication:?} on stage {stage} of {:?}", case.placement);
            // Several relations of one call may peak on different ranks.
            let several = policy.tuned
                || matches!(
                    policy.flat,
                    FlatAlgorithm::HalvingDoubling | FlatAlgorithm::DoubleTree | FlatAlgorithm::Pat
                );
            if several {
                assert!(called.inside.count() * calls >= inside, "{label}");
                assert!(called.across.count() * calls >= across, "{label}");
            } else {
                assert_eq!(called.inside.count() * calls, inside, "{label}");
                assert_eq!(called.across.count() * calls, across, "{label}");
            }
            assert!(called.off_rail.count() * calls >= off_rail, "{label}");
        }
    }
}

/// Bytes over each leaf's border, counted from single calls.
fn check_leaf_cut(case: &Case, placed: &Placed, policy: &Policy, domains: u32) {
    let placement = placed.placement();
    for communication in &case.step.communications {
        let mut step = case.step.clone();
        step.communications = vec![communication.clone()];
        let wire = simulate(&step, placed, policy);
        let mut borders: BTreeMap<(u32, u32), f64> = BTreeMap::new();
        let mut interfaces: BTreeMap<(u32, u32), f64> = BTreeMap::new();
        for i in 0..step.grid.ranks() {
            let calls =
                step.calls_per_step(communication, step.grid.pipeline_stage(Rank(i)) as usize);
            let (domain, rail) = (placement.domain_of(Rank(i)), placement.rail_of(Rank(i)));
            for j in 0..step.grid.ranks() {
                let sent: u128 = wire.between(i, j).iter().sum();
                if sent == 0 {
                    continue;
                }
                let bytes = sent as f64 / calls as f64;
                let to = placement.domain_of(Rank(j));
                if to != domain {
                    *interfaces.entry((domain, rail)).or_default() += bytes;
                }
                if to / domains != domain / domains {
                    *borders.entry((domain / domains, rail)).or_default() += bytes;
                }
            }
        }
        let most = |table: BTreeMap<_, f64>| table.into_values().fold(0.0, f64::max);
        let (border, interface) = (most(borders), most(interfaces));
        let expected = if interface == 0.0 { 0.0 } else { border / interface };
        let cut = leaf_cut(&case.step, communication, placed, policy, domains);
        assert!((cut - expected).abs() < 1e-9, "{cut} {expected} for {communication:?}");
    }
}

/// Sums by blocks, from the simulated pairs.
fn check_blocks(matrix: &TrafficMatrix, wire: &Wire, most: u32) {
    let (placement, n) = (matrix.placed_ranks().placement(), matrix.rank_count());
    let key = |by: BlockAxis, rank: u32| match by {
        BlockAxis::Gpu => rank,
        BlockAxis::Domain => placement.domain_of(Rank(rank)),
        BlockAxis::Rail => placement.rail_of(Rank(rank)),
        BlockAxis::Stage => matrix.placed_ranks().grid().pipeline_stage(Rank(rank)),
    };
    for by in [BlockAxis::Gpu, BlockAxis::Domain, BlockAxis::Rail, BlockAxis::Stage] {
        let blocks = matrix.sum_by_blocks(by, most);
        assert!(blocks.blocks_per_side() <= most, "{by:?}");
        let mut sums: BTreeMap<(u32, u32), [u128; 5]> = BTreeMap::new();
        for i in 0..n {
            for j in 0..n {
                let block = |rank| key(by, rank) / blocks.ids_per_block();
                let sum = sums.entry((block(i), block(j))).or_default();
                let sent = wire.between(i, j);
                (0..5).for_each(|kind| sum[kind] += sent[kind]);
            }
        }
        for from in 0..blocks.blocks_per_side() {
            for to in 0..blocks.blocks_per_side() {
                let sum = TrafficKind::ALL
                    .map(|kind| blocks.bytes_between(from, to).bytes_of_kind(kind).count());
                let expected = sums.get(&(from, to)).copied().unwrap_or_default();
                assert_eq!(sum, expected, "{by:?} {from} {to} of {}", blocks.blocks_per_side());
            }
        }
    }
}

/// Volumes of pairs one by one, and all cells in order.
fn check_distribution(matrix: &TrafficMatrix, wire: &Wire) {
    let mut volumes: BTreeMap<u128, u128> = BTreeMap::new();
    let mut cells = matrix.busy_cells();
    for i in 0..matrix.rank_count() {
        for j in 0..matrix.rank_count() {
            let total: u128 = wire.between(i, j).iter().sum();
            if total > 0 {
                *volumes.entry(total).or_default() += 1;
                let cell =
                    cells.next().map(|(from, to, bytes)| (from.0, to.0, bytes.total_bytes()));
                assert_eq!(cell, Some((i, j, Bytes::new(total))));
            }
        }
    }
    assert!(cells.next().is_none(), "no cell is left over");
    let counted: BTreeMap<u128, u128> = matrix
        .volume_distribution()
        .volumes_with_pairs()
        .map(|(bytes, pairs)| (bytes.count(), pairs))
        .collect();
    assert_eq!(counted, volumes);
}

/// What ranks send in all: where every member of a group does the same, each receives as much.
fn check_balance(matrix: &TrafficMatrix, wire: &Wire) {
    let n = matrix.rank_count();
    let sum = |pair: &dyn Fn(u32) -> u128| (0..n).map(pair).sum::<u128>();
    for kind in [TrafficKind::Data, TrafficKind::Context, TrafficKind::Expert] {
        for rank in 0..n {
            let sent = sum(&|other| wire.between(rank, other)[kind as usize]);
            let received = sum(&|other| wire.between(other, rank)[kind as usize]);
            assert_eq!(sent, received, "{kind:?} of rank {rank}");
        }
    }
    let sent = (0..n)
        .map(|rank| matrix.row_of_rank(Rank(rank)).iter().map(|(_, b)| b.total_bytes()).sum());
    assert_eq!(sent.sum::<Bytes>(), matrix.summary().total);
}

proptest! {
    #![proptest_config(saved_config(64, "traffic_matrix"))]

    #[test]
    fn the_symbolic_matrix_equals_the_simulated_one(case in cases(), policy in policies()) {
        let matrix = TrafficMatrix::with_policy(&case.step, case.placement, &policy);
        let wire = simulate(&case.step, matrix.placed_ranks(), &policy);
        check_pairs_and_rows(&matrix, &wire);
        check_summary(&matrix, &wire);
        check_distribution(&matrix, &wire);
        check_balance(&matrix, &wire);
    }

    #[test]
    fn blocks_are_sums_of_pairs(case in cases(), most in 1..40_u32) {
        prop_assume!(case.step.grid.ranks() <= 192);
        let matrix = TrafficMatrix::new(&case.step, case.placement);
        let wire = simulate(&case.step, matrix.placed_ranks(), &Policy::from(Algorithms::Nccl));
        check_blocks(&matrix, &wire, most);
    }

    #[test]
    fn another_rank_order_permutes_the_matrix(case in cases(), other in cases()) {
        // One domain, so that no algorithm depends on where ranks sit.
        let placement = Placement::with_packed_domains(512, 512);
        let mut turned = case.step.clone();
        turned.layout.order = other.step.layout.order;
        let grid = RankGrid::new(&turned.layout);
        prop_assume!(grid.is_some()); // experts nest in some orders only
        turned.grid = grid.expect("an order that lays the experts");
        prop_assume!(same_group_order(&case.step.grid, &turned.grid));
        let moved = permutation(&case.step.grid, &turned.grid);
        let (before, after) = (TrafficMatrix::new(&case.step, placement), TrafficMatrix::new(&turned, placement));
        prop_assert_eq!(before.summary(), after.summary());
        for from in 0..before.rank_count() {
            let mut row: Vec<_> =
                before.row_of_rank(Rank(from)).into_iter().map(|(to, b)| (moved[to.0 as usize], b)).collect();
            row.sort_by_key(|(to, _)| *to);
            prop_assert_eq!(row, after.row_of_rank(moved[from as usize]));
        }
    }

    #[test]
    fn volumes_are_those_of_the_busiest_rank(case in cases(), policy in policies()) {
        prop_assume!(case.step.grid.ranks() <= 128);
        let placed = Placed::new(&case.step.grid, case.placement);
        check_volumes(&case, &placed, &policy);
    }

    #[test]
    fn leaf_cuts_are_counted_right(case in cases(), policy in policies(), domains in 1..6_u32) {
        prop_assume!(case.step.grid.ranks() <= 128);
        let placed = Placed::new(&case.step.grid, case.placement);
        check_leaf_cut(&case, &placed, &policy, domains);
    }

    #[test]
    fn spreads_say_how_groups_lie(case in cases()) {
        let placed = Placed::new(&case.step.grid, case.placement);
        let used = case.placement.used_gpus_per_domain();
        for group in [Group::Tensor, Group::Context, Group::Data, Group::Pipeline, Group::Expert] {
            for ranks in groups(&case.step, group) {
                let mut domains: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
                for rank in &ranks {
                    domains.entry(rank / used).or_default().push(rank % used);
                }
                match GroupSpread::spread_of_group(&placed, group) {
                    GroupSpread::Inside { members } => {
                        prop_assert_eq!((domains.len(), ranks.len()), (1, members as usize));
                    }
                    GroupSpread::Apart { members } => {
                        prop_assert_eq!((domains.len(), ranks.len()), (members as usize, members as usize));
                    }
                    GroupSpread::Nested { inside, across } => {
                        prop_assert_eq!(domains.len(), across as usize);
                        let places = &domains.values().next().expect("a group has members").clone();
                        prop_assert_eq!(places.len(), inside as usize);
                        prop_assert!(domains.values().all(|counts| counts == places));
                    }
                    GroupSpread::Ragged { members } => prop_assert_eq!(ranks.len(), members as usize),
                }
            }
        }
    }
}

/// What a digit is, whatever its stride.
fn name(digit: &Digit) -> (Axis, ExpertRole, bool) {
    (digit.axis, digit.expert_role, digit.copies)
}

/// True where the digits of each group come in the same order, so that positions in it agree.
fn same_group_order(one: &RankGrid, other: &RankGrid) -> bool {
    [Group::Data, Group::Expert, Group::ExpertData, Group::ExpertTensor, Group::Tensor]
        .into_iter()
        .all(|group| one.group_digits(group).map(name).eq(other.group_digits(group).map(name)))
}

/// Where each rank of one order sits in another.
fn permutation(one: &RankGrid, other: &RankGrid) -> Vec<Rank> {
    let place = |rank: u32| {
        let value = |this_digit: &Digit| {
            let same = one.digits().iter().find(|digit| name(digit) == name(this_digit));
            same.map_or(0, |digit| rank / digit.stride % digit.size)
        };
        Rank(other.digits().iter().map(|digit| value(digit) * digit.stride).sum())
    };
    (0..one.ranks()).map(place).collect()
}

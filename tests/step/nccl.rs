//! NCCL's choice of an algorithm against times that its own formulas gave elsewhere.

use planner::collective::nccl_tuner::{TunerChoice, TunerQuery};
use planner::units::Bytes;

const KIB: f64 = 1024.0;
const MIB: f64 = 1024.0 * KIB;
const GIB: f64 = 1024.0 * MIB;

#[track_caller]
fn takes(asked: (u32, u32, bool, f64), choice: TunerChoice, micros: f64) {
    let (inside, nodes, both, bytes) = asked;
    let asked = TunerQuery { inside, nodes, both, payload: Bytes::new(bytes as u128) };
    assert_eq!(asked.fastest_algorithm(), choice, "{asked:?}");
    let own = asked.min_time().get() * 1e6;
    assert!((own - micros).abs() <= 0.002f64.mul_add(micros, 1.0), "{asked:?}: {own} µs");
}

/// Times that NCCL 2.30.7's own formulas gave in a script of their own: H100, an Intel host, all
/// channels at 48 GB/s.
#[test]
fn groups_on_rails_gather_by_the_algorithm_that_nccl_takes() {
    use TunerChoice::{Pat, Ring};
    for (ranks, row) in [
        (8, [(Pat, 44.0), (Pat, 159.0), (Ring, 412.0), (Ring, 1_330.0), (Ring, 5_000.0)]),
        (16, [(Pat, 71.0), (Pat, 185.0), (Pat, 535.0), (Ring, 1_529.0), (Ring, 5_461.0)]),
        (64, [(Pat, 213.0), (Pat, 328.0), (Pat, 677.0), (Pat, 2_075.0), (Ring, 6_395.0)]),
        (256, [(Pat, 759.0), (Pat, 873.0), (Pat, 1_223.0), (Pat, 2_621.0), (Pat, 8_213.0)]),
        (1024, [(Pat, 2_917.0), (Pat, 3_032.0), (Pat, 3_381.0), (Pat, 4_779.0), (Pat, 10_372.0)]),
    ] {
        let sizes = [64.0 * KIB, 4.0 * MIB, 16.0 * MIB, 64.0 * MIB, 256.0 * MIB];
        for (bytes, (choice, micros)) in sizes.into_iter().zip(row) {
            takes((1, ranks, false, bytes), choice, micros);
        }
    }
    takes((1, 256, false, GIB), Ring, 25_861.0);
    takes((1, 1024, false, GIB), Pat, 32_741.0);
}

#[test]
fn nodes_reduce_by_trees_until_rings_are_faster() {
    use TunerChoice::{Ring, Tree};
    for (nodes, bytes, choice, micros) in [
        (4, 8.0 * KIB, Tree, 36.0),
        (4, MIB, Tree, 81.0),
        (4, 4.0 * MIB, Tree, 111.0),
        (4, 16.0 * MIB, Tree, 198.0),
        (4, 256.0 * MIB, Tree, 1_537.0),
        (4, GIB, Ring, 5_814.0),
        (16, MIB, Tree, 115.0),
        (16, 16.0 * MIB, Tree, 260.0),
        (16, 64.0 * MIB, Tree, 558.0),
        (16, 4.0 * GIB, Tree, 23_607.0),
        (256, MIB, Tree, 183.0),
        (256, GIB, Tree, 6_256.0),
    ] {
        takes((8, nodes, true, bytes), choice, micros);
    }
    for (nodes, bytes, micros) in
        [(4, 4.0 * MIB, 93.0), (4, 256.0 * MIB, 823.0 * 1.9), (16, GIB, 3_374.0)]
    {
        // The middle one is no published row: rings of gathers are as fast as their channels.
        let asked =
            TunerQuery { inside: 8, nodes, both: false, payload: Bytes::new(bytes as u128) };
        assert_eq!(asked.fastest_algorithm(), Ring);
        assert!(
            asked.min_time().get() * 1e6 <= micros * 1.01,
            "{asked:?}: {}",
            asked.min_time().get() * 1e6
        );
    }
}

/// Crossings by the formulas of docs/equations.md §3.19, worked out in a script of their own.
#[test]
fn switches_sum_where_trees_would_take_longer() {
    for (inside, nodes, bytes, switches) in [
        (8, 4, 32.0 * KIB, false),
        (8, 4, 64.0 * KIB, true),
        (8, 16, 64.0, true),
        (8, 16, GIB, true),
        // Between two nodes a tree has no inner node, and is as fast.
        (8, 2, 4.0 * GIB, false),
        (4, 8, 2.0 * KIB, false),
        (4, 8, 4.0 * KIB, true),
        // Alone on its node a rank waits 14 µs for the switches, and 6.8 + 2·5 µs for a tree of two.
        (1, 2, 64.0, true),
        (1, 2, 4.0 * GIB, false),
        (1, 4, 64.0, true),
        (1, 4, 64.0 * KIB, true),
        (1, 256, 64.0, true),
    ] {
        let asked = TunerQuery { inside, nodes, both: true, payload: Bytes::new(bytes as u128) };
        assert_eq!(asked.prefers_switch_reduction(), switches, "{asked:?}");
        assert!(
            !TunerQuery { both: false, ..asked }.prefers_switch_reduction(),
            "halves go as they do without"
        );
    }
}

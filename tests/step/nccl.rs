//! NCCL's choice of an algorithm against times that its own formulas gave elsewhere.

use planner::collective::nccl::{NcclAlgorithm, NcclCall, NcclMachine};
use planner::hardware::NcclGeneration;
use planner::step::Operation;
use planner::timing::{NetworkModel, measured_call_time};
use planner::units::{Bytes, Seconds};

use planner::spec::presets::preset_nodes;

const KIB: f64 = 1024.0;
const MIB: f64 = 1024.0 * KIB;
const GIB: f64 = 1024.0 * MIB;

const BOARD: NcclMachine = NcclMachine::of_ranks_per_domain(8);
const RACK: NcclMachine = NcclMachine::of_ranks_per_domain(72);

#[track_caller]
fn takes(asked: (u32, u32, bool, f64), choice: NcclAlgorithm, micros: f64) {
    let (inside, nodes, both, bytes) = asked;
    let asked = NcclCall { inside, nodes, both, payload: Bytes::new(bytes as u128) };
    assert_eq!(asked.tuned_algorithm(), choice, "{asked:?}");
    let own = asked.modelled_time(&BOARD).get() * 1e6;
    assert!((own - micros).abs() <= 0.002f64.mul_add(micros, 1.0), "{asked:?}: {own} µs");
}

/// Times that NCCL 2.30.7's own formulas gave in a script of their own: H100, an Intel host, all
/// channels at 48 GB/s.
#[test]
fn groups_on_rails_gather_by_the_algorithm_that_nccl_takes() {
    use NcclAlgorithm::{Pat, Ring};
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
    use NcclAlgorithm::{NvlsTree, Ring, Tree};
    for (nodes, bytes, choice, micros) in [
        (4, 8.0 * KIB, Tree, 36.0),
        (4, MIB, Tree, 81.0),
        (4, 4.0 * MIB, Tree, 111.0),
        (4, 16.0 * MIB, NvlsTree, 198.0),
        (4, 256.0 * MIB, NvlsTree, 1_537.0),
        (4, GIB, Ring, 5_814.0),
        (16, MIB, Tree, 115.0),
        (16, 16.0 * MIB, Tree, 260.0),
        (16, 64.0 * MIB, NvlsTree, 558.0),
        (16, 4.0 * GIB, NvlsTree, 23_607.0),
        (256, MIB, Tree, 183.0),
        (256, GIB, NvlsTree, 6_256.0),
    ] {
        takes((8, nodes, true, bytes), choice, micros);
    }
    for (nodes, bytes, micros) in
        [(4, 4.0 * MIB, 93.0), (4, 256.0 * MIB, 823.0 * 1.9), (16, GIB, 3_374.0)]
    {
        // The middle one is no published row: rings of gathers are as fast as their channels.
        let asked = NcclCall { inside: 8, nodes, both: false, payload: Bytes::new(bytes as u128) };
        assert_eq!(asked.tuned_algorithm(), Ring);
        assert!(
            asked.modelled_time(&BOARD).get() * 1e6 <= micros * 1.01,
            "{asked:?}: {}",
            asked.modelled_time(&BOARD).get() * 1e6
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
        let asked = NcclCall { inside, nodes, both: true, payload: Bytes::new(bytes as u128) };
        assert_eq!(asked.prefers_switch_sums(), switches, "{asked:?}");
        assert!(
            !NcclCall { both: false, ..asked }.prefers_switch_sums(),
            "halves go as they do without"
        );
    }
}

/// What NCCL 2.30.7's formulas give for H100 boards and GB200 racks, µs at 1, 8, 64 and 256 MiB, 1
/// and 8 GiB: worked out from its source code (`src/graph/tuning.cc`) by a script of its own.
#[test]
fn the_cost_model_is_that_of_the_source_code() {
    let sizes = [MIB, 8.0 * MIB, 64.0 * MIB, 256.0 * MIB, GIB, 8.0 * GIB];
    for (machine, inside, nodes, both, micros) in [
        (BOARD, 8, 2, true, [60.0, 101.0, 339.0, 1_157.0, 4_428.0, 34_959.0]),
        (BOARD, 8, 2, false, [48.0, 71.0, 234.0, 725.0, 2_691.0, 21_042.0]),
        (BOARD, 8, 128, true, [166.0, 231.0, 686.0, 1_791.0, 6_212.0, 47_469.0]),
        (BOARD, 8, 128, false, [1_297.0, 1_656.0, 2_453.0, 3_138.0, 5_878.0, 27_181.0]),
        (RACK, 72, 1, true, [27.0, 43.0, 169.0, 602.0, 2_333.0, 18_488.0]),
        (RACK, 72, 1, false, [53.0, 79.0, 249.0, 549.0, 1_720.0, 12_015.0]),
        (RACK, 72, 8, true, [153.0, 169.0, 296.0, 734.0, 2_487.0, 18_841.0]),
        (RACK, 72, 8, false, [645.0, 1_004.0, 1_225.0, 1_535.0, 2_776.0, 14_218.0]),
    ] {
        for (bytes, expected) in sizes.into_iter().zip(micros) {
            let call = NcclCall { inside, nodes, both, payload: Bytes::new(bytes as u128) };
            let own = call.modelled_time(&machine).get() * 1e6;
            assert!((own - expected).abs() <= 1.0, "{call:?}: {own} µs, not {expected}");
        }
    }
}

/// More bytes, more domains and more time on the interfaces never take less; nor faster links more.
#[test]
fn time_grows_with_bytes_domains_and_traffic() {
    use NcclGeneration::{Ampere, Blackwell, Hopper, Rccl, Volta};
    for generation in [Volta, Ampere, Hopper, Blackwell, Rccl] {
        for (inside, rate) in [(1, 360.0), (2, 360.0), (8, 360.0), (8, 720.0), (72, 720.0)] {
            let machine = NcclMachine {
                generation,
                inside: rate,
                across: 48.0,
                has_summing_switches: generation != Rccl,
            };
            for both in [true, false] {
                let time_on = |machine: &NcclMachine, nodes: u32, bytes: f64, across: f64| {
                    let payload = Bytes::new(bytes as u128);
                    let call = NcclCall { inside, nodes, both, payload };
                    let across = Seconds::from_f64(across);
                    call.candidates_in_order(machine)
                        .fastest_candidate(across)
                        .call_time(across)
                        .get()
                };
                let time = |nodes, bytes, across| time_on(&machine, nodes, bytes, across);
                for nodes in (1..=9).map(|power| 1 << power) {
                    for bytes in (20..34).map(|power| f64::from(1_u32 << (power - 20)) * MIB) {
                        let own = time(nodes, bytes, 0.0);
                        let what = format!("{machine:?}, {inside} x {nodes}, {both}, {bytes} B");
                        assert!(time(nodes * 2, bytes, 0.0) >= own * 0.999, "{what}: domains");
                        for more in [1.0 + 1.0 / MIB, 1.1, 1.9] {
                            assert!(time(nodes, bytes * more, 0.0) >= own * 0.999, "{what}: bytes");
                        }
                        assert!(time(nodes, bytes, own) >= own, "{what}: traffic");
                        for faster in [1.01, 1.3, 2.0] {
                            let nic = NcclMachine { across: 48.0 * faster, ..machine };
                            let link = NcclMachine { inside: rate * faster, ..machine };
                            for better in [nic, link] {
                                let time = time_on(&better, nodes, bytes, 0.0);
                                assert!(time <= own * 1.001, "{what}: {better:?}");
                            }
                        }
                    }
                }
            }
        }
    }
}

/// An all-to-all: more bytes and more domains never take less, nor a faster interface more; and links
/// are never faster than their line rate.
#[test]
fn an_all_to_all_grows_with_bytes_and_domains_and_falls_with_the_rate_of_interfaces() {
    for (name, node) in preset_nodes().iter().filter(|(_, node)| node.nics == node.gpus) {
        let network = NetworkModel::non_blocking(node, &node.nic);
        for inside in [1, 2, node.gpus].into_iter().filter(|inside| *inside <= node.gpus) {
            let time = |nodes: u32, bytes: f64, faster: f64| {
                let payload = Bytes::new(bytes as u128);
                let call = NcclCall { inside, nodes, both: false, payload };
                let network = NetworkModel { nic: network.nic * faster, ..network };
                measured_call_time(&node.gpu, &network, 1.0, Operation::AllToAll, &call).get()
            };
            let first = if inside > 1 { 0 } else { 1 };
            for nodes in (first..=9).map(|power| 1 << power) {
                for bytes in (0..15).map(|power| f64::from(1_u32 << power) * MIB) {
                    let own = time(nodes, bytes, 1.0);
                    let what = format!("{name}, {inside} x {nodes}, {bytes} B");
                    assert!(time(nodes * 2, bytes, 1.0) >= own, "{what}: domains");
                    assert!(time(nodes, bytes * 1.1, 1.0) > own, "{what}: bytes");
                    assert!(time(nodes, bytes, 1.1) <= own, "{what}: interface");
                    let ranks = f64::from(inside * nodes);
                    let away = bytes * (ranks - f64::from(inside)) / ranks;
                    assert!(own > away / network.nic.get(), "{what}: line rate");
                }
            }
        }
    }
}

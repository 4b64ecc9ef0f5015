//! Figures: room that it takes, room to grow, and what a full exchange reaches.

use super::equation::{FORWARDING, LEAF_CUT, PIPELINED_FORWARDING, RACKS, RATIOS, ROOM};
use super::row::Better::{Higher, Lower};
use super::row::{Quantity, ROW};
use super::value::{count, power, share};
use crate::units::Unit;

pub(super) const ROWS: &[Quantity] = &[
    Quantity {
        key: "racks.nodes",
        label: "racks of machines",
        unit: Unit::Count,
        better: Lower,
        always: false,
        read: |of| count(of.racks?.nodes),
        meaning: "racks of machines",
        formula: "⌈M / min(⌊units of a rack / units of a machine⌋, ⌊power of a rack / power of a \
                   machine⌋)⌉",
        equations: &[RACKS],
        ..ROW
    },
    Quantity {
        key: "racks.switches",
        label: "racks of switches",
        unit: Unit::Count,
        better: Lower,
        always: false,
        read: |of| count(of.racks?.switches),
        meaning: "racks of switches; a rack holds one model",
        formula: "Σ over models: ⌈switches / min(⌊units of a rack / units of one⌋, ⌊power of a \
                   rack / power of one with all ports lit⌋)⌉",
        equations: &[RACKS],
        ..ROW
    },
    Quantity {
        key: "racks.limit",
        label: "racks that there are",
        unit: Unit::Count,
        always: false,
        read: |of| count(of.racks?.most?),
        meaning: "racks that there are for machines and switches",
        formula: "as the spec says",
        equations: &[RACKS],
        ..ROW
    },
    Quantity {
        key: "racks.fullest_w",
        label: "fullest rack",
        unit: Unit::Power,
        better: Lower,
        always: false,
        read: |of| power(of.racks?.fullest),
        meaning: "power of the rack that draws most",
        formula: "the largest over machines and models of switch: as many as there are and a rack \
                   holds · power of one, all ports of a switch lit",
        equations: &[RACKS],
        ..ROW
    },
    Quantity {
        key: "racks.rack_power_w",
        label: "power of a rack",
        unit: Unit::Power,
        always: false,
        read: |of| power(of.racks?.rack.power?),
        meaning: "power that one rack can feed and cool",
        formula: "as the spec says",
        equations: &[RACKS],
        ..ROW
    },
    Quantity {
        key: "headroom.gpus_on_free_ports",
        label: "more GPUs on free ports",
        unit: Unit::Count,
        better: Higher,
        always: false,
        read: |of| count(of.headroom?.on_free_ports),
        meaning: "GPUs that could be added on free ports of leaf switches, whole HB domains only",
        formula: "at most K · ⌊(ports down of all leaf switches − host links) / (P · NICs of a \
                   domain)⌋, and no more than before another tier",
        equations: &[ROOM],
        ..ROW
    },
    Quantity {
        key: "headroom.gpus_before_another_tier",
        label: "more GPUs without a new tier",
        unit: Unit::Count,
        better: Higher,
        always: false,
        compared: true,
        read: |of| count(of.headroom?.before_another_tier),
        meaning: "GPUs that could be added by more switches of the same models, divided alike",
        formula: "K · (⌊trees · Π over layers: most ports down / NICs of a domain⌋ − M)",
        equations: &[ROOM],
        ..ROW
    },
    Quantity {
        key: "all_to_all.stored_share",
        label: "all-to-all, of the NIC rate",
        unit: Unit::Share,
        better: Higher,
        most: Some(1.0),
        compared: true,
        read: |of| share(of.all_to_all?.stored),
        meaning: "throughput of a uniform all-to-all of all GPUs over the rate of their NICs, \
                   where messages are forwarded whole before they are sent",
        formula: "1 / (q + β · max(0, φ − σ)), β = B_S · NICs of a domain / K / B_F",
        equations: &[FORWARDING, LEAF_CUT, RATIOS],
        ..ROW
    },
    Quantity {
        key: "all_to_all.pipelined_share",
        label: "all-to-all, forwarded in chunks",
        unit: Unit::Share,
        better: Higher,
        most: Some(1.0),
        read: |of| share(of.all_to_all?.pipelined),
        meaning: "the same where chunks are forwarded while others are sent: as well as routing \
                   can",
        formula: "1 / max(q, (I/X + φ) / (1/β + σ), β · I/X), β = B_S · NICs of a domain / K / \
                   B_F, I/X = (K − 1)/(K·(M − 1))",
        equations: &[PIPELINED_FORWARDING, LEAF_CUT, RATIOS],
        ..ROW
    },
];

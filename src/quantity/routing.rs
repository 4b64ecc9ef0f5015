//! Figures of routing, `[robust]`, headroom, racks and all-to-all.

use super::row::Better::{Higher, Lower, Neither};
use super::row::{
    CAPITAL, COLLECTIVE_TIME, COUNT, FLAG, FORWARDING, LEAF_CUT, MONEY, NUMBER,
    PIPELINED_FORWARDING, POWER_DRAWN, Quantity, RACKS, RATIOS, ROOM, ROUTED, SHARE, STAGES, WORD,
    count_amount, money_amount, number_amount, optional_row, power_amount, share_amount,
    word_amount,
};
use crate::units::Amount;

pub(super) const ROUTING_ROWS: &[Quantity] = &[
    Quantity {
        key: "routing.verified",
        label: "step time verified",
        read: |source| Some(Amount::Flag(source.routing?.is_verified())),
        meaning: "whether the step was routed and no link is slower than its time assumes",
        ..optional_row(FLAG)
    },
    Quantity {
        key: "routing.unverified",
        label: "step time in doubt",
        better: Lower,
        most: Some(1.0),
        read: |source| count_amount(u32::from(!source.routing?.is_verified())),
        meaning: "whether routing leaves the step time in doubt",
        formula: "1 where the step was not routed or a link is slower than its time assumes, else \
                  0",
        equations: &[ROUTED],
        inputs: &["routing.verified"],
        ..optional_row(COUNT)
    },
    Quantity {
        key: "routing.worst_ratio",
        label: "slowest link over its granted time",
        read: |source| number_amount(source.routing?.worst_ratio()?),
        meaning: "slowest link over the time that the step time has for it",
        formula: "the most over all communications of: time of the slowest link / granted time",
        equations: &[ROUTED],
        inputs: &["routed calls"],
        ..optional_row(NUMBER)
    },
    Quantity {
        key: "routing.reason",
        label: "why in doubt",
        read: |source| word_amount(source.routing?.reason_unconfirmed()?),
        meaning: "why the step was not routed, or the communication that is slower and its link",
        ..optional_row(WORD)
    },
];

pub(super) const ROBUST_ROWS: &[Quantity] = &[
    Quantity {
        key: "robust.max_slowdown",
        label: "allowed to scenarios",
        better: Neither,
        read: |source| number_amount(source.robust?.max_slowdown),
        meaning: "longest step of each scenario of `[robust]` over that of the same scenario on a \
                  full-bisection Clos",
        formula: "robust.max_slowdown",
        equations: &[STAGES],
        ..optional_row(NUMBER)
    },
    Quantity {
        key: "robust.slowdown",
        label: "slowest scenario",
        read: |source| number_amount(source.robust?.slowest_scenario()?.slowdown),
        meaning: "largest step of a scenario of `[robust]` over that of the same scenario on a \
                  full-bisection Clos, as routed where that is longer than by the time model",
        formula: "largest step time / step time with ρ = σ = 1, over scenarios",
        equations: &[STAGES, COLLECTIVE_TIME],
        ..optional_row(NUMBER)
    },
    Quantity {
        key: "robust.too_slow",
        label: "scenarios that are too slow",
        better: Lower,
        read: |source| {
            count_amount(
                source
                    .robust?
                    .scenarios
                    .iter()
                    .filter(|scenario| !scenario.is_step_short_enough())
                    .count() as u64,
            )
        },
        meaning: "scenarios of `[robust]` whose step on this fabric, as routed, is longer than it may be",
        formula: "counted",
        equations: &[STAGES],
        ..optional_row(COUNT)
    },
    Quantity {
        key: "robust.most_uplinks",
        label: "needs most uplinks",
        read: |source| word_amount(source.robust?.most_uplinks()?.name.clone()),
        meaning: "scenario of `[robust]` that needs most uplinks of a leaf switch",
        ..optional_row(WORD)
    },
    Quantity {
        key: "robust.uplinks_share",
        label: "uplinks that it needs",
        better: Lower,
        read: |source| share_amount(source.robust?.most_uplinks()?.uplinks?),
        meaning: "least uplinks of a leaf switch over its NICs with which that scenario is fast \
                  enough by the time model, all else as it is",
        formula: "least u / d with step time ≤ robust.max_slowdown · step time with ρ = σ = 1",
        equations: &[RATIOS, STAGES],
        ..optional_row(SHARE)
    },
    Quantity {
        key: "robust.usd",
        label: "price of scenarios",
        read: |source| money_amount(source.robust?.price?.usd),
        meaning: "price of the cluster less that of the best one without `[robust]`, under the \
                  same limits: taking the table out saves it",
        formula: "capital − capital without scenarios",
        equations: &[CAPITAL],
        ..optional_row(MONEY)
    },
    Quantity {
        key: "robust.usd_share",
        label: "as a share of the cluster",
        better: Lower,
        read: |source| share_amount(source.robust?.price?.share),
        meaning: "that over the price of the cluster without scenarios; where cost per token is \
                  minimised, no less than what each token costs more, as a share",
        formula: "(capital − capital without scenarios) / capital without scenarios",
        equations: &[CAPITAL],
        ..optional_row(SHARE)
    },
];

pub(super) const HEADROOM_ROWS: &[Quantity] = &[
    Quantity {
        key: "racks.nodes",
        label: "racks of machines",
        better: Lower,
        read: |source| count_amount(source.racks?.nodes),
        meaning: "racks of machines; those of a scalable unit have racks of their own, as long as there \
                  are enough",
        formula: "Σ over scalable units: ⌈machines / min(⌊units of a rack / units of a machine⌋, ⌊power \
                   of a rack / power of a machine⌋, most machines of a rack)⌉",
        equations: &[RACKS],
        inputs: &["what a rack offers", "room of machines"],
        ..optional_row(COUNT)
    },
    Quantity {
        key: "racks.switches",
        label: "racks of switches",
        better: Lower,
        read: |source| count_amount(source.racks?.switches),
        meaning: "racks of switches; a rack holds one model, and leaf switches of one scalable unit",
        formula: "Σ over models, of leaf switches in each scalable unit: ⌈switches / min(⌊units of a \
                   rack / units of one⌋, ⌊power of a rack / power of one with all ports lit⌋, most \
                   switches of a rack)⌉",
        equations: &[RACKS],
        inputs: &["what a rack offers", "models of switch"],
        ..optional_row(COUNT)
    },
    Quantity {
        key: "racks.others",
        label: "racks of the other networks",
        better: Lower,
        read: |source| count_amount(source.racks?.others),
        meaning: "racks of storage switches, and of management switches and servers",
        formula: "⌈storage switches / what a rack holds⌉ + racks that the height and power of management \
                   fill, networks.control.racks at least",
        equations: &[RACKS],
        inputs: &["what a rack offers"],
        ..optional_row(COUNT)
    },
    Quantity {
        key: "racks.least",
        label: "racks that would do",
        better: Lower,
        read: |source| count_amount(source.racks?.least),
        meaning: "racks that it takes where scalable units share them: what `limits.racks` holds",
        formula: "⌈M / machines of a rack⌉ + Σ over models: ⌈switches / switches of a rack⌉ + racks of the \
                   other networks",
        equations: &[RACKS],
        inputs: &[
            "what a rack offers",
            "room of machines",
            "models of switch",
            "racks of the other networks",
        ],
        ..optional_row(COUNT)
    },
    Quantity {
        key: "racks.limit",
        label: "racks that there are",
        read: |source| count_amount(source.racks?.most?),
        meaning: "racks that there are for machines, switches and the other networks",
        formula: "as the spec says",
        equations: &[RACKS],
        inputs: &["limits.racks"],
        ..optional_row(COUNT)
    },
    Quantity {
        key: "racks.fullest_w",
        label: "fullest rack",
        read: |source| power_amount(source.racks?.fullest),
        meaning: "power of the rack that draws most",
        formula: "the largest over racks: Σ power of what stands in it, all ports of a switch lit",
        equations: &[RACKS],
        inputs: &["what a rack offers", "room of machines", "models of switch"],
        ..optional_row(POWER_DRAWN)
    },
    Quantity {
        key: "racks.rack_power_w",
        label: "power of a rack",
        better: Neither,
        read: |source| power_amount(source.racks?.rack.most_power()?),
        meaning: "power that one rack can feed and cool",
        formula: "as the spec says",
        equations: &[RACKS],
        inputs: &["power of a rack"],
        ..optional_row(POWER_DRAWN)
    },
    Quantity {
        key: "headroom.gpus_on_free_ports",
        label: "more GPUs on free ports",
        better: Higher,
        read: |source| count_amount(source.headroom?.on_free_ports),
        meaning: "GPUs that could be added on free ports of leaf switches, whole HB domains only",
        formula: "at most K · ⌊(ports down of all leaf switches − host links) / (P · NICs of a \
                   domain)⌋, and no more than before another tier",
        equations: &[ROOM],
        inputs: &[
            "ports down of all leaf switches",
            "fabric.host_links as host links",
            "fabric.planes",
            "node.nics",
            "node.gpus",
            "headroom.gpus_before_another_tier as GPUs before another tier",
        ],
        ..optional_row(COUNT)
    },
    Quantity {
        key: "headroom.gpus_before_another_tier",
        label: "GPUs before a new tier",
        better: Higher,
        compared: true,
        read: |source| count_amount(source.headroom?.before_another_tier),
        meaning: "GPUs that could be added by more switches of the same models, divided as now",
        formula: "K · (⌊trees · Π over layers: most ports down / NICs of a domain⌋ − M)",
        equations: &[ROOM],
        inputs: &[
            "most ports down of every layer",
            "trees",
            "node.nics",
            "HB domains M with ports",
            "node.gpus",
        ],
        ..optional_row(COUNT)
    },
    Quantity {
        key: "all_to_all.stored_share",
        label: "all-to-all, of the NIC rate",
        better: Higher,
        most: Some(1.0),
        compared: true,
        read: |source| share_amount(source.all_to_all?.stored),
        meaning: "throughput of a uniform all-to-all of all GPUs over the rate of their NICs, \
                   where messages are forwarded whole before they are sent",
        formula: "1 / (q + β · max(0, φ − σ)), β = B_S · NICs of a domain / K / B_F",
        equations: &[FORWARDING, LEAF_CUT, RATIOS],
        inputs: &["exchange of all with all"],
        ..SHARE
    },
    Quantity {
        key: "all_to_all.pipelined_share",
        label: "all-to-all, forwarded in chunks",
        better: Higher,
        most: Some(1.0),
        read: |source| share_amount(source.all_to_all?.pipelined),
        meaning: "the same where chunks are forwarded while others are sent: as well as routing \
                   can",
        formula: "1 / max(q, (I/X + φ) / (1/β + σ), β · I/X), β = B_S · NICs of a domain / K / \
                   B_F, I/X = (K − 1)/(K·(M − 1))",
        equations: &[PIPELINED_FORWARDING, LEAF_CUT, RATIOS],
        inputs: &["exchange of all with all"],
        ..SHARE
    },
];

//! Figures of switches and links.

use super::row::Better::{Higher, Lower};
use super::row::{
    CAPITAL, COUNT, LINKS, MONEY, NUMBER, PLANES, POWER, POWER_DRAWN, Quantity, RATIOS, ROW, SHARE,
    THREE_TIERS, TIERS, TOKEN_COST, TWO_TIERS, WORD, count_amount, number_amount, optional_row,
    share_amount, word_amount,
};
use crate::fabric::TierName;
use crate::units::{Amount, Unit};

pub(super) const ROWS: &[Quantity] = &[
    Quantity {
        key: "fabric.kind",
        label: "family",
        read: |source| word_amount(source.fabric?.kind.to_string()),
        meaning: "kind of network",
        ..WORD
    },
    Quantity {
        key: "fabric.planes",
        label: "planes",
        read: |source| count_amount(source.fabric?.planes),
        meaning: "separate copies of the network, each with a share of the NIC's bandwidth",
        formula: "the number up to max_planes and the NIC's ports that costs least",
        equations: &[PLANES],
        inputs: &["cluster.max_planes"],
        ..COUNT
    },
    Quantity {
        key: "fabric.rails",
        label: "rails",
        read: |source| count_amount(source.fabric?.rails),
        meaning: "rails: NICs of an HB domain",
        formula: "NICs of the machine",
        equations: &[TWO_TIERS],
        inputs: &["node.nics"],
        ..COUNT
    },
    Quantity {
        key: "fabric.endpoints",
        label: "NICs",
        read: |source| count_amount(source.fabric?.endpoints),
        meaning: "NICs that the network joins",
        formula: "HB domains with ports · NICs of a domain",
        equations: &[TIERS],
        inputs: &["HB domains M with ports", "fabric.rails"],
        ..COUNT
    },
    Quantity {
        key: "fabric.link_gbit_per_s",
        label: "rate of a link",
        unit: Unit::Link,
        read: |source| Some(Amount::Link(source.fabric?.link)),
        meaning: "rate of a link between NIC and leaf switch",
        formula: "NIC bandwidth / planes",
        equations: &[PLANES],
        inputs: &["nic.bandwidth", "ports of a NIC"],
        ..ROW
    },
    Quantity {
        key: "fabric.leafs",
        label: "leaf switches",
        better: Lower,
        read: |source| count_amount(source.fabric?.switches_in_tier(TierName::Leaf)),
        meaning: "switches that NICs plug into",
        formula: "⌈NICs / down⌉, per rail and plane where leaf switches are rail-aligned",
        equations: &[TWO_TIERS, THREE_TIERS],
        inputs: &["size of a layer", "ports of leaf switches"],
        ..COUNT
    },
    Quantity {
        key: "fabric.spines",
        label: "spine switches",
        better: Lower,
        read: |source| count_amount(source.fabric?.switches_in_tier(TierName::Spine)),
        meaning: "switches above the leaf switches",
        formula: "smallest divisor q of up with q·k ≥ leaf switches·up, per rail or for all",
        equations: &[TWO_TIERS, THREE_TIERS],
        inputs: &["size of a layer", "ports of spines"],
        ..COUNT
    },
    Quantity {
        key: "fabric.cores",
        label: "core switches",
        better: Lower,
        read: |source| count_amount(source.fabric?.switches_in_tier(TierName::Core)),
        meaning: "switches above the spines",
        formula: "least C with pods · ⌈uplinks of a pod / C⌉ ≤ ports of a core",
        equations: &[TWO_TIERS, THREE_TIERS],
        inputs: &["size of a layer", "ports of cores"],
        ..COUNT
    },
    Quantity {
        key: "fabric.switches",
        label: "switches",
        better: Lower,
        compared: true,
        read: |source| count_amount(source.fabric?.switch_count()),
        meaning: "all switches, all planes together",
        formula: "leaf switches + spines + cores",
        equations: &[TIERS, TWO_TIERS, THREE_TIERS],
        ..COUNT
    },
    Quantity {
        key: "fabric.host_links",
        label: "links to NICs",
        better: Lower,
        read: |source| count_amount(source.fabric?.host_links),
        meaning: "links between NICs and leaf switches",
        formula: "NICs · planes",
        equations: &[TWO_TIERS, PLANES],
        inputs: &["fabric.endpoints", "ports of a NIC"],
        ..COUNT
    },
    Quantity {
        key: "fabric.leaf_spine_links",
        label: "links between leaf and spine switches",
        better: Lower,
        read: |source| count_amount(source.fabric?.leaf_spine_links),
        meaning: "links between leaf switches and spines",
        formula: "Σ over leaf models: leaf switches · up",
        equations: &[TWO_TIERS],
        inputs: &["uplinks of leaf switches"],
        ..COUNT
    },
    Quantity {
        key: "fabric.spine_core_links",
        label: "links between spine and core switches",
        better: Lower,
        read: |source| count_amount(source.fabric?.spine_core_links),
        meaning: "links between spines and cores",
        formula: "Σ over spine models: spines · up",
        equations: &[THREE_TIERS],
        inputs: &["uplinks of spines"],
        ..COUNT
    },
    Quantity {
        key: "fabric.transceivers",
        label: "optical link ends",
        better: Lower,
        compared: true,
        read: |source| count_amount(source.fabric?.transceiver_count()),
        meaning: "one at each end of every optical link",
        formula: "2 · (links − copper links)",
        equations: &[LINKS, TWO_TIERS],
        inputs: &["links", "copper links"],
        ..COUNT
    },
    Quantity {
        key: "fabric.ports_free",
        label: "switch ports unused",
        compared: true,
        read: |source| count_amount(source.fabric?.ports_free()),
        meaning: "ports of all switches that are paid for and that no link takes",
        formula: "Σ over tiers: switches · ports of one − ports used",
        equations: &[TWO_TIERS, THREE_TIERS],
        inputs: &["ports of every layer"],
        ..COUNT
    },
    Quantity {
        key: "fabric.bisection_share",
        label: "bandwidth within a rail",
        better: Higher,
        compared: true,
        read: |source| share_amount(source.fabric?.within_rail),
        meaning: "bandwidth between any two halves of a rail over that of their NICs, at least: the closed \
                  form, a lower bound",
        formula: "ρ: uplink over downlink bandwidth of a leaf within its rail; 1 never blocks",
        equations: &[RATIOS],
        inputs: &["uplinks of leaf switches"],
        ..SHARE
    },
    Quantity {
        key: "fabric.cheapest_oversubscription",
        label: "oversubscription of the cheapest",
        read: |source| number_amount(source.oversubscription?.cheapest),
        meaning: "NICs per uplink of a leaf switch in the best network without the default of \
                  `limits.max_oversubscription`, where they are more than that allows",
        formula: "1 / ρ of that network",
        equations: &[RATIOS],
        ..optional_row(NUMBER)
    },
    Quantity {
        key: "fabric.oversubscription_usd",
        label: "within that limit",
        read: |source| source.oversubscription?.premium.as_ref()?.money_share(),
        meaning: "what the best cluster of these machines within the default of \
                  `limits.max_oversubscription` costs more to buy, or over the years where that is \
                  minimised: paid where it is at most 1 % of it",
        formula: "what is minimised within the limit − without",
        equations: &[CAPITAL],
        ..optional_row(MONEY)
    },
    Quantity {
        key: "fabric.oversubscription_usd_per_million_tokens",
        label: "within that limit, per token",
        read: |source| source.oversubscription?.premium.as_ref()?.money_per_token(),
        meaning: "likewise of the cost of a million tokens, where that is minimised",
        formula: "cost of a million tokens within the limit − without",
        equations: &[TOKEN_COST],
        ..optional_row(MONEY)
    },
    Quantity {
        key: "fabric.oversubscription_w",
        label: "within that limit, power",
        read: |source| source.oversubscription?.premium.as_ref()?.power_share(),
        meaning: "likewise of power, where that is minimised",
        formula: "power within the limit − without",
        equations: &[POWER],
        ..optional_row(POWER_DRAWN)
    },
    Quantity {
        key: "fabric.oversubscription_usd_share",
        label: "as a share of the cluster",
        better: Lower,
        read: |source| share_amount(source.oversubscription?.premium.as_ref()?.share),
        meaning: "that over what the best cluster without the limit takes of what is minimised",
        formula: "(what is minimised within the limit − without) / without",
        equations: &[CAPITAL],
        ..optional_row(SHARE)
    },
    Quantity {
        key: "fabric.units",
        label: "units of machines",
        read: |source| count_amount(source.regularity?.units.len() as u64),
        meaning: "units: machines that hang on the same leaf switches",
        formula: "different sets of leaf switches that a machine hangs on",
        equations: &[TWO_TIERS],
        ..optional_row(COUNT)
    },
    Quantity {
        key: "fabric.unit_machines",
        label: "machines of a unit",
        read: |source| count_amount(source.regularity?.largest_unit()),
        meaning: "machines (HB domains) of the largest unit",
        formula: "⌈machines / units⌉ where all are even",
        equations: &[TWO_TIERS],
        ..optional_row(COUNT)
    },
    Quantity {
        key: "fabric.smallest_unit_machines",
        label: "machines of the smallest",
        read: |source| count_amount(source.regularity?.smallest_unit()),
        meaning: "machines (HB domains) of the smallest unit: the last one where networks are regular",
        formula: "machines − those of the other units",
        equations: &[TWO_TIERS],
        ..optional_row(COUNT)
    },
    Quantity {
        key: "fabric.shared_leafs",
        label: "leaf switches that rails share",
        better: Lower,
        read: |source| count_amount(source.regularity?.shared),
        meaning: "leaf switches that have a part of a rail beside another rail; whole rails are none",
        formula: "0 where networks are regular",
        equations: &[TWO_TIERS],
        ..optional_row(COUNT)
    },
    Quantity {
        key: "fabric.regular_usd",
        label: "for a regular network",
        read: |source| source.regular?.premium.as_ref()?.money_share(),
        meaning: "what the best cluster of these machines with a regular network \
                  (`limits.regular`) costs more to buy, or over the years where that is minimised \
                  and the best network is not regular: paid where it is at most 1 % of it",
        formula: "what is minimised with a regular network − without the rule",
        equations: &[CAPITAL],
        ..optional_row(MONEY)
    },
    Quantity {
        key: "fabric.regular_usd_per_million_tokens",
        label: "for a regular network, a token",
        read: |source| source.regular?.premium.as_ref()?.money_per_token(),
        meaning: "likewise of the cost of a million tokens, where that is minimised",
        formula: "cost of a million tokens with a regular network − without the rule",
        equations: &[TOKEN_COST],
        ..optional_row(MONEY)
    },
    Quantity {
        key: "fabric.regular_w",
        label: "for a regular network, power",
        read: |source| source.regular?.premium.as_ref()?.power_share(),
        meaning: "likewise of power, where that is minimised",
        formula: "power with a regular network − without the rule",
        equations: &[POWER],
        ..optional_row(POWER_DRAWN)
    },
    Quantity {
        key: "fabric.regular_usd_share",
        label: "as a share of the cluster",
        better: Lower,
        read: |source| share_amount(source.regular?.premium.as_ref()?.share),
        meaning: "that as a share of what the cluster takes, as of `fabric.oversubscription_usd_share`",
        formula: "(capital with a regular network − capital without the rule) / capital without",
        equations: &[CAPITAL],
        ..optional_row(SHARE)
    },
    Quantity {
        key: "fabric.across_rails_share",
        label: "bandwidth across rails",
        better: Higher,
        compared: true,
        read: |source| share_amount(source.fabric?.across_rails),
        meaning: "bandwidth that joins the rails without forwarding, over that of the NICs",
        formula: "σ: bandwidth across rails over NIC bandwidth; 0 for rail-only, 1 for a full Clos",
        equations: &[RATIOS],
        inputs: &["cluster.fabric"],
        ..SHARE
    },
];

//! Figures: what is bought to compute with.

use super::equation::{LINKS, PLANES, STATES, TWO_TIERS};
use super::row::{Quantity, ROW};
use super::value::{count_amount, word_amount};
use crate::units::Unit;

pub(super) const CLUSTER_ROWS: &[Quantity] = &[
    Quantity {
        key: "cluster.gpus",
        label: "GPUs",
        unit: Unit::Count,
        read: |source| count_amount(source.nodes?.gpus),
        meaning: "GPUs that the job runs on; machines are bought whole",
        formula: "what the spec states; left out, the product of the degrees",
        equations: &[STATES],
        ..ROW
    },
    Quantity {
        key: "cluster.node",
        label: "product",
        unit: Unit::Word,
        read: |source| word_amount(source.nodes?.node.name.clone()),
        meaning: "product that is bought as one HB domain",
        ..ROW
    },
    Quantity {
        key: "cluster.hb_domain_size",
        label: "GPUs of an HB domain",
        unit: Unit::Count,
        read: |source| count_amount(source.nodes?.node.gpus),
        meaning: "GPUs that one machine joins by its own links",
        formula: "GPUs of the product",
        equations: &[LINKS],
        ..ROW
    },
    Quantity {
        key: "cluster.hb_domains",
        label: "HB domains",
        unit: Unit::Count,
        read: |source| count_amount(source.nodes?.domains),
        meaning: "machines of the product",
        formula: "the larger of ⌈N / K⌉ and ⌈GPUs of the layout / used GPUs of a domain⌉",
        equations: &[TWO_TIERS],
        ..ROW
    },
    Quantity {
        key: "cluster.used_per_domain",
        label: "used GPUs of an HB domain",
        unit: Unit::Count,
        read: |source| count_amount(source.nodes?.used),
        meaning: "GPUs of a machine that hold ranks; the others are idle",
        formula: "the most with which borders of domains cut all groups alike, or all: what is best",
        equations: &[TWO_TIERS],
        ..ROW
    },
    Quantity {
        key: "cluster.hb_inside.switches",
        label: "switch chips of an HB domain",
        unit: Unit::Count,
        always: false,
        read: |source| count_amount(source.hb_domain_insides()?.switches),
        meaning: "switch chips inside one HB domain; the machine's price has them",
        formula: "as the maker states it",
        equations: &[LINKS],
        ..ROW
    },
    Quantity {
        key: "cluster.hb_inside.links",
        label: "links of an HB domain",
        unit: Unit::Count,
        always: false,
        read: |source| count_amount(source.hb_domain_insides()?.links),
        meaning: "links inside one HB domain",
        formula: "as the maker states it",
        equations: &[LINKS],
        ..ROW
    },
    Quantity {
        key: "cluster.hb_inside.all_switches",
        label: "switch chips of all HB domains",
        unit: Unit::Count,
        always: false,
        read: |source| count_amount(source.hb_domain_insides()?.all_switches),
        meaning: "switch chips inside all HB domains",
        formula: "HB domains · switch chips of one",
        equations: &[LINKS],
        ..ROW
    },
    Quantity {
        key: "cluster.hb_inside.all_links",
        label: "links of all HB domains",
        unit: Unit::Count,
        always: false,
        read: |source| count_amount(source.hb_domain_insides()?.all_links),
        meaning: "links inside all HB domains",
        formula: "HB domains · links of one",
        equations: &[LINKS],
        ..ROW
    },
    Quantity {
        key: "cluster.rails",
        label: "rails",
        unit: Unit::Count,
        read: |source| count_amount(source.nodes?.node.nics),
        meaning: "NICs of an HB domain, a rail each",
        formula: "NICs of the product",
        equations: &[TWO_TIERS],
        ..ROW
    },
    Quantity {
        key: "cluster.nic",
        label: "interface",
        unit: Unit::Word,
        read: |source| word_amount(source.nodes?.nic.name.clone()),
        meaning: "network interface",
        ..ROW
    },
    Quantity {
        key: "cluster.planes",
        label: "planes",
        unit: Unit::Count,
        read: |source| count_amount(source.fabric?.planes),
        meaning: "separate copies of the fabric",
        formula: "the number up to max_planes and the NIC's ports that costs least",
        equations: &[PLANES],
        ..ROW
    },
];

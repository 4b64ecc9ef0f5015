//! Figures: whether routing the step over the wired fabric confirms its time.

use super::equation::ROUTED;
use super::row::{Better, Quantity, ROW};
use super::value::{count_amount, number_amount, word_amount};
use crate::units::{Amount, Unit};

pub(super) const ROUTING_ROWS: &[Quantity] = &[
    Quantity {
        key: "routing.verified",
        label: "step time verified",
        unit: Unit::Flag,
        always: false,
        read: |source| Some(Amount::Flag(source.routing?.is_verified())),
        meaning: "whether the step was routed and no link is slower than its time has it",
        ..ROW
    },
    Quantity {
        key: "routing.unverified",
        label: "step time in doubt",
        unit: Unit::Count,
        better: Better::Lower,
        always: false,
        most: Some(1.0),
        read: |source| count_amount(u32::from(!source.routing?.is_verified())),
        meaning: "whether routing leaves the step time in doubt",
        formula: "1 where the step was not routed or a link is slower than its time has it, else 0",
        equations: &[ROUTED],
        inputs: &["routing.verified"],
        ..ROW
    },
    Quantity {
        key: "routing.worst_ratio",
        label: "slowest link over its granted time",
        unit: Unit::Number,
        better: Better::Lower,
        always: false,
        read: |source| number_amount(source.routing?.worst_ratio()?),
        meaning: "slowest link over the time that the step time has for it",
        formula: "the most over all communications of: time of the slowest link / granted time",
        equations: &[ROUTED],
        ..ROW
    },
    Quantity {
        key: "routing.reason",
        label: "why in doubt",
        unit: Unit::Word,
        always: false,
        read: |source| word_amount(source.routing?.reason_unconfirmed()?),
        meaning: "why the step was not routed, or the communication that is slower and its link",
        ..ROW
    },
];

//! Figures: how large the model is.

use super::equation::PARAMETERS;
use super::row::{Quantity, ROW};
use super::value::count_amount;
use crate::units::Unit;

pub(super) const MODEL_ROWS: &[Quantity] = &[
    Quantity {
        key: "model.parameters",
        label: "parameters",
        nickname: "parameters",
        unit: Unit::Count,
        read: |source| count_amount(source.step?.parameters.total),
        meaning: "elements of the model; layers that predict further tokens are not counted",
        formula: "elements of all layers + tables · V · h + h",
        equations: &[PARAMETERS],
        ..ROW
    },
    Quantity {
        key: "model.active_parameters",
        label: "active parameters",
        unit: Unit::Count,
        read: |source| count_amount(source.step?.parameters.active),
        meaning: "elements that one token passes through: all but the experts that it does not visit",
        formula: "elements of all layers, with k experts in the place of E + tables · V · h + h",
        equations: &[PARAMETERS],
        ..ROW
    },
    Quantity {
        key: "model.embedding_parameters",
        label: "parameters of the embedding",
        unit: Unit::Count,
        read: |source| count_amount(source.step?.parameters.embedding),
        meaning: "elements of the embedding and of the LM head, where it has a matrix of its own",
        formula: "tables · V · h",
        equations: &[PARAMETERS],
        ..ROW
    },
];

//! Lists, each described in one place: bill, alternatives, calls, tiers, cables. A column is a key,
//! a heading and how it is read, and says who reads it: JSON, tables or both.

mod bill;
mod check;
mod column;
mod network;
mod plan;
mod traffic;
mod validate;
mod value;

pub(super) use bill::{
    QUOTE_COLUMNS, bill_columns_table, bill_lines_json, exchange_json, range_json,
};
pub(super) use check::{
    CAPEX_CHANGE_COLUMNS, CHANGED_LINE_COLUMNS, FACT_COLUMNS, FINDING_COLUMNS, MOVEMENT_COLUMNS,
    QUESTION_COLUMNS, RULE_COLUMNS,
};
pub(super) use column::{
    ListColumn, json_column, known_column, list_json, list_table, number_column, row_json,
    table_with_keys, word_column,
};
pub(super) use network::{
    CALL_COLUMNS, CALL_ON_CABLES_COLUMNS, FAULT_COLUMNS, INSIDE_COLUMNS, LINK_LOAD_COLUMNS,
    SCENARIO_COLUMNS, SKIPPED_COLUMNS, TIER_COLUMNS, call_label,
};
pub(super) use plan::{
    ALTERNATIVE_COLUMNS, ASSUMPTION_COLUMNS, BINDING_LIMIT_COLUMNS, DECIDE_COLUMNS,
    IDLE_PARTS_COLUMNS, NOT_SIZED_COLUMNS, PHASE_COLUMNS, PRICE_BAND_COLUMNS, PRIORITY_COLUMNS,
    STATED_LIMIT_COLUMNS, WARNING_COLUMNS,
};
pub(super) use traffic::{GROUP_COLUMNS, KIND_COLUMNS, NOT_PREDICTED_COLUMNS, PAIR_COLUMNS};
pub(super) use validate::{
    CALIBRATED_CALL_COLUMNS, CALIBRATED_CONSTANT_COLUMNS, CALIBRATED_STEP_COLUMNS,
    COLLECTIVE_COLUMNS, COLLECTIVE_ERROR_COLUMNS, FITTED_CONSTANT_COLUMNS, SET_COLUMNS,
    SET_ERROR_COLUMNS, SetErrors, UNSEEN_ROW_COLUMNS,
};
pub(super) use value::{
    JsonObject, JsonValue, money_change_value, percent_change_value, percent_value, shown_as,
    yes_or_no,
};

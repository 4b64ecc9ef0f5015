//! Figures of money and power.

use super::row::Better::Lower;
use super::row::{
    CAPITAL, DAYS, ERROR_BAND, GOODPUT, MONEY, NETWORK_CAPITAL, OWNERSHIP, POWER, POWER_DRAWN,
    Quantity, SHARE, TOKEN_COST, money_amount, optional_row, power_amount, share_amount,
};
use crate::units::{Amount, Usd};

pub(super) const ROWS: &[Quantity] = &[
    Quantity {
        key: "cost.network_capex_usd",
        label: "network",
        compared: true,
        read: |source| money_amount(source.cost?.network_capex),
        meaning: "switches and optics, and cables where links are bought as parts; without labour",
        formula: "Σ over switches, optics and cables: (count − owned) · price",
        equations: &[NETWORK_CAPITAL],
        ..MONEY
    },
    Quantity {
        key: "cost.capex_usd",
        label: "cluster",
        compared: true,
        read: |source| money_amount(source.cost?.capex),
        meaning: "everything bought",
        formula: "Σ over the bill: (count − owned) · price",
        equations: &[CAPITAL, NETWORK_CAPITAL],
        ..MONEY
    },
    Quantity {
        key: "cost.network_capex_share",
        label: "network, share of the price",
        better: Lower,
        most: Some(1.0),
        compared: true,
        read: |source| {
            let cost = source.cost.filter(|cost| cost.capex > Usd::ZERO)?;
            share_amount(cost.network_capex / cost.capex)
        },
        meaning: "switches and optics, of everything bought",
        formula: "capital of the network / capital of the cluster",
        equations: &[NETWORK_CAPITAL, CAPITAL],
        inputs: &["cost.network_capex_usd", "cost.capex_usd"],
        ..optional_row(SHARE)
    },
    Quantity {
        key: "cost.network_power_w",
        label: "network power",
        compared: true,
        read: |source| power_amount(source.cost?.network_power),
        meaning: "power of switches and optics",
        formula: "Σ over switches, optics and cables: count · watts of one",
        equations: &[POWER],
        ..POWER_DRAWN
    },
    Quantity {
        key: "cost.power_w",
        label: "cluster power",
        compared: true,
        read: |source| power_amount(source.cost?.power),
        meaning: "power of everything",
        formula: "Σ over the bill: count · watts of one",
        equations: &[POWER],
        ..POWER_DRAWN
    },
    Quantity {
        key: "cost.power_with_cooling_w",
        label: "power with cooling",
        read: |source| power_amount(source.cost?.power_with_cooling()),
        meaning: "power of everything at the wall, with cooling",
        formula: "power of the cluster · PUE",
        equations: &[POWER],
        inputs: &["cost.power_w as power", "objective.pue"],
        ..POWER_DRAWN
    },
    Quantity {
        key: "cost.opex_usd_per_year",
        label: "electricity of a year",
        read: |source| money_amount(source.cost?.opex_per_year),
        meaning: "electricity of a year",
        formula: "watts / 1000 · PUE · hours of a year · price of a kWh",
        equations: &[POWER],
        inputs: &["cost.power_w as power", "objective.pue", "hours of a year", "price of a kWh"],
        ..MONEY
    },
    Quantity {
        key: "cost.tco_usd",
        label: "TCO",
        read: |source| money_amount(source.cost?.tco),
        meaning: "price and power over the years of operation, less what objective.discount takes",
        formula: "capital + years · electricity of a year",
        equations: &[OWNERSHIP],
        inputs: &["cost.opex_usd_per_year", "years of operation"],
        ..MONEY
    },
    Quantity {
        key: "cost.usd_per_million_tokens",
        label: "per million tokens",
        nickname: "usd_per_token",
        compared: true,
        read: |source| money_amount(source.cost?.usd_per_million_tokens?),
        meaning: "price and power over the tokens that the cluster really trains in those years, \
                  with failures",
        formula: "10⁶ · TCO / (tokens of a step / mean step time · goodput · years · seconds of a \
                  year)",
        equations: &[TOKEN_COST, OWNERSHIP, GOODPUT],
        inputs: &[
            "cost.tco_usd",
            "tokens of the only workload",
            "goodput_share",
            "years of operation",
            "tokens of each workload",
        ],
        ..optional_row(MONEY)
    },
    Quantity {
        key: "cost.run_usd",
        label: "a run",
        read: |source| money_amount(source.cost?.run?),
        meaning: "what the whole run takes of price and power, which are spread over all tokens of \
                  the years of operation",
        formula: "tokens of the run / 10⁶ · cost per million tokens",
        equations: &[TOKEN_COST, OWNERSHIP],
        inputs: &["training.tokens", "cost.usd_per_million_tokens as cost per million tokens"],
        ..optional_row(MONEY)
    },
    Quantity {
        key: "cost.training_days",
        label: "run",
        nickname: "days",
        compared: true,
        read: |source| Some(Amount::Days(source.cost?.training_days?)),
        meaning: "length of the whole run; without failures and restarts",
        formula: "tokens of the run / tokens of a step · mean step time / 86,400 s",
        equations: &[TOKEN_COST],
        inputs: &["training.tokens", "step.tokens", "mean step time"],
        ..optional_row(DAYS)
    },
    Quantity {
        key: "cost.total_capex_usd",
        label: "all networks, installed",
        compared: true,
        read: |source| money_amount(source.cost?.whole.as_ref()?.capex),
        meaning: "everything bought, with the networks of [networks] and [installation]; the choice of \
                  the design, its limits and the cost per token do not count these",
        formula: "capital of the cluster + Σ over the other networks and the installation: count · price",
        equations: &[CAPITAL],
        ..optional_row(MONEY)
    },
    Quantity {
        key: "cost.total_power_w",
        label: "power of all networks",
        read: |source| power_amount(source.cost?.whole.as_ref()?.power),
        meaning: "power of everything, with the networks of [networks]",
        formula: "power of the cluster + Σ over the other networks: count · watts of one",
        equations: &[POWER],
        ..optional_row(POWER_DRAWN)
    },
    Quantity {
        key: "cost.total_tco_usd",
        label: "TCO of all networks",
        read: |source| money_amount(source.cost?.whole.as_ref()?.tco),
        meaning: "price and power over the years of operation, with the networks of [networks] and \
                  [installation]",
        formula: "capital with them + years · electricity of a year with them",
        equations: &[OWNERSHIP],
        ..optional_row(MONEY)
    },
    Quantity {
        key: "cost.total_usd_per_million_tokens",
        label: "per million tokens, all networks",
        compared: true,
        read: |source| money_amount(source.cost?.whole.as_ref()?.usd_per_million_tokens?),
        meaning: "price and power with the networks of [networks] and [installation] over the \
                  tokens that the cluster really trains in those years, with failures",
        formula: "10⁶ · TCO with them / (tokens of a step / mean step time · goodput · years · \
                  seconds of a year)",
        equations: &[TOKEN_COST, OWNERSHIP, GOODPUT],
        ..optional_row(MONEY)
    },
    Quantity {
        key: "cost.lead_days",
        label: "longest lead time",
        read: |source| Some(Amount::Days(f64::from(source.cost?.lead.as_ref()?.0))),
        meaning: "longest lead time that an offer states for a part to buy",
        formula: "max over the bill of lead_days, where count > owned",
        equations: &[CAPITAL],
        ..optional_row(DAYS)
    },
    Quantity {
        key: "cost.low_usd_per_million_tokens",
        label: "per million tokens, low",
        read: |source| money_amount(source.cost?.usd_per_million_tokens? * source.interval?.low),
        meaning: "cost per million tokens at the low end of the step time's interval; not of several workloads",
        formula: "predicted · share of the interval's low end",
        equations: &[ERROR_BAND, TOKEN_COST],
        inputs: &["cost.usd_per_million_tokens as predicted cost per million tokens", "low end"],
        ..optional_row(MONEY)
    },
    Quantity {
        key: "cost.high_usd_per_million_tokens",
        label: "per million tokens, high",
        read: |source| money_amount(source.cost?.usd_per_million_tokens? * source.interval?.high),
        meaning: "cost per million tokens at the high end of the step time's interval; not of several workloads",
        formula: "predicted · share of the interval's high end",
        equations: &[ERROR_BAND, TOKEN_COST],
        inputs: &["cost.usd_per_million_tokens as predicted cost per million tokens", "high end"],
        ..optional_row(MONEY)
    },
    Quantity {
        key: "cost.low_training_days",
        label: "run, low",
        read: |source| Some(Amount::Days(source.cost?.training_days? * source.interval?.low)),
        meaning: "length of the run at the low end of the step time's interval; not of several workloads",
        formula: "predicted · share of the interval's low end",
        equations: &[ERROR_BAND, TOKEN_COST],
        inputs: &["cost.training_days as predicted days", "low end"],
        ..optional_row(DAYS)
    },
    Quantity {
        key: "cost.high_training_days",
        label: "run, high",
        read: |source| Some(Amount::Days(source.cost?.training_days? * source.interval?.high)),
        meaning: "length of the run at the high end of the step time's interval; not of several workloads",
        formula: "predicted · share of the interval's high end",
        equations: &[ERROR_BAND, TOKEN_COST],
        inputs: &["cost.training_days as predicted days", "high end"],
        ..optional_row(DAYS)
    },
    Quantity {
        key: "cost.training_days_with_failures",
        label: "run with failures",
        read: |source| Some(Amount::Days(source.cost?.days_with_failures()?)),
        meaning: "length of the whole run with the failures of a mean year; not of several workloads",
        formula: "days without failures / goodput",
        equations: &[TOKEN_COST, GOODPUT],
        inputs: &["cost.training_days as run", "goodput_share as goodput"],
        ..optional_row(DAYS)
    },
    Quantity {
        key: "cost.low_training_days_with_failures",
        label: "run with failures, low",
        read: |source| {
            Some(Amount::Days(source.cost?.days_with_failures()? * source.interval?.low))
        },
        meaning: "length of the run with failures at the low end of the step time's interval; not of several workloads",
        formula: "predicted · share of the interval's low end",
        equations: &[ERROR_BAND, TOKEN_COST, GOODPUT],
        inputs: &["cost.training_days_with_failures as predicted days", "low end"],
        ..optional_row(DAYS)
    },
    Quantity {
        key: "cost.high_training_days_with_failures",
        label: "run with failures, high",
        read: |source| {
            Some(Amount::Days(source.cost?.days_with_failures()? * source.interval?.high))
        },
        meaning: "length of the run with failures at the high end of the step time's interval; not of several workloads",
        formula: "predicted · share of the interval's high end",
        equations: &[ERROR_BAND, TOKEN_COST, GOODPUT],
        inputs: &["cost.training_days_with_failures as predicted days", "high end"],
        ..optional_row(DAYS)
    },
];

//! A rate of exchange as programs read it.

use serde::Serialize;

use super::super::number::exact_number;

/// At which rate a price became US dollars.
#[derive(Serialize)]
pub(super) struct ExchangeRateJson {
    currency: String,
    usd: f64,
    date: String,
}

impl ExchangeRateJson {
    pub(super) fn new(exchange: &crate::hardware::Exchange) -> Self {
        let crate::hardware::Exchange { currency, usd, date } = exchange;
        Self { currency: currency.to_string(), usd: exact_number(*usd), date: date.clone() }
    }
}

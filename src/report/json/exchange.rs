//! A rate of exchange as programs read it.

use serde::Serialize;

use super::super::number::exact;

/// At which rate a price became US dollars.
#[derive(Serialize)]
pub(super) struct Exchange {
    currency: String,
    usd: f64,
    date: String,
}

impl Exchange {
    pub(super) fn new(of: &crate::hardware::Exchange) -> Self {
        let crate::hardware::Exchange { currency, usd, date } = of;
        Self { currency: currency.to_string(), usd: exact(*usd), date: date.clone() }
    }
}

//! Money in any currency, before it becomes US dollars. It knows no rate.

use super::error::UnitError;
use super::text::{check_unambiguous, parse_usd, shorten_for_message};
use super::{Currency, Usd};

/// An amount in a currency.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Money {
    /// As many dollars as there are units of the currency.
    nominal: Usd,
    currency: Currency,
}

impl Money {
    /// Reads `$32,870`, `EUR 33,894` or `€33,894`.
    ///
    /// # Errors
    /// Where the text is no non-negative amount in a currency that it names. `¥` is two
    /// currencies, so it is none.
    pub fn parse(text: &str) -> Result<Self, UnitError> {
        let trimmed = text.trim();
        let (currency, amount) = Currency::split_currency(trimmed)
            .ok_or_else(|| no_currency(trimmed).unwrap_or_else(|| money_error(text)))?;
        check_unambiguous(amount, trimmed)?;
        let nominal = parse_usd(&format!("${}", amount.trim())).map_err(|_| money_error(text))?;
        Ok(Self { nominal, currency })
    }

    /// Its currency.
    #[must_use]
    pub const fn currency(self) -> Currency {
        self.currency
    }

    /// This amount in US dollars, `rate` of them to a unit of its currency.
    #[must_use]
    pub fn to_usd(self, rate: f64) -> Usd {
        self.nominal * rate
    }
}

/// What to say of an amount after a code that no currency has.
fn no_currency(text: &str) -> Option<UnitError> {
    let (code, amount) = text.split_at_checked(3)?;
    let looks = code.bytes().all(|byte| byte.is_ascii_uppercase())
        && amount.trim_start().starts_with(|first: char| first.is_ascii_digit());
    looks.then(|| UnitError {
        message: format!("there is no currency `{code}`"),
        hint: "write a code of ISO 4217 that is in use, such as EUR, GBP, JPY or CNY".into(),
    })
}

fn money_error(text: &str) -> UnitError {
    const LONGEST: usize = 40;
    let shown = shorten_for_message(text.trim(), LONGEST);
    UnitError {
        message: format!("`{shown}` is not an amount of money"),
        hint: "write it like \"$32,870\" or, with a rate of exchange beside it, \"EUR 33,894\""
            .into(),
    }
}

#[cfg(test)]
mod tests {
    use super::Money;
    use crate::units::currency::Currency;
    use crate::units::quantity::Usd;

    #[track_caller]
    fn reads(text: &str, code: &str, at_two: f64) {
        let money = Money::parse(text).expect("the text is money");
        assert_eq!(Some(money.currency()), Currency::parse(code));
        assert_eq!(money.to_usd(2.0), Usd::from_f64(at_two));
    }

    #[test]
    fn amounts_name_their_currency() {
        reads("$32,870", "USD", 65_740.0);
        reads("USD 10", "USD", 20.0);
        reads("EUR 33,894", "EUR", 67_788.0);
        reads("€1.5k", "EUR", 3000.0);
        reads("£1M", "GBP", 2e6);
        for rubbish in ["", "10", "EUR", "EUR -1", "¥100", "eur 10", "EURO 10", "$", "€€1", "äöü 1"]
        {
            assert!(Money::parse(rubbish).is_err(), "{rubbish}");
        }
    }

    #[test]
    fn amounts_that_could_be_two_are_refused_with_both() {
        for (text, message) in [
            ("EUX 100", "there is no currency `EUX`"),
            ("DEM 100", "there is no currency `DEM`"),
            ("€ 33.894,00", "`€ 33.894,00` could mean 33,894.00"),
            ("EUR 33894,50", "`EUR 33894,50` could mean 33,894.50 or 3,389,450"),
            ("EUR 33.894", "`EUR 33.894` could mean 33,894 or 33.8940"),
            ("$1,5k", "`$1,5k` could mean 1.5 k or 15 k"),
        ] {
            assert_eq!(Money::parse(text).map_err(|error| error.message), Err(message.to_owned()));
        }
        reads("EUR 33,894.50", "EUR", 67_789.0);
    }
}

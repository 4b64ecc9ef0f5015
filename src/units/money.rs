//! Money in any currency, before it becomes US dollars. It knows no rate.

use std::fmt;

use super::Usd;
use super::text::{UnitError, quotable, unambiguous, usd};

/// A currency by its code (ISO 4217), such as `EUR`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Currency([u8; 3]); // Invariant: three capital letters.

/// An amount in a currency.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Money {
    /// As many dollars as there are units of the currency.
    nominal: Usd,
    currency: Currency,
}

impl Currency {
    /// The US dollar.
    pub const USD: Self = Self(*b"USD");

    /// The currency of that code; `None` where it is no three capital letters.
    #[must_use]
    pub fn parse(code: &str) -> Option<Self> {
        let bytes: [u8; 3] = code.as_bytes().try_into().ok()?;
        bytes.iter().all(u8::is_ascii_uppercase).then_some(Self(bytes))
    }
}

impl fmt::Display for Currency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{}", char::from(*byte)))
    }
}

impl Money {
    /// Reads `$32,870`, `EUR 33,894` or `€33,894`.
    ///
    /// # Errors
    /// Where the text is no non-negative amount in a currency that it names. `¥` is two
    /// currencies, so it is none.
    pub fn parse(text: &str) -> Result<Self, UnitError> {
        let trimmed = text.trim();
        let code = trimmed.get(..3).and_then(Currency::parse);
        let (currency, amount) = match (code, trimmed.chars().next()) {
            (Some(currency), _) => (currency, &trimmed[3..]),
            (None, Some('€')) => (Currency(*b"EUR"), &trimmed['€'.len_utf8()..]),
            (None, Some('£')) => (Currency(*b"GBP"), &trimmed['£'.len_utf8()..]),
            (None, _) => (Currency::USD, trimmed.strip_prefix('$').ok_or_else(|| refuse(text))?),
        };
        unambiguous(amount, trimmed)?;
        let nominal = usd(&format!("${}", amount.trim())).map_err(|_| refuse(text))?;
        Ok(Self { nominal, currency })
    }

    /// Its currency.
    #[must_use]
    pub const fn currency(self) -> Currency {
        self.currency
    }

    /// This amount in US dollars, `rate` of them to a unit of its currency.
    #[must_use]
    pub fn at(self, rate: f64) -> Usd {
        self.nominal * rate
    }
}

fn refuse(text: &str) -> UnitError {
    const LONGEST: usize = 40;
    let shown = quotable(text.trim(), LONGEST);
    UnitError {
        message: format!("`{shown}` is not an amount of money"),
        hint: "write it like \"$32,870\" or, with a rate in [pricing.rates], \"EUR 33,894\"".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::{Currency, Money, Usd};

    #[track_caller]
    fn reads(text: &str, code: &str, at_two: f64) {
        let money = Money::parse(text).expect("the text is money");
        assert_eq!(Some(money.currency()), Currency::parse(code));
        assert_eq!(money.at(2.0), Usd::of(at_two));
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

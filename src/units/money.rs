//! `UsdRange`: what something may cost. `Money`, `Currency`: an amount in any currency.

use std::fmt;
use std::iter::Sum;
use std::ops::Add;

use super::Usd;
use super::number_separators::UnitError;
use super::parse::{check_unambiguous, parse_usd, shorten_for_message};

/// The least and the most that something may cost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UsdRange {
    pub low: Usd,
    pub high: Usd,
}

impl Usd {
    /// The least amount of three digits, or of whole dollars, that is no less.
    #[must_use]
    pub fn rounded_up(self) -> Self {
        let unit = 10_f64.powf(self.get().max(1.0).log10().floor() - 2.0).max(1.0);
        Self::from_f64((self.get() / unit).ceil() * unit)
    }
}

impl UsdRange {
    /// One amount, which is known.
    #[must_use]
    pub const fn from_amount(amount: Usd) -> Self {
        Self { low: amount, high: amount }
    }

    /// What becomes of both ends.
    #[must_use]
    pub fn map_ends(self, change: impl Fn(Usd) -> Usd) -> Self {
        Self { low: change(self.low), high: change(self.high) }
    }
}

impl Add for UsdRange {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self { low: self.low + other.low, high: self.high + other.high }
    }
}

impl Sum for UsdRange {
    fn sum<I: Iterator<Item = Self>>(items: I) -> Self {
        items.fold(Self::from_amount(Usd::ZERO), Add::add)
    }
}

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

/// A currency by its code (ISO 4217), such as `EUR`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Currency([u8; 3]); // Invariant: one of CODES.

/// Codes of money that anybody pays with: those of ISO 4217 as of 2026, without metals, funds,
/// units of account and test codes.
const CODES: &str = "\
    AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD \
    CAD CDF CHF CLP CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS \
    GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW \
    KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR \
    MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR \
    SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX \
    USD UYU UZS VED VES VND VUV WST XAF XCD XCG XOF XPF YER ZAR ZMW ZWG";

impl Currency {
    /// The US dollar.
    pub const USD: Self = Self(*b"USD");
    /// The euro.
    pub const EUR: Self = Self(*b"EUR");
    /// The pound sterling.
    pub const GBP: Self = Self(*b"GBP");

    /// The currency of that code; `None` where nobody pays with one.
    #[must_use]
    pub fn parse(code: &str) -> Option<Self> {
        let bytes: [u8; 3] = code.as_bytes().try_into().ok()?;
        CODES.split_ascii_whitespace().any(|known| known == code).then_some(Self(bytes))
    }

    /// The currency that an amount begins with, as a code or a sign, and what follows; `None` where
    /// it names none. `¥` is two currencies, so it is none.
    #[must_use]
    pub fn split_currency(amount: &str) -> Option<(Self, &str)> {
        let amount = amount.trim();
        if let Some(currency) = amount.get(..3).and_then(Self::parse) {
            return Some((currency, &amount[3..]));
        }
        let signs = [('$', Self::USD), ('€', Self::EUR), ('£', Self::GBP)];
        signs
            .into_iter()
            .find_map(|(sign, this_currency)| Some((this_currency, amount.strip_prefix(sign)?)))
    }
}

impl fmt::Display for Currency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{}", char::from(*byte)))
    }
}

#[cfg(test)]
mod tests {
    use super::{CODES, Currency, Money};
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

    #[test]
    fn codes_are_those_that_anybody_pays_with() {
        let codes: Vec<&str> = CODES.split_ascii_whitespace().collect();
        assert!(codes.is_sorted() && codes.iter().all(|code| code.len() == 3));
        assert_eq!(codes.len(), 155); // 178 of ISO 4217 without 23 that are no money
        // Replaced or never one: the kuna, Deutsche Mark, gold, the test code, a slip.
        for none in ["HRK", "DEM", "XAU", "XTS", "EUX", "eur", "EURO", ""] {
            assert_eq!(Currency::parse(none), None, "{none}");
        }
    }

    #[test]
    fn an_amount_begins_with_its_currency() {
        assert_eq!(Currency::split_currency(" €5"), Some((Currency::EUR, "5")));
        assert_eq!(Currency::split_currency("GBP 5"), Some((Currency::GBP, " 5")));
        assert_eq!(Currency::split_currency("¥5"), None);
        assert_eq!(Currency::split_currency("5"), None);
    }
}

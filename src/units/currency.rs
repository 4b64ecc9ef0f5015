//! Currencies by their codes. It knows no rate.

use std::fmt;

/// A currency by its code (ISO 4217), such as `EUR`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Currency([u8; 3]); // Invariant: one of CODES.

/// Codes of money that anybody pays with: those of ISO 4217 as of 2026, without metals, funds, units of
/// account and test codes.
const CODES: &str = "\
    AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF \
    CHF CLP CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ \
    GYD HKD HNL HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP \
    LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR \
    PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC \
    SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD UYU UZS VED VES VND VUV WST XAF XCD XCG XOF \
    XPF YER ZAR ZMW ZWG";

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

    /// The currency that an amount begins with, as a code or a sign, and what follows; `None` where it
    /// names none. `¥` is two currencies, so it is none.
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
    use super::{CODES, Currency};

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

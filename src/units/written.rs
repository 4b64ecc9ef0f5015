//! How a text states a quantity: in which words, in which range, and who reads it.

use super::error::UnitError;
use super::{Unit, text};

/// Texts of one unit.
#[derive(Clone, Copy, Debug)]
pub struct TextForms {
    /// What it is, in words.
    pub noun: &'static str,
    /// How to write it, in quotes.
    pub example: &'static str,
    /// Largest that any text may state, in base units: one that says more means another unit.
    pub most: f64,
    /// Whether nothing of it makes sense.
    pub zero: bool,
    /// Reads a text into base units: bytes, bytes per second, FLOP/s, watts, seconds, US dollars.
    pub read: fn(&str) -> Result<f64, UnitError>,
}

/// How texts state a unit; a plain count such as `300B` where they name none.
#[must_use]
pub const fn text_forms(unit: Unit) -> TextForms {
    match unit {
        Unit::Memory | Unit::Volume => TextForms {
            noun: "a size",
            example: "\"80 GiB\"",
            most: 1e18,
            zero: false,
            read: |text| text::parse_bytes(text).map(|value| value.as_f64()),
        },
        Unit::Bandwidth | Unit::Link => TextForms {
            noun: "a bandwidth",
            example: "\"400 Gb/s\"",
            most: 1e16,
            zero: false,
            read: |text| text::parse_bandwidth(text).map(|value| value.get()),
        },
        Unit::Rate => TextForms {
            noun: "a compute rate",
            example: "\"312 TFLOP/s\"",
            most: 1e19,
            zero: false,
            read: |text| text::flop_rate(text).map(|value| value.get()),
        },
        Unit::Power => TextForms {
            noun: "a power",
            example: "\"6.5 kW\"",
            most: 1e12,
            zero: true,
            read: |text| text::parse_watts(text).map(|value| value.get()),
        },
        Unit::Time => TextForms {
            noun: "a time",
            example: "\"25 s\"",
            most: 1e10,
            zero: true,
            read: |text| text::parse_seconds(text).map(|value| value.get()),
        },
        Unit::Money => TextForms {
            noun: "an amount in US dollars",
            example: "\"$60M\"",
            most: 1e13,
            zero: true,
            read: |text| text::parse_usd(text).map(|value| value.get()),
        },
        Unit::Days
        | Unit::Work
        | Unit::TokenRate
        | Unit::Count
        | Unit::Share
        | Unit::Number
        | Unit::Flag
        | Unit::Word => TextForms {
            noun: "a count",
            example: "\"300B\"",
            most: 1e18,
            zero: false,
            read: text::parse_count,
        },
    }
}

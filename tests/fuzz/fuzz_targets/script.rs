//! `cargo fuzz run script`: see properties.rs for what has to hold.

#![no_main]

#[allow(dead_code, reason = "each target has one")]
#[path = "../properties.rs"]
mod properties;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| properties::script(bytes));

//! Numbers that are explained, where they come from, and in which units programs get them.

use super::Preset;
use crate::explain::{Amount, Explanation, Origin};

/// What `planner explain` shows.
#[derive(Clone, Copy, Debug)]
pub struct ExplainSheet<'a> {
    /// Name of the scenario.
    pub name: &'a str,
    /// What is explained.
    pub explanations: &'a [Explanation],
    /// Presets that inputs may come from, for their sources and dates.
    pub presets: &'a [Preset],
}

/// Where a value comes from, as a sentence.
pub(in super::super) fn origin(origin: &Origin, presets: &[Preset]) -> String {
    match origin {
        Origin::Spec(key) => format!("spec: `{key}`"),
        Origin::Chosen(key) => format!("chosen by the planner: `{key}` is open"),
        Origin::Preset { kind, name, entry } => {
            match presets.iter().find(|of| of.kind == *kind && of.name == *name) {
                Some(of) => {
                    let dated: Vec<&str> = [of.source.as_str(), of.date.as_str()]
                        .into_iter()
                        .filter(|text| !text.is_empty())
                        .collect();
                    let dated = dated.join(", ");
                    let open = if dated.is_empty() { String::new() } else { format!(" ({dated})") };
                    format!("{kind} preset `{name}`, `{entry}`, unless the spec says else{open}")
                }
                None => format!("spec: `{entry}` of the {kind} `{name}`"),
            }
        }
        Origin::Priced(price) => {
            format!("{} price of {}: {}", price.basis.name(), price.date, price.source)
        }
        Origin::Quantity(key) => format!("see `planner explain {key}`"),
        Origin::Assumed(why) => format!("assumed: {why}"),
        Origin::Found(words) | Origin::Constant(words) | Origin::Published(words) => {
            (*words).to_owned()
        }
    }
}

/// A value in the unit of [`unit`]; 0 for what is no number.
pub(in super::super) fn scalar(value: &Amount) -> f64 {
    const TERA: f64 = 1e12;
    match value {
        Amount::Time(time) => time.get(),
        Amount::Memory(bytes) | Amount::Volume(bytes) => bytes.as_f64(),
        Amount::Money(usd) => usd.get(),
        Amount::Power(watts) => watts.get(),
        Amount::Work(flops) => flops.get(),
        Amount::Rate(rate) => rate.get() / TERA,
        Amount::Link(rate) => rate.as_gigabits(),
        Amount::Bandwidth(rate) => rate.get(),
        Amount::Count(count) => *count as f64,
        Amount::Share(plain)
        | Amount::Number(plain)
        | Amount::TokenRate(plain)
        | Amount::Days(plain) => *plain,
        Amount::Choice(_) => 0.0,
    }
}

/// Unit of a value as programs and spreadsheets get it; empty for plain numbers and names.
pub(in super::super) const fn unit(value: &Amount) -> &'static str {
    match value {
        Amount::Time(_) => "s",
        Amount::Memory(_) | Amount::Volume(_) => "bytes",
        Amount::Money(_) => "usd",
        Amount::Power(_) => "w",
        Amount::Work(_) => "flop",
        Amount::Rate(_) => "tflop_per_s",
        Amount::Link(_) => "gbit_per_s",
        Amount::Bandwidth(_) => "bytes_per_s",
        Amount::TokenRate(_) => "tokens_per_s",
        Amount::Days(_) => "days",
        Amount::Count(_) | Amount::Share(_) | Amount::Number(_) | Amount::Choice(_) => "",
    }
}

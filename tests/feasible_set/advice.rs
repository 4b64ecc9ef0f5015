//! What the program says would do where nothing is feasible: it does, and nothing tighter by one
//! digit of the amount shown.

use crate::feasible_set::instance::{Goal, Instance};
use crate::feasible_set::network::best;
use crate::feasible_set::product::{Answer, answer_with};
use crate::feasible_set::site::Freedom;
use crate::feasible_set::witness::words;

/// An amount that a message names for a limit.
struct Advice<'a> {
    /// Key below `limits`.
    key: &'a str,
    /// The amount as it stands in the message.
    amount: &'a str,
}

impl Advice<'_> {
    /// What `--set` takes.
    fn assignment(&self) -> String {
        let Self { key, amount } = self;
        match *key {
            "budget" | "power" => format!("limits.{key}=\"{amount}\""),
            _ => format!("limits.{key}={amount}"),
        }
    }
}

/// What is untrue in a message; empty: nothing.
pub(crate) fn faults(instance: &Instance, message: &str) -> Vec<String> {
    let mut faults = Vec::new();
    if message.contains("change all of these together") {
        return together(instance, message);
    }
    for Advice { key, amount } in named(message) {
        let relaxed = ["--set", &Advice { key, amount }.assignment()];
        match answer_with(instance, &relaxed) {
            Answer::Design(_) => {}
            Answer::Infeasible(next) => {
                faults.push(format!("ADVICE {key} = {amount} would not do: {next}\n  {message}"));
            }
            Answer::Failed(next) => {
                faults.push(format!("ADVICE {key} = {amount}: {next}\n  {message}"));
            }
        }
        let Some(tighter) = tighter(instance, key, amount) else { continue };
        if let Some(best) = best(&tighter, Freedom::Alike, f64::INFINITY) {
            let told = words(&tighter, &best);
            faults.push(format!("ADVICE less than {key} = {amount} does: {told}\n  {message}"));
        }
    }
    faults
}

/// What is untrue in a message that has several limits moved at once.
fn together(instance: &Instance, message: &str) -> Vec<String> {
    let sets: Vec<String> = named(message).iter().map(Advice::assignment).collect();
    let relaxed: Vec<&str> = sets.iter().flat_map(|set| ["--set", set]).collect();
    match answer_with(instance, &relaxed) {
        Answer::Design(_) => Vec::new(),
        Answer::Infeasible(next) | Answer::Failed(next) => {
            vec![format!("ADVICE {sets:?} would not do: {next}\n  {message}")]
        }
    }
}

/// Every amount of a message, as in "`limits.racks`: it is 6, 7 would do" and "`limits.racks`
/// from 6 to 7".
fn named(message: &str) -> Vec<Advice<'_>> {
    let mut all = Vec::new();
    for rest in message.split("`limits.").skip(1) {
        let Some((key, rest)) = rest.split_once('`') else { continue };
        let clause = rest.split(';').next().unwrap_or("");
        let amount = clause
            .split_once(" is possible")
            .and_then(|(clause, _)| clause.rsplit_once(", "))
            .or_else(|| clause.split_once(" to "));
        if let Some((_, amount)) = amount {
            let amount = amount.split(", for a step").next().unwrap_or(amount);
            all.push(Advice { key, amount: amount.trim() });
        }
    }
    all
}

/// The instance with that limit one digit tighter than the amount; none where the amount is not
/// understood.
fn tighter(instance: &Instance, key: &str, amount: &str) -> Option<Instance> {
    let mut next = Instance { goals: vec![Goal::Capex], ..instance.clone() };
    let floor =
        |amount: &str| amount.parse::<f64>().ok().map(|value| (value * 1000.0).round() as u32 + 1);
    match key {
        "budget" => next.budget = Some(amount.strip_prefix('$')?.parse::<u64>().ok()? - 1),
        "power" => {
            let (number, unit) = amount.split_once(' ')?;
            let watts = match unit {
                "W" => 1.0,
                "kW" => 1e3,
                _ => return None,
            };
            let decimals = number.split_once('.').map_or(0, |(_, after)| after.len());
            let digit = watts * 0.1_f64.powi(decimals as i32);
            next.power = Some((number.parse::<f64>().ok()? * watts - digit).floor() as u64);
        }
        "racks" => next.racks = Some(amount.parse::<u32>().ok()? - 1),
        "within_rail" => next.within = floor(amount)?,
        "across_rails" => next.across = floor(amount)?,
        _ => return None,
    }
    // An amount that is rounded to the limit as it stands says nothing of what lies between.
    (next.within <= 1000 && next.across <= 1000).then_some(next)
}

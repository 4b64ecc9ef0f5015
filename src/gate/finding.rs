//! What a comparison finds beyond its rules, and why two results differ. Judges nothing.

use std::collections::BTreeSet;

use super::cost_change::{CapexChange, FactChange};
use super::judge::differs_by_more_than_rounding;
use super::snapshot::{Provenance, Severity, Snapshot, Verdict};
use crate::hardware::{Exchange, PriceBasis, PricedItem};
use crate::units::{Unit, Usd};

/// Something that makes a result incomparable with the one before it, or the next one unguarded.
#[derive(Clone, Debug, PartialEq)]
pub enum Finding {
    /// A part that is bought has no price, and had one or was not bought: every total lacks it.
    LostPrice {
        /// The part, or `electricity`.
        part: String,
        /// Its price before; `None` where it had none that the result knows.
        old: Option<Usd>,
    },
    /// A part that is bought costs nothing, and did before: a lost price by another name.
    FreePart {
        /// The part, or `electricity`.
        part: String,
        /// Its price before.
        old: Usd,
    },
    /// A price rests on less than before: nobody's assumption where somebody asked for it.
    WeakerBasis {
        part: String,
        /// What the price rested on.
        old: PriceBasis,
        /// What it rests on now.
        new: PriceBasis,
    },
    /// The new spec asks something else, which the policy does not allow.
    ChangedQuestion(QuestionChange),
    /// A rule that holds by the terms that the new spec states itself, and not by those of what it
    /// is held against.
    OwnTerms {
        rule: String,
        unit: Unit,
        /// The figure of the old side.
        old: Option<f64>,
        /// That of the new spec on the terms of the old side.
        new: Option<f64>,
    },
    /// The new spec has no design on the terms of what it is held against.
    NoDesignOnTerms { reason: String },
    /// A rule of the old spec that the new one lacks.
    RemovedRule { rule: String, severity: Severity },
    /// A rule of the old spec of which the new one has only a looser form.
    LooserRule {
        rule: String,
        severity: Severity,
        /// What the new spec says of that figure and direction, with what a breach means.
        now: Vec<(Severity, String)>,
    },
}

/// What was found, and what it means.
#[derive(Clone, Debug, PartialEq)]
pub struct GateFinding {
    pub finding: Finding,
    pub verdict: Verdict,
}

impl Finding {
    /// What a message names it by.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::LostPrice { .. } => "lost-price",
            Self::FreePart { .. } => "free-part",
            Self::WeakerBasis { .. } => "weaker-basis",
            Self::ChangedQuestion(_) => "changed-question",
            Self::OwnTerms { .. } => "own-terms",
            Self::NoDesignOnTerms { .. } => "no-design-on-terms",
            Self::RemovedRule { .. } => "removed-rule",
            Self::LooserRule { .. } => "looser-rule",
        }
    }

    /// What it is about: a part, or a rule.
    #[must_use]
    pub fn subject(&self) -> &str {
        match self {
            Self::LostPrice { part, .. }
            | Self::FreePart { part, .. }
            | Self::WeakerBasis { part, .. } => part,
            Self::ChangedQuestion(change) => &change.key,
            Self::NoDesignOnTerms { reason } => reason,
            Self::OwnTerms { rule, .. }
            | Self::RemovedRule { rule, .. }
            | Self::LooserRule { rule, .. } => rule,
        }
    }
}

/// A key of the question that has another value.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct QuestionChange {
    /// Key of a spec, or a table of it where nothing finer is known.
    pub key: String,
    /// What the old spec states, as TOML; `None` where it states nothing there.
    pub old: Option<String>,
    /// What the new spec states there.
    pub new: Option<String>,
}

impl QuestionChange {
    /// Whether both sides state one name, and not the same.
    pub(super) fn names_another(&self) -> bool {
        let is_name =
            |value: &Option<String>| value.as_ref().is_some_and(|text| text.starts_with('"'));
        is_name(&self.old) && is_name(&self.new)
    }

    /// Whether one of the patterns names it: a key, a table, or a table with `.*`.
    #[must_use]
    pub fn is_allowed(&self, patterns: &[String]) -> bool {
        patterns.iter().any(|pattern| {
            let table = pattern.strip_suffix(".*").unwrap_or(pattern);
            is_at_or_below(&self.key, table)
        })
    }
}

/// Whether a key is that table, below it, or in a list of it.
pub(super) fn is_at_or_below(key: &str, table: &str) -> bool {
    key.strip_prefix(table).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
}

/// A reason for a difference.
#[derive(Clone, Debug, PartialEq)]
pub enum ChangeCause {
    /// The spec asks for something else.
    Question {
        /// Keys of the spec that are others, or their tables; empty where a result does not say.
        keys: Vec<String>,
    },
    /// Prices are others.
    Prices {
        old_book: String,
        new_book: String,
        /// Prices that are others, by item.
        changed: Vec<PriceChange>,
        /// What that adds to the bill: other prices at new quantities and at the new rates of
        /// exchange.
        by_price: Usd,
    },
    /// A currency has another rate.
    Exchange {
        /// Rates that are others, each once.
        changed: Vec<RateChange>,
        /// What that adds to the bill: new quantities at old prices, in dollars at the new rate
        /// less at the old one.
        by_exchange: Usd,
        /// What prices and rates add together.
        price: Usd,
    },
    /// Parts that may be used are others, or known better.
    Catalogue,
    /// Another version of the planner.
    Version { old: String, new: String },
    /// An unchanged question has another answer: the solver found a different optimum.
    Optimum {
        /// What that adds at old prices; `None` where the question changed too and was not asked
        /// again at the old prices.
        at_old_prices: Option<Usd>,
    },
    /// A result does not say what it was made from.
    Untold,
}

/// A price on both sides.
#[derive(Clone, Debug, PartialEq)]
pub struct PriceChange {
    pub item: PricedItem,
    /// Old price, at the new rate where its currency has another; `None` where the book had none.
    pub old: Option<Usd>,
    /// New price; `None` likewise.
    pub new: Option<Usd>,
    /// Whether the part stands on either bill.
    pub on_bill: bool,
    /// Whether `old` is at another rate of exchange than it had.
    pub at_new_rate: bool,
}

/// A rate of exchange on both sides.
#[derive(Clone, Debug, PartialEq)]
pub struct RateChange {
    /// Old rate.
    pub old: Exchange,
    /// New rate, of the same currency.
    pub new: Exchange,
}

/// What explains the difference, in a fixed order; nothing where nothing differs.
pub(super) fn change_causes(
    old: &Snapshot,
    new: &Snapshot,
    middle: Option<&Snapshot>,
    change: &CapexChange,
    facts: &[FactChange],
    moved: bool,
) -> Vec<ChangeCause> {
    let (Some(before), Some(after)) = (&old.provenance, &new.provenance) else {
        return if moved { vec![ChangeCause::Untold] } else { Vec::new() };
    };
    let mut causes = Vec::new();
    let asked = before.question != after.question;
    if asked {
        causes.push(ChangeCause::Question { keys: keys_that_differ(before, after) });
    }
    let changed = price_changes(before, after, old, new);
    if !changed.is_empty() {
        let (old_book, new_book) = (before.price_book.clone(), after.price_book.clone());
        let by_price = change.by_price - change.by_exchange;
        causes.push(ChangeCause::Prices { old_book, new_book, changed, by_price });
    }
    let changed = rate_changes(before, after);
    if !changed.is_empty() {
        let (by_exchange, amount) = (change.by_exchange, change.by_price);
        causes.push(ChangeCause::Exchange { changed, by_exchange, price: amount });
    }
    if parts_differ(before, after) {
        causes.push(ChangeCause::Catalogue);
    }
    if before.planner != after.planner {
        causes
            .push(ChangeCause::Version { old: before.planner.clone(), new: after.planner.clone() });
    }
    let other_design = match middle {
        Some(middle) => bill_pieces(middle) != bill_pieces(new),
        None => {
            !asked
                && (bill_pieces(old) != bill_pieces(new) || facts.iter().any(FactChange::is_design))
        }
    };
    if other_design {
        let at_old_prices = change.by_optimum.or((!asked).then_some(change.by_quantity));
        causes.push(ChangeCause::Optimum { at_old_prices });
    }
    causes
}

/// Keys of the spec that have other values.
pub(super) fn keys_that_differ(before: &Provenance, after: &Provenance) -> Vec<String> {
    let (Some(old), Some(new)) = (&before.asked, &after.asked) else { return Vec::new() };
    let all: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    all.into_iter().filter(|key| old.get(*key) != new.get(*key)).cloned().collect()
}

/// Whether a part is known otherwise than before. A machine that only one side asks for is another
/// question and no change of what is known; nothing is said where a side names no machines.
pub(super) fn parts_differ(before: &Provenance, after: &Provenance) -> bool {
    let (Some(old), Some(new)) = (&before.machines, &after.machines) else { return false };
    let machine = old.iter().any(|(name, print)| new.get(name).is_some_and(|text| text != print));
    machine || before.catalogue != after.catalogue
}

impl FactChange {
    /// Whether it is about how the cluster is built.
    fn is_design(&self) -> bool {
        ["cluster.", "layout.", "fabric."].iter().any(|group| self.key.starts_with(group))
    }
}

/// What is on the bill, by role, name and pieces.
fn bill_pieces(snapshot: &Snapshot) -> Vec<(&str, &str, u64)> {
    let mut pieces: Vec<_> = snapshot
        .bill
        .iter()
        .map(|part| (part.role.as_str(), part.name.as_str(), part.bought))
        .collect();
    pieces.sort_unstable();
    pieces
}

pub(super) fn price_changes(
    before: &Provenance,
    after: &Provenance,
    old: &Snapshot,
    new: &Snapshot,
) -> Vec<PriceChange> {
    let mut items: Vec<&PricedItem> = before.prices.keys().chain(after.prices.keys()).collect();
    items.sort();
    items.dedup();
    let on_bill = |item: &PricedItem| {
        let name = item.to_string();
        [old, new].iter().any(|snapshot| snapshot.bill.iter().any(|part| part.name == name))
    };
    let price = |provenance: &Provenance, item: &PricedItem| provenance.prices.get(item).copied();
    items
        .into_iter()
        .map(|item| {
            let growth = exchange_growth(before, after, item);
            PriceChange {
                item: item.clone(),
                old: price(before, item).map(|usd| usd * growth.unwrap_or(1.0)),
                new: price(after, item),
                on_bill: on_bill(item),
                at_new_rate: growth
                    .is_some_and(|growth| differs_by_more_than_rounding(growth, 1.0)),
            }
        })
        .filter(|change| match (change.old, change.new) {
            (Some(old), Some(new)) => differs_by_more_than_rounding(old.get(), new.get()),
            _ => true,
        })
        .collect()
}

/// How many times as many dollars the old price of an item is at the new rate; `None` where a side
/// priced it in dollars, or each in another currency.
fn exchange_growth(before: &Provenance, after: &Provenance, item: &PricedItem) -> Option<f64> {
    before.exchange.get(item)?.dollar_growth(after.exchange.get(item)?)
}

/// Rates of exchange that are others, by currency.
fn rate_changes(before: &Provenance, after: &Provenance) -> Vec<RateChange> {
    let mut changes: Vec<RateChange> = Vec::new();
    for (item, old) in &before.exchange {
        let Some(new) = after.exchange.get(item) else { continue };
        let moved =
            old.dollar_growth(new).is_some_and(|growth| differs_by_more_than_rounding(growth, 1.0));
        let change = RateChange { old: old.clone(), new: new.clone() };
        if moved && !changes.contains(&change) {
            changes.push(change);
        }
    }
    changes.sort_by_key(|rate_change| rate_change.old.currency);
    changes
}

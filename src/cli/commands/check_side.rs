//! One of two things that are compared: a spec, which is designed, or a result, which is read.

use std::path::Path;

use crate::cli::args::Options;
use crate::cli::errors::Failure;
use crate::cli::progress::watched_options;
use crate::cli::{input, output};
use crate::gate::{Provenance, Snapshot, StatedRule};
use crate::hardware::{Price, PriceBasis, PriceBook, PricedItem, Quote};
use crate::report::{self, Detail, Format, RenderOptions};
use crate::scenario::Scenario;
use crate::spec::{self, SpecText};
use crate::{design, import, results, sizing};

/// One of two things that are compared.
pub(super) struct CheckSide {
    pub(super) name: String,
    pub(super) content: Content,
}

pub(super) enum Content {
    Spec(SpecText),
    Result(Box<Snapshot>),
}

/// Whether some bytes are the configuration of a model rather than a result.
fn is_configuration(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes).is_ok_and(import::is_foreign)
}

impl CheckSide {
    pub(super) fn load_side(path: &Path, options: &Options) -> Result<Self, Failure> {
        let (name, bytes) = input::read_input(path, results::LONGEST_BYTES, options)?;
        let content = if results::looks_like_json(&bytes) && !is_configuration(&bytes) {
            let snapshot = results::read_snapshot(&bytes).map_err(|problem| {
                let hint = problem.hint();
                let error = anyhow::Error::new(problem).context(format!("can't compare `{name}`"));
                Failure::usage_error(error, hint)
            })?;
            if !snapshot.sealed {
                let text = "has no checksum, so only its sums could be checked: write it anew";
                output::print_warning(options, &format!("`{name}` {text}"));
            }
            Content::Result(Box::new(snapshot))
        } else if !spec::looks_like_spec(&bytes) && !is_configuration(&bytes) {
            // Nothing of such a file is repeated: a link in a pull request may lead anywhere.
            let error =
                anyhow::anyhow!("`{name}` is no spec: it has no [model] and no [[workload]]");
            return Err(Failure::usage_error(error, "name a spec, or the JSON of a design"));
        } else {
            Content::Spec(input::convert_to_spec(
                path,
                SpecText::from_bytes(name.clone(), &bytes)?,
                options,
            )?)
        };
        Ok(Self { name, content })
    }

    /// The result, and the question where there is one; `changed` by the overrides.
    pub(super) fn to_snapshot(
        &self,
        options: &Options,
        changed: bool,
    ) -> Result<(Snapshot, Option<Scenario>), Failure> {
        match &self.content {
            Content::Result(_) if changed && !options.set.is_empty() => {
                let error =
                    anyhow::anyhow!("`{}` is a result, and `--set` changes a spec", self.name);
                Err(Failure::usage_error(error, "name the spec that it was made from"))
            }
            Content::Result(snapshot) => Ok(((**snapshot).clone(), None)),
            Content::Spec(source) => {
                let overrides = if changed { options.overrides() } else { Vec::new() };
                let scenario = input::load_overridden_scenario(source, &overrides, options)?;
                Ok((design_snapshot(&scenario, &watched_options(options))?, Some(scenario)))
            }
        }
    }

    /// The design of a spec on the terms of an old result: at its prices and discounts, with its
    /// hardware, stock, failures and framework; `None` where the spec states none of them
    /// otherwise, and why there is no design where there is none.
    pub(super) fn design_on_terms(
        &self,
        old: &Snapshot,
        new: &Snapshot,
        options: &Options,
    ) -> Option<Result<Snapshot, String>> {
        let Content::Spec(source) = &self.content else { return None };
        let (before, after) = (old.provenance.as_ref()?, new.provenance.as_ref()?);
        let (theirs, own) = (before.stated.as_ref()?, after.stated.as_ref()?);
        let is_term = |(key, _): &(&String, &String)| spec::is_term(key);
        if theirs.iter().filter(is_term).eq(own.iter().filter(is_term)) {
            return None;
        }
        let design = || {
            let book = input::load_price_book(options)?;
            let scenario =
                spec::read_on_terms(source, &options.overrides(), book.as_ref(), theirs)?;
            let scenario = input::part_of(scenario, options)?;
            design_snapshot(&scenario, &watched_options(options))
        };
        Some(design().map_err(|failure: Failure| failure.reason_text()))
    }

    /// Rules that the spec states.
    pub(super) fn spec_rules(&self, options: &Options) -> Result<Vec<StatedRule>, Failure> {
        match &self.content {
            Content::Spec(source) => {
                let (rules, allowed) = spec::read_gate(source, &options.overrides())?;
                if !allowed.is_empty() {
                    let text = "`allow` of the spec is not heeded: only that of `--policy` is";
                    output::print_note(options, text);
                }
                Ok(rules)
            }
            Content::Result(_) => Ok(Vec::new()),
        }
    }
}

/// The new question answered at the old prices, where those are others: what prices alone did to
/// the design. Nothing where no design can be had of them.
pub(super) fn design_at_old_prices(
    mut scenario: Scenario,
    old: &Snapshot,
    new: &Snapshot,
    options: &Options,
) -> Option<Snapshot> {
    let (before, after) = (old.provenance.as_ref()?, new.provenance.as_ref()?);
    if before.prices == after.prices {
        return None;
    }
    scenario.prices = result_price_book(before, &scenario.prices);
    design_snapshot(&scenario, &watched_options(options)).ok()
}

/// The prices of a result, which keeps amounts: what a price includes is that of the book of now.
fn result_price_book(provenance: &Provenance, now: &PriceBook) -> PriceBook {
    let quote = |item: &PricedItem| {
        now.prices.get(item).map_or_else(Quote::default, |this_price| Quote {
            includes: this_price.quote.includes.clone(),
            level: this_price.quote.level,
            ..Quote::default()
        })
    };
    let price = |item: &PricedItem, amount| Price {
        amount,
        range: None,
        basis: PriceBasis::User,
        date: String::new(),
        source: "the result compared with".to_owned(),
        exchange: provenance.exchange.get(item).cloned(),
        quote: quote(item),
    };
    let prices =
        provenance.prices.iter().map(|(item, usd)| (item.clone(), price(item, *usd))).collect();
    PriceBook { name: provenance.price_book.clone(), prices, ..PriceBook::default() }
}

/// The design of a scenario, as its own JSON would be read back: a spec and its result can't
/// differ.
pub(super) fn design_snapshot(
    scenario: &Scenario,
    solver: &sizing::Options,
) -> Result<Snapshot, Failure> {
    let plan = design::design_with_default_rules(scenario, solver)?;
    let json = report::render_design(
        &plan,
        RenderOptions { format: Format::Json, colour: false, detail: Detail::Usual },
    );
    results::read_snapshot(json.as_bytes()).map_err(|problem| Failure::usage_error(problem, ""))
}

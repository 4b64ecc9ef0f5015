//! The commands `planner compare`, `planner check` and `planner diff`.

use std::path::{Path, PathBuf};

use anyhow::anyhow;
use clap::Args;

use crate::cli::args::{Options, SpecArgs};
use crate::cli::errors::Failure;
use crate::cli::progress::watched_options;
use crate::cli::{input, output};
use crate::compare::{self, Baseline, Refused};
use crate::gate::{self, Provenance, Rule, RuleOrigin, Severity, Snapshot, StatedRule, Verdict};
use crate::hardware::{Price, PriceBasis, PriceBook, PricedItem, Quote};
use crate::report::{self, CheckSheet, Detail, Format, RenderOptions, SideBySide};
use crate::scenario::Scenario;
use crate::spec::{self, SpecText, problem};
use crate::workload::Technique;
use crate::{design, import, results, sizing};

/// Arguments of `planner check`.
#[derive(Args, Debug)]
pub(in crate::cli) struct CheckArgs {
    #[command(flatten)]
    spec: SpecArgs,
    /// JSON of a design, or another spec
    #[arg(long, value_name = "FILE")]
    against: PathBuf,
    #[command(flatten)]
    rules: RuleArgs,
}

/// Arguments of `planner diff`.
#[derive(Args, Debug)]
pub(in crate::cli) struct DiffArgs {
    /// JSON of a design, or a spec
    old: PathBuf,
    /// JSON of a design, or a spec: `--set` changes this one
    new: PathBuf,
    #[command(flatten)]
    rules: RuleArgs,
}

/// Rules of the command line; they add to those of `[gate]` in the spec.
#[derive(Args, Debug)]
struct RuleArgs {
    /// Status 1 where a figure changes more: `capex>+2%`, `power>+100kW`, `mfu<-1%`,
    /// `step.time_s~1%` (either way), `capex>$60M` (the value itself), `capex>never` (no rule of
    /// the spec); repeats, adds to [gate] of the spec
    #[arg(long, value_name = "RULE")]
    fail_on: Vec<String>,
    /// Report where a figure changes more, without failing; repeats
    #[arg(long, value_name = "RULE")]
    warn_on: Vec<String>,
    /// Rules that hold whatever the spec says: [gate] of another spec
    #[arg(long, value_name = "FILE")]
    policy: Option<PathBuf>,
}

/// The check as text, or that a rule which fails is breached.
pub(in crate::cli) fn run_check_command(
    args: &CheckArgs,
    options: &Options,
) -> Result<(), Failure> {
    let new = CheckSide::load_side(&args.spec.spec, options)?;
    if args.rules.policy.is_some() && matches!(new.content, Content::Result(_)) {
        let error = anyhow::anyhow!("`{}` is a result, and a policy judges a spec", new.name);
        return Err(Failure::usage_error(error, "name the spec: a result can say anything"));
    }
    let mut gates = args.rules.stated_rules(options)?;
    gates.extend(new.spec_rules(options)?);
    if gates.is_empty() {
        let text = "no rule is given, so only lost prices and loosened rules fail: add \
                    `--fail-on 'capex>+2%'`";
        output::print_note(options, text);
    }
    let old = CheckSide::load_side(&args.against, options)?;
    run_check(&old, &new, gates, false, options)
}

/// The difference as text, or that a rule which fails is breached.
pub(in crate::cli) fn run_diff_command(args: &DiffArgs, options: &Options) -> Result<(), Failure> {
    let gates = args.rules.stated_rules(options)?;
    let (old, new) =
        (CheckSide::load_side(&args.old, options)?, CheckSide::load_side(&args.new, options)?);
    run_check(&old, &new, gates, true, options)
}

fn run_check(
    old: &CheckSide,
    new: &CheckSide,
    gates: Vec<StatedRule>,
    is_diff: bool,
    options: &Options,
) -> Result<(), Failure> {
    // A difference is asked for, a check has to stop a script.
    let guard = if is_diff { Severity::Warn } else { Severity::Fail };
    let (before, _) = old.to_snapshot(options, false)?;
    let (after, scenario) = new.to_snapshot(options, true)?;
    let middle = scenario.and_then(|asked| design_at_old_prices(asked, &before, &after, options));
    let report = gate::check_snapshots(&before, &after, middle.as_ref(), &gates, guard)
        .map_err(refuse_check)?;
    let sheet = CheckSheet { report: &report, old: &old.name, new: &new.name, is_diff };
    let text = options.render_report(|look| report::render_check(&sheet, look))?;
    output::write_result(&text, options)?;
    let read = |verdict| {
        let rules = report.rules.iter().filter(|judged| judged.verdict == verdict);
        let rules = rules.map(|judged| format!("`{}`", judged.gate.rule));
        let found = report.findings.iter().filter(|finding| finding.verdict == verdict);
        let found = found
            .map(|finding| format!("{} (`{}`)", finding.finding.code(), finding.finding.subject()));
        rules.chain(found).collect::<Vec<_>>().join(", ")
    };
    match report.verdict {
        Verdict::Pass => Ok(()),
        Verdict::Warn => {
            output::print_warning(options, &format!("rule broken: {}", read(Verdict::Warn)));
            Ok(())
        }
        Verdict::Fail => Err(Failure::Breached(read(Verdict::Fail))),
    }
}

/// The new question answered at the old prices, where those are others: what prices alone did to
/// the design. Nothing where no design can be had of them.
fn design_at_old_prices(
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

/// What several files have beside one another: specs are designed, results are read.
fn side_by_side(files: &[&Path], options: &Options) -> Result<String, Failure> {
    let sides: Vec<CheckSide> =
        files.iter().map(|file| CheckSide::load_side(file, options)).collect::<Result<_, _>>()?;
    let found: Vec<Snapshot> = sides
        .iter()
        .map(|side| side.to_snapshot(options, true).map(|(found, _)| found))
        .collect::<Result<_, _>>()?;
    let named = sides.iter().map(|side| side.name.as_str()).zip(&found);
    let sheet = SideBySide { all: named.collect() };
    options.render_report(|look| report::side_by_side(&sheet, look))
}

/// One of two things that are compared.
struct CheckSide {
    name: String,
    content: Content,
}

enum Content {
    Spec(SpecText),
    Result(Box<Snapshot>),
}

/// Whether some bytes are the configuration of a model rather than a result.
fn is_configuration(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes).is_ok_and(import::is_foreign)
}

impl CheckSide {
    fn load_side(path: &Path, options: &Options) -> Result<Self, Failure> {
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
    fn to_snapshot(
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

    /// Rules that the spec states.
    fn spec_rules(&self, options: &Options) -> Result<Vec<StatedRule>, Failure> {
        match &self.content {
            Content::Spec(source) => Ok(spec::read_stated_rules(source, &options.overrides())?),
            Content::Result(_) => Ok(Vec::new()),
        }
    }
}

impl RuleArgs {
    fn stated_rules(&self, options: &Options) -> Result<Vec<StatedRule>, Failure> {
        let all = self.fail_on.iter().map(|text| (text, Severity::Fail));
        let stated = all.chain(self.warn_on.iter().map(|text| (text, Severity::Warn)));
        let mut gates = self.policy_rules(options)?;
        for (text, severity) in stated {
            let rule = Rule::parse(text).map_err(|error| {
                let hint = error.hint();
                Failure::usage_error(error, hint)
            })?;
            gates.push(StatedRule { rule, severity, origin: RuleOrigin::CommandLine });
        }
        Ok(gates)
    }

    /// Rules of the file of `--policy`, which has to state some.
    fn policy_rules(&self, options: &Options) -> Result<Vec<StatedRule>, Failure> {
        let Some(path) = &self.policy else { return Ok(Vec::new()) };
        let source = input::source(path, options)?;
        let gates = spec::read_stated_rules(&source, &[])?;
        if gates.is_empty() {
            let error = anyhow::anyhow!("the policy `{}` states no rule", source.name);
            let hint = "a policy has a [gate] table: `fail_on = [\"capex>+2%\"]`";
            return Err(Failure::usage_error(error, hint));
        }
        Ok(gates
            .into_iter()
            .map(|gate| StatedRule { origin: RuleOrigin::Policy, ..gate })
            .collect())
    }
}

fn quote_name(name: &str) -> String {
    format!("`{name}`")
}

/// Figures of a section, where that is what a rule names.
fn section_figures(section: &str, known: &[String]) -> Option<String> {
    /// Most that are named.
    const MOST: usize = 5;
    let of_section = |key: &&String| {
        key.strip_prefix(section).is_some_and(|rest| rest.starts_with('.') && rest.len() > 1)
    };
    let all: Vec<String> = known.iter().filter(of_section).map(|key| quote_name(key)).collect();
    let (last, before) = all.get(..all.len().min(MOST))?.split_last()?;
    Some(if before.is_empty() { last.clone() } else { format!("{} or {last}", before.join(", ")) })
}

/// A rule that can't be judged.
fn refuse_check(problem: gate::RuleProblem) -> Failure {
    let hint = match &problem.kind {
        gate::RuleProblemKind::Quantity(gate::QuantityError::Unknown { name, known }) => {
            match section_figures(name, known)
                .or_else(|| problem::did_you_mean(name, known).map(quote_name))
            {
                Some(near) => format!("did you mean {near}?"),
                None => "figures are the keys of a design's JSON, such as cost.capex".to_owned(),
            }
        }
        _ => problem.hint(),
    };
    Failure::usage_error(problem, hint)
}

/// What a design is held against where nothing is named.
pub(super) const USUAL: [&str; 1] = ["clos"];

/// Arguments of `planner compare`.
#[derive(Args, Debug)]
pub(in crate::cli) struct CompareArgs {
    #[command(flatten)]
    spec: SpecArgs,
    /// More specs, or JSON of designs: all side by side, without baselines
    #[arg(value_name = "MORE", conflicts_with_all = ["baseline", "with"])]
    more: Vec<PathBuf>,
    /// clos, clos@7:1, rail-only, rail-optimized@7:1, tapered-clos, multi-plane, dragonfly,
    /// slim-fly, hyperx, zcube, torus, hamming-mesh; repeats
    #[arg(long, value_name = "NAME", default_values = USUAL)]
    baseline: Vec<Baseline>,
    /// A training technique on and off, the network sized for each: demo, offload, swap,
    /// message-driven, sil, multilevel, fused-tensor, narrow-pipeline; repeats
    #[arg(long, value_name = "TECHNIQUE", value_parser = parse_technique, conflicts_with = "baseline")]
    with: Vec<Technique>,
}

/// The technique of a name.
fn parse_technique(name: &str) -> Result<Technique, String> {
    Technique::parse(name).ok_or_else(|| {
        format!("no technique is called `{name}`: use {}", report::technique_names().join(", "))
    })
}

/// The comparison as text.
pub(in crate::cli) fn run_compare(
    args: &CompareArgs,
    options: &Options,
) -> Result<Option<String>, Failure> {
    if !args.more.is_empty() {
        let more = args.more.iter().map(PathBuf::as_path);
        let files: Vec<&Path> = [args.spec.spec.as_path()].into_iter().chain(more).collect();
        return side_by_side(&files, options).map(Some);
    }
    if !args.with.is_empty() {
        let scenario = input::load_scenario(&args.spec.spec, options)?;
        let found = compare::study_techniques(&scenario, &args.with, &watched_options(options))
            .map_err(refuse_compare)?;
        let text = options
            .render_report(|look| report::render_techniques(&scenario.name, &found, look))?;
        output::write_result(&text, options)?;
        // The table says of each case why; a script sees it by the status.
        return match found.whole.iter().find_map(|case| case.plan.as_ref().err()) {
            Some(reason) if found.whole.iter().all(|case| case.plan.is_err()) => {
                Err(Failure::Infeasible(reason.clone()))
            }
            _ => Ok(None),
        };
    }
    let scenario = input::load_scenario(&args.spec.spec, options)?;
    let comparison = compare::compare_with(&scenario, &args.baseline, &watched_options(options))
        .map_err(|reason| {
            input::infeasible_with_size_hint(reason, &scenario, &args.spec.spec, options)
        })?;
    options.render_report(|look| report::render_comparison(&comparison, look)).map(Some)
}

/// A technique that the stated layout rules out.
fn refuse_compare(problems: Refused) -> Failure {
    let texts: Vec<String> = problems.iter().map(ToString::to_string).collect();
    Failure::usage_error(anyhow!("{}", texts.join("; ")), "")
}

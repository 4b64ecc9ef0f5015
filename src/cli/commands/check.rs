//! The commands `planner check` and `planner diff`.

use std::path::PathBuf;

use clap::Args;

use super::check_side::{CheckSide, Content, design_at_old_prices};
use crate::cli::args::{Options, SpecArgs};
use crate::cli::errors::Failure;
use crate::cli::{input, output};
use crate::gate::{self, Judges, Rule, RuleOrigin, Severity, Sides, StatedRule, Verdict};
use crate::report::{self, CheckSheet};
use crate::spec::{self, problem};

/// Arguments of `planner check`.
#[derive(Args, Debug)]
pub(in crate::cli) struct CheckArgs {
    #[command(flatten)]
    spec: SpecArgs,
    /// JSON of a design, or another spec
    #[arg(long, value_name = "FILE", required_unless_present = "init")]
    against: Option<PathBuf>,
    /// Print a policy for a repository of designs, and check nothing
    #[arg(long, conflicts_with_all = ["against", "fail_on", "warn_on", "policy"])]
    init: bool,
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
    let Some(against) = &args.against else {
        return output::write_result(spec::STARTER_POLICY, options);
    };
    let new = CheckSide::load_side(&args.spec.spec, options)?;
    if args.rules.policy.is_some() && matches!(new.content, Content::Result(_)) {
        let error = anyhow::anyhow!("`{}` is a result, and a policy judges a spec", new.name);
        return Err(Failure::usage_error(error, "name the spec: a result can say anything"));
    }
    let (mut gates, allowed) = args.rules.stated_rules(options)?;
    gates.extend(new.spec_rules(options)?);
    if gates.is_empty() {
        let text = "no rule is given, so only lost prices and loosened rules fail: add \
                    `--fail-on 'capex>+2%'`";
        output::print_note(options, text);
    }
    let old = CheckSide::load_side(against, options)?;
    run_check(&old, &new, gates, allowed.as_deref(), false, options)
}

/// The difference as text, or that a rule which fails is breached.
pub(in crate::cli) fn run_diff_command(args: &DiffArgs, options: &Options) -> Result<(), Failure> {
    let (gates, allowed) = args.rules.stated_rules(options)?;
    let (old, new) =
        (CheckSide::load_side(&args.old, options)?, CheckSide::load_side(&args.new, options)?);
    run_check(&old, &new, gates, allowed.as_deref(), true, options)
}

/// Most rules and findings that the last line names.
const MOST_NAMED: usize = 8;

fn run_check(
    old: &CheckSide,
    new: &CheckSide,
    gates: Vec<StatedRule>,
    allowed: Option<&[String]>,
    is_diff: bool,
    options: &Options,
) -> Result<(), Failure> {
    // A difference is asked for, a check has to stop a script.
    let guard = if is_diff { Severity::Warn } else { Severity::Fail };
    let (before, _) = old.to_snapshot(options, false)?;
    let (after, scenario) = new.to_snapshot(options, true)?;
    let middle = scenario.and_then(|asked| design_at_old_prices(asked, &before, &after, options));
    let on_terms = if is_diff { None } else { new.design_on_terms(&before, &after, options) };
    let on_terms = on_terms.as_ref().map(|design| design.as_ref().map_err(Clone::clone));
    let sides = Sides { old: &before, new: &after, middle: middle.as_ref(), on_terms };
    let judges = Judges { rules: &gates, guard, allowed };
    let report = gate::check_snapshots(&sides, judges).map_err(refuse_check)?;
    let sheet = CheckSheet { report: &report, old: &old.name, new: &new.name, is_diff };
    let text = if options.writes_test_cases() {
        report::check_test_cases(&sheet)
    } else {
        options.render_report(|look| report::render_check(&sheet, look))?
    };
    output::write_result(&text, options)?;
    let read = |verdict| {
        let rules = report.rules.iter().filter(|judged| judged.verdict == verdict);
        let rules = rules.map(|judged| format!("`{}`", judged.gate.rule));
        let found = report.findings.iter().filter(|finding| finding.verdict == verdict);
        let found = found
            .map(|finding| format!("{} (`{}`)", finding.finding.code(), finding.finding.subject()));
        let mut all: Vec<String> = rules.chain(found).collect();
        let more = all.len().saturating_sub(MOST_NAMED);
        all.truncate(MOST_NAMED);
        all.extend((more > 0).then(|| format!("and {more} more")));
        all.join(", ")
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

impl RuleArgs {
    /// Rules of the command line and of the policy, and what that one allows; `None` where there
    /// is no policy.
    fn stated_rules(
        &self,
        options: &Options,
    ) -> Result<(Vec<StatedRule>, Option<Vec<String>>), Failure> {
        let all = self.fail_on.iter().map(|text| (text, Severity::Fail));
        let stated = all.chain(self.warn_on.iter().map(|text| (text, Severity::Warn)));
        let (mut gates, allowed) = self.policy_rules(options)?;
        for (text, severity) in stated {
            let rule = Rule::parse(text).map_err(|error| {
                let hint = error.hint();
                Failure::usage_error(error, hint)
            })?;
            gates.push(StatedRule { rule, severity, origin: RuleOrigin::CommandLine });
        }
        Ok((gates, allowed))
    }

    /// Rules of the file of `--policy`, which has to state some.
    fn policy_rules(
        &self,
        options: &Options,
    ) -> Result<(Vec<StatedRule>, Option<Vec<String>>), Failure> {
        let Some(path) = &self.policy else { return Ok((Vec::new(), None)) };
        let source = input::source(path, options)?;
        let (gates, allowed) = spec::read_gate(&source, &[])?;
        if gates.is_empty() {
            let error = anyhow::anyhow!("the policy `{}` states no rule", source.name);
            let hint = "a policy has a [gate] table: `fail_on = [\"capex>+2%\"]`";
            return Err(Failure::usage_error(error, hint));
        }
        let gates = gates.into_iter();
        let gates = gates.map(|gate| StatedRule { origin: RuleOrigin::Policy, ..gate }).collect();
        Ok((gates, Some(allowed)))
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

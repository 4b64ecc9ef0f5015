//! What a design leaves to decide: warnings that somebody can act on, each in a line with its code.

use super::verdict::{CENT, name_without_plane};
use crate::design::{
    AlternativeKind, AlternativeStanding, BindingLimit, ClusterPlan, LimitWorth, Plan, StatedLimit,
    Warning,
};
use crate::report::section::premiums::job_stop_text;
use crate::report::{amount, number, short_number, warnings};
use crate::scenario::Minimize;
use crate::units::{Amount, ExactAmount, StatedAmount, Usd};

/// Most decisions that are told.
const MOST: usize = 3;

/// Goodput below which spare machines are worth a thought where none is bought.
const LITTLE_GOODPUT: f64 = 0.9;
/// Who is asked for money.
const BUYER: &str = "buyer: ";

/// Something to decide.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::report) struct Decide {
    pub(in crate::report) text: String,
    /// Its warning; empty where a limit asks.
    pub(in crate::report) code: &'static str,
    /// Money that it moves; `None` where that is not known.
    pub(in crate::report) usd: Option<Usd>,
}

impl Decide {
    /// With its code behind it.
    pub(in crate::report) fn line_with_code(&self) -> String {
        match self.code {
            "" => self.text.clone(),
            code => format!("{}  [{code}]", self.text),
        }
    }
}

/// What somebody has to decide: what no price is known for, then that of the most money.
pub(super) fn list_decisions(plan: &Plan) -> Vec<Decide> {
    let warned = plan.warnings.iter().filter_map(|warning| {
        // Of some of several parts it is told with their names.
        let warns = |part: &&ClusterPlan| part.plan.warnings.contains(warning);
        let parts: Vec<&ClusterPlan> = plan.part_plans().iter().filter(warns).collect();
        let (text, usd) = warning_decision(warning, parts.first().map_or(plan, |part| &part.plan))?;
        let names: Vec<String> = parts.iter().map(|part| part.name.short_name()).collect();
        let some = !names.is_empty() && names.len() < plan.part_plans().len();
        let text = if some { format!("{}: {text}", names.join(", ")) } else { text };
        // Who decides, where it is a choice of money or of risk.
        let who = match warning {
            Warning::Ties { .. } | Warning::IdleGpus { .. } | Warning::SinglePoint { .. } => BUYER,
            Warning::UplinkHeadroom { .. } => "architect: ",
            _ => "",
        };
        let text = format!("{who}{text}");
        Some(Decide { text, code: warnings::warning_code(warning), usd })
    });
    let asked = limit_decisions(plan).into_iter().chain(spares_decision(plan));
    let mut all: Vec<Decide> = warned.chain(asked).collect();
    let weight = |decide: &Decide| match (decide.code, decide.usd) {
        ("W02", _) => f64::INFINITY,
        (_, usd) => usd.map_or(0.0, Usd::get),
    };
    all.sort_by(|one, other| weight(other).total_cmp(&weight(one)));
    all.truncate(MOST);
    all
}

/// Limits that the spec states and that another design would be better without, each once with
/// what it is worth at most.
fn limit_decisions(plan: &Plan) -> Vec<Decide> {
    let saved = |binding: &&BindingLimit| match &binding.worth {
        LimitWorth::Moved { saved, .. } => saved.scalar(),
        _ => 0.0,
    };
    let of_limit = |limit: &StatedLimit| {
        let worth = plan.solver.binding.iter().filter(|binding| binding.limit == limit.key);
        limit_decision(worth.max_by(|one, other| saved(one).total_cmp(&saved(other)))?)
    };
    plan.limits.iter().filter_map(of_limit).collect()
}

/// Whether to keep a limit; nothing where moving it alone is worth nothing.
fn limit_decision(binding: &BindingLimit) -> Option<Decide> {
    let LimitWorth::Moved { has, needs, saved, quantity, .. } = &binding.worth else { return None };
    let usd = match (saved, quantity) {
        (Amount::Money(usd), Minimize::Capex | Minimize::Tco) => Some(*usd),
        _ => None,
    };
    let per = if *quantity == Minimize::UsdPerToken { " per million tokens" } else { "" };
    let saved = usd.map_or_else(|| amount::amount_text(saved), short_number::money);
    let other = match needs {
        Some(needs) => format!("at {}", ExactAmount(needs)),
        None => "without it".to_owned(),
    };
    let (limit, has) = (&binding.limit, StatedAmount(has));
    let text = format!("{BUYER}keep {limit} = {has}? {saved}{per} less {other}");
    Some(Decide { text, code: "", usd })
}

/// Whether spare machines are worth it where what is minimised counts no time, so that none is
/// bought and each broken machine stops the job.
fn spares_decision(plan: &Plan) -> Option<Decide> {
    let worst = plan.cluster_plans().into_iter().map(|plan| &plan.failures);
    let worst = worst.min_by(|one, other| one.year.goodput.total_cmp(&other.year.goodput))?;
    if worst.year.goodput >= LITTLE_GOODPUT || worst.year.standby.domains > 0 {
        return None;
    }
    let share = short_number::percent(worst.year.goodput);
    let text = format!("{BUYER}goodput {share} with no spare machine: set failures.standby");
    Some(Decide { text, code: "", usd: Some(worst.usd_lost) })
}

/// What a warning asks for, with the money that it moves; `None` where nothing can be done about it.
fn warning_decision(warning: &Warning, plan: &Plan) -> Option<(String, Option<Usd>)> {
    let named = |parts: &[(String, String)]| {
        parts.iter().map(|(part, _)| part.as_str()).collect::<Vec<_>>().join(", ")
    };
    let text = match warning {
        Warning::Ties { .. } => return tie_decision(plan),
        Warning::Unpriced { parts } => {
            format!("no price for {}: state it under [prices]", parts.join(", "))
        }
        Warning::PricedByPort { parts } => {
            let names: Vec<&str> = parts.iter().map(|(part, _)| part.as_str()).collect();
            format!("{} is priced by its ports: state its price", names.join(", "))
        }
        Warning::OldPrices { parts, months, .. } => format!(
            "prices up to {months} months old ({}): ask again before you sign",
            named(parts)
        ),
        Warning::ExpiredQuotes { parts, .. } => {
            format!("offers that have ended ({}): ask for new ones", named(parts))
        }
        Warning::MixedLevels { .. } => {
            "prices of the machines to choose from are not of one kind: state their `level`"
                .to_owned()
        }
        Warning::IdleGpus { count, share, spare_trays, .. } => {
            let idle = number::count_with_noun(*count, "GPU", "GPUs");
            let kept = if *spare_trays > 0 { "idle as spare trays" } else { "hold no work" };
            let share_text = short_number::percent(*share);
            let text = format!("{idle} ({share_text}) {kept}: wanted?");
            return Some((text, Some(plan.cost.capex * *share)));
        }
        Warning::PartlyTraining { training, asked, .. } => {
            let idle = u64::from(*asked).saturating_sub(*training);
            let share = idle as f64 / f64::from((*asked).max(1));
            let text = format!(
                "{} of {} train: cluster.gpus = {training} buys no more than those",
                number::count(*training),
                number::count_with_noun(*asked, "GPU", "GPUs")
            );
            return Some((text, Some(plan.cost.capex * share)));
        }
        Warning::UplinkHeadroom { headroom, within } if *headroom < 1.0 => format!(
            "uplinks carry {} of peak traffic: limits.within_rail = {} adds",
            short_number::percent(*headroom),
            three_decimals(*within)
        ),
        Warning::UplinkHeadroom { within, .. } => format!(
            "uplinks need load balancing per packet, or limits.within_rail = {}",
            three_decimals(*within)
        ),
        Warning::SinglePoint { part, pieces, without, .. } => {
            let stops = job_stop_text(part, *pieces);
            let premium =
                without.as_ref().filter(|point| !point.chosen).map(|point| &point.premium);
            let Some(premium) = premium else { return Some((stops, None)) };
            let usd = match premium.money_share() {
                Some(Amount::Money(usd)) => Some(usd),
                _ => None,
            };
            return Some((
                format!("{stops}; {} more avoids it", amount::premium_text(premium)),
                usd,
            ));
        }
        Warning::LateWithFailures { asked, takes, .. } => format!(
            "limits.days = {asked} is kept where machines alone fail: {takes:.2} with the network",
        ),
        Warning::TooLittleLeft { asked, left } => format!(
            "a loss leaves {} of the speed, limits.survive asks for {}",
            short_number::percent(*left),
            short_number::percent(*asked)
        ),
        Warning::NotCarried { scenarios, .. } => {
            let names: Vec<&str> = scenarios.iter().map(|(name, _)| name.as_str()).collect();
            format!("[robust] is not carried: {}", names.join(", "))
        }
        Warning::Unrouted { .. } => {
            "the step was not routed: links may be slower than it assumes".to_owned()
        }
        Warning::Slower { label, times, .. } => {
            format!(
                "{label} takes {} times as long as the step time assumes",
                number::ratio(*times)
            )
        }
        Warning::MemoryTight { needs, has, .. } => format!(
            "memory is tight, {} of {} counted: try the layout, or shard or recompute more",
            number::memory(*needs),
            number::memory(*has)
        ),
        Warning::AssumedRates { gpu, .. } => {
            format!("no step of {gpu} was measured: measure one before you sign")
        }
        Warning::AboveMeasured { gpu, mfu, highest, .. } => format!(
            "MFU of {} is predicted, {} is the most that was measured on {gpu}",
            short_number::percent(*mfu),
            short_number::percent(*highest)
        ),
        Warning::NoRailSaving
        | Warning::Forwarding { .. }
        | Warning::ForwardingBound { .. }
        | Warning::OtherSteps { .. } => return None,
    };
    Some((text, None))
}

/// The nearest design that costs as little; nothing where the table names none.
fn tie_decision(plan: &Plan) -> Option<(String, Option<Usd>)> {
    let tied = plan.alternatives.iter().filter(|other| other.standing == AlternativeStanding::Tied);
    let distance = |usd: Usd| usd.get().abs();
    let nearest = tied
        .min_by(|one, other| distance(one.capex_change).total_cmp(&distance(other.capex_change)))?;
    let change = short_number::money_change(nearest.capex_change);
    let name = match nearest.differs {
        AlternativeKind::Pace => "the speed of a Clos",
        _ => name_without_plane(&nearest.name),
    };
    let usd = nearest.capex_change;
    let usd = if usd < Usd::ZERO { Usd::ZERO - usd } else { usd };
    let text = if usd.get() < CENT {
        format!("{name} costs the same: wanted?")
    } else {
        format!("{name} is within 0.5 % ({change}): wanted?")
    };
    Some((text, Some(usd)))
}

/// A share as a key of a spec states it.
fn three_decimals(share: f64) -> String {
    let text = format!("{share:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

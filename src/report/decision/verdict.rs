//! The verdict of a design: what it saves against a full-bisection Clos, and how far that nothing
//! is better is proven.

use crate::design::{
    Alternative, AlternativeKind, AlternativeStanding, Growth, Plan, SolverStatus, Warning,
};
use crate::fabric::FabricKind;
use crate::report::words::capitalise_first_letter;
use crate::report::{number, short_number};
use crate::scenario::Minimize;
use crate::units::Usd;

/// Sums that differ by less are the same.
pub(super) const CENT: f64 = 0.5;
/// A gap below this says that nothing compared is better.
const PROVEN: f64 = 1e-3;
/// A step that differs by less is as long.
const AS_LONG: f64 = 5e-4;

/// The full-bisection Clos that a design is held against: what the design saves of it.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::report) struct Reference {
    pub(in crate::report) name: String,
    /// Capital of the cluster.
    pub(in crate::report) saving: Usd,
    /// Capital of the network.
    pub(in crate::report) network_saving: Usd,
    /// That over the network of the reference.
    pub(in crate::report) network_share: Option<f64>,
    /// Cost per token that is saved, over that of the reference; below 0 where the design costs
    /// more.
    pub(in crate::report) token_share: Option<f64>,
    /// The design's step over the reference's, less 1.
    pub(in crate::report) step_change: f64,
    /// Keys of the limits that it breaks: only the design has to keep them.
    pub(in crate::report) breaks: Vec<String>,
}

/// Which kind of verdict it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::report) enum VerdictForm {
    /// The design costs less than the reference.
    Saves,
    /// It costs no less, or is one.
    SavesNothing,
    /// A missing price decides.
    Undecided,
    /// There is nothing to hold it against.
    Alone,
}

impl VerdictForm {
    /// Its name in JSON.
    pub(in crate::report) const fn name(self) -> &'static str {
        match self {
            Self::Saves => "saves",
            Self::SavesNothing => "saves-nothing",
            Self::Undecided => "undecided",
            Self::Alone => "alone",
        }
    }
}

/// The verdict.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::report) struct Verdict {
    pub(in crate::report) form: VerdictForm,
    /// All of it.
    pub(in crate::report) text: String,
    /// The first of it in one line, without a full stop.
    pub(in crate::report) brief: String,
}

impl Reference {
    /// The reference of a plan; `None` where none was compared.
    pub(super) fn from_plan(plan: &Plan) -> Option<Self> {
        let clos = family_alternative(plan, FabricKind::Clos)?;
        let network = plan.cost.network_capex + clos.network_capex_change;
        Some(Self {
            name: name_without_plane(&clos.name).to_owned(),
            saving: clos.capex_change,
            network_saving: clos.network_capex_change,
            network_share: (network > Usd::ZERO).then(|| clos.network_capex_change / network),
            token_share: clos.usd_per_token_ratio.map(|ratio| 1.0 - 1.0 / ratio),
            step_change: 1.0 / clos.step_ratio - 1.0,
            breaks: clos.breaks.clone(),
        })
    }

    /// `$501k against a full-bisection Clos at the same speed`.
    fn saving_text(&self) -> String {
        let (name, speed) = (&self.name, self.speed_text());
        format!("{} against a {name} {speed}", short_number::money(self.saving))
    }

    /// How long a step is beside its own.
    fn speed_text(&self) -> String {
        let size = short_number::percent(self.step_change.abs());
        match self.step_change {
            change if change.abs() < AS_LONG => "at the same speed".to_owned(),
            change if change > 0.0 => format!("at a {size} longer step"),
            _ => format!("at a {size} shorter step"),
        }
    }

    /// `55 % of the network, 4.1 % of the cost per token`; nothing where neither is known.
    fn shares_text(&self) -> String {
        let money = (self.saving - self.network_saving).get().abs() < CENT;
        let network = self.network_share.filter(|share| money && *share > 0.0);
        let network =
            network.map(|share| format!("{} of the network", short_number::percent(share)));
        let token = self.token_share.map(|share| match share {
            share if share >= 0.0 => {
                format!("{} of the cost per token", short_number::percent(share))
            }
            share => {
                format!("but {} more per token", short_number::percent(-share / (1.0 - share)))
            }
        });
        network.into_iter().chain(token).collect::<Vec<_>>().join(", ")
    }
}

impl Verdict {
    /// The verdict of a plan beside its reference.
    pub(super) fn from_reference(plan: &Plan, reference: Option<&Reference>) -> Self {
        let (form, first, brief) = match (&plan.growth, reference) {
            (Some(growth), _) => stages_verdict(growth),
            (None, Some(reference)) => money_verdict(plan, reference),
            (None, None) => verdict_without_reference(plan),
        };
        let unpriced = plan.warnings.iter().find_map(|warning| match warning {
            Warning::Unpriced { parts } => Some(parts.join(", ")),
            _ => None,
        });
        match unpriced {
            None => Self { form, text: format!("{first} {}", proof_sentence(plan)), brief },
            Some(parts) => Self {
                form: VerdictForm::Undecided,
                text: format!(
                    "Undecided: the price of {parts} is missing. With the others, {}",
                    lower_first_letter(&first)
                ),
                brief: format!("undecided: the price of {parts} is missing"),
            },
        }
    }
}

/// What a plan saves of a network that it is held against, or costs more, in a sentence.
pub(in crate::report) fn reference_sentence(plan: &Plan, reference: &Reference) -> String {
    money_verdict(plan, reference).1
}

fn money_verdict(plan: &Plan, reference: &Reference) -> (VerdictForm, String, String) {
    if reference.saving.get() > CENT {
        saves_verdict(plan, reference)
    } else {
        costs_verdict(plan, reference)
    }
}

fn saves_verdict(plan: &Plan, reference: &Reference) -> (VerdictForm, String, String) {
    let (saving, shares, lacks) =
        (reference.saving_text(), reference.shares_text(), lacks_text(plan));
    let shares = if shares.is_empty() { shares } else { format!(": {shares}") };
    let network = reference.network_share.filter(|share| *share > 0.0);
    let network = network.map_or_else(String::new, |share| {
        format!(" ({} of the network)", short_number::percent(share))
    });
    let brief = saving.replacen(" against", &format!("{network} against"), 1);
    let apart = if lacks.is_empty() { "" } else { "," };
    let first = format!("{}{lacks} saves {saving}{shares}.", design_name(plan));
    (VerdictForm::Saves, first, format!("saves {brief}{apart}{lacks}"))
}

/// The verdict of a design that costs as much as its reference, or more.
fn costs_verdict(plan: &Plan, reference: &Reference) -> (VerdictForm, String, String) {
    let more = Usd::ZERO - reference.saving;
    let name = &reference.name;
    let costs = if more.get() < CENT {
        format!("costs as much as a {name}, {}", reference.speed_text())
    } else {
        let more = short_number::money(more);
        format!("costs {more} more than a {name}, {}", reference.speed_text())
    };
    let token = reference.token_share.map_or_else(String::new, |share| match share {
        share if share >= 0.0 => format!(": {} less per token", short_number::percent(share)),
        share => format!(": {} more per token", short_number::percent(-share / (1.0 - share))),
    });
    let first = format!("{} {costs}{token}.", design_name(plan));
    (VerdictForm::SavesNothing, first, costs)
}

/// The verdict of a design beside which no full-bisection Clos stands.
fn verdict_without_reference(plan: &Plan) -> (VerdictForm, String, String) {
    let name = design_name(plan);
    let price = short_number::money(plan.cost.capex);
    let (form, first) = if is_full_clos(plan) {
        (VerdictForm::SavesNothing, clos_sentence(plan))
    } else {
        let first =
            format!("{name} costs {price}: `planner compare` has it beside a full-bisection Clos.");
        (VerdictForm::Alone, first)
    };
    let brief = lower_first_letter(first.trim_end_matches('.'));
    (form, first, brief)
}

/// What a design that is a full-bisection Clos has over rail-only.
fn clos_sentence(plan: &Plan) -> String {
    let Some(rail) = family_alternative(plan, FabricKind::RailOnly) else {
        return "A full-bisection Clos: no network with rails of its own was compared.".to_owned();
    };
    let longer = rail.step_ratio - 1.0;
    let step = if longer < AS_LONG {
        String::new()
    } else {
        format!(" and makes the step {} longer", short_number::percent(longer))
    };
    match rail.capex_change.get() {
        _ if rail.standing == AlternativeStanding::KeptOut => {
            format!("A full-bisection Clos: limits keep rail-only out ({}).", rail.reason)
        }
        change if change < -CENT => format!(
            "A full-bisection Clos: rail-only saves {}{step}.",
            short_number::money(Usd::ZERO - rail.capex_change)
        ),
        change if change < CENT => {
            format!("Rail-only saves nothing here{step}: buy the Clos, which joins all GPUs.")
        }
        _ => format!(
            "Rail-only saves nothing here: it costs {} more{step}. Buy the Clos.",
            short_number::money(rail.capex_change)
        ),
    }
}

fn stages_verdict(growth: &Growth) -> (VerdictForm, String, String) {
    let against = |value: Option<Usd>, what: &str| {
        let saved = value? - growth.present_value;
        (saved.get() > CENT).then(|| format!("{} against {what}", short_number::money(saved)))
    };
    let all = [
        against(growth.one_by_one, "stages planned one by one"),
        against(growth.at_once, "buying all at the start"),
    ];
    let all: Vec<String> = all.into_iter().flatten().collect();
    if all.is_empty() {
        let first = "Planning the stages together saves nothing.".to_owned();
        return (VerdictForm::SavesNothing, first, "planning together saves nothing".to_owned());
    }
    let text = format!("{} (today's value)", all.join(" and "));
    let first = format!("Planning the stages together saves {text}.");
    (VerdictForm::Saves, first, format!("saves {text}"))
}

/// What is given up of the quantity that is minimised first.
fn given_up(plan: &Plan) -> f64 {
    plan.priorities.first().map_or(0.0, |priority| priority.given_up)
}

/// True where default rules made the design cost more than the least.
fn pays_for_rules(plan: &Plan) -> bool {
    let oversubscription = plan.oversubscription.as_ref().filter(|rule| rule.chosen);
    let regular = plan.regular.as_ref().and_then(|rule| rule.paid_premium());
    let safe = plan.failures.single_point.as_ref().and_then(|point| point.without.as_ref());
    let safe = safe.filter(|without| without.chosen).map(|without| &without.premium);
    let paid = oversubscription.and_then(|rule| rule.premium.as_ref()).into_iter();
    paid.chain(regular).chain(safe).any(|premium| premium.share >= PROVEN)
}

/// How far it is proven that nothing compared is better.
fn proof_sentence(plan: &Plan) -> String {
    let solver = &plan.solver;
    let gap = solver.layouts.as_ref().map_or(solver.gap, |layouts| solver.gap.max(layouts.gap));
    let better = format!("Up to {} better may exist", short_number::percent(gap));
    match solver.status {
        SolverStatus::Interrupted => {
            let settled = solver.settled.unwrap_or(solver.candidates);
            let all = number::count_with_noun(solver.candidates, "candidate", "candidates");
            let better = if gap < PROVEN { "Better may exist".to_owned() } else { better };
            format!("{better}: stopped after {} of {all}.", number::count(settled))
        }
        SolverStatus::NodeLimit if gap < PROVEN => {
            "Better may exist: the search ended first.".to_owned()
        }
        SolverStatus::NodeLimit => format!("{better}: the search ended first."),
        SolverStatus::GapLimit if gap >= PROVEN => format!("{better}, as was asked."),
        _ if gap >= PROVEN => format!("{better}: bounds leave that open."),
        _ if given_up(plan) >= PROVEN => {
            let share = short_number::percent(given_up(plan));
            format!("It takes {share} more than the least of the first objective, for the next.")
        }
        _ => {
            let layout = match (solver.fixed.is_empty(), solver.chosen_first.is_empty()) {
                (true, true) => "",
                (false, true) if solver.fixed.iter().all(|fixed_key| !fixed_key.default) => {
                    " for the stated layout"
                }
                _ => " for this layout",
            };
            let less = match plan.minimize {
                Minimize::Capex => "costs less",
                Minimize::Tco => "costs less to own",
                Minimize::UsdPerToken => "costs less per token",
                Minimize::Power => "draws less power",
            };
            let rules = if pays_for_rules(plan) { " within the default rules" } else { "" };
            format!("No compared design{layout}{rules} {less}.")
        }
    }
}

/// The name of a network without that of its only plane.
pub(in crate::report) fn name_without_plane(name: &str) -> &str {
    name.strip_suffix(", 1 plane").unwrap_or(name)
}

/// The best design of a family beside a plan.
pub(super) fn family_alternative(plan: &Plan, kind: FabricKind) -> Option<&Alternative> {
    plan.alternatives.iter().find(|other| other.differs == AlternativeKind::Family(kind))
}

/// True where the design itself is what savings are counted against.
pub(super) fn is_full_clos(plan: &Plan) -> bool {
    let fabric = &plan.fabric;
    let full = fabric.within_rail >= 1.0 && fabric.across_rails >= 1.0;
    plan.part_plans().is_empty() && fabric.kind == FabricKind::Clos && full
}

/// What a sentence about the design begins with.
fn design_name(plan: &Plan) -> String {
    match plan.fabric.kind {
        _ if !plan.part_plans().is_empty() => "The design".to_owned(),
        FabricKind::Clos => "The Clos".to_owned(),
        kind => capitalise_first_letter(kind.name()),
    }
}

/// ` at 7:1` where it is oversubscribed, ` with rails apart` where no switch joins its rails: what it
/// saves on beside a full-bisection Clos. Empty where it has all of that.
fn lacks_text(plan: &Plan) -> String {
    let mut all: Vec<String> = Vec::new();
    for plan in plan.cluster_plans() {
        let fabric = &plan.fabric;
        let least = fabric.least_bandwidth_share();
        let text = match fabric.kind.is_tree() && least < 1.0 {
            true => format!(" at {}", number::oversubscription(least)),
            false if fabric.keeps_rails_apart() => " with rails apart".to_owned(),
            false => continue,
        };
        if !all.contains(&text) {
            all.push(text);
        }
    }
    all.join(" and")
}

/// The text with a small letter at its start.
fn lower_first_letter(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}

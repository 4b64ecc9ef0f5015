//! Other designs worth knowing: those that differ from the chosen one in a single choice.

use super::alternative_candidates::{
    best_of_candidates, candidates_kept_out_by_limits, group_by_name, limits_broken_by,
    other_products, unsized_products,
};
use super::alternative_words::{
    NamedChoice, choices_kept_in_words, goodput_note, oversubscription_note, planes_in_words,
    single_difference,
};
use super::baseline::drop_resource_limits;
use crate::cost::Cost;
use crate::design::assemble::hall_cables::bill_of_network;
use crate::design::assemble::routing_check::{RoutingRound, correct_clock_by_routing};
use crate::design::candidate::candidates::Candidate;
use crate::design::candidate::machine_cost::total_cost;
use crate::design::columns::terms::{ObjectiveCaps, Terms};
use crate::design::effort;
use crate::design::job::infeasible_details::LimitMove;
use crate::design::job::job::Job;
use crate::design::network::candidate_sizing::{SizedCandidate, TIE};
use crate::design::network::program::SizingTools;
use crate::design::network::sized_fabric::{SizedFabric, is_preferred};
use crate::design::plan::alternatives::{
    Alternative, AlternativeKind, AlternativeStanding, NotSized,
};
use crate::fabric::FabricKind;
use crate::scenario::{FabricChoice, Limits, Minimize};
use crate::units::Usd;

/// Other designs worth knowing.
pub(crate) struct ListedAlternatives {
    pub(crate) rows: Vec<Alternative>,
    /// Products and interfaces that a bound leaves out.
    pub(crate) not_sized: Vec<NotSized>,
    /// Designs of the same question, by the place of their candidate.
    pub(crate) sized: Vec<(usize, SizedFabric)>,
}

/// The best of the candidates that differ in one choice, for each such difference; then the other
/// objectives and families. Beside them the products and interfaces that [a
/// bound](unsized_products) leaves out, those with their bounds that are not among the candidates
/// too.
pub(crate) fn list_alternatives(
    all: &[Candidate<'_>],
    entries: &[SizedCandidate<'_>],
    best: usize,
    unlisted: &[(f64, &str)],
    terms: &Terms<'_>,
    tools: &mut SizingTools<'_>,
) -> ListedAlternatives {
    let chosen = &entries[best];
    let known = ChosenPlan {
        cost: cluster_cost(&chosen.job, &chosen.sized, tools),
        chosen: &chosen.sized,
        job: chosen.job.id,
    };
    let mut others: Vec<Alternative> = Vec::new();
    let mut same_question: Vec<(usize, SizedFabric)> = Vec::new();
    let products = other_products(all, chosen);
    let differing = candidates_by_difference(all, chosen);
    let nics: Vec<(String, Vec<usize>)> = differing
        .iter()
        .filter(|(choice, _)| choice.differs == AlternativeKind::Nic)
        .map(|(choice, alike)| (choice.name.clone(), alike.clone()))
        .collect();
    let not_sized = unsized_products(all, &products, &nics, unlisted, chosen.sized.value, terms);
    let is_distant = |name: &str| not_sized.iter().any(|this_sized| this_sized.name == name);
    // Another product has the interfaces and planes with which it takes least.
    let product = |(name, alike)| (NamedChoice { differs: AlternativeKind::Node, name }, alike);
    let of_one_product =
        differing.into_iter().filter(|(choice, _)| choice.differs != AlternativeKind::Node);
    for (NamedChoice { differs, name }, alike) in
        products.into_iter().map(product).chain(of_one_product)
    {
        if is_distant(&name) {
            continue;
        }
        if let Some((place, sized)) = best_of_candidates(all, &alike, entries, terms, tools) {
            let job = &all[place].job;
            let nic = |this_job: &Job<'_>| this_job.machine.nic.name.clone();
            let mut name = name;
            if differs == AlternativeKind::Node
                && nic(job) != nic(&chosen.job)
                && alike.iter().any(|index| nic(&all[*index].job) != nic(job))
            {
                name = format!("{name}, NIC {}", nic(job));
            }
            let own_planes = matches!(differs, AlternativeKind::Node | AlternativeKind::Nic);
            if own_planes && sized.planes != chosen.sized.planes {
                name = format!("{name}, {}", planes_in_words(sized.planes));
            }
            let named = NamedChoice { differs, name };
            others.push(known.alternative_row(named, job, &sized, tools));
            same_question.push((place, sized));
        } else if let Some(out) = candidates_kept_out_by_limits(all, &alike, terms, tools) {
            let job = &all[out.place].job;
            let name = NamedChoice { differs, name };
            let row = known.alternative_row(name, job, &out.sized, tools);
            others.push(row_kept_out_by(row, &out.moves));
        }
    }
    let alike = with_any_switches(all, &all[chosen.place]);
    // Machines of which other GPUs are used are other machines in number, and the row says so.
    let chosen_used = chosen.job.lead_run().placement().used_gpus_per_domain();
    let named = |differs: AlternativeKind, name: String, place: usize| {
        let job = &all[place].job;
        let used = job.lead_run().placement().used_gpus_per_domain();
        let name = if used == chosen_used {
            name
        } else {
            format!("{name}, {used} of {} GPUs per domain", job.machine.node.gpus)
        };
        NamedChoice { differs, name }
    };
    for minimize in Minimize::ALL {
        let max_slowdown = allowed_slowdown(&chosen.job, minimize, terms);
        let other = Terms { minimize, max_slowdown, caps: ObjectiveCaps::default(), ..*terms };
        // Of tokens those fabrics are looked at which are no dearer for their pace.
        let other = other.with_value_limit(chosen.sized.pace_value(minimize, &chosen.job));
        if minimize != terms.minimize
            && let Some((place, sized)) = best_of(all, &alike, &other, tools)
            && sized.counts != chosen.sized.counts
        {
            let name = format!("minimize = \"{}\"", minimize.name());
            let name = named(AlternativeKind::Objective, name, place);
            let reason = choices_kept_in_words(all, &all[chosen.place]);
            let other = known.alternative_row(name, &all[place].job, &sized, tools);
            others.push(Alternative { standing: AlternativeStanding::Elsewhere, reason, ..other });
        }
    }
    let tight = Terms { max_slowdown: 1.0, own_slowdowns: false, ..*terms };
    if let Some((place, sized)) = best_of(all, &alike, &tight, tools)
        && sized.counts != chosen.sized.counts
    {
        let name = named(AlternativeKind::Pace, "max_slowdown = 1.0".to_owned(), place);
        let other = known.alternative_row(name, &all[place].job, &sized, tools);
        let reason = if other.reason.is_empty() {
            FASTEST.to_owned()
        } else {
            format!("{FASTEST}; {}", other.reason)
        };
        others.push(Alternative { reason, ..other });
    }
    if terms.fabric == FabricChoice::Auto {
        for (fabric, kind, name) in [
            (FabricChoice::RailOnly, FabricKind::RailOnly, "rail-only"),
            (FabricChoice::RailOptimized, FabricKind::RailOptimized, "rail-optimized"),
            (FabricChoice::Clos, FabricKind::Clos, "full-bisection Clos"),
        ] {
            // The best of the chosen family is the design; but only a full Clos stands for its
            // family.
            let own = chosen.sized.level;
            let full = own.within >= 1.0 && own.across >= 1.0;
            if kind == chosen.sized.counts.kind && (kind != FabricKind::Clos || full) {
                continue;
            }
            let terms = Terms { fabric, ..*terms };
            let named = |place: usize, planes_of: u32| {
                let name = format!("{name}, {}", planes_in_words(planes_of));
                named(AlternativeKind::Family(kind), name, place)
            };
            if kind == FabricKind::Clos {
                others.extend(known.reference_row(all, &alike, &terms, tools, named));
            } else if let Some((place, sized)) = best_of(all, &alike, &terms, tools) {
                if sized.counts.kind == kind && sized.counts != chosen.sized.counts {
                    let name = named(place, sized.planes);
                    others.push(known.alternative_row(name, &all[place].job, &sized, tools));
                }
            } else if let Some(out) = candidates_kept_out_by_limits(all, &alike, &terms, tools)
                && out.sized.counts.kind == kind
            {
                let name = named(out.place, out.sized.planes);
                let job = &all[out.place].job;
                let row = known.alternative_row(name, job, &out.sized, tools);
                others.push(row_kept_out_by(row, &out.moves));
            }
        }
    }
    ListedAlternatives { rows: others, not_sized, sized: same_question }
}

/// The slowdown that another objective allows a job: what is stated, or what it has by default over
/// the chosen layout on a full-bisection Clos.
fn allowed_slowdown(job: &Job<'_>, minimize: Minimize, terms: &Terms<'_>) -> f64 {
    let objective = &job.scenario.objective;
    let own = job.one_run_per_workload().map(|run| run.full / run.reference).fold(1.0, f64::max);
    match objective.max_slowdown {
        Some(_) => terms.max_slowdown,
        None => own * objective.allowed_slowdown(minimize),
    }
}

/// What a slowdown of 1 asks for.
const FASTEST: &str = "as fast as a full-bisection Clos in the fastest layout, rank order and \
                       placement";

/// The best of some candidates by the terms, of equals the first; `None` where none can be built.
fn best_of(
    all: &[Candidate<'_>],
    some: &[usize],
    terms: &Terms<'_>,
    tools: &mut SizingTools<'_>,
) -> Option<(usize, SizedFabric)> {
    let mut best: Option<(usize, SizedFabric)> = None;
    let mut terms = Terms { silent: true, ..*terms };
    for place in some {
        let Ok(sized) = all[*place].size_network(&terms, tools) else { continue };
        terms = terms.with_value_limit(sized.value);
        if best.as_ref().is_none_or(|(_, best)| is_preferred(&sized, best)) {
            best = Some((*place, sized));
        }
    }
    best
}

/// Names of what candidates differ in from the chosen one, where that is one choice, each with the
/// places of all that do; in the order of the candidates.
fn candidates_by_difference(
    all: &[Candidate<'_>],
    chosen: &SizedCandidate<'_>,
) -> Vec<(NamedChoice, Vec<usize>)> {
    let chosen = &all[chosen.place];
    group_by_name(all, |candidate| single_difference(candidate, chosen))
}

/// Places of the candidates that are the chosen one but for what their switches speak, its own
/// among them.
fn with_any_switches(all: &[Candidate<'_>], chosen: &Candidate<'_>) -> Vec<usize> {
    let order = |candidate: &Candidate<'_>| candidate.job.lead_run().layout().order;
    let alike = |candidate: &Candidate<'_>| {
        let [one, other] = [&candidate.job.machine, &chosen.job.machine];
        (&one.node.name, &one.nic.name) == (&other.node.name, &other.nic.name)
            && (candidate.planes, order(candidate)) == (chosen.planes, order(chosen))
    };
    (0..all.len()).filter(|place| alike(&all[*place])).collect()
}

/// The chosen design, to hold others against.
struct ChosenPlan<'a> {
    cost: Cost,
    pub(super) chosen: &'a SizedFabric,
    pub(super) job: usize,
}

impl ChosenPlan<'_> {
    /// The row of the full-bisection Clos that savings are counted against: no limit of the design
    /// is one of it, so that it is the same whatever the design has to keep. Which of them it
    /// breaks, the row says; of losses to survive and of a regular look nothing.
    fn reference_row(
        &self,
        all: &[Candidate<'_>],
        alike: &[usize],
        terms: &Terms<'_>,
        tools: &mut SizingTools<'_>,
        named: impl Fn(usize, u32) -> NamedChoice,
    ) -> Option<Alternative> {
        let limits = drop_resource_limits(terms.limits);
        let free = Terms { limits: &limits, caps: ObjectiveCaps::default(), ..*terms };
        let (place, sized) = best_of(all, alike, &free, tools)?;
        if sized.counts.kind != FabricKind::Clos || sized.counts == self.chosen.counts {
            return None;
        }
        let kept = Limits { survive: None, regular: None, ..terms.limits.clone() };
        let kept = Terms { limits: &kept, ..*terms };
        let moves = limits_broken_by(&all[place], &sized, &free, &kept);
        let name = named(place, sized.planes);
        let row = self.alternative_row(name, &all[place].job, &sized, tools);
        Some(if moves.is_empty() { row } else { row_kept_out_by(row, &moves) })
    }

    /// The row of a design that was sized.
    fn alternative_row(
        &self,
        NamedChoice { differs, name }: NamedChoice,
        job: &Job<'_>,
        sized: &SizedFabric,
        tools: &mut SizingTools<'_>,
    ) -> Alternative {
        let chosen = self.chosen;
        // What is known of the chosen fabric's level is of that fabric.
        let other = sized.level != chosen.level || job.id != self.job;
        let routed = job.endpoints() <= effort::INTERFACES_ROUTED;
        if other && routed {
            correct_clock_by_routing(job, sized.level, &sized.blueprint, RoutingRound::default());
        }
        let time = job.blend_step_times(&job.step_times(sized.level));
        let cost = cluster_cost(job, sized, tools);
        let tokens = cost.usd_per_million_tokens.zip(self.cost.usd_per_million_tokens);
        Alternative {
            name,
            differs,
            network_capex_change: cost.network_capex - self.cost.network_capex,
            capex_change: cost.capex - self.cost.capex,
            step_ratio: if chosen.time.get() > 0.0 { time / chosen.time } else { 1.0 },
            usd_per_token_ratio: tokens
                .filter(|(_, known)| *known > Usd::ZERO)
                .map(|(other, known)| other / known),
            standing: alternative_standing(sized.value, chosen.value),
            reason: {
                let level = oversubscription_note(sized.level);
                let goodput = goodput_note(cost.goodput, self.cost.goodput);
                let unchecked = (other && !routed).then(|| "not routed".to_owned());
                [level, goodput, unchecked].into_iter().flatten().collect::<Vec<_>>().join("; ")
            },
            breaks: Vec::new(),
        }
    }
}

/// The row of a design that limits keep out.
fn row_kept_out_by(row: Alternative, moves: &[LimitMove]) -> Alternative {
    let each: Vec<String> = moves.iter().map(ToString::to_string).collect();
    let breaks = moves.iter().map(|limit_move| limit_move.limit.clone()).collect();
    let standing = AlternativeStanding::KeptOut;
    Alternative { standing, reason: each.join("; "), breaks, ..row }
}

/// How a design that takes so much of what is minimised stands to a plan.
pub(crate) fn alternative_standing(value: f64, chosen: f64) -> AlternativeStanding {
    if value <= chosen * (1.0 + TIE) {
        AlternativeStanding::Tied
    } else {
        AlternativeStanding::Worse
    }
}

/// What the whole cluster costs.
pub(crate) fn cluster_cost(
    job: &Job<'_>,
    sized: &SizedFabric,
    tools: &mut SizingTools<'_>,
) -> Cost {
    let lines = bill_of_network(job, &sized.counts, &sized.blueprint);
    let step = job.blend_step_times(&job.step_times(sized.level));
    total_cost(job, &lines, step, sized.goodput(job, &mut tools.cache))
}

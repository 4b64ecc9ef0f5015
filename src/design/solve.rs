//! From a scenario to a plan: every candidate is sized, the best one is written up.

use crate::design::assemble::assemble::solver_report_with_certificate;
use crate::design::assemble::detect_warnings::no_rail_saving;
use crate::design::assemble::hall_cables::{NotInstalled, installed, reason_not_installed};
use crate::design::assemble::routing_check::route_and_report;
use crate::design::candidate::candidates::Candidate;
use crate::design::candidate::product_listing::ProductListing;
use crate::design::choose::after_choice::{best_family_by_goodput, design_within_racks};
use crate::design::choose::choice_program::choices_left;
use crate::design::choose::objectives_in_turn::{Incumbent, ObjectiveResult, choose_routed};
use crate::design::choose::other_layouts::{choose_among_layouts, choose_layout_and_network};
use crate::design::columns::terms::Terms;
use crate::design::effort;
use crate::design::job::infeasible::Infeasible;
use crate::design::joint::shared_limits::limits_with_use;
use crate::design::joint::{parts, stages};
use crate::design::network::candidate_sizing::{SizedCandidate, TIE, drop_standby_siblings};
use crate::design::network::program::SizingTools;
use crate::design::network::sized_fabric::SizedFabric;
use crate::design::plan::alternatives::{
    Alternative, AlternativeKind, AlternativeStanding, Oversubscription,
};
use crate::design::plan::plan::{Plan, SolverReport};
use crate::design::plan::plan_values::PlanInputs;
use crate::design::plan::proof::{LayoutsProven, Programs};
use crate::design::plan::warning::Warning;
use crate::design::study::alternative_candidates::{NEAR, value_limit_of_told_products};
use crate::design::study::alternatives::{ListedAlternatives, cluster_cost, list_alternatives};
use crate::design::study::default_rules::{
    avoid_single_point, avoid_single_points_of_parts, limit_oversubscription,
    tell_oversubscription, with_robust_price,
};
use crate::design::study::fabric_families::design_best_family;
use crate::design::study::infeasible_limits::explain_no_design;
use crate::design::study::limit_advice::advise_on_limits;
use crate::design::study::regular_networks::{make_regular, question_of_plan, tell_regular};
use crate::design::study::relax_limits::find_binding_limits;
use crate::design::study::volume_prices;
use crate::hardware::LinkPricing;
use crate::scenario::{ClusterShape, Scenario};
use crate::sizing::Options;
use crate::units::Usd;

/// The best design for a scenario.
///
/// Candidates are products × interfaces × planes × protocols × rank orders, each sized by the
/// integer program over every level of oversubscription that its switches can have, unless its
/// machines alone take more than the best design does. The best of them is the best there is, as
/// each program contains every design of its candidate (docs/formulation.md).
///
/// # Errors
/// Why there is none, as far as the furthest candidate came.
pub fn design(scenario: &Scenario) -> Result<Plan, Infeasible> {
    design_with(scenario, &Options::default())
}

/// [`design`] with other options of the solver.
///
/// # Errors
/// As [`design`].
pub fn design_with(scenario: &Scenario, options: &Options) -> Result<Plan, Infeasible> {
    design_best_family(scenario, |scenario| {
        if volume_prices::has_volume_prices(scenario) {
            volume_prices::design_at_volume_prices(scenario, |settled| {
                design_at_fixed_prices(settled, options)
            })
        } else {
            design_at_fixed_prices(scenario, options)
        }
    })
}

/// The best design at prices that no number of pieces changes.
fn design_at_fixed_prices(scenario: &Scenario, options: &Options) -> Result<Plan, Infeasible> {
    design_within_racks(scenario, |scenario| match scenario.cluster_shape() {
        ClusterShape::One => design_in_hall(scenario, options),
        ClusterShape::Parts => parts::design_parts(scenario, options),
        ClusterShape::Stages => stages::design_stages(scenario, options),
    })
}

/// The design that a report shows: where the spec says nothing of bandwidth within rails, one whose
/// leaf switches are not oversubscribed beyond a rule, if the same machines avoid it for little of
/// what is minimised. Where it says nothing of losses and a part of the network stops the whole job
/// alone, the best design without such a part, on the same terms. Of a cluster that grows no more
/// is said than that. [`asked`](super::question_of_plan) is the question that it answers. What
/// scenarios beside the workloads take is found by designing without them, under the same limits.
///
/// # Errors
/// As [`design`], with what the designs are that other limits make possible.
pub fn design_with_default_rules(
    scenario: &Scenario,
    options: &Options,
) -> Result<Plan, Infeasible> {
    let plan = design_best_family(scenario, |scenario| {
        let plan = design_with_defaults(scenario, options).map_err(|reason| {
            let goes_on = || !options.watch.is_stopped();
            let brief = Options { reasons: false, ..options.clone() };
            let again =
                |other: &Scenario| goes_on().then(|| design_with_defaults(other, &brief).ok())?;
            let token = |other: &Scenario| goes_on().then(|| token_cost(other, options))?;
            advise_on_limits(scenario, reason, again, token)
        })?;
        let question = question_of_plan(scenario, &plan).into_owned();
        Ok(with_robust_price(&question, plan, |other| design_with(other, options).ok()))
    })?;
    let limits = limits_with_use(scenario, &plan);
    let inputs = plan.inputs.with_question(scenario);
    Ok(Plan { limits, inputs, ..plan })
}

/// That design without what its scenarios take.
fn design_with_defaults(scenario: &Scenario, options: &Options) -> Result<Plan, Infeasible> {
    let plan = design_with(scenario, options)?;
    if scenario.cluster_shape() == ClusterShape::Stages || options.watch.is_stopped() {
        return Ok(mark_if_interrupted(plan, options));
    }
    // What is found once the best so far is enough is no answer to another question.
    let goes_on = || !options.watch.is_stopped();
    let again = |other: &Scenario| {
        let found = goes_on().then(|| design_with(other, options).ok());
        found.flatten().filter(|_| goes_on())
    };
    let best = apply_default_rules(scenario, plan.clone(), again);
    Ok(if options.watch.is_stopped() { plan.mark_interrupted(None) } else { best })
}

/// The plan, as one that was interrupted where the best so far was enough.
fn mark_if_interrupted(plan: Plan, options: &Options) -> Plan {
    if options.watch.is_stopped() { plan.mark_interrupted(None) } else { plan }
}

/// The plan, or that of what the defaults ask for where it costs little. `again` designs a scenario
/// anew.
fn apply_default_rules(
    scenario: &Scenario,
    plan: Plan,
    again: impl Fn(&Scenario) -> Option<Plan>,
) -> Plan {
    let plan = limit_oversubscription(scenario, plan, &again);
    let oversubscription = plan.oversubscription.clone();
    let ruled = question_of_plan(scenario, &plan).into_owned();
    let plan =
        restate_oversubscription(oversubscription.clone(), make_regular(&ruled, plan, &again));
    let regular = plan.regular.clone();
    let scenario = &*question_of_plan(scenario, &plan);
    let best = match scenario.cluster_shape() {
        _ if scenario.limits.says_what_losses_leave() => return plan,
        ClusterShape::Parts => avoid_single_points_of_parts(scenario, plan, again),
        ClusterShape::One | ClusterShape::Stages => avoid_single_point(scenario, plan, again),
    };
    // A network that survives losses is another one, within the same rules.
    let best = if best.regular == regular { best } else { tell_regular(best, regular) };
    restate_oversubscription(oversubscription, best)
}

/// The plan with what is known of its oversubscription, where it was designed anew.
fn restate_oversubscription(known: Option<Oversubscription>, plan: Plan) -> Plan {
    if plan.oversubscription == known { plan } else { tell_oversubscription(plan, known) }
}

/// The best design of one cluster, on cables of the lengths that they have in its hall: those of
/// the design before it, until they are its own.
fn design_in_hall(scenario: &Scenario, options: &Options) -> Result<Plan, Infeasible> {
    let mut plan = design_single_cluster(scenario, options)?;
    if scenario.hall.stated
        && plan.racks.is_none()
        && let Some(NotInstalled::Hall(problem)) = reason_not_installed(scenario, &plan)
    {
        return Err(Infeasible::Hall(problem));
    }
    if !scenario.hall.stated || scenario.cluster.links == LinkPricing::ByEnd {
        return Ok(plan);
    }
    let mut asked = scenario.clone();
    for _ in 0..effort::HALL_ROUNDS {
        if options.watch.is_stopped() {
            break;
        }
        // What can't be wired one by one has the lengths that the spec states.
        let lengths = match installed(&asked, &plan) {
            Ok(installed_plan) => Some(installed_plan.cabling.lengths),
            Err(NotInstalled::Wiring(_)) => None,
            Err(NotInstalled::Hall(problem)) => return Err(Infeasible::Hall(problem)),
        };
        if lengths == asked.lengths {
            break;
        }
        asked.lengths = lengths;
        let next = design_single_cluster(&asked, options);
        if options.watch.is_stopped() {
            return Ok(plan.mark_interrupted(None));
        }
        plan = next?;
    }
    Ok(plan)
}

/// The candidates that are listed, and what is chosen of them.
struct ChosenCandidates<'a, 't> {
    candidates: Vec<Candidate<'a>>,
    first: ObjectiveResult<'a, 't>,
    /// The products that are not listed, each with what no design with it takes less of.
    unlisted: Vec<(f64, &'a str)>,
}

/// What is chosen of the candidates, which are listed as far as they may be of use.
///
/// # Errors
/// As [`design`].
fn choose_among_listed<'a, 't>(
    scenario: &'a Scenario,
    terms: Terms<'t>,
    tools: &mut SizingTools<'_>,
) -> Result<ChosenCandidates<'a, 't>, Infeasible> {
    let options = tools.options;
    // Of quantities that are minimised one after another, the later ones may be least on dear
    // machines.
    let quantity = scenario.objective.then.is_empty().then_some(terms.minimize);
    let mut listing = ProductListing::new(scenario, quantity, options);
    // Rows tell of those in any case.
    listing.list_nearest_products(1.0 + NEAR);
    let (mut all, mut failed) = listing.candidates_in_order();
    if tools.is_stopped() {
        // What was not listed yet may be the best.
        return Err(Infeasible::Interrupted);
    }
    // The best that was found before more was listed.
    let mut known: Option<ObjectiveResult<'a, 't>> = None;
    let first = loop {
        let found = choose_routed(&all, failed.clone(), terms, tools);
        if tools.is_stopped() {
            break match (found, known) {
                (Ok(found), Some(known)) if known.incumbent_value() < found.incumbent_value() => {
                    Ok(known)
                }
                (Err(_), Some(known)) => Ok(known),
                (found, _) => found,
            };
        }
        let useful = found.as_ref().map_or(f64::INFINITY, ObjectiveResult::useful_value_limit);
        let nearest = listing.nearest_products();
        if !listing.list_products_below(useful) {
            break found;
        }
        // All are weighed again, and as if none was routed: what was proven of some is no proof of
        // all.
        listing.drop_routing_factors();
        tools.cache.clear_step_times();
        let before = all;
        (all, failed) = listing.candidates_in_order();
        known = found.ok().map(|last| last.choose_again_among(&before, &all, nearest));
    };
    let first = match first {
        Ok(first) => first,
        Err(_) if tools.is_stopped() => return Err(Infeasible::Interrupted),
        Err(failed) => {
            let of_limits = failed.as_ref().is_some_and(Infeasible::is_of_limits);
            let other = of_limits.then(|| choose_among_layouts(scenario, &all, terms, tools));
            let Some((all, first)) = other.flatten() else {
                return Err(explain_no_design(&all, failed, &terms, tools));
            };
            return Ok(ChosenCandidates { candidates: all, first, unlisted: Vec::new() });
        }
    };
    let chosen = first.incumbent.best_entry();
    let mut told = listing.candidates_in_order().0;
    while !tools.is_stopped()
        && listing.list_next_product(value_limit_of_told_products(&told, chosen, &terms))
    {
        told = listing.candidates_in_order().0;
    }
    let unlisted = listing.unlisted_bounds().collect();
    let first = first.choose_again_among(&all, &told, listing.nearest_products());
    Ok(ChosenCandidates { candidates: told, first, unlisted })
}

/// The best design of one cluster, before it is written up.
struct Choice<'a, 't> {
    candidates: Vec<Candidate<'a>>,
    last: ObjectiveResult<'a, 't>,
    layouts: Option<LayoutsProven>,
    unlisted: Vec<(f64, &'a str)>,
}

/// What is chosen for one cluster.
///
/// # Errors
/// As [`design`].
fn choose_cluster_design<'a, 't>(
    scenario: &'a Scenario,
    terms: Terms<'t>,
    tools: &mut SizingTools<'_>,
) -> Result<Choice<'a, 't>, Infeasible> {
    let ChosenCandidates { candidates: all, first, unlisted } =
        choose_among_listed(scenario, terms, tools)?;
    let (all, mut last, layouts) = choose_layout_and_network(scenario, all, first, terms, tools);
    if last.priorities.is_empty() {
        last.incumbent = best_family_by_goodput(&all, last.incumbent, tools);
    }
    Ok(Choice { candidates: all, last, layouts, unlisted })
}

/// What a million tokens cost on the best design of one cluster, at prices that no number of pieces
/// changes and before it stands in a hall; nothing where that has no price, and `None` where there
/// is no design.
fn token_cost(scenario: &Scenario, options: &Options) -> Option<Usd> {
    let mut tools = SizingTools::with_watch(options);
    let choice =
        choose_cluster_design(scenario, Terms::from_scenario(scenario), &mut tools).ok()?;
    let SizedCandidate { job, sized, .. } = choice.last.incumbent.best_entry();
    Some(cluster_cost(job, sized, &mut tools).usd_per_million_tokens.unwrap_or(Usd::ZERO))
}

/// The best design of one cluster.
fn design_single_cluster(scenario: &Scenario, options: &Options) -> Result<Plan, Infeasible> {
    let terms = Terms::from_scenario(scenario);
    let mut tools = SizingTools::with_watch(options);
    let Choice { candidates: all, last, layouts, unlisted } =
        choose_cluster_design(scenario, terms, &mut tools)?;
    let ObjectiveResult { incumbent, least_values: least, priorities } = last;
    let Incumbent { entries, best, terms, certificate, settled } = incumbent;
    let chosen = &entries[best];
    let terms = Terms { protocol: chosen.sized.protocol, ..terms };
    let work = tools.work;
    let value = chosen.sized.value;
    let least = if priorities.is_empty() { vec![(terms.minimize, value)] } else { least };
    let tied = |entry: &SizedCandidate<'_>| entry.sized.value <= value * (1.0 + TIE);
    // One with other machines on standby alone is no other design.
    let (distinct, distinct_entries, distinct_best) =
        drop_standby_siblings(&all, &entries, best, &terms);
    let ties = distinct_entries.iter().filter(|entry| tied(entry)).count() - 1;
    // What follows is about other designs.
    tools.for_study();
    let mut warnings = Vec::new();
    warnings.extend(no_rail_saving(&chosen.job, &chosen.sized, &terms, &mut tools));
    let bounds = find_binding_limits(&all, chosen, &least, &mut tools);
    let ListedAlternatives { rows: alternatives, not_sized, sized: studied } = list_alternatives(
        &distinct,
        &distinct_entries,
        distinct_best,
        &unlisted,
        &terms,
        &mut tools,
    );
    // Other families are of the chosen candidate: none of them is among the entries.
    let near = || {
        alternatives.iter().filter(|alternative| alternative.standing == AlternativeStanding::Tied)
    };
    let family =
        |alternative: &&Alternative| matches!(alternative.differs, AlternativeKind::Family(_));
    let count = ties + near().filter(family).count();
    if count > 0 {
        let names = |network: bool| {
            let alike =
                near().filter(move |alternative| alternative.differs.is_network() == network);
            alike.map(|alternative| alternative.name.clone()).collect()
        };
        warnings.insert(0, Warning::Ties { count, networks: names(true), others: names(false) });
    }
    // A study that was ended says nothing.
    let stopped = tools.is_stopped();
    if stopped {
        warnings.clear();
    }
    let programs = if stopped {
        Programs::from_answer(chosen.sized.posed_program(), work, options)
    } else {
        let problem = choices_left(
            &distinct,
            &distinct_entries,
            distinct_best,
            &studied,
            &not_sized,
            terms.minimize,
        );
        Programs::from_choices(problem, chosen.sized.solution.proof_status(), work, options)
    };
    let finding = PlanInputs {
        solver: SolverReport {
            layouts,
            products_excluded: unlisted.len() as u64,
            ..solver_report_with_certificate(
                &certificate,
                all.len() as u64,
                bounds,
                programs,
                options,
            )
        },
        alternatives,
        not_sized,
        warnings,
    };
    let (job, SizedFabric { level, counts, blueprint, .. }) = (&chosen.job, &chosen.sized);
    let plan = Plan { priorities, ..route_and_report(job, counts, *level, blueprint, finding) };
    Ok(if stopped { plan.mark_interrupted(Some(settled as u64)) } else { plan })
}

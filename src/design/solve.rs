//! From a scenario to a plan: every candidate is sized, the best one is written up.

use crate::design::answer::alternative::{Alternative, Differs, Standing};
use crate::design::answer::assemble::certified;
use crate::design::answer::families::among_families;
use crate::design::answer::finding::Finding;
use crate::design::answer::in_racks::in_racks;
use crate::design::answer::installed::{NotInstalled, installed, kept_out};
use crate::design::answer::joint::{jointly, of_other_layouts};
use crate::design::answer::layouts_proven::LayoutsProven;
use crate::design::answer::lexicographic::{Incumbent, Last, chosen};
use crate::design::answer::oversubscription::Oversubscription;
use crate::design::answer::plan::{Plan, SolverReport};
use crate::design::answer::programs::Programs;
use crate::design::answer::verify::verified;
use crate::design::answer::warning::Warning;
use crate::design::answer::warnings::no_rail_saving;
use crate::design::candidate::infeasible::Infeasible;
use crate::design::candidate::list::Candidate;
use crate::design::candidate::listing::Listing;
use crate::design::fabric::entries::{Entry, TIE, without_siblings};
use crate::design::fabric::instance::Tools;
use crate::design::fabric::sized::Sized;
use crate::design::fabric::terms::Terms;
use crate::design::several::{growth, split};
use crate::design::study::advice::advise;
use crate::design::study::alternatives::{alternatives, cost};
use crate::design::study::any_family::of_any_family;
use crate::design::study::avoided::{avoid_single_point, avoid_single_points_of_parts};
use crate::design::study::distant::{NEAR, told_below};
use crate::design::study::house_rule::{limit_oversubscription, tell_oversubscription};
use crate::design::study::quantities;
use crate::design::study::regular::{asked, make_regular, tell_regular};
use crate::design::study::relaxing::binding;
use crate::design::study::robust::priced;
use crate::design::study::unmet::unmet;
use crate::hardware::LinkPricing;
use crate::scenario::{Scenario, Shape};
use crate::sizing::Options;
use crate::units::Usd;

/// The best design for a scenario.
///
/// Candidates are products × interfaces × planes × protocols × rank orders, each sized by the integer
/// program over every level of oversubscription that its switches can have, unless its machines alone
/// take more than the best design does. The best of them is the best there is, as each program
/// contains every design of its candidate (docs/formulation.md).
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
    of_any_family(scenario, |scenario| match quantities::any(scenario) {
        true => quantities::by_quantity(scenario, |settled| solved(settled, options)),
        false => solved(scenario, options),
    })
}

/// The best design at prices that no number of pieces changes.
fn solved(scenario: &Scenario, options: &Options) -> Result<Plan, Infeasible> {
    in_racks(scenario, |scenario| match scenario.shape() {
        Shape::One => in_hall(scenario, options),
        Shape::Parts => split::design(scenario, options),
        Shape::Stages => growth::design(scenario, options),
    })
}

/// The design that a report shows: where the spec says nothing of bandwidth within rails, one whose leaf
/// switches are not oversubscribed beyond a rule, if the same machines avoid it for little of what is minimised.
/// Where it says nothing of losses and a part of the network stops the whole job alone, the best design without such
/// a part, on the same terms. Of a cluster that grows
/// no more is said than that. [`asked`](super::asked) is the question that it answers. What scenarios beside
/// the workloads take is found by designing without them, under the same limits.
///
/// # Errors
/// As [`design`], with what the designs are that other limits make possible.
pub fn decided(scenario: &Scenario, options: &Options) -> Result<Plan, Infeasible> {
    of_any_family(scenario, |scenario| {
        let plan = by_defaults(scenario, options).map_err(|reason| {
            let goes_on = || !options.watch.is_stopped();
            let again = |other: &Scenario| goes_on().then(|| by_defaults(other, options).ok())?;
            let token = |other: &Scenario| goes_on().then(|| token_cost(other, options))?;
            advise(scenario, reason, again, token)
        })?;
        let question = asked(scenario, &plan).into_owned();
        Ok(priced(&question, plan, |other| design_with(other, options).ok()))
    })
}

/// That design without what its scenarios take.
fn by_defaults(scenario: &Scenario, options: &Options) -> Result<Plan, Infeasible> {
    let plan = design_with(scenario, options)?;
    if scenario.shape() == Shape::Stages || options.watch.is_stopped() {
        return Ok(unless_stopped(plan, options));
    }
    // What is found once the best so far is enough is no answer to another question.
    let goes_on = || !options.watch.is_stopped();
    let again = |other: &Scenario| {
        let found = goes_on().then(|| design_with(other, options).ok());
        found.flatten().filter(|_| goes_on())
    };
    let best = by_default(scenario, plan.clone(), again);
    Ok(if options.watch.is_stopped() { plan.interrupted(None) } else { best })
}

/// The plan, as one that was interrupted where the best so far was enough.
fn unless_stopped(plan: Plan, options: &Options) -> Plan {
    if options.watch.is_stopped() { plan.interrupted(None) } else { plan }
}

/// The plan, or that of what the defaults ask for where it costs little. `again` designs a scenario anew.
fn by_default(scenario: &Scenario, plan: Plan, again: impl Fn(&Scenario) -> Option<Plan>) -> Plan {
    let plan = limit_oversubscription(scenario, plan, &again);
    let oversubscription = plan.oversubscription.clone();
    let ruled = asked(scenario, &plan).into_owned();
    let plan = keeping(oversubscription.clone(), make_regular(&ruled, plan, &again));
    let regular = plan.regular.clone();
    let scenario = &*asked(scenario, &plan);
    let best = match scenario.shape() {
        _ if scenario.limits.says_what_losses_leave() => return plan,
        Shape::Parts => avoid_single_points_of_parts(scenario, plan, again),
        Shape::One | Shape::Stages => avoid_single_point(scenario, plan, again),
    };
    // A network that survives losses is another one, within the same rules.
    let best = if best.regular == regular { best } else { tell_regular(best, regular) };
    keeping(oversubscription, best)
}

/// The plan with what is known of its oversubscription, where it was designed anew.
fn keeping(known: Option<Oversubscription>, plan: Plan) -> Plan {
    if plan.oversubscription == known { plan } else { tell_oversubscription(plan, known) }
}

/// The best design of one cluster, on cables of the lengths that they have in its hall: those of the
/// design before it, until they are its own.
fn in_hall(scenario: &Scenario, options: &Options) -> Result<Plan, Infeasible> {
    let mut plan = of_one(scenario, options)?;
    if scenario.hall.stated
        && plan.racks.is_none()
        && let Some(NotInstalled::Hall(problem)) = kept_out(scenario, &plan)
    {
        return Err(Infeasible::Hall(problem));
    }
    if !scenario.hall.stated || scenario.cluster.links == LinkPricing::ByEnd {
        return Ok(plan);
    }
    let mut asked = scenario.clone();
    for _ in 0..ROUNDS {
        if options.watch.is_stopped() {
            break;
        }
        // What can't be wired one by one has the lengths that the spec states.
        let lengths = match installed(&asked, &plan) {
            Ok(of) => Some(of.cabling.lengths),
            Err(NotInstalled::Wiring(_)) => None,
            Err(NotInstalled::Hall(problem)) => return Err(Infeasible::Hall(problem)),
        };
        if lengths == asked.lengths {
            break;
        }
        asked.lengths = lengths;
        let next = of_one(&asked, options);
        if options.watch.is_stopped() {
            return Ok(plan.interrupted(None));
        }
        plan = next?;
    }
    Ok(plan)
}

/// The candidates that are listed, and what is chosen of them.
struct Weighed<'a, 't> {
    all: Vec<Candidate<'a>>,
    first: Last<'a, 't>,
    /// The products that are not listed, each with what no design with it takes less of.
    unlisted: Vec<(f64, &'a str)>,
}

/// What is chosen of the candidates, which are listed as far as they may be of use.
///
/// # Errors
/// As [`design`].
fn of_listed<'a, 't>(
    scenario: &'a Scenario,
    (terms, tools): (Terms<'t>, &mut Tools<'_>),
) -> Result<Weighed<'a, 't>, Infeasible> {
    let options = tools.options;
    // Of quantities that are minimised one after another, the later ones may be least on dear machines.
    let quantity = scenario.objective.then.is_empty().then_some(terms.minimize);
    let mut listing = Listing::new(scenario, quantity, options);
    // Rows tell of those in any case.
    listing.list_nearest(1.0 + NEAR);
    let (mut all, mut failed) = listing.candidates();
    if tools.is_stopped() {
        // What was not listed yet may be the best.
        return Err(Infeasible::Interrupted);
    }
    // The best that was found before more was listed.
    let mut known: Option<Last<'a, 't>> = None;
    let first = loop {
        let found = chosen(&all, failed.clone(), terms, tools);
        if tools.is_stopped() {
            break match (found, known) {
                (Ok(found), Some(known)) if known.value() < found.value() => Ok(known),
                (Err(_), Some(known)) => Ok(known),
                (found, _) => found,
            };
        }
        let useful = found.as_ref().map_or(f64::INFINITY, Last::useful);
        let nearest = listing.nearest();
        if !listing.list_below(useful) {
            break found;
        }
        // All are weighed again, and as if none was routed: what was proven of some is no proof of all.
        listing.forget_routes();
        tools.cache.forget_paces();
        let before = all;
        (all, failed) = listing.candidates();
        known = found.ok().map(|last| last.among(&before, &all, nearest));
    };
    let first = match first {
        Ok(first) => first,
        Err(_) if tools.is_stopped() => return Err(Infeasible::Interrupted),
        Err(failed) => {
            let of_limits = failed.as_ref().is_some_and(Infeasible::is_of_limits);
            let other = of_limits.then(|| of_other_layouts(scenario, &all, (terms, tools)));
            let Some((all, first)) = other.flatten() else {
                return Err(unmet(&all, failed, &terms, tools));
            };
            return Ok(Weighed { all, first, unlisted: Vec::new() });
        }
    };
    let chosen = first.incumbent.best_entry();
    let mut told = listing.candidates().0;
    while !tools.is_stopped() && listing.list_next(told_below(&told, chosen, &terms)) {
        told = listing.candidates().0;
    }
    let unlisted = listing.unlisted().collect();
    let first = first.among(&all, &told, listing.nearest());
    Ok(Weighed { all: told, first, unlisted })
}

/// Designs after which lengths that still change are taken as they are.
const ROUNDS: usize = 4;

/// The best design of one cluster, before it is written up.
struct Choice<'a, 't> {
    all: Vec<Candidate<'a>>,
    last: Last<'a, 't>,
    layouts: Option<LayoutsProven>,
    unlisted: Vec<(f64, &'a str)>,
}

/// What is chosen for one cluster.
///
/// # Errors
/// As [`design`].
fn choose<'a, 't>(
    scenario: &'a Scenario,
    terms: Terms<'t>,
    tools: &mut Tools<'_>,
) -> Result<Choice<'a, 't>, Infeasible> {
    let Weighed { all, first, unlisted } = of_listed(scenario, (terms, tools))?;
    let (all, mut last, layouts) = jointly(scenario, all, first, (terms, tools));
    if last.priorities.is_empty() {
        last.incumbent = among_families(&all, last.incumbent, tools);
    }
    Ok(Choice { all, last, layouts, unlisted })
}

/// What a million tokens cost on the best design of one cluster, at prices that no number of pieces changes and
/// before it stands in a hall; nothing where that has no price, and `None` where there is no design.
fn token_cost(scenario: &Scenario, options: &Options) -> Option<Usd> {
    let mut tools = Tools::watched(options);
    let choice = choose(scenario, Terms::of(scenario), &mut tools).ok()?;
    let Entry { job, sized, .. } = choice.last.incumbent.best_entry();
    Some(cost(job, sized, &mut tools).usd_per_million_tokens.unwrap_or(Usd::ZERO))
}

/// The best design of one cluster.
fn of_one(scenario: &Scenario, options: &Options) -> Result<Plan, Infeasible> {
    let terms = Terms::of(scenario);
    let mut tools = Tools::watched(options);
    let Choice { all, last, layouts, unlisted } = choose(scenario, terms, &mut tools)?;
    let Last { incumbent, least, priorities } = last;
    let Incumbent { entries, best, terms, certificate, settled } = incumbent;
    let chosen = &entries[best];
    let terms = Terms { protocol: chosen.sized.protocol, ..terms };
    let programs = Programs::of(chosen.sized.posed(), tools.work, options);
    let value = chosen.sized.value;
    let least = if priorities.is_empty() { vec![(terms.minimize, value)] } else { least };
    let tied = |entry: &Entry<'_>| entry.sized.value <= value * (1.0 + TIE);
    // One with other machines on standby alone is no other design.
    let (distinct, distinct_entries, distinct_best) =
        without_siblings(&all, &entries, best, &terms);
    let ties = distinct_entries.iter().filter(|entry| tied(entry)).count() - 1;
    // What follows is about other designs.
    tools.study();
    let mut warnings = Vec::new();
    warnings.extend(no_rail_saving(&chosen.job, &chosen.sized, &terms, &mut tools));
    let bounds = binding(&all, chosen, &least, &mut tools);
    let (alternatives, not_sized) =
        alternatives(&distinct, &distinct_entries, distinct_best, (&unlisted, &terms), &mut tools);
    // Other families are of the chosen candidate: none of them is among the entries.
    let near = || alternatives.iter().filter(|of| of.standing == Standing::Tied);
    let family = |of: &&Alternative| matches!(of.differs, Differs::Family(_));
    let count = ties + near().filter(family).count();
    if count > 0 {
        let names = |network: bool| {
            let alike = near().filter(move |of| of.differs.is_network() == network);
            alike.map(|of| of.name.clone()).collect()
        };
        warnings.insert(0, Warning::Ties { count, networks: names(true), others: names(false) });
    }
    // A study that was ended says nothing.
    let stopped = tools.is_stopped();
    if stopped {
        warnings.clear();
    }
    let finding = Finding {
        solver: SolverReport {
            layouts,
            products_excluded: unlisted.len() as u64,
            ..certified(&certificate, all.len() as u64, bounds, programs, options)
        },
        alternatives,
        not_sized,
        warnings,
    };
    let (job, Sized { level, counts, blueprint, .. }) = (&chosen.job, &chosen.sized);
    let plan = Plan { priorities, ..verified(job, counts, *level, blueprint, finding) };
    Ok(if stopped { plan.interrupted(Some(settled as u64)) } else { plan })
}

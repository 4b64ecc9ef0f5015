//! Other designs worth knowing: those that differ from the chosen one in a single choice.

use super::distant::{group_by_name, other_products, unsized_products};
use super::kept_out::{KeptOutDesign, candidates_kept_out_by_limits};
use super::least::best_of_candidates;
use crate::cost::Cost;
use crate::design::answer::alternative::{
    Alternative, AlternativeKind, AlternativeStanding, NotSized,
};
use crate::design::answer::links::bill_of_network;
use crate::design::answer::oversubscription::MOST;
use crate::design::answer::rounds::RoutingRound;
use crate::design::answer::verify::correct_clock_by_routing;
use crate::design::candidate::job::Job;
use crate::design::candidate::layouts::has_open_layouts;
use crate::design::candidate::list::Candidate;
use crate::design::candidate::machine::Level;
use crate::design::candidate::money::total_cost;
use crate::design::fabric::caps::ObjectiveCaps;
use crate::design::fabric::entries::{SizedCandidate, TIE};
use crate::design::fabric::faults::MOST_ROUTED;
use crate::design::fabric::instance::SizingTools;
use crate::design::fabric::sized::{SizedFabric, is_preferred};
use crate::design::fabric::terms::Terms;
use crate::fabric::FabricKind;
use crate::scenario::{FabricChoice, Limits, Minimize};
use crate::units::Usd;

/// The best of the candidates that differ in one choice, for each such difference; then the other
/// objectives and families. Beside them the products and interfaces that [a bound](unsized_products) leaves out, those with their bounds
/// that are not among the candidates too.
pub(crate) fn list_alternatives(
    all: &[Candidate<'_>],
    entries: &[SizedCandidate<'_>],
    best: usize,
    (unlisted, terms): (&[(f64, &str)], &Terms<'_>),
    tools: &mut SizingTools<'_>,
) -> (Vec<Alternative>, Vec<NotSized>) {
    let chosen = &entries[best];
    let known = ChosenPlan {
        cost: cluster_cost(&chosen.job, &chosen.sized, tools),
        chosen: &chosen.sized,
        job: chosen.job.id,
    };
    let mut others: Vec<Alternative> = Vec::new();
    let products = other_products(all, chosen);
    let differing = candidates_by_difference(all, chosen);
    let nics: Vec<(String, Vec<usize>)> = differing
        .iter()
        .filter(|(choice, _)| choice.differs == AlternativeKind::Nic)
        .map(|(choice, alike)| (choice.name.clone(), alike.clone()))
        .collect();
    let not_sized =
        unsized_products(all, (&products, &nics), unlisted, (chosen.sized.value, terms));
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
            others.push(known.alternative_row(named, job, &sized, terms.minimize, tools));
        } else if let Some(out) = candidates_kept_out_by_limits(all, &alike, terms, tools) {
            let job = &all[out.place].job;
            others.push(known.kept_out(NamedChoice { differs, name }, job, &out, tools));
        }
    }
    let alike = with_any_switches(all, &all[chosen.place]);
    // Machines of which other GPUs are used are other machines in number, and the row says so.
    let chosen_used = chosen.job.lead.placement().used_gpus_per_domain();
    let named = |differs: AlternativeKind, name: String, place: usize| {
        let job = &all[place].job;
        let used = job.lead.placement().used_gpus_per_domain();
        let name = match used == chosen_used {
            true => name,
            false => format!("{name}, {used} of {} GPUs a domain", job.machine.node.gpus),
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
            let reason =
                format!("another objective{}", choices_kept_in_words(all, &all[chosen.place]));
            let other = known.alternative_row(name, &all[place].job, &sized, minimize, tools);
            others.push(Alternative { standing: AlternativeStanding::Elsewhere, reason, ..other });
        }
    }
    let tight = Terms { max_slowdown: 1.0, own_slowdowns: false, ..*terms };
    if let Some((place, sized)) = best_of(all, &alike, &tight, tools)
        && sized.counts != chosen.sized.counts
    {
        let name = named(AlternativeKind::Pace, "max_slowdown = 1.0".to_owned(), place);
        let other = known.alternative_row(name, &all[place].job, &sized, terms.minimize, tools);
        let reason = format!("{}; no step is longer than {FASTEST}", other.reason);
        others.push(Alternative { reason, ..other });
    }
    if terms.fabric == FabricChoice::Auto {
        for (fabric, kind, name) in [
            (FabricChoice::RailOnly, FabricKind::RailOnly, "rail-only"),
            (FabricChoice::RailOptimized, FabricKind::RailOptimized, "rail-optimized"),
            (FabricChoice::Clos, FabricKind::Clos, "full-bisection Clos"),
        ] {
            // The best of the chosen family is the design; but only a full Clos stands for its family.
            let own = chosen.sized.level;
            let full = own.within >= 1.0 && own.across >= 1.0;
            if kind == chosen.sized.counts.kind && (kind != FabricKind::Clos || full) {
                continue;
            }
            // What savings are measured against need not survive what the answer does, nor look as regular.
            let reference = Limits { survive: None, regular: None, ..terms.limits.clone() };
            let limits = if kind == FabricKind::Clos { &reference } else { terms.limits };
            let terms = Terms { fabric, limits, ..*terms };
            let named = |place: usize, planes_of: u32| {
                let name = format!("{name}, {}", planes_in_words(planes_of));
                named(AlternativeKind::Family(kind), name, place)
            };
            if let Some((place, sized)) = best_of(all, &alike, &terms, tools) {
                if sized.counts.kind == kind && sized.counts != chosen.sized.counts {
                    let name = named(place, sized.planes);
                    others.push(known.alternative_row(
                        name,
                        &all[place].job,
                        &sized,
                        terms.minimize,
                        tools,
                    ));
                }
            } else if let Some(out) = candidates_kept_out_by_limits(all, &alike, &terms, tools)
                && out.sized.counts.kind == kind
            {
                let name = named(out.place, out.sized.planes);
                others.push(known.kept_out(name, &all[out.place].job, &out, tools));
            }
        }
    }
    (others, not_sized)
}

/// The slowdown that another objective allows a job: what is stated, or what it has by default over the chosen layout
/// on a full-bisection Clos.
fn allowed_slowdown(job: &Job<'_>, minimize: Minimize, terms: &Terms<'_>) -> f64 {
    let objective = &job.scenario.objective;
    let own = job.one_run_per_workload().map(|run| run.full / run.reference).fold(1.0, f64::max);
    match objective.max_slowdown {
        Some(_) => terms.max_slowdown,
        None => own * objective.allowed_slowdown(minimize),
    }
}

/// What slowdown is measured against.
const FASTEST: &str = "on a full-bisection Clos in the fastest layout, rank order and placement";

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

/// What a row is called, and the choice in which it differs.
#[derive(Clone, Debug, PartialEq, Eq)]
struct NamedChoice {
    differs: AlternativeKind,
    name: String,
}

/// Choices that are those of the chosen design in rows which weigh no other candidate, where there are
/// others: `; node, planes kept`.
fn choices_kept_in_words(all: &[Candidate<'_>], chosen: &Candidate<'_>) -> String {
    let order = |candidate: &Candidate<'_>| candidate.job.lead.layout().order;
    let any = |differs: &dyn Fn(&Candidate<'_>) -> bool| all.iter().any(differs);
    let [node, nic] =
        [&chosen.job.machine.node.name, &chosen.job.machine.nic.name].map(String::as_str);
    let kept: Vec<&str> = [
        ("node", any(&|candidate| candidate.job.machine.node.name != node)),
        (
            "NIC",
            any(&|candidate| {
                candidate.job.machine.node.name == node && candidate.job.machine.nic.name != nic
            }),
        ),
        ("planes", any(&|candidate| candidate.planes != chosen.planes)),
        ("order", any(&|candidate| order(candidate) != order(chosen))),
        ("layout", has_open_layouts(chosen.job.scenario)),
    ]
    .into_iter()
    .filter_map(|(name, open)| open.then_some(name))
    .collect();
    if kept.is_empty() { String::new() } else { format!("; {} kept", kept.join(", ")) }
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

/// Places of the candidates that are the chosen one but for what their switches speak, its own among
/// them.
fn with_any_switches(all: &[Candidate<'_>], chosen: &Candidate<'_>) -> Vec<usize> {
    let order = |candidate: &Candidate<'_>| candidate.job.lead.layout().order;
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
    chosen: &'a SizedFabric,
    /// Its job's id.
    job: usize,
}

impl ChosenPlan<'_> {
    /// The row of a design that limits keep out.
    fn kept_out(
        &self,
        name: NamedChoice,
        job: &Job<'_>,
        out: &KeptOutDesign,
        tools: &mut SizingTools<'_>,
    ) -> Alternative {
        let standing = AlternativeStanding::KeptOut;
        let other = self.alternative_row(name, job, &out.sized, Minimize::Capex, tools);
        Alternative { standing, reason: out.reason.clone(), ..other }
    }

    /// The row of a design that is sized for the plan's objective.
    fn alternative_row(
        &self,
        NamedChoice { differs, name }: NamedChoice,
        job: &Job<'_>,
        sized: &SizedFabric,
        minimize: Minimize,
        tools: &mut SizingTools<'_>,
    ) -> Alternative {
        let chosen = self.chosen;
        // What is known of the chosen fabric's level is of that fabric.
        let other = sized.level != chosen.level || job.id != self.job;
        let routed = job.endpoints() <= MOST_ROUTED;
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
                let of_level = add_oversubscription(reason_not_chosen(minimize), sized.level);
                let reason = add_goodput(of_level, cost.goodput, self.cost.goodput);
                if other && !routed { format!("{reason}; not routed") } else { reason }
            },
        }
    }
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

/// A reason, and how far the fabric is oversubscribed where that is beyond what the default allows an answer.
fn add_oversubscription(reason: String, level: Level) -> String {
    let narrow = level.member.is_none() && level.within > 0.0 && level.within * MOST < 1.0;
    match narrow {
        true => format!("{reason}; {:.0}:1 within a rail", 1.0 / level.within),
        false => reason,
    }
}

/// A reason, and how much of the time trains where that is another share than of the chosen design by more than a
/// hundredth.
fn add_goodput(reason: String, trains: f64, chosen: f64) -> String {
    /// Goodputs that differ by no more are as good as equal.
    const ALIKE: f64 = 0.01;
    match (trains - chosen).abs() > ALIKE {
        true => format!("{reason}; goodput {:.1} %", trains * 100.0),
        false => reason,
    }
}

/// Why another design was not chosen.
pub(crate) fn reason_not_chosen(minimize: Minimize) -> String {
    match minimize {
        Minimize::Capex => "no cheaper as a whole",
        Minimize::Tco => "no cheaper over the years",
        Minimize::UsdPerToken => "no cheaper per token",
        Minimize::Power => "draws no less",
    }
    .to_owned()
}

/// The one choice in which two candidates differ; `None` where they differ in several.
fn single_difference(candidate: &Candidate<'_>, chosen: &Candidate<'_>) -> Option<NamedChoice> {
    let (one, other) = (&candidate.job, &chosen.job);
    let mut all = Vec::new();
    let mut differ =
        |differs: AlternativeKind, name: String| all.push(NamedChoice { differs, name });
    if one.machine.node.name != other.machine.node.name {
        differ(AlternativeKind::Node, format!("node {}", one.machine.node.name));
    } else {
        // Another product comes with its own interface and layout.
        if one.machine.nic.name != other.machine.nic.name {
            differ(AlternativeKind::Nic, format!("NIC {}", one.machine.nic.name));
        }
        if one.lead.layout().order != other.lead.layout().order {
            differ(AlternativeKind::Order, format!("order {}", one.lead.layout().order));
        }
        let used = one.lead.placement().used_gpus_per_domain();
        if used != other.lead.placement().used_gpus_per_domain() {
            let name = format!("{used} of {} GPUs a domain", one.machine.node.gpus);
            differ(AlternativeKind::Placement, name);
        }
    }
    // Another interface comes with its own planes.
    let same = one.machine.nic.name == other.machine.nic.name
        || one.machine.node.name != other.machine.node.name;
    if candidate.planes != chosen.planes && same {
        differ(AlternativeKind::Planes, planes_in_words(candidate.planes));
    }
    // Every other choice may have switches of either protocol.
    if all.is_empty() && candidate.protocol != chosen.protocol {
        let name = format!("{} switches", candidate.protocol.title());
        all.push(NamedChoice { differs: AlternativeKind::Protocol, name });
    }
    if all.len() == 1 { all.pop() } else { None }
}

pub(super) fn planes_in_words(count: u32) -> String {
    if count == 1 { "one plane".to_owned() } else { format!("{count} planes") }
}

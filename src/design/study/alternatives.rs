//! Other designs worth knowing: those that differ from the chosen one in a single choice.

use super::distant::{distant, grouped, other_products};
use super::kept_out::{KeptOut, kept_out};
use super::least::least;
use crate::cost::Cost;
use crate::design::answer::alternative::{Alternative, Differs, NotSized, Standing};
use crate::design::answer::links::bill_built;
use crate::design::answer::oversubscription::MOST;
use crate::design::answer::rounds::Round;
use crate::design::answer::verify::corrected;
use crate::design::candidate::job::Job;
use crate::design::candidate::layouts::are_open_beside_network;
use crate::design::candidate::list::Candidate;
use crate::design::candidate::machine::Level;
use crate::design::candidate::money::cost_of;
use crate::design::fabric::caps::Caps;
use crate::design::fabric::entries::{Entry, TIE};
use crate::design::fabric::faults::MOST_ROUTED;
use crate::design::fabric::instance::Tools;
use crate::design::fabric::sized::{Sized, preferred};
use crate::design::fabric::terms::Terms;
use crate::fabric::FabricKind;
use crate::scenario::{FabricChoice, Limits, Minimize};
use crate::units::Usd;

/// The best of the candidates that differ in one choice, for each such difference; then the other
/// objectives and families. Beside them the products and interfaces that [a bound](distant) leaves out, those with their bounds
/// that are not among the candidates too.
pub(crate) fn alternatives(
    all: &[Candidate<'_>],
    entries: &[Entry<'_>],
    best: usize,
    (unlisted, terms): (&[(f64, &str)], &Terms<'_>),
    tools: &mut Tools<'_>,
) -> (Vec<Alternative>, Vec<NotSized>) {
    let chosen = &entries[best];
    let known = Known {
        cost: cost(&chosen.job, &chosen.sized, tools),
        chosen: &chosen.sized,
        job: chosen.job.id,
    };
    let mut others: Vec<Alternative> = Vec::new();
    let products = other_products(all, chosen);
    let differing = differences(all, chosen);
    let nics: Vec<(String, Vec<usize>)> = differing
        .iter()
        .filter(|(of, _)| of.differs == Differs::Nic)
        .map(|(of, alike)| (of.name.clone(), alike.clone()))
        .collect();
    let not_sized = distant(all, (&products, &nics), unlisted, (chosen.sized.value, terms));
    let is_distant = |name: &str| not_sized.iter().any(|of| of.name == name);
    // Another product has the interfaces and planes with which it takes least.
    let product = |(name, alike)| (Named { differs: Differs::Node, name }, alike);
    let of_one_product = differing.into_iter().filter(|(of, _)| of.differs != Differs::Node);
    for (Named { differs, name }, alike) in products.into_iter().map(product).chain(of_one_product)
    {
        if is_distant(&name) {
            continue;
        }
        if let Some((place, sized)) = least(all, &alike, entries, terms, tools) {
            let job = &all[place].job;
            let nic = |of: &Job<'_>| of.machine.nic.name.clone();
            let mut name = name;
            if differs == Differs::Node
                && nic(job) != nic(&chosen.job)
                && alike.iter().any(|of| nic(&all[*of].job) != nic(job))
            {
                name = format!("{name}, NIC {}", nic(job));
            }
            let own_planes = matches!(differs, Differs::Node | Differs::Nic);
            if own_planes && sized.planes != chosen.sized.planes {
                name = format!("{name}, {}", planes(sized.planes));
            }
            let named = Named { differs, name };
            others.push(known.beside(named, job, &sized, terms.minimize, tools));
        } else if let Some(out) = kept_out(all, &alike, terms, tools) {
            let job = &all[out.place].job;
            others.push(known.kept_out(Named { differs, name }, job, &out, tools));
        }
    }
    let alike = with_any_switches(all, &all[chosen.place]);
    // Machines of which other GPUs are used are other machines in number, and the row says so.
    let chosen_used = chosen.job.lead.placement().used();
    let named = |differs: Differs, name: String, place: usize| {
        let job = &all[place].job;
        let used = job.lead.placement().used();
        let name = match used == chosen_used {
            true => name,
            false => format!("{name}, {used} of {} GPUs a domain", job.machine.node.gpus),
        };
        Named { differs, name }
    };
    for minimize in Minimize::ALL {
        let max_slowdown = slowdown(&chosen.job, minimize, terms);
        let other = Terms { minimize, max_slowdown, caps: Caps::default(), ..*terms };
        // Of tokens those fabrics are looked at which are no dearer for their pace.
        let other = other.below(chosen.sized.pace_value(minimize, &chosen.job));
        if minimize != terms.minimize
            && let Some((place, sized)) = best_of(all, &alike, &other, tools)
            && sized.counts != chosen.sized.counts
        {
            let name = format!("minimize = \"{}\"", minimize.name());
            let name = named(Differs::Objective, name, place);
            let reason = format!("another objective{}", kept(all, &all[chosen.place]));
            let other = known.beside(name, &all[place].job, &sized, minimize, tools);
            others.push(Alternative { standing: Standing::Elsewhere, reason, ..other });
        }
    }
    let tight = Terms { max_slowdown: 1.0, own_slowdowns: false, ..*terms };
    if let Some((place, sized)) = best_of(all, &alike, &tight, tools)
        && sized.counts != chosen.sized.counts
    {
        let name = named(Differs::Pace, "max_slowdown = 1.0".to_owned(), place);
        let other = known.beside(name, &all[place].job, &sized, terms.minimize, tools);
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
                let name = format!("{name}, {}", planes(planes_of));
                named(Differs::Family(kind), name, place)
            };
            if let Some((place, sized)) = best_of(all, &alike, &terms, tools) {
                if sized.counts.kind == kind && sized.counts != chosen.sized.counts {
                    let name = named(place, sized.planes);
                    others.push(known.beside(name, &all[place].job, &sized, terms.minimize, tools));
                }
            } else if let Some(out) = kept_out(all, &alike, &terms, tools)
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
fn slowdown(job: &Job<'_>, minimize: Minimize, terms: &Terms<'_>) -> f64 {
    let objective = &job.scenario.objective;
    let own = job.each().map(|run| run.full / run.reference).fold(1.0, f64::max);
    match objective.max_slowdown {
        Some(_) => terms.max_slowdown,
        None => own * objective.slowdown(minimize),
    }
}

/// What slowdown is measured against.
const FASTEST: &str = "on a full-bisection Clos in the fastest layout, rank order and placement";

/// The best of some candidates by the terms, of equals the first; `None` where none can be built.
fn best_of(
    all: &[Candidate<'_>],
    some: &[usize],
    terms: &Terms<'_>,
    tools: &mut Tools<'_>,
) -> Option<(usize, Sized)> {
    let mut best: Option<(usize, Sized)> = None;
    let mut terms = Terms { silent: true, ..*terms };
    for place in some {
        let Ok(sized) = all[*place].sized(&terms, tools) else { continue };
        terms = terms.below(sized.value);
        if best.as_ref().is_none_or(|(_, best)| preferred(&sized, best)) {
            best = Some((*place, sized));
        }
    }
    best
}

/// What a row is called, and the choice in which it differs.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Named {
    differs: Differs,
    name: String,
}

/// Choices that are those of the chosen design in rows which weigh no other candidate, where there are
/// others: `; node, planes kept`.
fn kept(all: &[Candidate<'_>], chosen: &Candidate<'_>) -> String {
    let order = |of: &Candidate<'_>| of.job.lead.layout().order;
    let any = |differs: &dyn Fn(&Candidate<'_>) -> bool| all.iter().any(differs);
    let [node, nic] =
        [&chosen.job.machine.node.name, &chosen.job.machine.nic.name].map(String::as_str);
    let kept: Vec<&str> = [
        ("node", any(&|of| of.job.machine.node.name != node)),
        ("NIC", any(&|of| of.job.machine.node.name == node && of.job.machine.nic.name != nic)),
        ("planes", any(&|of| of.planes != chosen.planes)),
        ("order", any(&|of| order(of) != order(chosen))),
        ("layout", are_open_beside_network(chosen.job.scenario)),
    ]
    .into_iter()
    .filter_map(|(name, open)| open.then_some(name))
    .collect();
    if kept.is_empty() { String::new() } else { format!("; {} kept", kept.join(", ")) }
}

/// Names of what candidates differ in from the chosen one, where that is one choice, each with the
/// places of all that do; in the order of the candidates.
fn differences(all: &[Candidate<'_>], chosen: &Entry<'_>) -> Vec<(Named, Vec<usize>)> {
    let chosen = &all[chosen.place];
    grouped(all, |candidate| difference(candidate, chosen))
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
struct Known<'a> {
    cost: Cost,
    chosen: &'a Sized,
    /// Its job's id.
    job: usize,
}

impl Known<'_> {
    /// The row of a design that limits keep out.
    fn kept_out(
        &self,
        name: Named,
        job: &Job<'_>,
        out: &KeptOut,
        tools: &mut Tools<'_>,
    ) -> Alternative {
        let standing = Standing::KeptOut;
        let other = self.beside(name, job, &out.sized, Minimize::Capex, tools);
        Alternative { standing, reason: out.reason.clone(), ..other }
    }

    /// The row of a design that is sized for the plan's objective.
    fn beside(
        &self,
        Named { differs, name }: Named,
        job: &Job<'_>,
        sized: &Sized,
        minimize: Minimize,
        tools: &mut Tools<'_>,
    ) -> Alternative {
        let chosen = self.chosen;
        // What is known of the chosen fabric's level is of that fabric.
        let other = sized.level != chosen.level || job.id != self.job;
        let routed = job.endpoints() <= MOST_ROUTED;
        if other && routed {
            corrected(job, sized.level, &sized.blueprint, Round::default());
        }
        let time = job.blended(&job.paces(sized.level));
        let cost = cost(job, sized, tools);
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
            standing: standing(sized.value, chosen.value),
            reason: {
                let of_level = of_level(reason(minimize), sized.level);
                let reason = of_goodput(of_level, cost.goodput, self.cost.goodput);
                if other && !routed { format!("{reason}; not routed") } else { reason }
            },
        }
    }
}

/// How a design that takes so much of what is minimised stands to a plan.
pub(crate) fn standing(value: f64, chosen: f64) -> Standing {
    if value <= chosen * (1.0 + TIE) { Standing::Tied } else { Standing::Worse }
}

/// What the whole cluster costs.
pub(crate) fn cost(job: &Job<'_>, sized: &Sized, tools: &mut Tools<'_>) -> Cost {
    let lines = bill_built(job, &sized.counts, &sized.blueprint);
    let step = job.blended(&job.paces(sized.level));
    cost_of(job, &lines, step, sized.trains(job, &mut tools.cache))
}

/// A reason, and how far the fabric is oversubscribed where that is beyond what the default allows an answer.
fn of_level(reason: String, level: Level) -> String {
    let narrow = level.member.is_none() && level.within > 0.0 && level.within * MOST < 1.0;
    match narrow {
        true => format!("{reason}; {:.0}:1 within a rail", 1.0 / level.within),
        false => reason,
    }
}

/// A reason, and how much of the time trains where that is another share than of the chosen design by more than a
/// hundredth.
fn of_goodput(reason: String, trains: f64, chosen: f64) -> String {
    /// Goodputs that differ by no more are as good as equal.
    const ALIKE: f64 = 0.01;
    match (trains - chosen).abs() > ALIKE {
        true => format!("{reason}; goodput {:.1} %", trains * 100.0),
        false => reason,
    }
}

/// Why another design was not chosen.
pub(crate) fn reason(minimize: Minimize) -> String {
    match minimize {
        Minimize::Capex => "no cheaper as a whole",
        Minimize::Tco => "no cheaper over the years",
        Minimize::UsdPerToken => "no cheaper per token",
        Minimize::Power => "draws no less",
    }
    .to_owned()
}

/// The one choice in which two candidates differ; `None` where they differ in several.
fn difference(candidate: &Candidate<'_>, chosen: &Candidate<'_>) -> Option<Named> {
    let (one, other) = (&candidate.job, &chosen.job);
    let mut all = Vec::new();
    let mut differ = |differs: Differs, name: String| all.push(Named { differs, name });
    if one.machine.node.name != other.machine.node.name {
        differ(Differs::Node, format!("node {}", one.machine.node.name));
    } else {
        // Another product comes with its own interface and layout.
        if one.machine.nic.name != other.machine.nic.name {
            differ(Differs::Nic, format!("NIC {}", one.machine.nic.name));
        }
        if one.lead.layout().order != other.lead.layout().order {
            differ(Differs::Order, format!("order {}", one.lead.layout().order));
        }
        let used = one.lead.placement().used();
        if used != other.lead.placement().used() {
            let name = format!("{used} of {} GPUs a domain", one.machine.node.gpus);
            differ(Differs::Placement, name);
        }
    }
    // Another interface comes with its own planes.
    let same = one.machine.nic.name == other.machine.nic.name
        || one.machine.node.name != other.machine.node.name;
    if candidate.planes != chosen.planes && same {
        differ(Differs::Planes, planes(candidate.planes));
    }
    // Every other choice may have switches of either protocol.
    if all.is_empty() && candidate.protocol != chosen.protocol {
        let name = format!("{} switches", candidate.protocol.title());
        all.push(Named { differs: Differs::Protocol, name });
    }
    if all.len() == 1 { all.pop() } else { None }
}

pub(super) fn planes(count: u32) -> String {
    if count == 1 { "one plane".to_owned() } else { format!("{count} planes") }
}

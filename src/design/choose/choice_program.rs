//! The integer program over the choices that bounds left, answered by the solver on every run.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::design::candidate::candidates::Candidate;
use crate::design::candidate::machine_cost::cost_of_machines;
use crate::design::effort;
use crate::design::job::job::Job;
use crate::design::network::candidate_sizing::SizedCandidate;
use crate::design::network::sized_fabric::SizedFabric;
use crate::design::plan::alternatives::NotSized;
use crate::design::plan::proof::{ChoicesOutcome, ChoicesReport, Programs};
use crate::scenario::Minimize;
use crate::sizing::{
    ChoicesProblem, LinkEndOffer, NetworkChoice, Options, PosedProgram, Program, ProgramLimits,
    Proof, ProofStatus, SizingProblem, Status, Work, solve_choices,
};
use crate::units::Usd;

/// The designs that were sized: the answer, then the others, best ones first, as far as the builds
/// of all stay within what is given to a solver; the best of each product with each interface in
/// any case. A product or interface that a bound excludes is a choice of that bound alone. Places
/// of all are those of the candidates.
pub(crate) fn choices_left(
    all: &[Candidate<'_>],
    entries: &[SizedCandidate<'_>],
    best: usize,
    studied: &[(usize, SizedFabric)],
    excluded: &[NotSized],
    minimize: Minimize,
) -> ChoicesProblem {
    let chosen = &entries[best];
    let unit = weight_of_dollar(&chosen.sized, minimize);
    let choice = |place: usize, job: &Job<'_>, sized: &SizedFabric| NetworkChoice {
        name: name_choice(&all[place], job),
        product: job.machine.node.name.clone(),
        machines: machines_value(job, minimize),
        weight: weight_of_dollar(sized, minimize) / unit,
        problem: Arc::clone(&sized.program),
        copies: sized.solution.copies.clone(),
    };
    let is_entry = |place: usize| entries.iter().any(|entry| entry.place == place);
    let sized = entries.iter().enumerate().filter(|(number, _)| *number != best);
    let sized = sized.map(|(_, entry)| (entry.place, &entry.job, &entry.sized));
    let studied = studied.iter().filter(|(place, _)| !is_entry(*place));
    let studied = studied.map(|(place, sized)| (*place, &all[*place].job, sized));
    let mut others: Vec<_> = sized.chain(studied).collect();
    others.sort_by(|(_, _, one), (_, _, other)| one.value.total_cmp(&other.value));
    let mut problem =
        ChoicesProblem { choices: vec![choice(chosen.place, &chosen.job, &chosen.sized)] };
    let machine = |job: &Job<'_>| (job.machine.node.name.clone(), job.machine.nic.name.clone());
    let mut known = BTreeSet::from([machine(&chosen.job)]);
    for (place, job, sized) in others {
        if known.insert(machine(job)) || problem.build_count() <= effort::CHOICE_BUILDS {
            problem.choices.push(choice(place, job, sized));
        }
    }
    let value = problem.searched_value();
    problem.choices.extend(excluded.iter().map(|product| bound_as_choice(product, value)));
    problem
}

/// A product or interface that a bound excludes: what it takes at least, without a network.
fn bound_as_choice(product: &NotSized, value: Usd) -> NetworkChoice {
    let nothing = SizingProblem {
        classes: Vec::new(),
        offers: Vec::new(),
        ends: LinkEndOffer::NONE,
        limits: ProgramLimits::default(),
        counts_money: true,
        energy_per_watt: Usd::ZERO,
    };
    NetworkChoice {
        name: format!("any design with {} (its bound)", product.name),
        product: product.name.clone(),
        machines: value * product.at_least,
        weight: 1.0,
        problem: Arc::new(nothing),
        copies: Vec::new(),
    }
}

/// What is made, so that no other choice reads alike: its candidate, domains and layout.
fn name_choice(candidate: &Candidate<'_>, job: &Job<'_>) -> String {
    let layout = job.lead_run().layout();
    format!(
        "{}, {} domains of which {} train with {} GPUs each, layout {}, interleave {}, \
         micro-batch {}",
        candidate.describe(),
        job.domains_to_buy(),
        job.domains,
        job.used,
        layout.degrees_text(),
        layout.interleave,
        layout.micro_batch,
    )
}

/// What machines take of a quantity by themselves.
fn machines_value(job: &Job<'_>, minimize: Minimize) -> Usd {
    Usd::from_f64(cost_of_machines(&job.fleet()).value_without_network(minimize))
}

/// The value of a design over the dollars in it: of cost per token the time of a step over the
/// share that trains, else 1.
fn weight_of_dollar(sized: &SizedFabric, minimize: Minimize) -> f64 {
    match minimize {
        Minimize::UsdPerToken => sized.time.get() / sized.goodput.unwrap_or(1.0),
        Minimize::Capex | Minimize::Tco | Minimize::Power => 1.0,
    }
}

impl Programs {
    /// The programs behind a choice among several designs, the one over all of them solved.
    pub(crate) fn from_choices(
        problem: ChoicesProblem,
        known: ProofStatus,
        work: Work,
        options: &Options,
    ) -> Self {
        let solved = solve_choices(&problem, options);
        let work = work + Work::from_run(solved.map_or(0, |answer| answer.nodes));
        let (bounds, designs): (Vec<&NetworkChoice>, Vec<&NetworkChoice>) =
            problem.choices.iter().partition(|choice| choice.is_bound());
        let products: BTreeSet<&str> =
            designs.iter().map(|choice| choice.product.as_str()).collect();
        let outcome = match solved {
            None => ChoicesOutcome::NoPoint,
            Some(answer) if answer.is_as_searched(&problem) && answer.proven => {
                ChoicesOutcome::Agrees
            }
            Some(answer) if answer.value < problem.searched_value() => ChoicesOutcome::TakesLess,
            Some(_) => ChoicesOutcome::Open,
        };
        let choices = ChoicesReport {
            choices: designs.len() as u64,
            products: products.len() as u64,
            excluded: bounds.len() as u64,
            optimum: solved.map(|answer| answer.value),
            outcome,
        };
        let firmness = match outcome {
            ChoicesOutcome::Agrees => {
                ProofStatus { status: Status::Optimal, proof: Proof::Solver, gap: 0.0 }
            }
            // What is proven of the answer's own network proves nothing of the other choices.
            ChoicesOutcome::NoPoint | ChoicesOutcome::TakesLess | ChoicesOutcome::Open => {
                ProofStatus { status: Status::Incumbent, proof: Proof::Check, gap: known.gap }
            }
        };
        let copies = problem.choices.first().map(|choice| choice.copies.clone());
        let answer = PosedProgram {
            cost: problem.searched_value(),
            copies: copies.into_iter().collect(),
            firmness,
            program: Program::Choices(Arc::new(problem)),
        };
        Self { choices: Some(choices), ..Self::from_answer(answer, work, options) }
    }
}

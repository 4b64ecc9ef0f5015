//! What a limit keeps out: the best design of all candidates is found again without it, as if the spec
//! had never stated it. Makes no limit looser by steps.

use std::sync::Arc;

use super::alternatives::cost;
use super::gain::{Gain, better, is_saving};
use super::limit::{Limit, State};
use super::ranging::name;
use crate::cost::Cost;
use crate::design::answer::plan::Worth;
use crate::design::candidate::infeasible::Infeasible;
use crate::design::candidate::job::Job;
use crate::design::candidate::list::{Candidate, by_least};
use crate::design::candidate::run::Run;
use crate::design::candidate::strain::Strains;
use crate::design::fabric::entries::Entry;
use crate::design::fabric::instance::Tools;
use crate::design::fabric::terms::Terms;
use crate::scenario::Minimize;
use crate::sizing::Options;
use crate::units::{Amount, Usd};

/// What is known of the chosen design, and what it was chosen from.
pub(super) struct Lifting<'k, 'a> {
    pub(super) all: &'k [Candidate<'a>],
    pub(super) chosen: &'k Entry<'a>,
    /// The least of each quantity that is minimised, in its turn.
    pub(super) known: &'k [(Minimize, f64)],
    pub(super) terms: Terms<'k>,
}

/// The best design without a limit.
pub(super) struct Lifted {
    gain: Gain,
    /// Value of the chosen design, of the quantity that the gain is of.
    known: f64,
    pub(super) worth: Worth,
}

impl Lifted {
    /// True where it saves more than a little more of the limit does.
    pub(super) fn is_more_than(&self, little: Option<(Minimize, f64)>) -> bool {
        little.is_none_or(|(of, saved)| {
            of != self.gain.of || is_saving(self.gain.saved - saved, self.known)
        })
    }
}

impl Lifting<'_, '_> {
    /// False where no limit can be worth anything, as the best design without all of them is no
    /// better.
    pub(super) fn may_save(&self, options: &Options) -> bool {
        let [(of, known)] = self.known else { return true };
        let state = State::of(&self.terms);
        let free = state.without_all(&state.worth());
        let terms = Terms { limits: &free.limits, ..self.terms }.below(*known);
        let all = afresh(self.all);
        let mut tools = Tools::new(options);
        let order = by_least(&all, 0..all.len(), *of);
        let mut able = order.into_iter().take_while(|(least, _)| least < known);
        able.any(|(_, place)| match all[place].sized(&terms, &mut tools) {
            Ok(found) => is_saving(known - found.bound, *known),
            Err(reason) => reason == Infeasible::Unknown,
        })
    }

    /// The best design without a limit; `None` where it is no better, or where how much it takes of
    /// the limit can't be told. Its candidates and tools know nothing of other designs: what is said
    /// of it is found again where the limit is moved in the spec.
    pub(super) fn without(&self, limit: &Limit, options: &Options) -> Option<Lifted> {
        if !limit.keeps_out() {
            return None;
        }
        let state = State::of(&self.terms);
        let free = state.without(limit);
        let all = afresh(self.all);
        let mut tools = Tools::new(options);
        let terms = Terms { limits: &free.limits, ..self.terms };
        let (gain, last) = better(&all, &terms, self.known, &mut tools)?;
        let Entry { job, sized, place } = &last.incumbent.entries[last.incumbent.best];
        let candidate = &all[*place];
        let needs = limit.taken(candidate, sized, &free).and_then(|taken| {
            // A sum that rounds up by a hair needs a step more.
            let allows = |steps: &i64| {
                let moved = state.with(limit, *steps);
                candidate.sized(&Terms { limits: &moved.limits, ..terms }, &mut tools).is_ok()
            };
            [taken, taken + 1].into_iter().find(allows)
        });
        let was = cost(&self.chosen.job, &self.chosen.sized);
        let worth = Worth::Lifted {
            needs: needs.map(|steps| limit.amount(steps)),
            saved: saved(gain.of, &was, &cost(job, sized)),
            of: gain.of,
            design: name(&job.machine.node.name, &sized.counts),
        };
        let known =
            self.known.iter().find(|(of, _)| *of == gain.of).map_or(0.0, |(_, value)| *value);
        Some(Lifted { gain, known, worth })
    }
}

/// What one cluster takes less than another of a quantity, as a report counts it.
fn saved(of: Minimize, was: &Cost, is: &Cost) -> Amount {
    match of {
        Minimize::Capex => Amount::Money(was.capex - is.capex),
        Minimize::Tco => Amount::Money(was.tco - is.tco),
        Minimize::UsdPerToken => {
            let token = |of: &Cost| of.usd_per_million_tokens.unwrap_or(Usd::ZERO);
            Amount::Money(token(was) - token(is))
        }
        Minimize::Power => Amount::Power(was.power - is.power),
    }
}

/// The candidates as they were before routing said anything about their steps.
fn afresh<'a>(all: &[Candidate<'a>]) -> Vec<Candidate<'a>> {
    let mut known: Vec<(Arc<Strains>, Arc<Strains>)> = Vec::new();
    let mut fresh = |run: &Run<'a>| {
        let new = known.iter().find(|(old, _)| Arc::ptr_eq(old, &run.strains));
        let new = new.map(|(_, new)| Arc::clone(new)).unwrap_or_else(|| {
            let new = Arc::default();
            known.push((Arc::clone(&run.strains), Arc::clone(&new)));
            new
        });
        Run { strains: new, ..run.clone() }
    };
    let mut anew = |of: &Candidate<'a>| {
        let Job { lead, others, .. } = &of.job;
        let others = others.iter().map(|runs| runs.iter().map(&mut fresh).collect()).collect();
        let job = Job { lead: fresh(lead), others, ..of.job.clone() };
        Candidate { job, ..of.clone() }
    };
    all.iter().map(&mut anew).collect()
}

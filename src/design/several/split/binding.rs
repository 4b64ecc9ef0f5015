//! Which limits on what parts share bind, and what more of each is worth: the best choice of all
//! candidates is found again, with a little more of that limit and without it. Chooses nothing.

use super::answered::answered;
use super::choice::Choice;
use super::program::Joint;
use crate::design::answer::plan::{Bound, Worth};
use crate::design::fabric::terms::Terms;
use crate::design::several::choices::Solved;
use crate::design::study::binding::{Relaxation, relaxations, worth};
use crate::design::study::gain::is_saving;
use crate::design::study::limit::{Limit, State};
use crate::scenario::{Limits, Minimize, Scenario};
use crate::sizing::Options;
use crate::units::{Amount, Unit, Usd, Watts};

/// The parts designed anew under other limits.
struct Anew {
    value: f64,
    /// No choice takes less.
    bound: f64,
    capex: Usd,
    power: Watts,
    words: String,
}

/// Every shared limit that binds on parts whose best choice takes `known` of what is minimised.
pub(super) fn binding(
    scenario: &Scenario,
    known: f64,
    terms: &Terms<'_>,
    options: &Options,
) -> Vec<Bound> {
    let shared: Vec<Relaxation> = relaxations(terms).into_iter().filter(|of| of.shared).collect();
    let state = State::of(terms);
    let limits: Vec<Limit> = shared.iter().map(|of| of.limit.clone()).collect();
    let free = || anew(scenario, state.without_all(&limits).limits, options);
    // What the best without all of them does not save, none of them saves.
    if shared.is_empty() || free().is_some_and(|free| !is_saving(known - free.bound, known)) {
        return Vec::new();
    }
    let mut all = Vec::new();
    for Relaxation { limit, by, limits, .. } in shared {
        let saved = |of: &Anew| Some(known - of.value).filter(|saved| is_saving(*saved, known));
        let lifted = anew(scenario, state.without(&limit).limits, options);
        let Some((lifted, most)) = lifted.and_then(|of| saved(&of).map(|saved| (of, saved))) else {
            continue;
        };
        let little = anew(scenario, limits, options).and_then(|of| saved(&of));
        let of = terms.minimize;
        all.extend(little.map(|saved| Bound { limit: limit.key(), worth: worth(of, by, saved) }));
        if is_saving(most - little.unwrap_or(0.0), known) {
            let unit = if of == Minimize::Power { Unit::Power } else { Unit::Money };
            let worth = Worth::Lifted {
                needs: needs(&limit, &lifted),
                saved: unit.amount(most),
                of,
                design: lifted.words,
            };
            all.push(Bound { limit: limit.key(), worth });
        }
    }
    all
}

/// What the best choice takes of a limit; `None` where that can't be read off its sums.
fn needs(limit: &Limit, of: &Anew) -> Option<Amount> {
    match limit.key().as_str() {
        "limits.power" => Some(limit.allowing(of.power.get())),
        "limits.budget" => Some(limit.allowing(of.capex.get())),
        _ => None,
    }
}

/// The best choice under other limits; `None` where there is none.
fn anew(scenario: &Scenario, limits: Limits, options: &Options) -> Option<Anew> {
    let scenario = Scenario { limits, ..scenario.clone() };
    let parts = scenario.parts();
    let tell = |solved: Solved<Choice<'_, '_>, Joint>| Anew {
        value: solved.joint.value,
        bound: solved.bound(),
        capex: solved.joint.capex,
        power: solved.joint.power,
        words: solved.choice.words(),
    };
    answered(&scenario, &parts, options, |_, solved| tell(solved)).ok()
}

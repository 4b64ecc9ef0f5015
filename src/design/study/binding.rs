//! Which limits bind, and what more of each is worth: the best design of all candidates is found
//! again with a little more of that limit, and without it.

use super::gain::{Gain, better};
use super::lifted::Lifting;
use super::limit::{Limit, STEP, State};
use crate::design::answer::plan::{Bound, Worth};
use crate::design::candidate::list::{Candidate, candidates};
use crate::design::fabric::entries::Entry;
use crate::design::fabric::instance::Tools;
use crate::design::fabric::terms::Terms;
use crate::scenario::{Limits, Minimize, Scenario};
use crate::units::{Amount, Usd, Watts};

/// Every limit that binds: with a little more of it the best design is better, or without it. `known`
/// is the least of each quantity that the scenario minimises, in its turn.
pub(crate) fn binding(
    all: &[Candidate<'_>],
    chosen: &Entry<'_>,
    known: &[(Minimize, f64)],
    tools: &mut Tools<'_>,
) -> Vec<Bound> {
    let scenario = chosen.job.scenario;
    let pace = chosen.sized.time.get();
    let bound = |limit: String, by: Option<Amount>, Gain { of, saved }: Gain| {
        // A cost per token is money times the time of a step: as money at the chosen pace.
        let pace = if of == Minimize::UsdPerToken { pace } else { 1.0 };
        Bound { limit, worth: worth(of, by, saved / pace) }
    };
    let mut bounds = Vec::new();
    // A rank order may be within the looser slowdown that is not within the stated one: these are
    // other jobs, of which nothing is known.
    let mut slower = scenario.clone();
    slower.objective.max_slowdown *= 1.0 + STEP;
    let mut others = Tools::new(tools.options);
    let gain = gain(&candidates(&slower).0, &quiet(&slower), known, &mut others);
    let slowdown =
        |gain| bound("objective.max_slowdown".to_owned(), Some(Amount::Share(STEP)), gain);
    bounds.extend(gain.map(slowdown));
    let terms = quiet(scenario);
    // A budget decides nothing where no more than money is minimised.
    let decides = known.iter().map(|(of, _)| *of).find(|of| *of != Minimize::Capex);
    let counted = Terms { minimize: decides.unwrap_or(Minimize::Capex), ..terms };
    let relaxations = relaxations(&counted);
    let lifting = Lifting { all, chosen, known, terms };
    // A single limit tells by itself whether it is worth anything.
    if relaxations.len() < 2 || lifting.may_save(tools.options) {
        for Relaxation { limit, by, limits, .. } in relaxations {
            let lifted = lifting.without(&limit, tools.options);
            // What a limit keeps out is all that more of it lets in.
            if lifted.is_none() && limit.keeps_out() {
                continue;
            }
            let gain = self::gain(all, &Terms { limits: &limits, ..terms }, known, tools);
            let little = gain.as_ref().map(|gain| (gain.of, gain.saved));
            bounds.extend(gain.map(|gain| bound(limit.key(), by, gain)));
            let more = lifted.filter(|lifted| lifted.is_more_than(little));
            bounds.extend(more.map(|more| Bound { limit: limit.key(), worth: more.worth }));
        }
    }
    bounds.extend(radix(chosen));
    bounds
}

/// What the scenario says; only whether there is a design counts.
fn quiet(scenario: &Scenario) -> Terms<'_> {
    Terms { silent: true, ..Terms::of(scenario) }
}

/// What the best design under looser terms saves; `None` where it is no better.
fn gain(
    all: &[Candidate<'_>],
    terms: &Terms<'_>,
    known: &[(Minimize, f64)],
    tools: &mut Tools<'_>,
) -> Option<Gain> {
    Some(better(all, terms, known, tools)?.0)
}

/// One limit made a little looser.
pub(crate) struct Relaxation {
    pub(crate) limit: Limit,
    /// By how much; `None` where it is left out.
    pub(crate) by: Option<Amount>,
    /// All limits, with that one looser.
    pub(crate) limits: Limits,
    /// It is a limit on what parts of a cluster share, and not on the steps or rails of each.
    pub(crate) shared: bool,
}

/// Every limit that the terms state, each made looser alone; but one on money only where money is
/// not what is minimised, as it then changes nothing.
pub(crate) fn relaxations(terms: &Terms<'_>) -> Vec<Relaxation> {
    let state = State::of(terms);
    let idle = |limit: &Limit| limit.is_of_money() && terms.minimize == Minimize::Capex;
    let relaxed = |limit: Limit| {
        let (State { limits, .. }, by) = state.looser(&limit);
        Relaxation { by, limits, shared: limit.is_shared(), limit }
    };
    state.worth().into_iter().filter(|limit| !idle(limit)).map(relaxed).collect()
}

/// What a limit made looser saves of a quantity: money, or power where that is minimised.
pub(crate) fn worth(of: Minimize, by: Option<Amount>, saved: f64) -> Worth {
    match of {
        Minimize::Power => Worth::Spares { by, power: Watts::of(saved) },
        of => Worth::Saves { by, saved: Usd::of(saved), of },
    }
}

/// A rail that is larger than a switch needs a second tier.
fn radix(chosen: &Entry<'_>) -> Option<Bound> {
    let domains = chosen.job.domains;
    let radix = chosen.sized.counts.tiers.iter().map(|tier| tier.radix).max()?;
    let tiers = chosen.sized.counts.depth();
    (tiers > 1 && domains > radix).then(|| Bound {
        limit: "switch radix".to_owned(),
        worth: Worth::Tiers { endpoints: domains, radix, tiers },
    })
}

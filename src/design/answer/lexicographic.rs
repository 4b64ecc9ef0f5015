//! Quantities minimised one after another: each among the designs that are best by those before it,
//! within a tolerance. Sizes nothing itself.

use super::by_ratio::best_by_ratio;
use super::certificate::Certificate;
use super::held::best_held;
use super::plan::Priority;
use super::rounds::Round;
use super::verify::corrected;
use crate::design::candidate::infeasible::Infeasible;
use crate::design::candidate::list::Candidate;
use crate::design::fabric::entries::{Entry, Tried, best, entries, useful};
use crate::design::fabric::instance::Tools;
use crate::design::fabric::sized::{preferred, value_of};
use crate::design::fabric::terms::Terms;
use crate::scenario::Minimize;
use crate::sizing::Proof;

/// Candidates sized for one quantity, and the best of them.
pub(crate) struct Incumbent<'a, 't> {
    pub(crate) entries: Vec<Entry<'a>>,
    pub(crate) best: usize,
    pub(crate) terms: Terms<'t>,
    /// What is proven of the best; where several quantities were minimised, of the first that is not
    /// proven, else of the last.
    pub(crate) certificate: Certificate,
    /// Candidates that are settled: all, where nobody ended it before.
    pub(crate) settled: usize,
}

impl<'a, 't> Incumbent<'a, 't> {
    /// Of what came of sizing candidates.
    ///
    /// # Errors
    /// The furthest failure, where none can be built.
    fn of(
        all: &[Candidate<'a>],
        tried: Tried<'a>,
        terms: Terms<'t>,
    ) -> Result<Self, Option<Infeasible>> {
        let Tried { entries, unproven, settled, failed } = tried;
        let Some(best) = best(&entries) else { return Err(failed) };
        let certificate = Certificate::of(all, &entries, best, &unproven);
        Ok(Self { entries, best, terms, certificate, settled })
    }

    /// The best design.
    pub(crate) fn best_entry(&self) -> &Entry<'a> {
        &self.entries[self.best]
    }

    /// The best design alone; `None` where there is none.
    fn into_best(mut self) -> Option<Entry<'a>> {
        (self.best < self.entries.len()).then(|| self.entries.swap_remove(self.best))
    }

    /// Takes another design in place of the best one. What is proven of all others stays.
    pub(super) fn replace(&mut self, other: Entry<'a>) {
        self.certificate = self.certificate.clone().with_value(other.sized.value);
        self.best = self.entries.len();
        self.entries.push(other);
    }
}

/// What is chosen in the end.
pub(crate) struct Last<'a, 't> {
    /// Where the last quantity left it.
    pub(crate) incumbent: Incumbent<'a, 't>,
    /// The least of each quantity in its turn, in the units of a design's value.
    pub(crate) least: Vec<(Minimize, f64)>,
    /// What became of each; empty where there is one.
    pub(crate) priorities: Vec<Priority>,
}

impl<'a> Last<'a, '_> {
    /// What is chosen takes so much.
    pub(crate) fn value(&self) -> f64 {
        self.incumbent.best_entry().sized.value
    }

    /// What designs may take that are of use beside what is chosen: those that tie with it.
    pub(crate) fn useful(&self) -> f64 {
        let best = &self.incumbent.best_entry().sized;
        useful(best)
    }

    /// What is chosen where there is more to choose from, of which nothing is better: `now` has all of `before`.
    /// Of the rest no design takes less than `floor`.
    pub(crate) fn among(
        mut self,
        before: &[Candidate<'_>],
        now: &[Candidate<'_>],
        floor: Option<(f64, &str)>,
    ) -> Self {
        let alike = |one: &Candidate<'_>, other: &Candidate<'_>| {
            one.is_same_but_standby(other) && one.job.standby == other.job.standby
        };
        for entry in &mut self.incumbent.entries {
            let own = &before[entry.place];
            entry.place = now.iter().position(|of| alike(of, own)).unwrap_or(entry.place);
        }
        let certificate = self.incumbent.certificate.clone();
        self.incumbent.certificate = match floor {
            Some((floor, node)) => certificate.beside(floor, || node.to_owned()),
            None => certificate,
        };
        self
    }

    /// What no design takes less of, by quantity: where there is one, what is proven; of several,
    /// what each took in its turn.
    fn proven(&self) -> Vec<f64> {
        match self.least.as_slice() {
            [_] => vec![self.incumbent.certificate.bound],
            all => all.iter().map(|(_, least)| *least).collect(),
        }
    }

    /// What is chosen once routing refutes nothing more, or was asked often enough: where a fabric that
    /// was found by its ratio is better, that one.
    fn settled(
        mut self,
        all: &[Candidate<'a>],
        floors: &[f64],
        refuted: bool,
        by_ratio: Option<Entry<'a>>,
    ) -> Self {
        let proven = self.proven();
        let chosen = self.incumbent.best_entry();
        let rival = all[chosen.place].words();
        let other = by_ratio.filter(|of| refuted || preferred(&of.sized, &chosen.sized));
        let certificate = self.incumbent.certificate.clone();
        self.incumbent.certificate = if refuted && other.is_none() {
            certificate.unverified(rival)
        } else {
            // Another fabric of a level that was found slower may be as fast as that level says.
            let shares = proven.iter().zip(floors).map(|(proven, floor)| floor / proven);
            let floor = certificate.bound * shares.fold(1.0, f64::min);
            certificate.beside(floor, || rival)
        };
        if let Some(other) = other {
            self.least = vec![(self.incumbent.terms.minimize, other.sized.value)];
            self.incumbent.replace(other);
        }
        self
    }
}

impl<'a> Last<'a, '_> {
    /// What is chosen where the best so far is enough: of those designs that are fast enough when routed
    /// the best, those found before among them; `None` where none is. What several quantities left is
    /// that or nothing.
    fn cut_short(
        mut self,
        all: &[Candidate<'a>],
        before: Vec<Entry<'a>>,
        (floors, refuted): (&[f64], bool),
        tools: &mut Tools<'_>,
    ) -> Option<Self> {
        if !self.priorities.is_empty() {
            return (!refuted).then(|| self.settled(all, floors, false, None));
        }
        let terms = self.incumbent.terms;
        let sized = self.incumbent.entries.clone();
        let best = best_held([sized, before].concat(), fresh(all), &terms, tools)?;
        self.least = vec![(terms.minimize, best.sized.value)];
        self.incumbent.replace(best);
        Some(self.settled(all, floors, false, None))
    }
}

impl<'a, 't> Last<'a, 't> {
    /// The one design that was found, where the rounds before proved no less than `floors`.
    fn of(all: &[Candidate<'a>], only: Entry<'a>, terms: Terms<'t>, floors: &[f64]) -> Self {
        let value = only.sized.value;
        let certificate = Certificate {
            bound: floors.first().map_or(value, |floor| floor.min(value)),
            value,
            proof: Proof::Check,
            rival: Some(all[only.place].words()),
            only_goodput: false,
        };
        let settled = all.len();
        let incumbent = Incumbent { entries: vec![only], best: 0, terms, certificate, settled };
        Self { incumbent, least: vec![(terms.minimize, value)], priorities: Vec::new() }
    }
}

/// The best design of all candidates: what every quantity of the scenario leaves, one after another.
/// Its step is routed over its fabric; where that takes longer than it was timed, all are weighed
/// again (docs/formulation.md).
///
/// # Errors
/// The furthest failure, where there is no design.
pub(crate) fn chosen<'a, 't>(
    all: &[Candidate<'a>],
    failed: Option<Infeasible>,
    terms: Terms<'t>,
    tools: &mut Tools<'_>,
) -> Result<Last<'a, 't>, Option<Infeasible>> {
    let mut floors: Vec<f64> = Vec::new();
    let interfaces = all.iter().map(|of| of.job.endpoints()).max().unwrap_or(0);
    let mut round = Round::first(interfaces);
    let mut by_ratio = None;
    let mut before = Vec::new();
    loop {
        let last = match weighed(all, failed.clone(), terms, tools) {
            Ok(last) => last,
            Err(failed) if tools.is_stopped() => {
                before.extend(by_ratio);
                let best = best_held(before, fresh(all), &terms, tools);
                return best.map(|of| Last::of(all, of, terms, &floors)).ok_or(failed);
            }
            Err(failed) => {
                // Levels whose routed fabrics are too slow may have others that are fast enough.
                if by_ratio.is_none() && !round.is_first() {
                    by_ratio = best_by_ratio(all, &terms, tools);
                }
                return by_ratio.map(|of| Last::of(all, of, terms, &floors)).ok_or(failed);
            }
        };
        let Entry { job, sized, .. } = last.incumbent.best_entry();
        let refuted = corrected(job, sized.level, &sized.blueprint, round);
        if refuted {
            tools.cache.forget_paces();
        }
        if tools.is_stopped() {
            before.extend(by_ratio);
            let found = last.cut_short(all, before, (&floors, refuted), tools);
            return found.ok_or(Some(Infeasible::Interrupted));
        }
        let Some(next) = round.next().filter(|_| refuted) else {
            if refuted && last.priorities.is_empty() {
                // What was chosen last is slower than it was timed: the best that is fast enough when routed.
                before.extend(by_ratio);
                let found = last.cut_short(all, before, (&floors, refuted), tools);
                return found.ok_or(Some(Infeasible::Unknown));
            }
            return Ok(last.settled(all, &floors, refuted, by_ratio));
        };
        lower(&mut floors, &last.proven());
        // From here on levels are corrected by what other fabrics take.
        if next.is_wide() && !round.is_wide() {
            by_ratio = best_by_ratio(all, &terms, tools);
        }
        before.extend(last.incumbent.into_best());
        round = next;
    }
}

/// A number that no job of some candidates has, nor one that [`best_by_ratio`] makes of them.
fn fresh(all: &[Candidate<'_>]) -> usize {
    all.iter().map(|of| of.job.id).max().unwrap_or(0) + 2 * all.len() + 1
}

/// Lowers what is known of each quantity.
fn lower(floors: &mut Vec<f64>, proven: &[f64]) {
    floors.resize(proven.len(), f64::INFINITY);
    for (floor, proven) in floors.iter_mut().zip(proven) {
        *floor = floor.min(*proven);
    }
}

/// The best design by the times that are known.
fn weighed<'a, 't>(
    all: &[Candidate<'a>],
    failed: Option<Infeasible>,
    terms: Terms<'t>,
    tools: &mut Tools<'_>,
) -> Result<Last<'a, 't>, Option<Infeasible>> {
    let tried = entries(all, failed, &terms, tools);
    Ok(further(all, Incumbent::of(all, tried, terms)?, tools))
}

/// What the further quantities of a scenario choose, from what the first one chose; that alone where
/// there is no other.
///
/// Each quantity is capped at its least value times 1 + tolerance before the next is minimised, so
/// that every program contains the design before it and none of the earlier values is lost
/// (docs/formulation.md).
fn further<'a, 't>(
    all: &[Candidate<'a>],
    mut incumbent: Incumbent<'a, 't>,
    tools: &mut Tools<'_>,
) -> Last<'a, 't> {
    /// Rounding of sums: the best design itself has to stay within its own cap.
    const ROUNDING: f64 = 1e-9;
    let value = |incumbent: &Incumbent<'_, '_>, of: Minimize, tools: &mut Tools<'_>| {
        let entry = incumbent.best_entry();
        value_of(of, &entry.job, &entry.sized, &mut tools.cache)
    };
    let first = (incumbent.terms.minimize, incumbent.best_entry().sized.value);
    let alone = Vec::new();
    let objective = match all.first() {
        Some(any) if !any.job.scenario.objective.then.is_empty() => &any.job.scenario.objective,
        _ => return Last { incumbent, least: vec![first], priorities: alone },
    };
    let share = 1.0 + objective.tolerance + ROUNDING;
    let mut least =
        vec![(incumbent.terms.minimize, value(&incumbent, incumbent.terms.minimize, tools), None)];
    for next in &objective.then {
        if tools.is_stopped() {
            break;
        }
        let before = value(&incumbent, *next, tools);
        let done = incumbent.terms.minimize;
        let now = incumbent.best_entry();
        let caps = incumbent.terms.caps.with(done, now.sized.allowed(done, &now.job, share));
        let most: Vec<(Minimize, f64)> =
            least.iter().map(|(of, _, _)| (*of, value(&incumbent, *of, tools) * share)).collect();
        let terms = Terms { minimize: *next, caps, silent: true, ..incumbent.terms };
        let earlier = incumbent.certificate.clone();
        match Incumbent::of(all, entries(all, None, &terms, tools), terms) {
            Ok(next) if most.iter().all(|(of, most)| value(&next, *of, tools) <= *most) => {
                incumbent = next;
            }
            // The solver gave up on what is known to exist, or less of the time trains on what was found,
            // which caps do not know: the design before stays.
            Ok(_) | Err(_) => incumbent.terms = Terms { caps, ..incumbent.terms },
        }
        if !earlier.is_optimal() {
            incumbent.certificate = earlier;
        }
        least.push((*next, value(&incumbent, *next, tools), Some(before)));
    }
    let mut priority = |(of, least, before): &(Minimize, f64, Option<f64>)| {
        let taken = value(&incumbent, *of, tools);
        Priority {
            of: *of,
            given_up: (taken / least - 1.0).max(0.0),
            gained: before.map_or(0.0, |before| 1.0 - taken / before),
        }
    };
    let priorities = least.iter().map(&mut priority).collect();
    let least = least.into_iter().map(|(of, least, _)| (of, least)).collect();
    incumbent.terms.silent = false;
    Last { incumbent, least, priorities }
}

#[cfg(test)]
mod tests {
    use super::lower;

    #[test]
    fn floors_are_the_least_that_any_round_has_proven() {
        let mut floors = Vec::new();
        lower(&mut floors, &[2.0, 3.0]);
        lower(&mut floors, &[1.0, 4.0]);
        assert_eq!(floors, [1.0, 3.0]);
    }
}

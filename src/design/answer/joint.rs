//! Layouts beside the fastest one, which a design starts from: a slower one may need a cheaper network.
//! Each that could still be part of a better design is sized; bounds rule out the others.

use std::num::NonZeroUsize;

use super::joint_in_turn::jointly_in_turn;
use super::layouts_proven::LayoutsProven;
use super::lexicographic::{Incumbent, Last, chosen};
use super::rivals::{IDS, ROUNDING, Rival, Rivals, pinned, rivals};
use crate::design::candidate::layouts::{are_open_beside_network, most_sized};
use crate::design::candidate::list::{Candidate, of_machines};
use crate::design::candidate::looked_for::LISTED;
use crate::design::candidate::machine::Machine;
use crate::design::fabric::instance::Tools;
use crate::design::fabric::sized::{Sized, preferred};
use crate::design::fabric::terms::Terms;
use crate::scenario::Scenario;
use crate::sizing::{Reached, Through};

/// The best of all layouts that are open, where `first` is the best with the fastest on each machine:
/// its candidates, what is chosen of them, and how far that is proven. `None` where nothing is open, and on so
/// many GPUs of uneven domains that none would be sized: there the fastest layouts stay. Rivals are layouts of the leading workload: of the others all are part of each job.
pub(crate) fn jointly<'a, 't>(
    scenario: &'a Scenario,
    all: Vec<Candidate<'a>>,
    first: Last<'a, 't>,
    (terms, tools): (Terms<'t>, &mut Tools<'_>),
) -> (Vec<Candidate<'a>>, Last<'a, 't>, Option<LayoutsProven>) {
    let most = most_sized(scenario, all.iter().map(|of| of.job.machine));
    if !are_open_beside_network(scenario) || most == 0 {
        return (all, first, None);
    }
    if !scenario.objective.then.is_empty() {
        return jointly_in_turn(scenario, all, first, most, (terms, tools));
    }
    let mut known = best_of(&first.incumbent).clone();
    let mut value = known.value;
    let rivals = rivals(scenario, &all, value, &terms);
    let mut floor = rivals.least_unlisted();
    let Rivals { all: rivals, mut proven, .. } = rivals;
    let mut best: Option<Rival> = None;
    let mut sized = 0;
    let chosen = first.incumbent.entries[first.incumbent.best].place;
    let proven_of_first = first.incumbent.certificate.bound;
    // By number the least that a rival takes which comes no earlier.
    let mut floors: Vec<f64> = rivals.iter().map(|of| of.floor).collect();
    for number in (1..floors.len()).rev() {
        floors[number - 1] = floors[number - 1].min(floors[number]);
    }
    for (number, rival) in rivals.into_iter().enumerate() {
        if rival.floor >= value * (1.0 - ROUNDING) {
            continue;
        }
        if tools.is_stopped() {
            floor = floor.min(floors[number]);
            break;
        }
        if sized >= most || number >= LISTED {
            floor = floor.min(rival.floor);
            continue;
        }
        let on = &all[rival.place];
        let numbered = ((number + 1) * IDS, NonZeroUsize::MIN);
        let pinned = pinned(on, &rival.layouts);
        let (own, _) =
            of_machines(scenario, &[on.job.machine], Some(&pinned), (numbered, &|| false));
        // Each is on its own number of GPUs of a domain, and takes more than is known of all of them.
        let may_win = |of: &&Candidate<'_>| of.floor(&terms) < value * (1.0 - ROUNDING);
        let alike = own.iter().filter(|of| of.is_alike(&all[rival.place])).filter(may_win);
        let alike: Vec<&Candidate<'_>> = alike.collect();
        sized += usize::from(!alike.is_empty());
        proven.sized += u64::from(!alike.is_empty());
        for candidate in alike {
            match candidate.sized(&terms.below(value), tools) {
                Ok(sized) => {
                    floor = floor.min(sized.bound);
                    // Of layouts that take as much the one with the shorter step.
                    if preferred(&sized, &known) {
                        value = value.min(sized.value);
                        known = sized;
                        let Rival { floor, place, ref layouts } = rival;
                        best = Some(Rival { floor, place, layouts: layouts.clone() });
                    }
                }
                Err(reason) if reason.is_unknown() => floor = floor.min(rival.floor),
                Err(_) => {}
            }
        }
        tools.tell(|| {
            let next = floors.get(number + 1).map_or(f64::INFINITY, |next| *next);
            let bound = floor.min(proven_of_first).min(next);
            let on = &all[best.as_ref().map_or(chosen, |rival| rival.place)];
            let best = Some(on.best(terms.minimize, value, bound));
            let (done, all) = (number as u64 + 1, floors.len().min(LISTED) as u64);
            Reached { through: Through::Layouts, done, all, best }
        });
    }
    let (all, last) = match best {
        Some(rival) => taken(scenario, all, first, &rival, (terms, tools)),
        None => (all, first),
    };
    let value = best_of(&last.incumbent).value;
    if floor < value * (1.0 - ROUNDING) {
        proven.gap = 1.0 - floor / value;
    }
    (all, last, Some(proven))
}

/// What is chosen where no network does for the fastest layouts: with another one that has a design within the limits,
/// of those that may take least; its candidates and what is chosen of them. `None` where none is found.
pub(crate) fn of_other_layouts<'a, 't>(
    scenario: &'a Scenario,
    all: &[Candidate<'a>],
    (terms, tools): (Terms<'t>, &mut Tools<'_>),
) -> Option<(Vec<Candidate<'a>>, Last<'a, 't>)> {
    let most = most_sized(scenario, all.iter().map(|of| of.job.machine));
    if !are_open_beside_network(scenario) {
        return None;
    }
    let machines = each_machine(all);
    let open = rivals(scenario, all, f64::INFINITY, &terms).all;
    for (number, rival) in open.iter().take(most).enumerate() {
        if tools.is_stopped() {
            return None;
        }
        let on = &all[rival.place];
        let pinned = pinned(on, &rival.layouts);
        // No layout that is looked at later has these.
        let numbered = ((LISTED + 2 + number) * IDS, tools.options.threads);
        let (own, _) = of_machines(scenario, &machines, Some(&pinned), (numbered, &|| false));
        let mut alike = own.iter().filter(|of| of.is_alike(on));
        if alike.any(|of| of.sized(&terms, tools).is_ok())
            && let Ok(last) = chosen(&own, None, terms, tools)
        {
            return Some((own, last));
        }
    }
    None
}

/// The machines of candidates, of which those of one stand together.
fn each_machine<'a>(all: &[Candidate<'a>]) -> Vec<Machine<'a>> {
    let mut machines: Vec<Machine<'a>> = all.iter().map(|of| of.job.machine).collect();
    machines.dedup();
    machines
}

/// What is chosen where a machine runs that layout, if routing leaves it better.
fn taken<'a, 't>(
    scenario: &'a Scenario,
    all: Vec<Candidate<'a>>,
    first: Last<'a, 't>,
    rival: &Rival,
    (terms, tools): (Terms<'t>, &mut Tools<'_>),
) -> (Vec<Candidate<'a>>, Last<'a, 't>) {
    let pinned = pinned(&all[rival.place], &rival.layouts);
    let machines = each_machine(&all);
    let numbered = ((LISTED + 1) * IDS, tools.options.threads);
    let (mut own, failed) = of_machines(scenario, &machines, Some(&pinned), (numbered, &|| false));
    if tools.is_stopped() {
        own.retain(|of| of.is_alike(&all[rival.place]));
    }
    match chosen(&own, failed, terms, tools) {
        Ok(other) if preferred(best_of(&other.incumbent), best_of(&first.incumbent)) => {
            (own, other)
        }
        _ => (all, first),
    }
}

fn best_of<'i>(incumbent: &'i Incumbent<'_, '_>) -> &'i Sized {
    &incumbent.entries[incumbent.best].sized
}

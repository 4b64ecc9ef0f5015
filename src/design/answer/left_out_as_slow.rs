//! A layout that fills more of each HB domain, and that `objective.max_slowdown` leaves out as its steps are longer:
//! fewer machines may take less of what is minimised. Weighs machines alone, and chooses nothing.

use crate::design::candidate::job::Job;
use crate::design::candidate::kept::{KeptLayout, SeatCount, keep_best_layouts};
use crate::design::candidate::layouts::max_layouts_sized;
use crate::design::candidate::list::Candidate;
use crate::design::candidate::looked_for::divides_domains_evenly;
use crate::design::candidate::money::leaf_model;
use crate::design::fabric::terms::{Terms, max_allowed_step_time};
use crate::fabric::Counts;
use crate::scenario::{Assumption, Minimize, Objective};
use crate::units::Seconds;

/// Steps up to so many times as long as those that are allowed are looked at.
const LONGER: f64 = 1.25;

/// Savings that are told; smaller ones are noise of the clock.
const TOLD: f64 = 1e-3;

/// What is said of the layout that would take least, with the least network for its machines and for those
/// of a job; `None` where it saves nothing, or where all layouts take as many machines.
pub(super) fn slow_layout_assumption(job: &Job<'_>, counts: &Counts) -> Option<Assumption> {
    let (scenario, machine) = (job.scenario, job.machine);
    let by_token = scenario.objective.minimize == Minimize::UsdPerToken;
    if !job.others.is_empty() || divides_domains_evenly(scenario, machine) {
        return None;
    }
    if max_layouts_sized(scenario, std::iter::once(machine)) == 0 {
        return None; // so many GPUs that layouts beside the fastest one are not looked at
    }
    let terms = Terms::from_scenario(scenario);
    let longest = max_allowed_step_time(&job.lead, &terms);
    if longest < job.lead.reference * terms.max_slowdown
        || terms.max_slowdown >= Objective::ANY_SLOWDOWN
    {
        return None; // another limit is tighter, or there is none
    }
    let protocol = leaf_model(scenario, counts)?.protocol;
    let on = Candidate { job: job.clone(), planes: counts.planes, protocol };
    let found = keep_best_layouts(scenario, &scenario.workload, machine, longest * LONGER);
    let slow = |kept_layout: &KeptLayout| -> Vec<SeatCount> {
        let slow = |count: &&SeatCount| {
            count.timed && count.least > longest && count.least <= longest * LONGER
        };
        kept_layout.seated.iter().filter(slow).copied().collect()
    };
    let all: Vec<(&KeptLayout, SeatCount)> = found
        .layouts
        .iter()
        .flat_map(|kept_layout| slow(kept_layout).into_iter().map(move |at| (kept_layout, at)))
        .collect();
    let own = (job.used, job.domains);
    let seats: Vec<(u32, u32)> = std::iter::once(own)
        .chain(all.iter().map(|(_, seated)| seated.gpus_and_domains()))
        .collect();
    let floors = on.lower_bounds_of_layouts(&terms, &seats, None);
    let (is, others) = floors.split_first()?;
    // A token takes as much longer as its step.
    let times = |step: Seconds| if by_token { step.get() } else { 1.0 };
    let is = is * times(job.full_bisection_step_time());
    let (share, kept_layout, seated) = all
        .iter()
        .zip(others)
        .map(|((kept_layout, seated), floor)| {
            (floor * times(seated.least) / is, *kept_layout, seated)
        })
        .min_by(|(one, _, a), (other, _, b)| {
            one.total_cmp(other).then(a.least.total_cmp(&b.least))
        })?;
    let saves = if by_token { "a token would be about" } else { "it would take about" };
    let less = if by_token { "cheaper" } else { "less" };
    let layout = &kept_layout.layout;
    let most = terms.max_slowdown;
    let slowdown = seated.least / job.lead.reference;
    // To the next hundredth.
    let enough = (slowdown * 100.0).ceil() / 100.0;
    (1.0 - share >= TOLD).then(|| Assumption {
        topic: "objective.max_slowdown".to_owned(),
        text: format!(
            "{most} leaves out tensor {} x pipeline {} x data {} x context {} on {} of {} GPUs of each HB domain: \
             on {} domains, here {}, and with steps {:.1} % longer {saves} {:.1} % {less}, by \
             machines and the least network; {enough:.2} lets it in",
            layout.tensor,
            layout.pipeline,
            layout.data,
            layout.context,
            seated.used,
            machine.node.gpus,
            seated.domains,
            job.domains,
            (seated.least / job.full_bisection_step_time() - 1.0) * 100.0,
            (1.0 - share) * 100.0
        ),
        default: false,
    })
}

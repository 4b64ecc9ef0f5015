//! The families of network beside the one that was chosen, by what a token costs that is really trained: what is
//! cheapest for its pace need not be out of service least. Proves nothing.

use super::lexicographic::Incumbent;
use super::rounds::RoutingRound;
use super::verify::correct_clock_by_routing;
use crate::design::candidate::list::Candidate;
use crate::design::fabric::entries::SizedCandidate;
use crate::design::fabric::instance::SizingTools;
use crate::design::fabric::sized::is_preferred;
use crate::design::fabric::terms::Terms;
use crate::scenario::{FabricChoice, Minimize};

const FAMILIES: [FabricChoice; 3] =
    [FabricChoice::RailOnly, FabricChoice::RailOptimized, FabricChoice::Clos];

/// The incumbent; where tokens are cheaper on the best network of a family that its candidate may have, at the
/// longest step that is allowed or at the shortest, that one instead. Other quantities are proven least
/// already.
pub(crate) fn best_family_by_goodput<'a, 't>(
    all: &[Candidate<'a>],
    mut incumbent: Incumbent<'a, 't>,
    tools: &mut SizingTools<'_>,
) -> Incumbent<'a, 't> {
    let terms = Terms { silent: true, ..incumbent.terms };
    let place = incumbent.best_entry().place;
    let by_tokens = terms.minimize == Minimize::UsdPerToken && terms.fabric == FabricChoice::Auto;
    let Some(candidate) = all.get(place).filter(|_| by_tokens) else { return incumbent };
    let loose = (terms.max_slowdown, terms.own_slowdowns);
    for fabric in FAMILIES {
        for (max_slowdown, own_slowdowns) in [loose, (1.0, false)] {
            if tools.is_stopped() {
                return incumbent;
            }
            let known = &incumbent.best_entry().sized;
            let asked = Terms {
                fabric,
                max_slowdown,
                own_slowdowns,
                ..terms.with_value_limit(known.value)
            };
            let Ok(sized) = candidate.size_network(&asked, tools) else { continue };
            let job = &candidate.job;
            if is_preferred(&sized, known)
                && !correct_clock_by_routing(
                    job,
                    sized.level,
                    &sized.blueprint,
                    RoutingRound::default(),
                )
            {
                incumbent.replace_best(SizedCandidate { place, job: job.clone(), sized });
            }
        }
    }
    incumbent
}

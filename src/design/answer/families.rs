//! The families of network beside the one that was chosen, by what a token costs that is really trained: what is
//! cheapest for its pace need not be out of service least. Proves nothing.

use super::lexicographic::Incumbent;
use super::rounds::Round;
use super::verify::corrected;
use crate::design::candidate::list::Candidate;
use crate::design::fabric::entries::Entry;
use crate::design::fabric::instance::Tools;
use crate::design::fabric::sized::preferred;
use crate::design::fabric::terms::Terms;
use crate::scenario::{FabricChoice, Minimize};

const FAMILIES: [FabricChoice; 3] =
    [FabricChoice::RailOnly, FabricChoice::RailOptimized, FabricChoice::Clos];

/// The incumbent; where tokens are cheaper on the best network of a family that its candidate may have, at the
/// longest step that is allowed or at the shortest, that one instead. Other quantities are proven least
/// already.
pub(crate) fn among_families<'a, 't>(
    all: &[Candidate<'a>],
    mut incumbent: Incumbent<'a, 't>,
    tools: &mut Tools<'_>,
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
            let asked = Terms { fabric, max_slowdown, own_slowdowns, ..terms.below(known.value) };
            let Ok(sized) = candidate.sized(&asked, tools) else { continue };
            let job = &candidate.job;
            if preferred(&sized, known)
                && !corrected(job, sized.level, &sized.blueprint, Round::default())
            {
                incumbent.replace(Entry { place, job: job.clone(), sized });
            }
        }
    }
    incumbent
}

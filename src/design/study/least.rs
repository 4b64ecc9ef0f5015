//! The best of some candidates. Holds it against none.

use crate::design::candidate::list::Candidate;
use crate::design::fabric::entries::{SizedCandidate, sort_by_lower_bound};
use crate::design::fabric::instance::SizingTools;
use crate::design::fabric::sized::{SizedFabric, is_preferred};
use crate::design::fabric::terms::Terms;

/// The best of some candidates by the terms; `None` where none can be built. Those that were left
/// out, as they can't be best of all, are sized as long as they can be best of these.
pub(super) fn best_of_candidates(
    all: &[Candidate<'_>],
    some: &[usize],
    entries: &[SizedCandidate<'_>],
    terms: &Terms<'_>,
    tools: &mut SizingTools<'_>,
) -> Option<(usize, SizedFabric)> {
    let terms = Terms { silent: true, ..*terms };
    let order = sort_by_lower_bound(all, some.iter().copied(), &terms);
    let mut best: Option<(usize, SizedFabric)> = None;
    for (least, place) in order {
        if best.as_ref().is_some_and(|(_, known)| least > known.value) {
            break;
        }
        let sized = match entries.binary_search_by_key(&place, |entry| entry.place) {
            Ok(known) => entries[known].sized.clone(),
            Err(_) => {
                let asked =
                    best.as_ref().map_or(terms, |(_, best)| terms.with_value_limit(best.value));
                match all[place].size_network(&asked, tools) {
                    Ok(sized) => sized,
                    Err(_) => continue,
                }
            }
        };
        if best.as_ref().is_none_or(|(_, known)| is_preferred(&sized, known)) {
            best = Some((place, sized));
        }
    }
    best
}

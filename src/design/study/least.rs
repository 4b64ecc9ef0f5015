//! The best of some candidates. Holds it against none.

use crate::design::candidate::list::Candidate;
use crate::design::fabric::entries::{Entry, by_floor};
use crate::design::fabric::instance::Tools;
use crate::design::fabric::sized::{Sized, preferred};
use crate::design::fabric::terms::Terms;

/// The best of some candidates by the terms; `None` where none can be built. Those that were left
/// out, as they can't be best of all, are sized as long as they can be best of these.
pub(super) fn least(
    all: &[Candidate<'_>],
    some: &[usize],
    entries: &[Entry<'_>],
    terms: &Terms<'_>,
    tools: &mut Tools<'_>,
) -> Option<(usize, Sized)> {
    let terms = Terms { silent: true, ..*terms };
    let order = by_floor(all, some.iter().copied(), &terms);
    let mut best: Option<(usize, Sized)> = None;
    for (least, place) in order {
        if best.as_ref().is_some_and(|(_, known)| least > known.value) {
            break;
        }
        let sized = match entries.binary_search_by_key(&place, |entry| entry.place) {
            Ok(known) => entries[known].sized.clone(),
            Err(_) => {
                let asked = best.as_ref().map_or(terms, |(_, best)| terms.below(best.value));
                match all[place].sized(&asked, tools) {
                    Ok(sized) => sized,
                    Err(_) => continue,
                }
            }
        };
        if best.as_ref().is_none_or(|(_, known)| preferred(&sized, known)) {
            best = Some((place, sized));
        }
    }
    best
}

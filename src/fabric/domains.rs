//! HB domains of one or several sizes on the rails of one fabric: folded, or refused.
//!
//! A domain of more NICs than there are rails puts several of them on each rail, as many on one as
//! on another; what is on no rail of its partner's reaches it through either domain. Where a size
//! can't be divided so, its NICs would lie on rails that others lack.

use super::ratio::greatest_common_divisor;
use super::{FabricKind, FabricProblem};

/// Alike HB domains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HbDomainGroup {
    /// How many.
    pub count: u64,
    /// NICs of each.
    pub nics: u32,
}

/// The rails on which domains of these sizes can stand: `asked`, or the NICs of the smallest; one
/// where the family has no rails.
///
/// # Errors
/// Where a size is no multiple of the rails.
pub fn fold_on_rails(
    kind: FabricKind,
    domains: &[HbDomainGroup],
    asked: Option<u32>,
) -> Result<u32, FabricProblem> {
    let sizes = || domains.iter().map(|group| group.nics);
    if !kind.has_rails() {
        return Ok(asked.unwrap_or(1));
    }
    let rails = asked.or_else(|| sizes().min()).unwrap_or(1);
    let common = sizes().fold(0, greatest_common_divisor);
    match sizes().find(|nics| rails == 0 || !nics.is_multiple_of(rails)) {
        Some(nics) => Err(FabricProblem::Domains { nics, rails, common }),
        None => Ok(rails),
    }
}

#[cfg(test)]
mod tests {
    use super::{HbDomainGroup, fold_on_rails};
    use crate::fabric::kind::FabricKind;
    use crate::fabric::problem::FabricProblem;

    #[track_caller]
    fn case(kind: FabricKind, sizes: &[u32], asked: Option<u32>, expected: Result<u32, u32>) {
        let domains: Vec<HbDomainGroup> =
            sizes.iter().map(|nics| HbDomainGroup { count: 3, nics: *nics }).collect();
        let common = |problem| match problem {
            FabricProblem::Domains { common, .. } => common,
            other => panic!("{other}"),
        };
        assert_eq!(fold_on_rails(kind, &domains, asked).map_err(common), expected, "{sizes:?}");
    }

    #[test]
    fn large_domains_are_folded_onto_the_rails_of_small_ones() {
        case(FabricKind::RailOnly, &[72, 8], None, Ok(8));
        case(FabricKind::RailOptimized, &[8, 72, 16], None, Ok(8));
        case(FabricKind::RailOnly, &[72], None, Ok(72));
        case(FabricKind::RailOnly, &[72], Some(36), Ok(36));
        // 16 does not divide 72, but eight rails serve both.
        case(FabricKind::RailOnly, &[72, 16], None, Err(8));
        case(FabricKind::RailOnly, &[72, 16], Some(8), Ok(8));
        case(FabricKind::RailOnly, &[9, 8], None, Err(1));
        case(FabricKind::RailOnly, &[8], Some(0), Err(8));
        case(FabricKind::Clos, &[9, 8], None, Ok(1));
    }
}

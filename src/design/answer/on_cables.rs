//! What is taken for granted of a fabric that is timed on its cables, in words.

use crate::design::candidate::member::FamilyMember;
use crate::scenario::{Assumption, FabricChoice};

/// All of it; nothing where there is no such fabric.
pub(super) fn routed_family_assumptions(
    family: FabricChoice,
    member: Option<FamilyMember>,
) -> Vec<Assumption> {
    let Some(member) = member else { return Vec::new() };
    let take = |topic: &str, text| Assumption { topic: topic.to_owned(), text, default: false };
    let mut all = vec![
        take("cluster.fabric", describe_family_choice(family, member)),
        unweighed_family_assumption(),
        take("limits.within_rail", describe_oversubscription_bound(member)),
    ];
    all.extend(member.takes_detours().then(|| take("routing.detours", describe_detours())));
    all
}

/// How a fabric was chosen that is timed on its cables, and among which.
fn describe_family_choice(family: FabricChoice, member: FamilyMember) -> String {
    let among = match family {
        FabricChoice::Dragonfly => {
            "every dragonfly was open of p NICs and h links to other groups on each of the a switches of a \
             group, p + a - 1 + h ports or fewer, in as few groups as hold the NICs, at most a·h + 1 (Kim et \
             al., ISCA 2008)"
        }
        FabricChoice::ZCube => {
            "every ZCube of two rows was open (Yan et al., SIGCOMM 2025), links between the rows bought as all \
             others are"
        }
        _ => {
            "leaf switches with up to half of their ports up were open, and in three tiers spines with up to \
             half of theirs, of one model and one shape"
        }
    };
    format!(
        "{member}; {among}; each that costs less was timed by routing the step over its cables, up to what the proof \
         leaves open"
    )
}

/// That other families were no choice.
pub(crate) fn unweighed_family_assumption() -> Assumption {
    let text = "other families were not weighed: `cluster.fabric = \"any\"` takes the best of all"
        .to_owned();
    Assumption { topic: "cluster.fabric".to_owned(), text, default: false }
}

/// What a bound on oversubscription means of a fabric that is timed on its cables.
fn describe_oversubscription_bound(member: FamilyMember) -> String {
    match member.takes_detours() {
        true => "leaf switches have no uplinks here: what any two halves of the NICs have between them at least \
                 is held against a bound on oversubscription"
            .into(),
        false => "uplinks of all tiers together are held against a bound on oversubscription".into(),
    }
}

/// How messages find their way on a fabric that is no tree.
fn describe_detours() -> String {
    "each message is spread over its shortest ways, and as much of it over a switch drawn at random (Valiant) as \
     makes the slowest link of its call fastest: what adaptive routing comes near to; fabrics that route by \
     shortest ways alone are slower"
        .into()
}

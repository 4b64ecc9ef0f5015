//! What a network takes more that is less oversubscribed, or has no part whose loss stops the job.

use crate::design::{Oversubscription, Plan, Premium, SinglePoint};
use crate::report::{amount, number, warnings};

/// What the loss of a single part of the network does, where one stops the whole job or would on
/// the cheapest network.
pub(in crate::report) fn single_point_sentence(plan: &Plan) -> String {
    let Some(SinglePoint { part, pieces, without }) = &plan.failures.single_point else {
        return String::new();
    };
    let stops = || job_stop_text(part, *pieces);
    match without {
        None => format!("{}, and no network of these machines avoids that", stops()),
        Some(point) => {
            let price = format!(
                "{} more{}",
                amount::premium_text(&point.premium),
                share_of_network(&point.premium)
            );
            if point.chosen {
                format!(
                    "no link or switch alone stops the job: {price} than the best where one does"
                )
            } else {
                format!("{}; {price} would avoid it", stops())
            }
        }
    }
}

/// `the loss of any of 8 leaf switches stops the job`.
pub(in crate::report) fn job_stop_text(part: &str, pieces: u64) -> String {
    format!("losing {} stops the job", warnings::any_of(part, pieces))
}

/// That as a share of what the network takes.
fn share_of_network(premium: &Premium) -> String {
    format!(" ({} of the network)", number::percent(premium.network_share))
}

/// How far leaf switches are oversubscribed, where the default has something to say of that.
pub(in crate::report) fn oversubscription_sentence(plan: &Plan) -> String {
    let Some(this_oversubscription) = &plan.oversubscription else { return String::new() };
    if !plan.fabric.kind.is_tree() {
        return between_halves(this_oversubscription);
    }
    let ratio = |value: f64| number::oversubscription(1.0 / value);
    let (cheapest, most) =
        (ratio(this_oversubscription.cheapest), ratio(this_oversubscription.most));
    match &this_oversubscription.premium {
        None => format!(
            "leaf switches are oversubscribed {cheapest} within a rail, and no network keeps to {most}"
        ),
        Some(premium) if this_oversubscription.chosen => {
            format!(
                "oversubscription limit {most} kept: {} than at {cheapest}",
                premium_of_cluster(premium)
            )
        }
        Some(premium) => format!(
            "leaf switches are oversubscribed {cheapest} within a rail: {most} takes {}",
            premium_of_cluster(premium)
        ),
    }
}

/// `$12,000 of capex more (0.3 %)`.
fn premium_of_cluster(premium: &Premium) -> String {
    format!("{} more ({})", amount::premium_text(premium), number::percent(premium.share))
}

/// The line on oversubscription of a fabric without uplinks: what any two halves of its NICs have
/// between them at least.
fn between_halves(oversubscription: &Oversubscription) -> String {
    let share = |value: f64| number::percent(1.0 / value);
    let (cheapest, most) = (share(oversubscription.cheapest), share(oversubscription.most));
    match &oversubscription.premium {
        None => format!(
            "two halves have {cheapest} of their NICs' bandwidth between them at worst, and none has {most}"
        ),
        Some(premium) if oversubscription.chosen => format!(
            "any two halves have {most} or more of their NICs' bandwidth between them: {} than at {cheapest}",
            premium_of_cluster(premium)
        ),
        Some(premium) => format!(
            "two halves have {cheapest} of their NICs' bandwidth between them at worst: {most} takes {}",
            premium_of_cluster(premium)
        ),
    }
}

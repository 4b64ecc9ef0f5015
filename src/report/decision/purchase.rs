//! What is bought, how it is joined, what it costs and draws.

use super::performance::ROOM;
use super::verdict::is_full_clos;
use crate::cost::{BillLine, Role, paid_for_roles};
use crate::design::Plan;
use crate::fabric::FabricKind;
use crate::report::section::bill::{operation_years_text, present_value_note};
use crate::report::{number, short_number};

/// `33 dgx-h100 (1 spare), 264 NICs, 2 switches n9600-64od, 256 optics, 256 cables`.
pub(super) fn purchase_text(lines: &[BillLine]) -> String {
    let of_role =
        |role: Role| lines.iter().filter(move |line| line.role == role && line.bought_count() > 0);
    let sum = |role| of_role(role).map(BillLine::bought_count).sum::<u64>();
    let machine = |line: &BillLine| {
        format!("{} {}{}", number::count(line.bought_count()), line.part, notes_text(line))
    };
    let switch = |line: &BillLine| {
        let count = number::count_with_noun(line.bought_count(), "switch", "switches");
        format!("{count} {}{}", line.part, notes_text(line))
    };
    let mut all: Vec<String> = of_role(Role::Node).map(machine).collect();
    all.extend(
        of_role(Role::Memory)
            .map(|line| format!("{} GiB of host memory", number::count(line.bought_count()))),
    );
    let nics = sum(Role::Nic);
    all.extend((nics > 0).then(|| number::count_with_noun(nics, "NIC", "NICs")));
    all.extend(of_role(Role::Switch).map(switch));
    match (sum(Role::Optic), sum(Role::Cable)) {
        (optics, cables) if optics == cables && optics > 0 => {
            all.push(format!("{} optics, as many cables", number::count(optics)));
        }
        (optics, cables) => {
            all.extend((optics > 0).then(|| number::count_with_noun(optics, "optic", "optics")));
            all.extend((cables > 0).then(|| number::count_with_noun(cables, "cable", "cables")));
        }
    }
    let text = all.join(", ");
    match text.chars().count() {
        0 => "nothing: you own all parts".to_owned(),
        // What does not fit says the least of its last two.
        long if long > ROOM && sum(Role::Cable) > 0 && sum(Role::Optic) > 0 => {
            let (optics, cables) = (sum(Role::Optic), sum(Role::Cable));
            let links = number::count(optics + cables);
            all.truncate(all.len() - if optics == cables { 1 } else { 2 });
            format!("{}, {links} optics + cables", all.join(", "))
        }
        _ => text,
    }
}

/// `(1 spare, 24 more owned)`; nothing where there is neither.
fn notes_text(line: &BillLine) -> String {
    let spare = (line.spares > 0).then(|| format!("{} spare", number::count(line.spares)));
    let owned = (line.owned > 0).then(|| format!("{} more owned", number::count(line.owned)));
    let notes: Vec<String> = spare.into_iter().chain(owned).collect();
    if notes.is_empty() { String::new() } else { format!(" ({})", notes.join(", ")) }
}

/// A full-bisection Clos by that name, else the family.
pub(in crate::report) fn fabric_name(plan: &Plan) -> String {
    match plan.fabric.kind {
        FabricKind::Clos if is_full_clos(plan) => "full-bisection Clos".to_owned(),
        FabricKind::Clos => "Clos".to_owned(),
        kind => kind.name().to_owned(),
    }
}

/// `rail-only: 8 rails, 1 tier, not oversubscribed, 256 links of 400 Gb/s`.
pub(super) fn network_text(plan: &Plan) -> String {
    let fabric = &plan.fabric;
    let mut all = Vec::new();
    if fabric.kind.has_rails() {
        all.push(number::count_with_noun(fabric.rails, "rail", "rails"));
    }
    if fabric.planes > 1 {
        all.push(format!("{} planes", fabric.planes));
    }
    if fabric.tier_count() == 0 && fabric.kind.is_tree() {
        return format!("{}: no switches", fabric_name(plan));
    }
    if fabric.kind.is_tree() {
        all.push(number::count_with_noun(fabric.tier_count() as u64, "tier", "tiers"));
        all.push(oversubscription_text(plan));
    } else {
        all.push(number::count_with_noun(fabric.switch_count(), "switch", "switches"));
        let kept = short_number::percent(fabric.within_rail);
        all.push(format!("{kept} of NIC rate between any two halves"));
    }
    let other: u64 = fabric.other_links.iter().map(|group| group.count).sum();
    let links = fabric.host_links + fabric.leaf_spine_links + fabric.spine_core_links + other;
    all.push(format!("{} links of {}", number::count(links), number::link_rate(fabric.link)));
    format!("{}: {}", fabric_name(plan), all.join(", "))
}

fn oversubscription_text(plan: &Plan) -> String {
    let fabric = &plan.fabric;
    let (within, across) = (fabric.within_rail, fabric.across_rails);
    let uplinks = || format!("uplinks oversubscribed {}", number::oversubscription(within));
    match (within < 1.0, fabric.kind.has_rails() && fabric.kind.joins_rails() && across < within) {
        (false, false) => "not oversubscribed".to_owned(),
        (true, false) => uplinks(),
        (true, true) => format!("{}, {} across rails", uplinks(), number::oversubscription(across)),
        (false, true) => {
            format!("oversubscribed {} across rails", number::oversubscription(across))
        }
    }
}

/// The price and what it is made of; then that of all networks, where those are counted.
pub(in crate::report) fn price_lines(plan: &Plan) -> Vec<String> {
    let cost = &plan.cost;
    let paid = |read: fn(Role) -> bool| short_number::money(paid_for_roles(&plan.bill, read));
    let machines = if plan.prices_machines() {
        paid(|role| matches!(role, Role::Node | Role::Memory))
    } else {
        "unpriced".to_owned()
    };
    let nics = || plan.bill.iter().filter(|line| line.role == Role::Nic);
    let machines = if nics().next().is_some() && nics().all(BillLine::is_covered) {
        format!("machines with NICs {machines}")
    } else {
        format!("machines {machines} + NICs {}", paid(|role| role == Role::Nic))
    };
    let first = format!(
        "{} = {machines} + network {}; {} with {} of power{}",
        short_number::money(cost.capex),
        short_number::money(cost.network_capex),
        short_number::money(cost.tco),
        operation_years_text(cost),
        present_value_note(cost),
    );
    let all = cost.whole.as_ref().map(|all| {
        format!(
            "{} with other networks ({}) and installation ({})",
            short_number::money(all.capex),
            short_number::money(all.networks),
            short_number::money(all.installation)
        )
    });
    std::iter::once(first).chain(all).collect()
}

pub(super) fn power_text(plan: &Plan) -> String {
    format!(
        "{} of equipment, {} with cooling (PUE {})",
        number::power(plan.cost.power),
        number::power(plan.cost.power_with_cooling()),
        plan.cost.pue
    )
}

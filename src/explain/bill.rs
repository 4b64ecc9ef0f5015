//! Explains the lines of the bill: how many of a part are used, owned, kept in store and bought,
//! and at which price. Adds no lines up.

use super::explanation::{ExplainedInput, Explanation, InputOrigin};
use super::inputs::{Facts, explained_input, found_input, preset_origin, quantity_input};
use super::named_inputs::named_inputs;
use crate::cost::{BillLine, Role};
use crate::fabric::SwitchTier;
use crate::quantity::row::{LINKS, MODULES, NETWORK_CAPITAL, PLANES, POWER, SPARES, TWO_TIERS};
use crate::units::{Amount, Usd};

pub(super) fn bill_explanations(facts: &Facts<'_>) -> Vec<Explanation> {
    let line = |line| {
        let (held, paid) =
            ([explain_count, explain_owned, explain_spares], explain_line_total(line));
        let held = held.map(|explain| explain(facts, line));
        held.into_iter()
            .chain([explain_piece_power(line), paid])
            .chain(explain_price(line))
            .chain(price_alone(line))
    };
    facts.plan.bill.iter().flat_map(line).collect()
}

/// `bom.qm9700.count`.
pub(super) fn bill_line_key(line: &BillLine, text: &str) -> String {
    format!("bom.{}.{text}", line.part)
}

fn explain_count(facts: &Facts<'_>, line: &BillLine) -> Explanation {
    let pieces =
        |name, words| vec![found_input(name, Amount::from_count(line.powered_count()), words)];
    let cabled = || facts.plan.bill.iter().any(|line| line.role == Role::Cable);
    let (formula, equations, inputs): (_, &'static [_], _) = match line.role {
        Role::Node => (
            "⌈N / K⌉ + S",
            &[TWO_TIERS],
            named_inputs(facts, &["cluster.gpus", "node.gpus", "failures.standby_domains"]),
        ),
        Role::Memory => {
            let words = "GiB that the job needs beyond what ships";
            let each = Amount::from_count(pieces_of_a_machine(facts, line));
            let mut inputs = named_inputs(facts, &["HB domains M", "failures.standby_domains"]);
            inputs.push(found_input("GiB of a host", each, words));
            ("(HB domains + S) · GiB of a host", &[TWO_TIERS], inputs)
        }
        Role::Nic => (
            "(M + S) · NICs of a domain",
            &[PLANES],
            named_inputs(facts, &["HB domains M", "failures.standby_domains", "node.nics"]),
        ),
        Role::Switch => {
            let layer = |tier: &SwitchTier| {
                let name = format!("in the {} layer", tier.name.name());
                found_input(name, Amount::from_count(tier.count), "counted on the fabric")
            };
            let alike = facts.fabric.tiers.iter().filter(|tier| tier.model == line.part);
            ("Σ over layers + spares", &[TWO_TIERS], alike.map(layer).collect())
        }
        Role::Optic if cabled() => {
            let words = "each has one module for its ports";
            ("cages in use + spares", &[MODULES], pieces("cages in use", words))
        }
        Role::Optic => {
            let words = "two for each optical link of that rate";
            ("ends of links + spares", &[LINKS], pieces("ends of links", words))
        }
        Role::Cable => {
            let links = Amount::from_count(facts.fabric.link_count());
            let words = "host links, and links between switches";
            ("⌈links · cables of a link⌉", &[MODULES], vec![found_input("links", links, words)])
        }
        // Beside the bill of a design: docs/equations.md §7.17.
        Role::Appliance | Role::Labour => {
            ("pieces", &[], pieces("pieces", "switches and servers of [networks]"))
        }
    };
    let stored = line.role.is_network().then(|| {
        quantity_input("spares", bill_line_key(line, "spares"), Amount::from_count(line.spares))
    });
    Explanation::new(
        bill_line_key(line, "count"),
        format!("{} in use and in store", line.part),
        Amount::from_count(line.count),
        formula,
        equations,
    )
    .with_inputs(inputs)
    .with_inputs(stored)
}

/// Pieces of a part that stand in one HB domain.
fn pieces_of_a_machine(facts: &Facts<'_>, line: &BillLine) -> u64 {
    line.powered_count() / u64::from(facts.plan.nodes.domains).max(1)
}

fn explain_owned(facts: &Facts<'_>, line: &BillLine) -> Explanation {
    let own = Amount::from_count(line.owned);
    let (from, formula, stock) = if line.is_covered() {
        let words = "inside owned machines, whose price covers them";
        (
            "inside owned machines",
            "those inside owned machines",
            found_input("inside owned machines", own.clone(), words),
        )
    } else {
        let stock = facts.scenario.inventory.get(&line.part).copied().unwrap_or(0);
        let origin = InputOrigin::Spec("inventory");
        (
            "owned",
            "the lesser of what is counted and what is owned",
            explained_input("owned", Amount::from_count(stock), origin),
        )
    };
    Explanation::new(
        bill_line_key(line, "owned"),
        format!("{} {from}", line.part),
        own,
        formula,
        &[NETWORK_CAPITAL],
    )
    .with_inputs([count_input(line), stock])
}

fn explain_spares(facts: &Facts<'_>, line: &BillLine) -> Explanation {
    let store = facts.scenario.spares.as_ref();
    let rate = store.and_then(|spares| match line.role {
        Role::Switch => Some((spares.switch_failures, "spares.switch_failures", spares)),
        Role::Optic => Some((spares.optic_failures, "spares.optic_failures", spares)),
        Role::Node | Role::Memory | Role::Nic | Role::Cable | Role::Appliance | Role::Labour => {
            None
        }
    });
    let formula = match (&rate, store) {
        (Some(_), _) => {
            "the least S with P(Poisson(pieces · failures · lead time) ≤ S) ≥ fill rate"
        }
        (None, Some(_)) => "those of spare machines",
        (None, None) => "those of spare machines; of the rest none, as no [spares] is stated",
    };
    let stated = |name, value, key| explained_input(name, value, InputOrigin::Spec(key));
    let inputs = rate.map(|(failures, key, spares)| {
        let pieces = Amount::from_count(line.powered_count());
        [
            found_input("pieces in use", pieces, "counted on the fabric"),
            stated("failures of a piece in a year", Amount::Number(failures), key),
            stated("lead time", Amount::Time(spares.lead), "spares.lead_days"),
            stated("fill rate", Amount::Share(spares.fill_rate), "spares.fill_rate"),
        ]
    });
    let standby = line.role.stands_by().then(|| {
        let each = Amount::from_count(pieces_of_a_machine(facts, line));
        let mut inputs = named_inputs(facts, &["failures.standby_domains"]);
        inputs.push(found_input("of each machine", each, "inside it"));
        inputs
    });
    Explanation::new(
        bill_line_key(line, "spares"),
        format!("{} in store until one fails", line.part),
        Amount::from_count(line.spares),
        formula,
        &[SPARES],
    )
    .with_inputs(inputs.into_iter().flatten())
    .with_inputs(standby.into_iter().flatten())
}

/// The price of one; `None` where no book names it.
pub(super) fn explain_price(line: &BillLine) -> Option<Explanation> {
    let price = line.unit.as_ref()?;
    let explanation = Explanation::new(
        bill_line_key(line, "unit_usd"),
        format!("price of one {}", line.part),
        Amount::Money(price.amount),
        if line.is_covered() {
            "nothing: the price of another part has it in it"
        } else {
            "as the price book or the spec states it"
        },
        &[NETWORK_CAPITAL],
    );
    Some(explanation.with_inputs([stated_price(line)]))
}

/// The price of one by itself, where the price of another part has it in it.
pub(super) fn price_alone(line: &BillLine) -> Option<Explanation> {
    let alone = Amount::Money(line.unit.as_ref()?.quote.alone?);
    let explanation = Explanation::new(
        bill_line_key(line, "alone_usd"),
        format!("price of one {} bought by itself", line.part),
        alone.clone(),
        "as the price book states the part; no sum has it, as the price of another part includes it",
        &[NETWORK_CAPITAL],
    );
    let origin = InputOrigin::Found("the price book's own price of the part");
    Some(explanation.with_inputs([explained_input(
        format!("price of {}", line.part),
        alone,
        origin,
    )]))
}

fn explain_line_total(line: &BillLine) -> Explanation {
    let owned =
        quantity_input("owned", bill_line_key(line, "owned"), Amount::from_count(line.owned));
    let price = match &line.unit {
        Some(price) => quantity_input(
            "price of one",
            bill_line_key(line, "unit_usd"),
            Amount::Money(price.amount),
        ),
        None => stated_price(line),
    };
    Explanation::new(
        bill_line_key(line, "total_usd"),
        format!("what is paid for {}", line.part),
        Amount::Money(line.total),
        "(count − owned) · price of one",
        &[NETWORK_CAPITAL],
    )
    .with_inputs([count_input(line), owned, price])
}

pub(super) fn explain_piece_power(line: &BillLine) -> Explanation {
    Explanation::new(
        bill_line_key(line, "power_w"),
        format!("power of one {}", line.part),
        Amount::Power(line.power),
        "as its data sheet states it",
        &[POWER],
    )
    .with_inputs([drawn_by_one(line)])
}

fn count_input(line: &BillLine) -> ExplainedInput {
    quantity_input("count", bill_line_key(line, "count"), Amount::from_count(line.count))
}

/// The price of one with who states it; nothing where no book has it.
pub(super) fn stated_price(line: &BillLine) -> ExplainedInput {
    let (value, origin) = match &line.unit {
        Some(price) => (price.amount, InputOrigin::Priced(price.clone())),
        None => (Usd::ZERO, InputOrigin::Found("no price: listed as unpriced")),
    };
    explained_input(format!("price of {}", line.part), Amount::Money(value), origin)
}

/// The power of one with who states it.
pub(super) fn drawn_by_one(line: &BillLine) -> ExplainedInput {
    let sheet = |kind| preset_origin(kind, &line.part, "power");
    let origin = match line.role {
        // The interfaces of a product have a line of their own.
        Role::Node => InputOrigin::Found("`power` of the node preset less that of its NICs"),
        Role::Memory => InputOrigin::Found("in the product's"),
        Role::Nic => sheet("nic"),
        Role::Switch => sheet("switch"),
        Role::Optic => sheet("optic"),
        Role::Cable => sheet("cable"),
        Role::Appliance | Role::Labour => sheet("appliance"),
    };
    explained_input(format!("watts of {}", line.part), Amount::Power(line.power), origin)
}

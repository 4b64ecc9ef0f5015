//! Explains the layers of switches: their ports, and how many there are. Counts none.

use super::explanation::{ExplainedInput, Explanation};
use super::input_lists::CHOSEN;
use super::inputs::{Facts, explained_input, preset_origin, quantity_input};
use crate::fabric::SwitchTier;
use crate::quantity::row::{PLANES, TWO_TIERS};
use crate::units::Amount;

pub(super) fn tier_explanations(facts: &Facts<'_>) -> Vec<Explanation> {
    let tiers = facts.plan.fabric.tiers.iter().enumerate();
    tiers.flat_map(|(place, tier)| explain_tier(facts, place, tier)).collect()
}

/// `fabric.tiers.0.count` and its like.
fn explain_tier(facts: &Facts<'_>, place: usize, tier: &SwitchTier) -> [Explanation; 5] {
    let key = |text: &str| format!("fabric.tiers.{place}.{text}");
    let what = |text: &str| format!("{text}: {} {}", tier.name.name(), tier.model);
    let explained = |text: &str, meaning: &str, value: Amount, formula, equations| {
        Explanation::new(key(text), what(meaning), value, formula, equations)
    };
    [
        explained("radix", "ports of a switch", Amount::from_count(tier.radix), RADIX, &[PLANES])
            .with_inputs(tier_ports(facts, tier)),
        explained("count", "switches", Amount::from_count(tier.count), CHOSEN, &[TWO_TIERS]),
        explained(
            "down",
            "ports of a switch towards the NICs, used or not",
            Amount::from_count(tier.down),
            CHOSEN,
            &[TWO_TIERS],
        ),
        explained(
            "up",
            "ports of a switch to the layer above",
            Amount::from_count(tier.up),
            CHOSEN,
            &[TWO_TIERS],
        ),
        explained(
            "ports_used",
            "ports in use over all switches",
            Amount::from_count(tier.ports_used),
            "ends of links at them",
            &[TWO_TIERS],
        ),
    ]
}

const RADIX: &str = "ports · min(port rate / link rate, ports that one splits into)";

/// What the ports of a model at the link rate follow from.
fn tier_ports(facts: &Facts<'_>, tier: &SwitchTier) -> Vec<ExplainedInput> {
    let Some(switch) = facts
        .scenario
        .catalogue
        .switches
        .iter()
        .find(|switch_model| switch_model.name == tier.model)
    else {
        return Vec::new();
    };
    let sheet = |name: &str, entry, value| {
        explained_input(name, value, preset_origin("switch", &switch.name, entry))
    };
    let link = Amount::Link(facts.plan.fabric.link);
    vec![
        sheet("ports", "ports", Amount::from_count(switch.ports)),
        sheet("port rate", "port_speed", Amount::Link(switch.port_bandwidth)),
        sheet("splits of a port", "max_split", Amount::from_count(switch.max_split)),
        quantity_input("link rate", "fabric.link_gbit_per_s", link),
    ]
}

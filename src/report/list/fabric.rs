//! Tiers of switches, and what joins the GPUs of HB domains.

use super::{ListColumn, json_column, number_column, word_column};
use crate::fabric::SwitchTier;
use crate::hardware::DomainInside;

/// What joins the GPUs of HB domains.
pub(in crate::report) const INSIDE_COLUMNS: &[ListColumn<DomainInside>] = &[
    json_column("switches", |inside| inside.switches.into()),
    json_column("links", |inside| inside.links.into()),
    json_column("all_switches", |inside| inside.all_switches.into()),
    json_column("all_links", |inside| inside.all_links.into()),
];

/// Switches by layer and model.
pub(in crate::report) const TIER_COLUMNS: &[ListColumn<SwitchTier>] = &[
    word_column("name", "tier", |tier: &SwitchTier| tier.name.name().into()).with_csv_key("tier"),
    json_column("model", |tier| (&tier.model).into()),
    word_column("model", "switch", |tier: &SwitchTier| {
        (!tier.model.is_empty()).then_some(&tier.model).into()
    })
    .only_in_tables(),
    number_column("count", "count", |tier| tier.count.into()),
    number_column("radix", "ports each", |tier| tier.radix.into()),
    number_column("down", "down", |tier: &SwitchTier| tier.down.into()).with_csv_key("down_ports"),
    json_column("up", |tier| tier.up.into()),
    number_column("up_ports", "up", |tier: &SwitchTier| (tier.up > 0).then_some(tier.up).into())
        .only_in_tables(),
    number_column("ports_used", "ports used", |tier| tier.ports_used.into()),
    number_column("ports_free", "ports free", |tier: &SwitchTier| tier.ports_free().into())
        .only_in_tables(),
];

//! `[networks]`: those beside the compute network, with the switches and servers that they name.

use super::context::Context;
use super::shelf::{Drawer, Shelf, part_asker};
use crate::hardware::{Appliance, Switch};
use crate::keys::{Key, Values};
use crate::scenario::{Control, InBandNetwork, Networks, OutOfBandNetwork, StorageNetwork};
use crate::spec::reader::Reader;

/// The networks that the spec has tables for; `None` where one names what nothing is.
pub(super) fn resolve_networks(context: &mut Context<'_>, shelf: &Shelf) -> Option<Networks> {
    let all = context.section_reader("networks");
    let parts = context
        .root
        .sub_tables("workload")
        .iter()
        .any(|table_reader| table_reader.is_stated("gpus"));
    if context.root.is_stated("networks") && (parts || context.root.is_stated("stage")) {
        let message =
            "other networks are sized for one cluster, not for parts or stages".to_owned();
        let hint = "take [networks] out, or design each cluster in a spec of its own";
        context.report_contradiction(&all, "storage", message, hint);
    }
    let mut networks = Networks::default();
    if let Some(reader) = all.sub_table("storage") {
        let found = shelf.switches.find_part(
            context,
            &name_or_default(&reader, "switch"),
            switch_asker(&reader),
        )?;
        let model = Switch::read(&found, name_or_default(&reader, "switch"))?;
        networks.storage = Some(StorageNetwork::read(&reader, model)?);
    }
    if let Some(reader) = all.sub_table("in_band") {
        let model = resolve_appliance(context, &shelf.appliances, &reader, "switch")?;
        networks.in_band = Some(InBandNetwork::read(&reader, model)?);
    }
    if let Some(reader) = all.sub_table("out_of_band") {
        let model = resolve_appliance(context, &shelf.appliances, &reader, "switch")?;
        networks.out_of_band = Some(OutOfBandNetwork::read(&reader, model)?);
    }
    if let Some(reader) = all.sub_table("control") {
        let manager = resolve_appliance(context, &shelf.appliances, &reader, "manager")?;
        let server = resolve_appliance(context, &shelf.appliances, &reader, "server")?;
        networks.control = Some(Control::read(&reader, manager, server)?);
    }
    Some(networks)
}

/// The name that a key has, stated or by default.
fn name_or_default(reader: &Reader<'_>, key: &str) -> String {
    let declared: Option<&Key> = reader.section().find_key(key);
    declared.and_then(|key| reader.choice_value(key)).unwrap_or_default()
}

fn switch_asker(reader: &Reader<'_>) -> Option<(String, crate::spec::document::TextPlace)> {
    part_asker(reader, "switch")
}

/// The appliance that a key names.
fn resolve_appliance(
    context: &mut Context<'_>,
    drawer: &Drawer,
    reader: &Reader<'_>,
    key: &str,
) -> Option<Appliance> {
    let name = name_or_default(reader, key);
    let found = drawer.find_part(context, &name, part_asker(reader, key))?;
    Appliance::read(&found, name)
}

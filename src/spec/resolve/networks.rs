//! `[networks]`: those beside the compute network, with the switches and servers that they name.

use super::context::Context;
use super::shelf::{Drawer, Shelf, asker};
use crate::hardware::{Appliance, Switch};
use crate::keys::{Key, Values};
use crate::scenario::{Control, InBandNetwork, Networks, OutOfBandNetwork, StorageNetwork};
use crate::spec::reader::Reader;

/// The networks that the spec has tables for; `None` where one names what nothing is.
pub(super) fn networks(context: &mut Context<'_>, shelf: &Shelf) -> Option<Networks> {
    let all = context.section("networks");
    let parts = context.root.tables("workload").iter().any(|of| of.is_stated("gpus"));
    if context.root.is_stated("networks") && (parts || context.root.is_stated("stage")) {
        let message =
            "other networks are sized for one cluster, not for parts or stages".to_owned();
        let hint = "take [networks] out, or design each cluster in a spec of its own";
        context.contradiction(&all, "storage", message, hint);
    }
    let mut networks = Networks::default();
    if let Some(reader) = all.sub_table("storage") {
        let found = shelf.switches.find(context, &name(&reader, "switch"), place(&reader))?;
        let model = Switch::read(&found, name(&reader, "switch"))?;
        networks.storage = Some(StorageNetwork::read(&reader, model)?);
    }
    if let Some(reader) = all.sub_table("in_band") {
        let model = appliance(context, &shelf.appliances, &reader, "switch")?;
        networks.in_band = Some(InBandNetwork::read(&reader, model)?);
    }
    if let Some(reader) = all.sub_table("out_of_band") {
        let model = appliance(context, &shelf.appliances, &reader, "switch")?;
        networks.out_of_band = Some(OutOfBandNetwork::read(&reader, model)?);
    }
    if let Some(reader) = all.sub_table("control") {
        let manager = appliance(context, &shelf.appliances, &reader, "manager")?;
        let server = appliance(context, &shelf.appliances, &reader, "server")?;
        networks.control = Some(Control::read(&reader, manager, server)?);
    }
    Some(networks)
}

/// The name that a key has, stated or by default.
fn name(reader: &Reader<'_>, key: &str) -> String {
    let declared: Option<&Key> = reader.section().key(key);
    declared.and_then(|key| reader.word(key)).unwrap_or_default()
}

fn place(reader: &Reader<'_>) -> Option<(String, crate::spec::document::TextPlace)> {
    asker(reader, "switch")
}

/// The appliance that a key names.
fn appliance(
    context: &mut Context<'_>,
    drawer: &Drawer,
    reader: &Reader<'_>,
    key: &str,
) -> Option<Appliance> {
    let name = name(reader, key);
    let found = drawer.find(context, &name, asker(reader, key))?;
    Appliance::read(&found, name)
}

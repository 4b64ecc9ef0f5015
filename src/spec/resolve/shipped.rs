//! Presets as values, for those who need them without a spec: the validation, single fabrics.

use std::collections::BTreeMap;

use super::context::Context;
use super::hardware::resolve_catalogue;
use super::shelf::Shelf;
use crate::hardware::{Node, Switch};
use crate::spec::document::EMPTY;
use crate::spec::reader::Reader;
use crate::workload::{Collectives, Framework};

/// Every node that ships, by name.
pub(crate) fn shipped_nodes() -> BTreeMap<String, Node> {
    let mut context = Context::new(&EMPTY);
    let shelf = Shelf::new(&mut context);
    let names: Vec<String> = shelf.nodes.item_names().cloned().collect();
    names
        .into_iter()
        .filter_map(|name| shelf.resolve_node(&mut context, &name, None).map(|node| (name, node)))
        .collect()
}

/// Every switch that ships, by name.
pub(crate) fn shipped_switches() -> BTreeMap<String, Switch> {
    let mut context = Context::new(&EMPTY);
    let shelf = Shelf::new(&mut context);
    let catalogue = resolve_catalogue(&mut context, &shelf);
    catalogue.switches.into_iter().map(|switch| (switch.name.clone(), switch)).collect()
}

/// Every training stack that ships, by name.
pub(crate) fn shipped_frameworks() -> BTreeMap<String, Framework> {
    let stacks = Context::new(&EMPTY).presets.entries_of_kind("frameworks");
    stacks
        .entries
        .keys()
        .filter_map(|name| {
            let reader =
                Reader::new(stacks.get_table(name)?, &Framework::SECTION, "framework", None);
            Some((name.clone(), Framework::read(&reader, name.clone(), Collectives::DEFAULT)?))
        })
        .collect()
}

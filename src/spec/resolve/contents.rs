//! What the price of a machine has in it: stated for machines alone, of the machine that was quoted, and
//! never with the network, which a design adds.

use super::context::Context;
use super::shelf::Shelf;
use crate::cost::node_price;
use crate::hardware::{Included, Node, Price, PriceBook, PricedItem};
use crate::spec::book::BookEntry;
use crate::spec::problem::ProblemKind;
use crate::spec::reader::Reader;

/// Keys of what is in a price.
const KEYS: [&str; 2] = ["includes", "level"];

/// Refuses what a price has in it where it is of no machine.
pub(super) fn only_of_machines(
    context: &mut Context<'_>,
    shelf: &Shelf,
    reader: &Reader<'_>,
    path: &str,
    item: &PricedItem,
) {
    if is_machine(shelf, item) {
        return;
    }
    for key in KEYS.into_iter().filter(|key| reader.is_stated(key)) {
        let kind = no_machine(key, item);
        context.add_problem(format!("{path}.{key}"), reader.place_of(key), kind);
    }
}

/// Refuses the same in a book of the user's own.
pub(super) fn only_of_machines_in(context: &mut Context<'_>, shelf: &Shelf, entries: &[BookEntry]) {
    let Some(book) = context.book else { return };
    for entry in entries.iter().filter(|entry| !is_machine(shelf, &entry.item)) {
        let Some(price) = book.prices.prices.get(&entry.item) else { continue };
        if !price.quote.is_silent() {
            let key = if price.quote.includes.is_empty() { "level" } else { "includes" };
            context.add_problem(format!("price.{key}"), entry.name, no_machine(key, &entry.item));
        }
    }
}

fn is_machine(shelf: &Shelf, item: &PricedItem) -> bool {
    match item {
        PricedItem::Part(name) => {
            shelf.nodes.has_part(name)
                || shelf.families.has_part(name)
                || shelf.find_domain(name).is_some()
        }
        _ => false,
    }
}

fn no_machine(key: &str, item: &PricedItem) -> ProblemKind {
    let message = format!("`{key}` has no effect: `{item}` is no machine");
    let hint = "state it beside the price of a machine, or leave it out".to_owned();
    ProblemKind::Contradiction { message, hint }
}

/// A shipped price of a machine whose interfaces the spec changes covers only those that were quoted: with
/// another interface, or more of them, none of the machine's.
pub(super) fn uncover_changed(context: &mut Context<'_>, name: &str, price: &mut Price) {
    let hardware = context.document.get_table("hardware");
    let Some(own) = hardware
        .and_then(|spec_table| spec_table.get_table("nodes"))
        .and_then(|spec_table| spec_table.get_table(name))
    else {
        return;
    };
    let Some(shipped) = context.presets.entries_of_kind("nodes").get_table(name) else { return };
    let read = |table| Reader::new(table, &Node::SECTION, "", None);
    let (own, shipped) = (read(own), read(shipped));
    let other = own.read_text("nic").is_some_and(|nic| shipped.read_text("nic") != Some(nic));
    let more = own.small_count("nics") > shipped.small_count("nics");
    if (other || more) && price.quote.includes.remove(&Included::Nic) {
        let text = format!(
            "the price of {name} is that of the machine with {} x {}: the spec's own are bought on top",
            shipped.small_count("nics").unwrap_or_default(),
            shipped.read_text("nic").unwrap_or_default()
        );
        context.note_preset_default(format!("prices.{name}"), text);
    }
}

/// Refuses machines whose price has the network in it: a design adds one, and would count it twice.
pub(super) fn refuse_priced_fabric(context: &mut Context<'_>, nodes: &[Node], book: &PriceBook) {
    let reader = context.section_reader("cluster");
    let level = |node: &Node| {
        let quote = node_price(book, node)?.quote;
        Some(quote.level.map_or("no level", |level| level.name()))
    };
    let has_fabric =
        |node: &&Node| node_price(book, node).is_some_and(|price| price.quote.has_fabric());
    for node in nodes.iter().filter(has_fabric) {
        let others = nodes.iter().filter(|other| !has_fabric(other));
        let others: Vec<String> = others
            .filter_map(|this_node| Some(format!("`{}` ({})", this_node.name, level(this_node)?)))
            .collect();
        let beside = if others.is_empty() {
            String::new()
        } else {
            format!(", so it can't be compared with {}", others.join(", "))
        };
        let message = format!(
            "the price of `{}` ({}) has switches, modules and cables in it, which a design adds{beside}",
            node.name,
            level(node).unwrap_or("no level")
        );
        let hint = "state the price of the machine without its network: `level = \"system\"` or \
                    `\"rack\"`, `includes = [\"nic\"]`";
        context.report_contradiction(&reader, "node", message, hint);
    }
}

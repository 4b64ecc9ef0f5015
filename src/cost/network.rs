//! The bill of a fabric by itself: switches and transceivers, no machines and no interfaces.

use std::collections::BTreeMap;

use super::bill::{BillLine, BillParts, bill_lines};
use crate::fabric::Counts;
use crate::hardware::{Catalogue, Node, PriceBook, Switch};
use crate::units::Usd;

/// What a fabric of one switch model takes, at a book's prices, and what that costs in all.
///
/// `catalogue` names the transceivers; `node` is any product, none of which is on the bill. What
/// has no price counts nothing, and its line says so. Cables have none.
#[must_use]
pub fn fabric_bill(
    counts: &Counts,
    switch: &Switch,
    catalogue: &Catalogue,
    prices: &PriceBook,
    node: &Node,
) -> (Vec<BillLine>, Usd) {
    let optics = counts.transceivers_by_rate().into_iter();
    let parts = BillParts {
        nodes: (node, 0),
        standby: 0,
        host_memory: 0,
        nic: &node.nic,
        switches: vec![(switch, counts.switch_count())],
        optics: optics.map(|(rate, count)| (rate, catalogue.find_optic(rate), count)).collect(),
        links: Vec::new(),
    };
    let lines = bill_lines(&parts, prices, &BTreeMap::new(), None);
    let total = lines.iter().map(|line| line.total).sum();
    (lines, total)
}

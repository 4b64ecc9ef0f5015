//! What the price of a machine has in it, and whether prices of machines to choose from are of one kind.

use super::warning::{PricedAs, Warning};
use crate::cost::{are_comparable, covering_price, nic_price, node_price};
use crate::hardware::{Included, Nic, Node, Price, PriceBook};
use crate::units::format_price as usd;

/// What is taken for the price of interfaces, in words; `None` where no book has one.
pub(super) fn nic_price_in_words(book: &PriceBook, node: &Node, nic: &Nic) -> Option<String> {
    let (machine, name) = (&node.name, &nic.name);
    let alone =
        nic_price(book, nic).map(|price| format!("{} ({})", usd(price.amount), price.origin()));
    if covering_price(book, node, nic).is_some() {
        let alone = alone.map_or_else(|| "no price".to_owned(), |text| format!("{text} by itself"));
        return Some(format!("{name} is in the price of {machine}; {alone}"));
    }
    let alone = alone?;
    let quote = node_price(book, node).map(|price| price.quote).unwrap_or_default();
    let own = &node.nic.name;
    Some(if quote.includes.contains(&Included::Nic) {
        format!(
            "{name} at {alone}, in place of {own}, which is in the price of {machine} and is not refunded"
        )
    } else if quote.is_silent() && node_price(book, node).is_some() {
        format!(
            "{name} at {alone}, on top of the price of {machine}, which does not say what it \
             includes; in the cluster's cost and not in the network's"
        )
    } else {
        format!("{name} at {alone}, in the cluster's cost and not in the network's")
    })
}

/// That machines to choose from are priced with different things in the price; `None` where all are alike.
#[must_use]
pub fn mixed_levels(book: &PriceBook, nodes: &[Node]) -> Option<Warning> {
    let priced = |node: &Node| Some((node.name.clone(), node_price(book, node)?));
    let all: Vec<(String, Price)> = nodes.iter().filter_map(priced).collect();
    let (_, first) = all.first()?;
    if all.iter().all(|(_, price)| are_comparable(first, price)) {
        return None;
    }
    let one = |(part, price): (String, Price)| PricedAs {
        part,
        level: price.quote.level,
        has_nics: price.quote.includes.contains(&Included::Nic),
    };
    Some(Warning::MixedLevels { machines: all.into_iter().map(one).collect() })
}

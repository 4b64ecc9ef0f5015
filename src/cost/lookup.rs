//! Which price of a book holds for a part: its own by name, or by its rate where the book has
//! none. What neither gives has no price; nothing is guessed.

use crate::hardware::{
    Included, Nic, Node, Optic, Price, PriceBasis, PriceBook, PricedItem, Quote, Switch,
};
use crate::units::{Bandwidth, Usd};

/// Price of a product; what it has in it besides the bare machine, its quote says.
#[must_use]
pub fn node_price(book: &PriceBook, node: &Node) -> Option<Price> {
    part_price(book, &node.name)
}

/// Price of an interface in a machine: nothing for the product's own where the price of the product has it
/// in it. Any other is bought at its price, and the product's own is not refunded.
#[must_use]
pub fn built_in_nic_price(book: &PriceBook, node: &Node, nic: &Nic) -> Option<Price> {
    let alone = nic_price(book, nic);
    let Some(machine) = covering_price(book, node, nic) else { return alone };
    let quote = Quote { alone: alone.map(|price| price.amount), ..Quote::default() };
    Some(Price {
        amount: Usd::ZERO,
        range: None,
        basis: PriceBasis::Included,
        source: format!("in the price of {}", node.name),
        exchange: None,
        quote,
        ..machine
    })
}

/// Price of a product that has such an interface in it; `None` where it has not.
#[must_use]
pub fn covering_price(book: &PriceBook, node: &Node, nic: &Nic) -> Option<Price> {
    let covers = |price: &Price| price.quote.includes.contains(&Included::Nic);
    node_price(book, node).filter(covers).filter(|_| nic.name == node.nic.name)
}

/// Price of an interface that is bought by itself.
#[must_use]
pub fn nic_price(book: &PriceBook, nic: &Nic) -> Option<Price> {
    let by_rate =
        || price_at_rate(book, nic.bandwidth, PricedItem::Nic).filter(|_| !nic.quote_only);
    part_price(book, &nic.name).or_else(by_rate)
}

/// Price of a switch: its own, or that of its ports.
#[must_use]
pub fn switch_price(book: &PriceBook, switch: &Switch) -> Option<Price> {
    part_price(book, &switch.name).or_else(|| {
        let port = price_at_rate(book, switch.port_bandwidth, PricedItem::SwitchPort);
        let port = port.filter(|_| !switch.quote_only)?;
        let all = |price: Usd| price * f64::from(switch.ports);
        let range = port.range.map(|(low, high)| (all(low), all(high)));
        Some(Price { amount: all(port.amount), range, ..port })
    })
}

/// Price of a transceiver; `name` where the catalogue has the very part.
#[must_use]
pub fn optic_price(book: &PriceBook, optic: Option<&Optic>, link: Bandwidth) -> Option<Price> {
    optic
        .and_then(|optic| part_price(book, &optic.name))
        .or_else(|| price_at_rate(book, link, PricedItem::Transceiver))
}

/// Price of a part by its name alone.
#[must_use]
pub fn part_price(book: &PriceBook, name: &str) -> Option<Price> {
    book.prices.get(&PricedItem::Part(name.to_owned())).cloned()
}

/// The book were every switch sold at what as many ports of `main` cost; `ports` counts those that a
/// model has. The same book where `main` has no price.
#[must_use]
pub fn price_by_port_count(
    book: &PriceBook,
    switches: &[Switch],
    main: &Switch,
    ports: impl Fn(&Switch) -> u32,
) -> PriceBook {
    let mut book = book.clone();
    let Some(price) = switch_price(&book, main).filter(|_| ports(main) > 0) else { return book };
    for switch in switches {
        let share = f64::from(ports(switch)) / f64::from(ports(main));
        let amount = price.amount * share;
        let range = price.range.map(|(low, high)| (low * share, high * share));
        let item = PricedItem::Part(switch.name.clone());
        book.prices.insert(item, Price { amount, range, ..price.clone() });
    }
    book
}

/// Price of a GiB of host memory beyond what a product ships with.
#[must_use]
pub fn host_memory_price(book: &PriceBook) -> Option<Price> {
    book.prices.get(&PricedItem::HostMemory).cloned()
}

/// Price of a kWh.
#[must_use]
pub fn electricity_price(book: &PriceBook) -> Option<Price> {
    book.prices.get(&PricedItem::Electricity).cloned()
}

fn price_at_rate(book: &PriceBook, rate: Bandwidth, item: fn(u32) -> PricedItem) -> Option<Price> {
    book.prices.get(&item(rate.as_gigabits().round() as u32)).cloned()
}

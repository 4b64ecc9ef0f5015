//! Which price of a part holds, with discount and mark-up.

use crate::hardware::{
    Included, Nic, Node, Optic, Price, PriceBasis, PriceBook, PricedItem, Quote, Switch,
};
use crate::units::{Bandwidth, Usd};

/// Price of a product; what it has in it besides the bare machine, its quote says.
#[must_use]
pub fn node_price(book: &PriceBook, node: &Node) -> Option<Price> {
    part_price(book, &node.name)
}

/// Price of an interface in a machine: nothing for the product's own where the price of the product
/// has it in it. Any other is bought at its price, and the product's own is not refunded.
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
        let range = port.range.map(|range| range.map_ends(all));
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

/// The book were every switch sold at what as many ports of `main` cost; `ports` counts those that
/// a model has. The same book where `main` has no price.
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
        let range = price.range.map(|range| range.map_ends(|end| end * share));
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

/// Terms on a price of a book.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BuyerTerms {
    /// Share taken off, 0 to 1.
    pub discount: f64,
    /// Share put on after that: duty, tax, freight, integration; 0 or more.
    pub mark_up: f64,
}

impl BuyerTerms {
    /// The price under these terms: amount · (1 − discount) · (1 + mark-up). Its source says so.
    #[must_use]
    pub fn apply_to_price(self, price: &Price) -> Price {
        if self == Self::default() {
            return price.clone();
        }
        const PERCENT: f64 = 100.0;
        let mut source = price.source.clone();
        for (share, word) in [(self.discount, "less"), (self.mark_up, "plus")] {
            if share > 0.0 {
                source.push_str(&format!(", {word} {} %", round_percentage(share * PERCENT)));
            }
        }
        let net = |amount: Usd| amount * (1.0 - self.discount) * (1.0 + self.mark_up);
        let range = price.range.map(|range| range.map_ends(net));
        let mut quote = price.quote.clone();
        quote.tiers.iter_mut().for_each(|tier| tier.amount = net(tier.amount));
        Price { amount: net(price.amount), range, source, quote, ..price.clone() }
    }
}

/// A book in which every part costs `price` times as much; electricity does not change.
#[must_use]
pub fn scale_prices(book: &PriceBook, price: f64) -> PriceBook {
    let mut later = book.clone();
    for (_, known) in later.prices.iter_mut().filter(|(item, _)| **item != PricedItem::Electricity)
    {
        *known = BuyerTerms { discount: 1.0 - price, mark_up: 0.0 }.apply_to_price(known);
    }
    later
}

/// A percentage without the dust of binary fractions.
fn round_percentage(percent: f64) -> f64 {
    const STEPS: f64 = 1e6;
    (percent * STEPS).round() / STEPS
}

#[cfg(test)]
mod tests {
    use super::BuyerTerms;
    use crate::hardware::{Price, PriceBasis};
    use crate::units::{Usd, UsdRange};

    #[test]
    fn a_discount_comes_off_before_a_mark_up_goes_on() {
        let price = Price {
            amount: Usd::from_f64(1000.0),
            range: Some(UsdRange { low: Usd::from_f64(500.0), high: Usd::from_f64(2000.0) }),
            basis: PriceBasis::List,
            date: "2026-07".into(),
            source: "list".into(),
            exchange: None,
            quote: crate::hardware::Quote::default(),
        };
        let net = BuyerTerms { discount: 0.2, mark_up: 0.07 }.apply_to_price(&price);
        assert!((net.amount.get() - 856.0).abs() < 1e-9);
        assert!((net.bounds().high.get() - 1712.0).abs() < 1e-9);
        assert_eq!(net.source, "list, less 20 %, plus 7 %");
        assert_eq!(BuyerTerms::default().apply_to_price(&price), price);
    }
}

//! Costs besides the compute network: HB domains, other networks, installation, the grand total.

use std::collections::BTreeMap;

use super::bill::{BillLine, BillParts, PurchasedPart, Role, bill_lines};
use super::price_lookup::part_price;
use super::total::{Cost, GrandTotal, OperatingTime, energy_of_one_watt};
use crate::fabric::{Counts, HbCounts};
use crate::hardware::{
    Catalogue, Family, FamilyPrices, Node, Price, PriceBook, PricedItem, Quote, Switch,
};
use crate::units::{Usd, UsdRange, Watts};

/// What joins the GPUs of a domain, in dollars: chips, and links of either kind.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct HbCost {
    /// At the prices as they stand.
    pub amount: Usd,
    /// At the lowest of each.
    pub low: Usd,
    /// At the highest.
    pub high: Usd,
}

/// What joins the GPUs of a domain; nothing where it is on a board whose price is the GPUs'. `None`
/// where a part that it has is without a price.
#[must_use]
pub fn hb_cost(family: &Family, counts: &HbCounts, prices: &FamilyPrices) -> Option<HbCost> {
    if counts.request.gpus <= family.board {
        return Some(HbCost::default());
    }
    let parts = [
        (counts.chip_count(), prices.chip.as_ref()),
        // Where there are chips, links may end on their board; else they are all that there is.
        (
            if prices.link.is_none() && counts.levels > 0 { 0 } else { counts.gpu_links },
            prices.link.as_ref(),
        ),
        (counts.long_links, prices.long_link.as_ref()),
    ];
    let mut sum = HbCost::default();
    for (count, price) in parts.into_iter().filter(|(count, _)| *count > 0) {
        let (price, count) = (price?, count as f64);
        let UsdRange { low, high } = price.bounds();
        sum.amount += price.amount * count;
        sum.low += low * count;
        sum.high += high * count;
    }
    Some(sum)
}

/// Price of a domain, with what the price of its GPUs has in it; `None` where a part of it has
/// none. It is as well known as the least known of its parts.
#[must_use]
pub fn domain_price(family: &Family, counts: &HbCounts, prices: &FamilyPrices) -> Option<Price> {
    let gpu = prices.gpu.as_ref()?;
    let inside = hb_cost(family, counts, prices)?;
    let gpus = f64::from(counts.request.gpus);
    let range = gpu.bounds().map_ends(|end| end * gpus);
    let range = range + UsdRange { low: inside.low, high: inside.high };
    let on_board = counts.request.gpus <= family.board;
    let parts = [&prices.chip, &prices.link, &prices.long_link].into_iter().flatten();
    let parts = parts.filter(|_| !on_board).chain([gpu]);
    let weakest = parts.min_by_key(|price| price.basis.weight()).unwrap_or(gpu);
    Some(Price {
        amount: gpu.amount * gpus + inside.amount,
        range: (range.low < range.high).then_some(range),
        basis: weakest.basis,
        date: gpu.date.clone(),
        source: format!("{} GPUs and what joins them: {}", counts.request.gpus, weakest.source),
        exchange: None,
        quote: Quote {
            includes: gpu.quote.includes.clone(),
            level: gpu.quote.level,
            ..Quote::default()
        },
    })
}

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

/// Lines of parts that are bought beside the design, each part once. What a design leaves of the
/// stock is not known here, so nothing of it is used.
#[must_use]
pub fn other_network_lines(parts: &[PurchasedPart<'_>], prices: &PriceBook) -> Vec<BillLine> {
    let mut all: BTreeMap<(super::Role, &str), (u64, Watts)> = BTreeMap::new();
    for part in parts.iter().filter(|part| part.count > 0) {
        all.entry((part.role, part.name)).or_insert((0, part.power)).0 += part.count;
    }
    let line = |((role, part), (count, power)): ((super::Role, &str), (u64, Watts))| {
        let unit: Option<Price> = part_price(prices, part).map(|price| price.for_pieces(count));
        let each = unit.as_ref().map_or(Usd::ZERO, |price| price.amount);
        let total = each * count as f64;
        BillLine { part: part.to_owned(), role, count, owned: 0, spares: 0, unit, total, power }
    };
    all.into_iter().map(line).collect()
}

/// Work of one kind: what for, how many pieces, hours of each.
pub type InstallationWork = (&'static str, u64, f64);

/// Lines of work, in whole hours of each kind, and of so many link cables. A design leaves no stock
/// of them, so nothing owned is taken off.
#[must_use]
pub fn installation_lines(
    work: &[InstallationWork],
    link_cables: u64,
    prices: &PriceBook,
) -> Vec<BillLine> {
    let line = |part: String, role, count: u64, item: &PricedItem| {
        let unit = prices.prices.get(item).map(|price| price.for_pieces(count));
        let each = unit.as_ref().map_or(Usd::ZERO, |price| price.amount);
        let (owned, spares, power) = (0, 0, Watts::ZERO);
        BillLine { part, role, count, owned, spares, unit, total: each * count as f64, power }
    };
    let hours = |(_, pieces, each): &InstallationWork| {
        // A tenth of an hour ten times is one hour, whatever its binary fraction is.
        const DUST: f64 = 1e-9;
        (*pieces as f64 * each - DUST).ceil().max(0.0) as u64
    };
    let mut lines = vec![line(
        PricedItem::LinkCable.to_string(),
        Role::Cable,
        link_cables,
        &PricedItem::LinkCable,
    )];
    lines.extend(work.iter().map(|pair| {
        line(
            format!("{}: {}", PricedItem::Labour, pair.0),
            Role::Labour,
            hours(pair),
            &PricedItem::Labour,
        )
    }));
    lines.retain(|line| line.count > 0);
    lines
}

/// The grand total of a design, from its own sum and the lines beside it.
#[must_use]
pub fn grand_total(
    cost: &Cost,
    networks: &[BillLine],
    installation: &[BillLine],
    running: &OperatingTime,
) -> GrandTotal {
    let sum = |lines: &[BillLine]| -> Usd { lines.iter().map(|line| line.total).sum() };
    let capex = cost.capex + sum(networks) + sum(installation);
    let power = cost.power + networks.iter().map(BillLine::power_draw).sum::<Watts>();
    let watt = energy_of_one_watt(1.0, running.pue, running.kilowatt_hour);
    let opex_per_year = watt * power.get();
    let tco = capex + opex_per_year * running.years;
    let more = if cost.tco > Usd::ZERO { tco / cost.tco } else { 1.0 };
    let lines = || networks.iter().chain(installation);
    let mut unpriced: Vec<String> =
        lines().filter(|line| line.unit.is_none()).map(|line| line.part.clone()).collect();
    unpriced.dedup();
    GrandTotal {
        networks: sum(networks),
        installation: sum(installation),
        capex,
        power,
        opex_per_year,
        tco,
        usd_per_million_tokens: cost.usd_per_million_tokens.map(|usd| usd * more),
        unpriced,
    }
}

#[cfg(test)]
mod tests {
    use super::installation_lines;
    use crate::hardware::{Price, PriceBasis, PriceBook, PricedItem, Quote};
    use crate::units::Usd;

    /// 10 cables of 0.1 h and 3 switches of 1.5 h: 1 and 5 hours, the second rounded up from 4.5.
    #[test]
    fn hours_are_whole_and_without_a_price_where_none_is_known() {
        let price = Price {
            amount: Usd::from_f64(80.0),
            range: None,
            basis: PriceBasis::Assumed,
            date: "2026".into(),
            source: "test".into(),
            exchange: None,
            quote: Quote::default(),
        };
        let prices = [(PricedItem::Labour, price)].into();
        let book = PriceBook { prices, ..PriceBook::default() };
        let lines = installation_lines(&[("cables", 10, 0.1), ("switches", 3, 1.5)], 10, &book);
        let all: Vec<(u64, f64)> =
            lines.iter().map(|line| (line.count, line.total.get())).collect();
        assert_eq!(all, [(10, 0.0), (1, 80.0), (5, 400.0)]);
        assert!(lines[0].unit.is_none(), "no price of a link cable is known");
    }
}

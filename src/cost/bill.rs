//! The bill of materials: one line per part, what is owned taken off.

use std::collections::BTreeMap;

use super::price_lookup::{
    built_in_nic_price, covering_price, host_memory_price, node_price, optic_price, part_price,
    switch_price,
};
use crate::hardware::{Nic, Node, Optic, Price, PriceBook, PricedItem, Switch};
use crate::keys::choices;
use crate::reliability::poisson_quantile;
use crate::scenario::Spares;
use crate::units::{Bandwidth, Seconds, Usd, UsdRange, Watts};

/// One line of the bill of materials.
#[derive(Clone, Debug, PartialEq)]
pub struct BillLine {
    /// Part by its name in the catalogue.
    pub part: String,
    pub role: Role,
    /// Pieces in use, owned ones and spares included.
    pub count: u64,
    pub owned: u64,
    /// Pieces of `count` that stay in store, or stand by with their machine, until another fails;
    /// they draw no power.
    pub spares: u64,
    /// Price of one; `None` where no book names it, and the total then lacks it.
    pub unit: Option<Price>,
    /// Price of all that is bought.
    pub total: Usd,
    /// Power of one piece in use.
    pub power: Watts,
}

impl BillLine {
    /// Pieces that are bought.
    #[must_use]
    pub const fn bought_count(&self) -> u64 {
        self.count - self.owned
    }

    /// What is paid at the lowest and at the highest price known; nothing where there is no price.
    #[must_use]
    pub fn paid_range(&self) -> UsdRange {
        let bounds = self.unit.as_ref().map_or(UsdRange::from_amount(Usd::ZERO), Price::bounds);
        bounds.map_ends(|end| end * self.bought_count() as f64)
    }

    /// What spares that are bought cost; nothing where there is no price.
    #[must_use]
    pub fn spares_cost(&self) -> Usd {
        let each = self.unit.as_ref().map_or(Usd::ZERO, |price| price.amount);
        each * self.spares.min(self.bought_count()) as f64
    }

    /// Power of all pieces in use.
    #[must_use]
    pub fn power_draw(&self) -> Watts {
        self.power * self.powered_count() as f64
    }

    /// True where the price of another part covers it: it has a count and watts, takes no stock,
    /// and costs nothing.
    #[must_use]
    pub fn is_covered(&self) -> bool {
        self.role == Role::Nic && self.unit.as_ref().is_some_and(|price| price.is_covered())
    }

    /// True of the same part in the same role, both bought or both covered by the price of another
    /// part.
    pub(super) fn is_of_one_kind(&self, other: &Self) -> bool {
        (self.role, &self.part, self.is_covered()) == (other.role, &other.part, other.is_covered())
    }

    /// Pieces that draw power: all but spares and what stands by.
    #[must_use]
    pub const fn powered_count(&self) -> u64 {
        self.count - self.spares
    }
}

/// Spares of so many pieces in use. Of machines and what is in them some stand by.
fn spares_in_store(role: Role, pieces: u64, spares: &Spares) -> u64 {
    match role {
        Role::Switch => spare_stock(pieces, spares.switch_failures, spares.lead, spares.fill_rate),
        Role::Optic => spare_stock(pieces, spares.optic_failures, spares.lead, spares.fill_rate),
        Role::Node | Role::Memory | Role::Nic | Role::Cable | Role::Appliance | Role::Labour => 0,
    }
}

choices! {
    /// What a part of the bill is.
    pub enum Role {
        /// HB-domain products; not part of the network.
        Node = "node",
        /// Memory of their hosts beyond what they ship with, in GiB; not part of the network.
        Memory = "memory",
        /// Network interfaces.
        Nic = "nic",
        /// Switches.
        Switch = "switch",
        /// Optical transceivers.
        Optic = "optic",
        /// Cables: fibre, copper, splitters.
        Cable = "cable",
        /// Switches and servers beside the compute network.
        Appliance = "appliance",
        /// Hours of work on site.
        Labour = "labour",
    }
}

impl Role {
    /// True for machines and what is in them, which stand by as a whole.
    #[must_use]
    pub const fn stands_by(self) -> bool {
        matches!(self, Self::Node | Self::Memory | Self::Nic)
    }

    /// True for what the network is made of; interfaces belong to the machines.
    #[must_use]
    pub const fn is_network(self) -> bool {
        matches!(self, Self::Switch | Self::Optic | Self::Cable)
    }
}

/// What a design is made of.
#[derive(Clone, Debug, PartialEq)]
pub struct BillParts<'a> {
    /// Product, and how many train.
    pub nodes: (&'a Node, u64),
    /// How many stand by beside them, with all that is in them.
    pub standby: u64,
    /// GiB of host memory of each beyond what it ships with.
    pub host_memory: u64,
    /// Interface; each machine has as many as its product.
    pub nic: &'a Nic,
    /// Switch models and how many of each.
    pub switches: Vec<(&'a Switch, u64)>,
    /// Transceivers by rate: the part, where the catalogue has one, and how many. None where links
    /// are bought as modules and cables.
    pub optics: Vec<(Bandwidth, Option<&'a Optic>, u64)>,
    pub links: Vec<PurchasedPart<'a>>,
}

/// Pieces of a module or a cable.
#[derive(Clone, Debug, PartialEq)]
pub struct PurchasedPart<'a> {
    /// Part by its name in the catalogue.
    pub name: &'a str,
    pub role: Role,
    pub count: u64,
    pub power: Watts,
}

/// The lines of a bill; parts that are not used have none. Interfaces have a line of their own,
/// with their share of the power of the product, so that another interface changes the sum by the
/// difference. Where the price of the product covers them they cost nothing there, and machines in
/// stock bring theirs.
#[must_use]
pub fn bill_lines(
    parts: &BillParts<'_>,
    prices: &PriceBook,
    inventory: &BTreeMap<String, u64>,
    store: Option<&Spares>,
) -> Vec<BillLine> {
    let (node, nodes) = parts.nodes;
    let nic = parts.nic;
    let line = |part: &str, role, (count, spares): (u64, u64), unit: Option<Price>, power| {
        let count = count + spares;
        let owned = inventory.get(part).copied().unwrap_or(0).min(count);
        let unit = unit.map(|price| price.for_pieces(count - owned));
        let each = unit.as_ref().map_or(Usd::ZERO, |price| price.amount);
        let total = each * (count - owned) as f64;
        BillLine { part: part.to_owned(), role, count, owned, spares, unit, total, power }
    };
    let stored = |role, count| {
        (count, store.map_or(0, |this_spares| spares_in_store(role, count, this_spares)))
    };
    let inside = |each: u64| (nodes * each, parts.standby * each);
    let bare = node.power - node.nic.power * f64::from(node.nics);
    let mut lines = vec![
        line(&node.name, Role::Node, inside(1), node_price(prices, node), bare.max(Watts::ZERO)),
        // The power of a product at full load is taken to hold with its slots full.
        line(
            &PricedItem::HostMemory.to_string(),
            Role::Memory,
            inside(parts.host_memory),
            host_memory_price(prices),
            Watts::ZERO,
        ),
        line(
            &nic.name,
            Role::Nic,
            inside(node.nics.into()),
            built_in_nic_price(prices, node, nic),
            nic.power,
        ),
    ];
    if covering_price(prices, node, nic).is_some() {
        let machines = lines[0].owned;
        let interfaces = lines.iter_mut().filter(|line| line.role == Role::Nic);
        interfaces.for_each(|line| line.owned = machines * u64::from(node.nics));
    }
    for (switch, count) in &parts.switches {
        let price = switch_price(prices, switch);
        let count = stored(Role::Switch, *count);
        lines.push(line(&switch.name, Role::Switch, count, price, switch.power));
    }
    for (rate, optic, count) in &parts.optics {
        let anonymous = format!("transceiver {:.0}G", rate.as_gigabits());
        let name = optic.map_or(anonymous.as_str(), |optic| &optic.name);
        let power = optic.map_or(Watts::ZERO, |optic| optic.power);
        let count = stored(Role::Optic, *count);
        lines.push(line(name, Role::Optic, count, optic_price(prices, *optic, *rate), power));
    }
    for PurchasedPart { name, role, count, power } in &parts.links {
        let count = stored(*role, *count);
        lines.push(line(name, *role, count, part_price(prices, name), *power));
    }
    lines.retain(|line| line.count > 0);
    lines
}

/// Seconds of a year of 365 days.
const YEAR: f64 = 365.0 * Seconds::DAY.get();

/// The smallest stock S with P(Poisson(λ) ≤ S) ≥ `fill_rate`, where λ failures are expected among
/// `pieces` until a new piece has come (docs/equations.md §9.7).
///
/// No pieces, no failures or no lead time need none. A fill rate is below 1: certainty has no
/// finite stock.
#[must_use]
pub fn spare_stock(pieces: u64, failures_per_year: f64, lead: Seconds, fill_rate: f64) -> u64 {
    let expected = pieces as f64 * failures_per_year * lead.get() / YEAR;
    poisson_quantile(expected, fill_rate)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::{BillLine, Role};
    use crate::cost::bill_sums::{change_range, merge_bills, merge_stage_bills, reprice_part};
    use crate::hardware::{Price, PriceBasis};
    use crate::units::{Usd, UsdRange, Watts};

    /// Pieces at $10, or $8 to $12.
    fn line(count: u64, owned: u64, spares: u64) -> BillLine {
        let unit = Price {
            amount: Usd::from_f64(10.0),
            range: Some(UsdRange { low: Usd::from_f64(8.0), high: Usd::from_f64(12.0) }),
            basis: PriceBasis::User,
            date: String::new(),
            source: String::new(),
            exchange: None,
            quote: crate::hardware::Quote::default(),
        };
        BillLine {
            part: "leaf".to_owned(),
            role: Role::Switch,
            count,
            owned,
            spares,
            unit: Some(unit),
            total: Usd::from_f64(10.0 * (count - owned) as f64),
            power: Watts::ZERO,
        }
    }

    #[test]
    fn jobs_need_the_sum_and_stages_the_most() {
        let bills = [vec![line(10, 4, 2)], vec![line(7, 1, 3)]];
        let pieces = |lines: &[BillLine]| (lines[0].count, lines[0].owned, lines[0].spares);
        let all = || bills.iter().map(|bill| &bill[..]);
        assert_eq!(pieces(&merge_bills(all())), (17, 5, 5));
        let owned = BTreeMap::from([("leaf".to_owned(), 4)]);
        assert_eq!(pieces(&merge_stage_bills(all(), &owned)), (10, 4, 3));
    }

    #[test]
    fn only_what_is_bought_has_a_new_price() {
        assert_eq!(
            reprice_part(&[line(10, 4, 2)], "leaf", Usd::from_f64(5.0))[0].total,
            Usd::from_f64(30.0)
        );
    }

    /// Six pieces fewer at $8 to $12 save $48 to $72.
    #[test]
    fn a_saving_ranges_from_the_dearer_to_the_cheaper() {
        let range = change_range(&[line(10, 4, 0)], &[], Role::is_network);
        let saved = UsdRange { low: Usd::from_f64(-72.0), high: Usd::from_f64(-48.0) };
        assert_eq!(range, Some(saved));
    }
}

#[cfg(test)]
mod spare_tests {
    use super::spare_stock;
    use crate::units::Seconds;

    const WEEKS_8: f64 = 8.0 * 7.0 * 86_400.0;

    #[track_caller]
    fn case(pieces: u64, failures: f64, fill_rate: f64, expected: u64) {
        assert_eq!(spare_stock(pieces, failures, Seconds::from_f64(WEEKS_8), fill_rate), expected);
    }

    /// Worked out by hand and with tables of the Poisson distribution.
    #[test]
    fn stocks_of_published_fleets() {
        case(640, 0.0061, 0.99, 3); // λ = 0.60
        case(384, 0.0061, 0.99, 2); // λ = 0.36
        case(98_304, 0.02, 0.99, 343); // λ = 301.6: λ + 2.33·√λ = 342.0
        case(65_536, 0.02, 0.99, 235); // λ = 201.1
        case(4_000_000, 0.02, 0.99, 12_532); // λ = 12,274: far beyond e^-746
    }

    #[test]
    fn nothing_to_fail_needs_no_stock() {
        case(0, 0.02, 0.99, 0);
        case(1_000, 0.0, 0.99, 0);
        assert_eq!(spare_stock(1_000, 0.02, Seconds::ZERO, 0.99), 0);
    }

    #[test]
    fn a_higher_fill_rate_and_a_larger_fleet_never_need_less() {
        let lead = Seconds::from_f64(WEEKS_8);
        let mut last = 0;
        for fill_rate in [0.5, 0.9, 0.99, 0.999, 0.999_999, 1.0 - 1e-12] {
            let stock = spare_stock(5_000, 0.02, lead, fill_rate);
            assert!(stock >= last, "{fill_rate}");
            last = stock;
        }
        assert!(spare_stock(10_000, 0.02, lead, 0.99) >= spare_stock(5_000, 0.02, lead, 0.99));
    }
}

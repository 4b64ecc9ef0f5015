//! Prices with their origin. Nothing is multiplied here.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use super::{Exchange, Month};
use crate::keys::choices;
use crate::units::Usd;

/// Something that has a price.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Item {
    /// A part by its name in the catalogue: a node, switch, interface or optic.
    Part(String),
    /// One switch port of that many Gb/s, where a book prices switches by the port.
    SwitchPort(u32),
    /// One transceiver of that many Gb/s, where a book has no price of the very part.
    Transceiver(u32),
    /// One interface of that many Gb/s, likewise.
    Nic(u32),
    /// One GiB of memory of a host, installed, beyond what a product ships with.
    HostMemory,
    /// One kWh of electricity.
    Electricity,
}

/// How reports and results call memory of a host.
const HOST_MEMORY: &str = "host memory, GiB";

impl Item {
    /// The item that [`Display`](fmt::Display) writes like that; any other name is a part's.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let rated = |kind: &str| {
            let digits = text.strip_prefix(kind)?.strip_suffix('G')?;
            // Only what is written back the same way: `007` and `+7` are no rates.
            digits.parse().ok().filter(|rate: &u32| rate.to_string() == digits)
        };
        match text {
            "electricity" => return Self::Electricity,
            HOST_MEMORY => return Self::HostMemory,
            _ => {}
        }
        rated("switch port ")
            .map(Self::SwitchPort)
            .or_else(|| rated("transceiver ").map(Self::Transceiver))
            .or_else(|| rated("NIC ").map(Self::Nic))
            .unwrap_or_else(|| Self::Part(text.to_owned()))
    }
}

impl fmt::Display for Item {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Part(name) => f.write_str(name),
            Self::SwitchPort(rate) => write!(f, "switch port {rate}G"),
            Self::Transceiver(rate) => write!(f, "transceiver {rate}G"),
            Self::Nic(rate) => write!(f, "NIC {rate}G"),
            Self::HostMemory => f.write_str(HOST_MEMORY),
            Self::Electricity => f.write_str("electricity"),
        }
    }
}

choices! {
    /// What kind of statement a price is.
    pub enum Basis {
        /// The vendor's list.
        List = "list",
        /// What resellers ask.
        Street = "street",
        /// A published paper.
        Paper = "paper",
        /// A market analyst.
        Analyst = "analyst",
        /// The spec's own.
        User = "user",
        /// Nobody's: a stated assumption.
        Assumed = "assumed",
    }
}

impl Basis {
    /// How much a price of that kind can be relied on: one at which somebody sells, or that the
    /// reader states, over one that others published, over one that is assumed.
    #[must_use]
    pub const fn weight(self) -> u8 {
        match self {
            Self::List | Self::Street | Self::User => 2,
            Self::Paper | Self::Analyst => 1,
            Self::Assumed => 0,
        }
    }
}

/// An amount with its origin.
#[derive(Clone, Debug, PartialEq)]
pub struct Price {
    /// Price of one unit.
    pub amount: Usd,
    /// Lowest and highest that were seen or quoted; `None` where only one is known.
    pub range: Option<(Usd, Usd)>,
    /// What kind of statement it is.
    pub basis: Basis,
    /// When it held, as `2026-07` or `2024`.
    pub date: String,
    /// Who said so.
    pub source: String,
    /// At which rate it became US dollars; `None` where it was in US dollars.
    pub exchange: Option<Exchange>,
}

impl Price {
    /// Lowest and highest price: the amount itself where only one is known.
    #[must_use]
    pub fn bounds(&self) -> (Usd, Usd) {
        self.range.unwrap_or((self.amount, self.amount))
    }
}

/// Prices of one time and place.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PriceBook {
    /// Name for reports.
    pub name: String,
    /// What it prices.
    pub prices: BTreeMap<Item, Price>,
    /// Rates, in Gb/s, at which the reader prices every link end by itself: that holds before the parts
    /// that links are bought as.
    pub by_end: BTreeSet<u32>,
    /// The month that the reader plans in; `None` where the spec does not say, and no price is old.
    pub as_of: Option<Month>,
    /// Months after which a price is old.
    pub old_after: u32,
}

#[cfg(test)]
mod tests {
    use super::Item;

    #[test]
    fn items_are_read_as_they_are_written() {
        let items = [
            Item::Part("qm9700".into()),
            Item::Part("transceiver 07G".into()),
            Item::SwitchPort(400),
            Item::Transceiver(200),
            Item::Nic(800),
            Item::HostMemory,
            Item::Electricity,
        ];
        for item in items {
            assert_eq!(Item::parse(&item.to_string()), item);
        }
    }
}

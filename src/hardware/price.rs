//! Prices with their origin. Nothing is multiplied here.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use super::{Exchange, Month, Quote};
use crate::keys::choices;
use crate::units::{Usd, UsdRange};

/// Something that has a price.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PricedItem {
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
    /// One hour of work on site.
    Labour,
    /// The cable of one link, where links are counted by their ends.
    LinkCable,
}

/// How reports and results call memory of a host.
const HOST_MEMORY: &str = "host memory, GiB";
/// How they call work on site.
const LABOUR: &str = "labour, hour";
/// How they call the cable of a link.
const LINK_CABLE: &str = "link cable";

impl PricedItem {
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
            LABOUR => return Self::Labour,
            LINK_CABLE => return Self::LinkCable,
            _ => {}
        }
        rated("switch port ")
            .map(Self::SwitchPort)
            .or_else(|| rated("transceiver ").map(Self::Transceiver))
            .or_else(|| rated("NIC ").map(Self::Nic))
            .unwrap_or_else(|| Self::Part(text.to_owned()))
    }
}

impl fmt::Display for PricedItem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Part(name) => f.write_str(name),
            Self::SwitchPort(rate) => write!(f, "switch port {rate}G"),
            Self::Transceiver(rate) => write!(f, "transceiver {rate}G"),
            Self::Nic(rate) => write!(f, "NIC {rate}G"),
            Self::HostMemory => f.write_str(HOST_MEMORY),
            Self::Electricity => f.write_str("electricity"),
            Self::Labour => f.write_str(LABOUR),
            Self::LinkCable => f.write_str(LINK_CABLE),
        }
    }
}

choices! {
    /// What kind of statement a price is.
    pub enum PriceBasis {
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
        /// The reader's: it costs nothing, as another price has it in it, or as it is owned.
        Included = "included",
    }
}

impl PriceBasis {
    /// How much a price of that kind can be relied on: one at which somebody sells, or that the
    /// reader states, over one that others published, over one that is assumed.
    #[must_use]
    pub const fn weight(self) -> u8 {
        match self {
            Self::List | Self::Street | Self::User | Self::Included => 2,
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
    pub range: Option<UsdRange>,
    /// What kind of statement it is.
    pub basis: PriceBasis,
    /// When it held, as `2026-07` or `2024`.
    pub date: String,
    pub source: String,
    /// At which rate it became US dollars; `None` where it was in US dollars.
    pub exchange: Option<Exchange>,
    /// What the offer says beside it.
    pub quote: Quote,
}

impl Price {
    /// Lowest and highest price: the amount itself where only one is known.
    #[must_use]
    pub fn bounds(&self) -> UsdRange {
        self.range.unwrap_or(UsdRange::from_amount(self.amount))
    }

    /// What kind of statement it is, and of when.
    #[must_use]
    pub fn origin(&self) -> String {
        match self.date.as_str() {
            "" => self.basis.name().to_owned(),
            date => format!("{}, {date}", self.basis.name()),
        }
    }

    /// True where another price has it in it.
    #[must_use]
    pub fn is_covered(&self) -> bool {
        self.basis == PriceBasis::Included && self.amount == Usd::ZERO
    }

    /// The price where so many pieces are bought.
    #[must_use]
    pub fn for_pieces(&self, pieces: u64) -> Self {
        if self.quote.settled {
            return self.clone();
        }
        let reached = self.quote.tiers.iter().rev().find(|tier| tier.from <= pieces);
        Self { amount: reached.map_or(self.amount, |tier| tier.amount), ..self.clone() }
    }

    /// The least that one costs, however many are bought.
    #[must_use]
    pub fn least_price(&self) -> Usd {
        let tiers = || self.quote.tiers.iter().map(|tier| tier.amount);
        tiers().fold(self.amount, Usd::min)
    }

    /// The price at an amount that no number of pieces changes.
    #[must_use]
    pub fn price_at_tier(&self, amount: Usd) -> Self {
        let settled = !self.quote.tiers.is_empty();
        Self { amount, quote: Quote { settled, ..self.quote.clone() }, ..self.clone() }
    }
}

/// Prices of one time and place.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PriceBook {
    pub name: String,
    pub prices: BTreeMap<PricedItem, Price>,
    /// Prices of the parts of HB domains, by family.
    pub families: BTreeMap<String, FamilyPrices>,
    /// Rates, in Gb/s, at which the reader prices every link end by itself: that holds before the
    /// parts that links are bought as.
    pub by_end: BTreeSet<u32>,
    /// The month that the reader plans in; `None` where the spec does not say, and no price is old.
    pub as_of: Option<Month>,
    /// Months after which a price is old.
    pub old_after: u32,
}

#[cfg(test)]
mod tests {
    use super::PricedItem;

    #[test]
    fn items_are_read_as_they_are_written() {
        let items = [
            PricedItem::Part("qm9700".into()),
            PricedItem::Part("transceiver 07G".into()),
            PricedItem::SwitchPort(400),
            PricedItem::Transceiver(200),
            PricedItem::Nic(800),
            PricedItem::HostMemory,
            PricedItem::Electricity,
            PricedItem::Labour,
            PricedItem::LinkCable,
        ];
        for item in items {
            assert_eq!(PricedItem::parse(&item.to_string()), item);
        }
    }
}

/// What the parts of a family cost; `None` where nobody says.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FamilyPrices {
    /// A GPU with its share of host and chassis.
    pub gpu: Option<Price>,
    /// A switch chip with its share of the tray.
    pub chip: Option<Price>,
    /// The cable of a link with an end at a GPU; `None` where it costs nothing of its own.
    pub link: Option<Price>,
    /// A link between chips with both ends.
    pub long_link: Option<Price>,
}

impl FamilyPrices {
    /// Keys of a family that are prices.
    pub const KEYS: [&'static str; 4] =
        ["gpu_price", "chip_price", "link_price", "long_link_price"];
}
